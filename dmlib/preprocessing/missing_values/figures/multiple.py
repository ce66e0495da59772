"""The mean of each column from several imputations, by Rubin's rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.preprocessing import MultipleImputer, Pooled
from dmlib.preprocessing.missing_values.algorithm import Imputer
from dmlib.problem import Problem

MAX_COLUMNS = 6
M, MAX_ITER = 10, 5  # filled tables, and iterations of each
Z = 1.96


@dataclass(frozen=True)
class Estimates:
    """The mean of one column in each filled table, and pooled."""

    name: str  # the column
    means: NDArray[np.float64]  # (m,): in each table
    errors: NDArray[np.float64]  # (m,): their standard errors
    pooled: Pooled  # by Rubin's rules


def multiple_data(run: Run[Problem, Imputer]) -> tuple[Estimates, ...]:
    """Fill the table ten times by chained equations, and pool the means of incomplete columns.

    Raises
    ------
    ValueError
        If no number is missing.
    """

    def fit() -> MultipleImputer:
        return MultipleImputer(M, max_iter=MAX_ITER).fit(run.problem.data)

    problem = run.problem
    incomplete = np.flatnonzero(np.isnan(problem.X).any(axis=0)).tolist()
    columns = [j for j in incomplete if j not in problem.categories][:MAX_COLUMNS]
    if not columns:
        raise ValueError(
            "No number of the chosen columns is missing. Choose another data set, or more columns."
        )
    model = run.once("missing_values.multiple", fit)
    estimates = []
    for j in columns:
        tables = model.imputations_[:, :, j]
        errors = np.sqrt(tables.var(axis=1, ddof=1) / tables.shape[1])
        means, pooled = tables.mean(axis=1), model.pooled_[j]
        estimates.append(Estimates(problem.features[j], means, errors, pooled))
    return tuple(estimates)


def multiple(run: Run[Problem, Imputer]) -> go.Figure:
    """Draw the means with their intervals, and write down Rubin's rules with their numbers."""
    data = multiple_data(run)
    titles = [_title(column) for column in data]
    figure = make_subplots(len(data), 1, subplot_titles=titles, vertical_spacing=0.4 / len(data))
    x = [*map(str, range(1, M + 1)), "pooled"]
    for row, column in enumerate(data, start=1):
        y = np.append(column.means, column.pooled.estimate)
        low, high = column.pooled.interval()
        error = np.append(Z * column.errors, (high - low) / 2)
        figure.add_scatter(
            x=x,
            y=y,
            mode="markers",
            error_y={"type": "data", "array": error, "thickness": 1.5},
            marker={"color": [MUTED] * M + [ACCENT], "size": 8},
            hovertemplate="%{x}: %{y:.5g}<extra></extra>",
            row=row,
            col=1,
        )
    figure.update_xaxes(type="category")
    title = f"{M} imputed tables by chained equations: the mean of each column."
    note = (
        "W is the mean of the squared standard errors in the tables, B the variance of the means"
        " between them, T both together."
        " Bars: 1.96 standard errors, and Barnard and Rubin's 95 % t interval."
        " A single imputation ignores B."
    )
    return finish(figure, title, note, 210 * len(data))


def _title(column: Estimates) -> str:
    pooled = column.pooled
    return (
        f"{plain(column.name)}: W = {pooled.within:.4g}, B = {pooled.between:.4g}<br>"
        f"T = W + (1 + 1/{M}) B = {pooled.total:.4g}, {pooled.dof:.4g} df,"
        f" {percent(pooled.missing_information)} of the information missing"
    )
