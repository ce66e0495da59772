"""Marks of clusterings with centres: the centres, their moves, Voronoi cells, rings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Cells, Line, Points, Segments
from dmlib.pictures.places import NOWHERE, line_through, points_at, segments_between

START = 4.0  # radius in pixels of the place where a centre began


def numbered(noun: str, n: int) -> list[str]:
    """Return names with numbers from 1.

    Examples
    --------
    >>> numbered("cluster", 2)
    ['cluster 1', 'cluster 2']
    """
    return [f"{noun} {j + 1}" for j in range(n)]


def center_points(places: Floats, names: list[str], **attributes: Any) -> Points:
    """Return centres in the colours of their clusters; there may be more names than places."""
    color = np.arange(len(places)) % NO_CLASS
    return points_at(places, color=color, labels=names, emphasis=True, **attributes)


def moves(before: Floats, after: Floats, has_moved: bool, **attributes: Any) -> Segments:
    """Return the arrows of centres that have moved; nowhere otherwise.

    Examples
    --------
    >>> moves(np.zeros((1, 2)), np.ones((1, 2)), has_moved=False).x0.tolist()
    []
    """
    starts, ends = (before, after) if has_moved else (NOWHERE, NOWHERE)
    return segments_between(starts, ends, arrow=True, **attributes)


def paths(centers: Sequence[Floats], **attributes: Any) -> tuple[Line, Points]:
    """Return the paths of centres through the places of each step, and the places they began at.

    A centre without a place yet is NaN.

    Examples
    --------
    >>> line, starts = paths([np.array([[0.0, 0.0], [np.nan, np.nan]]), np.ones((2, 2))])
    >>> line.x.tolist(), starts.x.tolist()
    ([0.0, 1.0, nan, 1.0, nan], [0.0, 1.0])
    """
    gap = np.full((1, 2), np.nan)
    tracks, starts = [NOWHERE], [NOWHERE]
    for track in np.swapaxes(np.array(centers), 0, 1):
        placed = track[np.isfinite(track).all(axis=1)]
        is_new = np.append(True, (np.diff(placed, axis=0) != 0).any(axis=1))[: len(placed)]
        tracks += [placed[is_new], gap]
        starts.append(placed[:1] if len(placed) else gap)
    places = np.vstack(starts)
    color = np.arange(len(places)) % NO_CLASS
    return (
        line_through(np.vstack(tracks), color="muted", width=1.0, of="", **attributes),
        points_at(places, color=color, hollow=[1], size=[START], of="", **attributes),
    )


def voronoi_cells(centers: Floats, **attributes: Any) -> Cells:
    """Return the regions in which each centre is the nearest."""
    x, y = centers.T
    return Cells(x=x, y=y, **attributes)


def rings(places: Floats, size: float, **attributes: Any) -> Points:
    """Return rings around places, of a radius in pixels."""
    return points_at(places, color=[NO_CLASS], symbol=[0], hollow=[1], size=[size], **attributes)
