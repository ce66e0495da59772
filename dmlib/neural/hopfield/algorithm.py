"""The Hopfield network: an associative memory that recalls patterns from noisy or partial cues."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.neural.hopfield.ranges import hopfield_ranges
from dmlib.neural.hopfield.recall import TIE, Change, energy, recall
from dmlib.neural.hopfield.storage import RULES
from dmlib.neural.hopfield.thresholds import THRESHOLDS
from dmlib.neural.weights import symmetric_weights
from dmlib.params import Choice, Integer, Number, Param, Ranges, Spoken, check_params

Phase = Literal["store", "cue", "flip", "sweep", "update", "done"]
Outcome = Literal["", "stored", "inverse", "spurious", "cycle", "unfinished"]
ORDERS = ("random", "index", "steepest", "synchronous")


@dataclass(frozen=True)
class HopfieldStep:
    """One step of storage or recall.

    Attributes
    ----------
    phase : {"store", "cue", "flip", "sweep", "update", "done"}
        A pattern is stored; the cue is given; one unit flips; all units have had their turn; all
        units change at once; the recall is over.
    weights : ndarray of shape (n_units, n_units)
        The weights so far.
    thresholds : ndarray of shape (n_units,)
        The thresholds of the units so far.
    state : ndarray of shape (n_units,)
        The units, -1 and 1; on "store" the pattern.
    energy : float
        The energy of the state with these weights.
    stable : ndarray of bool of shape (n_stored,)
        Which of the patterns stored so far are fixed points.
    target : int
        The pattern to be recalled: that of the cue or, without one, the one nearest to the state.
    n_wrong : int
        The number of cells in which the state differs from it.
    pattern : int or None
        On "store": the number of the pattern.
    change : Change or None
        On "flip", "sweep" and "update": the change of the state.
    n_iter : int
        The number of sweeps so far.
    converged : bool
        On "done": whether no unit would change.
    outcome : {"", "stored", "inverse", "spurious", "cycle", "unfinished"}
        On "done": the kind of the state.
    """

    phase: Phase
    weights: Floats
    thresholds: Floats
    state: Floats
    energy: float
    stable: NDArray[np.bool_]
    target: int
    n_wrong: int
    pattern: int | None = None
    change: Change | None = None
    n_iter: int = 0
    converged: bool = False
    outcome: Outcome = ""

    @property
    def n_stable(self) -> int:
        """The number of patterns stored so far that are stable."""
        return int(self.stable.sum())


class Hopfield(BaseEstimator):
    r"""Store patterns in the weights between units, and recall one from a cue.

    All units are connected by symmetric weights. A unit takes the sign of its weighted sum less its
    threshold, :math:`h_i = \sum_j w_{ij} s_j - \theta_i`. One at a time, this never raises the
    energy :math:`E = -\frac{1}{2} s^T W s + \sum_i \theta_i s_i`, so that the state converges to a
    local minimum, which a stored pattern should be.

    Parameters
    ----------
    rule : {"hebb", "pseudo_inverse", "storkey"}, default="hebb"
        How a pattern is stored: Hebb's rule adds its outer product over n; the pseudo-inverse
        projects onto all patterns, however correlated; Storkey's rule subtracts from Hebb's term
        what the weights before predict.
    update : {"random", "index", "steepest", "synchronous"}, default="random"
        The order of updates: one unit at a time, in a new random order in each sweep, in the order
        of their numbers, or always the one that lowers the energy most; or all units at once, which
        may not converge.
    cue : int, default=1
        The pattern that recall starts from, by its number from 1; 0 for a state in which all cells
        are off.
    noise : float, default=0.2
        The fraction of cells of the cue that are switched, drawn by the seed.
    flips : tuple of int, default=()
        More cells of the cue to switch, by their number from 0.
    threshold : float, default=0.0
        The threshold θ that the weighted sum of a unit must exceed for the unit to be on: above 0
        fewer units are on, below 0 more.
    thresholds : {"same", "midpoint", "binary"}, default="same"
        What each unit has besides θ: nothing; the middle between its mean sum in the patterns in
        which it is on and in those in which it is off (nothing if all patterns agree in it); or
        :math:`-\sum_j w_{ij}`, with which units -1 and 1 do what units 0 and 1 do without.
    max_iter : int, default=20
        The maximum number of sweeps through all units.
    init : {"zero"} or array of shape (n_units, n_units), default="zero"
        The weights before the first pattern: zeros, or those of another network, symmetric and 0 on
        the diagonal, also as a mapping with the name ``weights``; Hebb's and Storkey's rule store
        more patterns beside those in them.
    random_state : int, RandomState or None, default=None
        The seed of the noise and of the order of the units.

    Attributes
    ----------
    weights_ : ndarray of shape (n_units, n_units)
        The weights; symmetric, 0 on the diagonal.
    thresholds_ : ndarray of shape (n_units,)
        The thresholds of the units.
    patterns_ : ndarray of shape (n_patterns, n_units)
        The patterns, -1 and 1.
    stable_ : ndarray of bool of shape (n_patterns,)
        Which patterns are fixed points.
    n_stable_ : int
        Their number.
    state_ : ndarray of shape (n_units,)
        The state in which recall ended, -1 and 1.
    energy_ : float
        Its energy.
    target_ : int
        The pattern to be recalled, from 0.
    n_wrong_ : int
        The number of cells in which the state differs from it.
    n_iter_ : int
        The number of sweeps, the last one without a change included.
    converged_ : bool
        Whether no unit would change.
    outcome_ : {"stored", "inverse", "spurious", "cycle", "unfinished"}
        The kind of the state: a stored pattern, the inverse of one, a spurious fixed point, one of
        a cycle of two states, or none of these yet.
    n_features_in_ : int
        The number of units.

    Raises
    ------
    ValueError
        If there are fewer patterns than the number of the cue, or no cell with a number in
        ``flips``.

    Notes
    -----
    A value above 0 is a cell that is on, 1; any other is off, -1. Storing p patterns of n cells
    costs O(p n^2), a sweep O(n^2), "steepest" O(n^2) for each flip. A unit whose sum is 0 stays as
    it is. Hebb's rule recalls up to about 0.138 n random patterns, with a few wrong cells. With
    every pattern, all rules store its inverse as well, of the same energy without a threshold.
    Where most cells are off, the crosstalk of Hebb's rule has a mean that is another one for each
    unit: a threshold for each takes it away, a common one cannot.

    References
    ----------
    J. J. Hopfield (1982), Neural networks and physical systems with emergent collective
    computational abilities (units 0 and 1). J. Buckingham and D. Willshaw (1993), On setting unit
    thresholds in an incompletely connected associative net. L. Personnaz, I. Guyon and G. Dreyfus
    (1986), Collective computational properties of neural networks: new learning mechanisms. A.
    Storkey (1997), Increasing the capacity of a Hopfield network without sacrificing functionality.

    Examples
    --------
    >>> X = [[1, 1, 1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 1, 0]]
    >>> model = Hopfield(update="index", noise=0.0, flips=(0, 7)).fit(X)
    >>> model.state_.tolist(), model.energy_
    ([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], -3.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(hopfield_ranges)
    SPOKEN: ClassVar[Spoken] = {
        "thresholds": {"midpoint": "from the patterns", "binary": "of 0/1 units"}
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "rule": Choice(tuple(RULES)),
        "update": Choice(ORDERS),
        "cue": Integer(0, 1000, shown=(0, 10)),
        "noise": Number(0.0, 1.0, step=0.01),
        "threshold": Number(-1e6, 1e6, shown=(-1.0, 1.0), step=0.05),
        "thresholds": Choice(tuple(THRESHOLDS)),
        "max_iter": Integer(1, 1000, shown=(1, 20)),
        "init": Choice(("zero",), arrays=True),
    }

    def __init__(
        self,
        rule: str = "hebb",
        *,
        update: str = "random",
        cue: int = 1,
        noise: float = 0.2,
        flips: tuple[int, ...] = (),
        threshold: float = 0.0,
        thresholds: str = "same",
        max_iter: int = 20,
        init: Any = "zero",
        random_state: Any = None,
    ) -> None:
        self.rule = rule
        self.update = update
        self.cue = cue
        self.noise = noise
        self.flips = flips
        self.threshold = threshold
        self.thresholds = thresholds
        self.max_iter = max_iter
        self.init = init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Store the patterns, the rows of ``X``, and recall the cue."""
        patterns = bipolar(validate_data(self, X, dtype=np.float64))
        (last,) = deque(self._run(patterns), maxlen=1)
        self.patterns_ = patterns
        self.weights_ = last.weights
        self.thresholds_ = last.thresholds
        self.stable_ = last.stable
        self.n_stable_ = last.n_stable
        self.state_ = last.state
        self.energy_ = last.energy
        self.target_ = last.target
        self.n_wrong_ = last.n_wrong
        self.n_iter_ = last.n_iter
        self.converged_ = last.converged
        self.outcome_ = last.outcome
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[HopfieldStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._run(bipolar(check_array(X, dtype=np.float64)))

    def predict(self, X: ArrayLike) -> Floats:
        """Return the states, -1 and 1, in which recall from each row of ``X`` ends."""
        check_is_fitted(self)
        starts = bipolar(validate_data(self, X, dtype=np.float64, reset=False))
        # The same order of units for each row:
        seed = check_random_state(self.random_state).randint(2**31)
        return np.array([self._recall(start, np.random.RandomState(seed)) for start in starts])

    def noisy_cue(self, X: ArrayLike) -> Floats:
        """Return the cue before any ``flips``, -1 and 1, shape (n_units,)."""
        check_params(self.PARAMS, self.get_params())
        patterns = bipolar(check_array(X, dtype=np.float64))
        return self._cue(patterns, check_random_state(self.random_state), ())

    def _recall(self, start: Floats, rng: np.random.RandomState) -> Floats:
        changes = recall(self.weights_, start, self.update, self.max_iter, rng, self.thresholds_)
        (last,) = deque(changes, maxlen=1)
        return last.state

    def _cue(self, X: Floats, rng: np.random.RandomState, flips: tuple[int, ...]) -> Floats:
        n_patterns, n_units = X.shape
        if self.cue > n_patterns:
            raise ValueError(
                f"There are {n_patterns} patterns: cue is the number of one of them or 0, not"
                f" {self.cue}."
            )
        if not all(0 <= cell < n_units for cell in flips):
            raise ValueError(
                f"There are {n_units} cells: flips are numbers from 0 to {n_units - 1}."
            )
        cue = X[self.cue - 1].copy() if self.cue else -np.ones(n_units)
        cue[rng.permutation(n_units)[: round(self.noise * n_units)]] *= -1
        cue[list(set(flips))] *= -1
        return cue

    def _run(self, X: Floats) -> Iterator[HopfieldStep]:
        check_params(self.PARAMS, self.get_params())
        rng = check_random_state(self.random_state)
        cue = self._cue(X, rng, self.flips)
        for p, W in enumerate(RULES[self.rule](X, symmetric_weights(self.init, X.shape[1]))):
            stored = X[: p + 1]
            theta = self.threshold + THRESHOLDS[self.thresholds](stored, W)
            stable = np.asarray(((stored @ W - theta) * stored >= -TIE).all(axis=1))
            level = energy(W, X[p], theta)
            last = HopfieldStep("store", W, theta, X[p], level, stable, p, 0, pattern=p)
            yield last
        yield self._step("cue", X, last, cue)
        change = None
        for change in recall(W, cue, self.update, self.max_iter, rng, theta):
            state, sweep = change.state, change.sweep
            yield self._step(change.phase, X, last, state, change=change, n_iter=sweep)
        yield self._done(X, last, change)

    def _step(
        self, phase: Phase, X: Floats, stored: HopfieldStep, state: Floats, **fields: Any
    ) -> HopfieldStep:
        """Return a step of recall, after all patterns are stored."""
        n_wrong = (state != X).sum(axis=1)
        target = self.cue - 1 if self.cue else int(n_wrong.argmin())
        W, theta = stored.weights, stored.thresholds
        level = energy(W, state, theta)
        n = int(n_wrong[target])
        return HopfieldStep(phase, W, theta, state, level, stored.stable, target, n, **fields)

    def _done(self, X: Floats, stored: HopfieldStep, last: Change | None) -> HopfieldStep:
        assert last is not None  # there is at least one sweep
        return self._step(
            "done",
            X,
            stored,
            last.state,
            n_iter=last.sweep,
            converged=last.converged,
            outcome=_outcome(last, X),
        )


def _outcome(last: Change, X: Floats) -> Outcome:
    """Return the kind of the state in which a recall has ended."""
    if not last.converged:
        return "cycle" if last.cycle else "unfinished"
    if (last.state == X).all(axis=1).any():
        return "stored"
    return "inverse" if (last.state == -X).all(axis=1).any() else "spurious"


def bipolar(X: Floats) -> Floats:
    """Return 1 for values above 0 and -1 for all others.

    Examples
    --------
    >>> bipolar(np.array([[1.0, 0.0, -1.0]])).tolist()
    [[1.0, -1.0, -1.0]]
    """
    return np.where(X > 0, 1.0, -1.0)
