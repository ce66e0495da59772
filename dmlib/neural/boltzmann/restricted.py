"""The restricted Boltzmann machine: hidden units that model the dependence of visible ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state, gen_even_slices
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft, shortened
from dmlib.neural.boltzmann.parameters import Parameters, bernoulli
from dmlib.neural.boltzmann.ranges import restricted_ranges
from dmlib.neural.initialisers import INITIALISERS
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params
from dmlib.squares import finite_values
from dmlib.trace import look

Phase = Literal["start", "positive", "negative", "update", "epoch", "done"]


@dataclass(frozen=True)
class Sampled:
    """A batch of data, and samples of the machine."""

    v_pos: Floats  # the data
    h_pos: Floats  # the means of the hidden units, given them
    v_neg: Floats  # the samples
    h_neg: Floats  # the means of the hidden units, given these


@dataclass(frozen=True)
class RestrictedStep:
    """One step of learning.

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
        complete epoch.
    log_likelihood, mean_energy : float
        On "done": the mean log-likelihood of the patterns, NaN where it cannot be summed, and their
        mean free energy.
    """

    phase: Phase
    epoch: int
    parameters: Parameters
    sampled: Sampled | None
    reconstruction_error: float
    log_likelihood: float = float("nan")
    mean_energy: float = float("nan")


class RestrictedBoltzmannMachine(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Learn the distribution of binary patterns with a layer of hidden units.

    Visible units v and hidden units h are 0 or 1 and have the energy
    :math:`E(v, h) = -a^T v - b^T h - h^T W v`. Given one layer, the units of the other are
    independent. The gradient of the log-likelihood is the mean of :math:`h v^T` under the data less
    that under the model; contrastive divergence samples the latter by k steps only.

    Parameters
    ----------
    n_components : int, default=12
        The number of hidden units.
    learning_rate : float, default=0.1
        The factor of each update.
    k : int, default=1
        The number of steps of Gibbs sampling, hidden to visible and back, before each update.
    chains : {"data", "persistent"}, default="data"
        The start of sampling: the rows of the batch (contrastive divergence), or the end of the
        chains of the update before (persistent contrastive divergence, as in scikit-learn).
    batch_size : int, default=10
        The number of rows of an update.
    n_iter : int, default=20
        The number of epochs: passes through all rows.
    init : {"small", "glorot", "zero"} or tuple of ndarray, default="small"
        The initial weights: drawn with a standard deviation of 0.01, or with a spread that fits the
        layers; zeros, with which all hidden units stay alike; or the weights themselves: the arrays
        (components, intercept_hidden, intercept_visible), or a mapping with these names.
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
        return self._set_fitted(last)

    def fit_from(self, steps: Sequence[RestrictedStep], X: ArrayLike, y: Any = None) -> Self:
        """Become fitted as ``fit`` would, from the steps of this estimator on the same rows."""
        validate_data(self, X, dtype=np.float64)
        return self._set_fitted(steps[-1])

    def _set_fitted(self, last: RestrictedStep) -> Self:
        """Set the fitted attributes: those of the last step."""
        self.parameters_ = last.parameters
        self.components_ = last.parameters.components
        self.intercept_hidden_ = last.parameters.hidden
        self.intercept_visible_ = last.parameters.visible
        self.reconstruction_error_ = last.reconstruction_error
        self.log_likelihood_ = last.log_likelihood
        self.mean_energy_ = last.mean_energy
        self._n_features_out = len(self.components_)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[RestrictedStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(check_array(X, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        n_batches, n_passes = -(-len(X) // self.batch_size), 1 + self.k
        n_visible, n_hidden = np.shape(X)[1], self.n_components
        work_of_a_row = 2 * n_visible * n_hidden + 50 * (
            n_visible + n_hidden
        )  # with random numbers
        n_products = len(X) * n_passes * work_of_a_row
        return {"n_iter": epochs_of_draft(self.n_iter, n_batches * n_passes, n_products)}

    def shortened(
        self, steps: Sequence[RestrictedStep], X: Any, y: Any = None
    ) -> tuple[RestrictedStep, ...] | None:
        """Return the steps of this estimator among those of one with more epochs, if possible."""
        rows = check_array(X, dtype=np.float64)

        def done(last: RestrictedStep) -> RestrictedStep:
            return self._done(last.parameters, last.reconstruction_error, rows)

        return shortened(steps, 1 + 4 * self.n_iter, done)

    def transform(self, X: ArrayLike) -> Floats:
        """Return the probability that each hidden unit is on, shape (n_samples, n_components)."""
        rows = self._checked(X)
        return self.parameters_.means_hidden(rows)

    def reconstruct(self, X: ArrayLike) -> Floats:
        """Return the reconstructions of rows, shape (n_samples, n_features)."""
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
        """Return the pseudo-log-likelihood of each row: of each cell, given all others.

        scikit-learn estimates it by one random cell of each row.
        """
        v = self._checked(X)
        return finite_values(lambda: self._pseudo_likelihoods(v))

    def _pseudo_likelihoods(self, v: Floats) -> Floats:
        energies, scores = self.parameters_.free_energy(v), np.zeros(len(v))
        for i in range(v.shape[1]):
            look()
            flipped = v.copy()
            flipped[:, i] = 1 - flipped[:, i]
            scores -= np.logaddexp(0.0, energies - self.parameters_.free_energy(flipped))
        return scores

    def _checked(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        return rows

    def _learn(self, X: Floats) -> Iterator[RestrictedStep]:
        check_params(self.PARAMS, self.get_params())
        rng = check_random_state(self.random_state)
        parameters = self._initial_parameters(X.shape[1], rng)
        chains = np.zeros((self.batch_size, self.n_components))
        error = _error(parameters, X)
        yield RestrictedStep("start", 0, parameters, None, error)
        for epoch in range(1, self.n_iter + 1):
            for i, rows in enumerate(self._batches(len(X))):
                look()
                sampled, chains = self._sample(parameters, X[rows], chains, rng)
                before, parameters = parameters, self._update(parameters, sampled)
                if i == 0:
                    first = Sampled(*(part[0].copy() for part in vars(sampled).values()))
                    yield RestrictedStep("positive", epoch, before, first, error)
                    yield RestrictedStep("negative", epoch, before, first, error)
                    yield RestrictedStep("update", epoch, parameters, first, error)
            error = _error(parameters, X)
            yield RestrictedStep("epoch", epoch, parameters, None, error)
        yield self._done(parameters, error, X)

    def _done(self, parameters: Parameters, error: float, X: Floats) -> RestrictedStep:
        return RestrictedStep(
            "done",
            self.n_iter,
            parameters,
            None,
            error,
            log_likelihood=parameters.log_likelihood(X),
            mean_energy=float(parameters.free_energy(X).mean()),
        )

    def _initial_parameters(self, n_visible: int, rng: np.random.RandomState) -> Parameters:
        n_hidden = self.n_components
        if isinstance(self.init, str):
            weights = INITIALISERS[self.init](rng, n_hidden, n_visible)
            return Parameters(weights, np.zeros(n_hidden), np.zeros(n_visible))
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
        self, parameters: Parameters, v_pos: Floats, chains: Floats, rng: np.random.RandomState
    ) -> tuple[Sampled, Floats]:
        """Return the data with samples of the machine, and the hidden units of the chains."""
        h_pos = parameters.means_hidden(v_pos)
        h = chains if self.chains == "persistent" else bernoulli(h_pos, rng)
        for _ in range(self.k):
            look()
            v_neg = bernoulli(parameters.means_visible(h), rng)
            h_neg = parameters.means_hidden(v_neg)
            h = bernoulli(h_neg, rng)
        return Sampled(v_pos, h_pos, v_neg, h_neg), h

    def _update(self, before: Parameters, batch: Sampled) -> Parameters:
        """Return the parameters a step up the gradient of the log-likelihood."""
        rate = self.learning_rate / len(batch.v_pos)
        by_components = batch.h_pos.T @ batch.v_pos - batch.h_neg.T @ batch.v_neg
        by_hidden = batch.h_pos.sum(axis=0) - batch.h_neg.sum(axis=0)
        by_visible = batch.v_pos.sum(axis=0) - batch.v_neg.sum(axis=0)
        return Parameters(
            before.components + rate * by_components,
            before.hidden + rate * by_hidden,
            before.visible + rate * by_visible,
        )


def _error(parameters: Parameters, X: Floats) -> float:
    return float(((X - parameters.reconstruct(X)) ** 2).mean())
