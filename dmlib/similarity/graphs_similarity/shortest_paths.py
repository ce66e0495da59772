"""The algorithm of Floyd and Warshall: the shortest paths between all nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Flag, Integer, Param, Ranges, check_params
from dmlib.similarity.graphs_similarity.graphs import check_graph, length_matrix
from dmlib.similarity.graphs_similarity.ranges import check_ends, node_ranges
from dmlib.trace import look

MAX_STORED = 4_000_000
"""The most numbers of distance matrices in the steps: in large graphs, a step is about several
nodes."""

Shorts = NDArray[np.int32]
Phase = Literal["start", "through", "trace", "done"]


@dataclass(frozen=True)
class ShortestPathsStep:
    """One step of Floyd-Warshall. Nodes are numbered from 0 in the order of the graph.

    Attributes
    ----------
    phase : Phase
        The distances are the lengths of the edges; paths may lead through another node (in a large
        graph: through several); a path is restored node by node; the end.
    k : int
        On "through": the new intermediate node, the last one of several; else -1.
    distances : ndarray of shape (n_nodes, n_nodes)
        The distances so far, infinite where there is no path.
    successors : ndarray of shape (n_nodes, n_nodes)
        The first node after i on the path from i to j; -1 where there is none.
    n_shorter : int
        On "through": the number of pairs with a shorter path than before.
    path : tuple of int
        On "trace" and "done": the nodes of the chosen path so far.
    """

    phase: Phase
    k: int
    distances: Floats
    successors: Shorts
    n_shorter: int = 0
    path: tuple[int, ...] = ()


class ShortestPaths(BaseEstimator):
    r"""Find the shortest paths between all nodes of a graph by the algorithm of Floyd and Warshall.

    At first only the edges are paths. Then one node k after the other becomes an intermediate node,
    for all pairs: :math:`D(i, j) \leftarrow \min\{D(i, j),\ D(i, k) + D(k, j)\}`.

    Parameters
    ----------
    weighted : bool, default=True
        Whether the weights are the lengths of the edges; else each is 1 long.
    origin : int, default=1
        The number of the node at which the restored path begins, from 1.
    target : int, default=2
        The number of the node at which it ends.

    Attributes
    ----------
    distances_ : ndarray of shape (n_nodes, n_nodes)
        The lengths of the shortest paths, infinite where there is none.
    successors_ : ndarray of shape (n_nodes, n_nodes)
        The first node after i on the path to j; -1 where there is none, or i is j.
    path_ : list of int
        The chosen path as numbers of nodes from 0; empty where there is none.
    value_ : float
        Its length.
    wiener_index_ : float
        The sum of the distances of all pairs; infinite where the graph is not connected.

    Raises
    ------
    ValueError
        If there is a cycle of negative length, a node has no such number, or G is no such graph.

    Notes
    -----
    :math:`O(n^3)` time and :math:`O(n^2)` memory. A path is replaced only by one that is shorter by
    more than rounding, so that a cycle of 0.3 - 0.1 - 0.2 has the length 0. Edges without a weight
    are 1 long. Without negative weights, Dijkstra's algorithm from each node takes
    :math:`O(n (m + n \log n))`, and with edges of length 1 a breadth-first search from each takes
    :math:`O(n m)`.

    References
    ----------
    R. W. Floyd (1962), Algorithm 97: Shortest path, Communications of the ACM 5.
    S. Warshall (1962), A theorem on Boolean matrices, Journal of the ACM 9.
    H. Wiener (1947), Structural determination of paraffin boiling points, Journal of the American
    Chemical Society 69.

    Examples
    --------
    >>> G = nx.Graph()
    >>> G.add_weighted_edges_from([("a", "c", 9), ("a", "b", 2), ("b", "c", 3)])
    >>> model = ShortestPaths(target=2).fit(G)
    >>> model.path_, model.value_, model.wiener_index_
    ([0, 2, 1], 5.0, 10.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(node_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "origin": Integer(1, 100_000, shown=(1, 10)),
        "target": Integer(1, 100_000, shown=(1, 10)),
        "weighted": Flag(),
    }

    def __init__(self, *, weighted: bool = True, origin: int = 1, target: int = 2) -> None:
        self.weighted = weighted
        self.origin = origin
        self.target = target

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Find the shortest paths of ``G``; ``y`` is ignored."""
        *_, last = self.steps(G)
        self.distances_, self.successors_ = last.distances, last.successors
        self.path_ = list(last.path)
        self.value_ = float(last.distances[self.origin - 1, self.target - 1])
        self.wiener_index_ = _half_sum(last.distances, directed=G.is_directed())
        return self

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[ShortestPathsStep]:
        """Yield the distances after each intermediate node, and the path from its start."""
        check_params(self.PARAMS, self.get_params())
        n = len(check_graph(G))
        check_ends(self.origin, self.target, n)
        distances = length_matrix(G, weighted=self.weighted)
        successors = _first_successors(distances)
        # Rounding grows with the sum of the absolute lengths of the edges of each path.
        sizes = np.abs(distances)
        rounding = 2 * n * np.finfo(float).eps
        last = ShortestPathsStep("start", -1, distances.copy(), successors.copy())
        yield last
        stride = -(-(n**3) // MAX_STORED)
        n_shorter = 0
        for k in range(n):
            look()
            through = distances[:, k, None] + distances[k]
            sizes_through = sizes[:, k, None] + sizes[k]
            shorter = through + rounding * sizes_through < distances
            if shorter.any():
                np.copyto(distances, through, where=shorter)
                np.copyto(sizes, sizes_through, where=shorter)
                np.copyto(successors, successors[:, k, None].copy(), where=shorter)
                n_shorter += int(np.count_nonzero(shorter))
                _check_cycles(G, distances)
            if (k + 1) % stride == 0 or k == n - 1:
                matrices = distances.copy(), successors.copy()
                last = ShortestPathsStep("through", k, *matrices, n_shorter)
                yield last
                n_shorter = 0
        path = restore(successors, self.origin - 1, self.target - 1)
        for i in range(len(path)):
            yield replace(last, phase="trace", k=-1, n_shorter=0, path=tuple(path[: i + 1]))
        yield replace(last, phase="done", k=-1, n_shorter=0, path=tuple(path))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags


def _check_cycles(G: nx.Graph, distances: Floats) -> None:
    lengths = np.diag(distances)
    if (lengths < 0).any():
        name = list(G)[int(lengths.argmin())]
        raise ValueError(
            f"A cycle through {name} has a negative length, so no path is the shortest."
            " Correct a weight on it."
        )


def restore(successors: NDArray[Any], source: int, target: int) -> list[int]:
    """Return the nodes of a shortest path; none where there is no path.

    Examples
    --------
    >>> restore(np.array([[-1, 1, 1], [0, -1, 2], [1, 1, -1]]), 0, 2)
    [0, 1, 2]
    """
    if source != target and successors[source, target] < 0:
        return []
    path = [source]
    while path[-1] != target:
        look()
        path.append(int(successors[path[-1], target]))
    return path


def floyd_warshall(G: nx.Graph, *, weighted: bool = True) -> tuple[Floats, Shorts]:
    """Return the distances of all nodes and the successors on the paths.

    Parameters
    ----------
    G : networkx.Graph
        Lengths in the edge attribute ``weight``; an edge without one is 1 long.
    weighted : bool
        Whether the weights are the lengths of the edges.

    Returns
    -------
    distances, successors : ndarray of shape (n_nodes, n_nodes)
        As in :class:`ShortestPaths`.

    Examples
    --------
    >>> floyd_warshall(nx.path_graph(3))[0].tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
    """
    model = ShortestPaths(weighted=weighted, target=1).fit(G)
    return model.distances_, model.successors_


def wiener_index(G: nx.Graph, *, weighted: bool = True) -> float:
    """Return the sum of the distances of all pairs of nodes; infinite if one has no path.

    Parameters
    ----------
    G, weighted
        As in :func:`floyd_warshall`.

    Returns
    -------
    float
        Of a directed graph the sum over ordered pairs.

    Examples
    --------
    >>> wiener_index(nx.path_graph(4))
    10.0
    """
    return _half_sum(floyd_warshall(G, weighted=weighted)[0], directed=G.is_directed())


def _half_sum(distances: Floats, *, directed: bool) -> float:
    return float(distances.sum()) / (1 if directed else 2)


def _first_successors(lengths: Floats) -> Shorts:
    successors = np.where(np.isfinite(lengths), np.arange(len(lengths)), -1).astype(np.int32)
    np.fill_diagonal(successors, -1)
    return successors
