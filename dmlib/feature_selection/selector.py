"""Base of all selectors: checked data, and scikit-learn's way to say which columns are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import check_columns
from dmlib.params import check_params
from dmlib.regression.targets import numeric_target
from dmlib.squares import check_squares, deviations

Codes = NDArray[np.intp]
MAX_VALUE = 1e150  # beyond it a square is infinite


class Selector(SelectorMixin, BaseEstimator):
    """Base of the selectors: ``support_`` says which columns are kept."""

    @property
    def n_selected_(self) -> int:
        """How many columns are kept."""
        return int(self.support_.sum())

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        mask: NDArray[np.bool_] = self.support_
        return mask

    def _remember_columns(self, X: Any) -> None:
        """Remember the number and the names of the columns, which ``steps`` does not."""
        check_columns(self, X)

    def _check_numbers(self, X: Any, y: Any) -> tuple[Floats, Floats]:
        """Check the parameters, the table and a target of numbers that are not all equal."""
        check_params(self.PARAMS, self.get_params())
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        check_names(X)
        X, y = check_X_y(
            X,
            numeric_target(y),
            y_numeric=True,
            dtype=np.float64,
            ensure_min_samples=2,
            estimator=self,
        )
        y = np.asarray(y, float)
        _check_size(X, y)
        if np.ptp(y) == 0:
            raise ValueError(
                "All values of the target are equal, so that no column can explain it. Choose"
                " another."
            )
        check_squares(y[:, None])
        return X, y

    def _check_table(self, X: Any) -> Floats:
        """Check the parameters and a table without a target."""
        check_params(self.PARAMS, self.get_params())
        check_names(X)
        table: Floats = check_array(X, dtype=np.float64, ensure_min_samples=2, estimator=self)
        _check_size(table)
        return table


def check_names(X: Any) -> None:
    """Refuse columns of names.

    Raises
    ------
    ValueError
        If a column holds names; texts that are numbers are none.

    Examples
    --------
    >>> check_names(pd.DataFrame({"a": ["1", "2.5"], "b": [3, 4]}))
    >>> check_names(pd.DataFrame({"colour": ["red", "blue"]}))
    Traceback (most recent call last):
        ...
    ValueError: The column 'colour' holds names such as 'red', and columns are scored as numbers. \
Give each name a column of 0 and 1, or leave the column out.
    """
    if not isinstance(X, pd.DataFrame):
        X = np.asarray(X)
        if X.dtype.kind not in "OUS" or X.ndim != 2:
            return
    for name, column in pd.DataFrame(X).items():
        if pd.api.types.is_numeric_dtype(column):
            continue
        texts = column[column.map(lambda value: isinstance(value, str)).astype(bool)]
        names = texts[pd.to_numeric(texts, errors="coerce").isna()]
        if len(names):
            raise ValueError(
                f"The column {name!r} holds names such as {names.iloc[0]!r}, and columns are scored"
                " as numbers. Give each name a column of 0 and 1, or leave the column out."
            )


def _check_size(*arrays: Floats) -> None:
    if max(float(np.abs(array).max()) for array in arrays) > MAX_VALUE:
        raise ValueError(
            f"A column has numbers beyond {MAX_VALUE:g}, which cannot be squared. Rescale the"
            " columns."
        )


def mask_of(columns: Sequence[int] | Codes, n_features: int) -> NDArray[np.bool_]:
    """Return the mask of some columns.

    Examples
    --------
    >>> mask_of([0, 2], 3).tolist()
    [True, False, True]
    """
    mask = np.zeros(n_features, bool)
    mask[list(columns)] = True
    return mask


def standardised(X: Floats) -> Floats:
    """Return the columns around their means in units of their standard deviations.

    A column that varies by rounding alone is 0.

    Examples
    --------
    >>> standardised(np.array([[0.0, 5.0], [4.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    away = deviations(X)
    size = np.abs(away).max(axis=0)
    away = away / np.where(size > 0, size, 1.0)  # so that squares of tiny numbers are not 0
    spread = np.sqrt((away**2).mean(axis=0))
    varies = size * spread > 1e-13 * np.abs(X).max(axis=0)
    return np.where(varies, away / np.where(varies, spread, 1.0), 0.0)
