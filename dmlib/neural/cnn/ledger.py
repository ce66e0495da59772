"""Captions and ledgers of convolution: products, pooled windows, layers and probabilities."""

from __future__ import annotations

import numpy as np

from dmlib.neural.cnn.algorithm import ConvNetStep
from dmlib.neural.cnn.network import Signals
from dmlib.neural.cnn.picture_scene import PictureView
from dmlib.neural.cnn.sliding import FilterStep, Sliding
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.words import count, num4, percent, short, signed, upper_first

MAX_TERMS = 9
MAX_PRODUCTS = 25
MAX_PLACES = 6  # lines of a table


def filter_words(sliding: Sliding, step: FilterStep) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a place of the filter, of the pooling, or of the end."""
    if step.phase == "multiply":
        return _place(sliding, step.place)
    return _pooled(sliding) if step.phase == "pool" else _filtered(sliding)


def _place(sliding: Sliding, place: int) -> tuple[str, Blocks]:
    row, column = divmod(place, sliding.sums.shape[1])
    rows, columns = sliding.taps(place)
    pixels, weights = sliding.padded[rows, columns].ravel(), sliding.kernel.ravel()
    pad = sliding.padding
    height, width = sliding.ink.shape
    taps = zip(rows.ravel().tolist(), columns.ravel().tolist(), strict=True)
    names = [_pixel(r - pad, c - pad, height, width) for r, c in taps]
    parts = list(zip(names, pixels, weights, strict=True))
    table = [(name, short(x), short(w), short(x * w)) for name, x, w in parts]
    terms = abridged([f"{num4(x)} · {signed(w, 4)}" for _, x, w in parts], MAX_TERMS)
    total = float(sliding.sums[row, column])
    sum_ = f"the weighted sum of {len(weights)} pixels is {num4(total)}"
    caption = f"Row {row + 1}, column {column + 1} of the map: {sum_}."
    title = "Pixel x weight under the filter"
    head = ("row, column", "pixel", "weight", "product")
    return caption, [
        short_table(head, table, title, max_rows=MAX_PRODUCTS),
        Formula(f"{terms} = {num4(total)}"),
    ]


def _pixel(row: int, column: int, height: int, width: int) -> str:
    is_inside = 0 <= row < height and 0 <= column < width
    return f"{row + 1}, {column + 1}" if is_inside else "padding"


def _pooled(sliding: Sliding) -> tuple[str, Blocks]:
    pooling, size = sliding.options["pool"], sliding.options["window"]
    down, across = sliding.pooled.shape
    name, value = "mean", "the mean of its values"
    if pooling == "max":
        name, value = "max", "its largest value"
    window = f"of each {size} x {size} window of the map, {value}"
    caption = f"{pooling.capitalize()} pooling: {window}; {down} x {across} are left."
    values = [num4(value) for value in sliding.sums[:size, :size].ravel()]
    terms, pooled = abridged(values, MAX_TERMS, ", "), num4(sliding.pooled[0, 0])
    sides = " x ".join(f"⌊{side} / {size}⌋" for side in sliding.sums.shape)
    return caption, [
        Formula(f"row 1, column 1: {name}({terms}) = {pooled}"),
        Formula(f"{sides} = {down} x {across}"),
    ]


def _filtered(sliding: Sliding) -> tuple[str, Blocks]:
    options = sliding.options
    s, p, d = options["stride"], options["padding"], options["dilation"]
    (height, width), (down, across) = sliding.ink.shape, sliding.sums.shape
    k = len(sliding.kernel)
    span = d * (k - 1) + 1
    if not sliding.sums.size:
        caption = f"The filter spans {span} pixels and does not fit into {height} x {width}."
        return f"{caption} Add padding, or lower the dilation.", []
    result = f"{height} x {width} pixels become a map of {down} x {across}"
    if sliding.pooled.size:
        result += f", pooled to {sliding.pooled.shape[0]} x {sliding.pooled.shape[1]}"
    rule = "output = ⌊(side + 2 · padding − span) / stride⌋ + 1, span = dilation · (k − 1) + 1"
    n_products = f"{down} · {across} · {k}² = {down * across * k * k:,}"
    blocks: Blocks = [
        Formula(rule),
        Formula(f"span = {d} · ({k} − 1) + 1 = {span}"),
        Formula(f"rows: ⌊({height} + 2 · {p} − {span}) / {s}⌋ + 1 = {down}"),
        Formula(f"products: {n_products}, with {k * k} weights"),
    ]
    return f"Done. {upper_first(sliding.name)}: {result}.", [*blocks, _strongest(sliding)]


def _strongest(sliding: Sliding) -> LedgerTable:
    """Return the places of the map that are farthest from 0."""
    sums, across = sliding.sums.ravel(), sliding.sums.shape[1]
    order = np.argsort(-np.abs(sums), kind="stable")[:MAX_PLACES].tolist()
    rows = [(i + 1, i // across + 1, i % across + 1, float(short(sums[i]))) for i in order]
    head = ("place", "row", "column", "sum")
    return numbered_table(head, rows, "Largest activations of the map", by="place")


# --- the network ----------------------------------------------------------------------------------


def network_words(view: PictureView, step: ConvNetStep, signals: Signals) -> tuple[str, Blocks]:
    """Return the caption and the ledger of an epoch."""
    shares = signals.output[0]
    name, share = view.problem.classes[int(shares.argmax())], percent(shares.max())
    score = f"{percent(step.validation_score)} of the digits held out are correct"
    prediction = f"the picture is a {name} ({share})"
    caption = f"Epoch {step.epoch}: loss {num4(step.loss)}, {score}; {prediction}."
    if step.phase == "init":
        caption = f"Random initial weights: {score}; {prediction}."
    if step.phase == "done":
        caption = f"Done. {step.reason} {upper_first(prediction)}; {score}."
    return caption, [*_probabilities(step, signals), parameter_table(view), *_loss(step)]


def _probabilities(step: ConvNetStep, signals: Signals) -> Blocks:
    """Write out the softmax of the most probable class."""
    W, c = step.network.arrays[4:]
    sums = (signals.flat @ W + c)[0]
    shares = signals.output[0]
    order = np.argsort(-shares, kind="stable")[:4].tolist()
    rows = [(j, short(sums[j]), short(shares[j])) for j in order]
    total = float(np.exp(sums - sums.max()).sum())
    best = order[0]
    terms = abridged([f"e^{signed(sums[j] - sums[best], 4)}" for j in order], 3)
    products = zip(signals.flat[0], W[:, best], strict=True)
    dense = abridged([f"{num4(a)} · {signed(w, 4)}" for a, w in products], 3)
    return [
        numbered_table(("class", "sum z", "p"), rows, "Most probable classes", [0], by="class"),
        Formula(f"z({best}) = {dense} + {signed(c[best], 4)} = {num4(sums[best])}"),
        Formula(f"p({best}) = 1 / ({terms}) = 1 / {num4(total)} = {num4(1 / total)}"),
    ]


def parameter_table(view: PictureView) -> LedgerTable:
    """Count weights and intercepts layer by layer."""
    model, network = view.run.model, view.run.trace.steps[-1].network
    k, f = model.kernel_size, model.n_filters
    inputs, classes = network.arrays[4].shape
    rows = [
        ("convolution 1", f"({k}² · 1 + 1) · {f}", (k * k + 1) * f),
        ("convolution 2", f"({k}² · {f} + 1) · {2 * f}", (k * k * f + 1) * 2 * f),
        ("dense", f"({inputs} + 1) · {classes}", (inputs + 1) * classes),
    ]
    title = f"Parameters: {count(network.n_parameters, 'weight', 'weights')}"
    return short_table(("layer", "(inputs + 1) · units", "number"), rows, title)


def _loss(step: ConvNetStep) -> Blocks:
    loss, p = num4(step.loss), num4(np.exp(-step.loss))
    return [Formula(f"loss: mean of −log p(true class) = {loss}, as of p = e^(−{loss}) = {p}")]
