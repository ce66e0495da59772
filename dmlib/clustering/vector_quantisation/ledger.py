"""What a step of vector quantisation says: its sentence, the distances of a pixel, bits and decibels in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.clustering.codes import CHANNEL_BITS, code_bits, decode, psnr
from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.clustering.vector_quantisation.coded_scene import COLOR_NAMES, SQUARE, Picture, known
from dmlib.clustering.vector_quantisation.lvq import LVQ, REGIONS, region_codes
from dmlib.clustering.vector_quantisation.online import OnlineStep
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap, topographic_error
from dmlib.pictures.ledger import Blocks, Formula, few, numbered_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num, num4, short, signed

MOST_CODES = 8  # lines of a table
MOST_TERMS = 4  # of a sum


def frame(picture: Picture, i: int) -> Frame:
    """Return the frame of a step that is shown."""
    step = picture.steps[i]
    if step.phase == "done":
        caption, blocks = _done(picture, step)
    elif isinstance(picture.run.model, VectorQuantizer):
        caption, blocks = _half_step(picture, i)
    else:
        caption, blocks = _update(picture, step)
    return Frame(caption, [*blocks, *_asked(picture, i)], step.phase)


# k-means --------------------------------------------------------------------------------------------------------------


def _half_step(picture: Picture, i: int) -> tuple[str, Blocks]:
    steps, at = picture.run.trace.steps, int(picture.shown[i])
    step, before = steps[at], steps[max(at - 1, 0)]
    what = "pixel" if picture.patch == 1 else "patch"
    k = len(step.codebook)
    if step.phase == "seed":
        j = len(known(step.codebook))
        if step.chosen is None:
            return f"Code {j} of {k} starts where it was given.", []
        return f"Code {j} of {k} is the {what} at {_position(picture, step.chosen)}.", []
    if step.phase == "update":
        rise = changes("the PSNR", short(before.psnr), short(step.psnr))
        return f"Update: each code moves to the mean of its {what}s; {rise} dB.".replace("patchs", "patches"), _psnr(
            picture, step
        )
    if np.isnan(before.psnr):
        return f"Assign: each {what} takes its nearest code; the PSNR is {num4(step.psnr)} dB.", _psnr(picture, step)
    some = count(step.n_changed, f"{what} takes", f"{what}s take".replace("patchs", "patches"))
    rise = changes("the PSNR", short(before.psnr), short(step.psnr))
    return f"Assign: {some} a nearer code; {rise} dB.", _psnr(picture, step)


# One pixel after the other --------------------------------------------------------------------------------------------


def _update(picture: Picture, step: OnlineStep) -> tuple[str, Blocks]:
    """Say what one drawn pixel does to its code and, on a map, to the neighbours."""
    if step.row is None or step.code is None:
        return _start(picture), []
    at, unit = _position(picture, step.row), _unit(picture, step.code)
    blocks = _distances(picture, step.codebook if step.before is None else step.before, step.row, "Drawn pixel")
    if step.phase == "match":
        return f"Update {step.iteration:,}: of the pixel at {at}, {unit} is the nearest.", blocks
    before, after = (step.before if step.before is not None else step.codebook)[step.code], step.codebook[step.code]
    x, alpha = picture.rows[step.row], num4(step.rate)
    sign = "−" if step.phase == "repel" else "+"
    rule = Formula(
        f"{_channels(picture)[0]} of {unit}: {num4(before[0])} {sign} {alpha} · ({num4(x[0])} − "
        f"{signed(before[0], 4)}) = {num4(after[0])}"
    )
    if step.phase == "adapt":
        width = num4(step.width)
        reach = np.exp(-1 / (2 * step.width**2))
        product = f"{alpha} · {num4(reach)} = {num4(step.rate * reach)}"
        neighbour = Formula(f"neighbours, d = 1: α e^(−1 / (2 · {width}²)) = {product}")
        caption = f"{unit} and its neighbours on the grid move towards the pixel (α = {alpha}, σ = {width})."
        return f"Update {step.iteration:,}: {caption}", [rule, neighbour, *blocks]
    mine = _class_of(picture, step.row)
    its = sorted(REGIONS[picture.run.model.regions])[step.code // picture.run.model.n_prototypes]
    way = (
        f"moves towards the pixel, which is of its class, {mine}"
        if step.phase == "attract"
        else f"of the class {its} moves away from the pixel, which is of the class {mine}"
    )
    return f"Update {step.iteration:,}: {unit} {way} (α = {alpha}).", [rule, *blocks]


def _start(picture: Picture) -> str:
    model = picture.run.model
    if isinstance(model, LVQ):
        return f"{count(model.n_prototypes, 'pixel', 'pixels')} of each class, drawn at random, are the first codes."
    units = f"the {model.n_rows * model.n_columns} units of the grid"
    where = {
        "random": "are pixels drawn at random",
        "mean": "start close to the mean colour",
        "pca": "are spread over the plane of two principal components",
    }[model.init]
    return f"The codes of {units} {where}."


def _unit(picture: Picture, code: int) -> str:
    if isinstance(picture.run.model, LVQ):
        return f"code {code + 1}"
    row, column = divmod(code, picture.run.model.n_columns)
    return f"unit ({row + 1}, {column + 1})"


def _class_of(picture: Picture, row: int) -> str:
    model, shape = picture.run.model, picture.image.shape
    return REGIONS[model.regions][int(region_codes(shape[0], shape[1], model.regions).ravel()[row])]


# The end --------------------------------------------------------------------------------------------------------------


def _done(picture: Picture, step: Any) -> tuple[str, Blocks]:
    k = len(step.codebook)
    bits = f"{num4(step.bits_per_pixel)} bit{'s' * (step.bits_per_pixel != 1)}"
    fidelity = f"PSNR {num4(step.psnr)} dB, {num4(step.ratio)} times smaller"
    caption = f"Done. {count(k, 'code', 'codes')}, {bits} per pixel: {fidelity}."
    if picture.dithering != "none":
        caption += _dithered(picture, step)
    blocks = [*_psnr(picture, step), *_size(picture, step)]
    model = picture.run.model
    if isinstance(model, LVQ):
        caption, blocks = _classified(picture, caption, blocks)
    if isinstance(model, SelfOrganizingMap):
        error = topographic_error(picture.rows, step.codebook, model.n_columns)
        caption += f" The two nearest units of {error:.1%} of the pixels are no neighbours."
    return caption, blocks


def _dithered(picture: Picture, step: Any) -> str:
    """Compare the dithered picture with the plain one, pixel by pixel and in means of squares."""
    plain = decode(step.labels, step.codebook, picture.image.shape)
    own = num4(psnr(picture.image, picture.last))
    near, far = (num4(picture.blurred_psnr(image)) for image in (picture.last, plain))
    return f" Dithered: {own} dB; the means of {SQUARE} x {SQUARE} pixels have {near} dB, without dithering {far}."


def _classified(picture: Picture, caption: str, blocks: Blocks) -> tuple[str, Blocks]:
    model, (height, width, _) = picture.run.model, picture.image.shape
    names = REGIONS[model.regions]
    true = np.array(names)[region_codes(height, width, model.regions).ravel()]
    predicted = np.unique(true)[np.asarray(picture.labels[-1]) // model.n_prototypes]  # a narrow image has one region
    wrong, n = int((true != predicted).sum()), height * width
    share = Formula(f"misclassified: {wrong:,} / {n:,} = {wrong / n:.2%}")
    return f"{caption} By its colour, {wrong / n:.1%} of the pixels are misclassified.", [share, *blocks]


def _psnr(picture: Picture, step: Any) -> Blocks:
    if np.isinf(step.psnr):
        return [Formula("MSE = 0: the picture is exact, PSNR = ∞")]
    n, mse = picture.image.size, num(step.mse)
    return [
        Formula(f"MSE = Σ (x − c)² / {n:,} = {num(step.mse * n)} / {n:,} = {mse}"),
        Formula(f"PSNR = 10 log₁₀(peak² / MSE) = 10 log₁₀(1 / {mse}) = {num(step.psnr)} dB"),
    ]


def _size(picture: Picture, step: Any) -> Blocks:
    k, d = step.codebook.shape
    n, bits, what = len(picture.rows), code_bits(k), "pixels" if picture.patch == 1 else "patches"
    codes, book, original = n * bits, k * d * CHANNEL_BITS, picture.image.size * CHANNEL_BITS
    return [
        Formula(f"codes: {n:,} {what} · ⌈log₂ {k}⌉ = {n:,} · {bits} = {codes:,} bits"),
        Formula(
            f"code book: {count(k, 'code', 'codes')} · {count(d, 'number', 'numbers')} · {CHANNEL_BITS} = {book:,} bits"
        ),
        Formula(f"original {original:,} / ({codes:,} + {book:,}) = {num4(original / (codes + book))}"),
    ]


# The pixel that is asked about ----------------------------------------------------------------------------------------


def _asked(picture: Picture, i: int) -> Blocks:
    sample = int(picture.run.asked.sample or 0)
    row, column = divmod(sample, picture.image.shape[1])
    across = -(-picture.image.shape[1] // picture.patch)
    at = (row // picture.patch) * across + column // picture.patch
    return _distances(picture, picture.steps[i].codebook, at, "Chosen pixel" if picture.patch == 1 else "Chosen patch")


def _distances(picture: Picture, codebook: Any, at: int, what: str) -> Blocks:
    """Write out the distances of a pixel or patch to the codes, the nearest first, and the smallest as a sum."""
    some, x = known(codebook), picture.rows[at]
    squares = ((some - x) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    single = picture.patch == 1
    head = ("code", *_channels(picture), "‖x − c‖²") if single else ("code", "‖x − c‖²")
    rows = [
        (int(j) + 1, *((round(float(value), 3) for value in some[j]) if single else ()), float(short(squares[j])))
        for j in order
    ]
    title = f"{what} at {_position(picture, at)}: distances to the codes"
    best = int(order[0])
    terms = few([f"({num4(a)} − {signed(b, 4)})²" for a, b in zip(x, some[best], strict=True)], MOST_TERMS)
    sum_ = Formula(f"‖x − c{best + 1}‖² = {terms} = {num(squares[best])}, the smallest: code {best + 1}")
    return [numbered_table(head, rows, title, [0], by="code", most=MOST_CODES), sum_]


def _channels(picture: Picture) -> tuple[str, ...]:
    return ("grey",) if picture.image.shape[2] == 1 else COLOR_NAMES


def _position(picture: Picture, at: int) -> str:
    across = -(-picture.image.shape[1] // picture.patch)
    row, column = divmod(int(at), across)
    return f"row {row * picture.patch + 1}, column {column * picture.patch + 1}"
