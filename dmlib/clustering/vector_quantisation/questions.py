"""Questions about vector quantisation: the code of a pixel, codes that move, decibels and bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.codes import CHANNEL_BITS, code_bits, patches
from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer, VectorQuantizerStep
from dmlib.clustering.vector_quantisation.online_questions import online_questions
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import ImageProblem

MAX_STEPS = 60  # that are asked about
MAX_LISTED = 12  # grey values that are told
MAX_TERMS = 6  # of a sum that is written out


class Rule(Misconception):
    """Wrong rules of a code book."""

    RANGES = "The codes divide the range of grey values into equal parts."
    MIDDLE = "A code moves to the middle between its darkest and its brightest pixel."
    PIXEL = "A code is always the value of one of its pixels."
    ROOT = "The PSNR is 20 · log₁₀(1 / MSE)."
    EACH = "k codes need k bits per pixel."
    NO_BOOK = "Only the codes of the pixels take space, not the code book."


def questions(run: Run[ImageProblem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a method that learns a code book answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.VectorQuantizer`, :class:`dmlib.clustering.LVQ` or
        :class:`dmlib.clustering.SelfOrganizingMap`.

    Yields
    ------
    Question
        Before half-steps and the end, or before the moves of codes.

    Examples
    --------
    >>> from dmlib.clustering import VectorQuantizer
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 90, 200, 255]])
    >>> run = Run.of(problem, VectorQuantizer(2, random_state=0))
    >>> [question.topic for question in questions(run)][-3:]
    ['assignment', 'bits per pixel', 'compression']
    """
    steps = run.trace.steps
    if not isinstance(run.model, VectorQuantizer):
        yield from online_questions(run)
        return
    rows = patches(run.problem.data, run.model.patch)
    is_told = len(rows) <= MAX_LISTED and rows.shape[1] == 1
    for number in range(1, min(len(steps), MAX_STEPS)):
        step: VectorQuantizerStep = steps[number]
        if is_told and step.phase == "assign":
            yield from _pixels_of_code(number, step, steps[number - 1], rows[:, 0])
        elif is_told and step.phase == "update":
            yield from _moved_code(number, step, steps[number - 1], rows[:, 0])
        if step.phase == "update" or (step.phase == "assign" and steps[number - 1].labels is None):
            yield from _psnr(run.problem, number, step)
    if steps and steps[-1].phase == "done":
        yield from _size(run, len(steps) - 1, steps[-1])


def _pixels_of_code(
    number: int, step: VectorQuantizerStep, before: VectorQuantizerStep, values: Floats
) -> Iterator[Question]:
    """Ask for the number of pixels of the code at which a uniform division differs most."""
    codes = before.codebook[:, 0]
    gaps = np.sort(np.abs(values[:, None] - codes), axis=1)
    if step.labels is None or len(codes) < 2 or np.isclose(gaps[:, 0], gaps[:, 1]).any():
        return
    counts = np.bincount(step.labels, minlength=len(codes))
    uniform = _uniform_counts(codes, values)
    code = int(np.abs(counts - uniform).argmax())
    listing = ", ".join(map(num4, sorted(values.tolist())))
    mine = ", ".join(map(num4, sorted(values[step.labels == code].tolist()))) or "none"
    yield Question(
        number,
        "assignment",
        f"The pixels have the grey values {listing}, and the codes are {_listing(codes)}. How many "
        f"pixels take code {code + 1}?",
        Value(int(counts[code])),
        f"Code {code + 1}, {num4(codes[code])}, is the nearest for these values: {mine}.",
        (Wrong(Rule.RANGES, int(uniform[code])),),
        "The border between two codes is in the middle between them.",
        about=[code + 1],
        of="code",
    )


def _moved_code(
    number: int, step: VectorQuantizerStep, before: VectorQuantizerStep, values: Floats
) -> Iterator[Question]:
    if before.labels is None:
        return
    worth = []
    for code, after in enumerate(step.codebook[:, 0]):
        own = values[before.labels == code]
        middle = (own.min() + own.max()) / 2 if len(own) else after
        worth.append(abs(middle - after) + 1e-3 * len(own))
    code = int(np.argmax(worth))
    own, after = np.sort(values[before.labels == code]), float(step.codebook[code, 0])
    # An empty cluster takes a pixel from another one, which is not the rule that is asked for
    is_mean = len(own) > 0 and bool(np.isclose(own.mean(), after, rtol=0, atol=1e-9))
    if not (is_mean and 1 < len(own) <= MAX_TERMS):
        return
    yield Question(
        number,
        "update",
        f"The pixels of code {code + 1} have the grey values {', '.join(map(num4, own))}. Where "
        "does the code move?",
        Value(after, 0.005),
        f"({' + '.join(map(num4, own))}) / {len(own)} = {num4(after)}.",
        (
            Wrong(Rule.MIDDLE, float(own.min() + own.max()) / 2),
            Wrong(Rule.PIXEL, float(own[np.abs(own - after).argmin()])),
        ),
        "The move makes the sum of squared errors as small as possible.",
        about=[code + 1],
        of="code",
    )


def _psnr(problem: ImageProblem, number: int, step: VectorQuantizerStep) -> Iterator[Question]:
    if not (np.isfinite(step.psnr) and 0 < step.mse < 1):
        return
    n = problem.data.size
    yield Question(
        number,
        "PSNR",
        f"After this step the squared errors of all {n:,} numbers, which go from 0 to 1, sum to "
        f"{num4(step.mse * n)}. What is the PSNR?",
        Value(step.psnr, 0.1, "dB"),
        f"MSE = {num4(step.mse * n)} / {n:,} = {num4(step.mse)}, and 10 · log₁₀(1 / "
        f"{num4(step.mse)}) = {num4(step.psnr)} dB.",
        (Wrong(Rule.ROOT, 2 * step.psnr),),
        "PSNR = 10 · log₁₀(peak² / MSE), and the peak is 1.",
    )


def _size(
    run: Run[ImageProblem, VectorQuantizer], number: int, step: VectorQuantizerStep
) -> Iterator[Question]:
    k, d = step.codebook.shape
    pixels, patch = run.problem.height * run.problem.width, run.model.patch
    bits = code_bits(k)
    kind = "pixel" if patch == 1 else f"patch of {patch} x {patch} pixels"
    n_rows = len(step.labels) if step.labels is not None else 0
    yield Question(
        number,
        "bits per pixel",
        f"Each {kind} is stored as the number of one of {count(k, 'code', 'codes')}. How many bits "
        "per pixel does that take?",
        Value(step.bits_per_pixel, 0.01 * step.bits_per_pixel),
        f"{n_rows:,} numbers of ⌈log₂ {k}⌉ = {count(bits, 'bit', 'bits')} for {pixels:,} pixels "
        f"are {num4(step.bits_per_pixel)} bits per pixel.",
        (Wrong(Rule.EACH, k * n_rows / pixels),),
        "A number of b bits has 2 to the power of b values.",
    )
    original = run.problem.data.size * CHANNEL_BITS
    coded, book = n_rows * bits, k * d * CHANNEL_BITS
    if not coded:
        return
    yield Question(
        number,
        "compression",
        f"The original takes {original:,} bits. {n_rows:,} code numbers take {coded:,}, and each "
        f"of the {k} codes has {count(d, 'number', 'numbers')} of {CHANNEL_BITS} bits. How many "
        "times smaller is the coded picture?",
        Value(step.ratio, 0.01 * step.ratio),
        f"{original:,} / ({coded:,} + {book:,}) = {num4(step.ratio)}.",
        (Wrong(Rule.NO_BOOK, original / coded),),
        "What does somebody need who wants to decode the picture?",
    )


def _uniform_counts(codes: Floats, values: Floats) -> NDArray[np.intp]:
    """Return how many pixels each code would have in equal parts of the range."""
    k, low, high = len(codes), values.min(), values.max()
    parts = np.minimum((k * (values - low) / ((high - low) or 1.0)).astype(int), k - 1)
    rank = np.argsort(np.argsort(codes, kind="stable"), kind="stable")
    counts: NDArray[np.intp] = np.bincount(parts, minlength=k)[rank]
    return counts


def _listing(values: Floats) -> str:
    *first, last = (num4(value) for value in values)
    return f"{', '.join(first)} and {last}" if first else last
