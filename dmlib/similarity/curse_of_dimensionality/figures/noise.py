"""Noise and neighbours: error and hubs by the number of columns, over several draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import MEASURES, DistanceConcentration

DRAWS = 20
BAND = (5, 95)  # percentiles


@dataclass(frozen=True)
class NoiseData:
    """Error and hubness by the number of columns, for several draws of the noise.

    Attributes
    ----------
    n_own : int
        The number of columns of the table.
    error, hubness : ndarray of shape (n_draws, n_dimensions)
        See :class:`dmlib.similarity.DistanceConcentration`; the errors are NaN without classes.
    """

    n_own: int
    error: Floats
    hubness: Floats


def noise_data(
    run: Run[Problem, DistanceConcentration], progress: Callable[[Any], None]
) -> NoiseData:
    """Repeat a run for several seeds of the noise."""
    task = partial(_path, run.model, run.problem.training.arguments)
    paths = np.array(list(engine.map(task, range(run.seed, run.seed + DRAWS), progress=progress)))
    n_own = min(run.problem.X.shape[1], run.model.n_dimensions)
    error, hubness = (paths[:, :, MEASURES.index(name)] for name in ("error", "hubness"))
    return NoiseData(n_own, error, hubness)


def _path(model: DistanceConcentration, arguments: tuple[Any, ...], seed: int) -> Floats:
    """Return the measures by the number of columns for one draw: a task."""
    path: Floats = clone(model).set_params(random_state=seed).fit(*arguments).path_
    return path


def plot_noise(data: NoiseData) -> go.Figure:
    """Draw the means, with the band in which nine of ten draws lie."""
    curves = {"skewness of the hubs": data.hubness}
    title = f"The skewness of the hubs ends at {data.hubness[:, -1].mean():.2f}."
    if np.isfinite(data.error).all():
        curves = {"k-NN error": data.error, **curves}
        before, after = data.error[:, data.n_own - 1].mean(), data.error[:, -1].mean()
        title = f"The k-NN error goes from {before:.3f} to {after:.3f} as noise is added."
    n = len(curves)
    figure = make_subplots(rows=n, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, values) in enumerate(curves.items(), start=1):
        _add_curve(figure, row, name, values)
        figure.add_vline(x=data.n_own + 0.5, line={"dash": "dot", "color": MUTED}, row=row, col=1)
        figure.update_yaxes(title_text=name, row=row, col=1)
    figure.update_xaxes(title_text="columns", row=n, col=1)
    note = (
        f"Mean of {DRAWS} draws of the noise, with the band of nine in ten;"
        " right of the dots columns are noise."
    )
    return finish(figure, title, note, 220 + 120 * n)


def _add_curve(figure: go.Figure, row: int, name: str, values: Floats) -> None:
    """Add the mean over the draws with its band to a row of subplots."""
    x = np.arange(1, values.shape[1] + 1)
    band = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    low, high = np.percentile(values, BAND, axis=0)
    figure.add_scatter(x=x, y=low, **band, row=row, col=1)
    fill = {"fill": "tonexty", "fillcolor": "rgba(47,127,208,0.2)"}
    figure.add_scatter(x=x, y=high, **band, **fill, row=row, col=1)
    figure.add_scatter(
        x=x,
        y=values.mean(axis=0),
        mode="lines",
        line={"color": ACCENT},
        hovertemplate=f"%{{x}} columns<br>{name} %{{y:.3f}}<extra></extra>",
        row=row,
        col=1,
    )


def hubs(run: Run[Problem, DistanceConcentration]) -> go.Figure:
    """Draw the number of rows of which each row is a neighbour, in the table and in all columns."""
    steps = [step for step in run.trace.steps if step.phase in ("column", "noise")]
    n_own = sum(step.phase == "column" for step in steps)
    figure = go.Figure()
    for color, step in ((MUTED, steps[n_own - 1]), (ACCENT, steps[-1])):
        times = np.arange(step.counts.max() + 1)
        rows = np.bincount(step.counts)
        hover = "a neighbour of %{x} rows: %{y} rows<extra></extra>"
        name = f"{step.dimensions} column{'s' * (step.dimensions != 1)}"
        figure.add_bar(x=times, y=rows, name=name, marker={"color": color}, hovertemplate=hover)
    figure.update_xaxes(title_text="rows of which it is a neighbour")
    figure.update_yaxes(title_text="rows")
    k = run.trace.steps[-1].neighbors.shape[1]
    n_orphans = int((steps[-1].counts == 0).sum())
    hub = f"The greatest hub is a neighbour of {steps[-1].counts.max()} rows"
    title = f"{hub}, and {n_orphans} rows are of none."
    note = f"Each row has {k} neighbours, so {k} is the mean."
    return finish(figure, title, note, 340, barmode="group", legend=True)
