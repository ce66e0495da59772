"""Parallel coordinates: one axis for each column, one line for each row."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import MUTED, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import TableView, table_view
from dmlib.problem import Problem

MAX_ROWS = 300
MAX_COLUMNS = 12


def parallel_coordinates_data(problem: Problem, selected: int | None = None) -> TableView:
    """Choose at most 300 rows and twelve columns.

    Raises
    ------
    ValueError
        If there is only one column.
    """
    return table_view(
        problem, max_rows=MAX_ROWS, max_columns=MAX_COLUMNS, min_columns=2, selected=selected
    )


def parallel_coordinates(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw a line for every row."""
    return plot_parallel_coordinates(parallel_coordinates_data(run.problem, run.selected))


def plot_parallel_coordinates(data: TableView) -> go.Figure:
    """Draw every row as a line across the axes; a missing value interrupts it."""
    figure, d = go.Figure(), len(data.names)
    for code, name, members in data.groups():
        n = int(members.sum())
        y = np.column_stack([data.unit[members], np.full(n, np.nan)]).ravel()
        x = np.tile(np.append(np.arange(d, dtype=float), np.nan), n)
        figure.add_scatter(
            x=x.astype(np.float32),
            y=y.astype(np.float32),
            mode="lines+markers",
            name=name,
            opacity=0.45,
            marker_size=3,
            line={"width": 1, "color": class_color(figure, code)},
            customdata=np.repeat(data.rows[members], d + 1),
            hovertemplate=f"row %{{customdata}} · {name}<extra></extra>",
        )
    if data.selected is not None:
        figure.add_scatter(
            x=np.arange(d),
            y=data.unit[data.selected],
            mode="lines+markers",
            name=f"row {data.rows[data.selected]}",
            line={"width": 4, "color": class_color(figure, int(data.codes[data.selected]))},
        )
    for j in range(d):
        figure.add_vline(x=j, line={"width": 1, "color": MUTED})
        for value, height, anchor in ((data.low[j], -0.02, "top"), (data.high[j], 1.02, "bottom")):
            label = _end(data, j, value)
            figure.add_annotation(
                x=j, y=height, text=label, showarrow=False, yanchor=anchor, font_size=11
            )
    figure.update_xaxes(
        tickvals=list(range(d)),
        ticktext=[plain(name) for name in data.names],
        showgrid=False,
        range=[-0.4, d - 0.6],
    )
    figure.update_yaxes(visible=False, range=[-0.14, 1.14])
    title = "Each line is a row; where lines run in bundles, columns are correlated."
    note = f"Each axis goes from the smallest to the largest value of its column. {data.note}"
    finish(figure, title, note, 420)
    return figure.update_layout(
        showlegend=bool(data.classes), legend={"orientation": "h", "y": -0.25}, margin_l=16
    )


def _end(data: TableView, j: int, value: float) -> str:
    if data.categories.get(j):
        return plain(data.categories[j][int(value)])
    return f"{value:.4g}".replace("-", "−")
