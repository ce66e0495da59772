"""The restricted Boltzmann machine: hidden units that learn what the cells of patterns have to do with each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logsumexp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state, gen_even_slices
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft, shortened
from dmlib.neural.boltzmann.ranges import restricted_ranges
from dmlib.neural.boltzmann.states import MOST_UNITS, all_states
from dmlib.neural.initialisers import INITIALISERS
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params
from dmlib.squares import finite_values
from dmlib.trace import look


@dataclass(frozen=True, eq=False)
class Parameters:
    """What a machine has learned.

    Attributes
    ----------
    components : ndarray of shape (n_components, n_features)
        The weights between each hidden and each visible unit.
    hidden, visible : ndarray of shape (n_components,), (n_features,)
        The intercepts of the hidden and of the visible units.
    """

    components: Floats
    hidden: Floats
    visible: Floats

    def means_hidden(self, v: Floats) -> Floats:
        """Return the probability that each hidden unit is on, given visible ones."""
        means: Floats = expit(v @ self.components.T + self.hidden)
        return means

    def means_visible(self, h: Floats) -> Floats:
        """Return the probability that each visible unit is on, given hidden ones."""
        means: Floats = expit(h @ self.components + self.visible)
        return means

    def reconstruct(self, v: Floats) -> Floats:
        """Return visible units as the means of the hidden ones make them."""
        return self.means_visible(self.means_hidden(v))

    def free_energy(self, v: Floats) -> Floats:
        """Return F(v), -log of the sum of exp(-E(v, h)) over all h."""
        energies: Floats = -v @ self.visible - np.logaddexp(
            0.0, v @ self.components.T + self.hidden
        ).sum(axis=-1)
        return energies

    def log_likelihood(self, X: Floats) -> float:
        """Return the mean of log p(v) over rows; NaN where too many states would have to be summed."""
        n_hidden, n_visible = self.components.shape
        if min(n_hidden, n_visible) > MOST_UNITS:
            return float("nan")
        if n_visible <= n_hidden:
            log_z = logsumexp(-self.free_energy(all_states(n_visible)))
        else:
            h = all_states(n_hidden)
            log_z = logsumexp(
                h @ self.hidden + np.logaddexp(0.0, h @ self.components + self.visible).sum(axis=1)
            )
        return float(-self.free_energy(X).mean() - log_z)

    def dream(self, v: Floats, n_steps: int, rng: np.random.RandomState) -> Floats:
        """Return visible units after so many steps of Gibbs sampling, shape of ``v``."""
        for _ in range(n_steps):
            look()
            h = (rng.uniform(size=(len(v), len(self.hidden))) < self.means_hidden(v)).astype(float)
            v = (rng.uniform(size=v.shape) < self.means_visible(h)).astype(float)
        return v


@dataclass(frozen=True)
class Sampled:
    """A batch: what the data say, and what the machine makes of it."""

    v_pos: Floats  # the rows
    h_pos: Floats  # the means of the hidden units for them
    v_neg: Floats  # samples of the machine
    h_neg: Floats  # the means of the hidden units for these


@dataclass(frozen=True)
class RestrictedStep:
    """What has been learned so far.

    Attributes
    ----------
    phase : {"start", "positive", "negative", "update", "epoch", "done"}
        Random weights; of the first batch of an epoch: the hidden units are driven by the data, the
        machine samples by itself, the weights change; the epoch is over; all are.
    epoch : int
        The epoch; 0 for "start".
    parameters : Parameters
        Weights and intercepts.
    sampled : Sampled or None
        On "positive", "negative" and "update": the first row of the batch.
    reconstruction_error : float
        The mean squared difference between the patterns and their reconstructions, after the last
        whole epoch.
    log_likelihood, mean_energy : float
        On "done": the mean log-likelihood of the patterns, NaN where it cannot be summed, and their
        mean free energy.
    """

    phase: str
    epoch: int
    parameters: Parameters
    sampled: Sampled | None
    reconstruction_error: float
    log_likelihood: float = float("nan")
    mean_energy: float = float("nan")


class RestrictedBoltzmannMachine(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Learn weights between visible and hidden units, so that the machine dreams of what it was shown.

    Visible units v and hidden units h are 0 or 1 and have the energy
    :math:`E(v, h) = -a^T v - b^T h - h^T W v`. Given one layer, the units of the other are independent. The gradient of
    the log-likelihood is what the data say less what the machine says by itself; contrastive
    divergence samples the latter by k steps only.

    Parameters
    ----------
    n_components : int, default=12
        The number of hidden units.
    learning_rate : float, default=0.1
        The factor of each update.
    k : int, default=1
        Steps of Gibbs sampling, hidden to visible and back, before each update.
    chains : {"data", "persistent"}, default="data"
        Where sampling starts: at the rows of the batch (contrastive divergence), or where it ended
        at the update before (persistent contrastive divergence, as scikit-learn does).
    batch_size : int, default=10
        Rows of an update.
    n_iter : int, default=20
        The number of epochs: passes through all rows.
    init : {"small", "glorot", "zero"} or (components, intercept_hidden, intercept_visible), default="small"
        The initial weights: drawn with a standard deviation of 0.01, or with a spread that fits the
        layers; zeros, with which all hidden units stay alike; or given as arrays like the fitted
        attributes, or as a mapping with these names.
    random_state : int, RandomState or None, default=None
        The seed of the initial weights and of all sampling.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The weights.
    intercept_hidden_ : ndarray of shape (n_components,)
        The intercepts b of the hidden units.
    intercept_visible_ : ndarray of shape (n_features,)
        The intercepts a of the visible units.
    reconstruction_error_ : float
        The mean squared difference between a cell and its reconstruction.
    log_likelihood_ : float
        The mean log-likelihood of a row; NaN where both layers have more than 12 units.
    mean_energy_ : float
        The mean free energy of the rows.
    n_features_in_ : int
        The number of visible units.

    Notes
    -----
    An epoch costs O(k n d h) for n rows, d visible and h hidden units. Rows come in the order in
    which they are, as in scikit-learn, whose random numbers are drawn in the same order too. Values
    between 0 and 1 count as probabilities.

    References
    ----------
    P. Smolensky (1986), Information processing in dynamical systems: foundations of harmony theory.
    G. E. Hinton (2002), Training products of experts by minimizing contrastive divergence.
    T. Tieleman (2008), Training restricted Boltzmann machines using approximations to the
    likelihood gradient.

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [0, 0, 1, 1]] * 50
    >>> model = RestrictedBoltzmannMachine(2, n_iter=100, random_state=0).fit(X)
    >>> model.reconstruct([[1, 1, 0, 0]]).round().tolist()
    [[1.0, 1.0, 0.0, 0.0]]
    """

    RANGES: ClassVar[Ranges] = staticmethod(restricted_ranges)
    LENGTH: ClassVar[str] = "n_iter"
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_components": Integer(1, 256, shown=(1, 64)),
        "k": Integer(1, 100, shown=(1, 20)),
        "chains": Choice(("data", "persistent")),
        "learning_rate": Number(1e-6, 10.0, shown=(0.001, 1.0), log=True),
        "batch_size": Integer(1, 1000, shown=(1, 100)),
        "n_iter": Integer(1, 1000, shown=(1, 60)),
        "init": Choice(("small", "glorot", "zero"), arrays=True),
    }

    def __init__(
        self,
        n_components: int = 12,
        *,
        learning_rate: float = 0.1,
        k: int = 1,
        chains: str = "data",
        batch_size: int = 10,
        n_iter: int = 20,
        init: Any = "small",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.learning_rate = learning_rate
        self.k = k
        self.chains = chains
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.init = init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn from the rows of ``X``, whose values go from 0 to 1."""
        (last,) = deque(self._learn(validate_data(self, X, dtype=np.float64)), maxlen=1)
        return self._take(last)

    def fit_from(self, steps: Sequence[RestrictedStep], X: ArrayLike, y: Any = None) -> Self:
        """Become fitted as ``fit`` would, from the steps of this estimator on the same rows."""
        validate_data(self, X, dtype=np.float64)
        return self._take(steps[-1])

    def _take(self, last: RestrictedStep) -> Self:
        """Keep what the last step ends with."""
        self.parameters_ = last.parameters
        self.components_ = last.parameters.components
        self.intercept_hidden_, self.intercept_visible_ = (
            last.parameters.hidden,
            last.parameters.visible,
        )
        self.reconstruction_error_ = last.reconstruction_error
        self.log_likelihood_, self.mean_energy_ = last.log_likelihood, last.mean_energy
        self._n_features_out = len(self.components_)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[RestrictedStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(check_array(X, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return the parameters of a run that is soon done, for a picture while a control moves: fewer epochs."""
        n_batches, walks = -(-len(X) // self.batch_size), 1 + self.k
        n_visible, n_hidden = np.shape(X)[1], self.n_components
        products = (
            len(X) * walks * (2 * n_visible * n_hidden + 50 * (n_visible + n_hidden))
        )  # units are drawn, too
        return {"n_iter": epochs_of_draft(self.n_iter, n_batches * walks, products)}

    def shortened(
        self, steps: Sequence[RestrictedStep], X: Any, y: Any = None
    ) -> tuple[RestrictedStep, ...] | None:
        """Return the steps of this estimator among those of one with more epochs; None if these are not enough."""
        rows = check_array(X, dtype=np.float64)
        return shortened(
            steps,
            1 + 4 * self.n_iter,
            lambda last: self._done(last.parameters, last.reconstruction_error, rows),
        )

    def transform(self, X: ArrayLike) -> Floats:
        """Return the probability that each hidden unit is on, shape (n_samples, n_components)."""
        rows = self._checked(X)
        return self.parameters_.means_hidden(rows)

    def reconstruct(self, X: ArrayLike) -> Floats:
        """Return the rows as the means of the hidden units make them, shape (n_samples, n_features)."""
        rows = self._checked(X)
        return self.parameters_.reconstruct(rows)

    def free_energy(self, X: ArrayLike) -> Floats:
        """Return the free energy of each row: the lower, the more probable; shape (n_samples,)."""
        rows = self._checked(X)
        return self.parameters_.free_energy(rows)

    def gibbs(self, v: ArrayLike, n_steps: int = 1) -> Floats:
        """Return visible units after steps of Gibbs sampling, shape (n_samples, n_features)."""
        rows = self._checked(v)
        return self.parameters_.dream(rows, n_steps, check_random_state(self.random_state))

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the pseudo-log-likelihood of each row: of each cell, given all others; shape (n_samples,).

        scikit-learn estimates it by one random cell of each row.
        """
        v = self._checked(X)
        return finite_values(lambda: self._pseudo_likelihoods(v))

    def _pseudo_likelihoods(self, v: Floats) -> Floats:
        now, scores = self.parameters_.free_energy(v), np.zeros(len(v))
        for i in range(v.shape[1]):
            look()
            other = v.copy()
            other[:, i] = 1 - other[:, i]
            scores -= np.logaddexp(0.0, now - self.parameters_.free_energy(other))
        return scores

    def _checked(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        return rows

    def _learn(self, X: Floats) -> Iterator[RestrictedStep]:
        check_params(self.PARAMS, self.get_params())
        rng = check_random_state(self.random_state)
        now = self._start(X.shape[1], rng)
        chains = np.zeros((self.batch_size, self.n_components))
        error = _error(now, X)
        yield RestrictedStep("start", 0, now, None, error)
        for epoch in range(1, self.n_iter + 1):
            for i, rows in enumerate(self._batches(len(X))):
                look()
                sampled, chains = self._sample(now, X[rows], chains, rng)
                before, now = now, self._updated(now, sampled)
                if i == 0:
                    first = Sampled(*(part[0].copy() for part in vars(sampled).values()))
                    yield RestrictedStep("positive", epoch, before, first, error)
                    yield RestrictedStep("negative", epoch, before, first, error)
                    yield RestrictedStep("update", epoch, now, first, error)
            error = _error(now, X)
            yield RestrictedStep("epoch", epoch, now, None, error)
        yield self._done(now, error, X)

    def _done(self, now: Parameters, error: float, X: Floats) -> RestrictedStep:
        energy = float(now.free_energy(X).mean())
        return RestrictedStep("done", self.n_iter, now, None, error, now.log_likelihood(X), energy)

    def _start(self, n_visible: int, rng: np.random.RandomState) -> Parameters:
        """Draw the initial weights, or take those that are given."""
        n_hidden = self.n_components
        if isinstance(self.init, str):
            drawn = INITIALISERS[self.init](rng, n_hidden, n_visible)
            return Parameters(drawn, np.zeros(n_hidden), np.zeros(n_visible))
        shapes = {
            "components": (n_hidden, n_visible),
            "intercept_hidden": (n_hidden,),
            "intercept_visible": (n_visible,),
        }
        return Parameters(*given_weights(self.init, shapes).values())

    def _batches(self, n_rows: int) -> list[slice]:
        n_batches = -(-n_rows // self.batch_size)
        return list(gen_even_slices(n_batches * self.batch_size, n_batches, n_samples=n_rows))

    def _sample(
        self, now: Parameters, v_pos: Floats, chains: Floats, rng: np.random.RandomState
    ) -> tuple[Sampled, Floats]:
        """Return what the data and what the machine say, and where the chains of hidden units stand."""
        h_pos = now.means_hidden(v_pos)
        h = chains if self.chains == "persistent" else _drawn(h_pos, rng)
        for _ in range(self.k):
            look()
            v_neg = _drawn(now.means_visible(h), rng)
            h_neg = now.means_hidden(v_neg)
            h = _drawn(h_neg, rng)
        return Sampled(v_pos, h_pos, v_neg, h_neg), h

    def _updated(self, now: Parameters, batch: Sampled) -> Parameters:
        rate = self.learning_rate / len(batch.v_pos)
        return Parameters(
            now.components + rate * (batch.h_pos.T @ batch.v_pos - batch.h_neg.T @ batch.v_neg),
            now.hidden + rate * (batch.h_pos.sum(axis=0) - batch.h_neg.sum(axis=0)),
            now.visible + rate * (batch.v_pos.sum(axis=0) - batch.v_neg.sum(axis=0)),
        )


def _drawn(means: Floats, rng: np.random.RandomState) -> Floats:
    return (rng.uniform(size=means.shape) < means).astype(float)


def _error(now: Parameters, X: Floats) -> float:
    return float(((X - now.reconstruct(X)) ** 2).mean())
