"""The weights between all units as a matrix."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.neural.hopfield.algorithm import Hopfield
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import PatternsProblem

HEIGHT = 460  # pixels


def plot_weights(W: NDArray[np.float64]) -> go.Figure:
    """Draw the matrix: blue for positive, red for negative, the darker the larger."""
    units = np.arange(1, len(W) + 1)
    largest = float(np.abs(W).max()) or 1.0
    scale = {"zmin": -largest, "zmax": largest, "colorscale": "RdBu", "colorbar": {"title": "w"}}
    figure = go.Figure(go.Heatmap(z=W, x=units, y=units, **scale))
    figure.update_yaxes(
        title_text="unit", autorange="reversed", scaleanchor="x", constrain="domain"
    )
    figure.update_xaxes(title_text="unit", constrain="domain")
    title = f"The weights between {len(W)} units: symmetric, and 0 on the diagonal"
    note = "Units that mostly agree in the patterns have a positive weight."
    return finish(figure, title, note, HEIGHT)


def weights(run: Run[PatternsProblem, Hopfield]) -> go.Figure:
    """Draw the weights of a run."""
    return plot_weights(run.fitted.weights_)
