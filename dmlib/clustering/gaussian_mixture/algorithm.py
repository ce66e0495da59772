"""Gaussian mixtures: soft clusters, found by expectation and maximisation (EM)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self, cast
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.gaussian_mixture.em import EM, GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES, IDENTITY, Mixture
from dmlib.clustering.gaussian_mixture.mixture_start import Start, given_start
from dmlib.clustering.ranges import count_ranges
from dmlib.params import (
    Choice,
    Conditions,
    Flag,
    Integer,
    Number,
    Param,
    Ranges,
    Spoken,
    check_params,
)
from dmlib.squares import finite_values


class GaussianMixture(DensityMixin, BaseEstimator):
    r"""Find the k Gaussian densities, and their weights, that together make the rows likely.

    The density of a row is :math:`p(x) = \sum_j \pi_j N(x; \mu_j, \Sigma_j)`. The expectation step
    gives each component its share of each row, :math:`r_{ij} = \pi_j N(x_i; \mu_j, \Sigma_j) /
    p(x_i)`. The maximisation step estimates the weights, means and covariances from the rows
    counted by these shares. Neither lowers the log-likelihood :math:`\sum_i \ln p(x_i)`.

    Parameters
    ----------
    n_components : int, default=3
        The number of components, k.
    covariance_type : {"full", "tied", "diag", "spherical", "identity"}, default="full"
        The shapes: "full" gives each component an ellipse of its own, "tied" one ellipse for all,
        "diag" ellipses along the axes, "spherical" circles. "identity" fixes them at circles of
        one variance, σ² I: only weights and means are estimated.
    variance : float, default=1.0
        For "identity": σ², in the squared units of the data. The smaller, the more like k-means.
    tol : float, default=1e-3
        A run ends when the mean log-likelihood of a row changes by less than this from one
        iteration to the next.
    reg_covar : float, default=1e-6
        What is added to every variance, so that no component can collapse onto a single row.
    max_iter : int, default=100
        The largest number of iterations in one restart.
    n_init : int, default=1
        How many restarts; the one with the largest log-likelihood is kept. A given start is run
        once.
    init : {"kmeans", "k-means++", "random_from_data", "random"} or array (n_samples, n_components)
        The shares to start with: "kmeans" those of k-means; "k-means++" and "random_from_data" one
        row for each component; "random" random shares. Or an array of shares, whose rows sum to 1.
    init_params : str, optional
        scikit-learn's name for ``init``; where it is given, it counts.
    weights_init : array-like of shape (n_components,), optional
        Weights to start with, in place of those estimated from the shares.
    means_init : array-like of shape (n_components, n_features), optional
        Means to start with.
    precisions_init : array-like, optional
        Inverses of the covariances to start with, in the shape of ``precisions_``.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.
    warm_start : bool, default=False
        Whether ``fit`` goes on from the last answer.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        The weights.
    means_ : ndarray of shape (n_components, n_features)
        The means.
    covariances_ : ndarray
        The covariances; shape (k, d, d) if "full", (d, d) if "tied", (k, d) if "diag", (k,) if
        "spherical".
    precisions_cholesky_, precisions_ : ndarray
        Of each covariance matrix the upper triangular P with P P' = its inverse, and the inverse;
        of each variance 1 / its root, and 1 / it.
    labels_ : ndarray of shape (n_samples,)
        The component with the largest share in each row.
    converged_ : bool
        Whether the tolerance was reached.
    n_iter_ : int
        The number of iterations of the best restart.
    log_likelihood_ : float
        The log-likelihood of the rows under the final weights, means and covariances.
    lower_bound_ : float
        The mean log-likelihood of a row in the last expectation step of the best restart.
    lower_bounds_ : list of float
        The same for each of its iterations.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows than components, or if covariances are singular and cannot be
        helped.

    Notes
    -----
    An iteration costs O(n k d^2), or O(n k d) for "diag" and "spherical". Starts, iterations, the
    rule of stopping and the attributes are scikit-learn's: an iteration is an expectation and a
    maximisation, so ``lower_bound_`` belongs to the parameters before the last maximisation.
    ``labels_`` and ``log_likelihood_`` belong to the final ones.

    The log-likelihood has no upper limit: a component whose mean is a row and whose variance goes
    to zero is ever more likely. With ``reg_covar`` > 0 no variance falls below it, and the step
    names the components that it holds; the log-likelihood may then fall by about as little as
    ``reg_covar`` is small. With ``reg_covar`` = 0 a component that has become flat (a variance
    below 1e-13 of its column's) is started anew, with a random row as its mean and the covariance
    of all rows. A component that has lost its rows stays where it was, with a weight of almost
    zero.

    References
    ----------
    A. P. Dempster, N. M. Laird and D. B. Rubin (1977), Maximum likelihood from incomplete data via
    the EM algorithm. C. M. Bishop (2006), Pattern recognition and machine learning, section 9.2,
    equations 9.23 to 9.28. G. Celeux and G. Govaert (1995), Gaussian parsimonious clustering
    models.

    Examples
    --------
    >>> shares = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> model = GaussianMixture(2, init=shares).fit([[0.0], [2.0], [10.0], [14.0]])
    >>> model.means_.round(3).ravel().tolist(), model.covariances_.round(3).ravel().tolist()
    ([1.0, 12.0], [1.0, 4.0])
    >>> model.labels_.tolist()
    [0, 0, 1, 1]
    """

    TITLE: ClassVar[str] = "Gaussian mixture"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {"covariance_type": "Covariance type"}
    APPLIES: ClassVar[Conditions] = {"variance": ("covariance_type", (IDENTITY,))}
    SPOKEN: ClassVar[Spoken] = {"covariance_type": {IDENTITY: "identity (σ² I, fixed)"}}
    RANGES: ClassVar[Ranges] = staticmethod(count_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": Integer(1, 256, shown=(1, 10)),
        "covariance_type": Choice((*COVARIANCE_TYPES, IDENTITY)),
        "variance": Number(1e-12, 1e12, shown=(0.001, 10.0), log=True),
        "init": Choice(("kmeans", "k-means++", "random_from_data", "random"), arrays=True),
        "n_init": Integer(1, 100, shown=(1, 20)),
        "max_iter": Integer(0, 10_000, shown=(0, 50)),
        "tol": Number(0.0, 1.0, shown=(0.0, 1.0), log=True),
        "reg_covar": Number(0.0, 1e6, shown=(0.0, 1.0), log=True),
        "warm_start": Flag(),
    }

    weights_: Floats
    means_: Floats
    covariances_: Floats
    labels_: NDArray[np.intp]
    log_likelihood_: float
    lower_bound_: float

    def __init__(
        self,
        n_components: int = 3,
        *,
        covariance_type: str = "full",
        variance: float = 1.0,
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init: str | ArrayLike = "kmeans",
        init_params: str | None = None,
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        precisions_init: ArrayLike | None = None,
        random_state: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.variance = variance
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init = init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the mixture that makes the rows of ``X`` likely; ``y`` is ignored."""
        rows = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        return self._adopt(self._steps(rows, self._warm()), len(rows))

    def fit_from(self, steps: Sequence[GaussianMixtureStep], X: ArrayLike, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without searching again."""
        return self._adopt(
            steps, len(validate_data(self, X, dtype=np.float64, ensure_min_samples=2))
        )

    def _adopt(self, steps: Iterable[GaussianMixtureStep], n_samples: int) -> Self:
        """Keep the mixture of the last step, and how the likelihood of its restart has risen."""
        bounds: dict[int, list[float]] = {}
        for step in steps:
            if step.phase == "expectation":
                bounds.setdefault(step.restart, []).append(step.log_likelihood / n_samples)
            last = step
        mixture, shares = cast(Mixture, last.mixture), cast(Floats, last.responsibilities)
        self.weights_, self.means_ = mixture.weights, mixture.means
        self.covariances_ = mixture.covariances
        self.precisions_cholesky_, self.precisions_ = mixture.factors, mixture.precisions
        self.labels_, self.log_likelihood_ = np.argmax(shares, axis=1), last.log_likelihood
        self.converged_, self.n_iter_ = last.converged, last.iteration
        self.lower_bounds_ = bounds.get(last.restart, [])
        self.lower_bound_ = self.lower_bounds_[-1] if self.lower_bounds_ else -np.inf
        if not last.converged and self.max_iter > 0:
            warn(
                f"The best mixture did not converge. {last.reason}",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def fit_predict(self, X: ArrayLike, y: Any = None) -> NDArray[np.intp]:
        """Fit the mixture and return the component with the largest share in each row."""
        return self.fit(X).labels_

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[GaussianMixtureStep]:
        """Yield every half-step of every restart; the last step is the answer of ``fit``."""
        yield from self._steps(check_array(X, dtype=np.float64, ensure_min_samples=2), self._warm())

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the component with the largest share in each row."""
        labels: NDArray[np.intp] = np.argmax(self.predict_proba(X), axis=1)
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the share of each component in each row, shape (n_samples, n_components)."""
        return self._expect(X)[0]

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the log density at each row."""
        return self._expect(X)[1]

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean log density of the rows."""
        return float(self.score_samples(X).mean())

    def bic(self, X: ArrayLike) -> float:
        """Return the Bayesian information criterion, -2 ln L + p ln n; smaller is better."""
        log_densities = self.score_samples(X)
        return float(self._n_parameters() * np.log(len(log_densities)) - 2 * log_densities.sum())

    def aic(self, X: ArrayLike) -> float:
        """Return Akaike's information criterion, -2 ln L + 2 p; smaller is better."""
        return float(2 * self._n_parameters() - 2 * self.score_samples(X).sum())

    def sample(self, n_samples: int = 1) -> tuple[Floats, NDArray[np.intp]]:
        """Draw rows from the fitted mixture, by component; return them and their components."""
        mixture = self._fitted()
        if n_samples < 1:
            raise ValueError(f"Invalid value for 'n_samples': {n_samples}. Draw at least one row.")
        rng = check_random_state(self.random_state)
        sizes = rng.multinomial(n_samples, mixture.weights / mixture.weights.sum())
        draws = zip(mixture.means, mixture.matrices(), sizes, strict=True)
        rows = [rng.multivariate_normal(mean, matrix, size) for mean, matrix, size in draws]
        return np.vstack(rows), np.repeat(np.arange(len(sizes)), sizes)

    def _n_parameters(self) -> int:
        return self._fitted().n_parameters

    def _fitted(self) -> Mixture:
        check_is_fitted(self, "weights_")
        return Mixture(self.covariance_type, self.weights_, self.means_, self.covariances_)

    def _expect(self, X: ArrayLike) -> tuple[Floats, Floats]:
        mixture = self._fitted()
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        shares = np.empty(0)

        def log_densities() -> Floats:
            nonlocal shares
            shares, densities = mixture.expect(np.ascontiguousarray(rows.T))
            return densities

        densities = finite_values(log_densities)
        return shares, densities

    def _warm(self) -> tuple[Start, float] | None:
        """Return the last answer and its lower bound, where a fit goes on from it."""
        if not self.warm_start or not hasattr(self, "weights_"):
            return None
        return Start(None, self.weights_, self.means_, self.covariances_), self.lower_bound_

    def _steps(self, X: Floats, warm: tuple[Start, float] | None) -> Iterator[GaussianMixtureStep]:
        how: Any = self.init if self.init_params is None else self.init_params
        check_params(self.PARAMS, {**self.get_params(), "init": how})
        if len(X) < self.n_components:
            raise ValueError(
                f"Expected n_samples >= n_components, but n_samples={len(X)} "
                f"and n_components={self.n_components}. Choose fewer components."
            )
        start = warm[0] if warm else given_start(self, X.shape, how)
        bound = warm[1] if warm else -np.inf
        em = EM(
            X,
            self.n_components,
            self.covariance_type,
            self.reg_covar,
            check_random_state(self.random_state),
            self.variance,
        )
        best: GaussianMixtureStep | None = None
        best_bound = -np.inf
        n_restarts = self.n_init if isinstance(how, str) and not warm else 1
        for restart in range(n_restarts):
            mixture = yield from em.begin(start, how, restart)
            done, reached = yield from em.iterate(mixture, bound, restart, self.max_iter, self.tol)
            if best is None or reached > best_bound:
                best, best_bound = done, reached
        if n_restarts > 1 and best is not None:
            yield replace(best, phase="best")
