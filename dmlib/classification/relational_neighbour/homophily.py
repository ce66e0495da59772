"""Homophily: whether edges join nodes of the same class more often than chance."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.problem import GraphProblem


@dataclass(frozen=True)
class Homophily:
    """Edges within and between the classes of a graph."""

    # (n_classes, n_classes): edges between each two classes, those within on the diagonal
    mixing: NDArray[np.intp]
    expected: NDArray[np.float64]  # the same if edges joined their ends at random
    same: int  # edges within a class
    n_edges: int  # edges between nodes whose class is known
    assortativity: float  # Newman's coefficient; NaN where all ends are in one class

    @property
    def share(self) -> float:
        """Edge homophily: the share of edges within a class."""
        return self.same / self.n_edges


def homophily(problem: GraphProblem) -> Homophily | None:
    """Return the homophily of a graph with classes; None where no edge joins two known classes.

    Held-out classes count too; weights, directions and loops do not.

    References
    ----------
    M. E. J. Newman (2003), Mixing patterns in networks, Physical Review E 67.

    Examples
    --------
    >>> from dmlib.problem import prepare_graph
    >>> G = nx.path_graph(4)
    >>> nx.set_node_attributes(G, dict(enumerate("aabb")), "class")
    >>> result = homophily(prepare_graph(G, target="class"))
    >>> result.mixing.tolist(), round(result.share, 3), round(result.assortativity, 3)
    ([[1, 1], [1, 1]], 0.667, 0.333)
    """
    if problem.y is None:
        return None
    has_classes = (problem.y[problem.edges] >= 0).all(axis=1)
    is_loop = problem.edges[:, 0] == problem.edges[:, 1]
    edges = problem.edges[has_classes & ~is_loop]
    if not len(edges):
        return None
    H = nx.Graph(edges.tolist())
    nx.set_node_attributes(H, dict(enumerate(problem.y.tolist())), "class")
    order = {code: code for code in range(len(problem.classes))}
    ends = nx.attribute_mixing_matrix(H, "class", mapping=order, normalized=False)
    n_ends = ends.sum(axis=1)
    expected = np.outer(n_ends, n_ends) / n_ends.sum()
    assortativity = float("nan")
    if (n_ends > 0).sum() > 1:
        assortativity = float(nx.attribute_assortativity_coefficient(H, "class"))
    # Both ends of an edge within a class are in the class.
    mixing = ends - np.diag(np.diag(ends)) / 2
    return Homophily(
        mixing=mixing.astype(np.intp),
        expected=expected - np.diag(np.diag(expected)) / 2,
        same=int(np.trace(mixing)),
        n_edges=H.number_of_edges(),
        assortativity=assortativity,
    )
