"""Words for numbers, the same in every caption and formula."""

from __future__ import annotations


def count(n: int, one: str, many: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "row", "rows"), count(2, "row", "rows")
    ('1 row', '2 rows')
    """
    return f"{n} {one if n == 1 else many}"


def num(value: float) -> str:
    """Return a number for a sentence or a formula, with six significant digits and a true minus sign.

    Examples
    --------
    >>> num(-48.8993), num(float("-inf"))
    ('−48.8993', '−∞')
    """
    return f"{value:.6g}".replace("inf", "∞").replace("-", "−")
