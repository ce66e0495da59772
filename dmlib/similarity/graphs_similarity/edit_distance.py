"""The edit distance of two graphs by A*: the cheapest mapping of their nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.similarity.graphs_similarity.graphs import (
    adjacency,
    node_labels,
    two_graphs,
    without_loops,
)
from dmlib.similarity.graphs_similarity.isomorphism import is_isomorphic
from dmlib.trace import look

MAX_NODES = 60
MAX_EXPANDED = 1_000  # mappings; from there on only the longest is extended
DELETED = -1
ROUNDING = 1e-9
Phase = Literal["expand", "done"]
_Entry = tuple[float, int, int, tuple[int, ...], float]  # f, -length, number, mapping, g


@dataclass(frozen=True)
class EditStep:
    """One step of A*. Nodes are numbered from 0 within each graph.

    Attributes
    ----------
    phase : Phase
        The best mapping in the queue is extended by a node; it is complete.
    mapping : tuple of int
        For each of the first nodes of the first graph the node of the second that it becomes; -1:
        it is deleted.
    cost : float
        The cost of the edits so far.
    bound : float
        A lower bound of the cost of the remaining edits.
    n_queued : int
        The number of mappings in the queue.
    children : tuple of (int, float, float)
        On "expand": the candidates of the next node, with the cost so far and the bound of each.
    exact : bool
        On "done": whether no mapping that was dropped from the queue could be cheaper.
    """

    phase: Phase
    mapping: tuple[int, ...]
    cost: float
    bound: float
    n_queued: int
    children: tuple[tuple[int, float, float], ...] = ()
    exact: bool = False


class GraphEditDistance(BaseEstimator):
    r"""Find the cheapest edits that turn one graph into the other, by A*.

    Node after node of the first graph is mapped to a node of the second, or deleted. The mapping
    with the smallest :math:`f = g + h` is extended first: g is the cost of its edits, h a lower
    bound of the cost of the remaining ones.

    Parameters
    ----------
    node_cost : float, default=1.0
        The cost of inserting, deleting or relabelling a node.
    edge_cost : float, default=1.0
        The cost of inserting or deleting an edge.
    beam : int, default=200
        The maximum length of the queue; mappings with the smallest f stay. If one is dropped that
        could have been cheaper, the distance is an upper bound.
    labels : {"equal", "class"}, default="equal"
        The labels of the nodes: all equal, or their classes.

    Attributes
    ----------
    value_ : float
        The edit distance.
    mapping_ : list of int
        For each node of the first graph the node of the second that it becomes; -1: it is deleted.
    isomorphic_ : bool
        Whether the graphs are isomorphic, labels included and loops left out.
    exact_ : bool
        Whether the value is the edit distance, not only an upper bound.
    n_expanded_ : int
        The number of extended mappings.

    Raises
    ------
    ValueError
        If a graph has more than 60 nodes, or only one of them is directed.

    Notes
    -----
    The two graphs are those of :class:`GraphKernel`; weights and loops are ignored. Exponential
    time in the worst case. The bound h compares the labels and the numbers of edges of the
    remaining nodes; it never exceeds their cost, so the first complete mapping is the best. Of
    equal f, the longer mapping comes first. After 1,000 mappings only the longest is extended. The
    distance is 0, with positive costs, exactly where the graphs are isomorphic.

    References
    ----------
    P. E. Hart, N. J. Nilsson and B. Raphael (1968), A formal basis for the heuristic determination
    of minimum cost paths, IEEE Transactions on Systems Science and Cybernetics 4. K. Riesen, S.
    Fankhauser and H. Bunke (2007), Speeding up graph edit distance computation with a bipartite
    heuristic, MLG.

    Examples
    --------
    >>> model = GraphEditDistance().fit([nx.path_graph(3), nx.cycle_graph(3)])
    >>> model.value_, model.mapping_, model.isomorphic_
    (1.0, [0, 1, 2], False)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "node_cost": Number(0.0, 100.0, shown=(0.0, 4.0), step=0.5),
        "edge_cost": Number(0.0, 100.0, shown=(0.0, 4.0), step=0.5),
        "beam": Integer(1, 500, shown=(1, 200)),
        "labels": Choice(("equal", "class")),
    }

    def __init__(
        self,
        *,
        node_cost: float = 1.0,
        edge_cost: float = 1.0,
        beam: int = 200,
        labels: str = "equal",
    ) -> None:
        self.node_cost = node_cost
        self.edge_cost = edge_cost
        self.beam = beam
        self.labels = labels

    def fit(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Self:
        """Compare the two graphs in ``G``, or a pair of graphs; ``y`` is ignored."""
        steps = list(self.steps(G))
        last = steps[-1]
        self.value_, self.mapping_, self.exact_ = last.cost, list(last.mapping), last.exact
        self.n_expanded_ = len(steps) - 1
        G1, G2 = map(without_loops, two_graphs(G))
        self.isomorphic_ = is_isomorphic(G1, G2, labels=self.labels)
        return self

    def steps(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Iterator[EditStep]:
        """Yield the mappings as they are extended, and the best one."""
        check_params(self.PARAMS, self.get_params())
        G1, G2 = map(without_loops, two_graphs(G))
        if max(len(G1), len(G2)) > MAX_NODES:
            raise ValueError(
                f"Graphs of {len(G1)} and {len(G2)} nodes have too many mappings; at most"
                f" {MAX_NODES} each can be compared. Take smaller graphs, or a graph kernel."
            )
        if G1.is_directed() != G2.is_directed():
            raise ValueError("One graph is directed, the other is not. Take two of a kind.")
        search = _Search(G1, G2, self)
        queue: list[_Entry] = [(search.first_bound(), 0, 0, (), 0.0)]
        smallest_dropped, n_created, n_expanded = np.inf, 0, 0
        while True:
            look()
            f, _, _, mapping, cost = heappop(queue)
            if len(mapping) == search.n:
                exact = bool(f <= smallest_dropped + ROUNDING)
                yield EditStep("done", mapping, f, 0.0, len(queue), (), exact)
                return
            children = search.children(mapping, cost)
            for target, g, h in children:
                n_created += 1
                heappush(queue, (g + h, -len(mapping) - 1, n_created, (*mapping, target), g))
            n_expanded += 1
            beam = self.beam if n_expanded < MAX_EXPANDED else 1
            if len(queue) > beam:
                longest_first = (lambda entry: (entry[1], entry[0])) if beam == 1 else None
                best = nsmallest(beam, queue, key=longest_first)
                numbers = {entry[2] for entry in best}
                dropped = [entry[0] for entry in queue if entry[2] not in numbers]
                smallest_dropped = min(smallest_dropped, *dropped)
                queue = sorted(best)
            yield EditStep("expand", mapping, cost, f - cost, len(queue), tuple(children))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes graphs
        return tags


def graph_edit_distance(
    G1: nx.Graph,
    G2: nx.Graph,
    *,
    node_cost: float = 1.0,
    edge_cost: float = 1.0,
    labels: str = "equal",
) -> float:
    """Return the edit distance of two small graphs.

    Parameters
    ----------
    G1, G2 : networkx.Graph
        The graphs, of at most 60 nodes each.
    node_cost, edge_cost, labels
        As in :class:`GraphEditDistance`.

    Returns
    -------
    float
        The cost of the cheapest edits; of larger graphs an upper bound.

    Examples
    --------
    >>> graph_edit_distance(nx.path_graph(4), nx.star_graph(3))
    2.0
    """
    model = GraphEditDistance(node_cost=node_cost, edge_cost=edge_cost, beam=500, labels=labels)
    model.fit([G1, G2])
    return float(model.value_)


class _Search:
    """The costs and the bounds of a pair of graphs."""

    def __init__(self, G1: nx.Graph, G2: nx.Graph, model: GraphEditDistance) -> None:
        self.A, self.B = adjacency(G1), adjacency(G2)
        self.n, self.m = len(G1), len(G2)
        labels = [*node_labels(G1, model.labels), *node_labels(G2, model.labels)]
        codes = np.unique(labels, return_inverse=True)[1]
        self.a, self.b = codes[: self.n], codes[self.n :]
        self.n_labels = int(codes.max()) + 1
        self.node, self.edge = model.node_cost, model.edge_cost
        self.sides = 2 if G1.is_directed() else 1
        self.n_edges = self._count_edges(self.A), self._count_edges(self.B)

    def _count_edges(self, A: NDArray[np.bool_]) -> int:
        return int(A.sum()) * self.sides // 2

    def _label_counts(self, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.bincount(codes, minlength=self.n_labels)

    def first_bound(self) -> float:
        """Return a lower bound of the distance."""
        common = np.minimum(self._label_counts(self.a), self._label_counts(self.b)).sum()
        n_edits = max(self.n, self.m) - int(common)
        return float(self.node * n_edits + self.edge * abs(self.n_edges[0] - self.n_edges[1]))

    def children(self, mapping: Sequence[int], cost: float) -> list[tuple[int, float, float]]:
        """Return the candidates of the next node, with the cost so far and the remaining bound."""
        targets = np.array(mapping, np.intp)
        used = targets[targets != DELETED]
        is_free = np.ones(self.m + 1, bool)
        is_free[used] = False
        is_free[-1] = True  # deleted
        g = cost + self._costs(targets)
        h = self._bounds(len(mapping), used, is_free[:-1])
        return [
            (j if j < self.m else DELETED, float(g[j]), float(h[j]))
            for j in np.flatnonzero(is_free).tolist()
        ]

    def _costs(self, targets: NDArray[np.intp]) -> Floats:
        """Return the cost of each target of the next node, the last one of its deletion."""
        i, mapped = len(targets), targets != DELETED
        n_edges, n_wrong = 0, np.zeros(self.m)
        for A, B in ((self.A, self.B), (self.A.T, self.B.T))[: self.sides]:
            edges = A[:i, i]
            n_edges += int(edges.sum())
            n_wrong += edges[~mapped].sum()
            n_wrong += (edges[mapped, None] != B[targets[mapped]]).sum(axis=0)
        costs = self.node * (self.a[i] != self.b) + self.edge * n_wrong
        return np.append(costs, self.node + self.edge * n_edges)

    def _bounds(self, i: int, used: NDArray[np.intp], is_free: NDArray[np.bool_]) -> Floats:
        """Return lower bounds after node i, by the remaining labels and the numbers of edges."""
        first = self._label_counts(self.a[i + 1 :])
        second = self._label_counts(self.b[is_free])
        n_common, n_free = int(np.minimum(first, second).sum()), int(is_free.sum())
        # A target whose label is not more frequent than in the first graph is lost for a match.
        n_lost = (second[self.b] <= first[self.b]).astype(int)
        nodes = np.append(
            np.maximum(self.n - i - 1, n_free - 1) - n_common + n_lost,
            max(self.n - i - 1, n_free) - n_common,
        )
        to_used = sum(B[used].sum(axis=0) for B in (self.B, self.B.T)[: self.sides])
        n_first = self.n_edges[0] - self._count_edges(self.A[: i + 1, : i + 1])
        n_second = self.n_edges[1] - self._count_edges(self.B[np.ix_(used, used)])
        edges = np.abs(n_first - (n_second - np.append(to_used, 0)))
        return np.asarray(self.node * nodes + self.edge * edges)
