"""Captions and ledgers of a deep network: the factors of signal and error from layer to layer."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.vanishing_gradients.algorithm import DeepMLPClassifier, DeepStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num4, short
from dmlib.problem import Problem, Query


class Narrator:
    """Captions and ledgers of a deep network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.
    """

    def __init__(self, run: Run[Problem, DeepMLPClassifier]) -> None:
        self.run, self.model, self.problem = run, run.model, run.problem
        self.rows = np.asarray(run.problem.training.X, float)
        self.y = np.asarray(run.problem.training.y, np.intp)
        self.codes = np.unique(self.y)
        self.start_norms = run.trace.steps[0].gradient_norms
        epochs = (step for step in run.trace.steps if step.phase in ("start", "epoch"))
        self.losses = {step.epoch: step.loss for step in epochs}

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DeepStep = moment.step
        if step.phase in ("forward", "backward"):
            blocks = layer_blocks(self.model, step, self.rows, self.y)
        else:
            blocks = step_blocks(step)
        if step.phase == "done":
            blocks.append(error_table(self.problem, self.run.fitted))
        if self.run.query is not None:
            blocks = [*self._query(step, self.run.query), *blocks]
        return getattr(self, f"_{step.phase}")(step), blocks

    def _query(self, step: DeepStep, query: Query) -> Blocks:
        shares = self.model.shares(np.atleast_2d(query.x), step)[0]
        names = [self.problem.classes[code] for code in self.codes]
        rows = [(name, short(share)) for name, share in zip(names, shares, strict=True)]
        return [short_table(("class", "share"), rows, f"Asked about: {self.problem.name(query)}")]

    def _start(self, step: DeepStep) -> str:
        layers = count(len(step.gradient_norms) - 1, "hidden layer", "hidden layers")
        units = count(self.model.n_units, "unit", "units")
        return f"Initial weights ({self.model.init}): {layers} of {units}, and the output."

    def _forward(self, step: DeepStep) -> str:
        layer = _layer_name(step.layer, len(step.gradient_norms))
        spread, spread_before = num4(step.spreads[step.layer]), num4(step.spreads[step.layer - 1])
        return f"Forward: {layer} has the spread {spread}, its input {spread_before}."

    def _backward(self, step: DeepStep) -> str:
        norms, n = step.gradient_norms, len(step.gradient_norms)
        after = f", that after it {num4(norms[step.layer])}" if step.layer < n else ""
        size = num4(norms[step.layer - 1])
        return f"Backward: the gradient of {_layer_name(step.layer, n)} is {size}{after}."

    def _epoch(self, step: DeepStep) -> str:
        loss_before = self.losses[step.epoch - 1]
        change = changes("the loss", short(loss_before), short(step.loss))
        return f"Epoch {step.epoch}: {change}, {self._misclassified(step)}."

    def _done(self, step: DeepStep) -> str:
        epochs = count(step.epoch, "epoch", "epochs")
        reason = "" if step.reason == "All epochs are done." else f" {step.reason}"
        ratio = _ratio(self.start_norms, step.gradient_norms)
        return f"Done after {epochs}: {self._misclassified(step)}; {ratio}.{reason}"

    def _misclassified(self, step: DeepStep) -> str:
        shares = self.model.shares(self.rows, step)
        n_wrong = int((self.codes[shares.argmax(axis=1)] != self.y).sum())
        rows = count(len(self.y), "training row", "training rows")
        return f"{n_wrong} of {rows} {'is' if n_wrong == 1 else 'are'} misclassified"


def _layer_name(layer: int, n: int) -> str:
    return "the output" if layer == n else f"layer {layer}"


def _ratio(start: Floats, end: Floats) -> str:
    """Return the ratio of the first to the last gradient, as a part of a sentence."""
    if not float(end[-1]) > 0:
        return "no gradient is left"
    if not float(start[-1]) > 0:
        return "there was no gradient at the start"
    ratio = num4(start[0] / start[-1])
    return f"at the start, the gradient of layer 1 was {ratio} times that of the output"


def factors(norms: Floats) -> list[float | None]:
    """Return the ratio of each layer's gradient to that of the next; None for the last.

    Examples
    --------
    >>> factors(np.array([0.1, 0.5]))
    [0.2, None]
    """
    return [*(short(a / b) if b > 0 else None for a, b in pairwise(norms)), None]


def layer_table(step: DeepStep) -> LedgerTable:
    """Return the gradient, its factor and the spread of each layer."""
    norms, spreads = step.gradient_norms, step.spreads[1:]
    columns = zip(map(short, norms), factors(norms), map(short, spreads), strict=True)
    rows = [(layer, *numbers) for layer, numbers in enumerate(columns, start=1)]
    emphasis = [step.layer - 1] if step.layer else []
    head = ("layer", "gradient", "of next", "spread")
    return numbered_table(head, rows, "Layer by layer", emphasis, by="layer")


def step_blocks(step: DeepStep) -> Blocks:
    """Write out the gradients of all layers, and the ratio of the first to the last."""
    norms = step.gradient_norms
    blocks: Blocks = [layer_table(step)]
    positive = [factor for factor in factors(norms) if factor]
    if positive and norms[0] > 0:
        ratio = norms[0] / norms[-1]
        mean = float(np.exp(np.mean(np.log(positive))))
        power = f"{num4(mean)}^{len(positive)}"
        blocks.append(Formula(f"layer 1 / output = {num4(ratio)} ≈ {power}"))
    blocks.append(Formula(f"L = mean loss of the training rows = {num4(step.loss)}"))
    return blocks


def layer_blocks(
    model: DeepMLPClassifier, step: DeepStep, X: Floats, y: NDArray[np.intp]
) -> Blocks:
    """Write out the factor by which a layer changes the signal, or the error."""
    if step.phase == "forward":
        return [*_signal_formulas(step), layer_table(step)]
    if step.layer < len(step.gradient_norms):
        return [*_error_formulas(model, step, X, y), layer_table(step)]
    return [layer_table(step)]


def _signal_formulas(step: DeepStep) -> Blocks:
    layer = step.layer
    W = step.weights.coefs[layer - 1]
    n_inputs, size = len(W), float(np.sqrt((W**2).mean()))
    before, after = step.spreads[layer - 1], step.spreads[layer]
    ratio = after / before if before > 0 else 0.0
    factor = f"√{n_inputs} · {num4(size)} = {num4(n_inputs**0.5 * size)}"
    return [
        Formula(f"weights of layer {layer}: root mean square {num4(size)}, {n_inputs} inputs"),
        Formula(f"a sum spreads by about {factor}"),
        Formula(f"spread {num4(before)} → {num4(after)}: times {num4(ratio)}"),
    ]


def _error_formulas(
    model: DeepMLPClassifier, step: DeepStep, X: Floats, y: NDArray[np.intp]
) -> Blocks:
    A = model.flow(step.weights, X, y).activations[step.layer]
    # The sum of a ReLU is positive where its activation is:
    slope = float(ACTIVATIONS[model.activation].derivative(A, A).mean())
    W = step.weights.coefs[step.layer]
    n_units = W.shape[1]
    factor = float(np.sqrt(n_units) * np.sqrt((W**2).mean()))
    return [
        Formula("δ = (δ of the next layer · Wᵀ) f′(z)"),
        Formula(f"mean slope f′ = {num4(slope)}; √{n_units} · size of W = {num4(factor)}"),
        Formula(f"their product: {num4(slope * factor)}"),
    ]
