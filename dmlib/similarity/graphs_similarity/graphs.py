"""Graphs as matrices, and two graphs out of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats

Indices = NDArray[np.intp]

MOST_NODES = 500
"""The largest graph of which all pairs of nodes are compared."""


def check_graph(G: Any) -> nx.Graph:
    """Return a graph that can be computed with.

    Raises
    ------
    ValueError
        If it is none, has no nodes, too many, or several edges between two nodes.
    """
    if not isinstance(G, nx.Graph):
        raise ValueError(
            f"G must be a networkx graph, not {type(G).__name__}. Make one with"
            " networkx.Graph(edges)."
        )
    if G.is_multigraph() or not len(G):
        raise ValueError(
            "G must have nodes, and at most one edge between any two. Add up the weights of"
            " several."
        )
    if len(G) > MOST_NODES:
        raise ValueError(
            f"The graph has {len(G):,} nodes; at most {MOST_NODES} are compared. Take a part of it."
        )
    return G


def length_matrix(G: nx.Graph, *, weighted: bool = True) -> Floats:
    """Return the lengths of the edges between all nodes: infinite where there is none, 0 from a node to itself.

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
        usable = isinstance(weight, int | float | np.integer | np.floating) and np.isfinite(weight)
        if not usable:
            raise ValueError(
                f"The weight of the edge from {u} to {v} is no finite number. Correct it, or"
                " remove it."
            )
        length = float(weight) if weighted else 1.0
        lengths[number[u], number[v]] = length
        if not G.is_directed():
            if length < 0:
                raise ValueError(
                    f"The edge {u} – {v} has the weight {length:g}: to and fro on it, a path"
                    " becomes ever shorter. Take weights of at least 0, or a directed graph."
                )
            lengths[number[v], number[u]] = length
    diagonal = np.minimum(np.diag(lengths), 0.0)
    np.fill_diagonal(lengths, diagonal)
    return lengths


def adjacency(G: nx.Graph) -> NDArray[np.bool_]:
    """Return which nodes are joined, without regard to weights; a loop joins a node to itself."""
    return np.asarray(nx.to_numpy_array(G, dtype=bool, weight=None))


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


def node_labels(G: nx.Graph, which: str = "equal") -> list[str]:
    """Return the label of each node: nothing, or its attribute ``label`` or ``class``.

    Examples
    --------
    >>> G = nx.Graph()
    >>> G.add_node("a", label="C")
    >>> node_labels(G), node_labels(G, "class")
    ([''], ['C'])
    """
    if which == "equal":
        return [""] * len(G)
    return [str(own.get("label", own.get("class", ""))) for _, own in G.nodes(data=True)]


def two_parts(G: nx.Graph) -> tuple[Indices, Indices, str]:
    """Return the nodes of the two graphs that one graph holds, and a sentence on them.

    Where the nodes have an attribute ``graph``, these are those of its first two values. Otherwise
    they are the two largest components. A graph of one component is cut in two halves, at the
    median of the Fiedler vector of its edges without weights.

    Raises
    ------
    ValueError
        If there is only one node.

    Examples
    --------
    >>> one, other, said = two_parts(nx.Graph([(0, 1), (1, 2), (3, 4)]))
    >>> one.tolist(), other.tolist(), said
    ([0, 1, 2], [3, 4], 'The two components are the two graphs.')
    """
    if len(check_graph(G)) < 2:
        raise ValueError(
            "There is only one node. Draw a second graph beside it, not joined to the first."
        )
    named = [own.get("graph") for _, own in G.nodes(data=True)]
    several = list(dict.fromkeys(named))
    if None not in several and len(several) > 1:
        parts = [
            np.array([i for i, name in enumerate(named) if name == which], np.intp)
            for which in several[:2]
        ]
        said = (
            f"Of {len(several)} graphs the first two are compared."
            if len(several) > 2
            else "There are two graphs."
        )
        return parts[0], parts[1], said
    simple = G.to_undirected() if G.is_directed() else G
    number = {node: i for i, node in enumerate(G)}
    found = [np.sort([number[node] for node in nodes]) for nodes in nx.connected_components(simple)]
    found.sort(key=lambda nodes: (-len(nodes), nodes[0]))
    if len(found) > 1:
        said = (
            f"The two largest of {len(found)} components are"
            if len(found) > 2
            else "The two components are"
        )
        return found[0], found[1], f"{said} the two graphs."
    joined = adjacency(without_loops(simple)).astype(float)
    vectors = np.linalg.eigh(np.diag(joined.sum(axis=1)) - joined)[1]
    second = vectors[:, 1] * (1.0 if vectors[np.argmax(np.abs(vectors[:, 1])), 1] > 0 else -1.0)
    order = np.argsort(np.round(second, 9), kind="stable")
    halves = sorted(
        (np.sort(order[: len(G) // 2]), np.sort(order[len(G) // 2 :])),
        key=lambda nodes: int(nodes[0]),
    )
    said = "The graph is connected, so its two halves (by the Fiedler vector) are the two graphs."
    return halves[0], halves[1], said


def two_graphs(X: nx.Graph | Sequence[nx.Graph]) -> tuple[nx.Graph, nx.Graph]:
    """Return two graphs: those of a pair, or the parts of one."""
    if isinstance(X, nx.Graph):
        nodes = list(X)
        one, other, _ = two_parts(X)
        return _part(X, [nodes[i] for i in one]), _part(X, [nodes[i] for i in other])
    if not isinstance(X, list | tuple) or len(X) != 2:
        raise ValueError("X must be one graph or a pair of graphs.")
    return check_graph(X[0]), check_graph(X[1])


def _part(G: nx.Graph, nodes: Sequence[Any]) -> nx.Graph:
    """Return the subgraph of some nodes, in their order."""
    part = nx.DiGraph() if G.is_directed() else nx.Graph()
    part.add_nodes_from((node, G.nodes[node]) for node in nodes)
    part.add_edges_from(G.subgraph(nodes).edges(data=True))
    return part
