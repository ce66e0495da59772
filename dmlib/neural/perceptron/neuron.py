"""A neuron that learns from one row after the other: the base of the perceptron and Adaline."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self
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
from dmlib.estimator import Staged
from dmlib.params import Param, check_params
from dmlib.trace import look

Phase = Literal["start", "right", "update", "epoch", "done"]

MAX_NUMBER = 1e100  # numbers up to which scores are finite
MAX_ROW_STEPS = 140  # rows that are a step each; later each epoch is one, so that 50 fit
ROWS_A_LOOK = 16  # rows between two looks at a clock, which cost more than the rows
INITIAL_SPREAD = 0.5  # standard deviation of random initial weights


@dataclass(frozen=True)
class NeuronStep:
    """One step of a perceptron or of Adaline.

    Attributes
    ----------
    phase : {"start", "right", "update", "epoch", "done"}
        The initial weights; a row is classified correctly, and the weights stay; a row updates
        the weights; an epoch ends; the end. The first 140 rows are a step each.
    epoch : int
        The pass through the rows, from 1; 0 at the start.
    weights : ndarray of shape (n_terms,)
        The weights after the step, the intercept (if there is one) first.
    decision_weights : ndarray of shape (n_terms,)
        The weights that would be used for predictions: the same, the best so far, or the average
        so far.
    n_mistakes : int
        The number of rows so far that were on the wrong side, or on the line, when it was their
        turn.
    row : int or None
        The row of "right" and "update".
    sign : float
        Its class, -1 or 1.
    score : float
        Its weighted sum, before the update.
    gain : float
        The factor by which the row was added to the weights.
    cost : float
        On "epoch": the mistakes in it, or the mean squared error of Adaline.
    cycle : tuple of (int, int) or None
        On "done": two epochs after which the weights were the same, so that everything repeats.
    converged : bool
        On "done": whether an epoch had no mistake.
    reason : str
        On "done": one sentence on why it ended.
    ballot : Any
        Of a voted perceptron: its weight vectors so far.
    """

    phase: Phase
    epoch: int
    weights: Floats
    decision_weights: Floats
    n_mistakes: int
    row: int | None = None
    sign: float = 0.0
    score: float = 0.0
    gain: float = 0.0
    cost: float = 0.0
    cycle: tuple[int, int] | None = None
    converged: bool = False
    reason: str = ""
    ballot: Any = None


class Memory:
    """The weights that are used for predictions: the last.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_terms)
        The terms of all rows.
    signs : ndarray of shape (n_samples,)
        Their classes, -1 and 1.
    weights : ndarray of shape (n_terms,)
        The initial weights.
    """

    ballot: Any = None  # of a voted perceptron

    def __init__(self, Z: Floats, signs: Floats, weights: Floats) -> None:
        self.Z, self.signs, self.weights = Z, signs, weights

    def update(self, weights: Floats, is_update: bool) -> None:
        """Take the weights after a row into account."""
        self.weights = weights


class Neuron:
    """A weighted sum that learns from one row after the other.

    Parameters
    ----------
    unit : LinearUnit
        The rule by which a row changes the weights.
    Z : ndarray of shape (n_samples, n_terms)
        The terms of all rows.
    signs : ndarray of shape (n_samples,)
        Their classes, -1 and 1.
    weights : ndarray of shape (n_terms,)
        The initial weights.

    Attributes
    ----------
    memory : Memory
        The weights that are used for predictions.
    n_mistakes : int
        The number of rows so far that were misclassified when it was their turn.
    n_rows : int
        The number of rows so far.
    has_diverged : bool
        Whether a sum was beyond the limit of the rule.
    """

    def __init__(self, unit: LinearUnit, Z: Floats, signs: Floats, weights: Floats) -> None:
        self.unit, self.Z, self.signs, self.weights = unit, Z, signs, weights
        self.memory = unit._memory(Z, signs, weights)
        self.n_mistakes = 0
        self.n_rows = 0
        self.has_diverged = False

    @property
    def fingerprint(self) -> bytes:
        """The weights as bytes, equal for equal weights."""
        return (self.weights + 0.0).tobytes()  # minus zero is zero

    def step(self, phase: Phase, epoch: int, **fields: Any) -> NeuronStep:
        """Return the state as a step."""
        fields["ballot"] = self.memory.ballot
        return NeuronStep(
            phase, epoch, self.weights, self.memory.weights, self.n_mistakes, **fields
        )

    def learn(self, order: NDArray[np.intp], epoch: int) -> Generator[NeuronStep, None, float]:
        """Learn from the rows in this order; yield the first as steps, and return their cost."""
        unit, total = self.unit, 0.0
        for i in order:
            if self.n_rows % ROWS_A_LOOK == 0:
                look()
            z, sign = self.Z[i], float(self.signs[i])
            score = float(z @ self.weights)
            if abs(score) > unit.limit:
                self.has_diverged = True
                break
            self.n_mistakes += sign * score <= 0
            total += unit._cost(score, sign)
            gain = unit._gain(score, sign)
            if gain:
                self.weights = self.weights + gain * z
            self.memory.update(self.weights, bool(gain))
            self.n_rows += 1
            if self.n_rows <= MAX_ROW_STEPS:
                phase: Phase = "update" if gain else "right"
                yield self.step(phase, epoch, row=int(i), sign=sign, score=score, gain=gain)
        return total


class LinearUnit(ClassifierMixin, Staged, BaseEstimator):
    """The base of classifiers that decide between two classes by the sign of a weighted sum.

    Its classes have :meth:`_gain`, the rule by which a row changes the weights.
    """

    coef_: Floats
    intercept_: Floats
    PARAMS: ClassVar[dict[str, Param]]
    limit: ClassVar[float] = np.inf  # of a score, beyond which the weights diverge
    settles: ClassVar[bool] = True  # whether an epoch without a mistake is the last
    keep: str = "last"
    learning_rate: float
    max_iter: int
    shuffle: bool
    init: Any
    fit_intercept: bool
    random_state: Any

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the weights from the rows of ``X`` and their two classes."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._set_fitted(deque(self._learn(rows, labels), maxlen=1)[0], labels)

    def fit_from(self, steps: Sequence[NeuronStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps on the same rows."""
        return self._set_fitted(steps[-1], validate_data(self, X, y, dtype=np.float64)[1])

    def _set_fitted(self, last: NeuronStep, labels: NDArray[Any]) -> Self:
        """Set the fitted attributes: those of the last step."""
        self.__dict__.update(self._learned(last))
        self.classes_ = np.unique(labels)
        self.n_iter_ = last.epoch
        self.n_mistakes_ = last.n_mistakes
        self.converged_ = last.converged
        if not (last.converged or self.settles):  # that classes overlap is no fault of a perceptron
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def _learned(self, step: NeuronStep) -> dict[str, Floats]:
        weights, n_constant = step.decision_weights, int(self.fit_intercept)
        intercept = weights[:1].copy() if n_constant else np.zeros(1)
        return {"coef_": weights[None, n_constant:].copy(), "intercept_": intercept}

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[NeuronStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._learn(*check_X_y(X, y, dtype=np.float64))

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        # This many rows take as long as a layer of a network.
        rows_a_layer = 6 if self.settles and self.keep == "last" else 5
        return {"max_iter": epochs_of_draft(self.max_iter, len(X) / rows_a_layer, 0)}

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
        """Return the rows, with an intercept after a column of ones; shape (n_samples, n_terms)."""
        return np.hstack([np.ones((len(X), 1)), X]) if self.fit_intercept else X

    def _gain(self, score: float, sign: float) -> float:
        """Return the factor by which a row is added to the weights."""
        raise NotImplementedError

    def _cost(self, score: float, sign: float) -> float:
        """Return the cost of a row, of which an epoch has the sum."""
        raise NotImplementedError

    def _memory(self, Z: Floats, signs: Floats, weights: Floats) -> Memory:
        return Memory(Z, signs, weights)

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[NeuronStep]:
        Z, signs = self._prepare(X, y)
        rng = check_random_state(self.random_state)
        neuron = Neuron(self, Z, signs, self._initial_weights(Z.shape[1], rng))
        yield neuron.step("start", 0)
        first_epochs = {neuron.fingerprint: 0}
        cycle = None
        reason = "The limit of epochs is reached." if self.settles else ""
        converged = not self.settles
        for epoch in range(1, self.max_iter + 1):
            n_before = neuron.n_mistakes
            order = rng.permutation(len(Z)) if self.shuffle else np.arange(len(Z))
            cost = yield from neuron.learn(order, epoch)
            if neuron.has_diverged:
                reason, converged = self._diverged(epoch, Z), False
                break
            makes_mistakes = neuron.n_mistakes > n_before
            if cycle is None and not self.shuffle:
                first = first_epochs.setdefault(neuron.fingerprint, epoch)
                if first < epoch and makes_mistakes:
                    cycle = first, epoch
            yield neuron.step("epoch", epoch, cost=self._epoch_cost(cost, len(Z)))
            if self.settles and not makes_mistakes:
                reason, converged = f"Epoch {epoch} had no mistake.", True
                break
        yield neuron.step("done", epoch, cycle=cycle, converged=converged, reason=reason)

    def _epoch_cost(self, cost: float, n_rows: int) -> float:
        return cost

    def _diverged(self, epoch: int, Z: Floats) -> str:
        safe = 2 / float((Z**2).sum(axis=1).max())
        return (
            f"The weights grow without bound in epoch {epoch}: the learning rate"
            f" {self.learning_rate:g} is too large. Choose one below {safe:.2g}, or scale the"
            " columns."
        )

    def _prepare(self, X: Floats, y: NDArray[Any]) -> tuple[Floats, Floats]:
        """Check parameters and data; return the terms of the rows and their classes as -1 and 1."""
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
        if np.abs(X).max() > MAX_NUMBER:
            raise ValueError(
                f"X has numbers beyond {MAX_NUMBER:g}, which are too large; rescale its columns."
            )
        return self.terms(X), np.where(codes == 1, 1.0, -1.0)

    def _initial_weights(self, n_terms: int, rng: np.random.RandomState) -> Floats:
        if isinstance(self.init, str):
            is_random = self.init == "random"
            return rng.normal(0, INITIAL_SPREAD, n_terms) if is_random else np.zeros(n_terms)
        try:
            weights = self._init_array()
            if weights.shape != (n_terms,) or not np.isfinite(weights).all():
                raise ValueError("These are not the weights.")
        except (TypeError, ValueError):
            raise ValueError(
                f"init must have {n_terms} finite initial weights, the intercept first if there is"
                " one."
            ) from None
        return weights

    def _init_array(self) -> Floats:
        """Return the initial weights of ``init`` in a row, the intercept first."""
        if not isinstance(self.init, Mapping):
            return np.array(self.init, float)
        names = ["intercept"] * self.fit_intercept + ["coef"]
        return np.concatenate(
            [np.ravel(np.array(self.init.get(name, []), float)) for name in names]
        )
