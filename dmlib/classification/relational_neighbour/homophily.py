"""Homophily: whether edges join nodes of the same class more often than chance."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from dmlib.problem import GraphProblem


@dataclass(frozen=True)
class Homophily:
    """How the edges of a graph join its classes."""

    mixing: NDArray[
        np.intp
    ]  # (n_classes, n_classes): edges between each two classes, those within on the diagonal
    expected: NDArray[np.float64]  # the same if edges joined their ends at random
    same: int  # edges within a class
    n_edges: int  # edges between nodes whose class is known
    assortativity: float  # Newman's coefficient; NaN where all ends are in one class

    @property
    def share(self) -> float:
        """Edge homophily: the share of edges within a class."""
        return self.same / self.n_edges


def homophily(problem: GraphProblem) -> Homophily | None:
    """Measure the homophily of a graph with classes; None where no edge joins two nodes whose class is known.

    Classes that are held out count too; weights, directions and loops do not.

    References
    ----------
    M. E. J. Newman (2003), Mixing patterns in networks, Physical Review E 67.

    Examples
    --------
    >>> from dmlib.problem import prepare_graph
    >>> G = nx.path_graph(4)
    >>> nx.set_node_attributes(G, dict(enumerate("aabb")), "class")
    >>> found = homophily(prepare_graph(G, target="class"))
    >>> found.mixing.tolist(), round(found.share, 3), round(found.assortativity, 3)
    ([[1, 1], [1, 1]], 0.667, 0.333)
    """
    if problem.y is None:
        return None
    ends = problem.y[problem.edges]
    there = (ends >= 0).all(axis=1) & (problem.edges[:, 0] != problem.edges[:, 1])
    if not there.any():
        return None
    H = nx.Graph(problem.edges[there].tolist())
    nx.set_node_attributes(H, dict(enumerate(problem.y.tolist())), "class")
    order = {code: code for code in range(len(problem.classes))}
    halves = nx.attribute_mixing_matrix(H, "class", mapping=order, normalized=False)
    ends_of = halves.sum(axis=1)
    total = float(ends_of.sum())
    mixing = halves - np.diag(np.diag(halves)) / 2  # an edge within a class has both its ends there
    by_chance = np.outer(ends_of, ends_of) / total
    several = (ends_of > 0).sum() > 1
    return Homophily(
        mixing.astype(np.intp),
        by_chance - np.diag(np.diag(by_chance)) / 2,
        int(np.trace(mixing)),
        H.number_of_edges(),
        float(nx.attribute_assortativity_coefficient(H, "class")) if several else float("nan"),
    )
