"""The mean of each column from several imputations, by Rubin's rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import MultipleImputer, Pooled

MOST, M, TURNS = 6, 10, 5
Z = 1.96


@dataclass(frozen=True)
class Estimates:
    """The mean of one column in each filled table, and all together."""

    name: str  # the column
    means: NDArray[np.float64]  # (m,): in each table
    errors: NDArray[np.float64]  # (m,): their standard errors
    pooled: Pooled  # by Rubin's rules


def multiple_data(run: Run) -> tuple[Estimates, ...]:
    """Fill the table ten times by chained equations, and pool the means of its columns of numbers with holes.

    Raises
    ------
    ValueError
        If no number is missing.
    """

    def make() -> MultipleImputer:
        return MultipleImputer(M, max_iter=TURNS).fit(run.problem.data)

    problem = run.problem
    some = [
        j for j in np.flatnonzero(np.isnan(problem.X).any(axis=0)) if j not in problem.categories
    ][:MOST]
    if not some:
        raise ValueError(
            "No number of the chosen columns is missing. Choose another data set, or more columns."
        )
    model = run.once("missing_values.multiple", make)
    told = []
    for j in some:
        tables = model.imputations_[:, :, j]
        errors = np.sqrt(tables.var(axis=1, ddof=1) / tables.shape[1])
        told.append(Estimates(problem.features[j], tables.mean(axis=1), errors, model.pooled_[j]))
    return tuple(told)


def multiple(run: Run) -> go.Figure:
    """Draw the means with their intervals, and write down Rubin's rules with their numbers."""
    data = multiple_data(run)
    titles = [
        f"{plain(e.name)}: W = {e.pooled.within:.4g}, B = {e.pooled.between:.4g}<br>"
        f"T = W + (1 + 1/{M}) B = {e.pooled.total:.4g}, {e.pooled.dof:.4g} df, "
        f"{100 * e.pooled.missing_information:.0f} % of the information missing"
        for e in data
    ]
    figure = make_subplots(len(data), 1, subplot_titles=titles, vertical_spacing=0.4 / len(data))
    for row, each in enumerate(data, start=1):
        x = [f"{i + 1}" for i in range(M)] + ["pooled"]
        y = np.append(each.means, each.pooled.estimate)
        ends = each.pooled.interval()
        error = np.append(Z * each.errors, (ends[1] - ends[0]) / 2)
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
        " between them, T both together. Bars: 1.96 standard errors, and Barnard and Rubin's 95 % t"
        " interval. A single imputation ignores B."
    )
    return finish(figure, title, note, 210 * len(data))
