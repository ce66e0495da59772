"""The arithmetic of a deep network: by which factors a signal and its error go from layer to layer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.vanishing_gradients.algorithm import DeepStep
from dmlib.pictures.ledger import Blocks, Formula, numbered_table
from dmlib.pictures.words import num4, short


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
            zip(step.gradient_norms, factors(step.gradient_norms), step.spreads[1:], strict=True), start=1
        )
    ]
    emphasis = [step.layer - 1] if step.layer else []
    return numbered_table(("layer", "gradient", "of next", "spread"), rows, "Layer by layer", emphasis, by="layer")


def step_blocks(step: DeepStep) -> Blocks:
    """Write out the gradients of all layers, and how many times smaller the first is."""
    norms = step.gradient_norms
    blocks: Blocks = [layer_table(step)]
    known = [factor for factor in factors(norms) if factor]
    if known and norms[0] > 0:
        mean = float(np.exp(np.mean(np.log(known))))
        blocks.append(Formula(f"layer 1 / output = {num4(norms[0] / norms[-1])} ≈ {num4(mean)}^{len(known)}"))
    blocks.append(Formula(f"L = mean loss of the training rows = {num4(step.loss)}"))
    return blocks


def layer_blocks(model: Any, step: DeepStep, X: Floats, y: NDArray[Any]) -> Blocks:
    """Write out what a layer does to the signal, or to the error."""
    layer, n = step.layer, len(step.gradient_norms)
    W = step.weights.coefs[layer - 1]
    size = float(np.sqrt((W**2).mean()))
    if step.phase == "forward":
        ratio = step.spreads[layer] / step.spreads[layer - 1] if step.spreads[layer - 1] > 0 else 0.0
        return [
            Formula(f"weights of layer {layer}: root mean square {num4(size)}, {W.shape[0]} inputs"),
            Formula(f"a sum spreads by about √{W.shape[0]} · {num4(size)} = {num4(W.shape[0] ** 0.5 * size)}"),
            Formula(f"spread {num4(step.spreads[layer - 1])} → {num4(step.spreads[layer])}: times {num4(ratio)}"),
            layer_table(step),
        ]
    blocks: Blocks = []
    if layer < n:
        found = model.flow(step.weights, X, y)
        a = found.activations[layer]
        slope = float(ACTIVATIONS[model.activation].derivative(a, a).mean())  # a relu's sum is positive where a is
        after = step.weights.coefs[layer]
        back = float(np.sqrt(after.shape[1]) * np.sqrt((after**2).mean()))
        blocks = [
            Formula("δ = (δ of the next layer · Wᵀ) f′(z)"),
            Formula(f"mean slope f′ = {num4(slope)}; √{after.shape[1]} · size of W = {num4(back)}"),
            Formula(f"their product: {num4(slope * back)}"),
        ]
    return [*blocks, layer_table(step)]
