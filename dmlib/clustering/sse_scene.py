"""The objective after each half-step, with the curves of the other restarts behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.places import path_until
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Fold

HALF_STEPS = ("assign", "update")


def sse_panel(steps: Sequence[Any], label: str = "SSE") -> Panel:
    """Return a small panel for the objective, wide enough for the longest restart.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> panel = sse_panel([SimpleNamespace(phase="assign", inertia=50.0)])
    >>> panel.title, panel.x.high, panel.y.high
    ('SSE after each half-step', 2.5, 53.0)
    """
    curves = _curves(steps).values()
    top = max((value for curve in curves for value in curve), default=1.0)
    longest = max(map(len, curves), default=1)
    return Panel(
        "sse",
        Axis("half-step", 0.5, max(longest, 2) + 0.5, integer=True),
        Axis(label, 0.0, top * 1.06 or 1.0),
        title=f"{label} after each half-step",
        side=True,
    )


class ObjectiveCurve:
    """The objective after each half-step: of one restart up to a moment, of all others in full.

    Parameters
    ----------
    steps : sequence
        The steps of all restarts, with ``phase``, ``inertia`` and perhaps ``restart``.
    restart : int
        The restart that is shown.
    label : str
        The name of the objective.
    """

    def __init__(self, steps: Sequence[Any], restart: int = 0, label: str = "SSE") -> None:
        curves = _curves(steps)
        self.panel = sse_panel(steps, label)
        heights = curves.pop(restart, [])
        self._places = np.column_stack([np.arange(len(heights)) + 1, heights])
        self._background_curves = [
            Line(panel="sse", x=np.arange(len(curve)) + 1, y=curve, color="muted", width=1.0)
            for _, curve in sorted(curves.items())
        ]

    def marks(self, n_half_steps: int) -> list[Mark]:
        """Return the curves after so many half-steps."""
        return [*self._background_curves, *path_until(self._places, n_half_steps, panel="sse")]

    @staticmethod
    def half_steps() -> Fold:
        """Return the number of half-steps, as it accumulates."""
        return Fold.count_of(*HALF_STEPS)


def _curves(steps: Sequence[Any]) -> dict[int, list[float]]:
    """Return the objective after each half-step of each restart."""
    curves: dict[int, list[float]] = {}
    for step in steps:
        curve = curves.setdefault(getattr(step, "restart", 0), [])
        if step.phase in HALF_STEPS:
            curve.append(step.inertia)
    return curves
