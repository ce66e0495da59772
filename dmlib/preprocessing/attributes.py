"""The type of an attribute: which comparisons of its values mean something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

AttributeType = Literal[
    "nominal", "ordinal", "interval", "ratio", "symmetric binary", "asymmetric binary"
]

TYPES: tuple[AttributeType, ...] = (
    "nominal",
    "ordinal",
    "interval",
    "ratio",
    "symmetric binary",
    "asymmetric binary",
)

OPERATIONS = {
    "nominal": "= ≠",
    "ordinal": "= ≠ < >",
    "interval": "= ≠ < > + −",
    "ratio": "= ≠ < > + − × ÷",
    "symmetric binary": "= ≠",
    "asymmetric binary": "= ≠",
}
"""The operations that each type allows on two values."""

_NO_ZERO = re.compile(
    r"\b(celsius|date|days?|degrees?|fahrenheit|iq|lat|latitude|lon|longitude|months?|ph|temp"
    r"|temperature|time|years?)\b"
)
_PAIRS = ((0.0, 1.0), (1.0, 2.0), (-1.0, 1.0))  # numbers that code two outcomes
_PRESENCE = frozenset(("1", "1.0", "yes", "y", "true", "t", "present", "positive", "+"))
_ABSENCE = frozenset(("0", "0.0", "no", "n", "false", "f", "absent", "negative", "-"))
_MIN_ROWS = 10  # in fewer rows, values that are all different are no sign of names


@dataclass(frozen=True)
class Attribute:
    """The kind of values that a column holds.

    Attributes
    ----------
    type : str
        One of ``TYPES``.
    continuous : bool
        Whether any number between two values is possible; otherwise they can be counted.
    identifier : bool
        Whether it only names or counts the rows.
    why : str
        The reason for it, in a few words.

    References
    ----------
    S. S. Stevens (1946), On the theory of scales of measurement. Science 103, 677-680.
    """

    type: AttributeType
    continuous: bool
    identifier: bool
    why: str

    @property
    def operations(self) -> str:
        """The operations on two values that the type allows."""
        return OPERATIONS[self.type]

    @property
    def arithmetic(self) -> bool:
        """Whether differences, and so means and variances, mean something."""
        return self.type in ("interval", "ratio")


def guess_attribute(column: pd.Series[Any]) -> Attribute:
    """Guess the type of a column from its values, their order and its name.

    Parameters
    ----------
    column : Series of shape (n_rows,)
        The values.

    Notes
    -----
    Only the meaning of a column decides its type, and values hardly show it: a guess is to be
    overruled. Numbers with a value below zero, and those whose name is that of a temperature or a
    point in time, have no natural zero and are taken for interval; all other numbers for ratio. A
    pair of presence and absence is asymmetric where presence is the rarer one.

    Examples
    --------
    >>> guess_attribute(pd.Series([20.5, 31.0], name="temperature")).type
    'interval'
    >>> attribute = guess_attribute(pd.Series(["yes", "no", "no"], name="ill"))
    >>> attribute.type, attribute.why
    ('asymmetric binary', 'presence is the rarer of two values')
    """
    if pd.api.types.is_datetime64_any_dtype(column):
        return Attribute("interval", True, False, "dates have differences, but no natural zero")
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        values = column.to_numpy(float, na_value=np.nan)
        return _number(str(column.name), values[np.isfinite(values)])
    return _name(column, column.dropna())


def _name(column: pd.Series[Any], values: pd.Series[Any]) -> Attribute:
    """Return the type of a column of words, and of its values without holes."""
    is_ordered = isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
    if is_ordered and len(column.cat.categories) > 2:
        return Attribute("ordinal", False, False, "its categories are declared in an order")
    counts = values.value_counts()
    counts = counts[counts > 0]
    if len(counts) == 2:
        return _binary(list(map(str, counts.index)), counts.to_list())
    if len(values) >= _MIN_ROWS and len(counts) == len(values):
        return Attribute("nominal", False, True, "all its values are different")
    return Attribute("nominal", False, False, "its values are names")


def _number(name: str, x: NDArray[np.float64]) -> Attribute:
    """Return the type of a column of numbers without holes."""
    if not x.size:
        return Attribute("ratio", True, False, "it is empty")
    low, high = float(x.min()), float(x.max())
    if (low, high) in _PAIRS and bool(((x == low) | (x == high)).all()):
        return _binary([f"{low:g}", f"{high:g}"], [int((x == low).sum()), int((x == high).sum())])
    is_whole = bool((x == np.round(x)).all())
    words = re.sub(r"[^A-Za-z]+", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", name)).lower()
    if _NO_ZERO.search(words):
        why = "its name is that of a scale without a natural zero"
        return Attribute("interval", not is_whole, False, why)
    if is_whole and x.size >= _MIN_ROWS and bool((np.diff(x) == 1).all()):
        return Attribute("nominal", False, True, "it counts the rows")
    if low < 0:
        return Attribute("interval", not is_whole, False, "it has values below zero")
    return Attribute("ratio", not is_whole, False, "numbers from zero on")


def _binary(values: list[str], counts: list[int]) -> Attribute:
    """Return the type of two values with these counts."""
    words = [value.strip().lower() for value in values]
    present = [count for word, count in zip(words, counts, strict=True) if word in _PRESENCE]
    if len(present) == 1 and not _ABSENCE.isdisjoint(words) and 2 * present[0] < sum(counts):
        return Attribute("asymmetric binary", False, False, "presence is the rarer of two values")
    return Attribute("symmetric binary", False, False, "it has two values")
