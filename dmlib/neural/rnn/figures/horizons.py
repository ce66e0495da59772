"""How the error of a forecast grows with its horizon, beside that of the naive forecast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.trace import look

MOST_ORIGINS = 30
HEIGHT = 380  # pixels


@dataclass(frozen=True)
class Horizons:
    """Root mean squared errors by horizon.

    Attributes
    ----------
    network, naive : ndarray of shape (horizon,)
        Of forecasts 1, 2, ... steps ahead from several origins, and of the last value before each.
    n_origins : int
        How many origins there are at the first horizon; the farther ahead, the fewer.
    """

    network: Floats
    naive: Floats
    n_origins: int


def horizons_data(run: Run) -> Horizons:
    """Forecast from each of the held-out values on, the true values before it given."""
    model = run.fitted
    task: Any = model.task_
    if not task.forecast:
        raise ValueError("Only a series is forecast. Choose one as the data.")
    held = (task.held[0] - task.shift) / task.unit
    learned = np.append(task.X[0, :, 0], task.Y[0, -1, 0])
    series, n = np.append(learned, held), len(learned)
    further = np.concatenate([task.X[0, :, 1:], task.known[0]])
    inputs = np.column_stack([series[:-1], further])[None]
    origins = range(n, len(series), max(1, -(-len(held) // MOST_ORIGINS)))
    squares: list[list[list[float]]] = [[[] for _ in held] for _ in range(2)]
    for origin in origins:
        look()
        said, _, state = model.answers(model.weights_, inputs[:, :origin])
        found = model.onwards(model.weights_, said[:, -1:], state, task.known[:, origin - n :])
        for k, (value, truth) in enumerate(zip(found, series[origin:], strict=True)):
            squares[0][k].append((value - truth) ** 2)
            squares[1][k].append((series[origin - 1] - truth) ** 2)
    network, naive = (
        task.unit * np.array([np.mean(each) for each in some]) ** 0.5 for some in squares
    )
    return Horizons(network, naive, len(origins))


def horizons(run: Run) -> go.Figure:
    """Draw the errors by horizon."""
    return plot_horizons(horizons_data(run))


def plot_horizons(data: Horizons) -> go.Figure:
    """Draw the errors of the network and of the naive forecast over the horizon."""
    figure, ahead = go.Figure(), np.arange(1, len(data.network) + 1)
    for name, errors, color, dash in (
        ("network", data.network, ACCENT, "solid"),
        ("naive", data.naive, MUTED, "dash"),
    ):
        figure.add_scatter(
            x=ahead,
            y=errors,
            mode="lines+markers",
            name=name,
            line={"color": color, "dash": dash, "width": 2},
            hovertemplate=f"{name}<br>%{{x}} steps ahead<br>RMSE %{{y:.4g}}<extra></extra>",
        )
    figure.update_xaxes(title="steps ahead")
    figure.update_yaxes(title="RMSE", rangemode="tozero")
    better = int((data.network < data.naive).sum())
    title = f"The network is better than the naive forecast at {better} of {len(ahead)} horizons."
    note = (
        f"Naive: the last value stays. The mean over up to {data.n_origins} origins; the farther"
        " ahead, the fewer."
    )
    figure = finish(figure, title, note, HEIGHT)
    return figure.update_layout(
        showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    )
