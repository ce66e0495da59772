"""Graphs as matrices, and two graphs out of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats

Indices = NDArray[np.intp]

MAX_NODES = 500
"""The limit where all pairs of nodes are compared."""

BOND_SIGNS: Mapping[str, str] = {"1": "–", "2": "=", "3": "≡"}


def check_graph(G: Any) -> nx.Graph:
    """Return a graph after its type and size were checked.

    Raises
    ------
    ValueError
        If it is no graph, has no nodes, too many, or several edges between two nodes.
    """
    if not isinstance(G, nx.Graph):
        raise ValueError(
            f"G must be a networkx graph, not {type(G).__name__}."
            " Make one with networkx.Graph(edges)."
        )
    if G.is_multigraph() or not len(G):
        raise ValueError(
            "G must have nodes, and at most one edge between any two."
            " Add up the weights of several."
        )
    if len(G) > MAX_NODES:
        raise ValueError(
            f"The graph has {len(G):,} nodes; at most {MAX_NODES} are compared. Take a part of it."
        )
    return G


def length_matrix(G: nx.Graph, *, weighted: bool = True) -> Floats:
    """Return the lengths of the edges between all nodes: infinite without one, 0 on the diagonal.

    Raises
    ------
    ValueError
        If a weight is no finite number, or an undirected edge has a negative one.

    Examples
    --------
    >>> length_matrix(nx.path_graph(2)).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    number = {node: i for i, node in enumerate(G)}
    lengths = np.full((len(G), len(G)), np.inf)
    for u, v, weight in G.edges(data="weight", default=1.0):
        is_number = isinstance(weight, int | float | np.integer | np.floating)
        if not is_number or not np.isfinite(weight):
            raise ValueError(
                f"The weight of the edge from {u} to {v} is no finite number."
                " Correct it, or remove it."
            )
        length = float(weight) if weighted else 1.0
        lengths[number[u], number[v]] = length
        if not G.is_directed():
            if length < 0:
                raise ValueError(
                    f"The edge {u} – {v} has the weight {length:g}:"
                    " to and fro on it, a path becomes ever shorter."
                    " Take weights of at least 0, or a directed graph."
                )
            lengths[number[v], number[u]] = length
    np.fill_diagonal(lengths, np.minimum(np.diag(lengths), 0.0))
    return lengths


def adjacency(G: nx.Graph) -> NDArray[np.bool_]:
    """Return the adjacency matrix without weights; a loop joins a node to itself."""
    return np.asarray(nx.to_numpy_array(G, dtype=bool, weight=None))


def edge_label(attributes: Mapping[str, Any]) -> str:
    """Return the label of an edge: its attribute ``label``, or the sign of its bond ``order``.

    Examples
    --------
    >>> edge_label({"label": "a"}), edge_label({"order": 2}), edge_label({})
    ('a', '=', '')
    """
    order = str(attributes.get("order", ""))
    return str(attributes.get("label", BOND_SIGNS.get(order, order)))


def adjacency_by_label(G: nx.Graph, *, edge_labels: bool = True) -> dict[str, NDArray[np.bool_]]:
    """Return the adjacency matrix of the edges of each label; of all, where labels are ignored.

    Examples
    --------
    >>> G = nx.Graph([(0, 1, {"label": "a"}), (1, 2, {"label": "b"})])
    >>> list(adjacency_by_label(G)), list(adjacency_by_label(G, edge_labels=False))
    (['a', 'b'], [''])
    """
    A = adjacency(G)
    if not edge_labels:
        return {"": A}
    number = {node: i for i, node in enumerate(G)}
    matrices: dict[str, NDArray[np.bool_]] = {}
    for u, v, attributes in G.edges(data=True):
        own = matrices.setdefault(edge_label(attributes), np.zeros_like(A))
        own[number[u], number[v]] = True
        own[number[v], number[u]] |= not G.is_directed()
    return matrices


def without_loops(G: nx.Graph) -> nx.Graph:
    """Return a graph without the edges from a node to itself, and without weights.

    Examples
    --------
    >>> list(without_loops(nx.Graph([(0, 0), (0, 1)])).edges)
    [(0, 1)]
    """
    plain = G.__class__()
    plain.add_nodes_from(G.nodes(data=True))
    plain.add_edges_from((u, v) for u, v in G.edges if u != v)
    return plain


def node_labels(G: nx.Graph, labels: str = "equal") -> list[str]:
    """Return the label of each node: an empty one, or its attribute ``label`` or ``class``.

    Examples
    --------
    >>> G = nx.Graph()
    >>> G.add_node("a", label="C")
    >>> node_labels(G), node_labels(G, "class")
    ([''], ['C'])
    """
    if labels == "equal":
        return [""] * len(G)
    nodes = G.nodes(data=True)
    return [str(attributes.get("label", attributes.get("class", ""))) for _, attributes in nodes]


def two_parts(G: nx.Graph) -> tuple[Indices, Indices, str]:
    """Return the nodes of the two graphs that one graph contains, and a sentence on them.

    Where the nodes have an attribute ``graph``, these are those of its first two values. Otherwise
    they are the two largest components. A graph of one component is cut in two halves, at the
    median of the Fiedler vector of its edges without weights.

    Raises
    ------
    ValueError
        If there is only one node.

    Examples
    --------
    >>> first, second, note = two_parts(nx.Graph([(0, 1), (1, 2), (3, 4)]))
    >>> first.tolist(), second.tolist(), note
    ([0, 1, 2], [3, 4], 'The two components are the two graphs.')
    """
    if len(check_graph(G)) < 2:
        raise ValueError(
            "There is only one node. Draw a second graph beside it, not joined to the first."
        )
    names = [name for _, name in G.nodes(data="graph")]
    distinct = list(dict.fromkeys(names))
    n = len(distinct)
    if None not in distinct and n > 1:
        both = f"{distinct[0]} and {distinct[1]}"
        pair = f"Of {n} graphs the first two, {both}," if n > 2 else f"The graphs {both}"
        note = f"{pair} are compared."
        first, second = (
            np.array([i for i, own in enumerate(names) if own == name], np.intp)
            for name in distinct[:2]
        )
        return first, second, note
    components = _components(G)
    n = len(components)
    if n == 1:
        note = "The graph is connected, so its two halves (by the Fiedler vector)"
        return *_halves(G), f"{note} are the two graphs."
    largest = f"The two largest of {n} components" if n > 2 else "The two components"
    return components[0], components[1], f"{largest} are the two graphs."


def _components(G: nx.Graph) -> list[Indices]:
    """Return the nodes of each component, the largest first."""
    number = {node: i for i, node in enumerate(G)}
    components = nx.connected_components(G.to_undirected(as_view=True))
    parts = [np.sort([number[node] for node in nodes]) for nodes in components]
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def _halves(G: nx.Graph) -> tuple[Indices, Indices]:
    """Return the nodes of both halves by the Fiedler vector; that of the first node comes first."""
    A = adjacency(without_loops(G.to_undirected())).astype(float)
    fiedler = np.linalg.eigh(np.diag(A.sum(axis=1)) - A)[1][:, 1]
    if fiedler[np.abs(fiedler).argmax()] < 0:
        fiedler = -fiedler
    order = np.argsort(np.round(fiedler, 9), kind="stable")
    halves = np.sort(order[: len(G) // 2]), np.sort(order[len(G) // 2 :])
    return halves if halves[0][0] == 0 else halves[::-1]


def graph_list(X: nx.Graph | Sequence[nx.Graph]) -> tuple[list[nx.Graph], list[str]]:
    """Return many graphs and their names: those of a sequence, or those that one graph contains.

    Where the nodes have an attribute ``graph``, its values are the graphs; otherwise they are the
    components.

    Examples
    --------
    >>> graphs, names = graph_list(nx.Graph([(0, 1), (2, 3), (3, 4)]))
    >>> [len(G) for G in graphs], names
    ([2, 3], ['1', '2'])
    """
    if not isinstance(X, nx.Graph):
        graphs = [check_graph(G) for G in X]
        return graphs, [str(i + 1) for i in range(len(graphs))]
    names = [name for _, name in check_graph(X).nodes(data="graph")]
    if None in names:
        parts = [sorted(part) for part in _components(X)]
        number = {node: k for k, part in enumerate(sorted(parts)) for node in part}
        names = [str(number[i] + 1) for i in range(len(X))]
    nodes: dict[str, list[Any]] = {}
    for node, name in zip(X, map(str, names), strict=True):
        nodes.setdefault(name, []).append(node)
    return [_part(X, part) for part in nodes.values()], list(nodes)


def two_graphs(X: nx.Graph | Sequence[nx.Graph]) -> tuple[nx.Graph, nx.Graph]:
    """Return two graphs: those of a pair, or the parts of one."""
    if isinstance(X, nx.Graph):
        nodes = list(X)
        first, second, _ = two_parts(X)
        return _part(X, [nodes[i] for i in first]), _part(X, [nodes[i] for i in second])
    if not isinstance(X, list | tuple) or len(X) != 2:
        raise ValueError("X must be one graph or a pair of graphs.")
    return check_graph(X[0]), check_graph(X[1])


def _part(G: nx.Graph, nodes: Sequence[Any]) -> nx.Graph:
    """Return the subgraph of nodes, in their order."""
    part = nx.DiGraph() if G.is_directed() else nx.Graph()
    part.add_nodes_from((node, G.nodes[node]) for node in nodes)
    part.add_edges_from(G.subgraph(nodes).edges(data=True))
    return part
