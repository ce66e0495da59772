"""Reading patterns from an image, from drawings in characters, or from a table of numbers."""

from __future__ import annotations

import math
import re
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.containers import Patterns
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.images import read_image
from dmlib.datasets.reading.others import OWN, title_of
from dmlib.datasets.table import Note, TableError
from dmlib.trace import look

LARGEST_TEXT = 5 * 2**20  # bytes
SIDE = 16  # cells of an image's longer side
ART = re.compile(r"[#*@xX1.\-_oO0 ]+")  # a line of a drawing
ON = frozenset("#*@xX1")
ADVICE = (
    "Save an image as PNG or JPEG, draw with # and ., or put one pattern of 0 and 1 on each line."
)


def read_patterns(data: bytes, name: str) -> Patterns:
    r"""Read patterns: of an image one, of a text as many as it has drawings or lines of numbers.

    Parameters
    ----------
    data : bytes
        The content of a PNG or JPEG file, or of a text.
    name : str
        The name under which it was sent; only shown.

    Returns
    -------
    Patterns
        The dark pixels of an image are on; of numbers, those above the middle between the least and
        the greatest.

    Raises
    ------
    TableError
        If the file holds no pattern, or patterns of several sizes.

    Notes
    -----
    Drawings are lines of ``#`` and ``.``, with an empty line between two of them. A line of numbers
    becomes the grid that is nearest to a square; a first line of words and cells that are no
    numbers are left out.

    Examples
    --------
    >>> read_patterns(b"#.\n.#\n\n##\n..\n", "two.txt").patterns.astype(int).tolist()
    [[[1, 0], [0, 1]], [[1, 1], [0, 0]]]
    >>> read_patterns(b"1,0,0,1\n", "one.csv").patterns.astype(int).tolist()
    [[[1, 0], [0, 1]]]
    """
    if data.startswith((b"\x89PNG", b"\xff\xd8")):
        patterns, notes = _of_image(data, name)
    elif len(data) > LARGEST_TEXT:
        raise TableError(
            "too_large", f"The text is larger than {LARGEST_TEXT >> 20} MB. Choose fewer patterns."
        )
    else:
        text, notes = decode(data)
        lines = [line.rstrip() for line in text.splitlines()]
        art = [line for line in lines if line]
        are_drawings = (
            bool(art)
            and all(ART.fullmatch(line) for line in art)
            and not any(" " in line.strip() for line in art)
        )
        patterns, pattern_notes = (_drawings(lines), []) if are_drawings else _of_numbers(art)
        notes = [*notes, *pattern_notes]
    names = tuple(str(i + 1) for i in range(len(patterns)))
    return Patterns(patterns, names, name="upload", title=title_of(name), notes=tuple(notes), **OWN)


def _of_image(data: bytes, name: str) -> tuple[NDArray[np.bool_], list[Note]]:
    image = read_image(data, name)
    grey = image.pixels.astype(float)
    grey = grey.mean(axis=2) if grey.ndim == 3 else grey
    factor = -(-max(grey.shape) // SIDE)
    height, width = (max(side // factor, 1) for side in grey.shape)
    cells = grey[: height * factor, : width * factor]
    rows = np.add.reduceat(cells, np.arange(height) * factor, axis=0)
    sums = np.add.reduceat(rows, np.arange(width) * factor, axis=1)
    text = f"The image became a pattern of {height} x {width} cells, of which the dark ones are on."
    return (sums < (sums.min() + sums.max()) / 2)[None], [*image.notes, Note("reduced", text)]


def _drawings(lines: list[str]) -> NDArray[np.bool_]:
    blocks = [list(block) for filled, block in groupby(lines, key=bool) if filled]
    width = max(len(line) for block in blocks for line in block)
    heights = {len(block) for block in blocks}
    if len(heights) > 1:
        raise TableError(
            "ragged", f"The drawings have {min(heights)} to {max(heights)} lines. Give all as many."
        )
    return np.array(
        [[[cell in ON for cell in line.ljust(width)] for line in block] for block in blocks]
    )


def _of_numbers(lines: list[str]) -> tuple[NDArray[np.bool_], list[Note]]:
    rows = []
    for line in lines:
        look()
        numbers = [_number(field) for field in re.split(r"[,;\t ]+", line.strip())]
        rows.append([number for number in numbers if math.isfinite(number)])
    if rows and not rows[0]:  # names
        rows = rows[1:]
    sizes = {len(row) for row in rows}
    if not sizes or sizes == {0}:
        raise TableError("no_rows", f"The file holds no pattern. {ADVICE}")
    if len(sizes) > 1:
        raise TableError(
            "ragged",
            f"The lines have {min(sizes)} to {max(sizes)} numbers. Give all patterns as many.",
        )
    values = np.array(rows)
    middle = float(values.min() / 2 + values.max() / 2)
    height = next(
        side for side in range(math.isqrt(values.shape[1]), 0, -1) if values.shape[1] % side == 0
    )
    text = (
        f"Each line became a pattern of {height} x {values.shape[1] // height} cells; those above"
        f" {middle:g} are on."
    )
    return (values > middle).reshape(len(values), height, -1), [Note("format_guessed", text)]


def _number(field: str) -> float:
    try:
        return float(field)
    except ValueError:
        return math.nan
