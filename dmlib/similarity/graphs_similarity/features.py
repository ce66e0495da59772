"""What graph kernels count: labels after each relabelling, shortest paths, graphlets; and common walks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import networkx as nx
import numpy as np

from dmlib.arrays import Floats
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params
from dmlib.similarity.graphs_similarity.graphs import (
    adjacency,
    check_graph,
    node_labels,
    without_loops,
)
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall
from dmlib.trace import look

MOST_GRAPHLETS = 200_000
MOST_PAIRS = 10_000
Labels = Sequence[Sequence[Hashable]] | str

GRAPHLETS = {
    (0, 0, 0): "3 nodes, no edge",
    (0, 1, 1): "3 nodes, 1 edge",
    (1, 1, 2): "path of 3",
    (2, 2, 2): "triangle",
    (0, 0, 0, 0): "4 nodes, no edge",
    (0, 0, 1, 1): "4 nodes, 1 edge",
    (1, 1, 1, 1): "2 edges apart",
    (0, 1, 1, 2): "path of 3, 1 alone",
    (0, 2, 2, 2): "triangle, 1 alone",
    (1, 1, 1, 3): "star of 4",
    (1, 1, 2, 2): "path of 4",
    (1, 2, 2, 3): "triangle with tail",
    (2, 2, 2, 2): "cycle of 4",
    (2, 2, 3, 3): "4 nodes, 5 edges",
    (3, 3, 3, 3): "4 nodes, all edges",
}
"""The graphs of 3 and 4 nodes by their sorted degrees, which tell them apart."""


@dataclass(frozen=True)
class Round:
    """What one round of a kernel counts in each graph.

    Attributes
    ----------
    title : str
        What it is about.
    counts : tuple of Counter
        How often each feature occurs in each graph.
    labels : tuple of tuple of int
        The number of the label of each node, where nodes are relabelled; else that of the first
        labels.
    names : dict of int to str
        What the new labels stand for.
    """

    title: str
    counts: tuple[Counter[str], ...]
    labels: tuple[tuple[int, ...], ...]
    names: dict[int, str]


def wl_rounds(
    graphs: Sequence[nx.Graph], labels: Labels = "equal", n_iter: int = 3
) -> Iterator[Round]:
    """Yield the first labels of all graphs, and those after each relabelling by Weisfeiler and Lehman.

    Examples
    --------
    >>> [found.labels for found in wl_rounds([nx.path_graph(3)], n_iter=1)]
    [((1, 1, 1),), ((2, 3, 2),)]
    """
    first = _first(graphs, labels)
    numbers = {
        label: i + 1 for i, label in enumerate(sorted({label for own in first for label in own}))
    }
    now = [[numbers[label] for label in own] for own in first]
    names = {number: label or "any" for label, number in numbers.items()}
    yield _labelled("First labels", now, names)
    used = len(numbers)
    around = [[np.flatnonzero(row).tolist() for row in adjacency(G)] for G in graphs]
    for h in range(1, n_iter + 1):
        look()
        signed = [
            [(own[v], tuple(sorted(own[u] for u in near[v]))) for v in range(len(own))]
            for own, near in zip(now, around, strict=True)
        ]
        found = {
            mark: used + i + 1
            for i, mark in enumerate(sorted({mark for own in signed for mark in own}))
        }
        now = [[found[mark] for mark in own] for own in signed]
        names = {
            number: f"{mark[0]} | {' '.join(map(str, mark[1]))}" for mark, number in found.items()
        }
        used += len(found)
        yield _labelled(f"Relabelling {h}", now, names)


def path_rounds(
    graphs: Sequence[nx.Graph], labels: Labels = "equal", *, weighted: bool = False
) -> Iterator[Round]:
    """Yield, for each distance, how many pairs of nodes are so far apart, by the labels of both."""
    first = _first(graphs, labels)
    kept = _numbered(first)
    found: dict[float, list[Counter[str]]] = {}
    for i, (G, own) in enumerate(zip(graphs, first, strict=True)):
        distances = floyd_warshall(G, weighted=weighted)[0]
        for u, v in zip(*np.nonzero(np.isfinite(distances)), strict=True):
            if u == v or (u > v and not G.is_directed()):
                continue
            ends = (own[u], own[v]) if G.is_directed() else sorted((own[u], own[v]))
            name = (
                f"{ends[0]}–{ends[1]} {distances[u, v]:g}" if any(ends) else f"{distances[u, v]:g}"
            )
            length = float(f"{distances[u, v]:g}")
            found.setdefault(length, [Counter() for _ in graphs])[i][name] += 1
    for length in sorted(found):
        yield Round(f"Distance {length:g}", tuple(found[length]), kept, {})
    if not found:
        yield Round("Distances", tuple(Counter() for _ in graphs), kept, {})


def graphlet_rounds(graphs: Sequence[nx.Graph], size: int = 3) -> Iterator[Round]:
    """Yield how often each graph of 3 or 4 nodes is an induced subgraph; directions and loops do not count."""
    found = []
    for G in graphs:
        if comb(len(G), size) > MOST_GRAPHLETS:
            raise ValueError(
                f"{len(G)} nodes have {comb(len(G), size):,} subsets of {size}, which are too many."
                f" Take {'graphlets of 3 nodes, ' if size > 3 else ''}a smaller graph, or another"
                " kernel."
            )
        joined = adjacency(without_loops(G))
        sets = np.array(list(combinations(range(len(G)), size)), np.intp).reshape(-1, size)
        look()
        joined = joined | joined.T
        degrees = np.sort(joined[sets[:, :, None], sets[:, None, :]].sum(axis=2), axis=1)
        kinds, times = np.unique(degrees, axis=0, return_counts=True)
        pairs = zip(kinds.tolist(), times.tolist(), strict=True)
        found.append(Counter({GRAPHLETS[tuple(kind)]: n for kind, n in pairs}))
    same = _numbered(_first(graphs, "equal"))
    for kind, name in GRAPHLETS.items():
        if len(kind) == size:
            look()
            own = tuple(Counter({name: counts[name]} if counts[name] else {}) for counts in found)
            yield Round(name[:1].upper() + name[1:], own, same, {})


def walk_counts(
    one: nx.Graph, other: nx.Graph, n_iter: int, labels: Sequence[Sequence[Hashable]]
) -> list[int]:
    """Return how many walks of each length, from 0 to ``n_iter`` edges, two graphs have in common.

    They are walks in the direct product, whose nodes are the pairs of nodes with equal labels.

    Examples
    --------
    >>> walk_counts(nx.path_graph(2), nx.path_graph(2), 2, [["", ""], ["", ""]])
    [4, 4, 4]
    """
    if len(one) * len(other) > MOST_PAIRS:
        raise ValueError(
            f"Graphs of {len(one)} and {len(other)} nodes have {len(one) * len(other):,} pairs of"
            f" nodes; at most {MOST_PAIRS:,} are walked on. Take smaller graphs, or the"
            " Weisfeiler-Lehman kernel."
        )
    A, B = adjacency(one).astype(float), adjacency(other).astype(float)
    fits = np.array([[float(a == b) for b in labels[1]] for a in labels[0]])
    walks, found = fits, []
    for _ in range(n_iter + 1):
        look()
        found.append(round(float(walks.sum())))
        walks = fits * (A @ walks @ B.T)
    return found


def weisfeiler_lehman_kernel(
    graphs: Sequence[nx.Graph],
    n_iter: int = 3,
    *,
    labels: Labels = "equal",
    normalize: bool = False,
) -> Floats:
    """Return the Weisfeiler-Lehman subtree kernel of all pairs of graphs.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs; weights do not count.
    n_iter : int
        How often all nodes are relabelled.
    labels : {"equal", "class"} or sequence of sequences
        The first labels: all equal, those of the node attribute ``label`` or ``class``, or one for
        each node.
    normalize : bool
        Whether each entry is divided by the root of both entries of the diagonal.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The sum over the rounds of the products of the counts.

    Notes
    -----
    O(h m) for h rounds and m edges, and the products. A node with a loop is one of its own
    neighbours.

    References
    ----------
    N. Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels, Journal of Machine Learning
    Research 12.

    Examples
    --------
    >>> weisfeiler_lehman_kernel([nx.path_graph(3), nx.cycle_graph(3)], 1).tolist()
    [[14.0, 12.0], [12.0, 18.0]]
    """
    _check(graphs, n_iter=(n_iter, Integer(0, 100)), normalize=(normalize, Flag()))
    return _matrix(list(wl_rounds(graphs, labels, n_iter)), len(graphs), normalize=normalize)


def shortest_path_kernel(
    graphs: Sequence[nx.Graph],
    *,
    labels: Labels = "equal",
    weighted: bool = False,
    normalize: bool = False,
) -> Floats:
    """Return the shortest-path kernel: how many pairs of nodes are equally far apart, and equally labelled.

    Parameters
    ----------
    graphs, labels
        As in :func:`weisfeiler_lehman_kernel`.
    weighted : bool
        Whether the weights are the lengths of the edges.
    normalize : bool
        As there.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The products of the counts.

    References
    ----------
    K. M. Borgwardt and H.-P. Kriegel (2005), Shortest-path kernels on graphs, ICDM.

    Examples
    --------
    >>> shortest_path_kernel([nx.path_graph(3), nx.cycle_graph(3)]).tolist()
    [[5.0, 6.0], [6.0, 9.0]]
    """
    _check(graphs, weighted=(weighted, Flag()), normalize=(normalize, Flag()))
    return _matrix(
        list(path_rounds(graphs, labels, weighted=weighted)), len(graphs), normalize=normalize
    )


def graphlet_kernel(
    graphs: Sequence[nx.Graph], size: int = 3, *, normalize: bool = False
) -> Floats:
    """Return the graphlet kernel: the product of the counts of all induced subgraphs of 3 or 4 nodes, without loops.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs.
    size : {3, 4}
        Nodes of a graphlet.
    normalize : bool
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The products of the counts.

    References
    ----------
    N. Shervashidze et al. (2009), Efficient graphlet kernels for large graph comparison, AISTATS.

    Examples
    --------
    >>> graphlet_kernel([nx.path_graph(4), nx.cycle_graph(4)]).tolist()
    [[8.0, 8.0], [8.0, 16.0]]
    """
    _check(graphs, size=(size, Integer(3, 4)), normalize=(normalize, Flag()))
    return _matrix(list(graphlet_rounds(graphs, size)), len(graphs), normalize=normalize)


def random_walk_kernel(
    graphs: Sequence[nx.Graph],
    n_iter: int = 3,
    *,
    decay: float = 0.1,
    labels: Labels = "equal",
    normalize: bool = False,
) -> Floats:
    """Return the random-walk kernel: common walks of up to ``n_iter`` edges, those of l edges times ``decay`` ** l.

    Parameters
    ----------
    graphs : sequence of networkx.Graph
        The graphs.
    n_iter : int
        The edges of the longest walk.
    decay : float
        The weight of each further edge; a walk may use a loop.
    labels, normalize
        As in :func:`weisfeiler_lehman_kernel`.

    Returns
    -------
    ndarray of shape (n_graphs, n_graphs)
        The weighted sums.

    References
    ----------
    T. Gärtner, P. Flach and S. Wrobel (2003), On graph kernels: hardness results and efficient
    alternatives, COLT.

    Examples
    --------
    >>> random_walk_kernel([nx.path_graph(2)], 2, decay=0.5).tolist()
    [[7.0]]
    """
    _check(
        graphs,
        n_iter=(n_iter, Integer(0, 100)),
        decay=(decay, Number(0.0, 1.0)),
        normalize=(normalize, Flag()),
    )
    first = _first(graphs, labels)
    found = np.zeros((len(graphs), len(graphs)))
    for i in range(len(graphs)):
        for j in range(i + 1):
            walks = walk_counts(graphs[i], graphs[j], n_iter, [first[i], first[j]])
            found[i, j] = found[j, i] = sum(decay**k * n for k, n in enumerate(walks))
    return normalized(found) if normalize else found


def product(round_: Round, i: int, j: int) -> int:
    """Return the sum of the products of the counts of two graphs."""
    one, other = round_.counts[i], round_.counts[j]
    return sum(times * other[name] for name, times in one.items())


def normalized(matrix: Floats) -> Floats:
    """Divide a kernel matrix by the roots of its diagonal; what has none stays 0."""
    lengths = np.sqrt(np.diag(matrix))
    both = np.outer(lengths, lengths)
    found: Floats = np.divide(matrix, both, out=np.zeros_like(matrix), where=both > 0)
    return found


def _matrix(rounds: Sequence[Round], n: int, *, normalize: bool) -> Floats:
    found = np.array(
        [[float(sum(product(each, i, j) for each in rounds)) for j in range(n)] for i in range(n)]
    )
    return normalized(found) if normalize else found


def _check(graphs: Sequence[nx.Graph], **values: tuple[object, Param]) -> None:
    check_params(
        {name: spec for name, (_, spec) in values.items()},
        {name: value for name, (value, _) in values.items()},
    )
    if isinstance(graphs, nx.Graph) or not len(graphs):
        raise ValueError("graphs must be a list of one or more graphs.")
    for G in graphs:
        check_graph(G)


def _first(graphs: Sequence[nx.Graph], labels: Labels) -> list[list[str]]:
    if isinstance(labels, str):
        check_params({"labels": Choice(("equal", "class"))}, {"labels": labels})
        return [node_labels(G, labels) for G in graphs]
    if [len(own) for own in labels] != [len(G) for G in graphs]:
        raise ValueError("labels must have one label for each node of each graph.")
    return [[str(label) for label in own] for own in labels]


def _numbered(first: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    numbers = {
        label: i + 1 for i, label in enumerate(sorted({label for own in first for label in own}))
    }
    return tuple(tuple(numbers[label] for label in own) for own in first)


def _labelled(title: str, labels: Sequence[Sequence[int]], names: dict[int, str]) -> Round:
    counts = tuple(Counter(str(label) for label in own) for own in labels)
    return Round(title, counts, tuple(map(tuple, labels)), names)
