"""Rows of numbers and names: the names as codes, and Gower's distance of such rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.problem import codes_of
from dmlib.trace import look

Categories = Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Gower:
    """Gower's distance: the mean of the columns' differences, each at most 1.

    The ranges are those of the rows that it is made of.

    Numbers differ by their distance over the range of the column, names by 0 or 1.

    Parameters
    ----------
    spans : ndarray of shape (n_features,)
        The ranges; a column without one adds nothing.
    nominal : tuple of int
        The columns of codes of names.

    References
    ----------
    J. C. Gower (1971), A general coefficient of similarity and some of its properties. Biometrics
    27, 857-871.

    Examples
    --------
    >>> rows = np.array([[0.0, 1.0], [5.0, 1.0], [10.0, 0.0]])
    >>> Gower.of(rows, [1]).between(rows[:1], rows).tolist()
    [[0.0, 0.25, 1.0]]
    """

    spans: Floats
    nominal: tuple[int, ...] = ()

    @classmethod
    def of(cls, X: Floats, nominal: Iterable[int] = ()) -> Gower:
        """Return the distance with the ranges of some rows."""
        return cls(np.ptp(X, axis=0), tuple(nominal))

    def terms(self, a: Floats, b: Floats, column: int) -> Floats:
        """Return what a column adds, of values that are broadcast."""
        away: Floats = np.abs(a - b)
        if column in self.nominal:
            return np.asarray(away > 0, float)
        span = float(self.spans[column])
        return np.asarray(away / span if span > 0 else np.zeros_like(away))

    def between(self, X: Floats, places: Floats) -> Floats:
        """Return the distances of rows to others, shape (n_samples, n_others)."""
        total: Floats = np.zeros((len(X), len(places)))
        for j in range(X.shape[1]):
            look()
            total += self.terms(X[:, j, None], places[:, j], j)
        total /= X.shape[1]
        return total


def coded(X: ArrayLike, categories: Categories | None = None) -> tuple[Any, Categories]:
    """Return a table with codes in place of names, and the names of each such column.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        A data frame may have columns of names.
    categories : mapping of int to tuple of str, optional
        The names that have codes already; others get -1.

    Examples
    --------
    >>> frame, names = coded(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}))
    >>> frame.to_numpy().tolist(), names
    ([[1.0, 0.0], [2.0, 1.0]], {1: ('x', 'y')})
    """
    if not isinstance(X, pd.DataFrame):
        return X, categories or {}
    columns, names = {}, dict(categories or {})
    for j, label in enumerate(X.columns):
        column = X.iloc[:, j]
        if j not in names and (categories is not None or _numeric(column)):
            columns[label] = column
            continue
        codes, own = codes_of(column)
        names.setdefault(j, own)
        places = np.array([names[j].index(name) if name in names[j] else -1 for name in own], float)
        columns[label] = np.append(places, np.nan)[codes]
    return pd.DataFrame(columns, index=X.index), names


def _numeric(column: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column))


def measure_of(metric: Any, X: Floats, categories: Categories) -> Any:
    """Return what measures the rows: Gower's distance with their ranges, or the metric itself.

    Raises
    ------
    ValueError
        If the metric takes numbers alone, and there are names.

    Examples
    --------
    >>> measure_of("manhattan", np.zeros((2, 1)), {})
    'manhattan'
    """
    if isinstance(metric, str) and metric == "gower":
        return Gower.of(X, categories)
    if categories:
        raise ValueError(
            f"The metric {metric!r} needs numbers, and there are columns of names. "
            "Choose the metric 'gower', or numeric columns alone."
        )
    return metric
