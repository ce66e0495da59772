"""Questions about a filter that slides over a picture: where it goes, its sums, and the pooling."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.cnn.algorithm import ConvNet
from dmlib.neural.cnn.convolution import pool_windows
from dmlib.neural.cnn.filter_scene import sliding_of
from dmlib.neural.cnn.picture_scene import PictureView
from dmlib.neural.cnn.sliding import Sliding
from dmlib.pictures.answers import MAX_OPTIONS, Option, Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num4, signed
from dmlib.problem import DigitsProblem

MAX_TERMS = 9  # of a sum that is worked out
MAX_ASKED = 40  # places
MAX_WINDOWS = 4  # of the pooling that are asked about
MAX_PLACES = 100  # of a map, as many as have a frame


class Rule(Misconception):
    """Wrong rules of convolution and pooling."""

    JUMP = "The filter moves on by its own width, so that its places do not overlap."
    FLIPPED = "A network turns its filters by 180 degrees before it multiplies."
    UNSIGNED = "Negative weights count as zero."
    MEAN = "Max pooling takes the mean of each window."
    FARTHEST = "Max pooling takes the value that is farthest from 0."


def questions(run: Run[DigitsProblem, ConvNet]) -> Iterator[Question]:
    """Yield the questions that the places of a filter answer, in the view of the filter.

    Their ``step`` counts the steps of the filter (:attr:`Sliding.steps`), not the epochs of the
    network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.ConvNet` on digits.

    Yields
    ------
    Question
        Before places at which a sum is not 0, and before the pooling.

    Examples
    --------
    >>> from dmlib.neural import ConvNet
    >>> from dmlib.problem import prepare_digits
    >>> problem = prepare_digits([[0, 255, 0, 0], [0, 255, 0, 0], [0, 255, 0, 0], [9, 9, 9, 9]])
    >>> run = Run.of(problem, ConvNet(1, max_iter=1, random_state=0))
    >>> [question.topic for question in questions(run) if question.step > 2]
    ['move', 'sum', 'pooling', 'kept']
    """
    view = PictureView(run)
    if not run.trace.steps or view.options["view"] != "filter":
        return
    sliding = sliding_of(view)
    if not 1 < sliding.sums.size <= MAX_PLACES:
        return
    n_asked = 0
    for number, step in enumerate(sliding.steps):
        if step.phase == "multiply" and number and n_asked < MAX_ASKED:
            n_asked += 1
            yield from _move(sliding, number)
            yield from _sum(sliding, number)
        elif step.phase == "pool" and sliding.options["pool"] == "max":
            yield from _pooling(sliding, number)


def _middle(sliding: Sliding, place: int) -> tuple[float, float]:
    """Return the middle of the filter on the picture, at a place of the map."""
    rows, columns = sliding.taps(place)
    left, top = -sliding.padding, len(sliding.ink) + sliding.padding
    return left + float(columns.mean()) + 0.5, top - float(rows.mean()) - 0.5


def _move(sliding: Sliding, number: int) -> Iterator[Question]:
    """Ask where the filter goes."""
    (height, width), pad = sliding.ink.shape, sliding.padding
    panel = Panel("data", Axis("", -pad, width + pad), Axis("", -pad, height + pad), equal=True)
    across, stride = sliding.sums.shape[1], sliding.options["stride"]
    x, y = _middle(sliding, number)
    x_before, y_before = _middle(sliding, number - 1)
    is_new_line = number % across == 0
    side = sliding.kernel.shape[1]
    jump = (x_before + side, y_before) if not is_new_line else (x, y_before - side)
    where = f"down by {stride}, and back to the left" if is_new_line else f"right by {stride}"
    yield Question(
        number,
        "move",
        "Where will the middle of the filter be at its next place?",
        Place(panel, [(x, y)], reach=(0.45, 0.45)),
        f"The stride is {stride}: it goes {where}.",
        (Wrong(Rule.JUMP, jump),),
        "The stride says by how many pixels the filter moves.",
    )


def _sum(sliding: Sliding, number: int) -> Iterator[Question]:
    """Ask for the weighted sum at a place."""
    rows, columns = sliding.taps(number)
    pixels, kernel = sliding.padded[rows, columns], sliding.kernel
    total = float(sliding.sums.ravel()[number])
    is_used = (pixels != 0) & (kernel != 0)
    if kernel.size > 25 or not 0 < is_used.sum() <= MAX_TERMS:
        return
    row, column = divmod(number, sliding.sums.shape[1])
    pairs = zip(pixels[is_used], kernel[is_used], strict=True)
    terms = " + ".join(f"{num4(x)} · {signed(w, 4)}" for x, w in pairs)
    size = float(np.abs(pixels * kernel).sum())
    yield Question(
        number,
        "sum",
        f"What will the map be at row {row + 1}, column {column + 1}, where the pixels are "
        f"{_matrix(pixels)} and the weights {_matrix(kernel)}?",
        Value(total, max(0.01 * size, 0.005)),
        f"{terms} = {num4(total)}.",
        (
            Wrong(Rule.FLIPPED, float((pixels * kernel[::-1, ::-1]).sum())),
            Wrong(Rule.UNSIGNED, float((pixels * np.maximum(kernel, 0)).sum())),
        ),
        "Multiply each pixel by the weight that lies on it, and add up.",
        about=[number],
        of="place",
    )


def _matrix(values: Floats) -> str:
    """Return rows of numbers, with a semicolon after each."""
    return "(" + "; ".join(", ".join(num4(value) for value in row) for row in values) + ")"


def _pooling(sliding: Sliding, number: int) -> Iterator[Question]:
    """Ask for the largest value of some windows, and where it is."""
    size, across = sliding.options["window"], sliding.sums.shape[1]
    if not sliding.pooled.size or size < 2:
        return
    windows = pool_windows(sliding.sums, size)
    places = pool_windows(np.arange(sliding.sums.size).reshape(-1, across), size).astype(int)
    shape = sliding.pooled.shape
    spread = np.abs(windows).max(axis=(2, 3)) - windows.max(axis=(2, 3))
    order = np.argsort(-spread, axis=None, kind="stable")[:MAX_WINDOWS]
    for r, c in zip(*np.unravel_index(order, shape), strict=True):
        yield from _window(number, windows[r, c], places[r, c], (int(r) + 1, int(c) + 1))


def _window(number: int, window: Floats, places: Floats, at: tuple[int, int]) -> Iterator[Question]:
    top, flat = float(window.max()), window.ravel()
    if float(np.ptp(window)) < 1e-9:
        return
    names = [int(place) + 1 for place in places.ravel()]
    kept = np.flatnonzero(np.isclose(flat, top, rtol=1e-9, atol=1e-12))
    name = f"window of row {at[0]}, column {at[1]}"
    listing = ", ".join(num4(value) for value in flat)
    farthest = int(np.abs(flat).argmax())
    options = list(dict.fromkeys(num4(value) for value in (*flat, window.mean())))
    if len(options) <= MAX_OPTIONS:
        yield Question(
            number,
            "pooling",
            f"What does max pooling make of the {name}?",
            Option(options, [options.index(num4(top))]),
            f"The largest of {listing} is {num4(top)}.",
            (
                Wrong(Rule.MEAN, options.index(num4(window.mean()))),
                Wrong(Rule.FARTHEST, options.index(num4(flat[farthest]))),
            ),
            "−2 is smaller than 1.",
            about=names,
            of="place",
        )
    yield Question(
        number,
        "kept",
        f"Which place of the map does max pooling keep of the {name}?",
        Pick("place", [[names[i]] for i in kept], among=names),
        f"Its values are {listing}; the largest is {num4(top)}.",
        (Wrong(Rule.FARTHEST, [names[farthest]]),),
        "It keeps the largest value, not the strongest.",
        "Several places have the same value." if len(kept) > 1 else "",
    )
