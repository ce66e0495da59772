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


def short(value: float) -> float:
    """Return a number with four significant digits, as captions and wide tables have them.

    Examples
    --------
    >>> short(1234.567)
    1235.0
    """
    return float(f"{value:.4g}")


def signed(value: float) -> str:
    """Return a number for a sum or a product: in brackets if it is negative.

    Examples
    --------
    >>> signed(-0.5), signed(0.5)
    ('(−0.5)', '0.5')
    """
    return f"({num(value)})" if value < 0 else num(value)


def changes(what: str, before: float, after: float) -> str:
    """Return a sentence's part on a number that rises, falls or, as far as it is shown, stays.

    Examples
    --------
    >>> changes("the SSE", 9.0, 4.5), changes("the SSE", 1.0, 1.0 + 1e-9)
    ('the SSE falls from 9 to 4.5', 'the SSE stays 1')
    """
    if num(before) == num(after):
        return f"{what} stays {num(after)}"
    return f"{what} {'rises' if after > before else 'falls'} from {num(before)} to {num(after)}"
