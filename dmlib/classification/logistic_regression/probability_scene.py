"""The probability over the plane: the lines on which it is equal, and images of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.terms import Fit
from dmlib.pictures.marks import Line, Mark, Texts
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.plane import across
from dmlib.pictures.regions import shade_of
from dmlib.pictures.scene import Axis, Panel

LEVELS = (0.1, 0.5, 0.9)  # probabilities whose lines are drawn
INSET = (0.03, 0.05)  # how far inside the panel names are, as shares of its size
OVERLAP = (0.14, 0.045)  # the distance at which they would overlap
RAISED = -8.0  # pixels by which a name is above its line
COARSE = 30  # pixels along each side of the image of a step


def probability_lines(fit: Fit, panel: Panel) -> list[Mark]:
    """Return the lines on which the probability of class 1 has the levels, with their names."""
    _, slopes = fit
    rises = bool(slopes[0] * slopes[1] < 0)
    places = _name_places(fit, panel, rises)
    return [
        *(_level_line(fit, panel, p) for p in LEVELS),
        _level_names(places if rises else NOWHERE, "end"),
        _level_names(NOWHERE if rises else places, "start"),
    ]


def _level_line(fit: Fit, panel: Panel, p: float) -> Line:
    ends = across(*fit, float(logit(p)), panel)
    if p == 0.5:
        return line_through(ends, width=2.5)
    return line_through(ends, color=int(p > 0.5), width=1.5, dash=True)


def _level_names(places: Floats, anchor: str) -> Texts:
    names = [f"P = {p:g}" for p in LEVELS]
    return Texts(x=places[:, 0], y=places[:, 1], anchor=anchor, text=names, dy=RAISED, halo=True)


def _name_places(fit: Fit, panel: Panel, rises: bool) -> Floats:
    """Return the places of the names; NaN for one that would overlap that of P = 0.5.

    A name stands above the high end of its line, so that the line does not cross it: to the left of
    that end if the line rises, to the right if it falls.
    """
    inner = replace(panel, x=_within(panel.x, INSET[0]), y=_within(panel.y, INSET[1]))
    lines = [across(*fit, float(logit(p)), inner) for p in LEVELS]
    sign = 1 if rises else -1
    places = np.array([line[(sign * line[:, 0]).argmax()] for line in lines])
    middle = len(LEVELS) // 2
    overlaps = (np.abs(places - places[middle]) < OVERLAP * panel.size).all(axis=1)
    overlaps[middle] = False
    places[overlaps] = np.nan
    return places


def _within(axis: Axis, share: float) -> Axis:
    margin = share * (axis.high - axis.low)
    return replace(axis, low=axis.low + margin, high=axis.high - margin)


def probability_image(fit: Fit, panel: Panel) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the more probable class of each pixel of a coarse image, and its shade."""
    start, slopes = fit
    share = (np.arange(COARSE) + 0.5) / COARSE
    x, y = (axis.low + (axis.high - axis.low) * share for axis in (panel.x, panel.y))
    p = expit(start + slopes[0] * x[None, :] + slopes[1] * y[::-1, None])
    return (p > 0.5).astype(np.uint8), shade_of(np.abs(2 * p - 1))
