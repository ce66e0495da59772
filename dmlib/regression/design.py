"""The design matrix of a linear model: numbers as they are, treatment contrasts of levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns
from dmlib.squares import centred

ULPS = 64  # units in the last place by which the numbers of a constant column may differ
DEPENDENT = 1e-7  # fraction of a term's length that earlier terms leave, up to which it depends


@dataclass(frozen=True)
class Design:
    """The terms of a model by treatment coding.

    A nominal column has a 0/1 term for each level but its first, the base level.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"sky": ["sun", "rain", "snow"], "wind": [3.0, 5.0, 4.0]})
    >>> columns, codes = Columns.read(frame)
    >>> design = Design.of(columns)
    >>> design.terms, design.bases
    (('sky = snow', 'sky = sun', 'wind'), {'sky': 'rain'})
    >>> design.matrix(codes).tolist()
    [[0.0, 1.0, 3.0], [0.0, 0.0, 5.0], [1.0, 0.0, 4.0]]
    """

    columns: Columns  # the columns of the table
    terms: tuple[str, ...]  # the names of the terms: a numeric column, or "column = level"
    owners: tuple[int, ...]  # the column that each term belongs to
    bases: dict[str, str]  # the base level of each nominal column
    weights: int | None = None  # the column that holds the weights of the rows, which is no term

    @classmethod
    def of(cls, columns: Columns, weights: int | None = None) -> Design:
        """Return the terms of the columns but that of the weights.

        Raises
        ------
        ValueError
            If no column has two values.
        """
        terms: list[str] = []
        owners: list[int] = []
        bases: dict[str, str] = {}
        for j, (name, levels) in enumerate(zip(columns.names, columns.categories, strict=True)):
            if j == weights:
                continue
            new = [name] if levels is None else [f"{name} = {level}" for level in levels[1:]]
            terms += new
            owners += [j] * len(new)
            if levels is not None and len(levels):
                bases[name] = str(levels[0])
        if not terms:
            raise ValueError(
                "No column has two different values, so nothing can be fitted. Choose another"
                " column."
            )
        return cls(columns, tuple(terms), tuple(owners), bases, weights)

    def matrix(self, codes: Floats) -> Floats:
        """Return the terms of encoded rows, shape (n_samples, n_terms).

        Raises
        ------
        ValueError
            If a nominal column has a level that it did not have before.
        """
        columns = (j for j in range(codes.shape[1]) if j != self.weights)
        parts = [self._column(codes[:, j], j) for j in columns]
        matrix: Floats = np.hstack(parts)
        return matrix

    def _column(self, values: Floats, j: int) -> Floats:
        levels: Any = self.columns.categories[j]
        if levels is None:
            return values[:, None]
        if (values < 0).any():
            raise ValueError(
                f"The column {self.columns.names[j]!r} has a level that it did not have when the"
                " model was fitted. Leave out these rows, or fit the model again."
            )
        terms: Floats = (values[:, None] == np.arange(1, len(levels))).astype(float)
        return terms


@dataclass(frozen=True)
class LeastSquares:
    """A least-squares problem of centred terms and target.

    Centred, columns far from zero keep their digits; the intercept follows from the means. With
    weights, means are weighted, and centred rows are multiplied by the roots of their weights.
    """

    Z: Floats  # (n_samples, n_terms): the terms
    y: Floats  # (n_samples,): the target
    means: Floats  # (n_terms,): the means of the terms; 0 without an intercept
    y_mean: float  # the mean of the target; 0 without an intercept
    # terms and target minus their means, times the roots of the weights
    C: Floats
    t: Floats
    fit_intercept: bool  # whether there is an intercept
    weights: Floats | None = None  # (n_samples,): the weights of the rows; None where all are 1

    @classmethod
    def of(
        cls, Z: Floats, y: Floats, fit_intercept: bool, weights: Floats | None = None
    ) -> LeastSquares:
        """Return a least-squares problem; around zero without an intercept.

        Examples
        --------
        >>> data = LeastSquares.of(np.array([[1e9], [1e9 + 2]]), np.array([3.0, 5.0]), True)
        >>> data.C.ravel().tolist(), data.t.tolist(), data.total
        ([-1.0, 1.0], [-1.0, 1.0], 2.0)
        """
        if weights is not None:
            centre, mean = np.zeros(Z.shape[1]), 0.0
            if fit_intercept:
                shares = weights / weights.sum()
                centre = Z[0] + shares @ (Z - Z[0])  # differences have digits to spare for the mean
                mean = float(y[0] + shares @ (y - y[0]))
            roots = np.sqrt(weights)
            C, t = (Z - centre) * roots[:, None], (y - mean) * roots
            return cls(Z, y, centre, mean, C, t, fit_intercept, weights)
        if not fit_intercept:
            return cls(Z, y, np.zeros(Z.shape[1]), 0.0, Z, y, False)
        (means, C), (height, t) = centred(Z), centred(y)
        return cls(Z, y, means, float(height), C, t, True)

    @property
    def roots(self) -> Floats:
        """The roots of the weights, shape (n_samples,)."""
        return np.ones(len(self.y)) if self.weights is None else np.sqrt(self.weights)

    @property
    def total_weight(self) -> float:
        """The sum of the weights: without any, the number of rows."""
        return float(len(self.y)) if self.weights is None else float(self.weights.sum())

    @property
    def total(self) -> float:
        """The total sum of squares: around the mean or, without an intercept, around zero."""
        return float(self.t @ self.t)

    def intercept(self, coef: Floats) -> float:
        """Return the best intercept for coefficients."""
        return self.y_mean - float(self.means @ coef) if self.fit_intercept else 0.0

    def residuals(self, coef: Floats, intercept: float | None = None) -> Floats:
        """Return the residuals times the roots of the weights, by default of the best intercept."""
        shift = 0.0 if intercept is None else intercept - self.intercept(coef)
        residuals: Floats = self.t - self.C @ coef - shift * self.roots
        return residuals

    def independent(self) -> NDArray[np.bool_]:
        """Return which terms do not depend linearly on the terms before them and the intercept."""
        basis = np.empty((len(self.C), 0))
        free = np.zeros(self.C.shape[1], bool)
        for j, (column, size) in enumerate(
            zip(self.C.T, np.linalg.norm(self.Z, axis=0), strict=True)
        ):
            spread = np.linalg.norm(column)
            if spread <= ULPS * np.finfo(float).eps * size:
                continue
            unit = column / spread
            for _ in range(2):  # the second pass removes the rounding errors of the first
                unit = unit - basis @ (basis.T @ unit)
            length = np.linalg.norm(unit)
            rounding = ULPS * np.finfo(float).eps * size
            is_independent = length > DEPENDENT and length * spread > rounding
            if is_independent and basis.shape[1] < len(self.C) - self.fit_intercept:
                free[j] = True
                basis = np.column_stack([basis, unit / length])
        return free
