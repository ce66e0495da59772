"""Every numeric column against every other, with a selection that shows in all panels."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.tree_layout import fitting
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import TableView, table_view
from dmlib.problem import Problem

MAX_ROWS = 1000
MAX_COLUMNS = 6
MAX_LETTERS = 20  # letters of a name along the height of a panel


def scatter_matrix_data(problem: Problem, selected: int | None = None) -> TableView:
    """Choose the rows and the first six numeric columns of a scatter matrix.

    Raises
    ------
    ValueError
        If there are fewer than two numeric columns.
    """
    return table_view(
        problem,
        max_rows=MAX_ROWS,
        max_columns=MAX_COLUMNS,
        numeric=True,
        min_columns=2,
        selected=selected,
    )


def scatter_matrix(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw every column against every other one."""
    return plot_scatter_matrix(scatter_matrix_data(run.problem, run.selected))


def plot_scatter_matrix(data: TableView) -> go.Figure:
    """Draw the matrix: what is selected with the mouse in one panel is marked in all of them."""
    figure = go.Figure()
    names = [plain(fitting(name, MAX_LETTERS)) for name in data.names]
    for code, name, members in data.groups():
        figure.add_splom(
            dimensions=[
                {"label": label, "values": values.astype(np.float32)}
                for label, values in zip(names, data.values[members].T, strict=True)
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
            customdata=data.rows[members],
            selectedpoints=_selected(data, members),
            hovertemplate=(
                f"row %{{customdata}} · {name}<br>"
                "%{xaxis.title.text} %{x}, %{yaxis.title.text} %{y}<extra></extra>"
            ),
        )
    small = {"nticks": 4, "title": {"font": {"size": 10}}}
    numbers = ["", *range(2, len(names) + 1)]
    figure.update_layout({f"{axis}axis{i}": small for axis in "xy" for i in numbers})
    title = "Drag over one panel: the rows inside are marked in all panels."
    note = f"A double click ends the selection. The selected row is marked too. {data.note}"
    finish(figure, title, note, 150 * len(names), dragmode="select", hovermode="closest")
    legend = {"orientation": "h", "y": -0.14}
    return figure.update_layout(showlegend=bool(data.classes), legend=legend)


def _selected(data: TableView, members: NDArray[np.bool_]) -> list[int] | None:
    """Return which of the rows of a class are selected; None if no row is selected at all."""
    if data.selected is None:
        return None
    return np.flatnonzero(np.flatnonzero(members) == data.selected).tolist()
