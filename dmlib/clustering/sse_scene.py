"""The objective after each half-step, with the curves of the other restarts behind it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import Any

import numpy as np

from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.places import path_until
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Fold

HALF_STEPS = ("assign", "update")


def curve_panel(name: str, x: str, n: int, y: str, top: float, title: str) -> Panel:
    """Return a small panel for a number from 0 to ``top`` at ``n`` steps.

    Examples
    --------
    >>> panel = curve_panel("sse", "half-step", 1, "SSE", 50.0, "SSE after each half-step")
    >>> panel.x.high, panel.y.high
    (2.5, 53.0)
    """
    steps = Axis(x, 0.5, max(n, 2) + 0.5, integer=True)
    return Panel(name, steps, Axis(y, 0.0, 1.06 * top or 1.0), title=title, side=True)


def shown_restart(run: AnyRun) -> tuple[int, list[Any]]:
    """Return the restart that is shown, the chosen one or the best, and its steps."""
    restart = run.trace.steps[-1].restart if run.restart is None else run.restart
    is_shown = [step.restart == restart and step.phase != "best" for step in run.trace.steps]
    return restart, list(compress(run.trace.steps, is_shown))


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
        longest = max(map(len, curves.values()), default=1)
        top = max(chain.from_iterable(curves.values()), default=1.0)
        title = f"{label} after each half-step"
        self.panel = curve_panel("sse", "half-step", longest, label, top, title)
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
