"""Cascade correlation: a network that begins without hidden units and adds one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.draft import epochs_of_draft
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.layers import dense
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.algorithm import MLPClassifier, class_scores
from dmlib.neural.mlp.candidates import Candidates
from dmlib.neural.mlp.learner import Learner
from dmlib.neural.mlp.network import COMMON
from dmlib.neural.mlp.targets import Weights
from dmlib.neural.optimizers import OPTIMIZERS
from dmlib.params import Choice, Conditions, Integer, Number, Param, Range, Ranges
from dmlib.trace import look

Phase = Literal["outputs", "candidates", "install", "done"]

REPORTS = 5  # steps of each training
SPREAD = 1.0  # standard deviation of the initial weights of candidates


@dataclass(frozen=True)
class CascadeStep:
    """One step of cascade correlation.

    Attributes
    ----------
    phase : {"outputs", "candidates", "install", "done"}
        The weights of the outputs are trained; those of the candidates are; the best of them
        becomes a hidden unit; the end. Each training is five steps, or one for each epoch.
    epoch : int
        The number of passes through the rows so far.
    n_units : int
        The number of hidden units.
    coefs : tuple of ndarray of shape (n_inputs, n_units)
        The weights of each hidden unit, from the columns and the hidden units before it; at last
        those of the outputs, from all of them.
    intercepts : tuple of ndarray of shape (n_units,)
        Their intercepts.
    loss : float
        The mean loss of all rows.
    n_wrong : int
        The number of misclassified rows.
    losses : tuple of float
        The loss before each epoch of the outputs since the last step.
    candidates : tuple of ndarray
        Of "candidates" and "install": the weights, shape (n_inputs, n_candidates), and the
        intercepts of the candidates.
    correlations : ndarray of shape (n_candidates,) or None
        Their S.
    best : int
        The candidate with the largest.
    reason : str
        On "done": why growth ended, as a sentence.
    converged : bool
        On "done": whether the weights stayed finite.
    """

    phase: Phase
    epoch: int
    n_units: int
    coefs: Weights
    intercepts: Weights
    loss: float
    n_wrong: int
    losses: tuple[float, ...] = ()
    candidates: Weights = ()
    correlations: Floats | None = None
    best: int = 0
    reason: str = ""
    converged: bool = False


class CascadeCorrelationClassifier(MLPClassifier):
    r"""Learn classes with a network that grows: each hidden unit is trained alone, then frozen.

    The outputs are trained on the columns alone. A pool of candidate units, fed with the columns
    and all hidden units, is trained so that the output V of each varies with the errors E that the
    outputs leave:

    .. math:: S = \sum_o \Bigl| \sum_i (V_i - \bar V)(E_{io} - \bar E_o) \Bigr|.

    The best one becomes a hidden unit, whose weights stay as they are, and the outputs are trained
    again, on one input more.

    Parameters
    ----------
    max_units : int, default=8
        The number of hidden units at which growth ends.
    n_candidates : int, default=8
        The number of candidates, which begin with other random weights.
    activation : {"sigmoid", "tanh"}, default="tanh"
        The activation function of hidden units.
    learning_rate : float, default=0.1
        The factor of each update, by Adam, of all rows at once.
    max_iter : int, default=100
        The number of epochs of each training of the outputs, and of the candidates.
    tol : float, default=0.0
        The fraction of misclassified rows at which growth ends.
    random_state : int, RandomState or None, default=None
        The seed of the initial weights.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coefs_, intercepts_ : list of ndarray
        The weights of each hidden unit, from the columns and the hidden units before it, and at
        last of the outputs, from all of them; and their intercepts.
    n_units_ : int
        The number of hidden units.
    loss_ : float
        The mean loss of all rows.
    loss_curve_ : list of float
        The mean loss before each epoch of the outputs.
    n_iter_ : int
        The number of epochs, of outputs and candidates.
    converged_ : bool
        False where the weights grew without bound, which ``fit`` warns of.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is only one class, numbers are beyond 1e100, or a parameter is out of bounds.

    Notes
    -----
    With h hidden units an epoch costs O(n (p + h)) for each output or candidate, since nothing goes
    back through frozen units: their outputs are computed once. The mean of V does not matter to the
    derivative of S, because errors less their mean sum to 0. Fahlman and Lebiere train by quickprop
    until progress stalls, here it is Adam, for so many epochs; their errors are those of squared
    error, here of cross-entropy, E = p - y. The output weight of a new unit begins at 0. Without
    hidden units it is (multinomial) logistic regression.

    References
    ----------
    S. E. Fahlman and C. Lebiere (1990), The cascade-correlation learning architecture. Advances in
    Neural Information Processing Systems 2, 524-532.

    Examples
    --------
    >>> X, y = [[-1, -1], [-1, 1], [1, -1], [1, 1]], [0, 1, 1, 0]
    >>> model = CascadeCorrelationClassifier(random_state=0).fit(X, y)
    >>> model.n_units_, model.predict(X).tolist(), [W.shape for W in model.coefs_]
    (1, [0, 1, 1, 0], [(2, 1), (3, 1)])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "max_units": Integer(0, 100, shown=(0, 12)),
        "n_candidates": Integer(1, 100, shown=(1, 16)),
        "activation": Choice(("sigmoid", "tanh")),
        "learning_rate": COMMON["learning_rate"],
        "max_iter": COMMON["max_iter"],
        "tol": Number(0.0, 1.0, shown=(0.0, 0.5), step=0.01),
    }
    APPLIES: ClassVar[Conditions] = {}
    RANGES: ClassVar[Ranges] = staticmethod(lambda model, X, y=None: dict[str, Range]())
    hidden_layer_sizes: Any = ()
    loss: str = "log_loss"
    solver: str = "adam"
    decay: float = 0.0
    dropout: float = 0.0
    alpha: float = 0.0
    early_stopping: bool = False

    def __init__(
        self,
        max_units: int = 8,
        *,
        n_candidates: int = 8,
        activation: str = "tanh",
        learning_rate: float = 0.1,
        max_iter: int = 100,
        tol: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.max_units = max_units
        self.n_candidates = n_candidates
        self.activation = activation
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def draft(self, X: Floats, y: Any = None) -> dict[str, Any]:
        """Return fewer epochs, for a picture while a control moves."""
        n_inputs = np.shape(X)[1] + self.max_units
        products = len(X) * n_inputs * (self.n_candidates + 1) * (self.max_units + 1)
        return {"max_iter": epochs_of_draft(self.max_iter, 2 * (self.max_units + 1), products)}

    def outputs(
        self, X: Floats, coefs: Sequence[Floats], intercepts: Sequence[Floats]
    ) -> list[Floats]:
        """Return the activations of each hidden unit and of the outputs, (n_samples, n_units)."""
        activations, inputs = [], X
        hidden, loss = ACTIVATIONS[self.activation], LOSSES[self.loss_name(coefs[-1].shape[1])]
        with np.errstate(over="ignore"):
            for W, b in zip(coefs[:-1], intercepts[:-1], strict=True):
                activations.append(hidden.function(dense(inputs, W, b)))
                inputs = np.hstack([inputs, activations[-1]])
            return [*activations, loss.output(dense(inputs, coefs[-1], intercepts[-1]))]

    def _learned(self, step: Any) -> dict[str, list[Floats]]:
        return {"coefs_": list(step.coefs), "intercepts_": list(step.intercepts)}

    def _set_fitted(self, steps: Iterable[Any], X: Floats, y: NDArray[Any]) -> Self:
        """Set the fitted attributes: those of the last step, and the curve of the loss."""
        self.loss_curve_ = []
        for step in steps:
            last: CascadeStep = step
            self.loss_curve_ += step.losses
        self.__dict__.update(self._learned(last))
        self.n_units_ = last.n_units
        self.loss_ = last.loss
        self.n_iter_ = last.epoch
        self.converged_ = last.converged
        self._set_of_targets(X, y)
        if not last.converged:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=3)
        return self

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[Any]:
        targets = self._prepare(X, y)
        growing = _Growing(self, X, targets.Y, check_random_state(self.random_state))
        while True:
            yield from growing.train_outputs()
            if reason := growing.end():
                break
            yield from growing.train_candidates()
            if growing.is_bounded:
                yield growing.install()
        yield growing.step("done", reason=reason, converged=growing.is_bounded)


class _Growing:
    """The hidden units so far, and the outputs with their learner.

    The activations of frozen units are kept as further columns.
    """

    def __init__(self, model: CascadeCorrelationClassifier, X: Floats, Y: Floats, rng: Any) -> None:
        self.model, self.Y, self.rng = model, Y, rng
        self.hidden = ACTIVATIONS[model.activation]
        self.loss = LOSSES[model.loss_name(Y.shape[1])]
        self.inputs = X
        self.coefs: list[Floats] = []
        self.intercepts: list[Floats] = []
        self.learner = self._learner(np.zeros((X.shape[1], Y.shape[1])), np.zeros(Y.shape[1]))
        self.epoch = 0
        self.is_bounded = True
        self.candidates = Candidates(np.empty((0, 0)), np.empty(0))
        # Of the reports, the epochs after which they come.
        n = model.max_iter
        self.marks = {round(n * (k + 1) / REPORTS) for k in range(REPORTS)} - {0}

    def _learner(self, W: Floats, b: Floats) -> Learner:
        model = self.model
        return Learner([W], [b], self.hidden, self.loss, model.solver, model.learning_rate)

    def train_outputs(self) -> Iterator[CascadeStep]:
        """Train the weights of the outputs."""
        losses: list[float] = []
        n = len(self.inputs)
        for epoch in range(1, self.model.max_iter + 1):
            losses.append(self.learner.epoch(self.inputs, self.Y, n, self.rng))
            self.epoch += 1
            self.is_bounded = bool(np.isfinite(losses[-1])) and self.learner.is_bounded
            if not self.is_bounded:
                return
            if epoch in self.marks:
                yield self.step("outputs", losses=tuple(losses))
                losses = []

    def train_candidates(self) -> Iterator[CascadeStep]:
        """Train a new pool of candidates on the errors that the outputs leave."""
        errors = self.errors()
        shape = (self.inputs.shape[1], self.model.n_candidates)
        weights = SPREAD * self.rng.normal(size=(shape[0] + 1, shape[1]))
        rule = OPTIMIZERS[self.model.solver]([weights], self.model.learning_rate)
        for epoch in range(1, self.model.max_iter + 1):
            look()
            pool = Candidates(weights[:-1], weights[-1])
            with np.errstate(over="ignore", invalid="ignore"):
                gradient = pool.gradient(self.inputs, errors, self.hidden)
                weights = weights + rule.updates([-gradient / len(errors)])[0]
            self.epoch += 1
            self.is_bounded = bool(np.isfinite(weights).all())
            if not self.is_bounded:
                return
            if epoch in self.marks:
                self.candidates = Candidates(weights[:-1], weights[-1])
                yield self.step("candidates", **self._pool(errors))

    def install(self) -> CascadeStep:
        """Make the best candidate a hidden unit, whose output weights begin at 0."""
        pool = self._pool(self.errors())
        best = pool["best"]
        W, b = self.candidates.coefs[:, [best]], self.candidates.intercepts[[best]]
        self.coefs.append(W)
        self.intercepts.append(b)
        unit = self.hidden.function(dense(self.inputs, W, b))
        self.inputs = np.hstack([self.inputs, unit])
        (W_out,), (b_out,) = self.learner.copies()
        self.learner = self._learner(np.vstack([W_out, np.zeros((1, W_out.shape[1]))]), b_out)
        return self.step("install", **pool)

    def end(self) -> str:
        """Return why growth ends now, or nothing."""
        if not self.is_bounded:
            return (
                f"The weights grow without bound: the learning rate {self.model.learning_rate:g}"
                " is too large. Choose a smaller one."
            )
        if self.n_wrong() <= self.model.tol * len(self.Y):
            return "The error is small enough."
        if len(self.coefs) >= self.model.max_units:
            return "All units that are allowed are there."
        return ""

    def output(self) -> Floats:
        """Return the outputs for all rows."""
        output: Floats = self.loss.output(
            dense(self.inputs, self.learner.coefs[0], self.learner.intercepts[0])
        )
        return output

    def errors(self) -> Floats:
        """Return the errors of the outputs, less the mean of each."""
        errors = self.loss.slope(self.output(), self.Y)
        centred: Floats = errors - errors.mean(axis=0)
        return centred

    def n_wrong(self) -> int:
        """Return the number of misclassified rows."""
        return int((_winners(self.output()) != _winners(self.Y)).sum())

    def _pool(self, errors: Floats) -> Mapping[str, Any]:
        S = self.candidates.correlations(self.inputs, errors, self.hidden)
        parts = (self.candidates.coefs, self.candidates.intercepts)
        return {"candidates": parts, "correlations": S, "best": int(S.argmax())}

    def step(self, phase: Phase, **fields: Any) -> CascadeStep:
        """Return a record of the network."""
        (W,), (b,) = self.learner.copies()
        return CascadeStep(
            phase,
            self.epoch,
            len(self.coefs),
            (*self.coefs, W),
            (*self.intercepts, b),
            self.learner.mean_loss(self.inputs, self.Y),
            self.n_wrong(),
            **fields,
        )


def _winners(output: Floats) -> NDArray[np.intp]:
    """Return the class of each row, by its number."""
    winners: NDArray[np.intp] = class_scores(output, "log_loss").argmax(axis=1)
    return winners


def covariances(model: CascadeCorrelationClassifier, training: Any, step: CascadeStep) -> Floats:
    """Return Σ (V - mean V)(E - mean E) of each candidate, (n_candidates, n_outputs)."""
    V, errors = candidate_rows(model, training, step)
    sums: Floats = V.T @ errors
    return sums


def candidate_rows(
    model: CascadeCorrelationClassifier, training: Any, step: CascadeStep
) -> tuple[Floats, Floats]:
    """Return the outputs of the candidates and the errors for all rows, each less its mean."""
    rows, Y = np.asarray(training.X, float), model.targets(np.asarray(training.y)).Y
    *units, output = model.outputs(rows, step.coefs, step.intercepts)
    V = ACTIVATIONS[model.activation].function(dense(np.hstack([rows, *units]), *step.candidates))
    errors = LOSSES[model.loss_name(Y.shape[1])].slope(output, Y)
    return V - V.mean(axis=0), errors - errors.mean(axis=0)
