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
RIDGE = 1e-5  # share of the diagonal that is added where columns are collinear, as in mice


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
        The relative increase of the variance by the holes, (1 + 1/m) B / W; r in mice.
    missing_information : float
        The fraction of missing information on the estimate, (r + 2 / (dof + 3)) / (r + 1); fmi in
        mice.
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
    >>> pooled = pool([10.0, 12.0, 14.0], [1.0, 1.0, 1.0])
    >>> pooled.estimate, pooled.within, pooled.between, round(pooled.total, 4)
    (12.0, 1.0, 4.0, 6.3333)
    >>> round(pooled.dof, 4)
    2.8203
    """
    q, u = np.asarray(estimates, float), np.asarray(variances, float)
    if q.size < 2 or q.shape != u.shape:
        raise ValueError("Rubin's rules need two estimates or more, each with its variance.")
    m, within, between = q.size, float(u.mean()), float(q.var(ddof=1))
    added = (1 + 1 / m) * between
    total = within + added
    share = added / total if total > 0 else 0.0
    dof = (m - 1) / share**2 if share > 0 else float("inf")
    if np.isfinite(complete_dof):
        observed = (complete_dof + 1) / (complete_dof + 3) * complete_dof * (1 - share)
        dof = 1 / (1 / dof + 1 / observed) if observed > 0 else 0.0
    increase = float("inf") if added > 0 else 0.0
    if within > 0:
        increase = added / within
    missing = 1.0 if np.isinf(increase) else (increase + 2 / (dof + 3)) / (increase + 1)
    return Pooled(float(q.mean()), within, between, total, dof, increase, missing)


class MultipleImputer(BaseEstimator):
    r"""Fill a table several times, by chained equations.

    Parameters
    ----------
    n_imputations : int, default=5
        The number of filled tables.
    max_iter : int, default=10
        How often each column with holes is regressed on the others.
    method : {"norm", "norm.nob", "norm.predict"}, default="norm"
        The imputed value, by mice's names: a draw from the regression with drawn coefficients and
        residuals; one with the least-squares coefficients, and drawn residuals; or the prediction
        of these coefficients. Only the first has the variance that Rubin's rules need.
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
    :math:`\beta \sim N(\hat\beta, \sigma^2 (X'X)^{-1})`. A name is drawn in proportion to a linear
    regression of each name, which is simpler than the logistic one of mice.

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
        chains = [self._chain(matrix, columns, rng) for _ in range(self.n_imputations)]
        self.imputations_ = np.array(chains)
        n, pooled = len(matrix), list[Pooled | None]()
        for j, is_nominal in enumerate(columns.nominal):
            x = self.imputations_[:, :, j]
            if is_nominal or n < 2:
                pooled.append(None)
            else:
                variances = x.var(axis=1, ddof=1) / n
                pooled.append(pool(x.mean(axis=1), variances, complete_dof=n - 1))
        self.pooled_ = tuple(pooled)
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
        incomplete = np.flatnonzero(holes.any(axis=0)).tolist()
        for j in incomplete:
            is_hole = holes[:, j]
            values = matrix[~is_hole, j]
            filled[is_hole, j] = values[rng.randint(len(values), size=is_hole.sum())]
        for _ in range(self.max_iter):
            for j in incomplete:
                look()
                filled[holes[:, j], j] = _draw(filled, columns, j, holes[:, j], rng, self.method)
        return filled


def _draw(
    filled: Floats, columns: Columns, j: int, holes: NDArray[np.bool_], rng: Any, method: str
) -> Floats:
    names = columns.categories[j]
    X = design(filled, columns, j, np.zeros(filled.shape[1]))[0]
    size = np.maximum(np.abs(X).max(axis=0), 1e-300)
    X = X / size
    train, test = X[~holes], X[holes]
    Y = outputs(filled[~holes, j], names)
    beta, _, rank, _ = np.linalg.lstsq(train, Y, rcond=None)
    has_noise = method != "norm.predict"
    if names is not None:
        return chosen_name(test @ beta, rng if has_noise else None)
    coefficients = beta[:, 0]
    if not has_noise:
        return np.asarray(test @ coefficients)
    rss = float(((Y - train @ beta) ** 2).sum())
    dof = max(len(train) - X.shape[1], 1)
    sigma = np.sqrt(rss / dof)
    if method == "norm":
        sigma = np.sqrt(rss / rng.chisquare(dof))
        squares = train.T @ train
        if rank < X.shape[1]:
            squares += RIDGE * np.diag(np.diag(squares))
        values, axes = np.linalg.eigh(np.linalg.pinv(squares, hermitian=True))
        deviations = np.sqrt(np.maximum(values, 0)) * rng.normal(size=len(values))
        coefficients = coefficients + sigma * axes @ deviations
    return np.asarray(test @ coefficients + rng.normal(0, sigma, len(test)))
