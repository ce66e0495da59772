"""Pictures of units that learn row by row: the ring of a row, and the mistakes of each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.perceptron.neuron import MAX_ROW_STEPS
from dmlib.pictures.contours import contours
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.regions import shade_of
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.problem import Problem

COARSE = 24  # pixels along each side of the image of a step
RING = 9.0  # radius in pixels of the ring around the row
RING_OF_MISTAKE = 12.0


def rows_note(steps: Sequence[Any]) -> tuple[str, ...]:
    """Return the note on a run with more rows than steps of their own."""
    n_rows = sum(step.row is not None for step in steps)
    if n_rows != MAX_ROW_STEPS:
        return ()
    return (f"The first {n_rows} rows are a step each; after them, each epoch is one.",)


def pixel_middles(axis: Axis) -> Floats:
    """Return the middles of the pixels of an image of a step along an axis."""
    middles: Floats = axis.low + (axis.high - axis.low) * (np.arange(COARSE) + 0.5) / COARSE
    return middles


def sums_image(scores: Floats) -> tuple[Any, Any]:
    """Return the class and the opacity of each pixel, of sums from the bottom up; 0s have none."""
    if not scores.any():
        return np.empty(0, np.uint8), np.empty(0, np.uint8)
    top_down = scores[::-1].ravel()
    return (top_down > 0).astype(np.uint8), shade_of(np.clip(np.abs(top_down), 0, 1))


def sums_boundary(scores: Floats, panel: Panel) -> Floats:
    """Return the contour where the sum is 0; of sums of 0, none."""
    if not scores.any():
        return NOWHERE
    return contours(scores, pixel_middles(panel.x), pixel_middles(panel.y), 0.0)


def ring(problem: Problem, step: Any) -> Points:
    """Return the ring around the row of a step, in the colour of its class if it is a mistake."""
    is_mistake = step.sign * step.score <= 0
    return points_at(
        NOWHERE if step.row is None else problem.points[problem.trained][step.row],
        color=[int(step.sign > 0) if is_mistake else NO_CLASS],
        size=[RING_OF_MISTAKE if is_mistake else RING],
        symbol=[0],
        opacity=[0.9],
        of="",
    )


def epoch_costs(steps: Sequence[Any]) -> Floats:
    """Return the number and the cost of each epoch, shape (n_epochs, 2)."""
    costs = [(step.epoch, step.cost) for step in steps if step.phase == "epoch"]
    return np.array(costs, float).reshape(-1, 2)


def epoch_panel(costs: Floats, is_adaline: bool) -> Panel:
    """Return the panel of the mistakes, or the mean squared error, of each epoch."""
    last = max(len(costs), 1)
    first = 0.5 if last == 1 else 1 - 0.02 * last
    label, title = "mistakes", "Mistakes of each epoch"
    if is_adaline:
        label, title = "error", "Mean squared error of each epoch"
    return Panel(
        "epochs",
        Axis("epoch", first, 1.02 * last, integer=True),
        Axis(label, *bounds([0.0, *costs[:, 1]], 0.1), integer=not is_adaline),
        title=title,
        side=True,
    )
