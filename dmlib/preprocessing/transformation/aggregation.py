"""Aggregation of rows to groups, and the variance that is lost within them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, column_or_1d, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer, Param, Spoken, check_params
from dmlib.preprocessing.transformation.algorithm import skewness, spread_ratio
from dmlib.squares import centred, check_largest, standard_deviations
from dmlib.trace import look

Rows = NDArray[np.intp]

GROUPS: Mapping[str, str] = {
    "order": "rows that follow each other",
    "value": "rows alike in the first column",
    "class": "classes",
}
STATISTICS: Mapping[str, Callable[..., Floats]] = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
}


@dataclass(frozen=True)
class AggregateStep:
    """A group of rows becomes one.

    Attributes
    ----------
    phase : {"rows", "group", "done"}
        No group yet; a group becomes one row; all are.
    rows : ndarray of int
        The rows of the group.
    values : ndarray of shape (n_features,)
        Its representative.
    lost : float
        Sum of squares around the mean of the group, over the columns in standard deviations.
    n_rows : int
        The number of groups so far.
    loss : float
        The share of the variance of all rows that is lost so far.
    """

    phase: Literal["rows", "group", "done"]
    rows: Rows
    values: Floats
    lost: float
    n_rows: int
    loss: float


class Aggregator(BaseEstimator):
    """Replace groups of rows by one row each.

    Parameters
    ----------
    by : {"order", "value", "class"}, default="value"
        The kind of groups: rows that follow each other, rows that do so when sorted by the first
        column, or a class.
    size : int, default=5
        How many rows make a group; the last may have fewer.
    statistic : {"mean", "median", "sum"}, default="mean"
        The representative of a group: "sum" adds its rows up.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The group of each row.
    prepared_ : ndarray of shape (n_rows_, n_features)
        The representatives of the groups.
    n_rows_ : int
        The number of groups.
    loss_ : float
        The share of the variance that lies within groups, over the columns in standard deviations.
    spread_ratio_, skewness_ : float
        The largest standard deviation of a column by the smallest, and the largest absolute
        skewness.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or groups are classes and there are none.

    Notes
    -----
    O(n p), after sorting. Of means, what is lost within groups and what is kept between them add up
    to the variance.

    References
    ----------
    P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to Data Mining, section 2.3.1.

    Examples
    --------
    >>> model = Aggregator(size=2).fit([[1.0], [9.0], [3.0], [7.0]])
    >>> model.prepared_.tolist(), model.loss_  # 4 of 40
    ([[2.0], [8.0]], 0.1)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "by": Choice(tuple(GROUPS)),
        "size": Integer(1, 10_000, shown=(1, 40)),
        "statistic": Choice(tuple(STATISTICS)),
    }
    APPLIES: ClassVar[Any] = {"size": ("by", ("order", "value"))}
    SPOKEN: ClassVar[Spoken] = {"by": GROUPS}

    def __init__(self, by: str = "value", *, size: int = 5, statistic: str = "mean") -> None:
        self.by = by
        self.size = size
        self.statistic = statistic

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Put the rows of ``X`` together, whose classes are ``y``."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: Sequence[AggregateStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> Self:
        """Set the fitted attributes from steps."""
        rows = validate_data(self, X, dtype=np.float64)
        groups = [step for step in steps if step.phase == "group"]
        self.labels_ = np.zeros(len(rows), np.intp)
        for i, step in enumerate(groups):
            self.labels_[step.rows] = i
        self.prepared_ = np.array([step.values for step in groups])
        self.n_rows_ = len(groups)
        self.loss_ = steps[-1].loss
        self.spread_ratio_ = spread_ratio(self.prepared_)
        self.skewness_ = skewness(self.prepared_)
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[AggregateStep]:
        """Yield group after group."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, estimator=self)
        check_largest(rows)
        if self.by == "class" and y is None:
            raise ValueError(
                "Groups by class need classes. Choose a table with classes, in an own file their"
                " column under Data (Known classes), or other groups."
            )
        spread = standard_deviations(rows)
        Z = centred(rows)[1] / np.where(spread > 0, spread, 1.0)
        total = float((Z**2).sum()) or 1.0
        no_rows, lost = np.empty(0, np.intp), 0.0
        yield AggregateStep("rows", no_rows, rows.mean(axis=0), 0.0, 0, 0.0)
        statistic = STATISTICS[self.statistic]
        groups = self._groups(rows, y)
        for n, group in enumerate(groups, start=1):
            look()
            values = statistic(rows[group], axis=0)
            within = float(((Z[group] - Z[group].mean(axis=0)) ** 2).sum())
            lost += within
            yield AggregateStep("group", group, values, within, n, lost / total)
        yield AggregateStep("done", no_rows, rows.mean(axis=0), 0.0, len(groups), lost / total)

    def _groups(self, X: Floats, y: ArrayLike | None) -> list[Rows]:
        if self.by == "class" and y is not None:
            codes = np.unique(column_or_1d(y), return_inverse=True)[1]
            return [np.flatnonzero(codes == c) for c in range(int(codes.max()) + 1)]
        order = np.argsort(X[:, 0], kind="stable") if self.by == "value" else np.arange(len(X))
        return [order[i : i + self.size] for i in range(0, len(order), self.size)]
