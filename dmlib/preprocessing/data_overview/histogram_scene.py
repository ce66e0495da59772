"""The histogram of a column, or the bars of its categories, with median and mean."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.marks import NO_CLASS, Mark, Rects
from dmlib.pictures.places import line_through
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.preprocessing import bin_edges
from dmlib.preprocessing.data_overview.values_scene import ColumnValues, about

COLORS = {"median": "accent", "mean": "ink"}


def histogram_plot(values: ColumnValues, rule: str, k: int) -> Plot:
    """Return bars of bins by a rule, or of categories."""
    if values.categories:
        edges = np.arange(len(values.categories) + 1) - 0.5
        gap, title = 0.1, "Bars"
    else:
        edges = bin_edges(values.sorted, rule, k)
        gap, title = 0.0, f"Histogram, {len(edges) - 1} bins"
    heights = np.histogram(values.sorted, edges)[0].astype(float)
    label = "rows"
    if rule == "equal_frequency" and not values.categories:
        heights, label = heights / np.diff(edges), "rows / width"
    top = heights.max()
    bars = Rects(
        panel="bins",
        x0=edges[:-1] + gap,
        y0=np.zeros(len(heights)),
        x1=edges[1:] - gap,
        y1=heights,
        color=[NO_CLASS],
        opacity=np.where(heights == top, 0.85, 0.5),
    )
    middles = [name for name in COLORS if name in values.statistics]

    def marks(moment: Moment) -> list[Mark]:
        lines = {name: _line(values.statistics[name], top, name) for name in middles}
        return [bars, *(values.since(moment, name, line) for name, line in lines.items())]

    panel = Panel("bins", values.axis(values.name), Axis(label, 0.0, 1.06 * top), title, side=True)
    return Plot(panel, marks)


def _line(x: float, top: float, statistic: str) -> Mark:
    ends = [(x, 0.0), (x, top)]
    return line_through(ends, panel="bins", color=COLORS[statistic], width=1.5, **about(statistic))
