"""Shortest paths from one node: Dijkstra's algorithm and breadth-first search with a queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Flag, Integer, Param, Ranges, check_params
from dmlib.similarity.graphs_similarity.graphs import Indices, check_graph, length_matrix
from dmlib.similarity.graphs_similarity.ranges import check_ends, node_ranges
from dmlib.trace import look

Phase = Literal["start", "settle", "done"]


class Relaxed(NamedTuple):
    """An edge from the settled node to one that is not settled.

    Attributes
    ----------
    node : int
        The neighbour.
    length : float
        The length of the edge.
    before, through : float
        The distance of the neighbour so far, and that of the path over this edge.
    """

    node: int
    length: float
    before: float
    through: float


@dataclass(frozen=True)
class SingleSourceStep:
    """One step of a search from one node. Nodes are numbered from 0 in the order of the graph.

    Attributes
    ----------
    phase : Phase
        The queue contains the origin alone; a node is taken from it; it is empty.
    node : int
        On "settle" the node; else the origin.
    distances : ndarray of shape (n_nodes,)
        The lengths of the best paths so far, infinite without a path.
    predecessors : ndarray of shape (n_nodes,)
        The node before each on its path; -1 where there is none.
    order : tuple of int
        The settled nodes, in the order in which they were taken.
    queue : tuple of int
        The nodes in the queue, the next one first.
    relaxed : tuple of Relaxed
        On "settle": the edges to its unsettled neighbours.
    path : tuple of int
        On "done": the nodes of the path from the origin to the target.
    """

    phase: Phase
    node: int
    distances: Floats
    predecessors: Indices
    order: tuple[int, ...] = ()
    queue: tuple[int, ...] = ()
    relaxed: tuple[Relaxed, ...] = ()
    path: tuple[int, ...] = ()


class SingleSourcePaths(BaseEstimator):
    r"""Find the shortest paths from one node by Dijkstra's algorithm or breadth-first search.

    Both take one node after the other from a queue and relax its edges. Dijkstra's algorithm takes
    the node with the smallest distance: no later path can be shorter, so it is settled.
    Breadth-first search takes the oldest node, and finds the paths with the fewest edges.

    Parameters
    ----------
    search : {"dijkstra", "breadth-first"}, default="dijkstra"
        The order of the queue: by distance, or first in, first out.
    weighted : bool, default=True
        dijkstra: whether the weights are the lengths of the edges; else each is 1 long, as in
        breadth-first search.
    origin : int, default=1
        The number of the node from which the paths lead, from 1.
    target : int, default=2
        The number of the node to which one of them is restored.

    Attributes
    ----------
    distances_ : ndarray of shape (n_nodes,)
        The lengths of the paths, infinite where there is none; of breadth-first search the numbers
        of edges.
    predecessors_ : ndarray of shape (n_nodes,)
        The node before each on its path; -1 for the origin and where there is no path.
    order_ : list of int
        The nodes that are reached, as numbers from 0, in the order in which they were taken from
        the queue.
    path_ : list of int
        The path to the target; empty where there is none.
    value_ : float
        Its length.

    Raises
    ------
    ValueError
        If a length is negative, a node has no such number, or G is no such graph.

    Notes
    -----
    With a heap, Dijkstra's algorithm takes :math:`O((n + m) \log n)`, and breadth-first search
    :math:`O(n + m)`; here the queue is sorted after each node, so that it can be shown. Of nodes at
    the same distance the first one is taken; a path is replaced only by a shorter one.

    References
    ----------
    E. W. Dijkstra (1959), A note on two problems in connexion with graphs, Numerische Mathematik 1.
    E. F. Moore (1959), The shortest path through a maze, International Symposium on the Theory of
    Switching.

    Examples
    --------
    >>> G = nx.Graph()
    >>> G.add_weighted_edges_from([("a", "c", 9), ("a", "b", 2), ("b", "c", 3)])
    >>> SingleSourcePaths(target=2).fit(G).path_
    [0, 2, 1]
    >>> SingleSourcePaths("breadth-first").fit(G).distances_.tolist()
    [0.0, 1.0, 1.0]
    """

    RANGES: ClassVar[Ranges] = staticmethod(node_ranges)
    APPLIES: ClassVar[Conditions] = {"weighted": ("search", ("dijkstra",))}
    PARAMS: ClassVar[dict[str, Param]] = {
        "search": Choice(("dijkstra", "breadth-first")),
        "origin": Integer(1, 100_000, shown=(1, 10)),
        "target": Integer(1, 100_000, shown=(1, 10)),
        "weighted": Flag(),
    }

    def __init__(
        self, search: str = "dijkstra", *, weighted: bool = True, origin: int = 1, target: int = 2
    ) -> None:
        self.search = search
        self.weighted = weighted
        self.origin = origin
        self.target = target

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Find the shortest paths from the origin in ``G``; ``y`` is ignored."""
        *_, last = self.steps(G)
        self.distances_, self.predecessors_ = last.distances, last.predecessors
        self.order_, self.path_ = list(last.order), list(last.path)
        self.value_ = float(last.distances[self.target - 1])
        return self

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[SingleSourceStep]:
        """Yield the queue after each node that is taken from it, and the paths."""
        check_params(self.PARAMS, self.get_params())
        n = len(check_graph(G))
        check_ends(self.origin, self.target, n)
        by_distance = self.search == "dijkstra"
        lengths = length_matrix(G, weighted=by_distance and self.weighted)
        if (lengths < 0).any():
            raise ValueError(
                "An edge has a negative length, but Dijkstra's algorithm needs lengths of at least"
                " 0. Take Floyd-Warshall, or correct the weight."
            )
        distances, predecessors = np.full(n, np.inf), np.full(n, -1, np.intp)
        settled = np.zeros(n, bool)
        node, order = self.origin - 1, list[int]()
        distances[node] = 0.0
        queue = [node]
        yield SingleSourceStep("start", node, distances.copy(), predecessors.copy(), queue=(node,))
        while queue:
            look()
            node = queue.pop(0)
            order.append(node)
            settled[node] = True
            relaxed = []
            for j in np.flatnonzero(np.isfinite(lengths[node]) & ~settled).tolist():
                through = float(distances[node] + lengths[node, j])
                relaxed.append(Relaxed(j, float(lengths[node, j]), float(distances[j]), through))
                if np.isinf(distances[j]):
                    queue.append(j)
                if through < distances[j]:
                    distances[j], predecessors[j] = through, node
            if by_distance:
                queue.sort(key=lambda j: (distances[j], j))
            state = distances.copy(), predecessors.copy(), tuple(order), tuple(queue)
            yield SingleSourceStep("settle", node, *state, tuple(relaxed))
        path = path_to(predecessors, self.origin - 1, self.target - 1)
        last = SingleSourceStep("done", self.origin - 1, distances, predecessors, tuple(order))
        yield replace(last, path=tuple(path))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags


def path_to(predecessors: Indices, source: int, target: int) -> list[int]:
    """Return the nodes of the path to a node, traced back from it; empty without a path.

    Examples
    --------
    >>> predecessors = np.array([-1, 2, 0, -1])
    >>> path_to(predecessors, 0, 1), path_to(predecessors, 0, 3)
    ([0, 2, 1], [])
    """
    path = [target]
    while predecessors[path[-1]] >= 0:
        look()
        path.append(int(predecessors[path[-1]]))
    return path[::-1] if path[-1] == source else []
