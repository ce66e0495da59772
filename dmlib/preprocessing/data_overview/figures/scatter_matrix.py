"""Every numeric column against every other, with a selection that shows in all panels."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.figures.table_view import TableView, table_view
from dmlib.problem import Problem

MOST_ROWS = 1000
MOST_COLUMNS = 6
LONGEST = 20  # letters of a name along the height of a panel


def scatter_matrix_data(problem: Problem, selected: int | None = None) -> TableView:
    """Choose the rows and the first six numeric columns of a scatter matrix.

    Raises
    ------
    ValueError
        If there are fewer than two numeric columns.
    """
    return table_view(
        problem,
        max_rows=MOST_ROWS,
        max_columns=MOST_COLUMNS,
        numeric=True,
        least=2,
        selected=selected,
    )


def scatter_matrix(run: Run) -> go.Figure:
    """Draw every column against every other one."""
    return plot_scatter_matrix(scatter_matrix_data(run.problem, run.selected))


def plot_scatter_matrix(data: TableView) -> go.Figure:
    """Draw the matrix: what is selected with the mouse in one panel is marked in all of them."""
    figure = go.Figure()
    names = [
        plain(name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…") for name in data.names
    ]
    for code, name, mine in data.groups():
        figure.add_splom(
            dimensions=[
                {"label": label, "values": values.astype(np.float32)}
                for label, values in zip(names, data.values[mine].T, strict=True)
            ],
            name=name,
            diagonal_visible=False,
            marker={
                "symbol": SYMBOLS[code % len(SYMBOLS)],
                "size": 5,
                "opacity": 0.75,
                "color": class_color(figure, code),
            },
            selected={"marker": {"opacity": 1.0, "size": 7}},
            unselected={"marker": {"opacity": 0.12}},
            customdata=data.rows[mine],
            selectedpoints=_at(data, mine),
            hovertemplate=(
                f"row %{{customdata}} · {name}<br>%{{xaxis.title.text}} %{{x}},"
                " %{yaxis.title.text} %{y}<extra></extra>"
            ),
        )
    small = {"nticks": 4, "title": {"font": {"size": 10}}}
    figure.update_layout(
        {f"{letter}axis{i or ''}": small for letter in "xy" for i in (0, *range(2, len(names) + 1))}
    )
    title = "Drag over one panel: the rows inside are marked in all panels."
    note = f"A double click ends the selection. The selected row is marked too. {data.note}"
    finish(figure, title, note, 150 * len(names), dragmode="select", hovermode="closest")
    return figure.update_layout(
        showlegend=bool(data.classes), legend={"orientation": "h", "y": -0.14}
    )


def _at(data: TableView, mine: Any) -> list[int] | None:
    """Return which of the rows of a class are selected; None if no row is selected at all."""
    if data.selected is None:
        return None
    return np.flatnonzero(np.flatnonzero(mine) == data.selected).tolist()
