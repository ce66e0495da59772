"""Projections as strips: the rows on the axis of the frame and on the first principal component, with densities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import norm

from dmlib.arrays import Floats
from dmlib.decomposition.lda_projection.fisher import FLAT, Scatter
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel

WIDTH = 3.6  # standard deviations of all rows on each side
MOST_ROWS = 240  # that are drawn
MOST_CURVES = 6  # classes up to which there are curves
PLACES = np.linspace(-WIDTH, WIDTH, 61)
FEET = (0.0, 1.0)  # where the strips of the axis and of the component begin
LOW, HIGH = 0.08, 0.2  # between these, in its strip, the rows of each class have their height
CURVE, TOP = 0.26, 0.84  # where the curves start, and where the highest one ends
NAMES = ("projected onto w", "onto PC1, the first principal component")


def strip_panel() -> Panel:
    """Return the panel of the two strips; along both, all rows have the variance 1."""
    blank = ("",)
    return Panel("strips", Axis("place, in standard deviations", -WIDTH, WIDTH), Axis("", 0.0, 2.0, ticks=blank),
                 "Projections")  # fmt: skip


def strip_marks(run: Run, scatter: Scatter, component: Floats, axes: Sequence[Floats | None]) -> list[Mark]:
    """Return rows and curves in the strip of the axis, frame by frame, and in that of the component."""
    names = Texts(panel="strips", x=[-WIDTH] * 2, y=[foot + 0.9 for foot in FEET], text=NAMES, anchor="start")
    moving = [component if axis is None else axis for axis in axes]
    moving = _aligned(scatter, moving)
    return [*_strip(run, scatter, FEET[1], [component]), *_strip(run, scatter, FEET[0], moving), names]


def _aligned(scatter: Scatter, axes: Sequence[Floats]) -> list[Floats]:
    """Return the axes, turned around where the rows would else change sides from one frame to the next."""
    whole = scatter.within + scatter.between
    turned: list[Floats] = []
    for axis in axes:
        against = bool(turned) and float(turned[-1] @ whole @ axis) < 0
        turned.append(-axis if against else axis)
    return turned


def _strip(run: Run, scatter: Scatter, foot: float, axes: Sequence[Floats]) -> list[Mark]:
    problem = run.problem
    some = np.arange(0, len(problem.X), -(-len(problem.X) // MOST_ROWS))
    codes = np.asarray(problem.y)[some]
    n = max(len(problem.classes), 2)
    heights = foot + LOW + (HIGH - LOW) * codes / (n - 1)
    sizes = [_deviation(scatter, axis) for axis in axes]
    places = [
        ((problem.X[some] - scatter.mean) @ axis / size).clip(-WIDTH, WIDTH)
        for axis, size in zip(axes, sizes, strict=True)
    ]
    rows = Points(panel="strips", x=PerFrame(places) if len(axes) > 1 else places[0], y=heights, color=codes,
                  size=[2.5], opacity=[0.7], tween=True, of="")  # fmt: skip
    return [*(_curves(run, scatter, foot, axes, sizes) if len(problem.classes) <= MOST_CURVES else []), rows]


def _deviation(scatter: Scatter, axis: Floats) -> float:
    """Return the standard deviation of all rows along an axis; 1 where they do not vary."""
    variance = sum(scatter.along(axis))
    return float(np.sqrt(variance)) if variance > 0 else 1.0


def _curves(run: Run, scatter: Scatter, foot: float, axes: Sequence[Floats], sizes: Sequence[float]) -> list[Mark]:
    """Return for each class the normal density along the axis, times its share of the rows."""
    part = run.problem.training
    shapes = []
    for axis, size in zip(axes, sizes, strict=True):
        along = (part.X - scatter.mean) @ axis / size
        groups = [along[np.asarray(part.y) == code] for code in np.unique(part.y)]
        spreads = [max(float(group.std()), np.sqrt(FLAT), 2 * WIDTH / len(PLACES)) for group in groups]
        shapes.append(
            [norm.pdf(PLACES, g.mean(), sd) * len(g) / len(along) for g, sd in zip(groups, spreads, strict=True)]
        )
    curves = np.array(shapes)
    scale = (TOP - CURVE) / np.maximum(curves.max(axis=(1, 2), keepdims=True), 1e-300)
    heights = foot + CURVE + curves * scale
    return [
        Line(panel="strips", x=PLACES, y=PerFrame(list(heights[:, k])) if len(axes) > 1 else heights[0, k],
             color=int(code), tween=True)
        for k, code in enumerate(np.unique(part.y))
    ]  # fmt: skip
