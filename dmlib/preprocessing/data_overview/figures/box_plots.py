"""Box plots of every column, by both conventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.preprocessing import summarise
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.problem import Problem

MAX_COLUMNS = 12
MAX_OUTLIERS = 300  # values beyond the whiskers that are drawn, the farthest
ACROSS = 2


@dataclass(frozen=True)
class Box:
    """The numbers of one box plot."""

    # the ends of the whiskers and of the box, and the line in it
    low: float
    q1: float
    median: float
    q3: float
    high: float
    beyond: NDArray[np.float64]  # the values beyond the whiskers


@dataclass(frozen=True)
class BoxPair:
    """The box plots of one column."""

    name: str  # the column
    percentile: Box  # whiskers from the 10th to the 90th percentile
    tukey: Box  # whiskers to the last values within 1.5 interquartile ranges of the box


def box_plots_data(problem: Problem) -> tuple[BoxPair, ...]:
    """Compute the box plots of the first twelve numeric columns.

    Raises
    ------
    ValueError
        If no column holds numbers.

    References
    ----------
    J. W. Tukey (1977), Exploratory data analysis, chapter 2.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> (pair,) = box_plots_data(prepare(pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 100.0]}), ["a"]))
    >>> pair.tukey.high, pair.tukey.beyond.tolist(), pair.percentile.low
    (4.0, [100.0], 1.4)
    """
    pairs = []
    numeric = [j for j in range(len(problem.features)) if j not in problem.categories]
    for j in numeric[:MAX_COLUMNS]:
        x = np.sort(problem.X[:, j][np.isfinite(problem.X[:, j])])
        if x.size:
            pairs.append(_pair(problem.features[j], x))
    if not pairs:
        raise ValueError(
            "A box plot needs numbers, and no column holds any. Choose another data set."
        )
    return tuple(pairs)


def _pair(name: str, x: NDArray[np.float64]) -> BoxPair:
    summary = summarise(x)
    tenth, q1, median, q3, ninth = summary.percentiles
    low, high = summary.fences
    inside = x[(x >= low) & (x <= high)]
    whiskers = ((tenth, ninth), (float(inside[0]), float(inside[-1])))
    boxes = [Box(a, q1, median, q3, b, x[(x < a) | (x > b)]) for a, b in whiskers]
    return BoxPair(name, *boxes)


def box_plots(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw a pair of box plots for every numeric column."""
    n_numeric = len(run.problem.features) - len(run.problem.categories)
    return plot_box_plots(box_plots_data(run.problem), n_numeric)


def plot_box_plots(data: Sequence[BoxPair], n_columns: int) -> go.Figure:
    """Draw for each column both boxes, on a scale of its own; ``n_columns`` are numeric in all."""
    n_rows = ceil(len(data) / ACROSS)
    titles = [plain(pair.name) for pair in data]
    figure = make_subplots(
        n_rows,
        ACROSS,
        subplot_titles=titles,
        vertical_spacing=min(0.34, 0.38 / n_rows),
        horizontal_spacing=0.16,
    )
    for i, pair in enumerate(data):
        place = {"row": i // ACROSS + 1, "col": i % ACROSS + 1}
        boxes = (("10–90 %", pair.percentile, MUTED), ("Tukey", pair.tukey, ACCENT))
        for label, box, color in boxes:
            figure.add_box(
                y=[label],
                q1=[box.q1],
                median=[box.median],
                q3=[box.q3],
                lowerfence=[box.low],
                upperfence=[box.high],
                orientation="h",
                marker_color=color,
                name=label,
                **place,
            )
            farthest = np.argsort(-np.abs(box.beyond - box.median))[:MAX_OUTLIERS]
            figure.add_scatter(
                x=box.beyond[farthest],
                y=[label] * len(farthest),
                mode="markers",
                marker={"color": color, "size": 4, "opacity": 0.6},
                hovertemplate="%{x:.6g}<extra></extra>",
                **place,
            )
    n_outliers = sum(len(pair.tukey.beyond) for pair in data)
    values = count(n_outliers, "value is an outlier", "values are outliers")
    title = f"By Tukey's rule {values}."
    note = (
        "The box holds the middle half, its line is the median."
        " Grey: whiskers from the 10th to the 90th percentile;"
        " always about a fifth of the values lies beyond."
        " Blue: whiskers to the last value within 1.5 box lengths."
    )
    if len(data) < n_columns:
        note += f" The first {len(data)} of {n_columns} numeric columns."
    finish(figure, title, note, 170 * n_rows, margin_b=36)
    return figure.update_annotations(font_size=11)
