"""Words for numbers, the same in every caption and formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, SupportsFloat

import numpy as np

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


@dataclass(frozen=True)
class Share:
    """A part of a whole, as a percentage with its counts.

    Parameters
    ----------
    part : float
        The part.
    whole : float
        The whole; 1 for a share of which no counts are known.

    Examples
    --------
    >>> Share(4, 60).counts, Share(0.25).counts
    ('4 of 60', '')
    """

    part: float
    whole: float = 1

    @property
    def value(self) -> float:
        """The share, from 0 to 1."""
        return self.part / self.whole

    @property
    def counts(self) -> str:
        """Part and whole as counts; empty where none are known."""
        return "" if self.whole == 1 else f"{brief(self.part)} of {brief(self.whole)}"


def percent(share: SupportsFloat) -> str:
    """Return a share as a percentage with at most one digit after the point.

    Examples
    --------
    >>> percent(1 / 15), percent(0.2), percent(1), percent(0.0002), percent(float("nan"))
    ('6.7 %', '20 %', '100 %', '0.02 %', '–')
    """
    value = 100 * float(share)
    if np.isnan(value):
        return "–"
    text = f"{value:.1f}".removesuffix(".0") if abs(value) >= 0.1 or not value else f"{value:.1g}"
    return f"{text} %".replace("-", "−")


SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MAX_NAMED = 2  # numbers of an array that are named


def brief(value: Any) -> str:
    """Return a number with three significant digits, as it stands large beside a picture.

    Of an array, its first numbers; a dash where there is no number.

    Examples
    --------
    >>> brief(0.123456), brief(12), brief(123456.7), brief([0.5, float("nan")]), brief(None)
    ('0.123', '12', '123,457', '0.5, –', '–')
    >>> brief(-5.59e-7), brief(2.5e12)
    ('−5.59 × 10⁻⁷', '2.5 × 10¹²')
    """
    array = np.asarray(np.nan if value is None else value)
    if array.ndim:
        texts = [brief(item) for item in array.ravel()[:MAX_NAMED]]
        return ", ".join(texts) + (" …" if array.size > MAX_NAMED else "")
    if np.isnan(array):
        return "–"
    return _three_digits(float(array), array.dtype.kind in "iub").replace("-", "−")


def _three_digits(value: float, is_whole: bool) -> str:
    size = abs(value)
    if np.isinf(value):
        return "∞" if value > 0 else "-∞"
    if is_whole or 1000 <= size < 1e9:
        return f"{value:,.0f}"
    if value and not 1e-4 <= size < 1e9:
        digits, _, exponent = f"{value:.2e}".partition("e")
        return f"{float(digits):g} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return f"{value:.3g}"
