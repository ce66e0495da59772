"""The decision values of a machine over the plane: image, boundary, margins, and the slacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.svm.machine import Machine
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.contours import contours
from dmlib.pictures.marks import Line, Mark, Segments, Texts
from dmlib.pictures.places import line_through, segments_between
from dmlib.pictures.regions import shade_of
from dmlib.pictures.scene import Panel

COARSE = 20  # pixels along each side of the image of the decision values of a step
GRID = 2 * COARSE + 1  # places along each side: every second is the middle of a pixel
FINE = 91  # places along each side in the last frame
MAX_VALUES = 1_000_000  # kernel values computed for them
EXACT = 1e-11  # relative rounding error of a sum
MAX_SLACKS = 150
N_NEWTON = 8  # steps of Newton's method to the edge of the margin
NUDGE = 1e-4  # share of the panel by which a place is moved to find the slope
ARROW = np.array([0.15, 0.5])  # shares of the panel: across the boundary near there
GAP = 0.01  # share of the panel between the arrow and its length
CLOSE = 0.02  # distance from the edge, in margins, at which it is reached


class DecisionPlane:
    """Decision values over the plane.

    Parameters
    ----------
    machine : Machine
        The kernel and the rows.
    steps : sequence of SVCStep
        All steps of the run.
    panel : Panel
        The panel of the plane.
    """

    def __init__(self, machine: Machine, steps: Sequence[SVCStep], panel: Panel) -> None:
        self.machine = machine
        self.panel = panel
        self._steps = steps
        self._largest = float(np.abs(machine.kernel.diagonal(machine.X)).max())

    @cached_property
    def _used(self) -> NDArray[np.intp]:
        """The rows that are a support vector at any step."""
        is_used = np.zeros(len(self.machine.samples), bool)
        for step in self._steps:
            is_used |= step.alpha > 0
        return np.flatnonzero(is_used)

    @cached_property
    def _kernel(self) -> Floats:
        """The kernel of the places of the grid with these rows."""
        places = self.machine.problem.plane.lift_grid(*_grid(self.panel, GRID))
        values: Floats = self.machine.kernel(places, self.machine.X[self._used])
        return values

    def values(self, step: SVCStep) -> Floats:
        """Return the decision value at each place of the grid, shape (GRID, GRID)."""
        weights = (step.sign * step.alpha)[self._used]
        values: Floats = (self._kernel @ weights + step.b).reshape(GRID, GRID)
        return values

    def fine_values(self, step: SVCStep) -> Floats:
        """Return the decision values on a finer grid, coarser for many support vectors."""
        n_support = max(int(np.count_nonzero(step.alpha)), 1)
        size = int(np.clip((MAX_VALUES / n_support) ** 0.5, GRID, FINE))
        places = self.machine.problem.plane.lift_grid(*_grid(self.panel, size))
        return self.machine.decision(places, step).reshape(size, size)

    def image(self, step: SVCStep) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the class of each pixel, and its shade; empty where all values are 0."""
        middles = self.values(step)[-2::-2, 1::2]  # from the top
        if not middles.any():
            return np.empty(0, np.uint8), np.empty(0, np.uint8)
        margin = step.margin if step.margin > 0 else np.inf
        shade = shade_of(np.clip(np.abs(middles) / margin, 0.0, 1.0))
        return (middles >= 0).astype(np.uint8), shade

    def lines(self, step: SVCStep, is_last: bool) -> list[Line]:
        """Return the edges of the margin and the boundary."""
        values = self.fine_values(step) if is_last else self.values(step)
        margin = step.margin if step.margin > 0 else np.nan
        rounding = self._rounding(step)
        negative, positive, boundary = (
            _level_line(values, level, rounding, self.panel) for level in (-margin, margin, 0.0)
        )
        return [
            line_through(negative, color=0, width=1.5, dash=True),
            line_through(positive, color=1, width=1.5, dash=True),
            line_through(boundary, width=2.5),
        ]

    def _rounding(self, step: SVCStep) -> float:
        """Return the rounding error of the decision values: they are sums that can cancel."""
        return EXACT * (float(step.alpha.sum()) * self._largest + abs(step.b))


def _grid(panel: Panel, size: int) -> tuple[Floats, Floats]:
    x = np.linspace(panel.x.low, panel.x.high, size)
    y = np.linspace(panel.y.low, panel.y.high, size)
    return x, y


def _level_line(values: Floats, level: float, rounding: float, panel: Panel) -> Floats:
    """Return the contour of a level; a plateau at the level has none."""
    above = values - level
    above[np.abs(above) < rounding] = 0.0
    return contours(above, *_grid(panel, len(values)), 0.0 * level)


def slacks(machine: Machine, last: SVCStep, panel: Panel) -> list[Segments]:
    """Return segments from the rows inside the margin to its edge, where there is one."""
    if last.phase != "done" or not machine.problem.plane.exact or last.margin <= 0:
        return []
    inside = np.flatnonzero(last.alpha >= last.bound)[:MAX_SLACKS]
    starts = machine.places[inside]
    sign = last.sign[inside]
    ends = _to_edge(machine, last, starts, sign, panel)
    has_end = np.isfinite(ends).all(axis=1)
    colors = (sign[has_end] > 0).astype(np.uint8)
    return [segments_between(starts[has_end], ends[has_end], color=colors, width=1.2)]


def margin_arrow(machine: Machine, last: SVCStep, panel: Panel) -> tuple[Mark, ...]:
    """Return an arrow across the margin of a straight boundary, and its length; else nothing."""
    is_straight = machine.kernel.name == "linear" and machine.problem.plane.exact
    if last.phase != "done" or not is_straight or last.margin <= 0:
        return ()
    start = np.array([[panel.x.low, panel.y.low]]) + ARROW * panel.size
    values, slopes = _values_and_slopes(machine, last, start, panel.size * NUDGE)
    steepness = float((slopes**2).sum())
    if steepness == 0:
        return ()
    middle = start - values * slopes / steepness
    ends = middle + np.array([[-1.0], [1.0]]) * last.margin * slopes / steepness
    x, y = ends[[ends[:, 1].argmax()]].T  # above the lines, which would strike it through
    text = [f"margin {2 * last.margin / steepness**0.5:.4g}"]
    return (
        segments_between(middle, ends, arrow=True, width=2.0, of=""),
        Texts(x=x + GAP * panel.size[0], y=y, text=text, anchor="start", dy=-9.0, halo=True, of=""),
    )


def _to_edge(machine: Machine, last: SVCStep, starts: Floats, sign: Floats, panel: Panel) -> Floats:
    """Return where the steepest path from each place meets its margin's edge, or NaN."""
    width = panel.size
    targets = sign * last.margin
    places = starts.copy()
    with np.errstate(all="ignore"):
        for _ in range(N_NEWTON):
            values, slopes = _values_and_slopes(machine, last, places, width * NUDGE)
            steepness = (slopes**2).sum(axis=1)
            step = (targets - values)[:, None] * slopes / steepness[:, None]
            places = places + np.clip(step, -width / 8, width / 8)
        values = machine.decision(machine.problem.plane.lift(places), last)
        distance = np.abs(values - targets)
    is_close = (distance < CLOSE * last.margin) & (np.abs(places - starts) < width / 2).all(axis=1)
    return np.where(is_close[:, None], places, np.nan)


def _values_and_slopes(
    machine: Machine, step: SVCStep, places: Floats, nudge: Floats
) -> tuple[Floats, Floats]:
    """Return the decision values of places, and their slopes by differences."""
    nudges = np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]) * nudge
    nudged = machine.problem.plane.lift(np.vstack([places + shift for shift in nudges]))
    values, east, west, north, south = machine.decision(nudged, step).reshape(5, -1)
    return values, np.column_stack([east - west, north - south]) / (2 * nudge)
