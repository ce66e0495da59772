"""Many small graphs in one, drawn on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import networkx as nx

CELL, ROW = 3.0, 2.6  # width and height of a cell of the grid
HALF = np.array([1.0, 0.7])  # of the width and height that a graph has in its cell
ASPECT = 1.35  # of all cells together: between the pictures of a phone and of a laptop
LONG = 1.2  # a graph that is longer than wide by this factor lies in its cell


def graph_grid(graphs: Mapping[str, nx.Graph], kinds: Mapping[str, str]) -> nx.Graph:
    """Return one graph that holds many, side by side.

    Parameters
    ----------
    graphs : mapping of str to networkx.Graph
        The graphs by their names.
    kinds : mapping of str to str
        The class of each.

    Returns
    -------
    networkx.Graph
        The node u of the graph g is called "g.u"; its attribute ``graph`` says to which graph it
        belongs, ``kind`` the class of that, ``pos`` where it is drawn. Other attributes stay.

    Examples
    --------
    >>> import networkx as nx
    >>> joined = graph_grid({"a": nx.path_graph(2), "b": nx.path_graph(2)}, {"a": "x", "b": "y"})
    >>> list(joined.edges), joined.nodes["b.1"]["kind"]
    ([('a.0', 'a.1'), ('b.0', 'b.1')], 'y')
    """
    import networkx as nx

    joined = nx.Graph()
    n_columns = int(np.ceil(np.sqrt(ASPECT * len(graphs) * ROW / CELL)))
    for number, (name, graph) in enumerate(graphs.items()):
        row, column = divmod(number, n_columns)
        places = dict(zip(graph, _lying(nx.kamada_kawai_layout(graph)), strict=True))
        for node, attributes in graph.nodes(data=True):
            x, y = np.array([CELL * column, -ROW * row]) + places[node]
            pos = float(x), float(y)
            joined.add_node(f"{name}.{node}", graph=name, kind=kinds[name], pos=pos, **attributes)
        edges = graph.edges(data=True)
        joined.add_edges_from((f"{name}.{u}", f"{name}.{v}", own) for u, v, own in edges)
    return joined


def _lying(layout: Mapping[Any, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the places of a layout, turned so that it is broader than high, in the room of a cell.

    Below it there is room for its name.
    """
    places = np.array(list(layout.values()), float)
    places -= places.mean(axis=0)
    _, (length, breadth), axes = np.linalg.svd(np.vstack([places, np.zeros((2, 2))]))
    if length > LONG * breadth:  # the axes of a round one are only noise
        places = places @ (axes * np.where(axes[:, :1] < 0, -1, 1)).T
    places -= (places.min(axis=0) + places.max(axis=0)) / 2
    fitted: NDArray[np.float64] = places / max((places.max(axis=0) / HALF).max(), 1e-12)
    return fitted
