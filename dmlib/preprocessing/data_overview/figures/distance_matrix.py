"""How different rows are, pair by pair, sorted by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.preprocessing.data_overview.figures.table_view import TableView, table_view
from dmlib.problem import Problem

MOST_ROWS = 150
MOST_COLUMNS = 60
BORDER = "#d55e00"


@dataclass(frozen=True)
class DistanceMatrix:
    """Distances between rows."""

    # (n_rows, n_rows): from 0 to 1, class by class; NaN where two rows have no column in common
    # that both know
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
    the distance of two rows is the mean over the columns that both know. The class itself is one of
    the columns only if it was chosen.

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
    view = table_view(problem, max_rows=MOST_ROWS, max_columns=MOST_COLUMNS)
    order = view.by_class()
    distances, codes = _gower(view)[np.ix_(order, order)], view.codes[order]
    pairs = np.triu_indices(len(codes), 1)
    same, apart = codes[pairs[0]] == codes[pairs[1]], distances[pairs]
    ends = tuple(np.cumsum(np.bincount(codes)).tolist())
    return DistanceMatrix(
        distances, view.rows[order], ends, _mean(apart[same]), _mean(apart[~same]), view.note
    )


def _mean(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def _gower(view: TableView) -> NDArray[np.float64]:
    n = len(view.rows)
    total, both = np.zeros((n, n)), np.zeros((n, n))
    for j, column in enumerate(view.unit.T):
        known = np.isfinite(column)
        x = np.where(known, column, 0.0)
        differ = (x[:, None] != x).astype(float) if j in view.categories else np.abs(x[:, None] - x)
        pair = known[:, None] & known
        total += differ * pair
        both += pair
    with np.errstate(invalid="ignore"):
        return np.where(both > 0, total / np.maximum(both, 1), np.nan)


def distance_matrix(run: Run) -> go.Figure:
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
    if np.isfinite(data.between):
        title = (
            f"Mean distance within a class {data.within:.3f}, between classes {data.between:.3f}."
        )
    else:
        title = f"The mean distance of two rows is {data.within:.3f}."
    note = (
        "Dark: alike. Numbers differ by distance / range, names by 0 or 1, and the columns are"
        " averaged (Gower)."
    )
    return finish(figure, title, f"{note} {data.note}", 460)
