"""Principal components: orthogonal directions of maximum variance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.decomposition.pca.power_iteration import PCAStep, power_iteration, signed
from dmlib.decomposition.pca.ranges import pca_ranges
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges, Spoken, check_params
from dmlib.squares import check_squares

TALL = 10  # with so many rows for each column, the covariance matrix is the cheaper way
MANY = 50  # and with more columns than that, if few components are asked for
WIDE = 1000  # but not with more columns than that
BLOCK = 4096  # rows that fit into the cache


class _Parts(NamedTuple):
    """The result of a decomposition."""

    mean: Floats
    scale: Floats
    variances: Floats
    components: Floats
    total: float
    n_iter: int = 1


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Find the orthogonal directions of maximum variance.

    The first component is the unit vector :math:`w` for which the variance of the projections,
    :math:`w' S w` with the covariance matrix :math:`S`, is largest. Each further one is the best at
    right angles to those before. They are the eigenvectors of :math:`S`, and the variances are its
    eigenvalues.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components; or the share of the variance, between 0 and 1, that they have to
        explain together; or None for as many as there are, the smaller of the numbers of rows and
        columns.
    scale : bool, default=False
        Whether each column is divided by its standard deviation (n - 1), so that all count alike.
    whiten : bool, default=False
        Whether the projections are divided by their standard deviations.
    svd_solver : {"auto", "full", "covariance_eigh", "power"}, default="auto"
        How they are computed: "full" by the singular value decomposition of the rows,
        "covariance_eigh" by the eigenvectors of the covariance matrix, "power" by power iteration;
        "auto" takes the cheaper of the first two.
    tol : float, default=1e-8
        The power iteration of a component ends when its axis turns by at most this angle, in
        radians.
    max_iter : int, default=1000
        Maximum number of iterations for each component.
    random_state : int, RandomState or None, default=None
        Seed of the axes from which the power iterations start.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The unit vectors, by falling variance. The entry of largest size is positive in each.
    explained_variance_ : ndarray of shape (n_components_,)
        The variances of the projections (n - 1): the largest eigenvalues of the covariance matrix.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        Their shares of the variance of all columns.
    singular_values_ : ndarray of shape (n_components_,)
        The roots of the sums of squares of the projections.
    mean_ : ndarray of shape (n_features,)
        The means of the columns.
    scale_ : ndarray of shape (n_features,)
        What the columns are divided by: their standard deviations, or ones.
    n_components_ : int
        Number of components.
    noise_variance_ : float
        Mean variance along the discarded components.
    n_iter_ : int
        Number of iterations for all components; 1 where they are computed at once.
    n_samples_ : int
        The number of rows.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If more components are asked for than there are, or if no column varies.

    Notes
    -----
    The covariance matrix costs O(n p^2) and its eigenvectors O(p^3); the singular value
    decomposition costs O(n p min(n, p)). A turn of the power iteration, :math:`w \leftarrow S w /
    \lVert S w \rVert`, costs O(p^2). It never lowers the variance, and shrinks the error by the
    ratio of the next eigenvalue to the largest. A component that is found is taken out of the
    covariance matrix (deflation): :math:`S \leftarrow S - \lambda w w'`. ``steps`` shows this
    iteration for every solver; its last step is the answer of ``fit``.

    Where variances are equal, or zero, the components are not unique. A constant column is not
    divided.

    References
    ----------
    K. Pearson (1901), On lines and planes of closest fit to systems of points in space.
    H. Hotelling (1933), Analysis of a complex of statistical variables into principal components.
    M. E. Tipping and C. M. Bishop (1999), Probabilistic principal component analysis (for
    ``score``). I. T. Jolliffe (2002), Principal component analysis, chapters 2, 3 and 6.

    Examples
    --------
    >>> model = PCA().fit([[4.0, 3.0], [-4.0, -3.0], [-1.5, 2.0], [1.5, -2.0]])
    >>> model.components_.round(3).tolist(), model.explained_variance_ratio_.round(3).tolist()
    ([[0.8, 0.6], [-0.6, 0.8]], [0.8, 0.2])
    """

    RANGES: ClassVar[Ranges] = staticmethod(pca_ranges)
    SPOKEN: ClassVar[Spoken] = {
        "svd_solver": {"full": "SVD", "covariance_eigh": "eigenvectors", "power": "power iteration"}
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        # as a control; the constructor takes a share, too
        "n_components": Integer(1, 100_000, shown=(1, 20), none="all"),
        "scale": Flag(),
        "whiten": Flag(),
        "svd_solver": Choice(("auto", "full", "covariance_eigh", "power")),
        "tol": Number(0.0, 1.0, shown=(1e-12, 0.1), log=True),
        "max_iter": Integer(1, 1_000_000, shown=(1, 50)),
    }

    def __init__(
        self,
        n_components: int | float | None = None,
        *,
        scale: bool = False,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 1e-8,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the components of the rows of ``X``; ``y`` is ignored."""
        self._fit(validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2))
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> Floats:
        """Fit and return the projections of the rows, shape ``(n_samples, n_components_)``."""
        rows = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2)
        self._fit(rows)
        return self._scores(rows)

    def transform(self, X: ArrayLike) -> Floats:
        """Return the scores of rows, their projections onto the components.

        The shape is ``(n_samples, n_components_)``.
        """
        check_is_fitted(self)
        return self._scores(validate_data(self, X, dtype=[np.float64, np.float32], reset=False))

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return the rows that have these projections, shape (n_samples, n_features)."""
        check_is_fitted(self)
        scores = check_array(
            X, dtype=[np.float64, np.float32], input_name="X", ensure_min_features=0
        )
        if self.whiten:
            scores = scores * np.sqrt(self.explained_variance_)
        rows: Floats = scores @ self.components_ * self.scale_ + self.mean_
        return rows

    def get_covariance(self) -> Floats:
        """Return the covariance matrix of the components and equal noise in all directions."""
        check_is_fitted(self)
        above = np.maximum(self.explained_variance_ - self.noise_variance_, 0)
        covariance: Floats = (self.components_.T * above) @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        scaled: Floats = covariance * np.outer(self.scale_, self.scale_)
        return scaled

    def get_precision(self) -> Floats:
        """Return the inverse of that matrix (where it is singular, its pseudo-inverse)."""
        inverse = np.linalg.pinv(self.get_covariance(), hermitian=True)
        precision: Floats = inverse.astype(self.components_.dtype)
        return precision

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the log density of each row under a normal distribution with that covariance."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=[np.float64, np.float32], reset=False) - self.mean_
        precision = self.get_precision()
        squares = np.einsum("ij,ij->i", rows @ precision, rows)
        constant = np.linalg.slogdet(precision)[1] - rows.shape[1] * np.log(2 * np.pi)
        densities: Floats = (constant - squares) / 2
        return densities

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean log density of the rows."""
        return float(self.score_samples(X).mean())

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[PCAStep]:
        """Yield every turn of the axes; the last step is the answer of ``fit``."""
        rows: Floats = check_array(X, dtype=np.float64, ensure_min_samples=2)
        self._check(rows, min_components=1)
        covariance = self._covariance(rows)[2]
        for step in self._turns(rows, covariance):
            last = step
            yield step
        variances, components = last.variances, last.components
        if self.svd_solver != "power":
            exact = self._decompose(rows)
            variances, components = exact.variances, exact.components
        done = replace(last, phase="done", component=len(variances), turned=0.0, reason="")
        axis, variance = components[-1], float(variances[-1])
        yield replace(
            done, axis=axis, variance=variance, components=components, variances=variances
        )

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _fit(self, X: Floats) -> None:
        self._check(X, min_components=int(self.svd_solver == "power"))
        parts = self._decompose(X)
        self.components_, self.explained_variance_ = parts.components, parts.variances
        self.mean_, self.scale_ = parts.mean, parts.scale
        self.explained_variance_ratio_ = parts.variances / parts.total
        self.singular_values_ = np.sqrt(parts.variances * (len(X) - 1))
        self.n_components_ = len(parts.variances)
        self.n_samples_ = len(X)
        self.n_iter_ = parts.n_iter
        n_discarded = min(X.shape) - self.n_components_
        variance = max(parts.total - float(parts.variances.sum()), 0.0)
        self.noise_variance_ = variance / n_discarded if n_discarded else 0.0

    def _scores(self, X: Floats) -> Floats:
        scores: Floats = ((X - self.mean_) / self.scale_) @ self.components_.T
        if self.whiten:
            # A component without variance has scores of zero but for rounding, and they have to
            # stay small.
            deviations = np.sqrt(self.explained_variance_)
            scores /= np.maximum(deviations, np.finfo(deviations.dtype).eps)
        return scores

    def _check(self, X: Floats, min_components: int) -> None:
        specs = {name: spec for name, spec in self.PARAMS.items() if name != "n_components"}
        check_params(specs, self.get_params())
        check_squares(X, each=self.scale)
        n_components, max_components = self.n_components, min(X.shape)
        is_number = isinstance(n_components, Integral) and not isinstance(n_components, bool)
        is_share = isinstance(n_components, Real) and not is_number and 0 < n_components < 1
        if n_components is None or is_share:
            return
        if not is_number or n_components < 0:
            raise ValueError(
                "n_components must be a whole number, a share from 0 to 1, or None; it was"
                f" {n_components!r}."
            )
        if not min_components <= n_components <= max_components:
            raise ValueError(
                f"n_components={n_components} must be between {min_components} and"
                f" min(n_samples, n_features)={max_components} with"
                f" svd_solver='{self._solver(X)}'. There are no more components than that."
            )

    def _solver(self, X: Floats) -> str:
        """Return the solver; for "auto" the cheaper of the two exact ones."""
        if self.svd_solver != "auto":
            return self.svd_solver
        n_samples, n_features = X.shape
        is_part = isinstance(self.n_components, Integral) and self.n_components < n_features / 2
        min_ratio = 1 if is_part and n_features > MANY else TALL
        is_tall = n_samples >= min_ratio * n_features
        return "covariance_eigh" if is_tall and n_features <= WIDE else "full"

    def _decompose(self, X: Floats) -> _Parts:
        """Return as many components as are asked for."""
        solver = self._solver(X)
        if solver == "full":
            return self._by_svd(X)
        mean, scale, covariance = self._covariance(X)
        total = float(np.trace(covariance))
        if solver == "power":
            n_iter = 0
            for step in self._turns(X, covariance):
                n_iter += step.phase == "turn"
            variances, components = step.variances.astype(X.dtype), step.components.astype(X.dtype)
            return _Parts(mean, scale, variances, components, total, n_iter)
        values, axes = _eigen(covariance, self.n_components)
        variances, components = self._leading(values, axes, total, min(X.shape))
        return _Parts(mean, scale, variances, components, total)

    def _by_svd(self, X: Floats) -> _Parts:
        with np.errstate(over="ignore", invalid="ignore"):
            rows = X - X[0]
            shift = rows.mean(axis=0)
            rows -= shift
            mean = X[0] + shift
            scale = self._divisors(np.einsum("ij,ij->j", rows, rows) / (len(rows) - 1), mean)
        rows /= scale
        _, singular, axes = np.linalg.svd(rows, full_matrices=False)
        variances = singular**2 / (len(rows) - 1)
        total = float(variances.sum())
        parts = self._leading(variances, axes, total, len(variances))
        return _Parts(mean, scale, *parts, total)

    def _covariance(self, X: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the means, the divisors, and the covariance matrix of the divided columns.

        The sums of products are taken around the first row: that is cheaper than around the means,
        loses no more digits than the number of rows has, and leaves the variance of a constant
        column exactly zero.
        """
        n_samples, n_features = X.shape
        sums, products = np.zeros(n_features, X.dtype), np.zeros((n_features, n_features), X.dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            for start in range(0, n_samples, BLOCK):
                differences = X[start : start + BLOCK] - X[0]
                sums += np.ones(len(differences), X.dtype) @ differences
                products += differences.T @ differences
            covariance = (products - np.outer(sums, sums / n_samples)) / (n_samples - 1)
        mean = X[0] + sums / n_samples
        scale = self._divisors(np.diag(covariance), mean)
        return mean, scale, covariance / np.outer(scale, scale)

    def _divisors(self, variances: Floats, mean: Floats) -> Floats:
        """Return the divisors of the columns; a constant one is divided by 1."""
        if not np.isfinite(variances.sum()):
            raise ValueError(
                "The squares of the values are too large for a computer number."
                " Standardise the columns."
            )
        deviations = np.sqrt(np.maximum(variances, 0))
        varies = deviations > 10 * np.finfo(mean.dtype).eps * np.abs(mean)
        if not varies.any():
            raise ValueError(
                "No column varies, so there is no direction of maximum variance."
                " Choose columns that do."
            )
        return np.where(varies, deviations, 1) if self.scale else np.ones_like(mean)

    def _turns(self, X: Floats, covariance: Floats) -> Iterator[PCAStep]:
        covariance = covariance.astype(np.float64)
        total, max_components = float(np.trace(covariance)), min(X.shape)
        rng = check_random_state(self.random_state)
        return power_iteration(
            covariance,
            lambda variances: self._enough(variances, total, max_components),
            tol=self.tol,
            max_iter=self.max_iter,
            rng=rng,
        )

    def _leading(
        self, variances: Floats, axes: Floats, total: float, max_components: int
    ) -> tuple[Floats, Floats]:
        """Return variances and axes of the first components, as many as are asked for."""
        numbers = range(max_components + 1)
        n = next(k for k in numbers if self._enough(variances[:k], total, max_components))
        return variances[:n].copy(), signed(axes[:n])

    def _enough(self, variances: Floats, total: float, max_components: int) -> bool:
        """Return whether these components are as many as are asked for."""
        limit = max_components if self.n_components is None else self.n_components
        if isinstance(limit, Integral):
            return len(variances) == limit
        return len(variances) == max_components or float(variances.sum()) > limit * total


def _eigen(covariance: Floats, n_components: int | float | None) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues and their eigenvectors, one a row, by falling eigenvalue."""
    p = len(covariance)
    first = p - max(1, int(n_components)) if isinstance(n_components, Integral) else 0
    values, vectors = linalg.eigh(covariance, subset_by_index=[first, p - 1])
    return np.maximum(values[::-1], 0), vectors.T[::-1]
