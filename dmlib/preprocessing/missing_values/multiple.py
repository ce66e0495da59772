"""Multiple imputation by chained equations, and Rubin's rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns
from dmlib.params import Choice, Integer, Param, check_params
from dmlib.preprocessing.missing_values.equations import chosen_name, design, outputs
from dmlib.squares import check_largest
from dmlib.trace import look

METHODS = ("norm", "norm.nob", "norm.predict")
RIDGE = 1e-5  # share of the diagonal that is added where columns say the same, as mice does


@dataclass(frozen=True)
class Pooled:
    """An estimate from several filled tables.

    Attributes
    ----------
    estimate : float
        The mean of the estimates.
    within, between, total : float
        The mean of their variances; the variance of the estimates; both together, W + (1 + 1/m) B.
    dof : float
        The degrees of freedom of a t interval.
    increase : float
        By what share of W the holes make the variance larger, (1 + 1/m) B / W; mice calls it r.
    missing_information : float
        The share of the information on the estimate that the holes cost, (r + 2 / (dof + 3)) / (r +
        1); fmi in mice.
    """

    estimate: float
    within: float
    between: float
    total: float
    dof: float
    increase: float
    missing_information: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the t interval of the estimate."""
        half = float(t.ppf((1 + level) / 2, self.dof)) * self.total**0.5
        return self.estimate - half, self.estimate + half


def pool(
    estimates: ArrayLike, variances: ArrayLike, *, complete_dof: float = float("inf")
) -> Pooled:
    r"""Combine estimates of several imputations by Rubin's rules.

    Parameters
    ----------
    estimates, variances : array-like of shape (n_imputations,)
        The estimate in each filled table, and its squared standard error there.
    complete_dof : float
        The degrees of freedom :math:`\nu` that the estimate has in a table without holes: n - 1 of
        a mean.

    Notes
    -----
    With :math:`\lambda = (1 + 1/m) B / T` Rubin's degrees of freedom are :math:`\nu_m = (m - 1) /
    \lambda^2`. In a small table they can be more than it has rows: Barnard and Rubin put
    :math:`\nu_m \nu_o / (\nu_m + \nu_o)` in their place, with
    :math:`\nu_o = \nu (\nu + 1) / (\nu + 3) \cdot (1 - \lambda)`.

    References
    ----------
    D. B. Rubin (1987), Multiple imputation for nonresponse in surveys, chapter 3.
    J. Barnard and D. B. Rubin (1999), Small-sample degrees of freedom with multiple imputation.
    Biometrika 86, 948-955.

    Examples
    --------
    >>> told = pool([10.0, 12.0, 14.0], [1.0, 1.0, 1.0])
    >>> told.estimate, told.within, told.between, round(told.total, 4)
    (12.0, 1.0, 4.0, 6.3333)
    >>> round(told.dof, 4), round(pool([10.0, 12.0, 14.0], [1.0, 1.0, 1.0], complete_dof=20).dof, 4)
    (2.8203, 1.4257)
    """
    q, u = np.asarray(estimates, float), np.asarray(variances, float)
    if q.size < 2 or q.shape != u.shape:
        raise ValueError("Rubin's rules need two estimates or more, each with its variance.")
    m, within, between = q.size, float(u.mean()), float(q.var(ddof=1))
    more = (1 + 1 / m) * between
    total = within + more
    share = more / total if total > 0 else 0.0
    dof = (m - 1) / share**2 if share > 0 else float("inf")
    if np.isfinite(complete_dof):
        seen = (complete_dof + 1) / (complete_dof + 3) * complete_dof * (1 - share)
        dof = 1 / (1 / dof + 1 / seen) if seen > 0 else 0.0
    increase = more / within if within > 0 else float("inf") if more > 0 else 0.0
    lost = 1.0 if np.isinf(increase) else (increase + 2 / (dof + 3)) / (increase + 1)
    return Pooled(float(q.mean()), within, between, total, dof, increase, lost)


class MultipleImputer(BaseEstimator):
    r"""Fill a table several times, by chained equations.

    Parameters
    ----------
    n_imputations : int, default=5
        How many filled tables are made.
    max_iter : int, default=10
        How often each column with holes is regressed on the others.
    method : {"norm", "norm.nob", "norm.predict"}, default="norm"
        What is put into a hole, by mice's names: a draw from the regression with drawn coefficients
        and residuals; one with the least-squares coefficients, and drawn residuals; or what these
        coefficients predict, without a draw. Only the first is unsure enough for Rubin's rules.
    random_state : int, RandomState or None, default=0
        The seed of all draws.

    Attributes
    ----------
    imputations_ : ndarray of shape (n_imputations, n_samples, n_features)
        The filled tables, with codes in nominal columns.
    pooled_ : tuple of Pooled or None
        The mean of each column of numbers by Rubin's rules; None for nominal ones.
    n_features_in_ : int
        The number of columns.

    Notes
    -----
    Chains begin with draws from the known values of each column. Numbers are drawn as ``norm`` of
    mice does:
    :math:`\sigma^2 = RSS / \chi^2_{n - p}`,
    :math:`\beta \sim N(\hat\beta, \sigma^2 (X'X)^{-1})`. A name is drawn in proportion to a linear regression of each
    name, which is simpler than the logistic one of mice.

    References
    ----------
    S. van Buuren and K. Groothuis-Oudshoorn (2011), mice. J. Statistical Software 45(3).

    Examples
    --------
    >>> X = [[1.0, 2.1], [2.0, 3.9], [3.0, 6.2], [4.0, 7.8], [5.0, float("nan")]]
    >>> MultipleImputer(3).fit(X).imputations_.shape
    (3, 5, 2)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_imputations": Integer(2, 1000, shown=(2, 20)),
        "max_iter": Integer(1, 1000, shown=(1, 20)),
        "method": Choice(METHODS),
    }

    def __init__(
        self,
        n_imputations: int = 5,
        *,
        max_iter: int = 10,
        method: str = "norm",
        random_state: Any = 0,
    ) -> None:
        self.n_imputations = n_imputations
        self.max_iter = max_iter
        self.method = method
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fill the table several times; ``y`` is ignored."""
        check_params(self.PARAMS, self.get_params(deep=False))
        columns, matrix = Columns.read(X)
        validate_data(self, X, skip_check_array=True)
        if np.isnan(matrix).all(axis=0).any():
            raise ValueError("A column has no value, so it cannot be imputed. Leave it out.")
        check_largest(np.nan_to_num(matrix))
        rng = check_random_state(self.random_state)
        self.imputations_ = np.array(
            [self._chain(matrix, columns, rng) for _ in range(self.n_imputations)]
        )
        n = len(matrix)
        self.pooled_ = tuple(
            None
            if nominal or n < 2
            else pool(x.mean(axis=1), x.var(axis=1, ddof=1) / n, complete_dof=n - 1)
            for x, nominal in zip(
                np.moveaxis(self.imputations_, 2, 0), columns.nominal, strict=True
            )
        )
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Fit and return the filled tables, shape (n_imputations, n_samples, n_features)."""
        return self.fit(X, y).imputations_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _chain(self, matrix: Floats, columns: Columns, rng: Any) -> Floats:
        holes, filled = np.isnan(matrix), matrix.copy()
        some = np.flatnonzero(holes.any(axis=0))
        for j in some:
            known = matrix[~holes[:, j], j]
            filled[holes[:, j], j] = known[rng.randint(len(known), size=holes[:, j].sum())]
        for _ in range(self.max_iter):
            for j in some:
                look()
                filled[holes[:, j], j] = _draw(
                    filled, columns, int(j), holes[:, j], rng, self.method
                )
        return filled


def _draw(
    filled: Floats, columns: Columns, j: int, holes: NDArray[np.bool_], rng: Any, method: str
) -> Floats:
    names = columns.categories[j]
    X = design(filled, columns, j, np.zeros(filled.shape[1]))[0]
    size = np.maximum(np.abs(X).max(axis=0), 1e-300)
    X = X / size
    known, Y = X[~holes], outputs(filled[~holes, j], names)
    beta, _, rank, _ = np.linalg.lstsq(known, Y, rcond=None)
    drawn = method != "norm.predict"
    if names is not None:
        return chosen_name(X[holes] @ beta, rng if drawn else None)
    if not drawn:
        return np.asarray(X[holes] @ beta[:, 0])
    squared, free = float(((Y - known @ beta) ** 2).sum()), max(len(known) - X.shape[1], 1)
    if method == "norm.nob":
        return np.asarray(
            X[holes] @ beta[:, 0] + rng.normal(0, np.sqrt(squared / free), int(holes.sum()))
        )
    sigma = np.sqrt(squared / rng.chisquare(free))
    squares = known.T @ known
    if rank < X.shape[1]:
        squares += RIDGE * np.diag(np.diag(squares))
    values, axes = np.linalg.eigh(np.linalg.pinv(squares, hermitian=True))
    coefficients = beta[:, 0] + sigma * axes @ (
        np.sqrt(np.maximum(values, 0)) * rng.normal(size=len(values))
    )
    found: Floats = X[holes] @ coefficients + rng.normal(0, sigma, int(holes.sum()))
    return found
