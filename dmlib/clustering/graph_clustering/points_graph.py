"""A graph of points: those that are near to each other are joined."""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy import sparse

from dmlib.clustering.neighbors import k_distances
from dmlib.clustering.spectral.similarity_graph import joined_rows
from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.problem import Problem
from dmlib.problem.graph import MAX_EDGES

TARGET = "class"  # the attribute of a node that holds its class
NEIGHBORS = 4  # of so many neighbours, the farthest counts
MOST = 0.9  # of the rows have them within the radius
PARAMS: dict[str, Param] = {
    "rule": Choice(("epsilon", "knn")),
    "eps": Number(0.0, 1e12, shown=(0.01, 10.0), log=True),
    "n_neighbors": Integer(1, 10_000, shown=(1, 20)),
    "weights": Choice(("distance", "similarity")),
}


def points_graph(
    problem: Problem,
    rule: str = "epsilon",
    *,
    eps: float = 0.5,
    n_neighbors: int = 5,
    weights: str = "distance",
) -> nx.Graph:
    r"""Return the graph in which near rows are joined.

    The components of the ε-graph are the contiguity-based clusters of the rows.

    Parameters
    ----------
    problem : Problem
        The rows; a node stands where its row is drawn, and has its class.
    rule : {"epsilon", "knn"}
        "epsilon": two rows are joined if their distance is at most ``eps``. "knn": they are joined
        if one is among the nearest neighbours of the other.
    eps : float
        The largest distance of joined rows, in the unit of the columns.
    n_neighbors : int
        The number of nearest neighbours, the row itself not counted.
    weights : {"distance", "similarity"}
        The weight of an edge: the Euclidean distance d, or 1 / (1 + d).

    Returns
    -------
    networkx.Graph
        One node for each row, in their order; called by the names of the rows where these differ,
        else by their numbers from 1.

    Raises
    ------
    ValueError
        If there are more edges than can be drawn, or fewer rows than neighbours.

    Notes
    -----
    O(n^2 d). Edges are in the order of their nodes.

    References
    ----------
    P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to Data Mining, section 8.1.3.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0, 1, 5], "y": [0, 0, 0]}), ["x", "y"])
    >>> list(points_graph(problem, eps=2.0).edges(data="weight"))
    [(1, 2, 1.0)]
    >>> list(points_graph(problem, "knn", n_neighbors=1, weights="similarity").edges(data="weight"))
    [(1, 2, 0.5), (2, 3, 0.2)]
    """
    values = {"rule": rule, "eps": eps, "n_neighbors": n_neighbors, "weights": weights}
    check_params(PARAMS, values)
    X = problem.X
    joined = joined_rows(X, rule, n_neighbors=n_neighbors + (rule == "knn"), eps=eps)
    pairs = np.argwhere(sparse.triu(joined, 1).toarray() > 0)
    if len(pairs) > MAX_EDGES:
        raise ValueError(
            f"{len(pairs):,} pairs of points are joined; at most {MAX_EDGES:,} edges can be drawn."
            " Lower ε or k, or take fewer points."
        )
    distances = np.linalg.norm(X[pairs[:, 0]] - X[pairs[:, 1]], axis=1)
    if weights == "similarity":
        distances = 1 / (1 + distances)
    has_names = len(set(problem.names)) == len(X)
    names = list(problem.names) if has_names else (problem.rows + 1).tolist()
    graph = nx.Graph()
    if problem.window is not None:
        graph.graph["box"] = problem.window[:2]
    codes = np.full(len(X), -1) if problem.y is None else problem.y
    for name, place, code in zip(names, problem.points.tolist(), codes, strict=True):
        known = {TARGET: problem.classes[code]} if problem.classes and code >= 0 else {}
        graph.add_node(name, pos=tuple(place), **known)
    graph.add_weighted_edges_from(
        (names[i], names[j], weight)
        for (i, j), weight in zip(pairs.tolist(), distances.tolist(), strict=True)
    )
    return graph


def typical_radius(problem: Problem) -> float:
    """Return a radius that suits the rows: nine of ten have four neighbours within it.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> typical_radius(prepare(pd.DataFrame({"x": [0, 1, 2, 3, 4, 5]}), ["x"]))
    4.0
    """
    n_rows = len(problem.X)
    if n_rows < 2:
        return 1.0
    radius = float(np.quantile(k_distances(problem.X, min(NEIGHBORS, n_rows - 1)), MOST))
    return float(f"{radius:.2g}") or 1.0
