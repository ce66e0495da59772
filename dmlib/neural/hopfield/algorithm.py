"""The Hopfield network: a memory that finds a stored pattern again from a part of it, or from a noisy one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.neural.hopfield.ranges import hopfield_ranges
from dmlib.neural.hopfield.recall import TIE, Change, energy, recall
from dmlib.neural.hopfield.storage import RULES
from dmlib.neural.weights import symmetric_weights
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params

ORDERS = ("random", "index", "steepest", "synchronous")


@dataclass(frozen=True)
class HopfieldStep:
    """What has happened so far.

    Attributes
    ----------
    phase : {"store", "cue", "flip", "sweep", "update", "done"}
        A pattern is stored; the cue is given; one unit flips; all units have had their turn; all
        units change at once; the recall is over.
    weights : ndarray of shape (n_units, n_units)
        The weights so far.
    state : ndarray of shape (n_units,)
        The units, -1 and 1; on "store" the pattern.
    energy : float
        The energy of the state with these weights.
    stable : ndarray of bool of shape (n_stored,)
        Which of the patterns stored so far no unit would leave.
    target : int
        The pattern that is looked for: that of the cue, or, where none is, the one that is nearest
        to the state.
    n_wrong : int
        In how many cells the state differs from it.
    pattern : int or None
        On "store": which pattern.
    change : Change or None
        On "flip", "sweep" and "update": what has changed.
    n_iter : int
        Sweeps so far.
    converged : bool
        On "done": whether no unit would change.
    outcome : {"", "stored", "inverse", "spurious", "cycle", "unfinished"}
        On "done": what the state is.
    """

    phase: str
    weights: Floats
    state: Floats
    energy: float
    stable: NDArray[np.bool_]
    target: int
    n_wrong: int
    pattern: int | None = None
    change: Change | None = None
    n_iter: int = 0
    converged: bool = False
    outcome: str = ""

    @property
    def n_stable(self) -> int:
        """How many of the patterns stored so far are stable."""
        return int(self.stable.sum())


class Hopfield(BaseEstimator):
    r"""Store patterns in the weights between units, and recall one from a cue.

    All units are tied to each other by symmetric weights. A unit takes the sign of its weighted sum
    :math:`h_i = \sum_j w_{ij} s_j`. One at a time, this never raises the energy :math:`E = -\frac{1}{2} s^T W s`, so
    the state comes to rest in a valley; storing a pattern digs one.

    Parameters
    ----------
    rule : {"hebb", "pseudo_inverse", "storkey"}, default="hebb"
        How a pattern is stored: Hebb's rule adds its outer product over n; the pseudo-inverse
        projects onto all patterns, however alike; Storkey's rule adds Hebb's less what the weights
        say already.
    update : {"random", "index", "steepest", "synchronous"}, default="random"
        Whose turn it is: one unit at a time, in a new random order in each sweep, in the order of
        their numbers, or always the one that lowers the energy most; or all units at once, which
        may not come to rest.
    cue : int, default=1
        The pattern that recall starts from, by its number from 1; 0 for a state in which all cells
        are off.
    noise : float, default=0.2
        The fraction of cells of the cue that are switched, drawn by the seed.
    flips : tuple of int, default=()
        Cells of the cue, by their number from 0, that are switched besides.
    max_iter : int, default=20
        The largest number of sweeps through all units.
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
    patterns_ : ndarray of shape (n_patterns, n_units)
        The patterns, -1 and 1.
    stable_ : ndarray of bool of shape (n_patterns,)
        Which patterns no unit would leave.
    n_stable_ : int
        How many.
    state_ : ndarray of shape (n_units,)
        Where recall ended, -1 and 1.
    energy_ : float
        Its energy.
    target_ : int
        The pattern that was looked for, from 0.
    n_wrong_ : int
        In how many cells the state differs from it.
    n_iter_ : int
        The number of sweeps, the last one without a change included.
    converged_ : bool
        Whether no unit would change.
    outcome_ : {"stored", "inverse", "spurious", "cycle", "unfinished"}
        What the state is: a stored pattern, one with all cells switched, another rest, a cycle of
        two states, or none of these yet.
    n_features_in_ : int
        The number of units.

    Raises
    ------
    ValueError
        If there are fewer patterns than the number of the cue, or a cell to be switched that does
        not exist.

    Notes
    -----
    A value above 0 is a cell that is on, 1; any other is off, -1. Storing p patterns of n cells
    costs O(p n^2), a sweep O(n^2), "steepest" O(n^2) for each flip. A unit whose sum is 0 stays as
    it is. Hebb's rule recalls up to about 0.138 n random patterns, with a few wrong cells. With
    every pattern, all rules store its inverse as well.

    References
    ----------
    J. J. Hopfield (1982), Neural networks and physical systems with emergent collective
    computational abilities. L. Personnaz, I. Guyon and G. Dreyfus (1986), Collective computational
    properties of neural networks: new learning mechanisms. A. Storkey (1997), Increasing the
    capacity of a Hopfield network without sacrificing functionality.

    Examples
    --------
    >>> X = [[1, 1, 1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 1, 0]]
    >>> model = Hopfield(update="index", noise=0.0, flips=(0, 7)).fit(X)
    >>> model.state_.tolist(), model.energy_
    ([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], -3.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(hopfield_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "rule": Choice(tuple(RULES)),
        "update": Choice(ORDERS),
        "cue": Integer(0, 1000, shown=(0, 10)),
        "noise": Number(0.0, 1.0, step=0.01),
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
        max_iter: int = 20,
        init: Any = "zero",
        random_state: Any = None,
    ) -> None:
        self.rule = rule
        self.update = update
        self.cue = cue
        self.noise = noise
        self.flips = flips
        self.max_iter = max_iter
        self.init = init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Store the patterns, the rows of ``X``, and recall the cue."""
        patterns = bipolar(validate_data(self, X, dtype=np.float64))
        (last,) = deque(self._run(patterns), maxlen=1)
        self.patterns_, self.weights_, self.state_ = patterns, last.weights, last.state
        self.stable_, self.n_stable_ = last.stable, last.n_stable
        self.energy_, self.target_, self.n_wrong_ = last.energy, last.target, last.n_wrong
        self.n_iter_, self.converged_, self.outcome_ = last.n_iter, last.converged, last.outcome
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[HopfieldStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._run(bipolar(check_array(X, dtype=np.float64)))

    def predict(self, X: ArrayLike) -> Floats:
        """Return the state, -1 and 1, in which recall from each row of ``X`` ends, shape (n_samples, n_units)."""
        check_is_fitted(self)
        starts = bipolar(validate_data(self, X, dtype=np.float64, reset=False))
        seed = check_random_state(self.random_state).randint(
            2**31
        )  # the same order of units for each row
        return np.array([self._rest(start, np.random.RandomState(seed)) for start in starts])

    def noisy_cue(self, X: ArrayLike) -> Floats:
        """Return the cue before any ``flips``, -1 and 1, shape (n_units,), of patterns in the rows of ``X``."""
        check_params(self.PARAMS, self.get_params())
        return self._cue(
            bipolar(check_array(X, dtype=np.float64)), check_random_state(self.random_state), ()
        )

    def _rest(self, start: Floats, rng: np.random.RandomState) -> Floats:
        (last,) = deque(recall(self.weights_, start, self.update, self.max_iter, rng), maxlen=1)
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
            stable = np.asarray(((X[: p + 1] @ W) * X[: p + 1] >= -TIE).all(axis=1))
            yield HopfieldStep("store", W, X[p], energy(W, X[p]), stable, p, 0, pattern=p)
        yield self._step("cue", X, W, cue, stable)
        change = None
        for change in recall(W, cue, self.update, self.max_iter, rng):
            yield self._step(
                change.phase, X, W, change.state, stable, change=change, n_iter=change.sweep
            )
        yield self._done(X, W, change, stable)

    def _step(
        self,
        phase: str,
        X: Floats,
        W: Floats,
        state: Floats,
        stable: NDArray[np.bool_],
        **more: Any,
    ) -> HopfieldStep:
        wrong = (state != X).sum(axis=1)
        target = self.cue - 1 if self.cue else int(wrong.argmin())
        return HopfieldStep(
            phase, W, state, energy(W, state), stable, target, int(wrong[target]), **more
        )

    def _done(
        self, X: Floats, W: Floats, last: Change | None, stable: NDArray[np.bool_]
    ) -> HopfieldStep:
        assert last is not None  # there is at least one sweep
        outcome = "cycle" if last.cycle else "unfinished"
        if last.converged:
            n_wrong = (last.state != X).sum(axis=1)
            inverse = bool((n_wrong == X.shape[1]).any())
            outcome = "stored" if not n_wrong.all() else "inverse" if inverse else "spurious"
        how = {"n_iter": last.sweep, "converged": last.converged, "outcome": outcome}
        return self._step("done", X, W, last.state, stable, **how)


def bipolar(X: Floats) -> Floats:
    """Return 1 for values above 0 and -1 for all others.

    Examples
    --------
    >>> bipolar(np.array([[1.0, 0.0, -1.0]])).tolist()
    [[1.0, -1.0, -1.0]]
    """
    return np.where(X > 0, 1.0, -1.0)
