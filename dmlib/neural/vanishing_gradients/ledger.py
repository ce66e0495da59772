"""A deep network in words and numbers: by which factors a signal and its error go from layer to layer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.vanishing_gradients.algorithm import DeepStep
from dmlib.pictures.ledger import Blocks, Formula, numbered_table, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num4, short
from dmlib.problem import Query


class Narrator:
    """Captions and ledgers of a deep network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.model, self.problem = run, run.model, run.problem
        self.rows = np.asarray(run.problem.training.X, float)
        self.y = np.asarray(run.problem.training.y, np.intp)
        self.codes = np.unique(self.y)
        self.start_norms = run.trace.steps[0].gradient_norms
        epochs = (step for step in run.trace.steps if step.phase in ("start", "epoch"))
        self.losses = {step.epoch: step.loss for step in epochs}

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DeepStep = now.step
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
    """Return what became of the gradient of the first layer."""
    if not float(end[-1]) > 0:
        return "no gradient is left"
    if not float(start[-1]) > 0:
        return "there was no gradient at the start"
    ratio = num4(start[0] / start[-1])
    return f"at the start, the gradient of layer 1 was {ratio} times that of the output"


def factors(norms: Floats) -> list[float | None]:
    """Return by which factor the gradient of each layer differs from that of the next; None for the last.

    Examples
    --------
    >>> factors(np.array([0.1, 0.5]))
    [0.2, None]
    """
    return [*(short(a / b) if b > 0 else None for a, b in pairwise(norms)), None]


def layer_table(step: DeepStep) -> Any:
    """Return the gradient, its factor and the spread of each layer."""
    rows = [
        (layer, short(norm), factor, short(spread))
        for layer, (norm, factor, spread) in enumerate(
            zip(step.gradient_norms, factors(step.gradient_norms), step.spreads[1:], strict=True),
            start=1,
        )
    ]
    emphasis = [step.layer - 1] if step.layer else []
    return numbered_table(
        ("layer", "gradient", "of next", "spread"), rows, "Layer by layer", emphasis, by="layer"
    )


def step_blocks(step: DeepStep) -> Blocks:
    """Write out the gradients of all layers, and how many times smaller the first is."""
    norms = step.gradient_norms
    blocks: Blocks = [layer_table(step)]
    known = [factor for factor in factors(norms) if factor]
    if known and norms[0] > 0:
        mean = float(np.exp(np.mean(np.log(known))))
        blocks.append(
            Formula(f"layer 1 / output = {num4(norms[0] / norms[-1])} ≈ {num4(mean)}^{len(known)}")
        )
    blocks.append(Formula(f"L = mean loss of the training rows = {num4(step.loss)}"))
    return blocks


def layer_blocks(model: Any, step: DeepStep, X: Floats, y: NDArray[Any]) -> Blocks:
    """Write out what a layer does to the signal, or to the error."""
    layer, n = step.layer, len(step.gradient_norms)
    W = step.weights.coefs[layer - 1]
    size = float(np.sqrt((W**2).mean()))
    if step.phase == "forward":
        ratio = (
            step.spreads[layer] / step.spreads[layer - 1] if step.spreads[layer - 1] > 0 else 0.0
        )
        return [
            Formula(
                f"weights of layer {layer}: root mean square {num4(size)}, {W.shape[0]} inputs"
            ),
            Formula(
                f"a sum spreads by about √{W.shape[0]} · {num4(size)} ="
                f" {num4(W.shape[0] ** 0.5 * size)}"
            ),
            Formula(
                f"spread {num4(step.spreads[layer - 1])} → {num4(step.spreads[layer])}: times"
                f" {num4(ratio)}"
            ),
            layer_table(step),
        ]
    blocks: Blocks = []
    if layer < n:
        found = model.flow(step.weights, X, y)
        a = found.activations[layer]
        slope = float(
            ACTIVATIONS[model.activation].derivative(a, a).mean()
        )  # a relu's sum is positive where a is
        after = step.weights.coefs[layer]
        back = float(np.sqrt(after.shape[1]) * np.sqrt((after**2).mean()))
        blocks = [
            Formula("δ = (δ of the next layer · Wᵀ) f′(z)"),
            Formula(f"mean slope f′ = {num4(slope)}; √{after.shape[1]} · size of W = {num4(back)}"),
            Formula(f"their product: {num4(slope * back)}"),
        ]
    return [*blocks, layer_table(step)]
