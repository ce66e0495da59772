"""One column against each of the others, with covariance and correlation."""

from __future__ import annotations

from math import ceil

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import table_view
from dmlib.preprocessing.data_overview.statistics import relations
from dmlib.problem import Problem

MAX_ROWS = 1000
MAX_PANELS = 12
ACROSS = 2


def scatter(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the column on the stage against each other one."""
    return plot_scatter(run.problem, run.model.column - 1, run.selected)


def plot_scatter(problem: Problem, column: int, selected: int | None = None) -> go.Figure:
    """Draw one numeric column against each other one; the selected sample is ringed.

    Raises
    ------
    ValueError
        If the column holds names, or there is no other numeric column.
    """
    if column in problem.categories:
        raise ValueError(
            "The column on the stage holds names. Choose a numeric one to see its correlations."
        )
    d = len(problem.features)
    partners = [j for j in range(d) if j != column and j not in problem.categories]
    view = table_view(problem, max_rows=MAX_ROWS, max_columns=d, selected=selected)
    columns = partners[:MAX_PANELS]
    if not columns:
        raise ValueError(
            "A scatter plot needs two numeric columns, and there is one. Choose more columns."
        )
    cov, r = relations(problem.X[:, [column, *columns]], 0)
    names = [plain(name) for name in problem.features]
    titles = [
        f"{names[j]}<br>{_numbers(*pair)}"
        for j, pair in zip(columns, zip(cov[1:], r[1:], strict=True), strict=True)
    ]
    n_rows = ceil(len(columns) / ACROSS)
    spacing = min(0.34, 0.4 / n_rows)
    figure = make_subplots(n_rows, ACROSS, subplot_titles=titles, vertical_spacing=spacing)
    for i, j in enumerate(columns):
        place = {"row": i // ACROSS + 1, "col": i % ACROSS + 1}
        for code, name, members in view.groups():
            figure.add_scatter(
                x=view.values[members, column].astype(np.float32),
                y=view.values[members, j].astype(np.float32),
                mode="markers",
                name=name,
                showlegend=i == 0,
                legendgroup=name,
                marker={
                    "symbol": SYMBOLS[code % len(SYMBOLS)],
                    "size": 5,
                    "color": class_color(figure, code),
                },
                opacity=0.7,
                customdata=view.rows[members],
                hovertemplate=(
                    f"row %{{customdata}} · {name}<br>%{{x:.5g}}, %{{y:.5g}}<extra></extra>"
                ),
                **place,
            )
        if view.selected is not None:
            figure.add_scatter(
                x=view.values[[view.selected], column],
                y=view.values[[view.selected], j],
                mode="markers",
                marker={
                    "symbol": "circle-open",
                    "size": 14,
                    "color": MUTED,
                    "line": {"width": 2.5},
                },
                showlegend=False,
                hoverinfo="skip",
                **place,
            )
        figure.update_xaxes(nticks=6, **place)
    strengths = np.nan_to_num(np.abs(r[1:]))
    strongest = names[columns[int(strengths.argmax())]] if np.isfinite(r[1:]).any() else "no column"
    title = f"Strongest correlation of {names[column]}: {strongest}."
    note = f"Across: {names[column]}, the column on the stage; up: each other one."
    if len(columns) < len(partners):
        note += f" The first {len(columns)} of {len(partners)} other numeric columns."
    finish(figure, title, f"{note} {view.note}", 260 * n_rows)
    legend = {"orientation": "h", "y": -0.1 / n_rows - 0.06}
    figure.update_layout(showlegend=bool(view.classes), legend=legend, margin_b=60)
    return figure.update_annotations(font_size=11)


def _numbers(cov: float, r: float) -> str:
    correlation = f"{r:.3f}" if np.isfinite(r) else "undefined"
    return f"cov {cov:.4g}, r {correlation}".replace("-", "−").replace("nan", "undefined")
