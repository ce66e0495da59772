"""One column against each of the others, with covariance and correlation."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import correlation, covariance
from dmlib.preprocessing.data_overview.figures.table_view import table_view
from dmlib.problem import Problem

MOST_ROWS = 1000
MOST_OTHERS = 12
ACROSS = 2


def scatter(run: Run) -> go.Figure:
    """Draw the column on the stage against each other one."""
    return plot_scatter(run.problem, run.model.column - 1, run.selected)


def plot_scatter(problem: Problem, column: int, selected: int | None = None) -> go.Figure:
    """Draw one numeric column against each other one, with covariance and correlation; the selected sample is ringed.

    Raises
    ------
    ValueError
        If the column holds names, or there is no other numeric column.
    """
    if column in problem.categories:
        raise ValueError(
            "The column on the stage holds names. Choose a numeric one to see its correlations."
        )
    order = [
        column,
        *(j for j in range(len(problem.features)) if j != column and j not in problem.categories),
    ]
    chosen = problem.X[:, order]
    view = table_view(
        problem, max_rows=MOST_ROWS, max_columns=len(problem.features), selected=selected
    )
    others = order[1 : 1 + MOST_OTHERS]
    if not others:
        raise ValueError(
            "A scatter plot needs two numeric columns, and there is one. Choose more columns."
        )
    cov, r = (
        covariance(chosen[:, : 1 + len(others)])[0, 1:],
        correlation(chosen[:, : 1 + len(others)])[0, 1:],
    )
    titles = [
        f"{plain(problem.features[j])}<br>{_told(a, b)}"
        for j, a, b in zip(others, cov, r, strict=True)
    ]
    down = -(-len(others) // ACROSS)
    figure = make_subplots(
        down, ACROSS, subplot_titles=titles, vertical_spacing=min(0.34, 0.4 / down)
    )
    for i, j in enumerate(others):
        place = {"row": i // ACROSS + 1, "col": i % ACROSS + 1}
        for code, name, mine in view.groups():
            figure.add_scatter(
                x=view.values[mine, column].astype(np.float32),
                y=view.values[mine, j].astype(np.float32),
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
                customdata=view.rows[mine],
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
    strongest = int(np.nanargmax(np.abs(np.append(r, 0.0))))
    best = plain(problem.features[others[strongest]]) if strongest < len(others) else "no column"
    title = f"Strongest correlation of {plain(problem.features[column])}: {best}."
    few = (
        f" The first {len(others)} of {len(order) - 1} other numeric columns."
        if len(others) < len(order) - 1
        else ""
    )
    note = (
        f"Across: {plain(problem.features[column])}, the column on the stage; up: each other"
        f" one.{few} {view.note}"
    )
    finish(figure, title, note, 260 * down)
    return figure.update_layout(
        showlegend=bool(view.classes),
        legend={"orientation": "h", "y": -0.1 / down - 0.06},
        margin_b=60,
    ).update_annotations(font_size=11)


def _told(cov: float, r: float) -> str:
    told = f"{r:.3f}" if np.isfinite(r) else "undefined"
    return f"cov {cov:.4g}, r {told}".replace("-", "−").replace("nan", "undefined")
