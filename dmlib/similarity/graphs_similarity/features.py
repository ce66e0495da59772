"""The features of graph kernels: labels after relabelling, distances, graphlets, and walks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Any, TypeVar

import networkx as nx
import numpy as np

from dmlib.params import Choice, check_params
from dmlib.similarity.graphs_similarity.graphs import adjacency, node_labels, without_loops
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall
from dmlib.trace import look

MAX_GRAPHLETS = 200_000
MAX_PAIRS = 10_000
Labels = Sequence[Sequence[Hashable]] | str
Label = TypeVar("Label", bound=Any)

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
"""The graphs of 3 and 4 nodes by their sorted degrees, which are different."""


@dataclass(frozen=True)
class Round:
    """The counts of features in each graph in one round of a kernel.

    Attributes
    ----------
    title : str
        The title of the round.
    counts : tuple of Counter
        The count of each feature in each graph.
    labels : tuple of tuple of int
        The number of the label of each node, where nodes are relabelled; else that of the first
        labels.
    names : dict of int to str
        The meanings of the new labels.
    """

    title: str
    counts: tuple[Counter[str], ...]
    labels: tuple[tuple[int, ...], ...]
    names: dict[int, str]


def wl_rounds(
    graphs: Sequence[nx.Graph], labels: Labels = "equal", n_iter: int = 3
) -> Iterator[Round]:
    """Yield the first labels of all graphs, and those after each Weisfeiler-Lehman relabelling.

    Examples
    --------
    >>> [round_.labels for round_ in wl_rounds([nx.path_graph(3)], n_iter=1)]
    [((1, 1, 1),), ((2, 3, 2),)]
    """
    texts = first_labels(graphs, labels)
    numbers = _numbering(texts)
    current = [[numbers[label] for label in own] for own in texts]
    yield _labelled("First labels", current, {i: text or "any" for text, i in numbers.items()})
    n_labels = len(numbers)
    neighbors = [[np.flatnonzero(row).tolist() for row in adjacency(G)] for G in graphs]
    for h in range(1, n_iter + 1):
        look()
        signatures = [_signatures(*pair) for pair in zip(current, neighbors, strict=True)]
        signature_numbers = _numbering(signatures, n_labels)
        current = [[signature_numbers[signature] for signature in own] for own in signatures]
        n_labels += len(signature_numbers)
        names = {
            number: f"{label} | {' '.join(map(str, around))}"
            for (label, around), number in signature_numbers.items()
        }
        yield _labelled(f"Relabelling {h}", current, names)


def _signatures(
    labels: Sequence[int], neighbors: Sequence[Sequence[int]]
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the label of each node with the sorted labels of its neighbours."""
    around = [tuple(sorted(labels[u] for u in own)) for own in neighbors]
    return list(zip(labels, around, strict=True))


def path_rounds(
    graphs: Sequence[nx.Graph], labels: Labels = "equal", *, weighted: bool = False
) -> Iterator[Round]:
    """Yield, for each distance, the numbers of pairs of nodes by the labels of both."""
    texts = first_labels(graphs, labels)
    numbered = _numbered(texts)
    by_length: dict[float, list[Counter[str]]] = {}
    for i, (G, own) in enumerate(zip(graphs, texts, strict=True)):
        distances = floyd_warshall(G, weighted=weighted)[0]
        for u, v in np.argwhere(np.isfinite(distances)).tolist():
            if u == v or (u > v and not G.is_directed()):
                continue
            ends = (own[u], own[v]) if G.is_directed() else sorted((own[u], own[v]))
            length = f"{distances[u, v]:g}"
            name = f"{ends[0]}–{ends[1]} {length}" if any(ends) else length
            by_length.setdefault(float(length), [Counter() for _ in graphs])[i][name] += 1
    for value in sorted(by_length):
        yield Round(f"Distance {value:g}", tuple(by_length[value]), numbered, {})
    if not by_length:
        yield Round("Distances", tuple(Counter() for _ in graphs), numbered, {})


def graphlet_rounds(graphs: Sequence[nx.Graph], size: int = 3) -> Iterator[Round]:
    """Yield the counts of each graph of 3 or 4 nodes as an induced subgraph.

    Directions and loops are ignored.
    """
    counts = [_graphlets(G, size) for G in graphs]
    numbered = _numbered(first_labels(graphs, "equal"))
    for degrees, name in GRAPHLETS.items():
        if len(degrees) == size:
            look()
            own = tuple(Counter({name: n[name]} if n[name] else {}) for n in counts)
            yield Round(name[:1].upper() + name[1:], own, numbered, {})


def _graphlets(G: nx.Graph, size: int) -> Counter[str]:
    n_subsets = comb(len(G), size)
    if n_subsets > MAX_GRAPHLETS:
        smaller = "graphlets of 3 nodes, " if size > 3 else ""
        raise ValueError(
            f"{len(G)} nodes have {n_subsets:,} subsets of {size}, which are too many."
            f" Take {smaller}a smaller graph, or another kernel."
        )
    A = adjacency(without_loops(G))
    subsets = np.array(list(combinations(range(len(G)), size)), np.intp).reshape(-1, size)
    look()
    A = A | A.T
    degrees = np.sort(A[subsets[:, :, None], subsets[:, None, :]].sum(axis=2), axis=1)
    kinds, times = np.unique(degrees, axis=0, return_counts=True)
    pairs = zip(kinds.tolist(), times.tolist(), strict=True)
    return Counter({GRAPHLETS[tuple(kind)]: n for kind, n in pairs})


def walk_counts(
    G1: nx.Graph, G2: nx.Graph, n_iter: int, labels: Sequence[Sequence[Hashable]]
) -> list[int]:
    """Return the numbers of common walks of two graphs with 0 to ``n_iter`` edges.

    They are walks in the direct product, whose nodes are the pairs of nodes with equal labels.

    Examples
    --------
    >>> walk_counts(nx.path_graph(2), nx.path_graph(2), 2, [["", ""], ["", ""]])
    [4, 4, 4]
    """
    n_pairs = len(G1) * len(G2)
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"Graphs of {len(G1)} and {len(G2)} nodes have {n_pairs:,} pairs of nodes;"
            f" at most {MAX_PAIRS:,} are walked on."
            " Take smaller graphs, or the Weisfeiler-Lehman kernel."
        )
    A, B = adjacency(G1).astype(float), adjacency(G2).astype(float)
    is_equal = np.array([[float(a == b) for b in labels[1]] for a in labels[0]])
    walks, counts = is_equal, []
    for _ in range(n_iter + 1):
        look()
        counts.append(round(float(walks.sum())))
        walks = is_equal * (A @ walks @ B.T)
    return counts


def product(round_: Round, i: int, j: int) -> int:
    """Return the sum of the products of the counts of two graphs."""
    first, second = round_.counts[i], round_.counts[j]
    return sum(times * second[name] for name, times in first.items())


def first_labels(graphs: Sequence[nx.Graph], labels: Labels) -> list[list[str]]:
    """Return the labels of the nodes of all graphs before any relabelling."""
    if isinstance(labels, str):
        check_params({"labels": Choice(("equal", "class"))}, {"labels": labels})
        return [node_labels(G, labels) for G in graphs]
    if [len(own) for own in labels] != [len(G) for G in graphs]:
        raise ValueError("labels must have one label for each node of each graph.")
    return [[str(label) for label in own] for own in labels]


def _numbering(labels: Sequence[Sequence[Label]], n_used: int = 0) -> dict[Label, int]:
    """Return the numbers of the distinct labels in order, after those in use."""
    distinct = sorted(set(chain.from_iterable(labels)))
    return {label: number for number, label in enumerate(distinct, n_used + 1)}


def _numbered(labels: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    numbers = _numbering(labels)
    return tuple(tuple(numbers[label] for label in own) for own in labels)


def _labelled(title: str, labels: Sequence[Sequence[int]], names: dict[int, str]) -> Round:
    counts = tuple(Counter(str(label) for label in own) for own in labels)
    return Round(title, counts, tuple(map(tuple, labels)), names)
