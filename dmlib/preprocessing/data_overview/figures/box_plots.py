"""Box plots of every column, by both conventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import summarise
from dmlib.problem import Problem

MOST_COLUMNS = 12
MOST_BEYOND = 300  # values beyond the whiskers that are drawn, the farthest
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
    for j in [j for j in range(len(problem.features)) if j not in problem.categories][
        :MOST_COLUMNS
    ]:
        x = np.sort(problem.X[:, j][np.isfinite(problem.X[:, j])])
        if x.size:
            pairs.append(_pair(problem.features[j], x))
    if not pairs:
        raise ValueError(
            "A box plot needs numbers, and no column holds any. Choose another data set."
        )
    return tuple(pairs)


def _pair(name: str, x: NDArray[np.float64]) -> BoxPair:
    told = summarise(x)
    tenth, q1, median, q3, ninth = told.percentiles
    low, high = told.fences
    inside = x[(x >= low) & (x <= high)]
    ends = (float(inside[0]), float(inside[-1]))
    boxes = [Box(a, q1, median, q3, b, x[(x < a) | (x > b)]) for a, b in ((tenth, ninth), ends)]
    return BoxPair(name, *boxes)


def box_plots(run: Run) -> go.Figure:
    """Draw a pair of box plots for every numeric column."""
    n_numeric = len(run.problem.features) - len(run.problem.categories)
    return plot_box_plots(box_plots_data(run.problem), n_numeric)


def plot_box_plots(data: Sequence[BoxPair], n_columns: int) -> go.Figure:
    """Draw for each column both boxes, on a scale of its own; ``n_columns`` are numeric in all."""
    down = -(-len(data) // ACROSS)
    titles = [plain(pair.name) for pair in data]
    figure = make_subplots(
        down,
        ACROSS,
        subplot_titles=titles,
        vertical_spacing=min(0.34, 0.38 / down),
        horizontal_spacing=0.16,
    )
    for i, pair in enumerate(data):
        place = {"row": i // ACROSS + 1, "col": i % ACROSS + 1}
        for label, box, color in (
            ("10–90%", pair.percentile, MUTED),
            ("Tukey", pair.tukey, ACCENT),
        ):
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
            middle = np.argsort(-np.abs(box.beyond - box.median))[:MOST_BEYOND]
            figure.add_scatter(
                x=box.beyond[middle],
                y=[label] * len(middle),
                mode="markers",
                marker={"color": color, "size": 4, "opacity": 0.6},
                hovertemplate="%{x:.6g}<extra></extra>",
                **place,
            )
    outliers = sum(len(pair.tukey.beyond) for pair in data)
    title = (
        f"By Tukey's rule {outliers}"
        f" {'value is an outlier' if outliers == 1 else 'values are outliers'}."
    )
    note = (
        "The box holds the middle half, its line is the median. Grey: whiskers from the 10th to the"
        " 90th percentile; always about a fifth of the values lies beyond. Blue: whiskers to the"
        " last value within 1.5 box lengths."
    )
    if len(data) < n_columns:
        note += f" The first {len(data)} of {n_columns} numeric columns."
    return (
        finish(figure, title, note, 170 * down)
        .update_layout(margin_b=36)
        .update_annotations(font_size=11)
    )
