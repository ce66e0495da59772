"""What a machine samples by itself: chains that start at noise, after more and more steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from scipy.special import expit

from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.pictures.figures.style import ACCENT, CLEAR, finish
from dmlib.pictures.run import Run
from dmlib.trace import look

CHAINS = 8
MOMENTS = (0, 1, 10, 100, 1000)
HEIGHT = 560  # pixels


@dataclass(frozen=True)
class Dreams:
    """Samples.

    Attributes
    ----------
    moments : tuple of int
        The steps or sweeps after which they are taken.
    samples : ndarray of shape (n_moments, n_chains, height, width)
        For each cell the probability that it is on.
    """

    moments: tuple[int, ...]
    samples: NDArray[np.float64]


def dreams_data(run: Run) -> Dreams:
    """Sample from noise on, at the temperature of the run."""
    rng, model, problem = np.random.RandomState(run.seed), run.fitted, run.problem
    now = (rng.uniform(size=(CHAINS, problem.data.shape[1])) < 0.5).astype(float)
    samples, done = [], 0
    for moment in MOMENTS:
        if isinstance(model, RestrictedBoltzmannMachine):
            now = model.parameters_.dream(now, moment - done, rng)
            shown = model.reconstruct(now) if moment else now
        else:
            shown = now = _sweeps(model, now, moment - done, rng)
        samples.append(shown.reshape(CHAINS, problem.height, problem.width))
        done = moment
    return Dreams(MOMENTS, np.array(samples))


def _sweeps(
    model: object, start: NDArray[np.float64], n: int, rng: np.random.RandomState
) -> NDArray[np.float64]:
    states = 2 * start - 1
    W, b, T = (getattr(model, name) for name in ("weights_", "intercept_", "temperature"))
    for _ in range(n):
        look()
        for unit in range(len(b)):
            on = expit(2 * (states @ W[unit] + b[unit]) / T)
            states[:, unit] = np.where(rng.uniform(size=len(states)) < on, 1.0, -1.0)
    return (states > 0).astype(float)


def plot_dreams(data: Dreams) -> go.Figure:
    """Draw the chains side by side, the moments below each other."""
    n_moments, n_chains = data.samples.shape[:2]
    figure = make_subplots(n_moments, n_chains, horizontal_spacing=0.01, vertical_spacing=0.02)
    for i, row in enumerate(data.samples):
        for j, sample in enumerate(row):
            colors = [[0, CLEAR], [1, ACCENT]]
            heat = go.Heatmap(
                z=sample[::-1], zmin=0, zmax=1, colorscale=colors, showscale=False, xgap=1, ygap=1
            )
            figure.add_trace(heat, i + 1, j + 1)
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(showticklabels=False, showgrid=False, scaleanchor="x", constrain="domain")
    for i, moment in enumerate(data.moments):
        figure.update_yaxes(title_text=f"{moment}", row=i + 1, col=1)
    title = f"{n_chains} chains that start at noise"
    return finish(
        figure, title, f"Rows: after {', '.join(map(str, data.moments))} steps of sampling.", HEIGHT
    )


def dreams(run: Run) -> go.Figure:
    """Return the dreams of a run."""
    return plot_dreams(run.once("dreams", lambda: dreams_data(run)))
