"""The values of a column row by row, then sorted, with quantiles, fences, mean and deviations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import AnyMark, line_through, segments_between, visible_if
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.pictures.words import percent
from dmlib.preprocessing import ColumnSummaryStep
from dmlib.preprocessing.data_overview.statistic_names import number_of
from dmlib.problem import Problem

MAX_CLASSES = 8  # classes that have colours
MAX_LARGE = 100  # rows up to which values are drawn large
SMALL, LARGE = 3.0, 4.0  # radius of a value in pixels
LARGER = 1.8  # an outlier against a value
MAX_DEVIATIONS = 120  # lines from values to the mean
LEVELS = (
    ("tenth", 0.10, "percentiles"),
    ("low", 0.25, "quartiles"),
    ("median", 0.50, "median"),
    ("high", 0.75, "quartiles"),
    ("ninth", 0.90, "percentiles"),
)
"""Quantiles by name, with their share and their phase."""


class ColumnValues:
    """The values of a column, and the phases that a step has reached.

    Parameters
    ----------
    problem : Problem
        The table.
    steps : sequence of ColumnSummaryStep
        The steps of the run.

    Attributes
    ----------
    statistics : dict of str to float
        The statistics of the last step.
    sorted : ndarray
        The known values in their order.
    """

    def __init__(self, problem: Problem, steps: Sequence[ColumnSummaryStep]) -> None:
        last = steps[-1]
        self.problem, self.scale = problem, last.scale
        self.values, self.statistics = last.values, last.statistics
        self.is_known = np.isfinite(self.values)
        self.sorted = np.sort(self.values[self.is_known])
        self.n, self.n_rows = len(self.sorted), len(self.values)
        self.categories, self.name = last.categories, problem.features[last.column]
        self.low, self.high = bounds(self.sorted)
        if self.categories:
            self.low, self.high = -0.5, len(self.categories) - 0.5
        self.hole = self.low - 0.05 * (self.high - self.low)  # where missing values are drawn
        self.has_colors = problem.y is not None and len(problem.classes) <= MAX_CLASSES
        self._phases = [step.phase for step in steps]

    def has_reached(self, moment: Moment, phase: str) -> bool:
        """Return whether a phase is that of a moment or of one before it."""
        return phase in self._phases[: moment.index + 1]

    def since(self, moment: Moment, phase: str, mark: AnyMark) -> AnyMark:
        """Return a mark that is nowhere until a phase."""
        return visible_if(self.has_reached(moment, phase), mark)

    def axis(self, label: str) -> Axis:
        """Return the axis of the values."""
        low = self.low if self.is_known.all() else self.hole - 0.05 * (self.high - self.low)
        return Axis(label, low, self.high, ticks=self.categories)


def about(statistic: str) -> dict[str, Any]:
    """Return the attributes of a mark that answers to the row of a statistic."""
    return {"of": "statistic", "numbers": [number_of(statistic)]}


def values_plot(values: ColumnValues) -> Plot:
    """Return the values, at first in the order of the rows."""
    is_scaled = values.problem.unit is not None and not values.categories
    n = values.n_rows
    x = values.axis(f"{values.name}, scaled" if is_scaled else values.name)
    y = Axis("place in the table, then rank", -0.04 * n, n * 1.1 + 1)
    band, deviations = list(_deviation_band(values)), list(_deviations(values))
    guides, texts = list(_guides(values)), list(_texts(values))
    points = _Rows(values)

    def marks(moment: Moment) -> list[Mark]:
        is_over = any(values.has_reached(moment, name) for name in ("coefficient", "covariance"))
        has_deviations = values.has_reached(moment, "mean") and not is_over
        return [
            *(values.since(moment, phase, mark) for phase, mark in band),
            *(visible_if(has_deviations, mark) for mark in deviations),
            *(values.since(moment, phase, mark) for phase, mark in guides),
            points.at(moment),
            *(values.since(moment, phase, mark) for phase, mark in texts),
        ]

    return Plot(Panel("data", x, y), marks)


class _Rows:
    """The rows as points: in their order or by their ranks, outliers larger."""

    def __init__(self, values: ColumnValues) -> None:
        self.values = values
        n = values.n_rows
        self._x = np.where(values.is_known, values.values, values.hole)
        self._recorded = np.arange(1.0, n + 1)
        is_nominal = values.scale == "nominal"
        self._sorting = "count" if is_nominal else "sort"
        self._ranks = _stacked(values) if is_nominal else _ranks(values)
        radius = LARGE if n <= MAX_LARGE else SMALL
        self._sizes = np.full(n, radius)
        self._sizes_of_outliers = np.where(_is_outlier(values), LARGER * radius, radius)

    def at(self, moment: Moment) -> Points:
        """Return the rows at a moment."""
        values, problem = self.values, self.values.problem
        is_sorted = values.has_reached(moment, self._sorting)
        has_outliers = values.has_reached(moment, "outliers")
        return Points(
            x=self._x,
            y=self._ranks if is_sorted else self._recorded,
            color=problem.y if values.has_colors else np.array([NO_CLASS], np.uint8),
            classes=problem.classes if values.has_colors else (),
            size=self._sizes_of_outliers if has_outliers else self._sizes,
            hollow=(~values.is_known).astype(np.uint8),
            labels=problem.labels,
            numbers=problem.rows + 1,
            data=True,
        )


def _is_outlier(values: ColumnValues) -> NDArray[np.bool_]:
    low = values.statistics.get("low_fence", -np.inf)
    high = values.statistics.get("high_fence", np.inf)
    return values.is_known & ((values.values < low) | (values.values > high))


def _ranks(values: ColumnValues) -> Floats:
    """Return the place of each row in the order of the values, missing ones last."""
    order = np.argsort(np.where(values.is_known, values.values, np.inf), kind="stable")
    ranks = np.empty(values.n_rows)
    ranks[order] = np.arange(1.0, values.n_rows + 1)
    return ranks


def _stacked(values: ColumnValues) -> Floats:
    """Return the place of each row among those with the same value."""
    places = np.empty(values.n_rows)
    codes = np.where(values.is_known, values.values, np.inf)
    for value in np.unique(codes):
        same = np.flatnonzero(codes == value)
        places[same] = np.arange(1, len(same) + 1)
    return places


def _guides(values: ColumnValues) -> Iterator[tuple[str, Line]]:
    """Yield the lines of quantiles, fences and mean, with their phases.

    That of a quantile goes from its place in the order to its value, and down to the axis.
    """
    statistics, low = values.statistics, values.axis("").low
    for name, share, phase in LEVELS:
        if name in statistics:
            x, y = statistics[name], 1 + (values.n - 1) * share
            style: dict[str, Any] = {"color": "muted", "dash": True}
            if name == "median":
                style = {"color": "accent"}
            corners = [(low, y), (x, y), (x, 0.0)]
            yield phase, line_through(corners, width=1.5, **style, **about(name))
    for name in ("low_fence", "high_fence"):
        if name in statistics and low < statistics[name] < values.high:
            ends = [(statistics[name], 0.0), (statistics[name], values.n)]
            yield "outliers", line_through(ends, color="muted", width=1.0, **about("n_outliers"))
    if "mean" in statistics:
        ends = [(statistics["mean"], 0.0), (statistics["mean"], values.n_rows * 1.03)]
        yield "mean", line_through(ends, **about("mean"))


def _deviations(values: ColumnValues) -> Iterator[Segments]:
    """Yield lines from the values to their mean."""
    if "mean" not in values.statistics:
        return
    n = min(values.n, MAX_DEVIATIONS)
    places = np.unique(np.linspace(0, values.n - 1, n).round().astype(int))
    ends = np.column_stack([values.sorted[places], places + 1.0])
    starts = np.column_stack([np.full(len(places), values.statistics["mean"]), places + 1.0])
    yield segments_between(starts, ends, width=0.8)


def _deviation_band(values: ColumnValues) -> Iterator[tuple[str, Rects]]:
    """Yield the band of one standard deviation around the mean."""
    if not values.statistics.get("deviation"):
        return
    mean, deviation = values.statistics["mean"], values.statistics["deviation"]
    band = Rects(
        x0=[max(values.low, mean - deviation)],
        y0=[0.0],
        x1=[min(values.high, mean + deviation)],
        y1=[values.n_rows + 0.5],
        color=[NO_CLASS],
        opacity=[0.12],
        **about("deviation"),
    )
    yield "variance", band


def _texts(values: ColumnValues) -> Iterator[tuple[str, Texts]]:
    """Yield the names of the quantiles and of the mean."""
    statistics, low = values.statistics, values.axis("").low
    for name, share, phase in LEVELS:
        if name in statistics:
            label, y = f" {percent(share)}", 1 + (values.n - 1) * share
            if name == "median":
                label = " median"
            yield phase, Texts(x=[low], y=[y], text=[label], anchor="start", dy=-9.0, halo=True)
    if "mean" in statistics:
        x, y = statistics["mean"], values.n_rows * 1.03
        yield "mean", Texts(x=[x], y=[y], text=["mean"], dy=-6.0)
