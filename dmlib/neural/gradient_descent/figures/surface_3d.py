"""The surface in 3-D with the paths of all walkers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.colors import CODES
from dmlib.pictures.figures.style import class_color, finish
from dmlib.pictures.run import Run

SIZE = 61  # places along each side
SHARE = 0.92  # of the heights that are drawn
HEIGHT = 560  # pixels


@dataclass(frozen=True)
class Surface3D:
    """A surface and the paths on it.

    Attributes
    ----------
    x, y : ndarray of shape (n,)
        The lines of the grid.
    heights : ndarray of shape (n, n)
        The heights, rows along y; NaN above what is drawn.
    paths : list of (str, int, ndarray of shape (n_steps, 3))
        The title, the colour and the path of each walker; NaN outside of the drawn part.
    axes : tuple of (str, str)
        The names of the variables.
    """

    x: Floats
    y: Floats
    heights: Floats
    paths: list[tuple[str, int, Floats]]
    axes: tuple[str, str]


def surface_3d_data(run: Run[Any, GradientDescent]) -> Surface3D:
    """Return the heights over the domain, and the paths of the walkers."""
    problem, steps, model = run.problem, run.trace.steps, run.model
    x, y, heights = problem.grid(SIZE)
    top = max(float(np.nanquantile(heights, SHARE)), float(steps[0].values.max()))
    places = np.stack([step.places for step in steps], axis=1)
    values = np.stack([step.values for step in steps], axis=1)
    is_inside = ((places >= [x[0], y[0]]) & (places <= [x[-1], y[-1]])).all(axis=2)
    points = np.concatenate([places, values[..., None]], axis=2)
    points[~is_inside | (values > top)] = np.nan
    paths = [
        (model.title(i), CODES[model.names[i // model.n_starts]], path)
        for i, path in enumerate(points)
    ]
    return Surface3D(x, y, np.where(heights <= top, heights, np.nan), paths, problem.axes)


def surface_3d(run: Run[Any, GradientDescent]) -> go.Figure:
    """Draw the surface of a run with the paths of its walkers."""
    return plot_surface_3d(surface_3d_data(run))


def plot_surface_3d(data: Surface3D) -> go.Figure:
    """Draw a surface with paths on it."""
    figure = go.Figure()
    # Without contours, which cost a browser without a graphics card a minute:
    style = {"opacity": 0.75, "colorscale": "Greys", "reversescale": True, "showscale": False}
    figure.add_surface(x=data.x, y=data.y, z=data.heights, hoverinfo="skip", **style)
    for title, code, path in data.paths:
        x, y, z = path.T
        figure.add_scatter3d(
            x=x,
            y=y,
            z=z,
            mode="lines+markers",
            name=title,
            line={"width": 6, "color": class_color(figure, code)},
            marker={"size": 2.5, "color": class_color(figure, code)},
            hovertemplate=f"{title}<br>step %{{pointNumber}}<br>f = %{{z:.4g}}<extra></extra>",
        )
    axes = {"xaxis_title": data.axes[0], "yaxis_title": data.axes[1], "zaxis_title": "f"}
    figure.update_scenes(aspectmode="cube", **axes)
    note = "Colours as on the map. Heights above most of the surface are left out."
    return finish(figure, "The surface and the paths on it.", note, HEIGHT)
