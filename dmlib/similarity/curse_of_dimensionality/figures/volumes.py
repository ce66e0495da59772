"""Balls, shells and rims by dimension; rows to cover a cube; distances by rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import (
    DistanceConcentration,
    distance_contrast,
)
from dmlib.similarity.curse_of_dimensionality.volumes import (
    ball_volume,
    cover_count,
    edge_share,
    shell_share,
)
from dmlib.trace import look

DIMENSIONS = np.arange(1, 51)
RADII = (1.0, 0.5, 0.2, 0.1)
ROWS, COLUMNS = (10, 20, 50, 100, 200), (1, 2, 3, 5, 10, 20, 50, 100)
MAX_DECADES = 30  # of the axis of rows


def volumes(run: Run[Problem, DistanceConcentration]) -> go.Figure:
    """Draw the shares of a cube in its ball and near its faces, and of a ball near its surface."""
    curves = {
        "cube: within 0.05 of a face": edge_share(DIMENSIONS, 0.05),
        "ball: within 0.05 of the surface": shell_share(DIMENSIONS, 0.05),
        "cube: in the ball that touches its faces": ball_volume(DIMENSIONS, 0.5),
    }
    figure = go.Figure()
    for dash, (name, values) in zip(("solid", "dash", "dot"), curves.items(), strict=True):
        hover = f"d = %{{x}}<br>{name}: %{{y:.4g}}<extra></extra>"
        style = {"line": {"dash": dash}, "hovertemplate": hover}
        figure.add_scatter(x=DIMENSIONS, y=values, name=name, **style)
    figure.update_xaxes(title_text="dimensions, d")
    figure.update_yaxes(title_text="share of the volume", range=[0, 1.02])
    share = percent(edge_share(20, 0.05))
    title = f"In 20 dimensions {share} of a cube lie within a twentieth of a face."
    note = "Almost all rows are near an edge, and the middle is empty."
    return finish(figure, title, note, 340, legend=True)


def cover(run: Run[Problem, DistanceConcentration]) -> go.Figure:
    """Draw the number of rows that would cover the unit cube with balls of several radii."""
    figure = go.Figure()
    for dash, rho in zip(("solid", "dash", "dot", "dashdot"), RADII, strict=True):
        rows = np.maximum(cover_count(DIMENSIONS, rho), 1.0)
        hover = f"ρ = {rho:g}<br>p = %{{x}}<br>at least %{{y:.4g}} rows<extra></extra>"
        style = {"line": {"dash": dash}, "hovertemplate": hover}
        figure.add_scatter(x=DIMENSIONS, y=rows, name=f"ρ = {rho:g}", **style)
    figure.update_xaxes(title_text="columns, p")
    figure.update_yaxes(
        title_text="rows", type="log", range=[0, MAX_DECADES], exponentformat="power", dtick=5
    )
    ten, twenty = cover_count([10, 20], 0.5)
    bounds = f"At least {ten:,.0f} rows in 10 columns, {twenty:,.0f} in 20"
    title = f"{bounds}, for one within ρ = 0.5 of every place."
    note = "N ≥ 1 / (C ρ^p), with C the volume of the ball of radius 1."
    return finish(figure, title, note, 340, legend=True)


@dataclass(frozen=True)
class GammaData:
    """The contrast between the farthest and the nearest pair of random rows.

    Attributes
    ----------
    n_samples, n_features : tuple of int
        Numbers of rows, and of columns.
    gamma : ndarray of shape (n_rows, n_columns)
        Logarithm of (largest - smallest) / smallest distance.
    """

    n_samples: tuple[int, ...]
    n_features: tuple[int, ...]
    gamma: Floats


def gamma_data(random_state: int = 0) -> GammaData:
    """Compute the surface on uniform rows.

    Examples
    --------
    >>> gamma_data().gamma.shape
    (5, 8)
    """
    values = np.empty((len(ROWS), len(COLUMNS)))
    for i, n in enumerate(ROWS):
        for j, d in enumerate(COLUMNS):
            look()
            values[i, j] = distance_contrast(n, d, random_state=random_state)
    return GammaData(ROWS, COLUMNS, values)


def gamma_surface(run: Run[Problem, DistanceConcentration]) -> go.Figure:
    """Draw the surface over the numbers of rows and columns as a table of shades."""
    data = gamma_data(run.seed)
    figure = go.Figure(
        go.Heatmap(
            x=[str(d) for d in data.n_features],
            y=[str(n) for n in data.n_samples],
            z=data.gamma,
            text=np.round(data.gamma, 1),
            texttemplate="%{text}",
            colorscale="Blues",
            reversescale=True,
            hovertemplate="%{y} rows, %{x} columns<br>γ = %{z:.3f}<extra></extra>",
            colorbar={"title": "γ"},
        )
    )
    figure.update_xaxes(title_text="columns, d", type="category")
    figure.update_yaxes(title_text="rows, n", type="category")
    gamma = "γ = ln((max D − min D) / min D)"
    title = f"{gamma} falls with the columns; the number of rows hardly counts."
    note = "All pairs of uniform rows; at γ = 0 the farthest pair is twice as far as the nearest."
    return finish(figure, title, note, 320)
