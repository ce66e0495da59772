"""The weights of every layer as heat maps; those of pixels as images."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_IMAGES = 24
MAX_COLUMNS = 8  # images beside each other
MIN_PIXELS = 16  # columns of a table whose rows may be images


@dataclass(frozen=True)
class WeightImages:
    """Matrices with their titles."""

    titles: list[str]
    images: list[Floats]
    of_pixels: bool  # whether each is the weights of a unit by pixels


def side_of(n_columns: int) -> int:
    """Return the side of the square image that so many columns may be, or 0.

    Examples
    --------
    >>> side_of(64), side_of(4), side_of(63)
    (8, 0, 0)
    """
    side = round(n_columns**0.5)
    return side if side * side == n_columns >= MIN_PIXELS else 0


def weights_data(coefs: list[Floats]) -> WeightImages:
    """Return the weights of each layer, or of each first unit if the columns may be pixels.

    Examples
    --------
    >>> weights_data([np.ones((2, 3)), np.ones((3, 1))]).titles
    ['Layer 1: 2 × 3', 'Output: 3 × 1']
    """
    side = side_of(len(coefs[0]))
    if side:
        images = [w.reshape(side, side) for w in coefs[0].T[:MAX_IMAGES]]
        return WeightImages([f"Unit {i + 1}" for i in range(len(images))], images, True)
    names = [f"Layer {i + 1}" for i in range(len(coefs) - 1)] + ["Output"]
    titles = [f"{name}: {W.shape[0]} × {W.shape[1]}" for name, W in zip(names, coefs, strict=True)]
    return WeightImages(titles, coefs, False)


def weights(run: Run[Problem, MLPClassifier | MLPRegressor]) -> go.Figure:
    """Draw the weights of the fitted network."""
    return plot_weights(weights_data(run.fitted.coefs_))


def plot_weights(data: WeightImages) -> go.Figure:
    """Draw matrices beside each other, blue below 0 and red above."""
    n = len(data.images)
    columns = min(n, MAX_COLUMNS)
    rows = ceil(n / columns)
    figure = make_subplots(
        rows=rows, cols=columns, subplot_titles=data.titles, vertical_spacing=0.12 / rows
    )
    top = max(float(np.abs(image).max()) for image in data.images) or 1.0
    for i, image in enumerate(data.images):
        figure.add_heatmap(
            z=image,
            zmin=-top,
            zmax=top,
            colorscale="RdBu_r",
            showscale=i == 0,
            row=i // columns + 1,
            col=i % columns + 1,
            hovertemplate="from %{y} to %{x}: %{z:.4g}<extra></extra>",
        )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, autorange="reversed")
    title, note = "Weights, one row for each input of a layer", "Red above 0, blue below."
    if data.of_pixels:
        title = "Weights of the first layer as images"
        note = "Red: the pixel adds to the unit, blue: it takes away."
    return finish(figure, title, note, 170 * rows + 160)
