"""The arithmetic of a network: what an epoch changed, and the passes of one row with every number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.one_row import RowPass
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table, short_table
from dmlib.pictures.words import num, num4, short, signed

MOST_TERMS = 8
RULES = {
    "sgd": "v ← m v − η ∂L/∂w; w ← w + v",
    "adagrad": "s ← s + g²; w ← w − η g / √s",
    "rmsprop": "s ← 0.9 s + 0.1 g²; w ← w − η g / √s",
    "adam": "m ← 0.9 m + 0.1 g; s ← 0.999 s + 0.001 g²; w ← w − η m̂ / √ŝ",
}


def layer_name(layer: int, n_layers: int) -> str:
    """Return what a layer of weights is called by the units that it leads to.

    Examples
    --------
    >>> layer_name(0, 2), layer_name(1, 2)
    ('layer 1', 'output')
    """
    return "output" if layer == n_layers - 1 else f"layer {layer + 1}"


def step_blocks(model: Any, step: MLPStep, before: MLPStep, dead: Sequence[int]) -> Blocks:
    """Write out the update rule, the rate, and how far the weights of each layer went."""
    n, learned = len(step.coefs), step.phase in ("epoch", "best")
    rows = []
    for layer, (W, old) in enumerate(zip(step.coefs, before.coefs, strict=True)):
        moved = float(np.linalg.norm(W - old))
        silent = (dead[layer] if layer < len(dead) else None,) * bool(dead)
        rows.append((layer_name(layer, n), W.size, short(np.linalg.norm(W)), *[short(moved)] * learned, *silent))
    head = ("weights of", "number", "‖W‖", *["‖ΔW‖"] * learned, *["dead"] * bool(dead))
    blocks: Blocks = [short_table(head, rows, "Weights", by="layer", numbers=range(1, n + 1))]
    if step.phase != "start":
        rate, t = num(model.learning_rate), max(step.epoch - 1, 0)
        decayed = f"{rate} / (1 + {num(model.decay)} · {t}) = {num(step.rate)}" if model.decay else rate
        momentum = f", m = {num(model.momentum)}" if model.solver == "sgd" else ""
        rule = RULES[model.solver] if model.solver != "sgd" or model.momentum else "w ← w − η ∂L/∂w"
        blocks.append(Formula(f"{rule}; η = {decayed}{momentum if model.momentum else ''}"))
    penalty = f" + {num(model.alpha)} / (2 · rows) ‖W‖²" if model.alpha else ""
    formula = LOSSES[model.loss_name(step.coefs[-1].shape[1])].formula
    blocks.append(Formula(f"L = mean of {formula}{penalty} = {num(step.loss)}"))
    if step.validation_loss is not None:
        best = f"; smallest in epoch {step.best_epoch}" if step.best_epoch else ""
        blocks.append(Formula(f"validation loss = {num(step.validation_loss)}{best}"))
    return blocks


def output_table(outputs: Floats, names: Sequence[str], title: str, units: Sequence[int | None]) -> LedgerTable:
    """Return what the output units say; ``units`` are their numbers in the picture."""
    rows = [(name, short(value)) for name, value in zip(names, outputs, strict=True)]
    return short_table(("output", "value"), rows, title, by="unit", numbers=units)


def unit_formula(seen: RowPass, layer: int, unit: int, activation: str) -> Blocks:
    """Write out the sum of one unit and what it makes of it."""
    inputs, W, b = seen.activations[layer], seen.coefs[layer], seen.intercepts[layer]
    terms = [f"{num4(x)}·{signed(w, 4)}" for x, w in zip(inputs, W[:, unit], strict=True)]
    z, a = seen.sums[layer][unit], seen.activations[layer + 1][unit]
    last = layer == len(seen.coefs) - 1
    what = {
        "log_loss": "softmax of all z",
        "binary_log_loss": "1 / (1 + exp(−z))",
        "squared_sigmoid": "1 / (1 + exp(−z))",
    }
    makes = what.get(seen.loss_name, "z") if last else ACTIVATIONS[activation].formula
    name = layer_name(layer, len(seen.coefs))
    return [
        Formula(f"{name}, unit {unit + 1}: z = {num4(b[unit])} + {few(terms, MOST_TERMS)} = {num4(z)}"),
        Formula(f"a = {makes} = {num4(a)}"),
    ]


def forward_blocks(seen: RowPass, layer: int, activation: str, units: Sequence[int | None]) -> Blocks:
    """Write out the sums and activations of a layer; ``units`` are the numbers of its units in the picture."""
    sums, values = seen.sums[layer], seen.activations[layer + 1]
    b = seen.intercepts[layer]
    rows = [(i + 1, short(b[i]), short(sums[i]), short(values[i])) for i in range(len(sums))]
    title = f"Forward: {layer_name(layer, len(seen.coefs))}"
    table = short_table(("unit", "b", "z", "a"), rows, title, by="unit", numbers=units)
    return [*unit_formula(seen, layer, 0, activation), table]


def loss_blocks(seen: RowPass, units: Sequence[int | None]) -> Blocks:
    """Write out the loss of the row and where the way back starts; ``units`` are the numbers of the output units."""
    rows = [
        (i + 1, short(p), short(y), short(d))
        for i, (p, y, d) in enumerate(zip(seen.activations[-1], seen.target, seen.deltas[-1], strict=True))
    ]
    formula = LOSSES[seen.loss_name].formula
    head = ("output", "says", "target y", "δ = ∂L/∂z")
    return [
        Formula(f"L = {formula} = {num(seen.loss)}"),
        short_table(head, rows, "Loss and its derivative", by="unit", numbers=units),
    ]


def backward_blocks(seen: RowPass, layer: int, edges: Sequence[tuple[int, int, int]], numerical: Floats) -> Blocks:
    """Write out the gradient by the weights of a layer, beside that by differences; ``edges`` are (number, i, j)."""
    rows = []
    for (number, i, j), difference in zip(edges, numerical, strict=True):
        gradient = seen.by_coefs[layer][i, j]
        rows.append((number, f"{i + 1} → {j + 1}", float(gradient), float(difference)))
    blocks: Blocks = []
    if edges:
        _, i, j = edges[0]
        a, d = seen.activations[layer][i], seen.deltas[layer][j]
        product = f"{num4(a)} · {signed(d, 4)} = {num4(a * d)}"
        blocks.append(Formula(f"∂L/∂w of {i + 1} → {j + 1} = a δ = {product}"))
    if layer:
        back = seen.coefs[layer][0] @ seen.deltas[layer]
        blocks.append(
            Formula(
                f"layer {layer}, unit 1: δ = f′(z) Σ w δ = {num4(_slope(seen, layer))} · {signed(back, 4)} "
                f"= {num4(seen.deltas[layer - 1][0])}"
            )
        )
    worst = float(np.abs([row[2] - row[3] for row in rows]).max(initial=0.0))
    head = ("w", "from → to", "∂L/∂w", "numerical")
    blocks.append(numbered_table(head, rows, f"Backward: {layer_name(layer, len(seen.coefs))}", by="w"))
    blocks.append(Formula(f"numerical: (L(w + h) − L(w − h)) / 2h with h = 0.00001; largest difference {num(worst)}"))
    return blocks


def _slope(seen: RowPass, layer: int) -> float:
    """Return f'(z) of the first unit of a layer, as its delta has it."""
    back = float(seen.coefs[layer][0] @ seen.deltas[layer])
    return float(seen.deltas[layer - 1][0] / back) if back else 0.0


def update_blocks(seen: RowPass, rate: float) -> Blocks:
    """Write out what this row alone would change."""
    W, g = seen.coefs[0], seen.by_coefs[0]
    w, slope = float(W[0, 0]), float(g[0, 0])
    return [
        Formula("w ← w − η ∂L/∂w, all at once, from the gradients of the same forward pass"),
        Formula(f"layer 1, 1 → 1: {num4(w)} − {num(rate)} · {signed(slope, 4)} = {num4(w - rate * slope)}"),
    ]
