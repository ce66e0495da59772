"""The errors of resampling: of each split, their mean, the training error and the estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evaluation.resampling.algorithm import ResamplingStep
from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.places import visible_if
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.pictures.words import num4

AFTER = ("training", "combine", "done")  # the phases that have the training error
MAX_LARGE = 60  # splits up to which their points are large


def errors_plot(
    model: Any, n_splits: int, folds: Sequence[ResamplingStep], last: ResamplingStep
) -> Plot:
    """Return the errors up to a step, and the levels of the last step."""
    k = max(n_splits, 1)
    errors = np.array([fold.error for fold in folds])
    means = np.array([fold.mean for fold in folds])
    number = np.arange(1, len(errors) + 1)
    training = last.error if last.phase in AFTER else np.nan
    levels = _levels(k, training, last)
    size = [4.0 if k <= MAX_LARGE else 2.5]

    def marks(moment: Moment) -> list[Mark]:
        tested = slice(n_tested(moment.step, len(errors)))
        x = number[tested]
        return [
            Points(
                panel="errors",
                color=[0],
                size=size,
                numbers=number,
                of="split",
                x=x,
                y=errors[tested],
            ),
            Line(panel="errors", x=x, y=means[tested], color="muted", width=2.0, of=""),
            *(visible_if(moment.step.phase in phases, mark) for phases, mark in levels),
        ]

    heights = [*errors, 0.0, *(value for value in (training, last.estimate) if np.isfinite(value))]
    return Plot(_panel(model, k, np.array(heights)), marks)


def n_tested(step: ResamplingStep, n_folds: int) -> int:
    """Return the number of splits that are tested up to a step."""
    if step.phase == "split":
        return 0
    return n_folds if step.index < 0 else step.index + (step.phase == "fold")


def _levels(k: int, training: float, last: ResamplingStep) -> list[tuple[tuple[str, ...], Mark]]:
    """Return training error and estimate as lines with their names, each with its phases."""
    named: tuple[tuple[str, float, tuple[str, ...], dict[str, Any]], ...] = (
        ("training", training, AFTER, {"color": "muted", "dash": True}),
        ("estimate", last.estimate, ("done",), {"color": "accent", "width": 3.0}),
    )
    levels: list[tuple[tuple[str, ...], Mark]] = []
    for name, value, phases, style in named:
        if np.isfinite(value):
            label = f"{name} {num4(value)}"
            x, y = [0.5, k + 0.5], [value, value]
            levels.append((phases, Line(panel="errors", x=x, y=y, label=label, **style)))
    return levels


def _panel(model: Any, k: int, heights: Floats) -> Panel:
    low, high = bounds(heights, 0.3)  # a level at the top has its name above it
    low = min(0.0, low) if heights.min() < 0 else -0.03 * high
    label = "mean squared error" if model.NUMBERS else "error rate"
    across = Axis("split", 0.4, k + 0.6, integer=True)
    return Panel("errors", across, Axis(label, low, high), "Errors", side=True)
