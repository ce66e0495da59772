"""Intervals and names as bits: one-hot, binary, Gray code, thermometer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer, Param, Spoken, check_params
from dmlib.preprocessing.discretisation.algorithm import mean_information, unsupervised_cuts
from dmlib.problem.columns import codes_of
from dmlib.squares import check_largest
from dmlib.trace import look

CODINGS: Mapping[str, str] = {
    "one_hot": "one-hot",
    "thermometer": "thermometer",
    "binary": "binary number",
    "gray": "Gray code",
}
UNKNOWN = -1  # the code of a name that was not fitted
Bits = NDArray[np.int_]
Names = tuple[str, ...]


@dataclass(frozen=True)
class BinarizerStep:
    """An interval gets its bits.

    Attributes
    ----------
    phase : {"column", "code", "done"}
        A column is cut; an interval gets its code; all have one.
    column : int
        Its number; -1 at the end.
    borders : ndarray
        The cuts of the column.
    interval : int
        Its number; -1 before the first.
    bits : ndarray of shape (n_bits,)
        Its code.
    n_intervals : int
        Of all columns so far.
    """

    phase: Literal["column", "code", "done"]
    column: int
    borders: Floats
    interval: int
    bits: Bits
    n_intervals: int


class Binarizer(TransformerMixin, BaseEstimator):
    """Replace numbers and names by bits: each interval of equal frequency, or name, has its code.

    Parameters
    ----------
    coding : {"one_hot", "thermometer", "binary", "gray"}, default="one_hot"
        "one_hot": one bit for each interval. "thermometer": one for each cut that is passed.
        "binary": the number of the interval. "gray": the same so that neighbours differ in one bit.
    n_bins : int, default=4
        How many intervals a column of numbers has, as far as equal values allow; one of names has
        its names.

    Attributes
    ----------
    cuts_ : list of ndarray
        The cuts of each column; of names, between their codes.
    names_ : dict of int to tuple of str
        Of each column of names, the names in the order of their codes.
    codes_ : list of ndarray of shape (n_intervals, n_bits)
        The codes of its intervals.
    first_cut_ : float
        The first cut of the first column; NaN for none.
    n_intervals_ : int
        Intervals of all columns.
    information_ : float
        Mutual information of intervals and class in bits, the mean over the columns; NaN without
        classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing.

    Notes
    -----
    A name that was not there when it was fitted gets bits that are all 0. O(n log n) for a column.

    References
    ----------
    F. Gray (1953), Pulse code communication. US patent 2,632,058.

    Examples
    --------
    >>> Binarizer("thermometer", n_bins=3).fit_transform([[1.0], [2.0], [3.0]]).tolist()
    [[0, 0], [1, 0], [1, 1]]
    >>> sky = Binarizer().fit(pd.DataFrame({"sky": ["sun", "rain", "sun"]}))
    >>> sky.get_feature_names_out().tolist()
    ['sky_rain', 'sky_sun']
    >>> sky.transform(pd.DataFrame({"sky": ["rain"]})).tolist()
    [[1, 0]]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "coding": Choice(tuple(CODINGS)),
        "n_bins": Integer(2, 50, shown=(2, 12)),
    }
    SPOKEN: ClassVar[Spoken] = {"coding": CODINGS}

    def __init__(self, coding: str = "one_hot", *, n_bins: int = 4) -> None:
        self.coding = coding
        self.n_bins = n_bins

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # bits are whole numbers
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Cut the columns of ``X`` and give their intervals codes; ``y`` is only counted."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: Sequence[BinarizerStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> Self:
        """Set the fitted attributes from steps."""
        validate_data(self, X, skip_check_array=True)
        rows, self.names_ = self._read(X)
        last = {step.column: step.borders for step in steps if step.column >= 0}
        self.cuts_ = [last[j].copy() for j in range(rows.shape[1])]
        self.codes_ = [code_table(len(cuts) + 1, self.coding) for cuts in self.cuts_]
        self.first_cut_ = float(self.cuts_[0][0]) if len(self.cuts_[0]) else float("nan")
        self.n_intervals_ = sum(len(cuts) + 1 for cuts in self.cuts_)
        classes = None if y is None else np.unique(column_or_1d(y), return_inverse=True)[1]
        self.information_ = mean_information(rows, self.cuts_, classes)
        return self

    def transform(self, X: ArrayLike) -> Bits:
        """Return the bits of rows, shape (n_samples, n_bits of all columns)."""
        check_is_fitted(self)
        rows = self._read(X, self.names_)[0]
        validate_data(self, X, reset=False, skip_check_array=True)
        parts = []
        for j, (x, cuts, codes) in enumerate(zip(rows.T, self.cuts_, self.codes_, strict=True)):
            bits = codes[np.searchsorted(cuts, x)]
            if j in self.names_:
                bits[x == UNKNOWN] = 0
            parts.append(bits)
        return np.hstack(parts)

    def _read(
        self, X: Any, fitted_names: Mapping[int, Names] | None = None
    ) -> tuple[Floats, dict[int, Names]]:
        """Return the table as numbers, names as codes, and the names of each column.

        With fitted names these have the codes, and other names are ``UNKNOWN``.
        """
        if not isinstance(X, pd.DataFrame) or all(map(pd.api.types.is_numeric_dtype, X.dtypes)):
            return np.asarray(check_array(X, dtype=np.float64, estimator=self)), {}
        codes, all_names = np.empty(X.shape), dict[int, Names]()
        for j, (_, column) in enumerate(X.items()):
            if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
                codes[:, j] = column.to_numpy(float, na_value=np.nan)
                continue
            if isinstance(column.dtype, pd.CategoricalDtype):
                places, names = column.cat.codes, tuple(map(str, column.cat.categories))
            else:
                places, names = codes_of(column)
            codes[:, j] = np.where(np.asarray(places) < 0, np.nan, places)
            all_names[j] = names
        if np.isnan(codes).any():
            raise ValueError(
                "Input X contains NaN. Fill the missing values first, or leave out their rows."
            )
        if fitted_names is not None:
            for j, names in all_names.items():
                code_of = {name: code for code, name in enumerate(fitted_names.get(j, ()))}
                place = np.array([code_of.get(name, UNKNOWN) for name in names])
                codes[:, j] = place[codes[:, j].astype(int)]
        return codes, all_names

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the bits: the column's with the number of the bit, or with its name.

        Only one-hot bits of names have a name.
        """
        check_is_fitted(self)
        columns = input_features
        if columns is None:
            numbered = [f"x{j}" for j in range(self.n_features_in_)]
            columns = getattr(self, "feature_names_in_", numbered)
        bits = []
        for j, (column, codes) in enumerate(zip(columns, self.codes_, strict=True)):
            endings: Sequence[Any] = range(codes.shape[1])
            if self.coding == "one_hot" and j in self.names_:
                endings = self.names_[j]
            bits += [f"{column}_{ending}" for ending in endings]
        return np.array(bits, dtype=object)

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[BinarizerStep]:
        """Yield the code of one interval after another."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows, names = self._read(X)
        check_largest(rows)
        n_intervals, no_bits = 0, np.empty(0, int)
        for j, x in enumerate(rows.T):
            look()
            if j in names:
                cuts: Floats = np.arange(0.5, len(names[j]) - 1)
            else:
                cuts = unsupervised_cuts(np.sort(x), "frequency", self.n_bins)
            yield BinarizerStep("column", j, cuts, -1, no_bits, n_intervals)
            for i, bits in enumerate(code_table(len(cuts) + 1, self.coding)):
                yield BinarizerStep("code", j, cuts, i, bits, n_intervals)
            n_intervals += len(cuts) + 1
        yield BinarizerStep("done", -1, cuts, -1, no_bits, n_intervals)


def code_table(n: int, coding: str) -> Bits:
    """Return the codes of ``n`` intervals, shape (n, n_bits).

    Examples
    --------
    >>> code_table(3, "one_hot").tolist(), code_table(4, "gray").tolist()
    ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0], [0, 1], [1, 1], [1, 0]])
    """
    numbers = np.arange(n)
    if coding == "one_hot":
        return np.eye(n, dtype=int)
    if coding == "thermometer":
        return (numbers[:, None] > np.arange(max(n - 1, 1))).astype(int)
    if coding == "gray":
        numbers = numbers ^ (numbers >> 1)
    width = max(1, int(np.ceil(np.log2(n))))
    return np.asarray(numbers[:, None] >> np.arange(width)[::-1] & 1)
