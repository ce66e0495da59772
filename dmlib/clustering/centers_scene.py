"""Marks of clusterings with centres: the centres, their moves, Voronoi cells, rings."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Cells, Points, Segments
from dmlib.pictures.places import NOWHERE, points_at, segments_between


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


def voronoi_cells(centers: Floats, **attributes: Any) -> Cells:
    """Return the regions in which each centre is the nearest."""
    x, y = centers.T
    return Cells(x=x, y=y, **attributes)


def rings(places: Floats, size: float, **attributes: Any) -> Points:
    """Return rings around places, of a radius in pixels."""
    return points_at(places, color=[NO_CLASS], symbol=[0], hollow=[1], size=[size], **attributes)
