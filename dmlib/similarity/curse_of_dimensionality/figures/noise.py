"""What noise does to neighbours: their error and their hubs by the number of columns, over several draws."""

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
from dmlib.similarity.curse_of_dimensionality.algorithm import MEASURES

DRAWS = 20
BAND = (5, 95)  # percentiles


@dataclass(frozen=True)
class NoiseData:
    """Error and hubness by the number of columns, for several draws of the noise.

    Attributes
    ----------
    n_own : int
        How many columns are the table's.
    error, hubness : ndarray of shape (n_draws, n_dimensions)
        See :class:`dmlib.similarity.DistanceConcentration`; the errors are NaN without classes.
    """

    n_own: int
    error: Floats
    hubness: Floats


def noise_data(run: Run, progress: Callable[[Any], None]) -> NoiseData:
    """Add noise anew for several seeds."""
    task = partial(_path, run.model, run.problem.training.arguments)
    paths = np.array(list(engine.map(task, range(run.seed, run.seed + DRAWS), progress=progress)))
    n_own = min(run.problem.X.shape[1], run.model.n_dimensions)
    return NoiseData(
        n_own, paths[:, :, MEASURES.index("error")], paths[:, :, MEASURES.index("hubness")]
    )


def _path(model: Any, arguments: tuple[Any, ...], seed: int) -> Floats:
    """Return the measures by the number of columns for one draw: a task."""
    path: Floats = clone(model).set_params(random_state=seed).fit(*arguments).path_
    return path


def plot_noise(data: NoiseData) -> go.Figure:
    """Draw the means, with the band in which nine of ten draws lie."""
    with_error = bool(np.isfinite(data.error).all())
    shown = ([("k-NN error", data.error)] if with_error else []) + [
        ("skewness of the hubs", data.hubness)
    ]
    figure = make_subplots(rows=len(shown), cols=1, shared_xaxes=True, vertical_spacing=0.08)
    x = np.arange(1, data.hubness.shape[1] + 1)
    for row, (name, values) in enumerate(shown, start=1):
        low, high = np.percentile(values, BAND, axis=0)
        for edge, fill in ((low, None), (high, "tonexty")):
            figure.add_scatter(
                x=x,
                y=edge,
                mode="lines",
                line={"width": 0},
                fill=fill,
                fillcolor="rgba(47,127,208,0.2)",
                hoverinfo="skip",
                row=row,
                col=1,
            )
        hover = f"%{{x}} columns<br>{name} %{{y:.3f}}<extra></extra>"
        figure.add_scatter(
            x=x,
            y=values.mean(axis=0),
            mode="lines",
            line={"color": ACCENT},
            hovertemplate=hover,
            row=row,
            col=1,
        )
        figure.add_vline(x=data.n_own + 0.5, line={"dash": "dot", "color": MUTED}, row=row, col=1)
        figure.update_yaxes(title_text=name, row=row, col=1)
    figure.update_xaxes(title_text="columns", row=len(shown), col=1)
    if with_error:
        before, after = data.error[:, data.n_own - 1].mean(), data.error[:, -1].mean()
        title = f"The k-NN error goes from {before:.3f} to {after:.3f} as noise is added."
    else:
        title = f"The skewness of the hubs ends at {data.hubness[:, -1].mean():.2f}."
    note = (
        f"Mean of {DRAWS} draws of the noise, with the band of nine in ten; right of the dots"
        " columns are noise."
    )
    return finish(figure, title, note, 220 + 120 * len(shown))


def hubs(run: Run) -> go.Figure:
    """Draw of how many rows each row is a neighbour, in the columns of the table and in all."""
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
    lonely = int((steps[-1].counts == 0).sum())
    title = (
        f"The greatest hub is a neighbour of {steps[-1].counts.max()} rows, and {lonely} rows are"
        " of none."
    )
    return finish(
        figure,
        title,
        f"Each row has {k} neighbours, so {k} is the mean.",
        340,
        barmode="group",
        legend=True,
    )
