"""How low an optimiser comes with each learning rate: too small is slow, too large is thrown out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.colors import CODES
from dmlib.neural.gradient_descent.optimizers import BY_SLOPE, OPTIMIZERS
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.trace import look, run

RATES = 33  # tried, between a hundredth and 1.5 times the largest stable one
LOWEST, HIGHEST = 0.01, 2.5
MOST_STEPS = 200
HEIGHT = 380  # pixels


@dataclass(frozen=True)
class StepSizes:
    """What each learning rate leads to.

    Attributes
    ----------
    rates : ndarray of shape (n_rates,)
        The learning rates.
    heights : dict of str to ndarray of shape (n_rates,)
        By the optimiser's name, the height after the last step; NaN where the walker diverged.
    stable : float
        2/λ at the lowest place of the run; infinite where nothing curves upwards.
    n_steps : int
        The number of steps.
    """

    rates: Floats
    heights: dict[str, Floats]
    stable: float
    n_steps: int


def step_sizes_data(of: Run) -> StepSizes:
    """Walk once with each rate, from the first start, with those optimisers whose rate multiplies a gradient."""
    model, surface = of.model, of.problem
    names = [name for name in model.names if name in BY_SLOPE] or ["gradient"]
    stable = float(of.trace.steps[-1].stable_rate)
    if not np.isfinite(stable):
        raise ValueError(
            "No curvature is positive at the lowest place, so there is no largest stable rate."
            " Choose another start."
        )
    rates = stable * np.geomspace(LOWEST, HIGHEST, RATES)
    n_steps = min(model.max_iter, MOST_STEPS)
    heights: dict[str, list[float]] = {name: [] for name in names}
    for rate in rates:
        look()
        asked = {
            "optimizer": ",".join(names),
            "learning_rate": float(min(rate, 1e3)),
            "n_starts": 1,
        }
        last = run(clone(model).set_params(max_iter=n_steps, **asked), surface).steps[-1]
        for name, value, status in zip(names, last.values, last.status, strict=True):
            heights[name].append(np.nan if status in ("diverged", "undefined") else float(value))
    return StepSizes(
        rates, {name: np.array(values) for name, values in heights.items()}, stable, n_steps
    )


def step_sizes(of: Run) -> go.Figure:
    """Draw the heights reached with each learning rate."""
    return plot_step_sizes(step_sizes_data(of))


def plot_step_sizes(data: StepSizes) -> go.Figure:
    """Draw the height after the last step over the learning rate, and where gradient descent stops being stable."""
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
    note = (
        "Dashed: 2/λ at the lowest place; elsewhere λ may be another. A rate without a point"
        " diverges."
    )
    figure = finish(figure, title, note, HEIGHT)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    return figure.update_layout(showlegend=len(data.heights) > 1, legend=legend)
