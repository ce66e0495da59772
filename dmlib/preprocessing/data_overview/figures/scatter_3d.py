"""Three columns in space: the one on the stage and the first two others."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.scatter_3d import plot_scatter_3d
from dmlib.pictures.figures.style import plain
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import table_view
from dmlib.problem import Problem

MAX_ROWS = 1000


def scatter_3d(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the column on the stage and two others, to be turned with the mouse."""
    return plot_columns_3d(run.problem, run.model.column - 1)


def plot_columns_3d(problem: Problem, column: int) -> go.Figure:
    """Draw a numeric column and the first two others in space; a nominal one gives way to a third.

    Raises
    ------
    ValueError
        If there are fewer than three numeric columns.
    """
    numeric = [j for j in range(len(problem.features)) if j not in problem.categories]
    columns = sorted(numeric, key=lambda j: j != column)[:3]
    if len(columns) < 3:
        raise ValueError(
            "A scatter plot in space needs three numeric columns, and the number here is"
            f" {len(columns)}. Choose more columns, or another data set."
        )
    view = table_view(problem, max_rows=MAX_ROWS, max_columns=len(problem.features))
    points = view.values[:, columns]
    is_complete = np.isfinite(points).all(axis=1)
    names = [plain(problem.features[j]) for j in columns]
    groups = [(code, name, members & is_complete) for code, name, members in view.groups()]
    n_holes = int((~is_complete).sum())
    holes = f" {n_holes} with missing values are not drawn." if n_holes else ""
    return plot_scatter_3d(
        points,
        names,
        groups,
        view.rows,
        title=f"{is_complete.sum()} rows by {names[0]}, {names[1]} and {names[2]}.",
        note=f"Drag to turn. The first axis is the column on the stage.{holes} {view.note}",
        aspect="cube",
    )
