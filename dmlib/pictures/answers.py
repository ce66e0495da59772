"""Answers to questions: which ones are right, and what the stage needs to take one.

What a learner gives travels as JSON: a whole number for an option, a list of two numbers for a
place, and so on. Nothing of it is trusted.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

from dmlib.pictures.ledger import number
from dmlib.pictures.scene import Panel

REACH = 0.04  # share of an axis within which a place is the right one
MAX_OPTIONS = 5
MAX_GIVEN = 1000  # numbers in one answer that somebody gives


class Answer(Protocol):
    """The answer of a question."""

    kind: ClassVar[str]
    """What is given: "pick", "place", "angle", "option", "number" or "order"."""

    @property
    def right(self) -> Sequence[Any]:
        """All answers that the algorithm could give; the first is the one that it gave."""

    def read(self, given: Any) -> Any:
        """Return an answer that somebody gives.

        Raises
        ------
        ValueError
            If it is no answer of this kind.
        """

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two answers count as the same one."""

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs to take an answer, as plain data."""

    def text(self, given: Any) -> str:
        """Return an answer in words."""


def accepts(answer: Answer, given: Any) -> bool:
    """Return whether an answer that somebody gives is right.

    Examples
    --------
    >>> accepts(Pick("row", [[3], [7]]), [7]), accepts(Value(0.5, 0.01), 0.505)
    (True, True)
    """
    return any(answer.same(given, right) for right in answer.right)


@dataclass(frozen=True)
class Pick:
    """Marks of the picture: one, or a set of them.

    Parameters
    ----------
    of : str
        What is picked, as the marks say what their numbers count.
    right : sequence of collections of int
        The sets of numbers that are right.
    among : sequence of int
        The numbers that can be picked; empty for those of the marks that are seen.
    several : bool
        Whether a set is asked for; it may be empty.
    names : mapping of int to str
        What the numbers are called, where they are not called by their number.

    Examples
    --------
    >>> Pick("row", [[3]]).text([3]), Pick("row", [[2, 5]], several=True).text([5, 2])
    ('row 3', 'rows 2, 5')
    """

    kind: ClassVar[str] = "pick"

    of: str
    right: Sequence[Collection[int]]
    among: Sequence[int] = ()
    several: bool = False
    names: Mapping[int, str] = field(default_factory=dict)

    def read(self, given: Any) -> list[int]:
        """Return the numbers that somebody picks."""
        return _whole_numbers(given)

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two sets are equal."""
        return set(given) == set(other)

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "of": self.of,
            "right": [sorted(int(i) for i in each) for each in self.right],
            "among": [int(i) for i in self.among],
            "several": self.several,
            "names": {str(i): name for i, name in self.names.items()},
        }

    def text(self, given: Any) -> str:
        """Return the picked marks in words."""
        names = [self.names.get(i, str(i)) for i in sorted(given)]
        if not names:
            return "none"
        noun = "" if self.names else f"{self.of}{'s' * (len(names) != 1)} "
        return noun + ", ".join(names)


@dataclass(frozen=True)
class Place:
    """A place on a panel: a point, or a line across it at one coordinate.

    Parameters
    ----------
    panel : Panel
        The panel.
    right : sequence of (float, float)
        The places that are right.
    form : {"point", "x", "y"}
        A point; a vertical line at ``x``; a horizontal one at ``y``. Of a line, the other
        coordinate does not count.
    reach : tuple of (float, float), optional
        How far from it, along each axis, a place is still right; by default a share of the axes.

    Examples
    --------
    >>> from dmlib.pictures.scene import Axis
    >>> cut = Place(Panel("data", Axis("x", 0, 10), Axis("y", 0, 10)), [(4.0, 0.0)], form="x")
    >>> accepts(cut, [4.3, 9.0]), accepts(cut, [5.0, 0.0])
    (True, False)
    """

    kind: ClassVar[str] = "place"

    panel: Panel
    right: Sequence[tuple[float, float]]
    form: Literal["point", "x", "y"] = "point"
    reach: tuple[float, float] | None = None

    @property
    def _reach(self) -> tuple[float, float]:
        if self.reach is not None:
            return self.reach
        width, height = self.panel.size.tolist()
        return REACH * width, REACH * height

    def read(self, given: Any) -> tuple[float, float]:
        """Return the place that somebody gives."""
        if not isinstance(given, list | tuple) or len(given) != 2:
            raise ValueError("A place has two numbers.")
        return _finite(given[0]), _finite(given[1])

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two places are near each other."""
        across, up = (
            (float(a) - float(b)) / reach
            for a, b, reach in zip(given, other, self._reach, strict=True)
        )
        if self.form == "point":
            return math.hypot(across, up) <= 1
        return abs(across if self.form == "x" else up) <= 1

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "panel": self.panel.name,
            "form": self.form,
            "right": [[float(x), float(y)] for x, y in self.right],
            "reach": list(self._reach),
        }

    def text(self, given: Any) -> str:
        """Return a place in words."""
        x, y = (number(float(f"{value:.3g}")) for value in given)
        names = {"x": f"{self.panel.x.label} = {x}", "y": f"{self.panel.y.label} = {y}"}
        return names.get(self.form, f"({x}, {y})")


@dataclass(frozen=True)
class Angle:
    """The direction of a line through a place, from 0 to 180 degrees.

    Parameters
    ----------
    panel : Panel
        The panel.
    around : tuple of (float, float)
        The place that the line goes through.
    right : sequence of float
        The directions that are right, in degrees anticlockwise from the horizontal.
    radius : float
        The distance of the grip from the place.
    tolerance : float
        Degrees by which it may differ.

    Examples
    --------
    >>> from dmlib.pictures.scene import Axis
    >>> panel = Panel("data", Axis("x", 0, 10), Axis("y", 0, 10))
    >>> accepts(Angle(panel, (5, 5), [178.0], 2.0), 3.0)
    True
    """

    kind: ClassVar[str] = "angle"

    panel: Panel
    around: tuple[float, float]
    right: Sequence[float]
    radius: float
    tolerance: float = 8.0

    def read(self, given: Any) -> float:
        """Return the direction that somebody gives."""
        return _finite(given)

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two lines have nearly the same direction."""
        turn = abs(float(given) - float(other)) % 180
        return min(turn, 180 - turn) <= self.tolerance

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "panel": self.panel.name,
            "around": [float(value) for value in self.around],
            "radius": float(self.radius),
            "right": [float(angle) for angle in self.right],
            "tolerance": self.tolerance,
        }

    def text(self, given: Any) -> str:
        """Return a direction in words."""
        return f"{float(given):.0f}°"


@dataclass(frozen=True)
class Option:
    """One of at most five options.

    Parameters
    ----------
    options : sequence of str
        The options.
    right : sequence of int
        The places of those that are right.

    Examples
    --------
    >>> Option(["core point", "border point", "noise"], [2]).text(0)
    'core point'
    """

    kind: ClassVar[str] = "option"

    options: Sequence[str]
    right: Sequence[int]

    def __post_init__(self) -> None:
        if not 2 <= len(self.options) <= MAX_OPTIONS:
            raise ValueError(f"A question has 2 to {MAX_OPTIONS} options, not {len(self.options)}.")
        if len(set(self.options)) < len(self.options):
            raise ValueError(f"Two options are the same: {list(self.options)}.")

    def read(self, given: Any) -> int:
        """Return the place of the option that somebody chooses."""
        if not isinstance(given, int) or not 0 <= given < len(self.options):
            raise ValueError("An option has a number.")
        return given

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two options are the same one."""
        return bool(given == other)

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "options": list(self.options),
            "right": [int(place) for place in self.right],
        }

    def text(self, given: Any) -> str:
        """Return an option in words."""
        return str(self.options[given])


@dataclass(frozen=True)
class Value:
    """A number, right within a tolerance.

    Parameters
    ----------
    value : float
        The number.
    tolerance : float
        By how much another one may differ; 0 for a count.
    unit : str
        What stands behind it.

    Examples
    --------
    >>> Value(0.333, 0.005).text(0.333), accepts(Value(3, 0), 3.0)
    ('0.333', True)
    """

    kind: ClassVar[str] = "number"

    value: float
    tolerance: float = 0.0
    unit: str = ""

    @property
    def right(self) -> Sequence[float]:
        """The number."""
        return (float(self.value),)

    def read(self, given: Any) -> float:
        """Return the number that somebody gives."""
        return _finite(given)

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two numbers differ by no more than the tolerance."""
        rounding = 1e-9 * max(1.0, abs(float(other)))
        return abs(float(given) - float(other)) <= self.tolerance + rounding

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "right": list(self.right),
            "tolerance": float(self.tolerance),
            "unit": self.unit,
        }

    def text(self, given: Any) -> str:
        """Return a number in words."""
        return f"{number(float(f'{given:.4g}'))}{self.unit and ' '}{self.unit}"


@dataclass(frozen=True)
class Order:
    """Things in their order.

    Parameters
    ----------
    items : sequence of str
        The things, at most five, in an order that gives nothing away.
    ranks : sequence of float
        For each, what decides: the smallest is the first; things with equal ranks may change
        places.

    Examples
    --------
    >>> order = Order(["a", "b", "c"], [2, 1, 2])
    >>> order.right[0], accepts(order, [1, 2, 0]), order.text([1, 0, 2])
    ([1, 0, 2], True, 'b, a, c')
    """

    kind: ClassVar[str] = "order"

    items: Sequence[str]
    ranks: Sequence[float]

    def __post_init__(self) -> None:
        if not 2 <= len(self.items) <= MAX_OPTIONS:
            raise ValueError(f"2 to {MAX_OPTIONS} things have an order, not {len(self.items)}.")

    @property
    def right(self) -> Sequence[list[int]]:
        """One order that is right."""
        return (sorted(range(len(self.items)), key=lambda i: self.ranks[i]),)

    def read(self, given: Any) -> list[int]:
        """Return the order that somebody gives."""
        order = _whole_numbers(given)
        if sorted(order) != list(range(len(self.items))):
            raise ValueError("An order names each thing once.")
        return order

    def same(self, given: Any, other: Any) -> bool:
        """Return whether two orders differ at most where the ranks are equal."""
        return [self.ranks[i] for i in given] == [self.ranks[i] for i in other]

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "items": list(self.items),
            "ranks": [float(rank) for rank in self.ranks],
            "right": list(self.right),
        }

    def text(self, given: Any) -> str:
        """Return an order in words."""
        return ", ".join(self.items[i] for i in given)


def _whole_numbers(given: Any) -> list[int]:
    is_list = isinstance(given, list | tuple) and len(given) <= MAX_GIVEN
    if not is_list or not all(isinstance(each, int) for each in given):
        raise ValueError("It must be a list of whole numbers.")
    return list(given)


def _finite(given: Any) -> float:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not math.isfinite(given):
        raise ValueError("It must be a number.")
    return float(given)
