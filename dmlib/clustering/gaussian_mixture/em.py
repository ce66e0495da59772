"""The half-steps of expectation and maximisation (EM) for Gaussian mixtures."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.clustering.gaussian_mixture.gaussians import TINY, Mixture, estimate
from dmlib.clustering.gaussian_mixture.mixture_start import Start, draw_shares
from dmlib.squares import check_squares
from dmlib.trace import look

FLAT = 1e-13  # below this share of its column's variance, a variance is zero but for rounding
EMPTY = 1e-8  # a component that has fewer rows than this cannot be estimated
MAX_RESETS = 10
REMEDY = "Choose fewer components, a simpler covariance type, or a larger reg_covar."

Phase = Literal["start", "maximization", "reset", "expectation", "done", "best"]


@dataclass(frozen=True)
class GaussianMixtureStep:
    """One step of EM.

    Attributes
    ----------
    phase : {"start", "maximization", "reset", "expectation", "done", "best"}
        What was done: shares to start with; weights, means and covariances estimated; collapsed
        components started anew; responsibilities computed; a restart ended; the best restart chosen
        (only with more than one).
    restart : int
        The restart, from 0.
    iteration : int
        The iteration, from 1; 0 for the start. On "done" and "best" the number of iterations, as
        ``n_iter_``.
    responsibilities : ndarray of shape (n_samples, n_components) or None
        The share of each component in each row; None at a start from given weights, means and
        precisions.
    mixture : Mixture or None
        The weights, means and covariances; None before the first are estimated.
    log_likelihood : float
        The sum over the rows of the log density under ``mixture``; NaN before an expectation has
        computed it.
    reg_covar : float
        What was added to each variance.
    lost : tuple of int
        In "maximization": the components with too few rows to be estimated from, which stay where
        they were.
    reset : tuple of (int, int)
        In "reset": the components that had collapsed, each with the row that became its mean (-1:
        it kept its mean).
    converged : bool
        On "done" and "best": whether the tolerance was reached.
    reason : str
        On "reset", "done" and "best": why, as a sentence.
    """

    phase: Phase
    restart: int
    iteration: int
    responsibilities: Floats | None
    mixture: Mixture | None
    log_likelihood: float
    reg_covar: float
    lost: tuple[int, ...] = ()
    reset: tuple[tuple[int, int], ...] = ()
    converged: bool = False
    reason: str = ""

    @property
    def weights(self) -> Floats | None:
        """The shares of the components, shape (n_components,)."""
        return None if self.mixture is None else self.mixture.weights

    @property
    def means(self) -> Floats | None:
        """The means, shape (n_components, n_features)."""
        return None if self.mixture is None else self.mixture.means

    @property
    def covariances(self) -> Floats | None:
        """The covariances, shaped as ``covariances_``."""
        return None if self.mixture is None else self.mixture.covariances

    @property
    def regularised(self) -> tuple[int, ...]:
        """The components that only ``reg_covar`` keeps from collapsing."""
        if self.mixture is None or self.reg_covar == 0:
            return ()
        smallest = np.linalg.eigvalsh(self.mixture.matrices())[:, 0]
        return tuple(np.flatnonzero(smallest <= 2 * self.reg_covar).tolist())


class EM:
    """EM on some rows, for a mixture of ``n_components`` of a covariance type of :class:`Mixture`.

    ``reg_covar`` is added to every variance; ``rng`` is the source of random numbers.

    Raises
    ------
    ValueError
        If the squares of the values overflow.

    Examples
    --------
    >>> em = EM(np.array([[0.0], [2.0], [10.0], [14.0]]), 2, "diag", 0.0, np.random.RandomState(0))
    >>> [step.phase for step in em.begin(Start(), "kmeans", 0)]
    ['start', 'maximization']
    """

    def __init__(
        self,
        X: Floats,
        n_components: int,
        covariance_type: str,
        reg_covar: float,
        rng: Any,
        variance: float = 1.0,
    ) -> None:
        check_squares(X)
        self._X = X
        self._columns = np.ascontiguousarray(X.T)
        self._k, self._type = n_components, covariance_type
        self._reg, self._rng, self._variance = reg_covar, rng, variance
        with np.errstate(over="ignore", invalid="ignore"):
            variances = self._columns.var(axis=1)
        if not np.isfinite(variances.sum()):
            raise ValueError(
                "The squares of the values are too large for a computer number. "
                "Standardise the columns."
            )
        # The mean of equal numbers is exact but for rounding, and so is the variance of a constant
        # column.
        self._flat_below = (
            FLAT * variances + len(X) * (TINY * np.abs(self._columns).max(axis=1)) ** 2
        )

    def begin(
        self, start: Start, how: str, restart: int
    ) -> Generator[GaussianMixtureStep, None, Mixture]:
        """Start from what is given, and from shares drawn as ``how`` says."""
        mixture = start.mixture(self._type)
        shares = start.shares
        if shares is None and mixture is None:
            shares = draw_shares(self._X, self._k, how, self._rng)
        yield self._step("start", restart, 0, shares, mixture)
        if shares is not None:
            mixture, _ = yield from self._maximize(shares, None, restart, 0, start)
        return cast(Mixture, mixture)

    def iterate(
        self, mixture: Mixture, bound: float, restart: int, max_iter: int, tol: float
    ) -> Generator[GaussianMixtureStep, None, tuple[GaussianMixtureStep, float]]:
        """Alternate the half-steps; return the last step and the last mean log-likelihood."""
        converged, iteration = False, 0
        n_resets = 0
        reason = f"The limit of {max_iter} iterations was reached."
        for iteration in range(1, max_iter + 1):
            before = bound
            shares, log_densities = mixture.expect(self._columns)
            bound = float(log_densities.mean())
            yield self._step(
                "expectation", restart, iteration, shares, mixture, float(log_densities.sum())
            )
            mixture, was_reset = yield from self._maximize(shares, mixture, restart, iteration)
            if was_reset:
                bound = -np.inf  # nothing to compare the next one with
                n_resets += 1
                if n_resets == MAX_RESETS:
                    reason = f"Stopped, because components collapsed {MAX_RESETS} times. {REMEDY}"
                    break
            elif abs(bound - before) < tol:
                converged = True
                reason = "The mean log-likelihood of a row changed by less than the tolerance."
                break
        shares, log_densities = mixture.expect(self._columns)
        likelihood = float(log_densities.sum())
        done = self._step(
            "done",
            restart,
            iteration,
            shares,
            mixture,
            likelihood,
            converged=converged,
            reason=reason,
        )
        yield done
        return done, bound

    def _maximize(
        self,
        shares: Floats,
        before: Mixture | None,
        restart: int,
        iteration: int,
        start: Start | None = None,
    ) -> Generator[GaussianMixtureStep, None, tuple[Mixture, bool]]:
        """Estimate the mixture; restart collapsed components, and return whether there were any."""
        mixture, lost = self._estimate(shares, before)
        mixture = start.over(mixture) if start else mixture
        yield self._step("maximization", restart, iteration, shares, mixture, lost=lost)
        flat = self._flat(mixture)
        if not flat:
            return mixture, False
        mixture, reset = self._restore(mixture, flat, moved=iteration > 0)
        reason = "A covariance became singular: the log-likelihood would grow without limit."
        yield self._step("reset", restart, iteration, shares, mixture, reset=reset, reason=reason)
        return mixture, True

    def _estimate(self, shares: Floats, before: Mixture | None) -> tuple[Mixture, tuple[int, ...]]:
        """Return the most likely mixture; an empty component stays, or starts at a random row."""
        sizes, means, covariances = estimate(
            self._columns, shares, self._type, self._reg, self._variance
        )
        lost = np.flatnonzero(sizes < EMPTY)
        if lost.size:
            means[lost] = (
                before.means[lost] if before else self._X[self._rng.choice(len(self._X), lost.size)]
            )
            if self._type != "tied":
                covariances[lost] = before.covariances[lost] if before else self._single.covariances
        return Mixture(self._type, sizes / sizes.sum(), means, covariances), tuple(lost.tolist())

    def _flat(self, mixture: Mixture) -> list[int]:
        """Return the components whose variance in some direction is zero but for rounding."""
        flat = (mixture.spreads() <= self._flat_below).any(axis=1)
        return np.flatnonzero(np.broadcast_to(flat, len(mixture.means))).tolist()

    def _restore(
        self, mixture: Mixture, flat: list[int], moved: bool
    ) -> tuple[Mixture, tuple[tuple[int, int], ...]]:
        """Give flat components the covariance of all rows and, if moved, random rows as means."""
        rows = self._rng.randint(len(self._X), size=len(flat)) if moved else np.full(len(flat), -1)
        weights, means, covariances = (
            mixture.weights.copy(),
            mixture.means.copy(),
            mixture.covariances.copy(),
        )
        weights[flat] = 1 / self._k
        if moved:
            means[flat] = self._X[rows]
        if self._type == "tied":
            covariances = self._single.covariances
        else:
            covariances[flat] = self._single.covariances
        reset = tuple(zip(flat, rows.tolist(), strict=True))
        return Mixture(self._type, weights / weights.sum(), means, covariances), reset

    @cached_property
    def _single(self) -> Mixture:
        """The one component of all rows."""
        _, means, covariances = estimate(
            self._columns, np.ones((len(self._X), 1)), self._type, self._reg, self._variance
        )
        mixture = Mixture(self._type, np.ones(1), means, covariances)
        if self._flat(mixture):
            raise ValueError(
                "The covariance of the columns is singular: a column is constant, "
                "or follows from the others. Leave it out, or choose a larger reg_covar."
            )
        return mixture

    def _step(
        self,
        phase: Phase,
        restart: int,
        iteration: int,
        shares: Floats | None,
        mixture: Mixture | None,
        log_likelihood: float = np.nan,
        **details: Any,
    ) -> GaussianMixtureStep:
        look()
        return GaussianMixtureStep(
            phase, restart, iteration, shares, mixture, log_likelihood, self._reg, **details
        )
