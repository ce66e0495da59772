"""The box plots of a column by both conventions: whiskers at 10% and 90%, and Tukey's."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.preprocessing.data_overview.values_scene import ColumnValues, about

PERCENTILES, TUKEY = 0.0, 1.0  # heights of the boxes
BOTTOMS, TOPS = [-0.28, 0.72], [0.28, 1.28]  # of both boxes


def box_plots(values: ColumnValues) -> Plot:
    """Return both box plots of a column with quartiles and fences."""
    statistics = values.statistics
    x, y = values.axis(values.name), Axis("", -0.6, 1.6, ticks=("",))
    low, high = statistics["low_fence"], statistics["high_fence"]
    inside = values.sorted[(values.sorted >= low) & (values.sorted <= high)]
    marks_since = [
        ("quartiles", _boxes(values)),
        ("median", _medians(statistics["median"])),
        *_whiskers(values, PERCENTILES, "percentiles", statistics["tenth"], statistics["ninth"]),
        *_whiskers(values, TUKEY, "outliers", inside[0], inside[-1]),
    ]
    texts = [" 10–90 %", " Tukey"]
    names = Texts(panel="boxes", x=[x.low] * 2, y=[0.35, 1.35], text=texts, anchor="start")

    def marks(moment: Moment) -> list[Mark]:
        return [*(values.since(moment, phase, mark) for phase, mark in marks_since), names]

    return Plot(Panel("boxes", x, y, "Box plots", side=True), marks)


def _boxes(values: ColumnValues) -> Rects:
    low, high = values.statistics["low"], values.statistics["high"]
    return Rects(
        panel="boxes",
        x0=[low] * 2,
        y0=BOTTOMS,
        x1=[high] * 2,
        y1=TOPS,
        color=[NO_CLASS],
        opacity=[0.5],
    )


def _medians(median: float) -> Segments:
    x = [median] * 2
    return Segments(panel="boxes", x0=x, y0=BOTTOMS, x1=x, y1=TOPS, width=3.0, **about("median"))


def _whiskers(
    values: ColumnValues, y: float, phase: str, start: float, end: float
) -> list[tuple[str, Segments | Points]]:
    """Return the whiskers of a box and the values beyond them, with the phase that finds them."""
    low, high = values.statistics["low"], values.statistics["high"]
    lines = segments_between([(start, y), (high, y)], [(low, y), (end, y)], panel="boxes")
    beyond = values.sorted[(values.sorted < start) | (values.sorted > end)]
    places = np.column_stack([beyond, np.full(len(beyond), y)])
    points = points_at(places, panel="boxes", color=[NO_CLASS], size=[2.0], opacity=[0.6])
    return [(phase, lines), (phase, points)]
