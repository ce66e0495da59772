"""Random graphs: Erdős–Rényi, planted groups, preferential attachment, many small ones; a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dmlib.datasets.containers import GraphData
from dmlib.datasets.generators.points import LICENCE
from dmlib.datasets.graph_grid import graph_grid

if TYPE_CHECKING:
    import networkx as nx


def random_graph(
    *,
    n_nodes: int = 24,
    p: float = 0.12,
    max_weight: int = 1,
    directed: bool = False,
    random_state: int = 0,
) -> GraphData:
    """Join every two nodes with the same probability.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    p : float
        Probability of each edge.
    max_weight : int
        Edges have whole weights from 1 to this, at random; 1: they have none.
    directed : bool
        Whether edges have a direction.
    random_state : int
        Seed: the same seed gives the same graph.

    Returns
    -------
    GraphData
        The graph.

    References
    ----------
    Gilbert (1959), Random graphs. Annals of Mathematical Statistics 30.

    Examples
    --------
    >>> random_graph(n_nodes=5, p=1.0).graph.number_of_edges()
    10
    """
    import networkx as nx

    graph = nx.gnp_random_graph(n_nodes, p, seed=random_state, directed=directed)
    return _data("random_graph", graph, max_weight, random_state)


def planted_partition(
    *,
    n_groups: int = 3,
    group_size: int = 10,
    p_in: float = 0.5,
    p_out: float = 0.04,
    max_weight: int = 1,
    random_state: int = 0,
) -> GraphData:
    """Join nodes of one group more often than nodes of two.

    Parameters
    ----------
    n_groups, group_size : int
        Number of groups, and of nodes in each.
    p_in, p_out : float
        Probability of an edge within a group, and between two.
    max_weight : int
        Edges have whole weights from 1 to this, at random; 1: they have none.
    random_state : int
        Seed: the same seed gives the same graph.

    Returns
    -------
    GraphData
        The graph; the node attribute ``group`` holds the planted groups.

    References
    ----------
    Condon and Karp (2001), Algorithms for graph partitioning on the planted partition model. Random
    Structures and Algorithms 18.

    Examples
    --------
    >>> planted_partition(n_groups=2, group_size=4).target
    'group'
    """
    import networkx as nx

    graph = nx.planted_partition_graph(n_groups, group_size, p_in, p_out, seed=random_state)
    plain = nx.Graph()
    plain.add_nodes_from((node, {"group": f"group {node // group_size + 1}"}) for node in graph)
    plain.add_edges_from(graph.edges)
    return _data("planted_partition", plain, max_weight, random_state, target="group")


def preferential_attachment(
    *, n_nodes: int = 40, n_edges: int = 1, max_weight: int = 1, random_state: int = 0
) -> GraphData:
    """Let each new node join nodes that already have many neighbours: a few hubs arise.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    n_edges : int
        With how many edges a node arrives; fewer than there are nodes.
    max_weight : int
        Edges have whole weights from 1 to this, at random; 1: they have none.
    random_state : int
        Seed: the same seed gives the same graph.

    Returns
    -------
    GraphData
        The graph.

    References
    ----------
    Barabasi and Albert (1999), Emergence of scaling in random networks. Science 286.

    Examples
    --------
    >>> preferential_attachment(n_nodes=9).graph.number_of_edges()
    8
    """
    import networkx as nx

    graph = nx.barabasi_albert_graph(n_nodes, min(n_edges, n_nodes - 1), seed=random_state)
    return _data("preferential_attachment", graph, max_weight, random_state)


def grid_graph(
    *, rows: int = 4, columns: int = 6, max_weight: int = 9, random_state: int = 0
) -> GraphData:
    """Join the neighbours on a grid, like the crossings of a city.

    Parameters
    ----------
    rows, columns : int
        Nodes in each direction.
    max_weight : int
        Edges have whole weights from 1 to this, at random; 1: they have none.
    random_state : int
        Seed: the same seed gives the same weights.

    Returns
    -------
    GraphData
        The graph; its nodes have positions.

    Examples
    --------
    >>> grid_graph(rows=2, columns=3).graph.number_of_edges()
    7
    """
    import networkx as nx

    grid = nx.grid_2d_graph(rows, columns)
    unit = 9 / max(rows - 1, columns - 1, 1)
    for row, column in grid:
        grid.nodes[row, column]["pos"] = (0.5 + unit * column, 9.5 - unit * row)
    graph = nx.convert_node_labels_to_integers(grid)
    return _data("grid_graph", graph, max_weight, random_state)


def rings_and_trees(
    *, n_graphs: int = 12, min_nodes: int = 5, max_nodes: int = 8, random_state: int = 0
) -> GraphData:
    """Draw many small graphs, made-up molecules: every other one has a ring, the others are trees.

    Parameters
    ----------
    n_graphs : int
        Number of graphs.
    min_nodes, max_nodes : int
        The fewest and the most nodes of a graph.
    random_state : int
        Seed: the same seed gives the same graphs.

    Returns
    -------
    GraphData
        One graph that holds all. Of each node the attribute ``graph`` says to which it belongs,
        ``kind`` whether that is a ring or a tree, and ``label`` is a made-up atom: C, N or O.

    Examples
    --------
    >>> data = rings_and_trees(n_graphs=2)
    >>> sorted({kind for _, kind in data.graph.nodes(data="kind")})
    ['ring', 'tree']
    """
    import networkx as nx

    rng = np.random.default_rng(random_state)
    graphs, kinds = {}, {}
    for number in range(n_graphs):
        n_nodes = int(rng.integers(min(min_nodes, max_nodes), max(min_nodes, max_nodes) + 1))
        ring = int(rng.integers(3, n_nodes + 1)) if number % 2 == 0 else 1
        edges = [(i, (i + 1) % ring) for i in range(ring) if ring > 1]
        edges += [(int(rng.integers(node)), node) for node in range(ring, n_nodes)]
        molecule = nx.Graph((u + 1, v + 1) for u, v in edges)
        atoms = rng.choice(["C", "N", "O"], n_nodes, p=[0.6, 0.2, 0.2])
        nx.set_node_attributes(molecule, dict(enumerate(map(str, atoms), start=1)), "label")
        name = str(number + 1)
        graphs[name], kinds[name] = molecule, "tree" if number % 2 else "ring"
    joined = graph_grid(graphs, kinds)
    source = "The generator rings_and_trees."
    return GraphData(joined, "kind", name="rings_and_trees", source=source, licence=LICENCE)


def _data(
    name: str, graph: nx.Graph, max_weight: int, random_state: int, target: str | None = None
) -> GraphData:
    """Return a graph with nodes called 1, 2, 3, ..., and weights where they are asked for."""
    import networkx as nx

    if max_weight > 1:
        weights = np.random.default_rng(random_state).integers(
            1, max_weight + 1, graph.number_of_edges()
        )
        for (u, v), weight in zip(graph.edges, weights, strict=True):
            graph.edges[u, v]["weight"] = int(weight)
    named = nx.relabel_nodes(graph, {node: str(node + 1) for node in graph})
    return GraphData(named, target, name=name, source=f"The generator {name}.", licence=LICENCE)
