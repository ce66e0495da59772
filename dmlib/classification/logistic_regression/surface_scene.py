"""The likelihood over two coefficients as a map with the path of the steps on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import log_expit

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.pictures.marks import Line, Points, Raster
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.scene import Axis, Panel, bounds

FINE = 36  # pixels along each side of the map, of few rows
COARSE = 20  # of many rows
MAX_LOGARITHMS = 400_000  # of a map: one for each pixel and row
BANDS = 12
MARGIN = 0.3  # of the path's extent, around it
NAME = "surface"


@dataclass(frozen=True)
class Surface:
    """The height of the likelihood over two coefficients.

    Attributes
    ----------
    terms : tuple of int
        The two coefficients; all others are held where the steps end.
    x, y : ndarray of shape (size,)
        Their values.
    heights : ndarray of shape (size, size)
        The objective; rows follow ``y``, from its smallest value.
    pinned : bool
        Whether the intercept moves along, so that the score at the mean of the columns is held
        instead of it.
    """

    terms: tuple[int, int]
    x: Floats
    y: Floats
    heights: Floats
    pinned: bool


def surface_of(
    likelihood: Likelihood, path: Floats, terms: tuple[int, int], constant: bool
) -> Surface:
    """Return the map of two classes' likelihood around a path of coefficients.

    The path has the shape (n_steps, n_terms). ``terms`` are the two that vary; ``constant`` says
    whether term 0 is the intercept.
    """
    end = path[-1]
    size = int(np.clip(np.sqrt(MAX_LOGARITHMS / len(likelihood.Z)), COARSE, FINE))
    x, y = (_middles(path[:, term], size) for term in terms)
    pinned = constant and 0 not in terms
    Z = likelihood.Z[:, list(terms)]
    if pinned:
        Z = Z - np.average(Z, axis=0, weights=likelihood.weights)
    signs = np.where(likelihood.codes == 1, 1.0, -1.0)
    base = likelihood.scores(end[None])[:, 0]
    across = Z[:, :1] * (x - end[terms[0]])
    up = Z[:, 1:] * (y - end[terms[1]])
    scores = (base[:, None, None] + up[:, :, None] + across[:, None, :]) * signs[:, None, None]
    penalty = likelihood.penalty
    fixed = np.delete(np.arange(len(end)), terms)
    fixed_cost = float(end[fixed] ** 2 @ penalty[fixed])
    cost = penalty[terms[0]] * x**2 + penalty[terms[1]] * y[:, None] ** 2 + fixed_cost
    heights = np.tensordot(likelihood.weights, log_expit(scores), axes=1) - cost / 2
    return Surface(terms, x, y, heights, pinned)


def _middles(values: Floats, size: int) -> Floats:
    edges = np.linspace(*bounds(values, MARGIN), size + 1)
    middles: Floats = (edges[:-1] + edges[1:]) / 2
    return middles


def surface_panel(surface: Surface, names: Sequence[str], title: str) -> Panel:
    """Return the panel of the map."""
    axes = []
    for term, values in zip(surface.terms, (surface.x, surface.y), strict=True):
        half = (values[1] - values[0]) / 2
        axes.append(Axis(f"β, {names[term]}", float(values[0] - half), float(values[-1] + half)))
    return Panel(NAME, axes[0], axes[1], title=title, side=True)


def surface_image(surface: Surface, panel: Panel) -> Raster:
    """Return the map: the stronger the colour, the higher."""
    fall = np.log1p((surface.heights.max() - surface.heights) / _unit(surface.heights))
    shade = 1 - fall / max(float(fall.max()), np.finfo(float).tiny)
    bands = np.floor(shade * BANDS).clip(0, BANDS - 1) / (BANDS - 1)
    pixels = (10 + 245 * bands[::-1]).astype(np.uint8)
    size = len(surface.x)
    return Raster(
        panel=NAME,
        pixels=pixels,
        width=size,
        height=size,
        extent=panel.extent,
        ramp=True,
        opacity=0.75,
    )


def path_marks(path: Floats) -> tuple[Line, Points]:
    """Return the path of the steps so far, shape (n_vertices, 2), and the mark at its end."""
    end = points_at(
        path[-1:], panel=NAME, color=[0], emphasis=True, size=[4.0], numbers=[1], of="coefficients"
    )
    return line_through(path, panel=NAME, width=1.5), end


def _unit(heights: Floats) -> float:
    """Return the smallest visible difference to the maximum: a small part of the range."""
    return max(float(np.ptp(heights)) / 3000, 1e-12)
