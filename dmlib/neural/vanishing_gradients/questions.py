"""Questions about deep networks: how an error shrinks from layer to layer, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.neural.vanishing_gradients.algorithm import DeepMLPClassifier, DeepStep
from dmlib.neural.vanishing_gradients.deep import Flow, flow, loss_name, targets
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_EPOCHS = 12  # that are asked about
MAX_LAYERS = 12  # on whose way back there are questions
CLEAR = 1.1  # times the next change that the largest must be
DERIVATIVES = {"sigmoid": "a (1 − a)", "tanh": "1 − a²"}


class Rule(Misconception):
    """Wrong rules of vanishing gradients."""

    STEEPEST = "The slope of an activation is the same everywhere: its largest one."
    NO_SLOPE = "Back through a layer, the error is multiplied by the weight alone."
    NO_WEIGHT = "Back through a layer, the error is multiplied by the slope alone."
    HALF = "With twice as many layers, the gradient of the first is half as large."
    FIRST = "The first layer changes most, since the data reach it first."


def questions(run: Run[Problem, DeepMLPClassifier]) -> Iterator[Question]:
    """Yield the questions that the steps of a deep network answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.

    Yields
    ------
    Question
        Before the error reaches a layer, and before each of the first epochs.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import DeepMLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 3.0], "c": ["no", "yes", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> model = DeepMLPClassifier(2, 1, max_iter=1, random_state=0)
    >>> sorted({question.topic for question in questions(Run.of(problem, model))})
    ['depth', 'error', 'largest change', 'slope']
    """
    steps = run.trace.steps
    n_epochs = 0
    for number in range(1, len(steps)):
        step = steps[number]
        n_layers = len(step.gradient_norms)
        if step.phase == "backward" and step.layer < n_layers <= MAX_LAYERS:
            yield from _backward(run, number, step)
            if step.layer == 1:
                yield from _depth(number, step)
        elif step.phase == "epoch" and n_epochs < MAX_EPOCHS:
            n_epochs += 1
            yield from _largest_change(number, step, steps[number - 1])


def _backward(
    run: Run[Problem, DeepMLPClassifier], number: int, step: DeepStep
) -> Iterator[Question]:
    activation, weights = run.model.activation, step.weights
    if activation not in DERIVATIVES or weights.scales or run.model.n_units > 64:
        return
    training = run.problem.training
    Y = targets(np.asarray(training.y))
    row = step.layer % len(Y)
    X = np.asarray(training.X, float)[[row]]
    with np.errstate(all="ignore"):
        passes = flow(weights, X, Y[[row]], activation, loss_name(Y.shape[1]))
    name = int(training.rows[row]) + 1
    yield _slope(number, step, passes, activation, name)
    if weights.coefs[step.layer].shape == (1, 1):
        yield from _error(number, step, passes, activation, name)


def _slope(number: int, step: DeepStep, passes: Flow, activation: str, row: int) -> Question:
    a = float(passes.activations[step.layer][0, 0])
    is_sigmoid = activation == "sigmoid"
    slope = a * (1 - a) if is_sigmoid else 1 - a * a
    return Question(
        number,
        "slope",
        f"For row {row}, unit 1 of layer {step.layer} has the activation a = {num4(a)} "
        f"({activation}): by which slope f′(z) is its error multiplied?",
        Value(slope, 0.005),
        f"f′(z) = {DERIVATIVES[activation]} = "
        + (f"{num4(a)} · {num4(1 - a)}" if is_sigmoid else f"1 − {signed(a, 4)}²")
        + f" = {num4(slope)}.",
        (Wrong(Rule.STEEPEST, 0.25 if is_sigmoid else 1.0, "That is the slope at z = 0 only."),),
        "The derivative can be computed from the activation alone.",
        about=[step.layer],
        of="layer",
    )


def _error(
    number: int, step: DeepStep, passes: Flow, activation: str, row: int
) -> Iterator[Question]:
    layer, n_layers = step.layer, len(step.weights.coefs)
    a, w = float(passes.activations[layer][0, 0]), float(step.weights.coefs[layer][0, 0])
    # Of a single row, the derivatives by the intercepts are the errors.
    after, error = (float(passes.gradients[n_layers + each][0]) for each in (layer, layer - 1))
    slope = a * (1 - a) if activation == "sigmoid" else 1 - a * a
    if not np.isfinite([after, error]).all() or abs(after * w) < 1e-6:
        return
    following = "the output" if layer == n_layers - 1 else f"layer {layer + 1}"
    yield Question(
        number,
        "error",
        f"For row {row}, {following} has the error δ = {num4(after)}; the weight from layer {layer}"
        f" is {num4(w)}, and its activation a = {num4(a)} ({activation}): what is δ in layer "
        f"{layer}?",
        Value(error, 0.015 * abs(after * w * slope)),
        f"δ = δ w f′ with f′ = {DERIVATIVES[activation]} = {num4(slope)}: {num4(after)} · "
        f"{signed(w, 4)} · {num4(slope)} = {num4(error)}.",
        (Wrong(Rule.NO_SLOPE, after * w), Wrong(Rule.NO_WEIGHT, after * slope)),
        "Chain rule: through the weight, then through the activation.",
        about=[layer],
        of="layer",
    )


def _depth(number: int, step: DeepStep) -> Iterator[Question]:
    norms = step.gradient_norms
    ratio = float(norms[0] / norms[-1]) if norms[-1] > 0 else 0.0
    n = len(norms) - 1
    if not 1e-3 < ratio < 1e3 or 0.9 < ratio < 1.1 or not n:
        return
    yield Question(
        number,
        "depth",
        f"Over {n} layers of weights, from the output back to layer 1, the gradient is multiplied "
        f"by {num4(ratio)}: by about how much over {2 * n} layers of the same kind?",
        Value(ratio**2, 0.02 * ratio**2),
        f"Each layer multiplies it by about the same factor: {num4(ratio)}² = {num4(ratio**2)}.",
        (Wrong(Rule.HALF, ratio / 2),),
        "The factors of the layers are multiplied.",
    )


def _largest_change(number: int, step: DeepStep, before: DeepStep) -> Iterator[Question]:
    pairs = zip(step.weights.coefs, before.weights.coefs, strict=True)
    changes = np.array([float(np.sqrt(((new - old) ** 2).mean())) for new, old in pairs])
    best = int(changes.argmax())
    n = len(changes)
    is_clear = n > 1 and np.isfinite(changes).all()
    if not is_clear or not changes[best] > CLEAR * np.delete(changes, best).max():
        return
    yield Question(
        number,
        "largest change",
        "Whose weights change most in the next epoch, in the root mean square?",
        Pick("layer", [[best + 1]]),
        f"Those of layer {best + 1} move by {num4(changes[best])}, those of layer 1 by "
        f"{num4(changes[0])}."
        if best
        else f"Those of layer 1 move by {num4(changes[0])}, the others by at most "
        f"{num4(np.delete(changes, best).max())}.",
        (Wrong(Rule.FIRST, [1]),),
        "A weight changes by its gradient times the learning rate.",
    )
