"""The correlations of all numeric columns."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.stats import rankdata

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.options import chosen
from dmlib.pictures.run import Run
from dmlib.preprocessing import correlation, covariance
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.figures.table_view import table_view
from dmlib.preprocessing.data_overview.scene import OPTIONS
from dmlib.problem import Problem

MAX_ROWS = 100_000
MAX_COLUMNS = 40
MAX_LABELLED = 12  # columns up to which the numbers are written into the cells


@dataclass(frozen=True)
class CorrelationMatrix:
    """A number for every two columns."""

    names: tuple[str, ...]  # the columns
    # (n_columns, n_columns): correlations or covariances of the rows that have both values; NaN
    # where they are undefined
    values: NDArray[np.float64]
    measure: str  # "pearson", "spearman", "covariance": what the numbers are
    note: str  # what is left out


def correlation_matrix_data(problem: Problem, measure: str = "pearson") -> CorrelationMatrix:
    """Compute Pearson's or Spearman's correlations, or covariances, of the first 40 columns.

    Raises
    ------
    ValueError
        If there are fewer than two numeric columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 4.0, 9.0]}), ["a", "b"])
    >>> correlation_matrix_data(problem, "pearson").values.round(2).tolist()
    [[1.0, 0.99], [0.99, 1.0]]
    >>> correlation_matrix_data(problem, "covariance").values.round(2).tolist()
    [[1.0, 4.0], [4.0, 16.33]]
    """
    view = table_view(
        problem, max_rows=MAX_ROWS, max_columns=MAX_COLUMNS, numeric=True, min_columns=2
    )
    if measure == "covariance":
        values = covariance(view.values)
    elif measure == "pearson":
        values = correlation(view.values)
    else:
        values = _spearman(view.values)
    return CorrelationMatrix(view.names, values, measure, view.note)


def _spearman(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return correlations of ranks; with holes, each pair of columns is ranked by itself."""
    is_known = np.isfinite(X)
    if is_known.all():
        return correlation(rankdata(X, axis=0))
    d = X.shape[1]
    values = np.full((d, d), np.nan)
    for i in range(d):
        for j in range(i, d):
            pair = X[is_known[:, i] & is_known[:, j]][:, [i, j]]
            if len(pair) > 1:
                values[i, j] = values[j, i] = correlation(rankdata(pair, axis=0))[0, 1]
    return values


def correlations(run: Run[Problem, ColumnSummary]) -> go.Figure:
    """Draw the correlations of all columns."""
    measure = chosen(run, OPTIONS)["measure"]
    return plot_correlation_matrix(correlation_matrix_data(run.problem, measure))


def plot_correlation_matrix(data: CorrelationMatrix) -> go.Figure:
    """Draw the matrix as an image; the largest covariance, or r = 1, has the full colour."""
    d, names = len(data.names), [plain(name) for name in data.names]
    off = np.where(np.eye(d, dtype=bool), np.nan, np.abs(data.values))
    top = 1.0
    if data.measure == "covariance":
        top = float(np.nanmax(np.abs(data.values), initial=0.0)) or 1.0
    figure = go.Figure(
        go.Heatmap(
            z=data.values,
            zmin=-top,
            zmax=top,
            colorscale="RdBu",
            reversescale=True,
            xgap=1,
            ygap=1,
            customdata=np.stack(np.meshgrid(names, names), axis=-1),
            texttemplate="%{z:.3g}" if d <= MAX_LABELLED else None,
            colorbar={"thickness": 12},
            hovertemplate="%{customdata[1]} and %{customdata[0]}: %{z:.4g}<extra></extra>",
        )
    )
    stride = ceil(d / 30)
    ticks = {"tickvals": list(range(0, d, stride)), "ticktext": names[::stride], "showgrid": False}
    figure.update_xaxes(**ticks)
    figure.update_yaxes(autorange="reversed", **ticks)
    note = (
        "Red: they rise together. Blue: one falls where the other rises."
        f" Empty: a column is constant. {data.note}"
    )
    height = max(320, min(34 * d + 80, 640))
    finish(figure, _title(data, off, names), note, height)
    return figure.update_layout(margin_l=150, margin_b=110)


def _title(data: CorrelationMatrix, off: NDArray[np.float64], names: list[str]) -> str:
    words = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "covariance": "covariance"}
    if not np.isfinite(off).any():
        return "No two columns vary together."
    i, j = np.unravel_index(int(np.nanargmax(off)), off.shape)
    value = f"{data.values[i, j]:.3g}".replace("-", "−")
    return f"Strongest {words[data.measure]}: {names[i]} and {names[j]}, {value}."
