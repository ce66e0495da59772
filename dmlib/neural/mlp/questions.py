"""Questions about a network: a row's way forward, its loss, the way back, and the update."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.cascade import CascadeCorrelationClassifier
from dmlib.neural.mlp.cascade_questions import CascadeRule, cascade_questions
from dmlib.neural.mlp.diagram_scene import Diagram, diagram_of
from dmlib.neural.mlp.ledger import output_names
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.one_row import RowPass, row_pass
from dmlib.neural.mlp.pruned import PrunedMLPClassifier
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.neural.mlp.targets import Targets
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

AnyNetwork = MLPClassifier | MLPRegressor

MAX_EPOCHS = 10  # that are asked about
MAX_INPUTS = 4  # of a sum that is worked out
MAX_ROWS = 60  # among which one is picked
CLEAR = 0.01  # by which the largest error must exceed the next
TOLERANCE = 0.01
SLOPES: dict[str, Callable[[float], str]] = {
    "sigmoid": lambda a: f"a (1 − a) = {num4(a * (1 - a))}",
    "tanh": lambda a: f"1 − a² = {num4(1 - a * a)}",
    "relu": lambda a: f"{int(a > 0)}, since a {'>' if a > 0 else '='} 0",
}
"""The derivatives of the activations that are asked about, by the activation."""


class Rule(Misconception):
    """Wrong rules of networks."""

    LINEAR = "A unit passes its weighted sum on as it is."
    NO_BIAS = "A unit adds up its weighted inputs alone, without an intercept."
    DISTANCE = "The loss of a row is the difference between its target and the output."
    SLOPE = "The error goes back through a unit without the derivative of its activation."
    BOUNDARY = "The row nearest the decision boundary has the largest error."
    UPHILL = "A weight moves along its gradient."


RULES = (*Rule, *CascadeRule)
"""Those of all methods."""


def questions(run: Run[Problem, AnyNetwork]) -> Iterator[Question]:
    """Yield the questions that the epochs of a network answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.MLPClassifier` or :class:`dmlib.neural.MLPRegressor`.

    Yields
    ------
    Question
        Before each of the first epochs: about passes with the present weights, and their update.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import MLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 3.0], "c": ["no", "yes", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> model = MLPClassifier((2,), "relu", max_iter=1, momentum=0.0, random_state=3)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['forward', 'loss', 'largest error', 'backward', 'update']
    """
    steps = run.trace.steps
    if isinstance(run.model, PrunedMLPClassifier):
        yield from _prunings(run)
        return
    if isinstance(run.model, CascadeCorrelationClassifier):
        yield from cascade_questions(run)
        return
    if len(steps) < 2 or not len(run.problem.trained):
        return
    diagram = diagram_of(steps[-1].coefs)
    targets = run.model.targets(np.asarray(run.problem.training.y))
    for number in range(1, min(len(steps), MAX_EPOCHS + 1)):
        if steps[number].phase in ("epoch", "best"):
            epoch = Epoch.of(run, number, diagram, targets)
            yield from _forward(epoch)
            if isinstance(run.model, MLPClassifier) and len(epoch.targets[0]) == 1:
                yield from _loss(epoch)
                yield from _largest_error(epoch)
                yield from _backward(epoch)
            yield from _update(epoch)


def _prunings(run: Run[Problem, Any]) -> Iterator[Question]:
    """Ask for the saliency of each connection that is removed."""
    X = np.asarray(run.problem.training.X, float)
    numbers = [i for i, step in enumerate(run.trace.steps) if step.phase == "prune"]
    for number in numbers[:MAX_EPOCHS]:
        before = run.trace.steps[number - 1]
        layer, i, j = run.trace.steps[number].removed
        w = float(before.coefs[layer][i, j])
        h = float(run.model.second_derivatives(X, before.coefs, before.intercepts)[layer][i, j])
        saliency = h * w * w / 2
        yield Question(
            number,
            "saliency",
            f"A connection has the weight {num4(w)}, and the second derivative of the loss by it "
            f"is {num4(h)}: what is its saliency?",
            Value(saliency, max(TOLERANCE * saliency, 1e-9)),
            f"s = h w² / 2 = {num4(h)} · {signed(w, 4)}² / 2 = {num4(saliency)}.",
            (),
            "Near its minimum the loss is a parabola: without w it rises by h w² / 2.",
        )


@dataclass(frozen=True)
class Epoch:
    """An epoch that is asked about, with both passes of one row before it.

    Attributes
    ----------
    number : int
        The number of the step.
    problem, model : Problem, AnyNetwork
        Those of the run.
    before, after : MLPStep
        The steps around it.
    row : int
        The training row that goes through the network: another one in each epoch.
    passes : RowPass
        Its passes with the weights before the epoch.
    targets : ndarray of shape (n_rows, n_outputs)
        The targets of the training rows.
    diagram : Diagram
        The units that are drawn.
    """

    number: int
    problem: Problem
    model: AnyNetwork
    before: MLPStep
    after: MLPStep
    row: int
    passes: RowPass
    targets: Floats
    diagram: Diagram

    @classmethod
    def of(
        cls, run: Run[Problem, AnyNetwork], number: int, diagram: Diagram, targets: Targets
    ) -> Epoch:
        """Return the epoch that ends with a step."""
        before, after = run.trace.steps[number - 1 : number + 1]
        training = run.problem.training
        X = np.asarray(training.X, float)
        row = number % len(X)
        passes = row_pass(run.model, before, targets, X[row], targets.Y[row])
        return cls(number, run.problem, run.model, before, after, row, passes, targets.Y, diagram)

    @property
    def row_number(self) -> int:
        """The number of the row, from 1."""
        return int(self.problem.rows[self.problem.trained[self.row]]) + 1


def _forward(epoch: Epoch) -> Iterator[Question]:
    passes = epoch.passes
    x, is_known = passes.activations[0], epoch.model.activation in ("relu", "identity")
    if len(x) > MAX_INPUTS or len(passes.coefs) < 2:
        return
    unit = epoch.number % len(passes.sums[0])
    weights, b = passes.coefs[0][:, unit], float(passes.intercepts[0][unit])
    z, a = float(passes.sums[0][unit]), float(passes.activations[1][unit])
    right = a if is_known else z
    drawn = epoch.diagram.numbers(1)[unit]
    terms = " + ".join(f"{signed(w, 4)} · {signed(v, 4)}" for w, v in zip(weights, x, strict=True))
    without = z - b
    wrong = [Wrong(Rule.NO_BIAS, max(without, 0.0) if is_known else without)]
    wrong += [Wrong(Rule.LINEAR, z)] if is_known else []
    name = f"activation, a = {ACTIVATIONS[epoch.model.activation].formula}" if is_known else "sum z"
    ends = f", so that a = {num4(a)}" if is_known else ""
    yield Question(
        epoch.number,
        "forward",
        f"Hidden unit {unit + 1} has the weights {_listing(weights)} and the intercept {num4(b)}; "
        f"row {epoch.row_number} is {_listing(x)}: what is its {name}?",
        Value(right, TOLERANCE * max(1.0, abs(z))),
        f"z = {num4(b)} + {terms} = {num4(z)}{ends}.",
        wrong,
        "Multiply inputs by weights, add the intercept"
        + (", and apply the activation." if is_known else "."),
        about=[] if drawn is None else [drawn],
        of="unit",
    )


def _loss(epoch: Epoch) -> Iterator[Question]:
    passes = epoch.passes
    output, target = float(passes.activations[-1][0]), float(passes.target[0])
    if passes.loss_name != "binary_log_loss" or not 0.02 < output < 0.98:
        return
    share = output if target else 1 - output
    yield Question(
        epoch.number,
        "loss",
        f"The output for row {epoch.row_number} is p = {num4(output)}, its target {target:g}: what"
        " is its log loss?",
        Value(passes.loss, 0.01 * max(1.0, passes.loss)),
        f"The loss is −ln of the probability of its class, −ln {num4(share)} = "
        f"{num4(passes.loss)}.",
        (Wrong(Rule.DISTANCE, abs(target - output)),),
        f"L = {LOSSES[passes.loss_name].formula}, with the natural logarithm.",
        about=[epoch.row_number],
    )


def _largest_error(epoch: Epoch) -> Iterator[Question]:
    training = epoch.problem.training
    X = np.asarray(training.X, float)
    if not 3 <= len(X) <= MAX_ROWS or epoch.passes.loss_name != "binary_log_loss":
        return
    output = epoch.model.outputs(X, epoch.before.coefs, epoch.before.intercepts)[-1][:, 0]
    errors = np.abs(output - epoch.targets[:, 0])
    best = np.flatnonzero(np.isclose(errors, errors.max(), rtol=1e-9))
    if not len(best) < len(errors) or errors.max() - np.delete(errors, best).max() < CLEAR:
        return
    rows = (epoch.problem.rows[epoch.problem.trained] + 1).tolist()
    worst = int(best[0])
    yield Question(
        epoch.number,
        "largest error",
        "Which row has the largest error |p − y| at the output, where y is 1 for "
        f"{output_names(epoch.problem, epoch.model)[0]} and 0 otherwise?",
        Pick("row", [[rows[i]] for i in best]),
        f"Row {rows[worst]} has the target {epoch.targets[worst, 0]:g} and the output "
        f"{num4(output[worst])}: δ = {num4(output[worst] - epoch.targets[worst, 0])}.",
        (Wrong(Rule.BOUNDARY, [rows[int(np.abs(output - 0.5).argmin())]]),),
        "The colour of the region is the predicted class, its strength the confidence.",
        "These rows have the same values." if len(best) > 1 else "",
    )


def _backward(epoch: Epoch) -> Iterator[Question]:
    passes = epoch.passes
    if len(passes.coefs) < 2 or epoch.model.activation not in SLOPES:
        return
    unit = (epoch.number + 1) % len(passes.deltas[-2])
    out, w = float(passes.deltas[-1][0]), float(passes.coefs[-1][unit, 0])
    a, delta = float(passes.activations[-2][unit]), float(passes.deltas[-2][unit]) + 0.0
    drawn = epoch.diagram.numbers(len(passes.coefs) - 1)[unit]
    slope = SLOPES[epoch.model.activation](a)
    yield Question(
        epoch.number,
        "backward",
        f"For row {epoch.row_number} the output has δ = {num4(out)}; unit {unit + 1} of the last "
        f"hidden layer has a = {num4(a)} ({epoch.model.activation}) and the weight {num4(w)} to "
        "the output: what is its δ = ∂L/∂z?",
        Value(delta, 0.01 * max(abs(out * w), 1e-3)),
        f"δ = f′(z) · w δ with f′(z) = {slope}: {signed(w, 4)} · {signed(out, 4)} times this is "
        f"{num4(delta)}.",
        (Wrong(Rule.SLOPE, w * out),),
        "Chain rule: through the weight, then through the activation.",
        about=[] if drawn is None else [drawn],
        of="unit",
    )


def _update(epoch: Epoch) -> Iterator[Question]:
    model: Any = epoch.model
    is_plain = model.solver == "sgd" and not (model.momentum or model.alpha or model.dropout)
    if not is_plain or epoch.after.n_updates - epoch.before.n_updates != 1:
        return
    layer = len(epoch.before.coefs) - 1 if isinstance(model, MLPClassifier) else 0
    old, new = epoch.before.coefs[layer], epoch.after.coefs[layer]
    if (layer, len(epoch.before.coefs)) == (0, 1) and not isinstance(model, MLPClassifier):
        return
    i, j = np.unravel_index(int(np.abs(new - old).argmax()), old.shape)
    w, moved, rate = float(old[i, j]), float(new[i, j]), epoch.after.rate
    gradient = (w - moved) / rate
    if not np.isfinite(gradient) or abs(moved - w) < 1e-3:
        return
    yield Question(
        epoch.number,
        "update",
        f"The weight from unit {i + 1} to unit {j + 1} of layer {layer + 1} is {num4(w)}, its mean "
        f"gradient {num4(gradient)} and η = {num4(rate)}: what will the weight be?",
        Value(moved, max(0.01 * abs(moved), 0.02 * abs(moved - w))),
        f"w − η ∂L/∂w = {num4(w)} − {num4(rate)} · {signed(gradient, 4)} = {num4(moved)}.",
        (Wrong(Rule.UPHILL, 2 * w - moved, "Along the gradient the loss would rise."),),
        "The loss is to fall.",
        about=[layer + 1],
        of="layer",
    )


def _listing(values: Floats) -> str:
    return f"({', '.join(num4(value) for value in values)})"
