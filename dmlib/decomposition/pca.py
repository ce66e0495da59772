"""Principal components: the directions in which rows vary most, one at right angles to the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.decomposition.power_iteration import Floats, PCAStep, power_iteration, signed
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params

TALL = 10  # with so many rows for each column, the covariance matrix is the cheaper way
WIDE = 1000  # columns above which it is not


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Find the directions in which the rows vary most.

    The first component is the unit vector :math:`w` for which the variance of the projections, :math:`w' S w` with the
    covariance matrix :math:`S`, is largest. Each further one is the best at right angles to those before. They are the
    eigenvectors of :math:`S`, and the variances are its eigenvalues.

    Parameters
    ----------
    n_components : int, float or None, default=None
        How many components are kept: a number; the share of the variance, between 0 and 1, that they have to explain
        together; or as many as there are, the smaller of the numbers of rows and columns.
    scale : bool, default=False
        Whether each column is divided by its standard deviation (n - 1), so that all count alike.
    whiten : bool, default=False
        Whether the projections are divided by their standard deviations.
    svd_solver : {"auto", "full", "covariance_eigh", "power"}, default="auto"
        How they are computed: "full" by the singular value decomposition of the rows, "covariance_eigh" by the
        eigenvectors of the covariance matrix, "power" by power iteration; "auto" takes the cheaper of the first two.
    tol : float, default=1e-8
        A power iteration ends when the axis turns by less than this angle, in radians.
    max_iter : int, default=1000
        The largest number of turns for one component.
    random_state : int, RandomState or None, default=None
        The seed of the axes that the power iteration starts from.

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
        How many components are kept.
    noise_variance_ : float
        The mean variance of those that are not.
    n_iter_ : int
        How often the axes turned in all; 1 where the components are computed at once.
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
    The covariance matrix costs O(n p^2) and its eigenvectors O(p^3); the singular value decomposition costs
    O(n p min(n, p)). A turn of the power iteration, :math:`w \leftarrow S w / \lVert S w \rVert`, costs O(p^2). It
    never lowers the variance, and shrinks the error by the ratio of the next eigenvalue to the largest. A component
    that is found is taken out of the covariance matrix (deflation): :math:`S \leftarrow S - \lambda w w'`. ``steps``
    shows this iteration for every solver; its last step is the answer of ``fit``.

    Where variances are equal, or zero, the components are not unique. A constant column is not divided.

    References
    ----------
    K. Pearson (1901), On lines and planes of closest fit to systems of points in space.
    H. Hotelling (1933), Analysis of a complex of statistical variables into principal components.
    M. E. Tipping and C. M. Bishop (1999), Probabilistic principal component analysis (for ``score``).
    I. T. Jolliffe (2002), Principal component analysis, chapters 2, 3 and 6.

    Examples
    --------
    >>> model = PCA().fit([[4.0, 3.0], [-4.0, -3.0], [-1.5, 2.0], [1.5, -2.0]])
    >>> model.components_.round(3).tolist(), model.explained_variance_ratio_.round(3).tolist()
    ([[0.8, 0.6], [-0.6, 0.8]], [0.8, 0.2])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "scale": Flag(),
        "whiten": Flag(),
        "svd_solver": Choice(("auto", "full", "covariance_eigh", "power")),
        "tol": Number(0.0, 1.0, shown=(1e-12, 0.1), log=True),
        "max_iter": Integer(1, 1_000_000, shown=(1, 1000)),
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
        self._fit(X)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> Floats:
        """Fit and return the projections of the rows, shape (n_samples, n_components_)."""
        return self._scores(self._fit(X))

    def transform(self, X: ArrayLike) -> Floats:
        """Return the projections of rows onto the components (their scores), shape (n_samples, n_components_)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return self._scores((rows - self.mean_) / self.scale_)

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return the rows that have these projections, shape (n_samples, n_features)."""
        check_is_fitted(self)
        scores = check_array(X, dtype=[np.float64, np.float32], input_name="X")
        if self.whiten:
            scores = scores * np.sqrt(self.explained_variance_)
        rows: Floats = scores @ self.components_ * self.scale_ + self.mean_
        return rows

    def get_covariance(self) -> Floats:
        """Return the covariance matrix that the components and equal noise in all other directions imply."""
        check_is_fitted(self)
        above = np.maximum(self.explained_variance_ - self.noise_variance_, 0)
        covariance: Floats = (self.components_.T * above) @ self.components_
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        scaled: Floats = covariance * np.outer(self.scale_, self.scale_)
        return scaled

    def get_precision(self) -> Floats:
        """Return the inverse of that matrix (where it is singular, its pseudo-inverse)."""
        precision: Floats = np.linalg.pinv(self.get_covariance(), hermitian=True).astype(self.components_.dtype)
        return precision

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the log density of each row under a normal distribution with that covariance."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=[np.float64, np.float32], reset=False) - self.mean_
        precision = self.get_precision()
        squares = np.einsum("ij,ij->i", rows @ precision, rows)
        densities: Floats = (np.linalg.slogdet(precision)[1] - rows.shape[1] * np.log(2 * np.pi) - squares) / 2
        return densities

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean log density of the rows."""
        return float(self.score_samples(X).mean())

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[PCAStep]:
        """Yield every turn of the axis, component after component; the last step is the answer of ``fit``."""
        rows, _, _ = self._standardised(check_array(X, dtype=np.float64, ensure_min_samples=2), least=1)
        for step in self._power(rows):
            last = step
            yield step
        variances, components = (last.variances, last.components) if self._by_power else self._exact(rows)
        done = replace(last, phase="done", component=len(variances), turned=0.0, reason="")
        axis, variance = components[-1], float(variances[-1])
        yield replace(done, axis=axis, variance=variance, components=components, variances=variances)

    def _scores(self, rows: Floats) -> Floats:
        """Return the projections of standardised rows."""
        scores: Floats = rows @ self.components_.T
        if self.whiten:
            # A component without variance has projections of zero but for rounding, and they stay small.
            deviations = np.sqrt(self.explained_variance_)
            scores /= np.maximum(deviations, np.finfo(deviations.dtype).eps)
        return scores

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    @property
    def _by_power(self) -> bool:
        return self.svd_solver == "power"

    def _fit(self, X: ArrayLike) -> Floats:
        """Fit, and return the standardised rows."""
        given: Floats = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2)
        rows, self.mean_, self.scale_ = self._standardised(given, least=int(self._by_power))
        if self._by_power:
            n_turns = 0
            for last in self._power(rows):
                n_turns += last.phase == "turn"
            variances, components = last.variances.astype(rows.dtype), last.components.astype(rows.dtype)
        else:
            n_turns = 1
            variances, components = self._exact(rows)
        total, n_left = _total(rows), min(rows.shape) - len(variances)
        self.components_, self.explained_variance_ = components, variances
        self.explained_variance_ratio_ = variances / total
        self.singular_values_ = np.sqrt(variances * (len(rows) - 1))
        self.n_components_, self.n_samples_, self.n_iter_ = len(variances), len(rows), n_turns
        self.noise_variance_ = max(total - float(variances.sum()), 0.0) / n_left if n_left else 0.0
        return rows

    def _standardised(self, X: Floats, least: int) -> tuple[Floats, Floats, Floats]:
        """Check everything; return the rows that are decomposed, what was taken away, and what they were divided by."""
        check_params(self.PARAMS, self.get_params())
        self._check_n_components(X, least)
        mean = X.mean(axis=0)
        rows = X - mean
        with np.errstate(over="ignore"):
            deviations = np.sqrt(np.einsum("ij,ij->j", rows, rows) / (len(X) - 1))
        if not np.isfinite(deviations @ deviations):
            raise ValueError("The squares of the values are too large for a computer number. Standardise the columns.")
        varies = deviations > 10 * np.finfo(X.dtype).eps * np.abs(mean)
        if not varies.any():
            raise ValueError("No column varies, so there is no direction of most variance. Choose columns that do.")
        scale = np.where(varies, deviations, 1) if self.scale else np.ones_like(mean)
        if self.scale:
            rows /= scale
        return rows, mean, scale

    def _check_n_components(self, X: Floats, least: int) -> None:
        wanted, most = self.n_components, min(X.shape)
        if wanted is None or (isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0 < wanted < 1):
            return
        if not isinstance(wanted, Integral) or isinstance(wanted, bool):
            raise ValueError(
                f"n_components must be a whole number, a share between 0 and 1, or None; it was {wanted!r}."
            )
        if not least <= wanted <= most:
            raise ValueError(
                f"n_components={wanted} must be between {least} and min(n_samples, n_features)={most} "
                f"with svd_solver='{self._solver(X)}'. There are no more components than that."
            )

    def _solver(self, X: Floats) -> str:
        if self.svd_solver != "auto":
            return self.svd_solver
        n_samples, n_features = X.shape
        return "covariance_eigh" if n_samples >= TALL * n_features and n_features <= WIDE else "full"

    def _exact(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return the variances and components that are kept."""
        most = min(rows.shape)
        if self._solver(rows) == "covariance_eigh":
            values, vectors = np.linalg.eigh(_covariance(rows))
            variances, axes = np.maximum(values[::-1][:most], 0), vectors.T[::-1]
        else:
            _, singular, axes = np.linalg.svd(rows, full_matrices=False)
            variances = singular**2 / (len(rows) - 1)
        total = _total(rows)
        kept = next(k for k in range(most + 1) if self._enough(variances[:k], total, most))
        return variances[:kept].copy(), signed(axes[:kept])

    def _power(self, rows: Floats) -> Iterator[PCAStep]:
        covariance = _covariance(rows.astype(np.float64, copy=False))
        total, most = float(np.trace(covariance)), min(rows.shape)
        rng = check_random_state(self.random_state)
        return power_iteration(
            covariance, lambda found: self._enough(found, total, most), tol=self.tol, max_iter=self.max_iter, rng=rng
        )

    def _enough(self, variances: Floats, total: float, most: int) -> bool:
        """Return whether these components are as many as are asked for."""
        wanted = most if self.n_components is None else self.n_components
        if isinstance(wanted, Integral):
            return len(variances) == wanted
        return len(variances) == most or float(variances.sum()) > wanted * total


def _covariance(rows: Floats) -> Floats:
    covariance: Floats = rows.T @ rows / (len(rows) - 1)
    return covariance


def _total(rows: Floats) -> float:
    """Return the variance of all columns together."""
    return float(np.einsum("ij,ij->", rows, rows) / (len(rows) - 1))
