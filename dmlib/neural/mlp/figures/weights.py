"""The weights of every layer as a picture; those of units that see a picture, as pictures."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run

MOST = 24  # pictures
ACROSS = 8  # in a row
SMALLEST_PICTURE = 16  # columns of a table that may be a picture


@dataclass(frozen=True)
class WeightImages:
    """Matrices with their titles, and whether each is what a unit sees of a picture."""

    titles: list[str]
    images: list[Floats]
    pictures: bool


def side_of(n_columns: int) -> int:
    """Return the side of the square picture that so many columns may be, or 0.

    Examples
    --------
    >>> side_of(64), side_of(4), side_of(63)
    (8, 0, 0)
    """
    side = round(n_columns**0.5)
    return side if side * side == n_columns >= SMALLEST_PICTURE else 0


def weights_data(coefs: list[Floats]) -> WeightImages:
    """Return the weights of each layer, or of each unit of the first layer if the columns may be pixels.

    Examples
    --------
    >>> weights_data([np.ones((2, 3)), np.ones((3, 1))]).titles
    ['Layer 1: 2 × 3', 'Output: 3 × 1']
    """
    side = side_of(len(coefs[0]))
    if side:
        images = [w.reshape(side, side) for w in coefs[0].T[:MOST]]
        return WeightImages([f"Unit {i + 1}" for i in range(len(images))], images, True)
    names = [f"Layer {i + 1}" for i in range(len(coefs) - 1)] + ["Output"]
    titles = [f"{name}: {W.shape[0]} × {W.shape[1]}" for name, W in zip(names, coefs, strict=True)]
    return WeightImages(titles, coefs, False)


def weights(run: Run) -> go.Figure:
    """Draw the weights of the fitted network."""
    return plot_weights(weights_data(run.fitted.coefs_))


def plot_weights(data: WeightImages) -> go.Figure:
    """Draw matrices beside each other, blue below 0 and red above."""
    n = len(data.images)
    columns = min(n, ACROSS)
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
    title = (
        "Weights of the first layer as images"
        if data.pictures
        else "Weights, one row for each input of a layer"
    )
    note = (
        "Red: the pixel adds to the unit, blue: it takes away."
        if data.pictures
        else "Red above 0, blue below."
    )
    return finish(figure, title, note, 170 * rows + 160)
