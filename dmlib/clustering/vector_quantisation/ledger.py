"""Vector quantisation in words and numbers: the distances of a pixel, bits and decibels."""

from __future__ import annotations

from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.codes import CHANNEL_BITS, code_bits, decode, psnr
from dmlib.clustering.vector_quantisation.algorithm import CodeBookStep, VectorQuantizerStep
from dmlib.clustering.vector_quantisation.coded_scene import (
    COLOR_NAMES,
    SQUARE,
    CodedImage,
    Coding,
    finite_codes,
)
from dmlib.clustering.vector_quantisation.lvq import LVQ, REGIONS, region_codes
from dmlib.clustering.vector_quantisation.online import OnlineStep
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap, topographic_error
from dmlib.pictures.ledger import Blocks, Formula, abridged, numbered_table
from dmlib.pictures.words import changes, count, num, num4, percent, short, signed

MAX_CODES = 8  # lines of a table
MAX_TERMS = 4  # of a sum


def code_book_ledger(coding: Coding, before: CodeBookStep) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a step; ``before`` is the step before it."""
    image, step = coding.image, coding.step
    if step.phase == "done":
        caption, blocks = _done(coding)
    elif isinstance(step, VectorQuantizerStep):
        caption, blocks = _half_step(image, step, before)
    else:
        caption, blocks = _update(image, cast(OnlineStep, step))
    return caption, [*blocks, *_chosen(image, step)]


# k-means
# ---------------------------------------------------------------------------------------------


def _half_step(
    image: CodedImage, step: VectorQuantizerStep, before: CodeBookStep
) -> tuple[str, Blocks]:
    if step.phase == "seed":
        return _seed(image, step), []
    kind, kinds = ("pixel", "pixels") if image.patch == 1 else ("patch", "patches")
    rise = changes("the PSNR", short(before.psnr), short(step.psnr))
    if step.phase == "update":
        caption = f"Update: each code moves to the mean of its {kinds}; {rise} dB."
    elif np.isnan(before.psnr):
        quality = f"the PSNR is {num4(step.psnr)} dB"
        caption = f"Assign: each {kind} takes its nearest code; {quality}."
    else:
        change = count(step.n_changed, f"{kind} takes", f"{kinds} take")
        caption = f"Assign: {change} a nearer code; {rise} dB."
    return caption, _psnr(image, step)


def _seed(image: CodedImage, step: VectorQuantizerStep) -> str:
    code = f"Code {len(finite_codes(step.codebook))} of {len(step.codebook)}"
    if step.chosen is None:
        return f"{code} starts where it was given."
    kind = "pixel" if image.patch == 1 else "patch"
    return f"{code} is the {kind} at {_position(image, step.chosen)}."


# One pixel after the other
# --------------------------------------------------------------------------------------------


def _update(image: CodedImage, step: OnlineStep) -> tuple[str, Blocks]:
    """Return how one drawn pixel moves its code and, on a map, the neighbours."""
    row, code = step.row, step.code
    if row is None or code is None:
        return _start(image), []
    unit, number = _unit(image, code), f"Update {step.iteration:,}"
    before = step.codebook if step.before is None else step.before
    blocks = _distances(image, before, row, "Drawn pixel")
    if step.phase == "match":
        at = _position(image, row)
        return f"{number}: of the pixel at {at}, {unit} is the nearest.", blocks
    rule = Formula(f"{_channels(image)[0]} of {unit}: {_rule(image, step, before[code])}")
    rate = num4(step.rate)
    if step.phase == "adapt":
        rates = f"α = {rate}, σ = {num4(step.width)}"
        move = f"{unit} and its neighbours on the grid move towards the pixel ({rates})"
        return f"{number}: {move}.", [rule, _neighbour_rate(step), *blocks]
    move = _class_move(image, row, code, step.phase)
    return f"{number}: {unit} {move} (α = {rate}).", [rule, *blocks]


def _class_move(image: CodedImage, row: int, code: int, phase: str) -> str:
    model, name = image.run.model, _class_of(image, row)
    if phase == "attract":
        return f"moves towards the pixel, which is of its class, {name}"
    own = sorted(REGIONS[model.regions])[code // model.n_prototypes]
    return f"of the class {own} moves away from the pixel, which is of the class {name}"


def _rule(image: CodedImage, step: OnlineStep, before: Floats) -> str:
    """Write out how the first number of a code moves."""
    x, after = image.rows[step.row, 0], step.codebook[step.code, 0]
    sign = "−" if step.phase == "repel" else "+"
    difference = f"({num4(x)} − {signed(before[0], 4)})"
    return f"{num4(before[0])} {sign} {num4(step.rate)} · {difference} = {num4(after)}"


def _neighbour_rate(step: OnlineStep) -> Formula:
    reach = np.exp(-1 / (2 * step.width**2))
    product = f"{num4(step.rate)} · {num4(reach)} = {num4(step.rate * reach)}"
    return Formula(f"neighbours, d = 1: α e^(−1 / (2 · {num4(step.width)}²)) = {product}")


def _start(image: CodedImage) -> str:
    model = image.run.model
    if isinstance(model, LVQ):
        return (
            f"{count(model.n_prototypes, 'pixel', 'pixels')} of each class, "
            "drawn at random, are the first codes."
        )
    units = f"the {model.n_rows * model.n_columns} units of the grid"
    where = {
        "random": "are pixels drawn at random",
        "mean": "start close to the mean colour",
        "pca": "are spread over the plane of two principal components",
    }[model.init]
    return f"The codes of {units} {where}."


def _unit(image: CodedImage, code: int) -> str:
    if isinstance(image.run.model, LVQ):
        return f"code {code + 1}"
    row, column = divmod(code, image.run.model.n_columns)
    return f"unit ({row + 1}, {column + 1})"


def _class_of(image: CodedImage, row: int) -> str:
    model, shape = image.run.model, image.pixels.shape
    return REGIONS[model.regions][int(region_codes(shape[0], shape[1], model.regions).ravel()[row])]


# The end
# ---------------------------------------------------------------------------------------------


def _done(coding: Coding) -> tuple[str, Blocks]:
    image, step = coding.image, coding.step
    model = image.run.model
    bits = f"{num4(step.bits_per_pixel)} bit{'s' * (step.bits_per_pixel != 1)}"
    fidelity = f"PSNR {num4(step.psnr)} dB, {num4(step.ratio)} times smaller"
    caption = f"Done. {count(image.n_codes, 'code', 'codes')}, {bits} per pixel: {fidelity}."
    if image.dithering != "none":
        caption += _dithered(coding)
    blocks = [*_psnr(image, step), *_size(image, step)]
    if isinstance(model, LVQ):
        caption, blocks = _classified(coding, caption, blocks)
    if isinstance(model, SelfOrganizingMap):
        error = topographic_error(image.rows, step.codebook, model.n_columns)
        caption += f" The two nearest units of {percent(error)} of the pixels are no neighbours."
    return caption, blocks


def _dithered(coding: Coding) -> str:
    """Compare the dithered picture with the plain one, pixel by pixel and in means of squares."""
    image, step = coding.image, coding.step
    plain = decode(coding.labels, step.codebook, image.pixels.shape)
    dithered = np.clip(coding.rebuilt, 0.0, 1.0)
    own = num4(psnr(image.pixels, dithered))
    blurred, plain_blurred = (num4(image.blurred_psnr(each)) for each in (dithered, plain))
    squares = (
        f"the means of {SQUARE} x {SQUARE} pixels have "
        f"{blurred} dB, without dithering {plain_blurred}"
    )
    return f" Dithered: {own} dB; {squares}."


def _classified(coding: Coding, caption: str, blocks: Blocks) -> tuple[str, Blocks]:
    model, (height, width, _) = coding.image.run.model, coding.image.pixels.shape
    names = REGIONS[model.regions]
    true = np.array(names)[region_codes(height, width, model.regions).ravel()]
    # A narrow image has one region.
    predicted = np.unique(true)[np.asarray(coding.labels) // model.n_prototypes]
    n_wrong, n = int((true != predicted).sum()), height * width
    share = Formula(f"misclassified: {n_wrong:,} / {n:,} = {percent(n_wrong / n)}")
    result = f"By its colour, {percent(n_wrong / n)} of the pixels are misclassified."
    return f"{caption} {result}", [share, *blocks]


def _psnr(image: CodedImage, step: CodeBookStep) -> Blocks:
    if np.isinf(step.psnr):
        return [Formula("MSE = 0: the picture is exact, PSNR = ∞")]
    n, mse = image.pixels.size, num(step.mse)
    return [
        Formula(f"MSE = Σ (x − c)² / {n:,} = {num(step.mse * n)} / {n:,} = {mse}"),
        Formula(f"PSNR = 10 log₁₀(peak² / MSE) = 10 log₁₀(1 / {mse}) = {num(step.psnr)} dB"),
    ]


def _size(image: CodedImage, step: CodeBookStep) -> Blocks:
    k, d = step.codebook.shape
    n, bits = len(image.rows), code_bits(k)
    kinds = "pixels" if image.patch == 1 else "patches"
    codes, book = n * bits, k * d * CHANNEL_BITS
    original = image.pixels.size * CHANNEL_BITS
    numbers = f"{count(k, 'code', 'codes')} · {count(d, 'number', 'numbers')}"
    return [
        Formula(f"codes: {n:,} {kinds} · ⌈log₂ {k}⌉ = {n:,} · {bits} = {codes:,} bits"),
        Formula(f"code book: {numbers} · {CHANNEL_BITS} = {book:,} bits"),
        Formula(
            f"original {original:,} / ({codes:,} + {book:,}) = {num4(original / (codes + book))}"
        ),
    ]


# The selected pixel
# ----------------------------------------------------------------------------------------


def _chosen(image: CodedImage, step: CodeBookStep) -> Blocks:
    row, column = divmod(image.sample, image.pixels.shape[1])
    at = (row // image.patch) * _n_across(image) + column // image.patch
    name = "Chosen pixel" if image.patch == 1 else "Chosen patch"
    return _distances(image, step.codebook, at, name)


def _distances(image: CodedImage, codebook: Floats, at: int, name: str) -> Blocks:
    """Write out the distances of a pixel or patch to the nearest codes, the smallest as a sum."""
    codes, x = finite_codes(codebook), image.rows[at]
    squares = ((codes - x) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    head: tuple[str, ...] = ("code", "‖x − c‖²")
    colors = codes[:, :0]
    if image.patch == 1:
        head, colors = ("code", *_channels(image), "‖x − c‖²"), codes
    rows = [
        (int(j) + 1, *(round(float(value), 3) for value in colors[j]), float(short(squares[j])))
        for j in order
    ]
    title = f"{name} at {_position(image, at)}: distances to the codes"
    best = int(order[0])
    squared = [f"({num4(a)} − {signed(b, 4)})²" for a, b in zip(x, codes[best], strict=True)]
    terms = f"{abridged(squared, MAX_TERMS)} = {num(squares[best])}"
    smallest = Formula(f"‖x − c{best + 1}‖² = {terms}, the smallest: code {best + 1}")
    return [numbered_table(head, rows, title, [0], by="code", max_rows=MAX_CODES), smallest]


def _channels(image: CodedImage) -> tuple[str, ...]:
    return ("grey",) if image.n_channels == 1 else COLOR_NAMES


def _n_across(image: CodedImage) -> int:
    """Return the number of pixels or patches in a row of the image."""
    return -(-int(image.pixels.shape[1]) // image.patch)


def _position(image: CodedImage, at: int) -> str:
    row, column = divmod(int(at), _n_across(image))
    return f"row {row * image.patch + 1}, column {column * image.patch + 1}"
