"""Market baskets that a person ticks in a table of items."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.containers import Baskets
from dmlib.datasets.drawn.digits import ADVICE, read_digits, write_digits
from dmlib.datasets.drawn.points import class_name

MAX_BASKETS = 60
MAX_ITEMS = 26


def encode_baskets(ticks: Any) -> str:
    """Write ticked cells as text that needs no escaping in a link.

    Parameters
    ----------
    ticks : array-like of bool of shape (n_baskets, n_items)
        Which item lies in which basket.

    Returns
    -------
    str
        One character for the number of items, and six cells a character, row by row, in the
        alphabet of base64url; the rest of the last character is 0.

    Raises
    ------
    ValueError
        If there are no or more than 60 baskets, or no or more than 26 items.

    Examples
    --------
    >>> encode_baskets([[True, False, True], [False, True, True]])
    'DoY'
    """
    T = _checked(ticks)
    n_baskets, n_items = T.shape
    length = -(
        -n_items // 6
    )  # a basket fills whole characters, so that the number of baskets is clear
    bits = np.zeros((n_baskets, 6 * length), np.int64)
    bits[:, :n_items] = T
    return write_digits([n_items], 1) + write_digits(
        bits.reshape(-1, 6) @ (1 << np.arange(5, -1, -1)), 1
    )


def decode_baskets(text: str) -> NDArray[np.bool_]:
    """Read ticked cells from the text in a link.

    Parameters
    ----------
    text : str
        What `encode_baskets` wrote.

    Returns
    -------
    ndarray of bool of shape (n_baskets, n_items)
        Which item lies in which basket.

    Raises
    ------
    ValueError
        If the text is not such a text.

    Examples
    --------
    >>> decode_baskets("DoY").tolist()
    [[True, False, True], [False, True, True]]
    """
    if len(text) > 1 + MAX_BASKETS * -(-MAX_ITEMS // 6):
        raise ValueError(
            f"The link holds more than {MAX_BASKETS} baskets of {MAX_ITEMS} items. Tick fewer."
        )
    numbers = read_digits(text, 1, "baskets")
    n_items = int(numbers[0]) if len(numbers) else 0
    length = -(-n_items // 6)
    if not 1 <= n_items <= MAX_ITEMS or (len(numbers) - 1) % length:
        raise ValueError(f"The baskets in the link are incomplete. {ADVICE}")
    bits = (numbers[1:, None] >> np.arange(5, -1, -1) & 1).astype(bool).reshape(-1, 6 * length)
    if bits[:, n_items:].any():
        raise ValueError(f"The baskets in the link cannot be read. {ADVICE}")
    return _checked(bits[:, :n_items])


def drawn_baskets(ticks: Any) -> Baskets:
    """Return ticked cells as baskets.

    Parameters
    ----------
    ticks : array-like of bool of shape (n_baskets, n_items)
        Which item lies in which basket.

    Returns
    -------
    Baskets
        Their items are called A, B, ...

    Raises
    ------
    ValueError
        As in `encode_baskets`.

    Examples
    --------
    >>> drawn_baskets([[True, False], [True, True]]).items
    ('A', 'B')
    """
    T = _checked(ticks)
    transactions = tuple(frozenset(class_name(int(j)) for j in np.flatnonzero(row)) for row in T)
    return Baskets(
        transactions,
        name="drawn",
        title="Drawn baskets",
        description="Baskets that you ticked.",
        source="Ticked by hand.",
        licence="Yours.",
    )


def _checked(ticks: Any) -> NDArray[np.bool_]:
    T = np.asarray(ticks)
    if T.ndim != 2 or not T.size or T.dtype != bool:
        raise ValueError("Baskets are rows of ticks, one for each item. Tick an item.")
    if len(T) > MAX_BASKETS or T.shape[1] > MAX_ITEMS:
        raise ValueError(
            f"There are {len(T)} baskets of {T.shape[1]} items; the limits are {MAX_BASKETS} and"
            f" {MAX_ITEMS}. Tick fewer."
        )
    return T
