"""The base of recurrent networks: backpropagation through time, and forecasts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft, shortened
from dmlib.neural.initialisers import INITIALISERS
from dmlib.neural.losses import LOSSES
from dmlib.neural.optimizers import OPTIMIZERS, Optimizer
from dmlib.neural.rnn.cells import Cell, Signals, State, Weights, over_steps
from dmlib.neural.rnn.task import Task, task_of
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.trace import look

Phase = Literal["start", "epoch", "diverged", "done"]

ALL_EPOCHS = "The limit of epochs is reached."
MAX_RATIO = 100.0  # of the loss to that of the start: beyond it, the weights diverge
COMMON: dict[str, Param] = {
    "n_hidden": Integer(1, 64, shown=(1, 24)),
    "learning_rate": Number(1e-6, 1e3, shown=(1e-4, 1.0), log=True),
    "max_iter": Integer(1, 2000, shown=(1, 200)),
    "optimizer": Choice(("adam", "sgd")),
    "clip": Number(0.01, 100.0, shown=(0.01, 10.0), log=True, none="no clipping"),
    "horizon": Integer(1, 200, shown=(1, 60)),
    "init": Choice(tuple(INITIALISERS), arrays=True),
}


@dataclass(frozen=True, eq=False)
class RecurrentStep:
    """One step of learning: an epoch.

    Attributes
    ----------
    phase : {"start", "epoch", "diverged", "done"}
        The initial weights are drawn; a pass through all sequences ends; the weights grow without
        bound in this epoch, so that those before are used; the end.
    n_iter : int
        The number of epochs so far.
    weights : mapping of str to ndarray
        The weights of the cell (W of the inputs, U of the feedback, b) and of the output (V, a).
    loss : float
        The mean loss of the training steps, with these weights.
    test_error : float
        The root mean squared error of the forecast or of the answers to test sequences; of symbols
        the perplexity.
    naive_error : float
        The same of the naive answer: the last value, the mean, or the shares of the symbols.
    norm : float
        The length of the mean gradient in the epoch, before it is clipped; 0 at the start.
    updates : int
        The number of updates of the weights in the epoch.
    reason : str
        On "diverged" and "done": why it ended, as a sentence.
    """

    phase: Phase
    n_iter: int
    weights: Mapping[str, Floats]
    loss: float
    test_error: float
    naive_error: float
    norm: float = 0.0
    updates: int = 0
    reason: str = ""


class RecurrentNetwork(BaseEstimator):
    """The base of networks with a recurrent cell and a linear output in each step."""

    PARAMS: ClassVar[dict[str, Param]]
    LENGTH: ClassVar[str] = "max_iter"
    n_hidden: int
    learning_rate: float
    max_iter: int
    optimizer: str
    clip: float | None
    delays: int = 1
    horizon: int
    init: Any
    random_state: Any

    def fit(self, X: Any, exog: Any = None) -> Self:
        """Learn the next values of a series, or the targets of sequences.

        ``exog`` are exogenous inputs of a series, shape (n_values,) or (n_values, n_known), which
        are known before the value at their time, in the forecast too.
        """
        task = self.task(X, exog)
        return self._set_fitted(deque(self._learn(task), maxlen=1).pop(), task)

    def fit_from(self, steps: Sequence[RecurrentStep], X: Any, exog: Any = None) -> Self:
        """Become fitted as ``fit`` would, from the steps of this estimator on the same data."""
        return self._set_fitted(steps[-1], self.task(X, exog))

    def _set_fitted(self, last: RecurrentStep, task: Task) -> Self:
        """Set the fitted attributes: those of the last step, the gradient and the forecast."""
        self.task_ = task
        self.weights_ = dict(last.weights)
        self.n_iter_ = last.n_iter
        self.loss_ = last.loss
        self.test_error_ = last.test_error
        self.naive_error_ = last.naive_error
        gradients, _ = self.gradients(self.weights_, task.X, task.Y, task.mask, task.loss)
        self.gradient_ = np.concatenate([gradients[name].ravel() for name in self.weights_])
        self.forecast_ = self.forecast(self.weights_, task) if task.is_series else np.empty(0)
        if "grow without bound" in last.reason:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=3)
        return self

    def steps(self, X: Any, exog: Any = None) -> Iterator[RecurrentStep]:
        """Yield the start, each epoch and the end."""
        yield from self._learn(self.task(X, exog))

    def draft(self, X: Any, exog: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        task = self.task(X, exog)
        n, n_steps, _ = task.X.shape
        weights = self._initial_weights(task, check_random_state(0))
        n_weights = sum(part.size for part in weights.values())
        n_units = weights["b"].size + weights["a"].size
        n_spans = n_steps / (self.span or n_steps)
        n_layers = 0.35 * n_steps + 2 * n_spans + (0.8 * self.horizon if task.is_series else 0)
        n_products = n * n_steps * (2 * n_weights + 100 * n_units)
        return {"max_iter": epochs_of_draft(self.max_iter, n_layers, n_products)}

    def shortened(
        self, steps: Sequence[RecurrentStep], X: Any, exog: Any = None
    ) -> tuple[RecurrentStep, ...] | None:
        """Return the steps of this estimator among those of one with more epochs, if possible."""
        n_steps = 1 + self.max_iter
        if len(steps) >= n_steps and steps[n_steps - 1].phase == "diverged":
            return tuple(steps) if steps[-1].phase == "done" else None

        def done(last: RecurrentStep) -> RecurrentStep:
            return replace(last, phase="done", updates=0, reason=ALL_EPOCHS)

        return shortened(steps, n_steps, done)

    def predict(self, X: Any = None) -> Floats:
        """Return the forecast of the training series, or the outputs for sequences."""
        check_is_fitted(self)
        if X is None:
            return self.forecast_
        sequences = np.asarray(X, float)
        if sequences.ndim != 3 or sequences.shape[2] != self.task_.X.shape[2]:
            raise ValueError(
                f"predict takes sequences, shape (n_sequences, n_steps, {self.task_.X.shape[2]}),"
                " or nothing for the forecast of the training series."
            )
        answers: Floats = self.answers(self.weights_, sequences)[0]
        return answers

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # X is a series
        tags.input_tags.one_d_array = True
        return tags

    @property
    def cell(self) -> Cell:
        """The recurrent layer."""
        raise NotImplementedError

    @property
    def span(self) -> int | None:
        """The number of steps that are unrolled at once; None for complete sequences."""
        return None

    def task(self, X: Any, exog: Any = None) -> Task:
        """Return the training data and the test data."""
        check_params(self.PARAMS, self.get_params())
        return task_of(X, self.horizon, self.delays, exog)

    # --- forwards ---------------------------------------------------------------------------------

    def answers(
        self, weights: Weights, X: Floats, state: State | None = None
    ) -> tuple[Floats, Signals, State]:
        """Return the outputs of all steps, of symbols their sums; the signals; the last state."""
        look()
        if state is None:
            state = self.cell.initial_state(len(X), X.shape[2])
        signals, last_state = self.cell.forwards(weights, X, state)
        return signals["h"] @ weights["V"] + weights["a"], signals, last_state

    def forecast(self, weights: Weights, task: Task) -> Floats:
        """Return the forecast of the held-out values, in the units of the series."""
        outputs, _, state = self.answers(weights, task.series)
        values = self.extrapolate(weights, outputs[:, -1:], state, task.known_inputs)
        return task.shift + task.unit * values

    def extrapolate(
        self, weights: Weights, value: Floats, state: State, known_inputs: Floats
    ) -> Floats:
        """Return a value and those after it: each is the next input, with the known ones."""
        values = [float(value[0, 0, 0])]
        for k in range(1, known_inputs.shape[1]):
            x = np.concatenate([value, known_inputs[:, k : k + 1]], axis=2)
            value, _, state = self.answers(weights, x, state)
            values.append(float(value[0, 0, 0]))
        return np.array(values)

    # --- learning ---------------------------------------------------------------------------------

    def _learn(self, task: Task) -> Iterator[RecurrentStep]:
        rng = check_random_state(self.random_state)
        weights = self._initial_weights(task, rng)
        optimizer = OPTIMIZERS[self.optimizer](list(weights.values()), self.learning_rate)
        start_loss, error = self._errors(weights, task)
        last = RecurrentStep("start", 0, weights, start_loss, error, naive_error(task))
        yield last
        reason = ALL_EPOCHS
        for epoch in range(1, self.max_iter + 1):
            with np.errstate(over="ignore", invalid="ignore"):
                weights, norm, n_updates = self._epoch(weights, task, optimizer)
                loss, error = self._errors(weights, task)
            if not loss <= MAX_RATIO * start_loss:
                reason = (
                    f"The weights grow without bound in epoch {epoch}: the learning rate"
                    f" {self.learning_rate:g} is too large. Choose a smaller one, or clip the"
                    " gradient."
                )
                yield replace(
                    last, phase="diverged", n_iter=epoch, updates=n_updates, reason=reason
                )
                break
            last = RecurrentStep(
                "epoch", epoch, weights, loss, error, last.naive_error, norm, n_updates
            )
            yield last
        yield replace(last, phase="done", updates=0, reason=reason)

    def _initial_weights(self, task: Task, rng: np.random.RandomState) -> dict[str, Floats]:
        draw = INITIALISERS[self.init if isinstance(self.init, str) else "zero"]
        n_outputs = task.Y.shape[2]
        weights = self.cell.initial_weights(rng, task.X.shape[2], draw)
        weights |= {"V": draw(rng, self.n_hidden, n_outputs), "a": np.zeros(n_outputs)}
        if isinstance(self.init, str):
            return weights
        return given_weights(self.init, {name: part.shape for name, part in weights.items()})

    def _epoch(
        self, weights: dict[str, Floats], task: Task, optimizer: Optimizer
    ) -> tuple[dict[str, Floats], float, int]:
        """Go through the sequences once, with an update after each span of steps.

        Returned are the weights, the mean length of the gradients, and their number.
        """
        n_steps = task.X.shape[1]
        span = self.span or n_steps
        norms: list[float] = []
        state = None
        for first in range(0, n_steps, span):
            steps = slice(first, first + span)
            X, Y, mask = task.X[:, steps], task.Y[:, steps], task.mask[:, steps]
            if not mask.any():
                state = self.answers(weights, X, state)[2]
                continue
            gradients, state = self.gradients(weights, X, Y, mask, task.loss, state)
            norms.append(float(np.sqrt(sum((part**2).sum() for part in gradients.values()))))
            scale = 1.0
            if self.clip is not None and norms[-1] > 0:
                scale = min(1.0, self.clip / norms[-1])
            updates = optimizer.updates([scale * gradients[name] for name in weights])
            sums = map(np.add, weights.values(), updates)
            weights = dict(zip(weights, sums, strict=True))
        return weights, float(np.mean(norms)), len(norms)

    def gradients(
        self,
        weights: Weights,
        X: Floats,
        Y: Floats,
        mask: Floats,
        loss: str,
        state: State | None = None,
    ) -> tuple[dict[str, Floats], State]:
        """Return the derivatives of the mean loss by all weights, and the last state.

        The state before is a constant: the error does not go back beyond it.
        """
        outputs, signals, last_state = self.answers(weights, X, state)
        slopes = self._slopes(outputs, Y, mask, loss)
        gradients, _ = self.cell.backwards(weights, X, signals, slopes @ weights["V"].T)
        gradients |= {"V": over_steps(signals["h"], slopes), "a": slopes.sum(axis=(0, 1))}
        return gradients, last_state

    def reach(self, weights: Weights, X: Floats, Y: Floats, loss: str) -> Floats:
        """Return the effect of the input of each step on the error of the last, shape (n_steps,).

        It is the length of the derivative of that error by the input, the mean over sequences.
        """
        outputs, signals, _ = self.answers(weights, X)
        mask = np.zeros(X.shape[:2])
        mask[:, -1] = 1
        slopes = self._slopes(outputs, Y, mask, loss)
        _, dX = self.cell.backwards(weights, X, signals, slopes @ weights["V"].T)
        lengths: Floats = len(X) * np.linalg.norm(dX, axis=2).mean(axis=0)
        return lengths

    @staticmethod
    def _slopes(outputs: Floats, Y: Floats, mask: Floats, loss: str) -> Floats:
        """Return the derivatives of the mean loss by the outputs, like these."""
        flat = outputs.reshape(-1, outputs.shape[2])
        slopes = LOSSES[loss].slope(LOSSES[loss].output(flat), Y.reshape(flat.shape))
        shares: Floats = (mask / max(mask.sum(), 1.0))[..., None]
        return slopes.reshape(outputs.shape) * shares

    # --- errors -----------------------------------------------------------------------------------

    def loss(self, weights: Weights, task: Task) -> float:
        """Return the mean loss of the training steps."""
        return mean_loss(self.answers(weights, task.X)[0], task.Y, task.mask, task.loss)

    def _errors(self, weights: Weights, task: Task) -> tuple[float, float]:
        """Return the mean loss of the training steps, and the test error."""
        if task.is_series:
            outputs, _, state = self.answers(weights, task.series)
            values = self.extrapolate(weights, outputs[:, -1:], state, task.known_inputs)
            residuals = task.shift + task.unit * values - task.held_out[0]
            loss = mean_loss(outputs[:, :-1], task.Y, task.mask, task.loss)
            return loss, float(np.sqrt(np.mean(residuals**2)))
        X, Y, mask = task.held_out
        test_loss = mean_loss(self.answers(weights, X)[0], Y, mask, task.loss)
        return self.loss(weights, task), as_error(test_loss, task.loss)


def mean_loss(outputs: Floats, Y: Floats, mask: Floats, loss: str) -> float:
    """Return the mean loss of the steps with a target."""
    flat = outputs.reshape(-1, outputs.shape[2])
    losses = LOSSES[loss].loss(LOSSES[loss].output(flat), Y.reshape(flat.shape))
    return float((losses * mask.ravel()).sum() / mask.sum())


def as_error(loss: float, kind: str) -> float:
    """Return the root mean squared error, or the perplexity, that a mean loss stands for.

    Examples
    --------
    >>> as_error(0.5, "squared_error"), round(as_error(np.log(4), "log_loss"), 9)
    (1.0, 4.0)
    """
    return float(np.exp(loss)) if kind == "log_loss" else float(np.sqrt(2 * loss))


def naive_error(task: Task) -> float:
    """Return the error of the last value of a series, or of the mean of all targets."""
    if task.is_series:
        last = task.shift + task.unit * task.Y[0, -1, 0]
        return float(np.sqrt(np.mean((last - task.held_out[0]) ** 2)))
    _, Y, mask = task.held_out
    mean = (task.Y * task.mask[..., None]).sum(axis=(0, 1)) / task.mask.sum()
    output = mean
    if task.loss == "log_loss":
        min_share = 1 / (2 * task.mask.sum())  # an unseen symbol counts as half an occurrence
        output = np.log(np.maximum(mean, min_share))
    return as_error(mean_loss(np.broadcast_to(output, Y.shape), Y, mask, task.loss), task.loss)
