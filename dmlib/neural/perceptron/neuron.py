"""What the perceptron and Adaline share: a unit that weighs its inputs, and learns from one row after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.params import Param, check_params
from dmlib.trace import look

LARGEST = 1e100  # numbers up to which scores are finite
ROWS_SHOWN = (
    140  # rows that are a step each; after them, each epoch is one: 50 epochs fit into a picture
)
ROWS_A_LOOK = 16  # rows between two looks at a clock, which cost more than the rows
START_SPREAD = 0.5  # standard deviation of random initial weights


@dataclass(frozen=True)
class NeuronStep:
    """One step of a perceptron or of Adaline.

    Attributes
    ----------
    phase : {"start", "right", "update", "epoch", "done"}
        What was done: nothing yet; a row was right, and the weights stay; a row changed the
        weights; an epoch ended; the end. The first 140 rows are a step each.
    epoch : int
        The pass through the rows, from 1; 0 at the start.
    weights : ndarray of shape (n_terms,)
        The weights after the step, the intercept (if there is one) first.
    kept : ndarray of shape (n_terms,)
        The weights that the unit would be used with now: the same, the best so far, or the average
        so far.
    n_mistakes : int
        How many rows so far were on the wrong side, or on the line, when it was their turn.
    row : int or None
        The row of "right" and "update".
    sign : float
        Its class, -1 or 1.
    score : float
        Its weighted sum, before the update.
    gain : float
        By how many times the row the weights changed.
    cost : float
        On "epoch": the mistakes in it, or the mean squared error of Adaline.
    cycle : tuple of (int, int) or None
        On "done": two epochs after which the weights were the same, so that everything repeats for
        ever.
    converged : bool
        On "done": whether an epoch had no mistake.
    reason : str
        On "done": one sentence on why it ended.
    """

    phase: str
    epoch: int
    weights: Floats
    kept: Floats
    n_mistakes: int
    row: int | None = None
    sign: float = 0.0
    score: float = 0.0
    gain: float = 0.0
    cost: float = 0.0
    cycle: tuple[int, int] | None = None
    converged: bool = False
    reason: str = ""


class Memory:
    """Which weights are kept: the last.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_terms)
        The terms of all rows.
    sign : ndarray of shape (n_samples,)
        Their classes, -1 and 1.
    start : ndarray of shape (n_terms,)
        The initial weights.
    """

    def __init__(self, Z: Floats, sign: Floats, start: Floats) -> None:
        self.Z, self.sign, self.kept = Z, sign, start

    def after(self, weights: Floats, updated: bool) -> None:
        """Take notice of the weights after a row."""
        self.kept = weights


class LinearUnit(ClassifierMixin, BaseEstimator):
    """The base of units that decide between two classes by the sign of a weighted sum.

    A class says by :meth:`_gain` how a row changes the weights.
    """

    PARAMS: ClassVar[dict[str, Param]]
    limit: ClassVar[float] = np.inf  # of a score, beyond which the weights diverge
    settles: ClassVar[bool] = True  # whether an epoch without a mistake is the last
    learning_rate: float
    max_iter: int
    shuffle: bool
    init: Any
    fit_intercept: bool
    random_state: Any

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the weights for the rows of ``X`` and their two classes."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._adopt(deque(self._learn(rows, labels), maxlen=1)[0], labels)

    def fit_from(self, steps: Sequence[NeuronStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without learning again."""
        return self._adopt(steps[-1], validate_data(self, X, y, dtype=np.float64)[1])

    def _adopt(self, last: NeuronStep, labels: NDArray[Any]) -> Self:
        """Keep the weights of the last step."""
        self.classes_ = np.unique(labels)
        n_constant = int(self.fit_intercept)
        self.coef_ = last.kept[None, n_constant:].copy()
        self.intercept_ = last.kept[:1].copy() if n_constant else np.zeros(1)
        self.n_iter_, self.n_mistakes_, self.converged_ = (
            last.epoch,
            last.n_mistakes,
            last.converged,
        )
        if not (last.converged or self.settles):  # that classes overlap is no fault of a perceptron
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[NeuronStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return the parameters of a run that is soon done, for a picture while a control moves: fewer epochs."""
        rows = (
            6 if self.settles and getattr(self, "keep", "last") == "last" else 5
        )  # are reckoned as a layer
        return {"max_iter": epochs_of_draft(self.max_iter, len(X) / rows, 0)}

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the weighted sums, positive for ``classes_[1]``, shape (n_samples,)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        scores: Floats = rows @ self.coef_[0] + self.intercept_[0]
        return scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row; a sum of 0 is of the first."""
        positive = self.decision_function(X) > 0
        labels: NDArray[Any] = self.classes_[positive.astype(int)]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def terms(self, X: Floats) -> Floats:
        """Return the rows with the constant 1 before them, if there is an intercept; shape (n_samples, n_terms)."""
        return np.hstack([np.ones((len(X), 1)), X]) if self.fit_intercept else X

    def _gain(self, score: float, sign: float) -> float:
        """Return by how many times a row the weights change."""
        raise NotImplementedError

    def _cost(self, score: float, sign: float) -> float:
        """Return what a row adds to the cost of the epoch."""
        raise NotImplementedError

    def _memory(self, Z: Floats, sign: Floats, start: Floats) -> Memory:
        return Memory(Z, sign, start)

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[NeuronStep]:
        Z, sign = self._prepare(X, y)
        rng = check_random_state(self.random_state)
        weights = self._start(Z.shape[1], rng)
        memory = self._memory(Z, sign, weights)
        yield NeuronStep("start", 0, weights, memory.kept, 0)
        n_mistakes, n_rows, epoch, reason, converged = 0, 0, 0, "", not self.settles
        seen, cycle = {weights.tobytes(): 0}, None
        while epoch < self.max_iter and not reason:
            epoch += 1
            order: Iterable[int] = rng.permutation(len(Z)) if self.shuffle else range(len(Z))
            before, cost = n_mistakes, 0.0
            for i in order:
                if not n_rows % ROWS_A_LOOK:
                    look()
                score, own = float(Z[i] @ weights), float(sign[i])
                if abs(score) > self.limit:
                    reason, converged = self._diverged(epoch, Z), False
                    break
                n_mistakes += own * score <= 0
                cost += self._cost(score, own)
                gain = self._gain(score, own)
                if gain:
                    weights = weights + gain * Z[i]
                memory.after(weights, bool(gain))
                n_rows += 1
                if n_rows <= ROWS_SHOWN:
                    phase = "update" if gain else "right"
                    yield NeuronStep(
                        phase, epoch, weights, memory.kept, n_mistakes, int(i), own, score, gain
                    )
            if reason:
                break
            if cycle is None and not self.shuffle:
                first = seen.setdefault((weights + 0.0).tobytes(), epoch)  # minus zero is zero
                cycle = (first, epoch) if first < epoch and n_mistakes > before else None
            yield NeuronStep(
                "epoch", epoch, weights, memory.kept, n_mistakes, cost=self._told(cost, Z)
            )
            if self.settles and n_mistakes == before:
                reason, converged = f"Epoch {epoch} had no mistake.", True
        reason = reason or "The limit of epochs is reached." * self.settles
        yield NeuronStep(
            "done",
            epoch,
            weights,
            memory.kept,
            n_mistakes,
            cycle=cycle,
            converged=converged,
            reason=reason,
        )

    def _told(self, cost: float, Z: Floats) -> float:
        return cost

    def _diverged(self, epoch: int, Z: Floats) -> str:
        safe = 2 / float((Z**2).sum(axis=1).max())
        return (
            f"The weights grow without bound in epoch {epoch}: the learning rate"
            f" {self.learning_rate:g} is too large. Choose one below {safe:.2g}, or scale the"
            " columns."
        )

    def _prepare(self, X: Floats, y: NDArray[Any]) -> tuple[Floats, Floats]:
        """Check everything; return the terms of the rows and their classes as -1 and 1."""
        check_params(self.PARAMS, self.get_params())
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y has only one class, {classes[0]!s}; a linear unit needs two.")
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is"
                f" {type_of_target(y)}. Choose one class against the rest."
            )
        if np.abs(X).max() > LARGEST:
            raise ValueError(
                f"X has numbers beyond {LARGEST:g}, which are too large; rescale its columns."
            )
        sign: Floats = np.where(codes == 1, 1.0, -1.0)
        return self.terms(X), sign

    def _start(self, n_terms: int, rng: np.random.RandomState) -> Floats:
        if not isinstance(self.init, str):
            try:
                start = self._given()
                if start.shape != (n_terms,) or not np.isfinite(start).all():
                    raise ValueError("These are not the weights.")
            except (TypeError, ValueError):
                told = (
                    f"init must have {n_terms} finite initial weights, the intercept first if there"
                    " is one."
                )
                raise ValueError(told) from None
            return start
        return rng.normal(0, START_SPREAD, n_terms) if self.init == "random" else np.zeros(n_terms)

    def _given(self) -> Floats:
        """Return given initial weights in a row, the intercept first."""
        if not isinstance(self.init, Mapping):
            return np.array(self.init, float)
        names = ["intercept"] * self.fit_intercept + ["coef"]
        return np.concatenate(
            [np.ravel(np.array(self.init.get(name, []), float)) for name in names]
        )
