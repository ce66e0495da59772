"""Radar and star plots: columns as rays from a centre, rows or classes as polygons on them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import CLEAR, MUTED, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import TableView, table_view
from dmlib.problem import Problem

MAX_RAYS = 12
MAX_ROWS = 2000
MAX_STARS = 24
ACROSS = 6
RADIUS = 0.42


@dataclass(frozen=True)
class Polygons:
    """Shapes on the same rays."""

    rays: tuple[str, ...]  # the columns
    # (n_shapes, n_rays): each column from 0 (its smallest value) to 1 (its largest); NaN where
    # missing
    radii: NDArray[np.float64]
    labels: tuple[str, ...]  # what each shape is
    codes: NDArray[np.intp]  # (n_shapes,): the class of each
    classes: tuple[str, ...]  # their names; empty without classes
    note: str  # what is left out


def _view(problem: Problem, selected: int | None) -> TableView:
    limits = {"max_rows": MAX_ROWS, "max_columns": MAX_RAYS, "min_columns": 3}
    return table_view(problem, **limits, numeric=True, selected=selected)


def radar_data(problem: Problem, selected: int | None = None) -> Polygons:
    """Compute the mean of each class, or of all rows, on every ray, and the selected row.

    Raises
    ------
    ValueError
        If there are fewer than three numeric columns.
    """
    view = _view(problem, selected)
    radii, labels, codes = [], [], []
    for code, name, members in view.groups():
        values = view.unit[members]
        n = np.isfinite(values).sum(axis=0)
        radii.append(np.where(n > 0, np.nansum(values, axis=0) / np.maximum(n, 1), np.nan))
        labels.append(f"mean of {name}")
        codes.append(code)
    if view.selected is not None:
        radii.append(view.unit[view.selected])
        labels.append(f"row {view.rows[view.selected]}")
        codes.append(int(view.codes[view.selected]))
    return Polygons(
        view.names, np.array(radii), tuple(labels), np.array(codes), view.classes, view.note
    )


def star_data(problem: Problem, selected: int | None = None) -> Polygons:
    """Choose at most 24 rows, the selected one first, then equally many of each class.

    Raises
    ------
    ValueError
        If there are fewer than three numeric columns.
    """
    view = _view(problem, selected)
    codes = np.unique(view.codes)
    n_each = MAX_STARS // len(codes)
    rows = [i for code in codes for i in np.flatnonzero(view.codes == code)[:n_each].tolist()]
    if view.selected is not None:
        rows = [view.selected, *(i for i in rows if i != view.selected)][:MAX_STARS]
    labels = tuple(f"row {view.rows[i]}" for i in rows)
    notes = []
    if len(rows) < len(problem.X):
        notes.append(f"{len(rows)} of {len(problem.X)} rows.")
    if "The first" in view.note:
        notes.append(view.note[view.note.index("The first") :])
    note = " ".join(notes)
    return Polygons(view.names, view.unit[rows], labels, view.codes[rows], view.classes, note)


def radar(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the rows as polygons in one."""
    return plot_radar(radar_data(run.problem, run.selected))


def stars(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the rows as polygons, each by itself."""
    return plot_stars(star_data(run.problem, run.selected))


def plot_radar(data: Polygons) -> go.Figure:
    """Draw all shapes on one set of rays."""
    figure, rays = go.Figure(), [plain(ray) for ray in data.rays]
    for radii, label, code in zip(data.radii, data.labels, data.codes, strict=True):
        is_row = label.startswith("row ")
        figure.add_scatterpolar(
            r=[*radii, radii[0]],
            theta=[*rays, rays[0]],
            name=label,
            mode="lines+markers",
            line={
                "width": 4 if is_row else 2,
                "dash": "dot" if is_row else "solid",
                "color": class_color(figure, int(code)),
            },
            hovertemplate="%{theta}: %{r:.2f} of the range<extra>" + label + "</extra>",
        )
    title = "The columns as rays: what is large in one class and small in another."
    note = "From the smallest value of a column at the centre to its largest at the rim."
    finish(figure, title, f"{note} {data.note}", 440)
    polar = {
        "bgcolor": CLEAR,
        "radialaxis": {"range": [0, 1], "tickvals": [0.5, 1]},
        "angularaxis": {"tickfont": {"size": 11}, "rotation": 90, "direction": "clockwise"},
    }
    legend = {"orientation": "h", "y": -0.12}
    return figure.update_layout(
        showlegend=True, legend=legend, polar=polar, margin_l=84, margin_r=84
    )


def plot_stars(data: Polygons) -> go.Figure:
    """Draw each row as a star of its own: similar stars are similar rows."""
    figure = go.Figure()
    names_in_legend: set[str] = set()
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(data.rays)) / len(data.rays)
    n_rows = ceil(len(data.labels) / ACROSS)
    for i, (radii, label, code) in enumerate(zip(data.radii, data.labels, data.codes, strict=True)):
        x0, y0 = i % ACROSS, -(i // ACROSS)
        r = RADIUS * (0.08 + 0.92 * np.nan_to_num(radii))
        x, y = x0 + r * np.cos(angles), y0 + r * np.sin(angles)
        color = class_color(figure, int(code))
        name = plain(data.classes[code]) if data.classes else "rows"
        rays = np.column_stack([np.full(len(x), x0), x, np.full(len(x), np.nan)]).ravel()
        ends = np.column_stack([np.full(len(y), y0), y, np.full(len(y), np.nan)]).ravel()
        figure.add_scatter(
            x=rays,
            y=ends,
            mode="lines",
            line={"width": 1, "color": MUTED},
            showlegend=False,
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=[*x, x[0]],
            y=[*y, y[0]],
            mode="lines",
            fill="toself",
            name=name,
            legendgroup=name,
            showlegend=bool(data.classes) and name not in names_in_legend,
            line={"width": 1.5, "color": color},
            text=[_tooltip(data, i)] * (len(x) + 1),
            hoverinfo="text",
            hoveron="fills",
            opacity=0.8,
        )
        names_in_legend.add(name)
        figure.add_annotation(
            x=x0, y=y0 - 0.5, text=label.removeprefix("row "), showarrow=False, font_size=11
        )
    figure.update_xaxes(visible=False, range=[-0.6, ACROSS - 0.4], constrain="domain")
    figure.update_yaxes(visible=False, range=[-n_rows + 0.35, 0.6], scaleanchor="x")
    order = ", ".join(plain(ray) for ray in data.rays)
    note = f"Rays clockwise from the top: {order}. Numbers: rows. {data.note}"
    finish(figure, "Each row as a star: similar rows have similar stars.", note, 120 * n_rows + 20)
    return figure.update_layout(
        showlegend=bool(data.classes),
        legend={"orientation": "h", "y": -0.06},
        margin_l=16,
        hovermode="closest",
    )


def _tooltip(data: Polygons, i: int) -> str:
    lines = [data.labels[i]]
    for ray, radius in zip(data.rays, data.radii[i], strict=True):
        value = "missing" if np.isnan(radius) else f"{radius:.2f}"
        lines.append(f"{plain(ray)}: {value}")
    return "<br>".join(lines)
