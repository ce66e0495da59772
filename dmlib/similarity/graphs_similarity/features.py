"""The features of graph kernels: labels after relabelling, distances and graphlets."""

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
from dmlib.similarity.graphs_similarity.graphs import (
    adjacency,
    adjacency_by_label,
    edge_label,
    node_labels,
    without_loops,
)
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall
from dmlib.trace import look

MAX_GRAPHLETS = 200_000
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
    graphs: Sequence[nx.Graph],
    labels: Labels = "equal",
    n_iter: int = 3,
    *,
    edge_labels: bool = False,
) -> Iterator[Round]:
    """Yield the first labels of all graphs, and those after each Weisfeiler-Lehman relabelling.

    With ``edge_labels`` the multiset of a node has pairs: each neighbour's label, and the edge's.

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
    neighbors = [_neighbors(G, edge_labels) for G in graphs]
    for h in range(1, n_iter + 1):
        look()
        signatures = [_signatures(*pair) for pair in zip(current, neighbors, strict=True)]
        signature_numbers = _numbering(signatures, n_labels)
        current = [[signature_numbers[signature] for signature in own] for own in signatures]
        n_labels += len(signature_numbers)
        names = {
            number: f"{label} | {' '.join(f'{edge}{other}' for other, edge in around)}"
            for (label, around), number in signature_numbers.items()
        }
        yield _labelled(f"Relabelling {h}", current, names)


def _neighbors(G: nx.Graph, edge_labels: bool) -> list[list[tuple[int, str]]]:
    """Return the neighbours of each node, with the label of the edge to each."""
    matrices = adjacency_by_label(G, edge_labels=edge_labels).items()
    texts = [(f"{text}:" if text[-1:].isalnum() else text, A) for text, A in matrices]
    return [
        [(u, text) for text, A in texts for u in np.flatnonzero(A[v]).tolist()]
        for v in range(len(G))
    ]


def _signatures(
    labels: Sequence[int], neighbors: Sequence[Sequence[tuple[int, str]]]
) -> list[tuple[int, tuple[tuple[int, str], ...]]]:
    """Return the label of each node with the sorted labels of its neighbours and their edges."""
    around = [tuple(sorted((labels[u], edge) for u, edge in own)) for own in neighbors]
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


def edge_rounds(
    graphs: Sequence[nx.Graph], labels: Labels = "equal", *, edge_labels: bool = False
) -> Iterator[Round]:
    """Yield the one round that counts edges by the labels of their ends, and perhaps by their own.

    Examples
    --------
    >>> G = nx.Graph([(0, 1, {"order": 1}), (1, 2, {"order": 2})])
    >>> [dict(next(edge_rounds([G], edge_labels=own)).counts[0]) for own in (False, True)]
    [{'–': 2}, {'–': 1, '=': 1}]
    """
    texts = first_labels(graphs, labels)
    counts = []
    for G, own in zip(graphs, texts, strict=True):
        label_of = dict(zip(G, own, strict=True))
        counter: Counter[str] = Counter()
        for u, v, attributes in G.edges(data=True):
            ends = [label_of[u], label_of[v]]
            first, last = ends if G.is_directed() else sorted(ends)
            text = edge_label(attributes) if edge_labels else ""
            sign = f"–{text}–" if text[-1:].isalnum() else text or "–"
            counter[f"{first}{sign}{last}"] += 1
        counts.append(counter)
    yield Round("Edges", tuple(counts), _numbered(texts), {})


def topological_rounds(graphs: Sequence[nx.Graph]) -> Iterator[Round]:
    """Yield the one round that describes each graph by five numbers: its topological vector.

    Pairs of nodes without a path have no distance. Directions and loops are ignored.

    Examples
    --------
    >>> dict(next(topological_rounds([nx.path_graph(3)])).counts[0])
    {'nodes': 3, 'edges': 2, 'triangles': 0, 'diameter': 2, 'Wiener index': 4}
    """
    counts = []
    for G in graphs:
        undirected = without_loops(G).to_undirected()
        D = floyd_warshall(undirected, weighted=False)[0]
        lengths = D[np.isfinite(D)]
        counter: Counter[str] = Counter()
        counter["nodes"], counter["edges"] = len(G), undirected.number_of_edges()
        counter["triangles"] = sum(nx.triangles(undirected).values()) // 3
        counter["diameter"] = int(lengths.max(initial=0))
        counter["Wiener index"] = int(lengths.sum()) // 2
        counts.append(counter)
    yield Round("Topological vectors", tuple(counts), _numbered(first_labels(graphs, "equal")), {})


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
