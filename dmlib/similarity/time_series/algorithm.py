"""Dynamic time warping: the cheapest way to align two series, cell by cell of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Number, Param, Ranges, check_params
from dmlib.similarity.recurrence import Table
from dmlib.similarity.time_series.patterns import METRICS, PATTERNS, Distances
from dmlib.similarity.time_series.ranges import time_series_ranges
from dmlib.similarity.time_series.warping import RADIUS, DTWStep, steps_of, table_of, transformed

TRANSFORMS = ("none", "z-score", "derivative")
WINDOWS = ("none", "sakoe-chiba", "itakura")

MAX_SINGLE = 400
"""Of tables up to this many cells, there is a step for each; of larger ones, for each row."""


class DynamicTimeWarping(BaseEstimator):
    r"""Align two series so that the sum of the distances of aligned values is smallest.

    A *warping path* goes from the pair of the first values to that of the last, never back in
    either series. The cost of the cheapest path to the pair (i, j) follows from three others:
    :math:`D(i, j) = |x_i - y_j| + \min\{D(i-1, j-1), D(i-1, j), D(i, j-1)\}`.

    Parameters
    ----------
    metric : {"absolute", "squared"}, default="absolute"
        The distance of two values: their difference without its sign, or its square.
    pattern : {"symmetric1", "symmetric2", "asymmetric", "symmetricP1"}, default="symmetric1"
        The moves of a path. symmetric1: each pair counts once. symmetric2: a diagonal move counts
        its pair twice, as the detour over a corner would. asymmetric: each value of the first
        series counts once, and one value of the second may be skipped. symmetricP1: as symmetric2,
        with a diagonal move before each other one.
    window : {"none", "sakoe-chiba", "itakura"}, default="none"
        Which pairs may be aligned: all, those at most ``radius`` apart, or those in a
        parallelogram.
    radius : int, default=10
        Sakoe-Chiba: the largest difference of the two numbers of a pair; at least the difference of
        both lengths.
    slope : float, default=2.0
        Itakura: how many times as steep as the diagonal a path may be, seen from either end.
    transform : {"none", "z-score", "derivative"}, default="none"
        What is aligned: the values, the values of each series minus their mean and divided by their
        standard deviation, or the estimated slopes (derivative DTW).

    Attributes
    ----------
    path_ : ndarray of shape (n_pairs, 2)
        The pairs of aligned values, by their numbers from 0.
    cost_ : float
        The cost of the path.
    normalized_cost_ : float
        The cost divided by the sum of both lengths.
    matrix_ : ndarray of shape (n_x, n_y)
        The cost of the cheapest path to each cell; infinite outside of the window.

    Raises
    ------
    ValueError
        If there are not two series of finite numbers, or no path fits into the window.

    Notes
    -----
    O(n m) time and memory for series of n and m values. Of equally cheap moves the diagonal one is
    taken, then the one that repeats a value of the second series. The first pair counts once in
    every pattern. The cost obeys no triangle inequality, so it is no metric. ``steps`` yields a
    step for each cell of tables of up to 400 cells, and for each row of larger ones.

    References
    ----------
    H. Sakoe and S. Chiba (1978), Dynamic programming algorithm optimization for spoken word
    recognition. F. Itakura (1975), Minimum prediction residual principle applied to speech
    recognition. E. J. Keogh and M. J. Pazzani (2001), Derivative dynamic time warping, SIAM
    International Conference on Data Mining. T. Giorgino (2009), Computing and visualizing dynamic
    time warping alignments in R: the dtw package.

    Examples
    --------
    >>> model = DynamicTimeWarping().fit([1.0, 3.0, 4.0, 2.0], [1.0, 4.0, 2.0, 2.0])
    >>> model.cost_, model.path_.tolist()
    (1.0, [[0, 0], [1, 1], [2, 1], [3, 2], [3, 3]])
    """

    RANGES: ClassVar[Ranges] = staticmethod(time_series_ranges)
    APPLIES: ClassVar[Conditions] = {
        "radius": ("window", ("sakoe-chiba",)),
        "slope": ("window", ("itakura",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "metric": Choice(METRICS),
        "pattern": Choice(PATTERNS),
        "window": Choice(WINDOWS),
        "radius": RADIUS,
        "slope": Number(1.0, 1000.0, shown=(1.0, 10.0), log=True),
        "transform": Choice(TRANSFORMS),
    }

    def __init__(
        self,
        metric: str = "absolute",
        *,
        pattern: str = "symmetric1",
        window: str = "none",
        radius: int = 10,
        slope: float = 2.0,
        transform: str = "none",
    ) -> None:
        self.metric = metric
        self.pattern = pattern
        self.window = window
        self.radius = radius
        self.slope = slope
        self.transform = transform

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Align the series ``X`` with the series ``y``."""
        table, cost, _ = self._table(X, y)
        n, m = table.values.shape
        self.path_ = np.array(table.path(n - 1, m - 1), np.intp)
        self.cost_, self.normalized_cost_, self.matrix_ = cost, cost / (n + m), table.values
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DTWStep]:
        """Yield the cells, or the rows of a large table, and the path traced back from its end."""
        table, cost, distances = self._table(X, y)
        yield from steps_of(table, cost, distances, by_cell=table.values.size <= MAX_SINGLE)

    def transformed(self, X: ArrayLike, y: ArrayLike | None) -> tuple[Floats, Floats]:
        """Return the two series that are aligned."""
        if y is None:
            raise ValueError(
                "Dynamic time warping compares two series, and there is one."
                " Choose data of two series."
            )
        return transformed(X, self.transform), transformed(y, self.transform)

    def _table(self, X: ArrayLike, y: ArrayLike | None) -> tuple[Table, float, Distances]:
        check_params(self.PARAMS, self.get_params())
        series = self.transformed(X, y)
        radius = self.radius if self.window == "sakoe-chiba" else None
        slope = self.slope if self.window == "itakura" else None
        return table_of(*series, radius, slope, self.metric, self.pattern)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.one_d_array = False, True
        return tags
