"""Answers that are drawn into the picture: places, cuts and directions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dmlib.pictures.answers.answer import finite_number
from dmlib.pictures.ledger import number
from dmlib.pictures.scene import Panel

REACH = 0.04  # share of an axis within which a place is the right one


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
    >>> from dmlib.pictures.answers import accepts
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

    def read(self, response: Any) -> tuple[float, float]:
        """Return the place that somebody gives."""
        if not isinstance(response, list | tuple) or len(response) != 2:
            raise ValueError("A place has two numbers.")
        return finite_number(response[0]), finite_number(response[1])

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two places are near each other."""
        across, up = (
            (float(a) - float(b)) / reach
            for a, b, reach in zip(response, solution, self._reach, strict=True)
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

    def text(self, response: Any) -> str:
        """Return a place in words."""
        x, y = (number(float(f"{value:.3g}")) for value in response)
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
    >>> from dmlib.pictures.answers import accepts
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

    def read(self, response: Any) -> float:
        """Return the direction that somebody gives."""
        return finite_number(response)

    def same(self, response: Any, solution: Any) -> bool:
        """Return whether two lines have nearly the same direction."""
        turn = abs(float(response) - float(solution)) % 180
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

    def text(self, response: Any) -> str:
        """Return a direction in words."""
        return f"{float(response):.0f}°"
