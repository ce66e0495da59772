"""The distribution of each column: bars for names, a histogram for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.options import chosen
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.preprocessing import bin_edges
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.scene import OPTIONS
from dmlib.problem import Problem

MAX_COLUMNS = 12
MAX_BARS = 15
ACROSS = 2
WORDS = {
    "sturges": "Sturges' number of bins",
    "sturges_10": "Sturges' number of bins in base 10",
    "sqrt": "the square root of the rows as the number of bins",
    "scott": "Scott's width of bins",
    "fd": "Freedman and Diaconis' width of bins",
    "natural": "bins of equal width",
    "equal_frequency": "bins of equal count",
}


@dataclass(frozen=True)
class Distribution:
    """The distribution of one column."""

    name: str  # the column
    edges: NDArray[np.float64]  # (n_bins + 1,): where bins begin and end; empty for names
    # the categories, the most frequent first unless they have an order; empty for numbers
    names: tuple[str, ...]
    counts: NDArray[np.intp]  # (n_bins,): the number of rows of each
    n_missing: int  # the rows without a value
    n_categories: int = 0  # how many categories there are, those that are left out included

    def heights(self, rule: str) -> NDArray[np.float64]:
        """Return how high the bars are: counts or, of bins of different width, counts by width."""
        counts = self.counts.astype(float)
        return counts if self.names or rule != "equal_frequency" else counts / np.diff(self.edges)


def distributions_data(
    problem: Problem, rule: str = "sturges", k: int = 10
) -> tuple[Distribution, ...]:
    """Count the values of the first twelve columns, numbers in bins.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 10.0], "b": ["x", "y", "x", "x"]})
    >>> a, b = distributions_data(prepare(frame, ["a", "b"]), "natural", 2)
    >>> a.counts.tolist(), b.names, b.counts.tolist()
    ([3, 1], ('x', 'y'), [3, 1])
    """
    columns = range(min(len(problem.features), MAX_COLUMNS))
    return tuple(_of_column(problem, j, rule, k) for j in columns)


def _of_column(problem: Problem, j: int, rule: str, k: int) -> Distribution:
    x = problem.X[:, j][np.isfinite(problem.X[:, j])]
    name, missing = problem.features[j], len(problem.X) - len(x)
    if j in problem.categories:
        counts = np.bincount(x.astype(int), minlength=len(problem.categories[j]))
        first = np.sort(np.argsort(-counts, kind="stable")[:MAX_BARS])
        names = tuple(problem.categories[j][i] for i in first)
        return Distribution(name, np.empty(0), names, counts[first], missing, len(counts))
    if not x.size:
        return Distribution(name, np.array([0.0, 1.0]), (), np.zeros(1, np.intp), missing)
    edges = bin_edges(x, rule, k)
    return Distribution(name, edges, (), np.histogram(x, edges)[0], missing)


def distributions(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the distribution of every column."""
    options = chosen(run, OPTIONS)
    rule, k = options["bins"], options["k"]
    data = distributions_data(run.problem, rule, k)
    return plot_distributions(data, rule, len(run.problem.features))


def plot_distributions(data: Sequence[Distribution], rule: str, n_columns: int) -> go.Figure:
    """Draw the bars of the columns, the first of ``n_columns``."""
    n_rows = ceil(len(data) / ACROSS)
    spacing = min(0.3, 0.4 / n_rows)
    titles = [_title(column) for column in data]
    figure = make_subplots(n_rows, ACROSS, subplot_titles=titles, vertical_spacing=spacing)
    for i, column in enumerate(data):
        place = {"row": i // ACROSS + 1, "col": i % ACROSS + 1}
        heights = column.heights(rule)
        if column.names:
            labels = [plain(name) for name in column.names]
            figure.add_bar(
                x=labels,
                y=heights,
                marker_color=MUTED,
                hovertemplate="%{x}: %{y}<extra></extra>",
                **place,
            )
            figure.update_xaxes(type="category", **place)
            continue
        low, high = column.edges[:-1], column.edges[1:]
        figure.add_bar(
            x=(low + high) / 2,
            y=heights,
            width=high - low,
            marker={"color": ACCENT, "line": {"width": 0.5}},
            customdata=np.column_stack([low, high, column.counts]),
            hovertemplate=(
                "%{customdata[0]:.5g} to %{customdata[1]:.5g}: %{customdata[2]} rows<extra></extra>"
            ),
            **place,
        )
    figure.update_traces(marker_line_color="#ffffff")
    note = "Grey: names, each with its bar. Blue: numbers, in bins, the lower end counted in."
    if rule == "equal_frequency":
        note += " The height is the count divided by the width: the area is the count."
    if len(data) < n_columns:
        note += f" The first {len(data)} of {n_columns} columns."
    title = f"Each column by itself: bars, and histograms with {WORDS[rule]}."
    finish(figure, title, note, 200 * n_rows)
    figure.update_layout(bargap=0.25, margin_l=40, margin_b=36)
    return figure.update_annotations(font_size=11)


def _title(column: Distribution) -> str:
    n, parts = len(column.counts), []
    if not column.names:
        parts.append(count(n, "bin", "bins"))
    elif n < column.n_categories:
        parts.append(f"the most frequent {n} of {column.n_categories}")
    if column.n_missing:
        parts.append(f"{column.n_missing} missing")
    return f"{plain(column.name)}<br>{', '.join(parts)}"
