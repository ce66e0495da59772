"""The base class of linear models of numeric and nominal columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, new_rows
from dmlib.params import Param, check_params
from dmlib.regression.design import Design, LeastSquares
from dmlib.regression.targets import numeric_target
from dmlib.squares import finite_values


class LinearModel(RegressorMixin, BaseEstimator):
    """Base class of regressions that predict a weighted sum of terms; ``fit`` sets ``_design``."""

    PARAMS: ClassVar[dict[str, Param]]
    LARGEST: ClassVar[float]
    """Beyond it, squares overflow; below its inverse, they underflow."""
    fit_intercept: bool
    weight_column: int = 0
    coef_: Floats
    intercept_: float
    _design: Design

    def predict(self, X: Any) -> Floats:
        """Return the predicted numbers of rows, (n_samples,) or, of several targets, of each."""
        terms = self.design(X)
        return finite_values(lambda: terms @ self.coef_.T + self.intercept_)

    def design(self, X: Any) -> Floats:
        """Return the terms of rows, shape (n_samples, n_terms)."""
        check_is_fitted(self)
        codes = new_rows(self, self._design.columns, X)
        assert_all_finite(codes, input_name="X", estimator_name=type(self).__name__)
        return self._design.matrix(codes)

    def row_weights(self, X: Any) -> Floats:
        """Return the weights of rows, shape (n_samples,); 1 without a column of weights."""
        check_is_fitted(self)
        codes = new_rows(self, self._design.columns, X)
        column = self._design.weights
        return np.ones(len(codes)) if column is None else codes[:, column]

    def term_names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the terms for other names of the columns."""
        columns = replace(self._design.columns, names=tuple(names))
        return Design.of(columns, self._design.weights).terms

    @property
    def owners_(self) -> tuple[int, ...]:
        """The column that each term belongs to."""
        return self._design.owners

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _prepare(self, X: Any, y: Any) -> tuple[Design, LeastSquares]:
        """Check everything; return the terms and their least-squares problem."""
        check_params(self.PARAMS, self.get_params())
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        columns, codes = Columns.read(X)
        assert_all_finite(codes, input_name="X", estimator_name=type(self).__name__)
        target = column_or_1d(numeric_target(y), warn=True, dtype=np.float64)
        check_consistent_length(codes, target)
        assert_all_finite(target, input_name="y")
        column = self._column_of_weights(codes)
        design = Design.of(columns, column)
        matrix = design.matrix(codes)
        spread = np.ptp(matrix, axis=0) if self.fit_intercept else np.abs(matrix).max(axis=0)
        overflows = max(np.abs(matrix).max(), np.abs(target).max()) > self.LARGEST
        underflows = ((spread > 0) & (spread < 1 / self.LARGEST)).any()
        if overflows or underflows:
            raise ValueError(
                f"A column has numbers beyond {self.LARGEST:g}, or differences below its inverse,"
                " which cannot be squared. Rescale the columns."
            )
        weights = None if column is None else codes[:, column]
        return design, LeastSquares.of(matrix, target, self.fit_intercept, weights)

    def _column_of_weights(self, codes: Floats) -> int | None:
        """Return the column that holds the weights of the rows; None where all weigh the same."""
        column = self.weight_column - 1
        if column < 0:
            return None
        if column >= codes.shape[1]:
            raise ValueError(
                f"weight_column is {self.weight_column}, but there are {codes.shape[1]} columns;"
                " choose one of them, or 0 for none."
            )
        if codes.shape[1] == 1:
            raise ValueError(
                "The only column holds the weights. Choose another column to predict from."
            )
        if not (codes[:, column] > 0).all():
            raise ValueError(
                "The column of weights must be numeric and above 0 in every row. Choose another"
                " column, or leave out these rows."
            )
        return column
