"""Projections as strips: rows and densities on the current axis and on the first component."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from dmlib.arrays import Floats
from dmlib.classification.lda_classifier.algorithm import LinearDiscriminantAnalysis
from dmlib.decomposition.lda_projection.fisher import FLAT, Scatter
from dmlib.pictures.marks import Line, Mark, Points, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

WIDTH = 3.6  # standard deviations of all rows on each side
MAX_ROWS = 240  # that are drawn
MAX_CURVES = 6  # classes up to which there are curves
PLACES = np.linspace(-WIDTH, WIDTH, 61)
FEET = (0.0, 1.0)  # where the strips of the axis and of the component begin
LOW, HIGH = 0.08, 0.2  # between these, in its strip, the rows of each class have their height
CURVE, TOP = 0.26, 0.84  # where the curves start, and where the highest one ends
NAMES = ("projected onto w", "onto PC1, the first principal component")
PANEL = Panel(
    "strips",
    Axis("place, in standard deviations", -WIDTH, WIDTH),
    Axis("", 0.0, 2.0, ticks=("",)),
    "Projections",
)


class Strips:
    """The two strips of a run; along both axes, all rows have the variance 1.

    Parameters
    ----------
    run : Run
        The run.
    scatter : Scatter
        The scatter of its rows.
    """

    def __init__(self, run: Run[Problem, LinearDiscriminantAnalysis], scatter: Scatter) -> None:
        problem = run.problem
        self.problem, self.scatter = problem, scatter
        self.rows = np.arange(0, len(problem.X), -(-len(problem.X) // MAX_ROWS))
        self.has_curves = len(problem.classes) <= MAX_CURVES
        self.component = self._strip(scatter.component[0], FEET[1])
        heights = [foot + 0.9 for foot in FEET]
        x = [-WIDTH] * 2
        self.names = Texts(panel="strips", x=x, y=heights, text=NAMES, anchor="start")

    def marks(self, axis: Floats) -> list[Mark]:
        """Return the strip of the first principal component, and that of an axis."""
        return [*self.component, *self._strip(axis, FEET[0]), self.names]

    def _strip(self, axis: Floats, foot: float) -> list[Mark]:
        variance = sum(self.scatter.along(axis))
        size = float(np.sqrt(variance)) if variance > 0 else 1.0
        curves = self._curves(axis / size, foot) if self.has_curves else []
        return [*curves, self._points(axis / size, foot)]

    def _points(self, axis: Floats, foot: float) -> Points:
        codes = np.asarray(self.problem.y)[self.rows]
        height = (HIGH - LOW) / (max(len(self.problem.classes), 2) - 1)
        places = (self.problem.X[self.rows] - self.scatter.mean) @ axis
        return Points(
            panel="strips",
            x=places.clip(-WIDTH, WIDTH),
            y=foot + LOW + height * codes,
            color=codes,
            size=[2.5],
            opacity=[0.7],
            of="",
        )

    def _curves(self, axis: Floats, foot: float) -> list[Mark]:
        """Return the normal density of each class along an axis, times its share of the rows."""
        part = self.problem.training
        y, places = np.asarray(part.y), (part.X - self.scatter.mean) @ axis
        codes = np.unique(y)
        curves = np.array([_density(places[y == code]) * np.mean(y == code) for code in codes])
        scale = (TOP - CURVE) / max(float(curves.max()), 1e-300)
        heights = foot + CURVE + curves * scale
        pairs = zip(codes, heights, strict=True)
        return [Line(panel="strips", x=PLACES, y=y, color=int(k)) for k, y in pairs]


def _density(values: Floats) -> Floats:
    """Return the normal density of values at the places, no narrower than two of them."""
    deviation = max(float(values.std()), np.sqrt(FLAT), 2 * WIDTH / len(PLACES))
    density: Floats = norm.pdf(PLACES, values.mean(), deviation)
    return density
