"""Answers that are chosen: marks of the picture, an option, an order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dmlib.pictures.answers.answer import whole_numbers

MAX_OPTIONS = 5


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

    def read(self, response: Any) -> list[int]:
        """Return the numbers that somebody picks."""
        return whole_numbers(response)

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two sets are equal."""
        return set(response) == set(solution)

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

    def text(self, response: Any) -> str:
        """Return the picked marks in words."""
        names = [self.names.get(i, str(i)) for i in sorted(response)]
        if not names:
            return "none"
        noun = "" if self.names else f"{self.of}{'s' * (len(names) != 1)} "
        return noun + ", ".join(names)


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

    def read(self, response: Any) -> int:
        """Return the place of the option that somebody chooses."""
        if not isinstance(response, int) or not 0 <= response < len(self.options):
            raise ValueError("An option has a number.")
        return response

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two options are the same one."""
        return bool(response == solution)

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "options": list(self.options),
            "right": [int(place) for place in self.right],
        }

    def text(self, response: Any) -> str:
        """Return an option in words."""
        return str(self.options[response])


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
    >>> from dmlib.pictures.answers import accepts
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

    def read(self, response: Any) -> list[int]:
        """Return the order that somebody gives."""
        order = whole_numbers(response)
        if sorted(order) != list(range(len(self.items))):
            raise ValueError("An order names each thing once.")
        return order

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two orders differ at most where the ranks are equal."""
        return [self.ranks[i] for i in response] == [self.ranks[i] for i in solution]

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "items": list(self.items),
            "ranks": [float(rank) for rank in self.ranks],
            "right": list(self.right),
        }

    def text(self, response: Any) -> str:
        """Return an order in words."""
        return ", ".join(self.items[i] for i in response)
