"""Sensor placement: few nodes of a graph whose neighbourhoods cover as many nodes as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.feature_selection.coverage import CoverageStep, coverage_steps
from dmlib.params import Flag, Integer, Param, Range, Ranges, check_params


def sensor_ranges(model: Any, G: nx.Graph, y: Any = None) -> dict[str, Range]:
    """Return how many sensors can be placed until all nodes are covered.

    Examples
    --------
    >>> sensor_ranges(SensorPlacement(), nx.path_graph(7))
    {'n_sensors': (1, 3)}
    """
    n = len(SensorPlacement().fit(G).sensors_)
    return {"n_sensors": (1, n) if n > 1 else "A single sensor covers all nodes."}


class SensorPlacement(BaseEstimator):
    r"""Place sensors on the nodes of a graph, each time where most nodes are newly covered.

    A sensor covers its node and the neighbours of it, :math:`N(v)`; the quality of a set of nodes
    is :math:`q(S) = |\bigcup_{v \in S} N(v)|`.

    Parameters
    ----------
    n_sensors : int or None, default=None
        How many sensors there are; None places them until all nodes are covered.
    lazy : bool, default=False
        Whether only gains are computed again that may be the largest, by their last values, and not
        those of all nodes before each choice. The same nodes are chosen.

    Attributes
    ----------
    sensors_ : tuple of int
        The numbers of the nodes with a sensor, in the order in which they are chosen.
    support_ : ndarray of bool of shape (n_nodes,)
        Which nodes have a sensor, in the order of the graph.
    covered_ : ndarray of bool of shape (n_nodes,)
        Which nodes are covered.
    n_covered_ : int
        How many nodes are covered.
    n_evaluated_ : int
        How many gains were computed.

    Raises
    ------
    ValueError
        If G is no graph, or has no nodes.

    Notes
    -----
    The quality is 0 for no sensor, never falls with a further one, and is submodular: what a node
    adds only shrinks. So the greedy choice reaches at least 1 - 1/e of the best of its size, and an
    old gain bounds the new one, by which the lazy search leaves nodes out. O(n²) for each choice of
    the greedy search. Of equal gains the first node wins. Directions and weights of edges do not
    count.

    References
    ----------
    G. L. Nemhauser, L. A. Wolsey and M. L. Fisher (1978), An analysis of approximations for
    maximizing submodular set functions. Mathematical Programming 14. M. Minoux (1978), Accelerated
    greedy algorithms for maximizing submodular set functions. Optimization Techniques, Springer.
    A. Krause and C. Guestrin (2007), Near-optimal observation selection using submodular functions.
    AAAI.

    Examples
    --------
    >>> model = SensorPlacement(2).fit(nx.path_graph(7))
    >>> model.sensors_, model.n_covered_
    ((1, 4), 6)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_sensors": Integer(1, 1000, shown=(1, 20), none="all covered"),
        "lazy": Flag(),
    }
    RANGES: ClassVar[Ranges] = staticmethod(sensor_ranges)

    def __init__(self, n_sensors: int | None = None, *, lazy: bool = False) -> None:
        self.n_sensors = n_sensors
        self.lazy = lazy

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Place the sensors on the nodes of ``G``; ``y`` is ignored."""
        *_, last = self.steps(G)
        self.sensors_, self.support_, self.covered_ = last.chosen, last.support, last.covered
        self.n_covered_, self.n_evaluated_ = last.n_covered, last.n_evaluated
        return self

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[CoverageStep]:
        """Yield the graph, every gain that is computed again, every sensor, and the end."""
        check_params(self.PARAMS, self.get_params())
        yield from coverage_steps(self.neighbourhoods(G), self.n_sensors, lazy=self.lazy)

    def neighbourhoods(self, G: nx.Graph) -> NDArray[np.bool_]:
        """Return which node covers which, shape (n_nodes, n_nodes)."""
        if not isinstance(G, nx.Graph) or not len(G):
            what = "a graph without nodes" if isinstance(G, nx.Graph) else type(G).__name__
            raise ValueError(
                f"G must be a networkx graph with nodes, not {what}. "
                "Make one with networkx.Graph(edges)."
            )
        joined: NDArray[np.bool_] = nx.to_numpy_array(G, weight=None) > 0
        joined |= joined.T
        np.fill_diagonal(joined, val=True)
        return joined

    @property
    def n_sensors_(self) -> int:
        """How many sensors are placed."""
        return len(self.sensors_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags
