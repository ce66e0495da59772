"""Words for numbers, the same in every caption and formula."""

from __future__ import annotations

from typing import SupportsFloat

NO_R2 = "R² is not defined, since all targets are equal"


def count(n: int, singular: str, plural: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "row", "rows"), count(2, "row", "rows")
    ('1 row', '2 rows')
    """
    return f"{n} {singular if n == 1 else plural}"


def upper_first(text: str) -> str:
    """Return a text as a sentence begins.

    Examples
    --------
    >>> upper_first("row 3 of iris")
    'Row 3 of iris'
    """
    return text[:1].upper() + text[1:]


def num(value: SupportsFloat, digits: int = 6) -> str:
    """Return a number with significant digits and a true minus sign, for sentences and formulas.

    Examples
    --------
    >>> num(-48.8993), num(float("-inf")), num(12345.678, 4)
    ('−48.8993', '−∞', '12350')
    """
    text = f"{float(value):.{digits}g}"
    if (
        "e" in text
    ):  # up to six digits before the point are written out, however few are significant
        text = f"{float(text):.6g}"
    return text.replace("inf", "∞").replace("-", "−")


def short(value: SupportsFloat) -> float:
    """Return a number with four significant digits, as captions and wide tables have them.

    Examples
    --------
    >>> short(1234.567)
    1235.0
    """
    return float(f"{float(value):.4g}")


def num4(value: SupportsFloat) -> str:
    """Return a number with four significant digits and a true minus sign, for captions.

    Examples
    --------
    >>> num4(-0.123456), num4(3.0)
    ('−0.1235', '3')
    """
    return num(value, 4)


def signed(value: SupportsFloat, digits: int = 6) -> str:
    """Return a number for a sum or a product: in brackets if it is negative.

    Examples
    --------
    >>> signed(-0.5), signed(0.5)
    ('(−0.5)', '0.5')
    """
    text = num(value, digits)
    return f"({text})" if float(value) < 0 else text


def changes(what: str, before: SupportsFloat, after: SupportsFloat) -> str:
    """Return a sentence's part on a number that rises, falls or, as far as it is shown, stays.

    Examples
    --------
    >>> changes("the SSE", 9.0, 4.5), changes("the SSE", 1.0, 1.0 + 1e-9)
    ('the SSE falls from 9 to 4.5', 'the SSE stays 1')
    """
    if num(before) == num(after):
        return f"{what} stays {num(after)}"
    return (
        f"{what} {'rises' if float(after) > float(before) else 'falls'} from {num(before)} to"
        f" {num(after)}"
    )
