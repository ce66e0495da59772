"""Threshold graph clustering: weak edges are removed, and what is still connected is a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from dmlib.arrays import Floats
from dmlib.clustering.graph_clustering.ranges import graph_clustering_ranges
from dmlib.params import Choice, Number, Param, Ranges, check_params
from dmlib.trace import look

Indices = NDArray[np.intp]

Phase = Literal["merge", "inside", "done"]


@dataclass(frozen=True)
class ThresholdGraphClusteringStep:
    """One step of threshold graph clustering: one kept edge, in the order of the weights.

    Nodes are numbered from 0 in the order of the graph.

    Attributes
    ----------
    phase : {"merge", "inside", "done"}
        What the edge does: it merges two components, or it lies inside one; "done" after the last
        kept edge.
    edge : tuple of (int, int) or None
        Its two nodes; None on "done".
    weight : float
        Its weight; NaN on "done".
    sizes : tuple of int
        The sizes of the components of its two nodes before the step, the same size twice for an
        edge inside.
    components : ndarray of shape (n_nodes,)
        The first node of the component of each node after the step.
    n_components : int
        How many components there are after the step.
    n_kept : int
        How many edges are kept so far.
    labels : ndarray of shape (n_nodes,) or None
        On "done": the clusters, the largest first.
    reason : str
        On "done": what was found, as a sentence.
    """

    phase: Phase
    edge: tuple[int, int] | None
    weight: float
    sizes: tuple[int, ...]
    components: Indices
    n_components: int
    n_kept: int
    labels: Indices | None = None
    reason: str = ""

    @property
    def n_clusters(self) -> int | None:
        """On "done": the number of clusters."""
        return self.n_components if self.phase == "done" else None

    @property
    def largest(self) -> int:
        """The size of the largest component."""
        return int(np.bincount(self.components).max())


class ThresholdGraphClustering(ClusterMixin, BaseEstimator):
    """Keep the edges that reach a threshold; the clusters are the connected components.

    With similarities, an edge is kept if its weight is at least the threshold; with distances, if
    it is at most the threshold. Two nodes are in one cluster exactly if a path of kept edges joins
    them. In a complete graph of distances these are the clusters of single linkage, cut at the
    threshold.

    Parameters
    ----------
    threshold : float, default=5.0
        The weight from which (similarity) or up to which (distance) an edge is kept.
    weights : {"similarity", "distance"}, default="similarity"
        What a large weight means: that two nodes are close, or that they are far apart.

    Attributes
    ----------
    labels_ : ndarray of shape (n_nodes,)
        The cluster of each node, in the order of the graph. Clusters are numbered by size, the
        largest first; those of equal size by their first nodes. A node without a kept edge is a
        cluster of its own.
    n_clusters_ : int
        The number of clusters, single nodes included.
    largest_ : int
        The size of the largest cluster.
    n_kept_ : int
        The number of kept edges.
    kept_edges_ : ndarray of shape (n_kept, 2)
        The kept edges as pairs of node numbers, the strongest first.
    merge_edges_ : ndarray of shape (n_merges, 2)
        The edges that merge two components as the threshold passes over all weights: a maximum (of
        distances: minimum) spanning forest.
    merge_weights_ : ndarray of shape (n_merges,)
        The weights at which they do, like the heights of a dendrogram.

    Raises
    ------
    ValueError
        If G is no graph, has no nodes or several edges between two nodes, or a weight that is no
        finite number.

    Notes
    -----
    Sorting m edges takes O(m log m). Components are kept as one array of labels, of which the
    smaller label of two stays, so a merge takes O(n); there are at most n - 1. Edges of equal
    weight come in the order of the graph; this decides which of them merge and which lie inside,
    but not the clusters. Edges without a weight weigh 1; directions do not count.

    References
    ----------
    C. T. Zahn (1971), Graph-theoretical methods for detecting and describing gestalt clusters, IEEE
    Transactions on Computers C-20. J. C. Gower and G. J. S. Ross (1969), Minimum spanning trees and
    single linkage cluster analysis, Applied Statistics 18.

    Examples
    --------
    >>> G = nx.Graph()
    >>> G.add_weighted_edges_from([("a", "b", 9), ("b", "c", 7), ("c", "d", 2), ("d", "e", 8)])
    >>> model = ThresholdGraphClustering(5).fit(G)
    >>> model.labels_.tolist(), model.merge_weights_.tolist()
    ([0, 0, 0, 1, 1], [9.0, 8.0, 7.0, 2.0])
    """

    RANGES: ClassVar[Ranges] = staticmethod(graph_clustering_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "threshold": Number(0.0, 1e6, shown=(0.0, 40.0), step=0.5),
        "weights": Choice(("similarity", "distance")),
    }

    def __init__(self, threshold: float = 5.0, *, weights: str = "similarity") -> None:
        self.threshold = threshold
        self.weights = weights

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Find the clusters of the nodes of ``G``; ``y`` is ignored."""
        last = deque(self.steps(G), maxlen=1).pop()
        self.labels_, self.n_clusters_ = last.labels, last.n_components
        self.largest_ = last.largest
        self.n_kept_ = last.n_kept
        self.kept_edges_ = ordered_edges(G, self.weights)[0][: last.n_kept]
        self.merge_edges_, self.merge_weights_ = spanning_forest(G, self.weights)
        return self

    def edges(self) -> Indices:
        """Return the edges that are kept, each with the smaller number of its nodes first."""
        return np.sort(self.kept_edges_, axis=1)

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[ThresholdGraphClusteringStep]:
        """Yield one step for each kept edge, the strongest first, and one with the labels."""
        check_params(self.PARAMS, self.get_params())
        edges, weights = ordered_edges(G, self.weights)
        is_similarity = self.weights == "similarity"
        is_kept = weights >= self.threshold if is_similarity else weights <= self.threshold
        n_kept = int(is_kept.sum())
        components, n_components = np.arange(len(G)), len(G)
        for i, (first, second, after) in enumerate(walk(edges[:n_kept], len(G))):
            u, v = edges[i].tolist()
            weight = float(weights[i])
            sizes = tuple(int((components == components[node]).sum()) for node in (u, v))
            phase: Phase = "inside" if first == second else "merge"
            components = after
            n_components -= phase == "merge"
            yield ThresholdGraphClusteringStep(
                phase, (u, v), weight, sizes, components, n_components, i + 1
            )
        labels = _by_size(components)
        reason = f"{_summary(labels)} {self._kept_summary(n_kept, len(edges))}"
        yield ThresholdGraphClusteringStep(
            "done", None, float("nan"), (), components, n_components, n_kept, labels, reason
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags

    def _kept_summary(self, n_kept: int, n_edges: int) -> str:
        bound = "at least" if self.weights == "similarity" else "at most"
        return f"{n_kept} of {n_edges} edges have a weight of {bound} {self.threshold:g}."


def ordered_edges(G: nx.Graph, weights: str = "similarity") -> tuple[Indices, Floats]:
    """Return the edges of a graph as pairs of node numbers, the strongest first, and their weights.

    Parameters
    ----------
    G : networkx.Graph
        Weights, where there are any, in the edge attribute ``weight``; an edge without one weighs
        1.
    weights : {"similarity", "distance"}
        Whether the largest or the smallest weight is the strongest.

    Returns
    -------
    edges : ndarray of shape (n_edges, 2)
        The pairs; edges of equal weight in the order of the graph.
    weights : ndarray of shape (n_edges,)
        Their weights.

    Raises
    ------
    ValueError
        As :class:`ThresholdGraphClustering`.

    Examples
    --------
    >>> G = nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 5})])
    >>> edges, weights = ordered_edges(G)
    >>> edges.tolist(), weights.tolist()
    ([[1, 2], [0, 1]], [5.0, 2.0])
    """
    if not isinstance(G, nx.Graph):
        raise ValueError(
            f"G must be a networkx graph, not {type(G).__name__}. "
            "Make one with networkx.Graph(edges)."
        )
    if G.is_multigraph() or not len(G):
        raise ValueError(
            "G must have nodes, and at most one edge between any two. "
            "Add up the weights of several."
        )
    number = {node: i for i, node in enumerate(G)}
    edges = np.array([(number[u], number[v]) for u, v in G.edges], np.intp).reshape(-1, 2)
    try:
        values = np.array([weight for *_, weight in G.edges(data="weight", default=1.0)], float)
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not np.isfinite(values).all():
        raise ValueError(
            "Some edge has a weight that is no finite number. Correct it, or remove the edge."
        )
    order = np.argsort(-values if weights == "similarity" else values, kind="stable")
    return edges[order], values[order]


def spanning_forest(G: nx.Graph, weights: str = "similarity") -> tuple[Indices, Floats]:
    """Return the edges that merge components as the threshold passes over all weights.

    Parameters
    ----------
    G, weights
        As in :func:`ordered_edges`.

    Returns
    -------
    edges : ndarray of shape (n_merges, 2)
        The pairs of node numbers, the strongest first.
    weights : ndarray of shape (n_merges,)
        Their weights.

    Examples
    --------
    >>> spanning_forest(nx.complete_graph(3))[0].tolist()
    [[0, 1], [0, 2]]
    """
    edges, values = ordered_edges(G, weights)
    merges = np.array([first != second for first, second, _ in walk(edges, len(G))], bool)
    return edges[merges], values[merges]


def walk(edges: Indices, n_nodes: int) -> Iterator[tuple[int, int, Indices]]:
    """Yield for each edge the components of its nodes before it, and those of all nodes after it.

    Examples
    --------
    >>> [(one, other, after.tolist()) for one, other, after in walk(np.array([[1, 2], [0, 1]]), 3)]
    [(1, 2, [0, 1, 1]), (0, 1, [0, 0, 0])]
    """
    components = np.arange(n_nodes)
    for pair in edges:
        look()
        first, second = sorted(components[pair].tolist())
        if first != second:
            components = np.where(components == second, first, components)
        yield first, second, components


def _by_size(components: Indices) -> Indices:
    """Return components numbered by size, the largest first, ties by their first nodes."""
    names, inverse, sizes = np.unique(components, return_inverse=True, return_counts=True)
    number = np.empty(len(names), np.intp)
    number[np.argsort(-sizes, kind="stable")] = np.arange(len(names))
    labels: Indices = number[inverse]
    return labels


def _summary(labels: Indices) -> str:
    """Say how many clusters there are, and how large."""
    sizes = np.bincount(labels)
    single = int((sizes == 1).sum())
    if len(sizes) == 1:
        return f"All {len(labels)} nodes are one cluster."
    if single == len(sizes):
        return f"Each of the {single} nodes is alone."
    several = len(sizes) - single
    groups = f"{several} cluster{'s' * (several != 1)} of two or more nodes"
    singles = (
        f"{single} node{'s are' if single != 1 else ' is'} alone" if single else "no node is alone"
    )
    return f"{groups}, the largest of {sizes[0]}; {singles}."
