"""The table as an image, sorted by class, each number in standard deviations from the mean."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import table_view
from dmlib.problem import Problem

MAX_ROWS = 300
MAX_COLUMNS = 60
STRONGEST = 3.0  # standard deviations with the full colour
BORDER = "#7d8590"


@dataclass(frozen=True)
class DataMatrix:
    """A table in standard deviations."""

    # (n_rows, n_columns): (x - mean) / standard deviation, of the rows that are shown; NaN where
    # missing, 0 in a constant column
    scores: NDArray[np.float64]
    names: tuple[str, ...]  # the columns
    rows: NDArray[np.intp]  # (n_rows,): row numbers in the table, from 1, class by class
    classes: tuple[tuple[str, int], ...]  # the name of each class, and where its rows end
    note: str  # what is left out


def data_matrix_data(problem: Problem) -> DataMatrix:
    """Standardise the numeric columns and sort the rows by class.

    Raises
    ------
    ValueError
        If no column holds numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [5.0, 5.0, 5.0], "c": ["y", "x", "y"]})
    >>> data = data_matrix_data(prepare(frame, ["a", "b"], target="c"))
    >>> data.scores.tolist(), data.rows.tolist(), data.classes
    ([[0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]], [2, 1, 3], (('x', 1), ('y', 3)))
    """
    view = table_view(problem, max_rows=MAX_ROWS, max_columns=MAX_COLUMNS, numeric=True)
    order, is_known = view.by_class(), np.isfinite(view.unit)
    n = np.maximum(is_known.sum(axis=0), 1)
    deviations = view.unit - np.where(is_known, view.unit, 0.0).sum(axis=0) / n
    spread = np.sqrt(np.where(is_known, deviations**2, 0.0).sum(axis=0) / np.maximum(n - 1, 1))
    scores = deviations / np.where(spread > 0, spread, 1.0)
    is_constant = ~(view.high > view.low)
    scores = np.where(is_known & is_constant, 0.0, scores)
    ends = np.cumsum(np.bincount(view.codes[order], minlength=len(view.classes) or 1))
    names = view.classes or ("rows",)
    classes = tuple((name, int(end)) for name, end in zip(names, ends, strict=True))
    return DataMatrix(scores[order], view.names, view.rows[order], classes, view.note)


def data_matrix(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the values as colours."""
    return plot_data_matrix(data_matrix_data(run.problem))


def plot_data_matrix(data: DataMatrix) -> go.Figure:
    """Draw the image, with lines between the classes."""
    n, d = data.scores.shape
    figure = go.Figure(
        go.Heatmap(
            z=data.scores.astype(np.float32).round(2),
            x=list(range(d)),
            customdata=np.repeat(data.rows[:, None], d, axis=1),
            zmin=-STRONGEST,
            zmax=STRONGEST,
            colorscale="RdBu",
            reversescale=True,
            colorbar={"title": {"text": "s"}, "thickness": 12},
            hovertemplate="row %{customdata}: %{z:.2f} s<extra></extra>",
        )
    )
    start, middles = 0, []
    for _, end in data.classes:
        middles.append((start + end - 1) / 2)
        if 0 < end < n:
            figure.add_hline(y=end - 0.5, line={"width": 1.5, "color": BORDER})
        start = end
    figure.update_yaxes(
        autorange="reversed",
        tickvals=middles,
        ticktext=[plain(name) for name, _ in data.classes],
        showgrid=False,
    )
    stride = ceil(d / 30)
    figure.update_xaxes(
        tickvals=list(range(0, d, stride)),
        ticktext=[plain(name) for name in data.names[::stride]],
        showgrid=False,
    )
    title = "The table, class by class: red above the column's mean, blue below."
    scale = f"In standard deviations s, full colour from {STRONGEST:g} on; a gap is missing."
    note = f"{scale} {data.note}"
    return finish(figure, title, note, 460).update_layout(margin_l=90, margin_b=90)
