"""What the frames of convolution say: products of a window, pooled windows, layers and probabilities in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.neural.cnn.filter_scene import Sliding
from dmlib.neural.cnn.looked_scene import LEARNED, Look
from dmlib.neural.cnn.network_scene import Reading
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num4, short, signed, upper_first

MOST_TERMS = 9
MOST_PRODUCTS = 25
MOST_PLACES = 6  # lines of a table


def filter_frame(sliding: Sliding, i: int) -> Frame:
    """Return the frame of a place of the filter, of the pooling, or of the end."""
    phase = sliding.phases[i]
    if phase == "multiply":
        caption, blocks = _place(sliding, int(sliding.places[i]))
    else:
        caption, blocks = _pooled(sliding) if phase == "pool" else _filtered(sliding)
    return Frame(caption, blocks, phase)


def _place(sliding: Sliding, place: int) -> tuple[str, Blocks]:
    row, column = divmod(place, sliding.sums.shape[1])
    rows, columns = sliding.taps(place)
    pixels, weights = sliding.padded[rows, columns].ravel(), sliding.kernel.ravel()
    pad = sliding.look.options["padding"]
    height, width = sliding.look.ink.shape
    names = [_pixel(r - pad, c - pad, height, width) for r, c in zip(rows.ravel(), columns.ravel(), strict=True)]
    parts = zip(names, pixels, weights, strict=True)
    table = [(name, short(x), short(w), short(x * w)) for name, x, w in parts]
    total = float(sliding.sums[row, column])
    terms = few([f"{num4(x)} · {signed(w, 4)}" for x, w in zip(pixels, weights, strict=True)], MOST_TERMS)
    n = len(weights)
    caption = f"Row {row + 1}, column {column + 1} of the map: the weighted sum of {n} pixels is {num4(total)}."
    title = "Pixel x weight under the filter"
    head = ("row, column", "pixel", "weight", "product")
    return caption, [short_table(head, table, title, most=MOST_PRODUCTS), Formula(f"{terms} = {num4(total)}")]


def _pixel(row: int, column: int, height: int, width: int) -> str:
    inside = 0 <= row < height and 0 <= column < width
    return f"{row + 1}, {column + 1}" if inside else "padding"


def _pooled(sliding: Sliding) -> tuple[str, Blocks]:
    how, size = sliding.look.options["pool"], sliding.look.options["window"]
    down, across = sliding.pooled.shape
    kept = "its largest value" if how == "max" else "the mean of its values"
    caption = (
        f"{how.capitalize()} pooling: of each {size} x {size} window of the map, {kept}; {down} x {across} are left."
    )
    values = [num4(value) for value in sliding.sums[:size, :size].ravel()]
    name = "max" if how == "max" else "mean"
    first = Formula(f"row 1, column 1: {name}({few(values, MOST_TERMS, ', ')}) = {num4(sliding.pooled[0, 0])}")
    sides = " x ".join(f"⌊{side} / {size}⌋" for side in sliding.sums.shape)
    return caption, [first, Formula(f"{sides} = {down} x {across}")]


def _filtered(sliding: Sliding) -> tuple[str, Blocks]:
    options = sliding.look.options
    s, p, d = options["stride"], options["padding"], options["dilation"]
    (height, width), (down, across), k = sliding.look.ink.shape, sliding.sums.shape, len(sliding.kernel)
    if not sliding.sums.size:
        span = d * (k - 1) + 1
        caption = f"The filter spans {span} pixels and does not fit into {height} x {width}."
        return f"{caption} Add padding, or lower the dilation.", []
    name = f"learned filter {sliding.number}" if options["kernel"] == LEARNED else f"filter {options['kernel']}"
    what = f"{height} x {width} pixels become a map of {down} x {across}"
    if sliding.pooled.size:
        what += f", pooled to {sliding.pooled.shape[0]} x {sliding.pooled.shape[1]}"
    span = f"{d} · ({k} − 1) + 1"
    blocks: Blocks = [
        Formula("output = ⌊(side + 2 · padding − span) / stride⌋ + 1, span = dilation · (k − 1) + 1"),
        Formula(f"span = {span} = {d * (k - 1) + 1}"),
        Formula(f"rows: ⌊({height} + 2 · {p} − {d * (k - 1) + 1}) / {s}⌋ + 1 = {down}"),
        Formula(f"products: {down} · {across} · {k}² = {down * across * k * k:,}, with {k * k} weights"),
    ]
    return f"Done. {upper_first(name)}: {what}.", [*blocks, _strongest(sliding)]


def _strongest(sliding: Sliding) -> LedgerTable:
    """Return the places of the map that are farthest from 0."""
    sums, across = sliding.sums.ravel(), sliding.sums.shape[1]
    order = np.argsort(-np.abs(sums), kind="stable")[:MOST_PLACES].tolist()
    rows = [(i + 1, i // across + 1, i % across + 1, float(short(sums[i]))) for i in order]
    return numbered_table(("place", "row", "column", "sum"), rows, "Largest activations of the map", by="place")


# The network ----------------------------------------------------------------------------------------------------------


def network_frame(reading: Reading, i: int) -> Frame:
    """Return the frame of an epoch."""
    step = reading.steps[i]
    shares = reading.signals[i].output[0]
    name, share = reading.look.problem.classes[int(shares.argmax())], f"{shares.max():.1%}"
    held = f"{step.validation_score:.1%} of the digits held out are correct"
    seen = f"the picture is a {name} ({share})"
    caption = {
        "init": f"Random initial weights: {held}; {seen}.",
        "epoch": f"Epoch {step.epoch}: loss {num4(step.loss)}, {held}; {seen}.",
        "done": f"Done. {step.reason} {upper_first(seen)}; {held}.",
    }[step.phase]
    return Frame(caption, [*_probabilities(reading, i), parameter_table(reading.look), *_loss(step)], step.phase)


def _probabilities(reading: Reading, i: int) -> Blocks:
    """Write out the softmax of the most probable class."""
    signals, network = reading.signals[i], reading.steps[i].network
    W, c = network.arrays[4:]
    sums = (signals.flat @ W + c)[0]
    shares = signals.output[0]
    order = np.argsort(-shares, kind="stable")[:4].tolist()
    rows = [(j, short(sums[j]), short(shares[j])) for j in order]
    total = float(np.exp(sums - sums.max()).sum())
    best = order[0]
    terms = few([f"e^{signed(sums[j] - sums[best], 4)}" for j in order], 3)
    softmax = Formula(f"p({best}) = 1 / ({terms}) = 1 / {num4(total)} = {num4(1 / total)}")
    dense = few([f"{num4(a)} · {signed(w, 4)}" for a, w in zip(signals.flat[0], W[:, best], strict=True)], 3)
    return [
        numbered_table(("class", "sum z", "p"), rows, "Most probable classes", [0], by="class"),
        Formula(f"z({best}) = {dense} + {signed(c[best], 4)} = {num4(sums[best])}"),
        softmax,
    ]


def parameter_table(look: Look) -> Any:
    """Count weights and intercepts layer by layer."""
    model, network = look.run.model, look.run.trace.steps[-1].network
    k, f = model.kernel_size, model.n_filters
    inputs, classes = network.arrays[4].shape
    rows = [
        ("convolution 1", f"({k}² · 1 + 1) · {f}", (k * k + 1) * f),
        ("convolution 2", f"({k}² · {f} + 1) · {2 * f}", (k * k * f + 1) * 2 * f),
        ("dense", f"({inputs} + 1) · {classes}", (inputs + 1) * classes),
    ]
    title = f"Parameters: {count(network.n_parameters, 'weight', 'weights')}"
    return short_table(("layer", "(inputs + 1) · units", "number"), rows, title)


def _loss(step: Any) -> Blocks:
    loss, p = num4(step.loss), num4(np.exp(-step.loss))
    return [Formula(f"loss: mean of −log p(true class) = {loss}, as of p = e^(−{loss}) = {p}")]
