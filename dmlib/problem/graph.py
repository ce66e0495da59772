"""A graph made ready for an algorithm, and where its nodes are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.problem.columns import LARGEST, codes_of
from dmlib.problem.layout import layout
from dmlib.problem.target import held_out

if TYPE_CHECKING:
    import networkx as nx

MAX_NODES = 500
"""The largest graph that is laid out and drawn."""

MAX_EDGES = 20_000
"""The most edges that such a graph may have."""

BESIDE = 1.6  # of the width of a graph: how far from its left edge the next one is drawn


@dataclass(frozen=True, eq=False)
class GraphProblem:
    """A graph made ready for an algorithm.

    Attributes
    ----------
    graph : networkx.Graph
        The nodes and edges; treat it as read-only.
    positions : ndarray of shape (n_nodes, 2)
        Where the nodes are drawn, in the order of the graph.
    names : tuple of str
        What the nodes are called.
    y : ndarray of shape (n_nodes,) or None
        Class codes of the nodes, where there are any; -1 for a class that is not known.
    classes : tuple of str
        Names of the codes.
    notes : tuple of str
        What was done to the data, one sentence each.
    target : str
        The node attribute that holds the classes; empty for none.
    labelled : bool
        Whether an algorithm is given the classes too.
    test : ndarray of shape (n_nodes,) or None
        Whether the class of each node is held out for the test; None for none.
    """

    graph: nx.Graph
    positions: NDArray[np.float64]
    names: tuple[str, ...]
    y: NDArray[np.intp] | None = None
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    target: str = ""
    labelled: bool = False
    test: NDArray[np.bool_] | None = None

    @property
    def training(self) -> Self:
        """The whole graph, in which the classes that are held out are not known."""
        return self._with_classes_of(None if self.test is None else ~self.test) or self

    @property
    def testing(self) -> Self | None:
        """The whole graph with only the classes that are held out; None where there are none."""
        return self._with_classes_of(self.test)

    def _with_classes_of(self, mask: NDArray[np.bool_] | None) -> Self | None:
        if mask is None or self.y is None:
            return None
        return replace(self, y=np.where(mask, self.y, -1), test=None)

    @property
    def data(self) -> nx.Graph:
        """The graph, as an algorithm gets it."""
        return self.graph

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of ``fit`` and ``steps``: the graph and, if labelled, the classes."""
        return (self.graph, self.y) if self.labelled else (self.graph,)

    @property
    def rows(self) -> NDArray[np.intp]:
        """Number of each node in the data."""
        return np.arange(len(self.names))

    @property
    def points(self) -> NDArray[np.float64]:
        """The positions, under the name that those of a table have."""
        return self.positions

    @property
    def directed(self) -> bool:
        """Whether the edges have a direction."""
        return bool(self.graph.is_directed())

    @cached_property
    def edges(self) -> NDArray[np.intp]:
        """The edges as pairs of node numbers, shape (n_edges, 2)."""
        number = {node: i for i, node in enumerate(self.graph)}
        return np.array([(number[u], number[v]) for u, v in self.graph.edges], np.intp).reshape(
            -1, 2
        )

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each edge, 1 where it has none."""
        return np.array(
            [weight for *_, weight in self.graph.edges(data="weight", default=1.0)], float
        )

    @cached_property
    def orders(self) -> NDArray[np.intp]:
        """The order of each edge that is a bond, 2 of a double and 3 of a triple one; else 1."""
        orders = [str(order) for *_, order in self.graph.edges(data="order", default=1)]
        return np.array([int(order) if order in ("2", "3") else 1 for order in orders], np.intp)

    @property
    def weighted(self) -> bool:
        """Whether the edges differ in weight."""
        return len(np.unique(self.weights)) > 1

    @property
    def labels(self) -> list[str]:
        """The tooltip of each node."""
        degrees = [degree for _, degree in self.graph.degree]
        labels = [
            f"{name} · {n} neighbour{'s' * (n != 1)}"
            for name, n in zip(self.names, degrees, strict=True)
        ]
        if self.y is None:
            return labels
        classes = [self.classes[code] if code >= 0 else "class unknown" for code in self.y]
        return [f"{label} · {name}" for label, name in zip(labels, classes, strict=True)]


def prepare_graph(
    graph: nx.Graph,
    *,
    target: str | None = None,
    labelled: bool = False,
    known_share: float = 1.0,
    graphs: Sequence[str] | None = None,
    random_state: int = 0,
) -> GraphProblem:
    """Lay a graph out and read the classes of its nodes.

    Parameters
    ----------
    graph : networkx.Graph
        Weights, where there are any, in the edge attribute ``weight``; positions in the node
        attribute ``pos``.
    target : str, optional
        The node attribute that holds the known classes.
    labelled : bool
        Whether the classes are given to the algorithm. Of a graph without classes these are its
        communities, by greedy modularity.
    known_share : float
        The share of the classes that is given; at least one node of each class is. The others are
        held out.
    graphs : sequence of str, optional
        Of a graph that holds many, which are taken: values of the node attribute ``graph``. They
        are drawn side by side.
    random_state : int
        Seed of the layout, where the nodes have no positions, and of the choice of nodes whose
        class is known.

    Returns
    -------
    GraphProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If the graph is empty, too large to draw, has parallel edges or a weight that is no usable
        number; if it does not hold the graphs that are taken, or they are the same; labelled, if
        its nodes are of one class.

    Examples
    --------
    >>> import networkx as nx
    >>> problem = prepare_graph(nx.path_graph(3))
    >>> problem.edges.tolist(), problem.weights.tolist(), problem.directed
    ([[0, 1], [1, 2]], [1.0, 1.0], False)
    """
    taken = None
    if graphs is not None:
        graph, taken = _chosen_parts(graph, graphs)
    _check(graph)
    y, classes, notes = _classes(graph, target)
    if taken is not None:
        notes.append(taken)
    if labelled and y is None:
        y, classes = _communities(graph)
        notes.append(
            f"The nodes have no classes, so {len(classes)} communities (greedy modularity) take"
            " their place."
        )
    if labelled and len(classes) < 2:
        raise ValueError(
            f"All nodes are of one class ({classes[0]}). Choose a graph with nodes of two or more."
        )
    test = held_out_nodes(y, 1 - known_share, random_state) if labelled and y is not None else None
    names = tuple(str(node) for node in graph)
    if taken is not None:
        own = dict(graph.nodes(data="graph"))
        names = tuple(str(node).removeprefix(f"{own[node]}.") for node in graph)
    places = layout(graph, random_state)
    return GraphProblem(
        graph, places, names, y, classes, tuple(notes), target or "", labelled, test
    )


def graph_names(graph: nx.Graph) -> tuple[str, ...]:
    """Return the names of the graphs that one graph holds; none where a node does not say its.

    Examples
    --------
    >>> import networkx as nx
    >>> G = nx.Graph()
    >>> G.add_nodes_from([("u", {"graph": "b"}), ("v", {"graph": "a"}), ("w", {"graph": "b"})])
    >>> graph_names(G), graph_names(nx.path_graph(2))
    (('b', 'a'), ())
    """
    names = [name for _, name in graph.nodes(data="graph")]
    return () if None in names else tuple(dict.fromkeys(map(str, names)))


def _chosen_parts(graph: nx.Graph, names: Sequence[str]) -> tuple[nx.Graph, str]:
    """Return some of the graphs that one graph holds, side by side, and a note."""
    held = graph_names(graph)
    unknown = [name for name in names if name not in held]
    if unknown:
        raise ValueError(f"There is no graph {unknown[0]!r} among these. Choose another one.")
    if len(set(names)) < len(names):
        raise ValueError(f"{names[0]} is chosen twice. Choose two different graphs.")
    part, left = graph.__class__(), 0.0
    for name in names:
        own = [node for node, its in graph.nodes(data="graph") if str(its) == name]
        part.add_nodes_from((node, graph.nodes[node]) for node in own)
        part.add_edges_from(graph.subgraph(own).edges(data=True))
        if None not in dict(part.nodes(data="pos")).values():
            places = np.array([graph.nodes[node]["pos"] for node in own], float)
            places -= places.min(axis=0)
            for node, (x, y) in zip(own, places.tolist(), strict=True):
                part.nodes[node]["pos"] = (left + x, y)
            left += BESIDE * (float(places.max()) or 1.0)
    verb = "is" if len(names) == 1 else "are"
    return part, f"Of {len(held)} graphs, {' and '.join(names)} {verb} taken."


def _classes(
    graph: nx.Graph, target: str | None
) -> tuple[NDArray[np.intp] | None, tuple[str, ...], list[str]]:
    """Return the class codes of the nodes, the names of the classes, and notes on them."""
    if target is None:
        return None, (), []
    attributes = [attributes.get(target) for _, attributes in graph.nodes(data=True)]
    values = pd.Series(attributes, dtype=object)
    if values.isna().all():
        return None, (), [f"No node has the attribute {target!r}, so no classes are known."]
    y, classes = codes_of(values)
    n_unknown = int((y < 0).sum())
    note = f"The class of {n_unknown} of {len(y)} nodes is not known."
    return y, classes, [note] if n_unknown else []


def held_out_nodes(
    y: NDArray[np.intp], test_size: float, random_state: int
) -> NDArray[np.bool_] | None:
    """Return a mask of the test nodes, without those of unknown class (-1).

    Examples
    --------
    >>> held_out_nodes(np.array([0, 0, -1, 1, 1]), 0.5, 0).tolist()
    [True, False, False, True, False]
    """
    labelled = np.flatnonzero(y >= 0)
    test = held_out(y[labelled], test_size, random_state)
    if test is None:
        return None
    mask = np.zeros(len(y), bool)
    mask[labelled[test]] = True
    return mask


def _communities(graph: nx.Graph) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return communities that stand in for classes, the largest first."""
    from networkx.algorithms.community import greedy_modularity_communities

    simple = graph.to_undirected() if graph.is_directed() else graph
    if not simple.size(weight="weight") > 0:
        raise ValueError(
            "The graph has neither classes nor edges of positive weight. Choose another one, or"
            " draw edges."
        )
    number = {node: i for i, node in enumerate(graph)}
    y = np.zeros(len(number), np.intp)
    communities = greedy_modularity_communities(simple, weight="weight")
    for code, members in enumerate(communities):
        y[[number[node] for node in members]] = code
    return y, tuple(f"community {code + 1}" for code in range(len(communities)))


def _check(graph: nx.Graph) -> None:
    n_nodes, n_edges = graph.number_of_nodes(), graph.number_of_edges()
    if not n_nodes:
        raise ValueError("The graph has no nodes. Choose another one, or draw nodes.")
    if n_nodes > MAX_NODES or n_edges > MAX_EDGES:
        raise ValueError(
            f"The graph has {n_nodes:,} nodes and {n_edges:,} edges; at most {MAX_NODES:,} and"
            f" {MAX_EDGES:,} can be drawn. Take a part of it."
        )
    if graph.is_multigraph():
        raise ValueError(
            "Some nodes are joined by several edges. Add up their weights, and keep one edge."
        )
    for u, v, weight in graph.edges(data="weight", default=1.0):
        number = isinstance(weight, int | float | np.integer | np.floating)
        if not number or not abs(float(weight)) <= LARGEST:
            raise ValueError(
                f"The weight of the edge from {u} to {v} is no usable number: {weight!r}."
                " Correct it."
            )
