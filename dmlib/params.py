"""Parameter specifications, from which come validation, widget, link, help text and tests.

A class lists its public parameters in ``PARAMS``; the defaults live only in its ``__init__``.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

MAX_NAMES = 24  # in a sentence


@dataclass(frozen=True)
class Integer:
    """A whole number in ``[low, high]``.

    Parameters
    ----------
    low, high : int
        The bounds that the algorithm accepts.
    shown : tuple of int, optional
        The range of the slider, where the whole range would be too coarse to use; of more than two,
        its positions.
    none : str
        What None means, where the algorithm takes None too ("no limit").
    stepped : bool
        Whether it is changed one by one, with a button for less and one for more, instead of by a
        slider.
    names : tuple of str
        Names that the algorithm also takes in place of a number.

    Examples
    --------
    >>> Integer(1, 50).parse("7")
    7
    >>> Integer(1, 50, none="no limit").parse("None") is None
    True
    >>> Integer(1, 50, names=("sqrt",)).parse("sqrt")
    'sqrt'
    """

    low: int
    high: int
    shown: tuple[int, ...] | None = None
    none: str = ""
    stepped: bool = False
    names: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        """Return ``value`` as an int, or None where that is taken.

        Raises
        ------
        ValueError
            If it is no whole number or out of bounds; the message completes "<name> must be ...".
        """
        if (value is None and self.none) or (isinstance(value, str) and value in self.names):
            return value
        if (
            isinstance(value, bool)
            or not isinstance(value, int | np.integer)
            or not self.low <= value <= self.high
        ):
            alternatives = (*self.names, *(("None",) if self.none else ()))
            raise ValueError(
                " or ".join((f"a whole number from {self.low} to {self.high}", *alternatives))
            )
        return int(value)

    def parse(self, text: str) -> Any:
        """Read a value from a link."""
        if text == "None" and self.none:
            return None
        if text in self.names:
            return text
        return self.check(int(text) if re.fullmatch(r"[+-]?\d{1,18}", text.strip()) else "")

    def extremes(self) -> tuple[Any, ...]:
        """Return the values that generated tests try."""
        none = [None] if self.none else []
        return tuple(dict.fromkeys((self.low, self.high, *(self.shown or ()), *self.names, *none)))


@dataclass(frozen=True)
class Number:
    """A real number in ``[low, high]``; infinite only where a bound is.

    Parameters
    ----------
    low, high : float
        The bounds that the algorithm accepts.
    shown : tuple of float, optional
        The range of the slider; of more than two, its positions.
    step : float, optional
        The slider's step; by default a hundredth of the shown range.
    log : bool
        Whether a step of the slider multiplies instead of adding. An infinite ``high`` is then its
        last position, and a 0 that is shown its first, before eight decades.
    names : tuple of str
        Names that the algorithm also takes in place of a number.
    none : str
        What None means, where the algorithm takes None too ("no shrinkage").

    Examples
    --------
    >>> Number(0.0, 1.0).parse("0.25")
    0.25
    >>> Number(0.0, 1.0, names=("scale", "auto")).parse("auto")
    'auto'
    >>> Number(0.0, 1.0, none="no shrinkage").parse("None") is None
    True
    """

    low: float
    high: float
    shown: tuple[float, ...] | None = None
    step: float | None = None
    log: bool = False
    names: tuple[str, ...] = ()
    none: str = ""

    def check(self, value: Any) -> Any:
        """Return ``value`` as a float, the name that it is, or None where that is taken.

        Raises
        ------
        ValueError
            If it is not a number, out of bounds, or none of the names.
        """
        if (value is None and self.none) or (isinstance(value, str) and value in self.names):
            return value
        real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(
            value, bool
        )
        if not real or not self.low <= value <= self.high:
            alternatives = (*self.names, *(("None",) if self.none else ()))
            raise ValueError(
                " or ".join((f"a number from {self.low:g} to {self.high:g}", *alternatives))
            )
        return float(value)

    def parse(self, text: str) -> Any:
        """Read a value from a link."""
        if text == "None" and self.none:
            return None
        try:
            return self.check(text if text in self.names else float(text))
        except ValueError:
            return self.check(None)

    def extremes(self) -> tuple[Any, ...]:
        """Return the values that generated tests try."""
        none = [None] if self.none else []
        return tuple(dict.fromkeys((self.low, self.high, *(self.shown or ()), *self.names, *none)))


@dataclass(frozen=True)
class Choice:
    """One of a few names.

    Parameters
    ----------
    options : tuple of str
        The names, in the order in which a control shows them.
    arrays : bool
        Whether the algorithm also takes an array in place of a name (its shape is the algorithm's
        affair).
    none : bool
        Whether the algorithm takes None too, which no control offers.

    Examples
    --------
    >>> Choice(("gini", "entropy")).parse("gini")
    'gini'
    """

    options: tuple[str, ...]
    arrays: bool = False
    none: bool = False

    def check(self, value: Any) -> Any:
        """Return ``value`` unchanged.

        Raises
        ------
        ValueError
            If it is none of the options.
        """
        if value is None and self.none:
            return value
        if (
            self.arrays
            and not isinstance(value, str)
            and (isinstance(value, Sequence | Mapping) or np.ndim(value) > 0)
        ):
            return value
        if not isinstance(value, str) or value not in self.options:
            n_more = len(self.options) - MAX_NAMES
            more = (f"{n_more} more",) if n_more > 0 else ()
            raise ValueError(f"one of {', '.join((*self.options[:MAX_NAMES], *more))}")
        return value

    def parse(self, text: str) -> str:
        """Read a value from a link."""
        name: str = self.check(text)
        return name

    def extremes(self) -> tuple[str, ...]:
        """Return the values that generated tests try."""
        return self.options


@dataclass(frozen=True)
class Several(Choice):
    """One or several of a few names, joined by commas.

    Parameters
    ----------
    options : tuple of str
        The names, in the order in which a control shows them.
    arrays : bool
        Not used.

    Examples
    --------
    >>> Several(("momentum", "adam", "newton")).parse("adam,momentum")
    'adam,momentum'
    """

    def check(self, value: Any) -> Any:
        """Return ``value`` unchanged.

        Raises
        ------
        ValueError
            If it has no name, one twice or another one.
        """
        names = value.split(",") if isinstance(value, str) else []
        if not names or len(set(names)) < len(names) or not set(names) <= set(self.options):
            raise ValueError(f"some of {', '.join(self.options)}, joined by commas")
        return value

    def extremes(self) -> tuple[str, ...]:
        """Return the values that generated tests try: each name alone, and all together."""
        return (*self.options, ",".join(self.options))


@dataclass(frozen=True)
class Flag:
    """Yes or no.

    Examples
    --------
    >>> Flag().parse("true")
    True
    """

    def check(self, value: object) -> bool:
        """Return ``value`` as a bool.

        Raises
        ------
        ValueError
            If it is neither true nor false.
        """
        if not isinstance(value, bool | np.bool_):
            raise ValueError("true or false")
        return bool(value)

    def parse(self, text: str) -> bool:
        """Read a value from a link."""
        return self.check({"true": True, "1": True, "false": False, "0": False}.get(text.lower()))

    def extremes(self) -> tuple[bool, ...]:
        """Return the values that generated tests try."""
        return (False, True)


Param = Integer | Number | Choice | Flag

Conditions = Mapping[str, tuple[str, tuple[str, ...]]]
"""For parameters that mean nothing unless another has one of some values: the name of that one, and
the values."""

Decided = Mapping[str, tuple[str, str]]
"""For parameters that change nothing while another is not None: the name of that one, and why."""

Spoken = Mapping[str, Mapping[str, str]]
"""What a reader sees of the options of some choices, where it is not their names: by parameter and
option."""

Range = tuple[float, ...] | str
"""The ends of a slider or, of more than two, its positions; or a sentence that says why a parameter
changes nothing."""

Ranges = Callable[..., Mapping[str, Range]]
"""A function that returns the ranges for an estimator and its data, by the names of parameters.

The estimator has the names and flags that are chosen, and its numbers are the defaults: no range
moves while a number is dragged. What is accepted does not change.
"""


def outward(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range with two digits: not above the lower one, not below the upper one.

    Examples
    --------
    >>> outward(0.1234, 5.678)
    (0.12, 5.7)
    """
    return rounded(low, 2, math.floor), rounded(high, 2, math.ceil)


def rounded(value: float, digits: int, way: Callable[[float], int]) -> float:
    """Return a number rounded to few digits by ``math.floor`` or ``math.ceil``.

    Examples
    --------
    >>> rounded(0.0123456, 3, math.ceil), rounded(0.0, 3, math.ceil)
    (0.0124, 0.0)
    """
    if value == 0:
        return 0.0
    mantissa, exponent = f"{value:.12e}".split("e")  # as a text, so that 0.3 stays 0.3
    leading = way(float(f"{mantissa}e{digits - 1}"))
    return float(f"{leading}e{int(exponent) - digits + 1}")


def defaults(callable_: Any) -> dict[str, Any]:
    """Return the default of every parameter of a class or function.

    Examples
    --------
    >>> defaults(lambda a=1, *, b="x": None)
    {'a': 1, 'b': 'x'}
    """
    return dict(_defaults(callable_))


@lru_cache(512)
def _defaults(callable_: Any) -> tuple[tuple[str, Any], ...]:
    """Read a signature once: a page asks some twenty times for each answer."""
    parameters = inspect.signature(callable_).parameters.values()
    return tuple(
        (p.name, p.default) for p in parameters if p.default is not inspect.Parameter.empty
    )


def check_params(params: Mapping[str, Param], values: Mapping[str, Any]) -> None:
    """Check every value against its specification.

    Raises
    ------
    ValueError
        With one sentence that names the parameter, what it must be and what it was.

    Examples
    --------
    >>> check_params({"k": Integer(1, 9)}, {"k": 0})
    Traceback (most recent call last):
        ...
    ValueError: k must be a whole number from 1 to 9; it was 0.
    """
    for name, param in params.items():
        try:
            param.check(values[name])
        except ValueError as error:
            raise ValueError(f"{name} must be {error}; it was {values[name]!r}.") from None


@lru_cache(2048)
def describe(documented: Any, name: str) -> str:
    """Return what the numpydoc docstring of a class or function says of one parameter.

    Examples
    --------
    >>> describe(Integer, "none")
    'What None means, where the algorithm takes None too ("no limit").'
    """
    lines = inspect.cleandoc(documented.__doc__ or "").splitlines()
    text: list[str] = []
    inside = False
    for line in lines:
        if inside and line.startswith("    "):
            text.append(line.strip())
        elif inside:
            break
        else:
            inside = re.match(rf"(\w+, )*{re.escape(name)}(, \w+)* : ", line) is not None
    return " ".join(text)
