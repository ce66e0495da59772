"""The interface of answers, and what all of them need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

MAX_GIVEN = 1000  # numbers in one answer that somebody gives


class Answer(Protocol):
    """The answer of a question.

    Examples
    --------
    >>> from dmlib.pictures.answers import Option
    >>> answer: Answer = Option(["core point", "noise"], right=[1])
    >>> answer.kind, answer.text(answer.right[0])
    ('option', 'noise')
    """

    kind: ClassVar[str]
    """What is response: "pick", "place", "angle", "option", "number" or "order"."""

    @property
    def right(self) -> Sequence[Any]:
        """All answers that the algorithm could give; the first is the one that it gave."""

    def read(self, response: Any) -> Any:
        """Return an answer that somebody gives.

        Raises
        ------
        ValueError
            If it is no answer of this kind.
        """

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two answers count as the same one."""

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs to take an answer, as plain data."""

    def text(self, response: Any) -> str:
        """Return an answer in words."""


def accepts(answer: Answer, response: Any) -> bool:
    """Return whether an answer that somebody gives is right.

    Examples
    --------
    >>> from dmlib.pictures.answers import Value
    >>> accepts(Value(0.5, 0.01), 0.505)
    True
    """
    return any(answer.same(response, right) for right in answer.right)


def whole_numbers(response: Any) -> list[int]:
    """Return a list of whole numbers that somebody gives."""
    is_list = isinstance(response, list | tuple) and len(response) <= MAX_GIVEN
    if not is_list or not all(isinstance(each, int) for each in response):
        raise ValueError("It must be a list of whole numbers.")
    return list(response)


def finite_number(response: Any) -> float:
    """Return a number that somebody gives."""
    is_number = isinstance(response, int | float) and not isinstance(response, bool)
    if not is_number or not math.isfinite(response):
        raise ValueError("It must be a number.")
    return float(response)
