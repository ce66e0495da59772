"""What recurrent networks share: learning by backpropagation through time, and forecasting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self
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
from dmlib.neural.optimizers import OPTIMIZERS
from dmlib.neural.rnn.cells import Cell, Signals, State, Weights, over_steps
from dmlib.neural.rnn.task import Task, task_of
from dmlib.neural.weights import given_weights
from dmlib.params import Choice, Integer, Number, Param, check_params
from dmlib.trace import look

ALL_EPOCHS = "The limit of epochs is reached."
RUNAWAY = 100.0  # times the loss of the start: beyond it, the weights diverge
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
        What was done: weights were drawn; all sequences were learned from once; the weights grew
        without bound in this epoch, and those before are kept; the end.
    n_iter : int
        The epochs so far.
    weights : mapping of str to ndarray
        The weights of the cell (W of the inputs, U of the feedback, b) and of the output (V, a).
    loss : float
        The mean loss of the steps that are learned from, with these weights.
    test_error : float
        Of what is held out: the root mean squared error of the forecast, or of the answers; of
        symbols the perplexity.
    naive_error : float
        The same of the naive answer: the last value, the mean, or the shares of the symbols.
    norm : float
        The length of the mean gradient in the epoch, before it is clipped; 0 at the start.
    updates : int
        How often the weights were changed in the epoch.
    reason : str
        On "diverged" and "done": why it ended, as a sentence.
    """

    phase: str
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
    horizon: int
    init: Any
    random_state: Any

    def fit(self, X: Any, exog: Any = None) -> Self:
        """Learn the next values of a series, or what is to be said in sequences.

        ``exog`` are further inputs of a series, shape (n_values,) or (n_values, n_known): each is
        known before the value of its row comes, in the forecast too.
        """
        task = self.task(X, exog)
        return self._take(deque(self._learn(task), maxlen=1).pop(), task)

    def fit_from(self, steps: Sequence[RecurrentStep], X: Any, exog: Any = None) -> Self:
        """Become fitted as ``fit`` would, from the steps of this estimator on the same data."""
        return self._take(steps[-1], self.task(X, exog))

    def _take(self, last: RecurrentStep, task: Task) -> Self:
        """Keep what the last step ends with."""
        self.weights_, self.n_iter_, self.loss_ = dict(last.weights), last.n_iter, last.loss
        self.test_error_, self.naive_error_ = last.test_error, last.naive_error
        self.task_ = task
        found, _ = self.gradients(self.weights_, task.X, task.Y, task.mask, task.loss)
        self.gradient_ = np.concatenate([found[name].ravel() for name in self.weights_])
        self.forecast_ = self.continued(self.weights_, task) if task.forecast else np.empty(0)
        if "grow without bound" in last.reason:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=3)
        return self

    def steps(self, X: Any, exog: Any = None) -> Iterator[RecurrentStep]:
        """Yield the start, each epoch and the end."""
        yield from self._learn(self.task(X, exog))

    def draft(self, X: Any, exog: Any = None) -> dict[str, Any]:
        """Return the parameters of a run that is soon done, for a picture while a control moves: fewer epochs."""
        task = self.task(X, exog)
        n, n_steps, _ = task.X.shape
        weights = self._start(task, check_random_state(0))
        n_weights, n_units = (
            sum(part.size for part in weights.values()),
            weights["b"].size + weights["a"].size,
        )
        spans = n_steps / (self.span or n_steps)
        steps = 0.35 * n_steps + 2 * spans + (0.8 * self.horizon if task.forecast else 0)
        return {
            "max_iter": epochs_of_draft(
                self.max_iter, steps, n * n_steps * (2 * n_weights + 100 * n_units)
            )
        }

    def shortened(
        self, steps: Sequence[RecurrentStep], X: Any, exog: Any = None
    ) -> tuple[RecurrentStep, ...] | None:
        """Return the steps of this estimator among those of one with more epochs; None if these are not enough."""
        n_steps = 1 + self.max_iter
        if len(steps) >= n_steps and steps[n_steps - 1].phase == "diverged":
            return tuple(steps) if steps[-1].phase == "done" else None
        return shortened(
            steps, n_steps, lambda last: replace(last, phase="done", updates=0, reason=ALL_EPOCHS)
        )

    def predict(self, X: Any = None) -> Floats:
        """Return the forecast of the series that was learned from; of sequences, what is said in each step."""
        check_is_fitted(self)
        if X is None:
            return self.forecast_
        sequences = np.asarray(X, float)
        if sequences.ndim != 3 or sequences.shape[2] != self.task_.X.shape[2]:
            raise ValueError(
                f"predict takes sequences, shape (n_sequences, n_steps, {self.task_.X.shape[2]}), "
                "or nothing for the forecast of the series that was learned from."
            )
        answers: Floats = self.answers(self.weights_, sequences)[0]
        return answers

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a series
        tags.input_tags.one_d_array = True
        return tags

    @property
    def cell(self) -> Cell:
        """The recurrent layer."""
        raise NotImplementedError

    @property
    def span(self) -> int | None:
        """How many steps are unrolled at once; None for whole sequences."""
        return None

    def task(self, X: Any, exog: Any = None) -> Task:
        """Return what is learned from and what is held out."""
        check_params(self.PARAMS, self.get_params())
        return task_of(X, self.horizon, getattr(self, "delays", 1), exog)

    # Forwards
    # ---------------------------------------------------------------------------------------------------------

    def answers(
        self, weights: Weights, X: Floats, state: State | None = None
    ) -> tuple[Floats, Signals, State]:
        """Return what is said in each step of sequences (of symbols: their sums), the signals and the last state."""
        look()
        cell = self.cell
        signals, after = cell.forwards(
            weights, X, cell.rest(len(X), X.shape[2]) if state is None else state
        )
        return signals["h"] @ weights["V"] + weights["a"], signals, after

    def continued(self, weights: Weights, task: Task) -> Floats:
        """Return the forecast of the values that are held out, in the units of the series."""
        said, _, state = self.answers(weights, task.series)
        return task.shift + task.unit * self.onwards(weights, said[:, -1:], state, task.known)

    def onwards(self, weights: Weights, value: Floats, state: State, known: Floats) -> Floats:
        """Return a value and those after it: each becomes the next input, beside what is ``known`` of the next one."""
        found = [float(value[0, 0, 0])]
        for k in range(1, known.shape[1]):
            value, _, state = self.answers(
                weights, np.concatenate([value, known[:, k : k + 1]], axis=2), state
            )
            found.append(float(value[0, 0, 0]))
        return np.array(found)

    # Learning
    # ---------------------------------------------------------------------------------------------------------

    def _learn(self, task: Task) -> Iterator[RecurrentStep]:
        rng = check_random_state(self.random_state)
        weights = self._start(task, rng)
        rule = OPTIMIZERS[self.optimizer](list(weights.values()), self.learning_rate)
        naive, (first, error) = naive_error(task), self._judged(weights, task)
        last = RecurrentStep("start", 0, weights, first, error, naive)
        yield last
        reason = ALL_EPOCHS
        for epoch in range(1, self.max_iter + 1):
            with np.errstate(over="ignore", invalid="ignore"):
                weights, norm, updates = self._epoch(weights, task, rule.updates)
                loss, error = self._judged(weights, task)
            if not loss <= RUNAWAY * first:
                reason = (
                    f"The weights grow without bound in epoch {epoch}: the learning rate"
                    f" {self.learning_rate:g} is too large. Choose a smaller one, or clip the"
                    " gradient."
                )
                yield RecurrentStep(
                    "diverged",
                    epoch,
                    last.weights,
                    last.loss,
                    last.test_error,
                    naive,
                    last.norm,
                    updates,
                    reason,
                )
                break
            last = RecurrentStep("epoch", epoch, weights, loss, error, naive, norm, updates)
            yield last
        yield RecurrentStep(
            "done",
            last.n_iter,
            last.weights,
            last.loss,
            last.test_error,
            naive,
            last.norm,
            0,
            reason,
        )

    def _start(self, task: Task, rng: np.random.RandomState) -> dict[str, Floats]:
        """Draw the initial weights, or take those that are given."""
        draw, n_outputs = (
            INITIALISERS[self.init if isinstance(self.init, str) else "zero"],
            task.Y.shape[2],
        )
        weights = self.cell.start(rng, task.X.shape[2], draw)
        weights |= {"V": draw(rng, self.n_hidden, n_outputs), "a": np.zeros(n_outputs)}
        if isinstance(self.init, str):
            return weights
        return given_weights(self.init, {name: part.shape for name, part in weights.items()})

    def _epoch(
        self,
        weights: dict[str, Floats],
        task: Task,
        updates: Callable[[list[Floats]], list[Floats]],
    ) -> tuple[dict[str, Floats], float, int]:
        """Go through the sequences once: after each span, go back through it and change the weights."""
        n_steps = task.X.shape[1]
        span, norms, state = self.span or n_steps, [], None
        for first in range(0, n_steps, span):
            some = slice(first, first + span)
            if not task.mask[:, some].any():
                state = self.answers(weights, task.X[:, some], state)[2]
                continue
            gradients, state = self.gradients(
                weights, task.X[:, some], task.Y[:, some], task.mask[:, some], task.loss, state
            )
            norm = float(np.sqrt(sum((gradient**2).sum() for gradient in gradients.values())))
            norms.append(norm)
            scale = min(1.0, self.clip / norm) if self.clip is not None and norm > 0 else 1.0
            change = updates([scale * gradients[name] for name in weights])
            weights = {
                name: weight + step
                for (name, weight), step in zip(weights.items(), change, strict=True)
            }
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
        """Return the derivatives of the mean loss of some steps by all weights, and the state after them.

        The state before is taken as given: what came earlier gets no part of the error.
        """
        said, signals, after = self.answers(weights, X, state)
        slopes = self._slopes(said, Y, mask, loss)
        found, _ = self.cell.backwards(weights, X, signals, slopes @ weights["V"].T)
        found |= {"V": over_steps(signals["h"], slopes), "a": slopes.sum(axis=(0, 1))}
        return found, after

    def reach(self, weights: Weights, X: Floats, Y: Floats, loss: str) -> Floats:
        """Return how strongly the error of the last step hangs on the input of each step, shape (n_steps,).

        It is the length of the derivative of that error by the input, the mean over sequences.
        """
        said, signals, _ = self.answers(weights, X)
        mask = np.zeros(X.shape[:2])
        mask[:, -1] = 1
        slopes = self._slopes(said, Y, mask, loss)
        _, dX = self.cell.backwards(weights, X, signals, slopes @ weights["V"].T)
        lengths: Floats = len(X) * np.linalg.norm(dX, axis=2).mean(axis=0)
        return lengths

    @staticmethod
    def _slopes(said: Floats, Y: Floats, mask: Floats, loss: str) -> Floats:
        flat = said.reshape(-1, said.shape[2])
        slopes = (
            LOSSES[loss].slope(LOSSES[loss].output(flat), Y.reshape(flat.shape)).reshape(said.shape)
        )
        weighted: Floats = slopes * (mask / max(mask.sum(), 1.0))[..., None]
        return weighted

    # How good it is
    # ---------------------------------------------------------------------------------------------------

    def loss(self, weights: Weights, task: Task) -> float:
        """Return the mean loss of the steps that are learned from."""
        return mean_loss(self.answers(weights, task.X)[0], task.Y, task.mask, task.loss)

    def _judged(self, weights: Weights, task: Task) -> tuple[float, float]:
        """Return the mean loss of what is learned from, and the error of what is held out."""
        if task.forecast:
            said, _, state = self.answers(weights, task.series)
            found = task.shift + task.unit * self.onwards(weights, said[:, -1:], state, task.known)
            loss = mean_loss(said[:, :-1], task.Y, task.mask, task.loss)
            return loss, float(np.sqrt(np.mean((found - task.held[0]) ** 2)))
        X, Y, mask = task.held
        error = as_error(mean_loss(self.answers(weights, X)[0], Y, mask, task.loss), task.loss)
        return self.loss(weights, task), error


def mean_loss(said: Floats, Y: Floats, mask: Floats, loss: str) -> float:
    """Return the mean loss of the steps in which something is to be said."""
    flat, kind = said.reshape(-1, said.shape[2]), LOSSES[loss]
    losses = kind.loss(kind.output(flat), Y.reshape(flat.shape))
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
    """Return the error of the naive answer: the last value of a series; else the mean, or shares, of the targets."""
    if task.forecast:
        last = task.shift + task.unit * task.Y[0, -1, 0]
        return float(np.sqrt(np.mean((last - task.held[0]) ** 2)))
    _, Y, mask = task.held
    mean = (task.Y * task.mask[..., None]).sum(axis=(0, 1)) / task.mask.sum()
    if task.loss == "squared_error":
        return as_error(mean_loss(np.broadcast_to(mean, Y.shape), Y, mask, task.loss), task.loss)
    sums = np.log(
        np.maximum(mean, 1 / (2 * task.mask.sum()))
    )  # a letter that never came counts as half a time
    return as_error(mean_loss(np.broadcast_to(sums, Y.shape), Y, mask, task.loss), task.loss)
