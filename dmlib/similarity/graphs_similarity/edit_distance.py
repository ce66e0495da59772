"""The edit distance of two graphs by A*: which node becomes which, at the lowest cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from typing import Any, ClassVar, Self

import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator

from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.similarity.graphs_similarity.graphs import (
    adjacency,
    node_labels,
    two_graphs,
    without_loops,
)
from dmlib.similarity.graphs_similarity.isomorphism import is_isomorphic
from dmlib.trace import look

MOST_NODES = 60
MOST_EXPANDED = 1_000
DELETED = -1
_Entry = tuple[float, int, int, tuple[int, ...], float]


@dataclass(frozen=True)
class EditStep:
    """One step of A*. Nodes are numbered from 0 within each graph.

    Attributes
    ----------
    phase : {"expand", "done"}
        The best mapping in the queue is extended by a node, or it is whole.
    mapping : tuple of int
        For each of the first nodes of the first graph the node of the second that it becomes; -1:
        it is deleted.
    cost : float
        The cost of the edits so far.
    bound : float
        What the rest costs at least.
    n_queued : int
        How many mappings wait.
    children : tuple of (int, float, float)
        On "expand": what the next node may become, with the cost so far and the bound of each.
    exact : bool
        On "done": whether no mapping that was dropped from the queue could be cheaper.
    """

    phase: str
    mapping: tuple[int, ...]
    cost: float
    bound: float
    n_queued: int
    children: tuple[tuple[int, float, float], ...] = ()
    exact: bool = False


class GraphEditDistance(BaseEstimator):
    r"""Find the cheapest edits that turn one graph into the other, by A*.

    Node after node of the first graph is mapped to a node of the second, or deleted. The mapping
    with the smallest
    :math:`f = g + h` is extended first: g is what its edits cost, h a bound of what the rest costs at least.

    Parameters
    ----------
    node_cost : float, default=1.0
        The cost of a node that is inserted, deleted, or gets another label.
    edge_cost : float, default=1.0
        The cost of an edge that is inserted or deleted.
    beam : int, default=200
        How many mappings the queue keeps, those of the smallest f. If one is dropped that could
        have been cheaper, the distance is an upper bound.
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
        How many mappings were extended.

    Raises
    ------
    ValueError
        If a graph has more than 60 nodes, or only one of them is directed.

    Notes
    -----
    The two graphs are those of :class:`GraphKernel`; weights and loops do not count. Exponential
    time in the worst case. The bound h compares the labels of the nodes that are left and the
    numbers of edges that are left; it never exceeds the cost of the rest, so the first whole
    mapping is the best. Of equal f, the longer mapping comes first. After 1,000 mappings only the
    longest is extended. The distance is 0, with positive costs, exactly where the graphs are
    isomorphic.

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
        one, other = map(without_loops, two_graphs(G))
        self.isomorphic_ = is_isomorphic(one, other, labels=self.labels)
        return self

    def steps(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Iterator[EditStep]:
        """Yield the mappings as they are extended, and the best one."""
        check_params(self.PARAMS, self.get_params())
        one, other = map(without_loops, two_graphs(G))
        if max(len(one), len(other)) > MOST_NODES:
            raise ValueError(
                f"Graphs of {len(one)} and {len(other)} nodes have too many mappings; at most"
                f" {MOST_NODES} each can be compared. Take smaller graphs, or a graph kernel."
            )
        if one.is_directed() != other.is_directed():
            raise ValueError("One graph is directed, the other is not. Take two of a kind.")
        search = _Search(one, other, self)
        queue: list[_Entry] = [(search.first_bound(), 0, 0, (), 0.0)]
        dropped, n_made, n_expanded = np.inf, 0, 0
        while True:
            look()
            f, _, _, mapping, cost = heappop(queue)
            if len(mapping) == search.n:
                yield EditStep("done", mapping, f, 0.0, len(queue), (), bool(f <= dropped + 1e-9))
                return
            children = search.children(mapping, cost)
            for target, g, h in children:
                n_made += 1
                heappush(queue, (g + h, -len(mapping) - 1, n_made, (*mapping, target), g))
            n_expanded += 1
            beam = self.beam if n_expanded < MOST_EXPANDED else 1
            if len(queue) > beam:
                deepest = (lambda entry: (entry[1], entry[0])) if beam == 1 else None
                kept = nsmallest(beam, queue, key=deepest)
                numbers = {entry[2] for entry in kept}
                dropped = min(dropped, *(entry[0] for entry in queue if entry[2] not in numbers))
                queue = sorted(kept)
            yield EditStep("expand", mapping, cost, f - cost, len(queue), tuple(children))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes graphs
        return tags


def graph_edit_distance(
    one: nx.Graph,
    other: nx.Graph,
    *,
    node_cost: float = 1.0,
    edge_cost: float = 1.0,
    labels: str = "equal",
) -> float:
    """Return the edit distance of two small graphs.

    Parameters
    ----------
    one, other : networkx.Graph
        The graphs, of at most 60 nodes each.
    node_cost, edge_cost, labels
        As in :class:`GraphEditDistance`.

    Returns
    -------
    float
        The cost of the cheapest edits; of larger graphs that of those that were found.

    Examples
    --------
    >>> graph_edit_distance(nx.path_graph(4), nx.star_graph(3))
    2.0
    """
    model = GraphEditDistance(node_cost=node_cost, edge_cost=edge_cost, beam=500, labels=labels)
    model.fit([one, other])
    return float(model.value_)


class _Search:
    """The costs and the bounds of a pair of graphs."""

    def __init__(self, one: nx.Graph, other: nx.Graph, model: GraphEditDistance) -> None:
        self.A, self.B = adjacency(one), adjacency(other)
        self.n, self.m = len(one), len(other)
        first = [node_labels(G, model.labels) for G in (one, other)]
        numbers = {label: k for k, label in enumerate(dict.fromkeys([*first[0], *first[1]]))}
        self.a, self.b = (np.array([numbers[label] for label in own], np.intp) for own in first)
        self.n_labels = len(numbers)
        self.node, self.edge = model.node_cost, model.edge_cost
        self.sides = 2 if one.is_directed() else 1
        self.all = [int(X.sum()) * self.sides // 2 for X in (self.A, self.B)]

    def first_bound(self) -> float:
        """Return what all costs at least."""
        one, other = (np.bincount(own, minlength=self.n_labels) for own in (self.a, self.b))
        nodes = max(self.n, self.m) - int(np.minimum(one, other).sum())
        return float(self.node * nodes + self.edge * abs(self.all[0] - self.all[1]))

    def children(self, mapping: Sequence[int], cost: float) -> list[tuple[int, float, float]]:
        """Return what the next node may become, with the cost so far and the bound of the rest."""
        i = len(mapping)
        places = np.array(mapping, np.intp)
        mapped = places != DELETED
        used = places[mapped]
        free = np.ones(self.m + 1, bool)
        free[used] = False
        free[-1] = True  # deleted
        wrong, own, its = np.zeros(self.m), 0, np.zeros(self.m)
        for A, B in ((self.A, self.B), (self.A.T, self.B.T))[: self.sides]:
            mine = A[:i, i]
            own += int(mine.sum())
            wrong += mine[~mapped].sum() + (mine[mapped, None] != B[used]).sum(axis=0)
            its += B[used].sum(axis=0)
        changed = self.a[i] != self.b
        g = cost + np.append(self.node * changed + self.edge * wrong, self.node + self.edge * own)
        # what is left: nodes by their labels, and the numbers of edges that are not inside what is
        # mapped
        one = np.bincount(self.a[i + 1 :], minlength=self.n_labels)
        other = np.bincount(self.b[free[:-1]], minlength=self.n_labels)
        common = int(np.minimum(one, other).sum())
        fewer = (other[self.b] <= one[self.b]).astype(int)
        left = int(free[:-1].sum())
        nodes = np.append(
            np.maximum(self.n - i - 1, left - 1) - common + fewer,
            max(self.n - i - 1, left) - common,
        )
        here = np.arange(i + 1)
        rest = self.all[0] - int(self.A[np.ix_(here, here)].sum()) * self.sides // 2
        inside = int(self.B[np.ix_(used, used)].sum()) * self.sides // 2
        h = self.node * nodes + self.edge * np.abs(
            rest - (self.all[1] - inside - np.append(its, 0))
        )
        return [
            (j if j < self.m else DELETED, float(g[j]), float(h[j]))
            for j in np.flatnonzero(free).tolist()
        ]
