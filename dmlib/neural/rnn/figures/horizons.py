"""The error of a forecast by its horizon, beside that of the naive forecast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.neural.rnn.network import RecurrentNetwork
from dmlib.neural.rnn.task import Task
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem.sequences import SequencesProblem
from dmlib.trace import look

MAX_ORIGINS = 30
HEIGHT = 380  # pixels


@dataclass(frozen=True)
class Horizons:
    """Root mean squared errors by horizon.

    Attributes
    ----------
    network, naive : ndarray of shape (horizon,)
        Those of forecasts 1, 2, ... steps ahead from several origins, and of the last value before
        each.
    n_origins : int
        The number of origins for the first horizon; the farther ahead, the fewer.
    """

    network: Floats
    naive: Floats
    n_origins: int


def horizons_data(run: Run[SequencesProblem, RecurrentNetwork]) -> Horizons:
    """Forecast from each of the held-out values on, after the true values before it.

    Raises
    ------
    ValueError
        If the data are no series.
    """
    model = run.fitted
    task: Task = model.task_
    if not task.is_series:
        raise ValueError("Only a series is forecast. Choose one as the data.")
    held_out = (task.held_out[0] - task.shift) / task.unit
    series = np.concatenate([task.X[0, :, 0], task.Y[0, -1:, 0], held_out])
    n, horizon = len(series) - len(held_out), len(held_out)
    exogenous = np.concatenate([task.X[0, :, 1:], task.known_inputs[0]])
    inputs = np.column_stack([series[:-1], exogenous])[None]
    origins = range(n, len(series), max(1, -(-horizon // MAX_ORIGINS)))
    network, naive = np.full((2, len(origins), horizon), np.nan)
    for i, origin in enumerate(origins):
        look()
        outputs, _, state = model.answers(model.weights_, inputs[:, :origin])
        known_inputs = task.known_inputs[:, origin - n :]
        values = model.extrapolate(model.weights_, outputs[:, -1:], state, known_inputs)
        network[i, : len(values)] = values - series[origin:]
        naive[i, : len(values)] = series[origin - 1] - series[origin:]
    return Horizons(
        task.unit * np.sqrt(np.nanmean(network**2, axis=0)),
        task.unit * np.sqrt(np.nanmean(naive**2, axis=0)),
        len(origins),
    )


def horizons(run: Run[SequencesProblem, RecurrentNetwork]) -> go.Figure:
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
    origins = f"The mean over up to {data.n_origins} origins; the farther ahead, the fewer."
    figure = finish(figure, title, f"Naive: the last value stays. {origins}", HEIGHT)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    return figure.update_layout(showlegend=True, legend=legend)
