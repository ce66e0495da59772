"""The probability of a linear score over the plane: lines on which it is equal, and images of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import expit, logit

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line, Mark, Raster, Texts
from dmlib.pictures.motion import xy
from dmlib.pictures.plane import across
from dmlib.pictures.regions import coarse_surfaces, last_surface, shade_of
from dmlib.pictures.scene import Axis, Panel

Fit = tuple[float, Floats]
"""The score at (0, 0) of the plane, and its slopes along the two axes."""

LEVELS = (0.1, 0.5, 0.9)  # probabilities whose lines are drawn
SIDE, TOP = 0.03, 0.05  # shares of the panel: how far inside names are
NEAR = (0.14, 0.045)  # and how near to each other they would overlap
RAISED = -8.0  # pixels by which a name is above its line
NOWHERE = np.full((len(LEVELS), 2), np.nan)
MOST_IMAGES = 28  # frames up to which each has its image
COARSE = 30  # pixels along each side of it


def probability_lines(fits: Sequence[Fit], panel: Panel) -> list[Mark]:
    """Return the lines of every frame on which the probability of class 1 has the levels, with their names."""
    marks: list[Mark] = []
    for p in LEVELS:
        lines = [across(start, slopes, float(logit(p)), panel) for start, slopes in fits]
        color: int | str = "ink" if p == 0.5 else int(p > 0.5)
        xs, ys = xy(lines)
        marks.append(Line(x=xs, y=ys, color=color, width=2.5 if p == 0.5 else 1.5, dash=p != 0.5, tween=True))
    names = [f"P = {p:g}" for p in LEVELS]
    rising = [slopes[0] * slopes[1] < 0 for _, slopes in fits]
    for up, anchor in ((True, "end"), (False, "start")):
        x, y = xy(
            _name_places(fit, panel, up) if up == here else NOWHERE for fit, here in zip(fits, rising, strict=True)
        )
        marks.append(Texts(x=x, y=y, anchor=anchor, text=names, dy=RAISED))
    return marks


def _name_places(fit: Fit, panel: Panel, rising: bool) -> Floats:
    """Return where the lines of a frame are named, shape (n_levels, 2); near the middle one, others have no name.

    A name stands above the high end of its line, so that the line does not cross it: to the left of that end if the
    line rises, to the right if it falls.
    """
    inner = replace(panel, x=_within(panel.x, SIDE), y=_within(panel.y, TOP))
    ends = [across(*fit, float(logit(p)), inner) for p in LEVELS]
    places = np.array([line[line[:, 0].argmax() if rising else line[:, 0].argmin()] for line in ends])
    middle = len(LEVELS) // 2
    near = (np.abs(places - places[middle]) < NEAR * panel.size).all(axis=1)
    near[middle] = False
    places[near] = np.nan
    return places


def _within(axis: Axis, share: float) -> Axis:
    margin = share * (axis.high - axis.low)
    return replace(axis, low=axis.low + margin, high=axis.high - margin)


def probability_images(fits: Sequence[Fit], panel: Panel, surface: Raster | None) -> list[Raster]:
    """Return the probability surface of every frame, coarse, if there are few; and the fine one of the last."""
    if len(fits) > MOST_IMAGES:
        return last_surface(surface, len(fits))
    x, y = (axis.low + (axis.high - axis.low) * (np.arange(COARSE) + 0.5) / COARSE for axis in (panel.x, panel.y))
    chances = [expit(start + slopes[0] * x[None, :] + slopes[1] * y[::-1, None]) for start, slopes in fits]
    sure = [shade_of(np.abs(2 * p - 1)) for p in chances]
    winner = [(p > 0.5).astype(np.uint8) for p in chances]
    return coarse_surfaces(winner, sure, COARSE, surface, panel)
