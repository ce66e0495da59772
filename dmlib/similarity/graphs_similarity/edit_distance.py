"""The edit distance of two graphs by A*: which node becomes which, at the lowest cost."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, ClassVar, Self

import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator

from dmlib.params import Choice, Number, Param, check_params
from dmlib.similarity.graphs_similarity.graphs import adjacency, node_labels, two_graphs
from dmlib.trace import look

MOST_NODES = 12
MOST_EXPANDED = 3_000
DELETED = -1


@dataclass(frozen=True)
class EditStep:
    """One step of A*. Nodes are numbered from 0 within each graph.

    Attributes
    ----------
    phase : {"expand", "done"}
        The best mapping in the queue is extended by a node, or it is whole.
    mapping : tuple of int
        For each of the first nodes of the first graph the node of the second that it becomes; -1: it is deleted.
    cost : float
        The cost of the edits so far.
    bound : float
        What the rest costs at least.
    n_queued : int
        How many mappings wait.
    children : tuple of (int, float, float)
        On "expand": what the next node may become, with the cost so far and the bound of each.
    """

    phase: str
    mapping: tuple[int, ...]
    cost: float
    bound: float
    n_queued: int
    children: tuple[tuple[int, float, float], ...] = ()


class GraphEditDistance(BaseEstimator):
    r"""Find the cheapest edits that turn one graph into the other, by A*.

    Node after node of the first graph is mapped to a node of the second, or deleted. The mapping with the smallest
    :math:`f = g + h` is extended first: g is what its edits cost, h a bound of what the rest costs at least.

    Parameters
    ----------
    node_cost : float, default=1.0
        The cost of a node that is inserted, deleted, or gets another label.
    edge_cost : float, default=1.0
        The cost of an edge that is inserted or deleted.
    labels : {"equal", "class"}, default="equal"
        The labels of the nodes: all equal, or their classes.

    Attributes
    ----------
    value_ : float
        The edit distance.
    mapping_ : list of int
        For each node of the first graph the node of the second that it becomes; -1: it is deleted.
    isomorphic_ : bool
        Whether the graphs are isomorphic, labels included.
    n_expanded_ : int
        How many mappings were extended.

    Raises
    ------
    ValueError
        If a graph has more than 12 nodes, or the search takes too many steps.

    Notes
    -----
    The two graphs are those of :class:`GraphKernel`; weights and loops do not count. Exponential time in the worst
    case. The bound h compares the labels of the nodes that are left and the numbers of edges that are left; it never
    exceeds the cost of the rest, so the first whole mapping is the best. Of equal f, the longer mapping comes first.
    The distance is 0, with positive costs, exactly where the graphs are isomorphic.

    References
    ----------
    P. E. Hart, N. J. Nilsson and B. Raphael (1968), A formal basis for the heuristic determination of minimum cost
    paths, IEEE Transactions on Systems Science and Cybernetics 4.
    K. Riesen, S. Fankhauser and H. Bunke (2007), Speeding up graph edit distance computation with a bipartite
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
        "labels": Choice(("equal", "class")),
    }

    def __init__(self, *, node_cost: float = 1.0, edge_cost: float = 1.0, labels: str = "equal") -> None:
        self.node_cost = node_cost
        self.edge_cost = edge_cost
        self.labels = labels

    def fit(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Self:
        """Compare the two graphs in ``G``, or a pair of graphs; ``y`` is ignored."""
        steps = list(self.steps(G))
        last = steps[-1]
        self.value_, self.mapping_, self.n_expanded_ = last.cost, list(last.mapping), len(steps) - 1
        one, other = two_graphs(G)
        self.isomorphic_ = _isomorphic(one, other, self.labels)
        return self

    def steps(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Iterator[EditStep]:
        """Yield the mappings as they are extended, and the best one."""
        check_params(self.PARAMS, self.get_params())
        one, other = two_graphs(G)
        if max(len(one), len(other)) > MOST_NODES:
            raise ValueError(
                f"Graphs of {len(one)} and {len(other)} nodes have too many mappings; at most {MOST_NODES} each can be "
                "compared. Take smaller graphs, or a graph kernel."
            )
        if one.is_directed() != other.is_directed():
            raise ValueError("One graph is directed, the other is not. Take two of a kind.")
        search = _Search(one, other, self)
        queue: list[tuple[float, int, int, tuple[int, ...], float]] = [(search.bound(()), 0, 0, (), 0.0)]
        n_made = 0
        for _ in range(MOST_EXPANDED):
            look()
            f, _, _, mapping, cost = heappop(queue)
            if len(mapping) == search.n:
                yield EditStep("done", mapping, cost + search.rest(mapping), 0.0, len(queue))
                return
            children = []
            for target in [*(j for j in range(search.m) if j not in mapping), DELETED]:
                n_made += 1
                longer = (*mapping, target)
                g, h = cost + search.added(mapping, target), search.bound(longer)
                children.append((target, g, h))
                heappush(queue, (g + h, -len(longer), n_made, longer, g))
            yield EditStep("expand", mapping, cost, f - cost, len(queue), tuple(children))
        raise ValueError(
            f"The search has not ended after {MOST_EXPANDED:,} mappings. Take smaller graphs, or a graph kernel."
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes graphs
        return tags


def graph_edit_distance(
    one: nx.Graph, other: nx.Graph, *, node_cost: float = 1.0, edge_cost: float = 1.0, labels: str = "equal"
) -> float:
    """Return the edit distance of two small graphs.

    Parameters
    ----------
    one, other : networkx.Graph
        The graphs, of at most 12 nodes each.
    node_cost, edge_cost, labels
        As in :class:`GraphEditDistance`.

    Returns
    -------
    float
        The cost of the cheapest edits.

    Examples
    --------
    >>> graph_edit_distance(nx.path_graph(4), nx.star_graph(3))
    2.0
    """
    model = GraphEditDistance(node_cost=node_cost, edge_cost=edge_cost, labels=labels).fit([one, other])
    return float(model.value_)


def is_isomorphic(one: nx.Graph, other: nx.Graph, *, labels: str = "equal") -> bool:
    """Return whether one graph is the other with other names of its nodes.

    Parameters
    ----------
    one, other : networkx.Graph
        The graphs, of at most 12 nodes each.
    labels : {"equal", "class"}
        As in :class:`GraphEditDistance`.

    Returns
    -------
    bool
        Whether their edit distance is 0.

    Examples
    --------
    >>> is_isomorphic(nx.path_graph(3), nx.star_graph(2)), is_isomorphic(nx.path_graph(4), nx.star_graph(3))
    (True, False)
    """
    return _isomorphic(one, other, labels) if one.is_directed() == other.is_directed() else False


def _isomorphic(one: nx.Graph, other: nx.Graph, labels: str) -> bool:
    """Search with costs of 1 for a mapping without edits; one that needs any is left."""
    if len(one) != len(other):
        return False
    search = _Search(one, other, GraphEditDistance(labels=labels))
    stack: list[tuple[int, ...]] = [()]
    while stack:
        look()
        mapping = stack.pop()
        if len(mapping) == search.n:
            return True
        free = (j for j in range(search.m) if j not in mapping)
        longer = [(*mapping, j) for j in free if search.added(mapping, j) == 0]
        stack += [each for each in longer if search.bound(each) == 0]
    return False


class _Search:
    """The costs and the bound of a pair of graphs."""

    def __init__(self, one: nx.Graph, other: nx.Graph, model: GraphEditDistance) -> None:
        self.A, self.B = adjacency(one), adjacency(other)
        self.n, self.m = len(one), len(other)
        self.a, self.b = node_labels(one, model.labels), node_labels(other, model.labels)
        self.node, self.edge = model.node_cost, model.edge_cost
        self.directed = one.is_directed()

    def added(self, mapping: Sequence[int], target: int) -> float:
        """Return what it costs to map the next node, with its edges to those that are mapped."""
        i = len(mapping)
        nodes = self.node if target == DELETED or self.a[i] != self.b[target] else 0.0
        edges = 0
        for k, to in enumerate(mapping):
            for A, B in ((self.A, self.B), (self.A.T, self.B.T))[: 1 + self.directed]:
                there = bool(B[to, target]) if to != DELETED and target != DELETED else False
                edges += bool(A[k, i]) != there
        return float(nodes + self.edge * edges)

    def rest(self, mapping: Sequence[int]) -> float:
        """Return what the nodes and edges cost that must be inserted when all nodes are mapped."""
        used = [j for j in mapping if j != DELETED]
        inside = self._edges(self.B, used)
        return float(self.node * (self.m - len(used)) + self.edge * (self._edges(self.B, range(self.m)) - inside))

    def bound(self, mapping: Sequence[int]) -> float:
        """Return what the rest costs at least: by the labels that are left, and by the numbers of edges."""
        i = len(mapping)
        used = [j for j in mapping if j != DELETED]
        if i == self.n:
            return self.rest(mapping)
        left = [self.b[j] for j in range(self.m) if j not in used]
        common = _common(self.a[i:], left)
        nodes = max(self.n - i, len(left)) - common
        mine = self._edges(self.A, range(self.n)) - self._edges(self.A, range(i))
        its = self._edges(self.B, range(self.m)) - self._edges(self.B, used)
        return float(self.node * nodes + self.edge * abs(mine - its))

    def _edges(self, A: Any, nodes: Sequence[int] | range) -> int:
        some = np.array(list(nodes), np.intp)
        return int(A[np.ix_(some, some)].sum()) // (1 if self.directed else 2)


def _common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    return sum(min(one.count(label), other.count(label)) for label in set(one))
