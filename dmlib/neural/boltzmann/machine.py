"""The Boltzmann machine: a Hopfield network with stochastic units and a temperature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.neural.boltzmann.likelihood import (
    MAX_HIDDEN,
    PairMeans,
    clamped_means,
    log_likelihood,
    pseudo_log_likelihoods,
    random_hidden_weights,
    widest_pair,
)
from dmlib.neural.boltzmann.ranges import machine_ranges
from dmlib.neural.boltzmann.states import MAX_UNITS, all_states, energies, number_of, probabilities
from dmlib.neural.weights import given_weights, symmetric_weights
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, check_params
from dmlib.trace import look

Phase = Literal["store", "learn", "start", "unit", "sweep", "done"]

N_UNIT_STEPS = 16  # units of the first sweep that are a step each
CHAINS = 50  # of a machine whose states are too many to be listed


@dataclass(frozen=True)
class Draw:
    """The random decision of one unit."""

    unit: int
    net: float  # its weighted sum
    probability: float  # of being on
    number: float  # the random number: below the probability it is on


@dataclass(frozen=True)
class BoltzmannStep:
    """One step of learning or of sampling.

    Attributes
    ----------
    phase : {"store", "learn", "start", "unit", "sweep", "done"}
        The weights are those of Hebb's rule; they are moved towards the data; a random state; one
        unit decides; all units have; the last sweep is over.
    weights : ndarray of shape (n_units, n_units)
        The weights.
    bias : ndarray of shape (n_units,)
        The biases.
    iteration : int
        The number of the iteration of learning, or of the sweep.
    temperature : float
        The temperature.
    state : ndarray of shape (n_units,) or None
        The units, -1 and 1, the hidden ones last.
    energy : float
        The energy of the state.
    draw : Draw or None
        On "unit": its decision.
    pair : PairMeans or None
        On "learn": the pair of units whose means differ most; None of a single unit.
    gap : float
        On "learn": the largest difference between a mean of the data and of the machine.
    log_likelihood : float
        On "learn" and "done": the mean log-likelihood of the patterns at temperature 1 and at the
        last one; NaN where the states are too many.
    mean_energy : float
        On "done": the mean energy of the states at the ends of all sweeps.
    """

    phase: Phase
    weights: Floats
    bias: Floats
    iteration: int
    temperature: float
    state: Floats | None = None
    energy: float = float("nan")
    draw: Draw | None = None
    pair: PairMeans | None = None
    gap: float = float("nan")
    log_likelihood: float = float("nan")
    mean_energy: float = float("nan")


class BoltzmannMachine(BaseEstimator):
    r"""Sample states of stochastic units from the Boltzmann distribution of their energy.

    The energy of a state s of units -1 and 1 is :math:`E = -\frac{1}{2} s^T W s - b^T s`. One unit
    at a time is on with the probability :math:`1 / (1 + e^{-2 h_i / T})`, with its sum
    :math:`h_i = \sum_j w_{ij} s_j + b_i`; :math:`-b_i` is its threshold. In the long run, a state
    is visited with a probability proportional to :math:`e^{-E / T}`.

    Parameters
    ----------
    learning : {"hebb", "likelihood"}, default="hebb"
        The weights: those of Hebb's rule, as in a Hopfield network; or learned by gradient ascent
        of the likelihood, until the means of units and of products of two in the machine, at
        temperature 1, are those of the patterns. While all units are visible, the likelihood is
        concave: all initial weights lead to the same.
    n_hidden : int, default=0
        The number of hidden units, joined to all other units; of a learned machine alone. In the
        means of the data they have their distribution given the pattern. The likelihood is no
        longer concave, and weights of 0 are a saddle point, at which hidden units never learn: with
        the start "zero" theirs are random and small, of the standard deviation
        :math:`1 / \sqrt{n}` for n units.
    threshold : float, default=0.0
        The threshold θ of every unit of Hebb's rule, which has no biases of its own: -θ is added to
        each bias. Learning finds the biases by itself.
    temperature : float, default=1.0
        The temperature T: near 0 energy always falls, and far above the energies all states are
        alike.
    cooling : float, default=1.0
        Annealing: the temperature begins at so many times the last one, and falls by the same
        factor in each sweep; 1 for a constant temperature.
    n_iter : int, default=300
        The number of sweeps through all units.
    learning_rate : float, default=0.1
        The factor of each iteration of learning.
    n_learning : int, default=60
        The number of iterations of learning.
    init : {"zero"} or (weights, intercept), default="zero"
        The weights from which learning starts, and to which Hebb's rule adds: zeros, or arrays like
        the fitted attributes, also as a mapping with these names.
    random_state : int, RandomState or None, default=None
        The seed of the start and of all decisions.

    Attributes
    ----------
    weights_ : ndarray of shape (n_units, n_units)
        The weights; symmetric, 0 on the diagonal.
    intercept_ : ndarray of shape (n_units,)
        The biases b.
    state_ : ndarray of shape (n_units,)
        The last state, -1 and 1, the hidden units last.
    energy_ : float
        Its energy.
    mean_energy_ : float
        The mean energy of the states at the ends of all sweeps.
    log_likelihood_ : float
        The mean log-likelihood of a row at the last temperature, hidden units summed out; NaN with
        more than 12 units.
    probabilities_ : ndarray of shape (2^n_visible,)
        The exact probability of every state of the visible units at the last temperature, in the
        order of binary numbers; empty with more than 12 units.
    visits_ : ndarray of int of shape (2^n_visible,)
        The number of sweeps that ended in each; empty with more than 12 units.
    n_features_in_ : int
        The number of visible units.

    Notes
    -----
    A sweep costs O(n^2). A value above 0 is a unit that is on. Learning sums over all states of up
    to 12 units; with more it samples by 50 chains that go on from iteration to iteration. Without
    hidden units it learns means and products of pairs, and nothing else. The states of m hidden
    units are listed for each of r rows, in O(r m 2^m).

    References
    ----------
    D. H. Ackley, G. E. Hinton and T. J. Sejnowski (1985), A learning algorithm for Boltzmann
    machines. S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi (1983), Optimization by simulated
    annealing.

    Examples
    --------
    >>> model = BoltzmannMachine(temperature=0.5, random_state=0).fit([[1, 1], [1, 1]])
    >>> model.probabilities_.round(3).tolist()
    [0.491, 0.009, 0.009, 0.491]
    """

    RANGES: ClassVar[Ranges] = staticmethod(machine_ranges)
    APPLIES: ClassVar[Conditions] = {
        "threshold": ("learning", ("hebb",)),
        "n_hidden": ("learning", ("likelihood",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "learning": Choice(("hebb", "likelihood")),
        "n_hidden": Integer(0, MAX_HIDDEN, shown=(0, 4)),
        "threshold": Number(-1e6, 1e6, shown=(-2.0, 2.0), step=0.05),
        "temperature": Number(0.01, 1000.0, shown=(0.05, 20.0), log=True),
        "cooling": Number(1.0, 1000.0, shown=(1.0, 100.0), log=True),
        "n_iter": Integer(1, 10_000, shown=(10, 1000)),
        "learning_rate": Number(1e-4, 1.0, shown=(0.001, 0.5), log=True),
        "n_learning": Integer(1, 1000, shown=(1, 100)),
        "init": Choice(("zero",), arrays=True),
    }

    def __init__(
        self,
        *,
        learning: str = "hebb",
        n_hidden: int = 0,
        threshold: float = 0.0,
        temperature: float = 1.0,
        cooling: float = 1.0,
        n_iter: int = 300,
        learning_rate: float = 0.1,
        n_learning: int = 60,
        init: Any = "zero",
        random_state: Any = None,
    ) -> None:
        self.learning = learning
        self.n_hidden = n_hidden
        self.threshold = threshold
        self.temperature = temperature
        self.cooling = cooling
        self.n_iter = n_iter
        self.learning_rate = learning_rate
        self.n_learning = n_learning
        self.init = init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the weights from the rows of ``X``, and sample states."""
        rows = _bipolar(validate_data(self, X, dtype=np.float64))
        return self._set_fitted(self._run(rows), rows.shape[1])

    def fit_from(self, steps: Iterable[BoltzmannStep], X: ArrayLike, y: Any = None) -> Self:
        """Become fitted as ``fit`` would, from all the steps of this estimator on the same rows."""
        return self._set_fitted(steps, validate_data(self, X, dtype=np.float64).shape[1])

    def _set_fitted(self, steps: Iterable[BoltzmannStep], n: int) -> Self:
        """Set the fitted attributes: those of the last step, and the visits to each state."""
        ends = []
        for last in steps:
            is_listed = len(last.bias) <= MAX_UNITS
            if last.phase == "sweep" and last.state is not None and is_listed:
                ends.append(number_of(last.state[:n]))
        self.visits_ = np.bincount(ends, minlength=2**n) if is_listed else np.zeros(0, np.int64)
        self.weights_ = last.weights
        self.intercept_ = last.bias
        self.state_ = last.state
        self.energy_ = last.energy
        self.mean_energy_ = last.mean_energy
        self.log_likelihood_ = last.log_likelihood
        self.probabilities_ = np.empty(0)
        if is_listed:
            states = 2 * all_states(len(self.intercept_)) - 1
            energy = energies(states, self.weights_, self.intercept_)
            self.probabilities_ = probabilities(energy, self.temperature).reshape(2**n, -1).sum(1)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[BoltzmannStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._run(_bipolar(check_array(X, dtype=np.float64)))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer iterations, for a picture while a control moves.

        Annealing is not shortened: fewer sweeps would be another schedule.
        """
        n, lowered = np.shape(X)[1] + self._n_hidden, {}
        if self.cooling == 1:
            n_layers = n / 2  # two units take as long as a layer of a network
            lowered["n_iter"] = epochs_of_draft(self.n_iter, n_layers, 0)
        if self.learning == "likelihood":
            calls, states = (8, 2**n) if n <= MAX_UNITS else (n, CHAINS)
            lowered["n_learning"] = epochs_of_draft(self.n_learning, 2 * calls, 6 * n * n * states)
        return lowered

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the pseudo-log-likelihood of each row: of each visible unit, given the others."""
        check_is_fitted(self)
        rows = _bipolar(validate_data(self, X, dtype=np.float64, reset=False))
        return pseudo_log_likelihoods(rows, self.weights_, self.intercept_, self.temperature)

    @property
    def _n_hidden(self) -> int:
        """The number of hidden units: Hebb's rule has none."""
        return self.n_hidden if self.learning == "likelihood" else 0

    def _run(self, X: Floats) -> Iterator[BoltzmannStep]:
        check_params(self.PARAMS, self.get_params())
        rng = check_random_state(self.random_state)
        steps = self._learn(X, rng) if self.learning == "likelihood" else self._store(X)
        for step in steps:
            yield step
        yield from self._sample(X, step.weights, step.bias, rng)

    def _store(self, X: Floats) -> Iterator[BoltzmannStep]:
        n = X.shape[1]
        W, b = self._initial_weights(n)
        W = W + X.T @ X / n
        np.fill_diagonal(W, 0.0)
        b = b - self.threshold
        yield BoltzmannStep("store", W, b, 0, self._temperature(0))

    def _initial_weights(self, n: int) -> tuple[Floats, Floats]:
        """Return the weights and biases before the first pattern."""
        if isinstance(self.init, str):
            return np.zeros((n, n)), np.zeros(n)
        init = given_weights(self.init, {"weights": (n, n), "intercept": (n,)})
        return symmetric_weights(init["weights"], n), init["intercept"]

    def _learn(self, X: Floats, rng: np.random.RandomState) -> Iterator[BoltzmannStep]:
        """Climb the log-likelihood: its gradient is means of the data less those of the machine."""
        W, b = self._initial_weights(X.shape[1] + self.n_hidden)
        if isinstance(self.init, str) and self.n_hidden:
            W, b = random_hidden_weights(W, b, self.n_hidden, rng)
        means, products = clamped_means(X, W, b)
        chains = rng.choice([-1.0, 1.0], size=(CHAINS, len(b)))
        for iteration in range(1, self.n_learning + 1):
            look()
            if self.n_hidden:
                means, products = clamped_means(X, W, b)
            states, shares = self._state_shares(W, b, chains, rng)
            machine = states.T @ (shares[:, None] * states)
            by_W, by_b = products - machine, means - shares @ states
            np.fill_diagonal(by_W, 0.0)
            W = W + self.learning_rate * by_W
            b = b + self.learning_rate * by_b
            yield BoltzmannStep(
                "learn",
                W,
                b,
                iteration,
                1.0,
                pair=widest_pair(products, machine),
                gap=max(float(np.abs(by_W).max()), float(np.abs(by_b).max())),
                log_likelihood=log_likelihood(X, W, b, 1.0),
            )

    def _state_shares(
        self, W: Floats, b: Floats, chains: Floats, rng: np.random.RandomState
    ) -> tuple[Floats, Floats]:
        """Return all states with their probabilities or, of many units, those of the chains."""
        n = len(b)
        if n <= MAX_UNITS:
            states = 2 * all_states(n) - 1
            return states, probabilities(energies(states, W, b), 1.0)
        for unit in range(n):
            look()
            p = expit(2 * (chains @ W[unit] + b[unit]))
            chains[:, unit] = np.where(rng.uniform(size=CHAINS) < p, 1.0, -1.0)
        return chains.copy(), np.full(CHAINS, 1 / CHAINS)

    def _temperature(self, sweep: int) -> float:
        """Return the temperature of a sweep, from 1: it falls by the same factor each time."""
        remaining = (self.n_iter - max(sweep, 1)) / max(self.n_iter - 1, 1)
        return float(self.temperature * self.cooling**remaining)

    def _sample(
        self, X: Floats, W: Floats, b: Floats, rng: np.random.RandomState
    ) -> Iterator[BoltzmannStep]:
        n = len(b)
        state = rng.choice([-1.0, 1.0], size=n)
        energy = float(energies(state[None], W, b)[0])
        yield BoltzmannStep("start", W, b, 0, self._temperature(0), state.copy(), energy)
        total = 0.0
        for sweep in range(1, self.n_iter + 1):
            T = self._temperature(sweep)
            order, numbers = rng.permutation(n), rng.uniform(size=n)
            for i, unit in enumerate(order):
                look()
                net = float(W[unit] @ state + b[unit])
                draw = Draw(int(unit), net, float(expit(2 * net / T)), float(numbers[i]))
                state[unit] = 1.0 if draw.number < draw.probability else -1.0
                if sweep == 1 and i < N_UNIT_STEPS:
                    energy = float(energies(state[None], W, b)[0])
                    yield BoltzmannStep("unit", W, b, sweep, T, state.copy(), energy, draw)
            energy = float(energies(state[None], W, b)[0])
            total += energy
            yield BoltzmannStep("sweep", W, b, sweep, T, state.copy(), energy)
        T = self.temperature
        yield BoltzmannStep(
            "done",
            W,
            b,
            self.n_iter,
            T,
            state.copy(),
            energy,
            log_likelihood=log_likelihood(X, W, b, T),
            mean_energy=total / self.n_iter,
        )


def _bipolar(X: Floats) -> Floats:
    return np.where(X > 0, 1.0, -1.0)
