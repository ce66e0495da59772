"""Answers that are typed: numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.pictures.answers.answer import finite_number
from dmlib.pictures.ledger import number


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
    >>> from dmlib.pictures.answers import accepts
    >>> Value(0.333, 0.005).text(0.333), accepts(Value(3, 0), 3.0)
    ('0.333', True)
    >>> Value(4.0).text(4.0)
    '4'
    """

    kind: ClassVar[str] = "number"

    value: float
    tolerance: float = 0.0
    unit: str = ""

    @property
    def right(self) -> Sequence[float]:
        """The number."""
        return (float(self.value),)

    def read(self, response: Any) -> float:
        """Return the number that somebody gives."""
        return finite_number(response)

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two numbers differ by no more than the tolerance."""
        rounding = 1e-9 * max(1.0, abs(float(solution)))
        return abs(float(response) - float(solution)) <= self.tolerance + rounding

    def packed(self) -> dict[str, Any]:
        """Return what the stage needs."""
        return {
            "kind": self.kind,
            "right": list(self.right),
            "tolerance": float(self.tolerance),
            "unit": self.unit,
        }

    def text(self, response: Any) -> str:
        """Return a number in words."""
        rounded = float(f"{response:.4g}")
        text = number(int(rounded) if rounded.is_integer() else rounded)
        return f"{text}{self.unit and ' '}{self.unit}"
