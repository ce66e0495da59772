"""Tables of numeric and nominal columns, read as one matrix of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats

UNSEEN = -1.0
"""The code of a value that a nominal column did not have when it was read first."""


@dataclass(frozen=True)
class Columns:
    """The names and kinds of the columns of a table, with the values of the nominal ones.

    Attributes
    ----------
    names : tuple of str
        The names of the columns; "column 1" and so on for an array.
    categories : tuple of (pandas.Index or None)
        The values of each nominal column, in the order of their codes; None for a numeric column.

    Examples
    --------
    >>> table = pd.DataFrame({"sky": ["sun", None, "rain"], "wind": [3.0, 5.0, None]})
    >>> columns, matrix = Columns.read(table)
    >>> columns.nominal.tolist(), list(columns.categories[0])
    ([True, False], ['rain', 'sun'])
    >>> matrix.tolist()
    [[1.0, 3.0], [nan, 5.0], [0.0, nan]]
    >>> columns.encode(pd.DataFrame({"sky": ["snow"], "wind": [1.0]})).tolist()
    [[-1.0, 1.0]]
    """

    names: tuple[str, ...]
    categories: tuple[Any, ...]

    @property
    def nominal(self) -> NDArray[np.bool_]:
        """Which columns are nominal, shape (n_features,)."""
        return np.array([values is not None for values in self.categories], bool)

    @classmethod
    def read(cls, X: Any) -> tuple[Self, Floats]:
        """Return the columns of a table and its matrix.

        A column of a data frame is nominal unless it holds numbers: text, categories, true and
        false. So is a column of a list or array that holds text. In the matrix, a nominal value is
        its place among the column's values (declared categories keep their order, all else is
        sorted); a missing value is NaN.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_features)
            The table.

        Raises
        ------
        ValueError
            If this is no table, or holds an infinite number.
        """
        frame = _frame(X)
        if frame is None or all(_numeric(frame.iloc[:, j]) for j in range(frame.shape[1])):
            matrix = _checked(X)
            return cls(_names(X, matrix.shape[1]), (None,) * matrix.shape[1]), matrix
        columns = cls(
            _names(X, frame.shape[1]),
            tuple(_categories(frame.iloc[:, j]) for j in range(frame.shape[1])),
        )
        return columns, columns.encode(frame)

    def encode(self, X: Any) -> Floats:
        """Return the matrix of another table with these columns; unknown values are ``UNSEEN``."""
        frame = _frame(X)
        if frame is None:
            if not self.nominal.any():
                return _checked(X)
            frame = pd.DataFrame(_checked(X))
        matrix = np.empty(frame.shape)
        for j, (name, values) in enumerate(zip(self.names, self.categories, strict=True)):
            column = frame.iloc[:, j]
            matrix[:, j] = _numbers(column, name) if values is None else _codes(column, values)
        return _checked(matrix)

    def table(self, matrix: Floats) -> Any:
        """Return a matrix as a table of these columns: itself if all of them are numeric.

        Examples
        --------
        >>> columns, matrix = Columns.read([["sun", 3.0], ["rain", 5.0]])
        >>> columns.table(matrix)
          column 1  column 2
        0      sun       3.0
        1     rain       5.0
        """
        if not self.nominal.any():
            return matrix
        parts = {}
        for name, values, column in zip(self.names, self.categories, matrix.T, strict=True):
            codes = np.where(np.isnan(column), UNSEEN, column).astype(int)
            parts[name] = column if values is None else pd.Categorical.from_codes(codes, values)
        return pd.DataFrame(parts)

    def frame(self, x: Any) -> pd.DataFrame:
        """Return one row as a data frame.

        Parameters
        ----------
        x : sequence, ndarray of shape (1, n_features) or DataFrame
            Its values, in the order of the columns.

        Raises
        ------
        ValueError
            If it has another number of values.
        """
        if not isinstance(x, pd.DataFrame):
            values = list(np.asarray(x)[0]) if getattr(x, "ndim", 1) == 2 else list(x)
            x = pd.DataFrame([values], dtype=object).infer_objects()
        if x.shape != (1, len(self.names)):
            raise ValueError(
                f"Give one row of {len(self.names)} values; this has the shape {x.shape}."
            )
        return x

    def typical(self, matrix: Floats) -> Floats:
        """Return the mean or mode of each column of a matrix; 0 where all values are missing."""
        typical = np.zeros(len(self.names))
        for j, (column, nominal) in enumerate(zip(matrix.T, self.nominal, strict=True)):
            values = column[~np.isnan(column)]
            if values.size and nominal:
                typical[j] = np.bincount(values.astype(np.intp)).argmax()
            elif values.size:
                typical[j] = _mean(values)
        return typical


def _mean(values: Floats) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(values.mean())
    return mean if np.isfinite(mean) else float((values / len(values)).sum())


def check_columns(estimator: Any, X: Any, y: Any = "no_validation") -> None:
    """Set the number and names of the columns of an estimator; refuse a table without rows."""
    if isinstance(X, list | tuple) and not X:
        check_array(X, estimator=estimator)
    validate_data(estimator, X, y, skip_check_array=True)


def column_names(estimator: Any) -> list[str]:
    """Return the names of the columns that an estimator was fitted to; by default feature_0, ..."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        return [f"feature_{j}" for j in range(estimator.n_features_in_)]
    return list(names)


def new_rows(estimator: Any, columns: Columns, X: Any) -> Floats:
    """Return the matrix of new rows for a fitted estimator, encoded by the columns of ``fit``."""
    if _is_table(X):  # anything else is refused below, with the better sentence
        validate_data(estimator, X, skip_check_array=True, reset=False)
    return columns.encode(X)


def read_classes(y: Any, matrix: Floats) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted classes of the rows of a matrix, and the class code of each row."""
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iu":
        # Integer labels need no look at each: in a cross-validation that takes longer than fitting.
        labels = y
        check_consistent_length(matrix, labels)
    else:
        labels = column_or_1d(y, warn=True)
        check_consistent_length(matrix, labels)
        assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes


def _checked(X: Any) -> Floats:
    if (
        type(X) is np.ndarray
        and X.dtype == np.float64
        and X.ndim == 2
        and X.size
        and np.isfinite(X).all()
    ):
        return X  # as check_array would, which takes longer than many a prediction
    matrix: Floats = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan", input_name="X")
    return matrix


def _frame(X: Any) -> pd.DataFrame | None:
    """Return a table that may hold nominal columns as a data frame; None for any other."""
    if isinstance(X, pd.DataFrame):
        return X
    if issparse(X) or not _is_table(X) or np.asarray(X).dtype.kind not in "OUSMm":
        return None
    values = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    return pd.DataFrame(values).infer_objects()


def _is_table(X: Any) -> bool:
    return bool((X.ndim if hasattr(X, "ndim") else np.asarray(X).ndim) == 2)


def _names(X: Any, n_features: int) -> tuple[str, ...]:
    if hasattr(X, "columns"):
        return tuple(map(str, X.columns))
    return tuple(f"column {j + 1}" for j in range(n_features))


def _numeric(column: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


def _categories(column: pd.Series[Any]) -> Any:
    """Return the values of a nominal column; None for a numeric one."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.categories
    if _numeric(column):
        return None
    return pd.Index(_in_order(column.dropna().unique()), dtype=object)


def _in_order(values: Iterable[Any]) -> list[Any]:
    """Return values sorted; of mixed types, by their text."""
    values = list(values)
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=str)


def _codes(column: pd.Series[Any], values: Any) -> Floats:
    if isinstance(column.dtype, pd.CategoricalDtype):
        code_of_category = values.get_indexer(column.cat.categories).astype(float)
        # A missing value has the code -1, which points to the NaN at the end.
        codes: Floats = np.append(code_of_category, np.nan)[column.cat.codes.to_numpy()]
        return codes
    codes = values.get_indexer(column.astype(object)).astype(float)
    return np.where(column.isna(), np.nan, codes)


def _numbers(column: pd.Series[Any], name: str) -> Floats:
    try:
        numbers: Floats = column.to_numpy(float, na_value=np.nan)
    except (TypeError, ValueError):
        raise ValueError(
            f"The column {name!r} must hold numbers, as when the model was fitted."
        ) from None
    return numbers
