"""Patterns whose cells a person switches on and off."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.containers import Patterns
from dmlib.datasets.drawn.digits import ADVICE, read_digits, write_digits
from dmlib.datasets.drawn.points import class_name

MAX_DRAWN = 12  # patterns
LONGEST_SIDE = 16  # cells


def encode_patterns(patterns: Any) -> str:
    """Write patterns as text that needs no escaping in a link.

    Parameters
    ----------
    patterns : array-like of bool of shape (n_patterns, height, width)
        The patterns.

    Returns
    -------
    str
        One character each for the height and the width, and six cells a character, pattern by
        pattern and row by row, in the alphabet of base64url; a pattern fills whole characters.

    Raises
    ------
    ValueError
        If there are no or more than 12 patterns, or a side has no or more than 16 cells.

    Examples
    --------
    >>> encode_patterns([[[True, False], [False, True]]])
    'CCk'
    """
    P = _checked(patterns)
    return write_digits(P.shape[1:], 1) + encode_cells(P)


def encode_cells(patterns: Any) -> str:
    """Write the cells of patterns of one size, six to a character.

    Examples
    --------
    >>> encode_cells([[[True, False], [False, True]]])
    'k'
    """
    cells = np.asarray(patterns, bool)
    flat = cells.reshape(len(cells), -1)
    padded = np.zeros((len(flat), 6 * _length(flat.shape[1])), np.int64)
    padded[:, : flat.shape[1]] = flat
    return write_digits(padded.reshape(-1, 6) @ (1 << np.arange(5, -1, -1)), 1)


def decode_cells(text: str, height: int, width: int) -> NDArray[np.bool_]:
    """Read the cells of patterns of a known size, shape (n_patterns, height, width).

    Raises
    ------
    ValueError
        If the text holds no whole number of such patterns.

    Examples
    --------
    >>> decode_cells("k", 2, 2).astype(int).tolist()
    [[[1, 0], [0, 1]]]
    """
    n_cells = height * width
    numbers = read_digits(text, 1, "patterns")
    if len(numbers) % _length(n_cells):
        raise ValueError(f"The patterns in the link are incomplete. {ADVICE}")
    bits = (
        (numbers[:, None] >> np.arange(5, -1, -1) & 1)
        .astype(bool)
        .reshape(-1, 6 * _length(n_cells))
    )
    if bits[:, n_cells:].any():
        raise ValueError(f"The patterns in the link cannot be read. {ADVICE}")
    return bits[:, :n_cells].reshape(-1, height, width)


def decode_patterns(text: str) -> NDArray[np.bool_]:
    """Read patterns from the text in a link.

    Parameters
    ----------
    text : str
        What `encode_patterns` wrote.

    Returns
    -------
    ndarray of bool of shape (n_patterns, height, width)
        The patterns.

    Raises
    ------
    ValueError
        If the text is not such a text.

    Examples
    --------
    >>> decode_patterns("CCk").astype(int).tolist()
    [[[1, 0], [0, 1]]]
    """
    if len(text) > 2 + MAX_DRAWN * _length(LONGEST_SIDE**2):
        raise ValueError(f"The link holds more than {MAX_DRAWN} patterns. Draw fewer.")
    sides = read_digits(text[:2], 1, "patterns")
    if len(sides) < 2 or not (sides > 0).all():
        raise ValueError(f"The patterns in the link are incomplete. {ADVICE}")
    return _checked(decode_cells(text[2:], int(sides[0]), int(sides[1])))


def drawn_patterns(patterns: Any) -> Patterns:
    """Return patterns that were drawn.

    Parameters
    ----------
    patterns : array-like of bool of shape (n_patterns, height, width)
        The patterns.

    Returns
    -------
    Patterns
        They are called A, B, ...

    Raises
    ------
    ValueError
        As in `encode_patterns`.

    Examples
    --------
    >>> drawn_patterns([[[True]], [[False]]]).names
    ('A', 'B')
    """
    P = _checked(patterns)
    return Patterns(
        P,
        tuple(class_name(i) for i in range(len(P))),
        name="drawn",
        title="Drawn patterns",
        description="Patterns that you drew.",
        source="Drawn by hand.",
        licence="Yours.",
    )


def _length(n_cells: int) -> int:
    return -(-n_cells // 6)


def _checked(patterns: Any) -> NDArray[np.bool_]:
    P = np.asarray(patterns)
    if P.ndim != 3 or not P.size or P.dtype != bool:
        raise ValueError("Patterns are grids of cells that are on or off. Draw one.")
    if len(P) > MAX_DRAWN or max(P.shape[1:]) > LONGEST_SIDE:
        raise ValueError(
            f"There are {len(P)} patterns of {P.shape[1]} x {P.shape[2]} cells; the limits are"
            f" {MAX_DRAWN} patterns and {LONGEST_SIDE} cells along a side. Draw fewer."
        )
    return P
