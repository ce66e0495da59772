"""The value that an optimiser reaches with each learning rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib import trace
from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.colors import CODES
from dmlib.neural.gradient_descent.optimizers import BY_SLOPE, OPTIMIZERS
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.trace import look

N_RATES = 33
MIN_SHARE, MAX_SHARE = 0.01, 2.5  # of the largest stable rate
MAX_STEPS = 200
HEIGHT = 380  # pixels


@dataclass(frozen=True)
class StepSizes:
    """The values reached with each learning rate.

    Attributes
    ----------
    rates : ndarray of shape (n_rates,)
        The learning rates.
    heights : dict of str to ndarray of shape (n_rates,)
        By the optimiser's name, the height after the last step; NaN where the walker diverged.
    stable : float
        2/λ at the lowest place of the run.
    n_steps : int
        The number of steps.
    """

    rates: Floats
    heights: dict[str, Floats]
    stable: float
    n_steps: int


def step_sizes_data(run: Run[Any, GradientDescent]) -> StepSizes:
    """Walk from the first start with each rate, by the optimisers whose rate multiplies a gradient.

    Raises
    ------
    ValueError
        If no curvature is positive at the lowest place of the run.
    """
    model, surface = run.model, run.problem
    names = [name for name in model.names if name in BY_SLOPE] or ["gradient"]
    stable = float(run.trace.steps[-1].stable_rate)
    if not np.isfinite(stable):
        raise ValueError(
            "No curvature is positive at the lowest place, so there is no largest stable rate."
            " Choose another start."
        )
    rates = stable * np.geomspace(MIN_SHARE, MAX_SHARE, N_RATES)
    n_steps = min(model.max_iter, MAX_STEPS)
    params = {"optimizer": ",".join(names), "n_starts": 1, "max_iter": n_steps}
    heights = np.empty((len(names), N_RATES))
    for k, rate in enumerate(rates):
        look()
        walk = clone(model).set_params(**params, learning_rate=float(min(rate, 1e3)))
        last = trace.run(walk, surface).steps[-1]
        has_failed = np.isin(last.status, ("diverged", "undefined"))
        heights[:, k] = np.where(has_failed, np.nan, last.values)
    return StepSizes(rates, dict(zip(names, heights, strict=True)), stable, n_steps)


def step_sizes(run: Run[Any, GradientDescent]) -> go.Figure:
    """Draw the heights reached with each learning rate."""
    return plot_step_sizes(step_sizes_data(run))


def plot_step_sizes(data: StepSizes) -> go.Figure:
    """Draw the height after the last step by learning rate, and the largest stable rate."""
    figure = go.Figure()
    for name, heights in data.heights.items():
        title = OPTIMIZERS[name].title
        figure.add_scatter(
            x=data.rates,
            y=heights,
            mode="lines+markers",
            name=title,
            line={"width": 2, "color": class_color(figure, CODES[name])},
            hovertemplate=f"{title}<br>η = %{{x:.3g}}<br>f = %{{y:.4g}}<extra></extra>",
        )
    figure.add_vline(x=data.stable, line={"color": MUTED, "dash": "dash"})
    figure.update_xaxes(title="learning rate η", type="log")
    figure.update_yaxes(title=f"f after {data.n_steps} steps")
    title = f"Beyond 2/λ = {data.stable:.3g} gradient descent diverges."
    dashed = "Dashed: 2/λ at the lowest place; elsewhere λ may be another"
    figure = finish(figure, title, f"{dashed}. A rate without a point diverges.", HEIGHT)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    return figure.update_layout(showlegend=len(data.heights) > 1, legend=legend)
