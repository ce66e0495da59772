"""Fuzzy rows: two marks whose areas are the two largest memberships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.places import points_at
from dmlib.pictures.plane import data_points
from dmlib.problem import Problem

RADIUS, SMALL = 6.0, 4.0  # of a row in pixels, and where there are many
MANY = 500
CERTAIN = 0.995  # from this share on, a row is drawn as belonging to one cluster alone


def share_channels(shares: Floats | None) -> tuple[Any, Any, Any, Any]:
    """Return the two clusters with the largest shares of each row, and the radii of two marks.

    The areas of the marks are the shares.

    Of many rows only the largest share is drawn: the marks are small, and a frame has to travel.

    Examples
    --------
    >>> first, second, inner, outer = share_channels(np.array([[0.25, 0.75], [1.0, 0.0]]))
    >>> first.tolist(), second.tolist(), inner.tolist(), outer.tolist()
    ([1, 0], [0, 1], [5.2, 4.5], [6.0, 0.0])
    """
    if shares is None:
        neutral = np.array([NO_CLASS], np.uint8)
        return neutral, neutral, np.array([SMALL]), np.array([0.0])
    rows, best = np.arange(len(shares)), shares.argmax(axis=1)
    largest = shares[rows, best]
    is_positive = largest > 0
    first = np.where(is_positive, best, NO_CLASS).astype(np.uint8)
    if len(shares) > MANY:
        return first, first, np.array([SMALL]), np.array([0.0])
    remaining_shares = shares.copy()
    remaining_shares[rows, best] = -1
    unsure = is_positive & (largest < CERTAIN)
    inner = RADIUS * np.where(unsure, np.sqrt(largest), 0.75)
    second = remaining_shares.argmax(axis=1).astype(np.uint8)
    return first, second, np.round(inner, 2), np.where(unsure, RADIUS, 0.0)


def shared_rows(
    problem: Problem, shares: Floats | None, names: Sequence[str], **attributes: Any
) -> list[Points]:
    """Return the rows in the colours of their two largest shares; of many rows, of one."""
    first, second, inner, outer = share_channels(shares)
    rows = data_points(problem, color=first, size=inner, classes=names)
    if len(problem.points) > MANY:
        return [rows]
    return [points_at(problem.points, color=second, size=outer, opacity=[0.75], **attributes), rows]
