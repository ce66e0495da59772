"""The distances of all pairs of rows, sorted by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import TableView, table_view
from dmlib.problem import Problem

MAX_ROWS = 150
MAX_COLUMNS = 60
BORDER = "#d55e00"


@dataclass(frozen=True)
class DistanceMatrix:
    """Distances between rows."""

    # (n_rows, n_rows): from 0 to 1, class by class; NaN where no column has values of both rows
    distances: NDArray[np.float64]
    rows: NDArray[np.intp]  # (n_rows,): row numbers in the table, from 1
    ends: tuple[int, ...]  # where each class ends
    # the mean distance of two rows of the same class and of different ones; NaN where there are
    # none
    within: float
    between: float
    note: str  # what is left out


def distance_matrix_data(problem: Problem) -> DistanceMatrix:
    """Compute Gower's distance of at most 150 rows in at most 60 columns.

    Notes
    -----
    Two numbers differ by their distance divided by the range of the column, two names by 0 or 1;
    the distance of two rows is the mean over the columns that have values of both. The class itself
    is one of the columns only if it was chosen.

    References
    ----------
    J. C. Gower (1971), A general coefficient of similarity and some of its properties. Biometrics
    27, 857-871.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0], "b": ["x", "y", "x"]})
    >>> distance_matrix_data(prepare(frame, ["a", "b"])).distances.tolist()
    [[0.0, 0.625, 0.5], [0.625, 0.0, 0.875], [0.5, 0.875, 0.0]]
    """
    view = table_view(problem, max_rows=MAX_ROWS, max_columns=MAX_COLUMNS)
    order = view.by_class()
    distances, codes = _gower(view)[np.ix_(order, order)], view.codes[order]
    pairs = np.triu_indices(len(codes), 1)
    is_within = codes[pairs[0]] == codes[pairs[1]]
    return DistanceMatrix(
        distances=distances,
        rows=view.rows[order],
        ends=tuple(np.cumsum(np.bincount(codes)).tolist()),
        within=_mean(distances[pairs][is_within]),
        between=_mean(distances[pairs][~is_within]),
        note=view.note,
    )


def _mean(values: NDArray[np.float64]) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if finite.size else float("nan")


def _gower(view: TableView) -> NDArray[np.float64]:
    n = len(view.rows)
    total, n_columns = np.zeros((n, n)), np.zeros((n, n))
    for j, column in enumerate(view.unit.T):
        is_known = np.isfinite(column)
        x = np.where(is_known, column, 0.0)
        difference = np.abs(x[:, None] - x)
        if j in view.categories:
            difference = np.sign(difference)
        is_pair = is_known[:, None] & is_known
        total += difference * is_pair
        n_columns += is_pair
    with np.errstate(invalid="ignore"):
        return np.where(n_columns > 0, total / np.maximum(n_columns, 1), np.nan)


def distance_matrix(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the distances of the rows as colours."""
    return plot_distance_matrix(distance_matrix_data(run.problem))


def plot_distance_matrix(data: DistanceMatrix) -> go.Figure:
    """Draw the matrix as an image, dark where rows are alike, with lines between classes."""
    numbers = [f"row {row}" for row in data.rows]
    percent = np.round(100 * data.distances)
    figure = go.Figure(
        go.Heatmap(
            z=percent.astype(np.uint8) if np.isfinite(percent).all() else percent,
            x=numbers,
            y=numbers,
            zmin=0,
            zmax=max(1.0, float(np.nanmax(percent, initial=0.0))),
            colorscale="Blues_r",
            colorbar={"thickness": 12, "ticksuffix": "%"},
            hovertemplate="%{y} and %{x}: %{z}%<extra></extra>",
        )
    )
    for end in data.ends[:-1]:
        figure.add_hline(y=end - 0.5, line={"width": 1.5, "color": BORDER})
        figure.add_vline(x=end - 0.5, line={"width": 1.5, "color": BORDER})
    figure.update_xaxes(
        title_text="rows, class by class",
        showgrid=False,
        showticklabels=False,
        constrain="domain",
        type="category",
    )
    figure.update_yaxes(
        showgrid=False,
        showticklabels=False,
        autorange="reversed",
        scaleanchor="x",
        constrain="domain",
        type="category",
    )
    title = f"The mean distance of two rows is {data.within:.3f}."
    if np.isfinite(data.between):
        between = f"between classes {data.between:.3f}"
        title = f"Mean distance within a class {data.within:.3f}, {between}."
    note = (
        "Dark: alike. Numbers differ by distance / range, names by 0 or 1,"
        " and the columns are averaged (Gower)."
    )
    return finish(figure, title, f"{note} {data.note}", 460)
