"""Patterns of cells that are on or off: letters, shapes and bars, and scikit-learn's digits."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]
NamedBits = tuple[Bits, tuple[str, ...]]

INK = 8  # of 16: from this grey value on, a pixel of a digit is on

LETTERS: Mapping[str, str] = {
    "A": "..####.. .##..##. ##....## ##....## ######## ######## ##....## ##....##",
    "C": ".####### ######## ##...... ##...... ##...... ##...... ######## .#######",
    "J": "######## ######## ....##.. ....##.. ....##.. ##..##.. ######.. .####...",
    "M": "##....## ###..### ######## ##.##.## ##....## ##....## ##....## ##....##",
    "T": "######## ######## ...##... ...##... ...##... ...##... ...##... ...##...",
    "X": "##....## ###..### .######. ..####.. ..####.. .######. ###..### ##....##",
    "Z": "######## ######## ....###. ...###.. ..###... .###.... ######## ########",
}

SHAPES: Mapping[str, str] = {
    "rows": "######## ######## ........ ........ ######## ######## ........ ........",
    "columns": "##..##.. ##..##.. ##..##.. ##..##.. ##..##.. ##..##.. ##..##.. ##..##..",
    "checks": "####.... ####.... ####.... ####.... ....#### ....#### ....#### ....####",
    "ring": "######## ######## ##....## ##....## ##....## ##....## ######## ########",
    "cross": "...##... ...##... ...##... ######## ######## ...##... ...##... ...##...",
}


def letters(which: str = "") -> NamedBits:
    """Return letters on 8 x 8 cells, all or those that are named, and their names.

    Examples
    --------
    >>> patterns, names = letters("TZ")
    >>> patterns.shape, names
    ((2, 8, 8), ('T', 'Z'))
    """
    return _art({letter: LETTERS[letter] for letter in which or LETTERS})


def shapes() -> NamedBits:
    """Return five shapes on 8 x 8 cells, and their names.

    Examples
    --------
    >>> shapes()[1]
    ('rows', 'columns', 'checks', 'ring', 'cross')
    """
    return _art(SHAPES)


def bars_and_stripes(side: str) -> NamedBits:
    """Return all patterns on a square whose rows are whole, or whose columns are; none twice.

    Examples
    --------
    >>> bars_and_stripes("2")[0].astype(int).reshape(-1, 4).tolist()
    [[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1], [1, 0, 1, 0]]
    """
    n = int(side)
    rows = [
        np.repeat(np.array(choice, bool)[:, None], n, axis=1)
        for choice in product((0, 1), repeat=n)
    ]
    columns = [pattern.T for pattern in rows[1:-1]]
    return np.array([*rows, *columns]), tuple(str(i + 1) for i in range(len(rows) + len(columns)))


def digits(each: str) -> NamedBits:
    """Return handwritten pictures of each digit on 8 x 8 cells, named by their digits.

    Examples
    --------
    >>> patterns, names = digits("2")
    >>> patterns.shape, names[:3]
    ((20, 8, 8), ('0', '1', '2'))
    """
    from sklearn.datasets import load_digits

    bunch: Any = load_digits()
    places = np.array(
        [np.flatnonzero(bunch.target == code)[: int(each)] for code in range(10)]
    ).T.ravel()
    return bunch.images[places] >= INK, tuple(str(code) for code in bunch.target[places])


def _art(drawings: Mapping[str, str]) -> NamedBits:
    patterns = [
        [[cell == "#" for cell in row] for row in drawing.split()] for drawing in drawings.values()
    ]
    return np.array(patterns), tuple(drawings)
