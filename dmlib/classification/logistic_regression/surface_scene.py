"""The likelihood over two coefficients as a map with the path of the steps on it, or its height after each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit

from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.scene import Axis, Panel, bounds

Floats = NDArray[np.float64]

FINE, COARSE = 36, 20  # pixels along each side of the map, of few and of many rows
LOGARITHMS = 400_000  # one for each pixel and row: what a map may cost
BANDS = 12
MARGIN = 0.3  # of the path's extent, around it
NAME = "surface"


@dataclass(frozen=True)
class Surface:
    """The height of the likelihood over two coefficients.

    Attributes
    ----------
    terms : tuple of (int, int)
        The two coefficients; all others are held where the steps end.
    x, y : ndarray of shape (size,)
        Their values.
    heights : ndarray of shape (size, size)
        The objective; rows follow ``y``, from its smallest value.
    pinned : bool
        Whether the intercept moves along, so that the score at the mean of the columns is held instead of it.
    """

    terms: tuple[int, int]
    x: Floats
    y: Floats
    heights: Floats
    pinned: bool


def surface_of(likelihood: Likelihood, path: Floats, terms: tuple[int, int], constant: bool) -> Surface:
    """Compute the map of two classes' likelihood around a path.

    Parameters
    ----------
    likelihood : Likelihood
        Of two classes.
    path : ndarray of shape (n_steps, n_terms)
        The coefficients after each step.
    terms : tuple of (int, int)
        Which two to look at.
    constant : bool
        Whether term 0 is the intercept.

    Returns
    -------
    Surface
        The heights on a grid.
    """
    end = path[-1]
    size = int(np.clip(np.sqrt(LOGARITHMS / len(likelihood.Z)), COARSE, FINE))
    x, y = (_middles(path[:, term], size) for term in terms)
    pinned = constant and 0 not in terms
    Z = likelihood.Z[:, list(terms)]
    if pinned:
        Z = Z - np.average(Z, axis=0, weights=likelihood.weights)
    own = np.where(likelihood.codes == 1, 1.0, -1.0)
    base = likelihood.scores(end[None])[:, 0]
    across, up = Z[:, :1] * (x - end[terms[0]]), Z[:, 1:] * (y - end[terms[1]])
    scores = (base[:, None, None] + up[:, :, None] + across[:, None, :]) * own[:, None, None]
    penalty = likelihood.penalty
    rest = 0.5 * float(end**2 @ penalty) - 0.5 * float(end[list(terms)] ** 2 @ penalty[list(terms)])
    cost = 0.5 * (penalty[terms[0]] * x[None, :] ** 2 + penalty[terms[1]] * y[:, None] ** 2)
    heights = np.tensordot(likelihood.weights, log_expit(scores), axes=1) - cost - rest
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
        axes.append(Axis(names[term], float(values[0] - half), float(values[-1] + half)))
    return Panel(NAME, axes[0], axes[1], title=title, side=True)


def surface_marks(surface: Surface, panel: Panel, path: Floats, at: NDArray[np.intp]) -> list[Mark]:
    """Return the map, the path so far, and where it has come to: in each frame the row ``at`` of the path."""
    fall = np.log1p((surface.heights.max() - surface.heights) / _unit(surface.heights))
    shade = 1 - fall / max(float(fall.max()), np.finfo(float).tiny)
    bands = np.floor(shade * BANDS).clip(0, BANDS - 1) / (BANDS - 1)
    extent = (panel.x.low, panel.x.high, panel.y.low, panel.y.high)
    pixels = (10 + 245 * bands[::-1]).astype(np.uint8)
    x, y = path[:, surface.terms[0]], path[:, surface.terms[1]]
    where: dict[str, Any] = {"panel": NAME}
    return [
        Raster(
            pixels=pixels, width=len(surface.x), height=len(surface.y), extent=extent, ramp=True, opacity=0.75, **where
        ),
        Line(
            x=PerFrame([x[: i + 1] for i in at]),
            y=PerFrame([y[: i + 1] for i in at]),
            color="ink",
            width=1.5,
            **where,
        ),
        Points(
            x=PerFrame([x[[i]] for i in at]),
            y=PerFrame([y[[i]] for i in at]),
            color=[0],
            emphasis=True,
            size=[4.0],
            **where,
        ),
    ]


def _unit(heights: Floats) -> float:
    """Return the fall below the top that is the first visible one: a small part of the whole."""
    return max(float(np.ptp(heights)) / 3000, 1e-12)


def height_panel(at: NDArray[np.intp], heights: Floats, title: str) -> Panel:
    """Return the panel of the heights after the steps with the numbers ``at``."""
    last = max(int(at[-1]), 1)
    x = Axis("step", -0.02 * last, 1.02 * last, integer=True)
    return Panel("height", x, Axis("height", *bounds(heights, 0.1)), title=title, side=True)


def height_marks(at: NDArray[np.intp], heights: Floats) -> list[Mark]:
    """Return the heights so far, in one frame for each."""
    x, n = at.astype(float), range(1, len(at) + 1)
    where: dict[str, Any] = {"panel": "height"}
    return [
        Line(x=PerFrame([x[:i] for i in n]), y=PerFrame([heights[:i] for i in n]), color="accent", **where),
        Points(x=PerFrame([x[i - 1 : i] for i in n]), y=PerFrame([heights[i - 1 : i] for i in n]), color=[0], **where),
    ]
