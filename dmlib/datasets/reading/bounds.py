"""Numbers that are only known to lie below or above a limit, such as <0.5 of a laboratory."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching
from dmlib.datasets.reading.numbers import Texts

_SIGN = "(?:<=|>=|=<|=>|&lt;|&gt;|[<>≤≥⩽⩾≦≧])"
_BOUND = rf"{_SIGN} ?[+-]?[0-9.,].*"
_LEADING = re.compile(rf"{_SIGN} ?")


def without_signs(texts: Texts) -> tuple[Texts, NDArray[np.bool_]] | None:
    """Return numbers without the signs of limits, and which had one; None in other columns.

    A column of bounds with few numbers beside them, such as <5, 5, >5, is one of classes.

    Examples
    --------
    >>> without_signs(np.array(["<0.5", "1.25", "0.75"], object))[0].tolist()
    ['0.5', '1.25', '0.75']
    >>> without_signs(np.array(["<=50K", ">50K"], object)) is None
    True
    """
    is_bound = matching(texts, _BOUND)
    if not is_bound.any() or 2 * is_bound.sum() >= len(texts):
        return None
    plain = texts.copy()
    plain[is_bound] = [_LEADING.sub("", text, count=1) for text in texts[is_bound]]
    return plain, is_bound
