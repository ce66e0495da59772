"""A column as a picture: its values row by row, sorted, with quantiles, mean and spread put into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import when
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.preprocessing import ColumnSummaryStep, bin_edges
from dmlib.preprocessing.data_overview.bins import RULES
from dmlib.preprocessing.data_overview.ledger import arithmetic, asked, caption, number_of, told
from dmlib.problem import Problem

MOST_CLASSES = 8  # known classes that are told apart by colour
FEW = 100  # rows up to which values are drawn large
SMALL, LARGE = 3.0, 4.0  # radius of a value in pixels
LARGER = 1.8  # an outlier against a value
MOST_DEVIATIONS = 120  # lines from values to the mean
LEVELS = (
    ("tenth", 0.10, "percentiles"),
    ("low", 0.25, "quartiles"),
    ("median", 0.50, "median"),
    ("high", 0.75, "quartiles"),
    ("ninth", 0.90, "percentiles"),
)
"""Quantiles by name, with their share and the phase that finds them."""

MEASURES = ("pearson", "spearman", "covariance")
OPTIONS = {
    "bins": Option(Choice(RULES), "sturges"),
    "k": Option(Integer(1, 200, shown=(2, 40)), 10),
    "measure": Option(Choice(MEASURES), "pearson"),
}
"""The rule of the histograms, their number of bins where the rule does not say it, and the measure of correlation."""


def data_overview_scene(run: Run) -> Scene:
    """Draw how the middle and the spread of a column are found.

    There is one frame for each statistic of the steps of :class:`dmlib.preprocessing.ColumnSummary`; see
    :data:`OPTIONS`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.preprocessing import ColumnSummary
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [2.0, 4.0, 4.0, 5.0, 15.0]}), ["a"])
    >>> scene = data_overview_scene(Run.of(problem, ColumnSummary()))
    >>> scene.frames[3].phase, scene.frames[3].caption
    ('median', 'Half of the values are at most 4: the median.')
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    steps: Sequence[ColumnSummaryStep] = trace.steps
    picture, options = _Picture(problem, steps), chosen(run, OPTIONS)
    frames = [
        Frame(caption(problem, step), [*asked(problem, step, run.selected), *arithmetic(problem, step)], step.phase)
        for step in steps
    ]
    panels, marks = [picture.panel()], picture.marks()
    for panel, more in (picture.histogram(options["bins"], options["k"]), picture.boxes()):
        panels += [panel] if more else []
        marks += more
    return Scene(panels, marks, frames, (*problem.notes, told(steps[-1])), legend=picture.legend())


class _Picture:
    """The marks of one column."""

    def __init__(self, problem: Problem, steps: Sequence[ColumnSummaryStep]) -> None:
        self.problem, self.steps, self.last = problem, steps, steps[-1]
        self.values = self.last.values
        self.known = np.isfinite(self.values)
        self.sorted = np.sort(self.values[self.known])
        self.n, self.rows = len(self.sorted), len(self.values)
        self.names = self.last.categories
        self.name = problem.features[self.last.column]
        self.low, self.high = (-0.5, len(self.names) - 0.5) if self.names else bounds(self.sorted)
        self.hole = self.low - 0.05 * (self.high - self.low)
        self.top = self.rows * 1.1 + 1
        self.reached = [{step.phase for step in steps[: i + 1]} for i in range(len(steps))]

    def since(self, phase: str, values: Any) -> PerFrame:
        """Return a channel that is empty until a phase."""
        return when((phase in reached for reached in self.reached), np.asarray(values, float))

    def axis(self, label: str) -> Axis:
        """Return the axis of the values."""
        left = self.low if self.known.all() else self.hole - 0.05 * (self.high - self.low)
        return Axis(label, left, self.high, ticks=self.names)

    def panel(self) -> Panel:
        """Return the panel of the rows."""
        label = self.name if self.problem.unit is None or self.names else f"{self.name}, scaled"
        return Panel("data", self.axis(label), Axis("place: as recorded, then sorted", -0.04 * self.rows, self.top))

    def legend(self) -> tuple[Key, ...]:
        """Name the classes, where colours tell them."""
        keys = tuple(Key(name, code) for code, name in enumerate(self.problem.classes)) if self._coloured() else ()
        return keys if self.known.all() else (*keys, Key("missing", hollow=True))

    def _coloured(self) -> bool:
        return self.problem.y is not None and len(self.problem.classes) <= MOST_CLASSES

    def marks(self) -> list[Mark]:
        """Return what is drawn among the rows."""
        return [*self._spread(), *self._deviations(), *self._guides(), self._points(), *self._texts()]

    def _points(self) -> Points:
        problem = self.problem
        x = np.where(self.known, self.values, self.hole)
        recorded = np.arange(1.0, self.rows + 1)
        order = np.argsort(np.where(self.known, self.values, np.inf), kind="stable")
        rank = np.empty(self.rows)
        rank[order] = recorded
        if self.last.scale == "nominal":
            rank = self._stacked()
        sorting = "count" if self.last.scale == "nominal" else "sort"
        radius = LARGE if self.rows <= FEW else SMALL
        size = np.full(self.rows, radius)
        fences = self.last.found.get("low_fence"), self.last.found.get("high_fence")
        large = size.copy()
        if fences[0] is not None and fences[1] is not None:
            large[self.known & ((self.values < fences[0]) | (self.values > fences[1]))] = LARGER * radius
        coloured = self._coloured()
        return Points(
            x=x,
            y=PerFrame([rank if sorting in reached else recorded for reached in self.reached]),
            color=problem.y if coloured else np.array([NO_CLASS], np.uint8),
            classes=problem.classes if coloured else (),
            size=PerFrame([large if "outliers" in reached else size for reached in self.reached]),
            hollow=(~self.known).astype(np.uint8),
            labels=problem.labels,
            numbers=problem.rows + 1,
            data=True,
            tween=True,
        )

    def _stacked(self) -> Floats:
        """Return the place of each row among those with the same value."""
        place = np.empty(self.rows)
        codes = np.where(self.known, self.values, np.inf)
        for value in np.unique(codes):
            same = np.flatnonzero(codes == value)
            place[same] = np.arange(1, len(same) + 1)
        return place

    def _guides(self) -> list[Mark]:
        """Return a line from each place in the order to its value and down, and lines at fences and mean."""
        found, left = self.last.found, self.axis("").low
        lines: list[Mark] = []
        for name, share, phase in LEVELS:
            if name in found:
                place = 1 + (self.n - 1) * share
                at = found[name]
                x, y = self.since(phase, [left, at, at]), self.since(phase, [place, place, 0.0])
                color = "accent" if name == "median" else "muted"
                lines.append(Line(x=x, y=y, color=color, dash=name != "median", width=1.5, **_about(name)))
        for name in ("low_fence", "high_fence"):
            if name in found and left < found[name] < self.high:
                x, y = self.since("outliers", [found[name]] * 2), self.since("outliers", [0.0, self.n])
                lines.append(Line(x=x, y=y, color="muted", width=1.0, **_about("n_outliers")))
        if "mean" in found:
            x, y = self.since("mean", [found["mean"]] * 2), self.since("mean", [0.0, self.rows * 1.03])
            lines.append(Line(x=x, y=y, color="ink", **_about("mean")))
        return lines

    def _deviations(self) -> list[Mark]:
        if "mean" not in self.last.found:
            return []
        some = np.unique(np.linspace(0, self.n - 1, min(self.n, MOST_DEVIATIONS)).round().astype(int))
        x, y = self.sorted[some], some + 1.0
        here = ["mean" in reached and reached.isdisjoint({"coefficient", "covariance"}) for reached in self.reached]
        start, end, height = (when(here, side) for side in (np.full(len(some), self.last.found["mean"]), x, y))
        return [Segments(x0=start, y0=height, x1=end, y1=height, width=0.8)]

    def _spread(self) -> list[Mark]:
        """Return the band of one standard deviation around the mean."""
        found = self.last.found
        if not found.get("deviation"):
            return []
        ends = [max(self.low, found["mean"] - found["deviation"]), min(self.high, found["mean"] + found["deviation"])]
        x0, x1 = (self.since("variance", [end]) for end in ends)
        y0, y1 = self.since("variance", [0.0]), self.since("variance", [self.rows + 0.5])
        return [Rects(x0=x0, y0=y0, x1=x1, y1=y1, color=[NO_CLASS], opacity=[0.12], **_about("deviation"))]

    def _texts(self) -> list[Mark]:
        found, left = self.last.found, self.axis("").low
        texts: list[Mark] = []
        for name, share, phase in LEVELS:
            if name in found:
                place = self.since(phase, [1 + (self.n - 1) * share])
                label = "median" if name == "median" else f"{share:.0%}"
                texts.append(Texts(x=self.since(phase, [left]), y=place, text=[f" {label}"], anchor="start", dy=-5.0))
        if "mean" in found:
            x, y = self.since("mean", [found["mean"]]), self.since("mean", [self.rows * 1.03])
            texts.append(Texts(x=x, y=y, text=["mean"], dy=-6.0))
        return texts

    def histogram(self, rule: str, k: int) -> tuple[Panel, list[Mark]]:
        """Return the panel beside the ledger with bars: of bins, or of categories."""
        if self.names:
            edges = np.arange(len(self.names) + 1) - 0.5
            left, right, title = edges[:-1] + 0.1, edges[1:] - 0.1, "Bars"
        else:
            edges = bin_edges(self.sorted, rule, k)
            left, right, title = edges[:-1], edges[1:], f"Histogram, {len(edges) - 1} bins"
        counts = np.histogram(self.sorted, edges)[0].astype(float)
        density = rule == "equal_frequency" and not self.names
        heights = counts / (edges[1:] - edges[:-1]) if density else counts
        label = "rows / width" if density else "rows"
        panel = Panel("bins", self.axis(self.name), Axis(label, 0.0, 1.06 * heights.max()), title, side=True)
        strength = np.where(heights == heights.max(), 0.85, 0.5)
        marks: list[Mark] = [
            Rects(
                panel="bins", x0=left, y0=np.zeros(len(left)), x1=right, y1=heights, color=[NO_CLASS], opacity=strength
            )
        ]
        for name, color in (("median", "accent"), ("mean", "ink")):
            if name in self.last.found:
                x = self.since(name, [self.last.found[name]] * 2)
                y = self.since(name, [0.0, heights.max()])
                marks.append(Line(panel="bins", x=x, y=y, color=color, width=1.5, **_about(name)))
        return panel, marks

    def boxes(self) -> tuple[Panel, list[Mark]]:
        """Return the panel with the box plots of both conventions: whiskers at 10% and 90%, and Tukey's."""
        panel = Panel("boxes", self.axis(self.name), Axis("", -0.6, 1.6, ticks=("",)), "Box plots", side=True)
        found = self.last.found
        if "low_fence" not in found:
            return panel, []
        inside = self.sorted[(self.sorted >= found["low_fence"]) & (self.sorted <= found["high_fence"])]
        rows = ((0.0, "percentiles", found["tenth"], found["ninth"]), (1.0, "outliers", inside[0], inside[-1]))
        low, high = found["low"], found["high"]
        marks: list[Mark] = [
            Rects(
                panel="boxes",
                x0=self.since("quartiles", [low, low]),
                y0=self.since("quartiles", [-0.28, 0.72]),
                x1=self.since("quartiles", [high, high]),
                y1=self.since("quartiles", [0.28, 1.28]),
                color=[NO_CLASS],
                opacity=[0.5],
            ),
            Segments(
                panel="boxes",
                x0=self.since("median", [found["median"]] * 2),
                y0=self.since("median", [-0.28, 0.72]),
                x1=self.since("median", [found["median"]] * 2),
                y1=self.since("median", [0.28, 1.28]),
                width=3.0,
                **_about("median"),
            ),
        ]
        for y, phase, start, end in rows:
            beyond = self.sorted[(self.sorted < start) | (self.sorted > end)]
            x0, x1 = self.since(phase, [start, high]), self.since(phase, [low, end])
            place = self.since(phase, [y, y])
            marks += [
                Segments(panel="boxes", x0=x0, y0=place, x1=x1, y1=place),
                Points(
                    panel="boxes",
                    x=self.since(phase, beyond),
                    y=self.since(phase, np.full(len(beyond), y)),
                    color=[NO_CLASS],
                    size=[2.0],
                    opacity=[0.6],
                ),
            ]
        names = Texts(
            panel="boxes", x=[self.axis("").low] * 2, y=[0.35, 1.35], text=[" 10–90%", " Tukey"], anchor="start"
        )
        return panel, [*marks, names]


def _about(statistic: str) -> dict[str, Any]:
    """Return what makes a mark answer to the row of a statistic."""
    return {"of": "statistic", "numbers": [number_of(statistic)]}
