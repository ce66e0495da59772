"""Marks from places: arrays of shape (n, 2) in, one of a row without any place is not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.pictures.marks import Line, Mark, Points, Segments

AnyMark = TypeVar("AnyMark", bound=Mark)

MAX_VERTICES = 300  # of the path of a long run

NOWHERE = np.empty((0, 2))
"""No place at all."""


def points_at(places: ArrayLike, **attributes: Any) -> Points:
    """Return points at places.

    Examples
    --------
    >>> points_at([[1.0, 5.0], [2.0, 6.0]], color=[0]).y.tolist()
    [5.0, 6.0]
    """
    x, y = _columns(places)
    return Points(x=x, y=y, **attributes)


def line_through(places: ArrayLike, **attributes: Any) -> Line:
    """Return a line through places.

    Examples
    --------
    >>> line_through([[1.0, 5.0], [2.0, 6.0]], dash=True).x.tolist()
    [1.0, 2.0]
    """
    x, y = _columns(places)
    return Line(x=x, y=y, **attributes)


def segments_between(starts: ArrayLike, ends: ArrayLike, **attributes: Any) -> Segments:
    """Return segments from places to places; one start, or one end, serves for all.

    Examples
    --------
    >>> mark = segments_between([[0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]], arrow=True)
    >>> mark.x0.tolist(), mark.x1.tolist()
    ([0.0, 0.0], [1.0, 3.0])
    """
    first, last = np.broadcast_arrays(_pairs(starts), _pairs(ends))
    return Segments(x0=first[:, 0], y0=first[:, 1], x1=last[:, 0], y1=last[:, 1], **attributes)


def path_until(places: ArrayLike, n: int, **attributes: Any) -> tuple[Line, Points]:
    """Return the line through the first ``n`` places, and the point at its end.

    Examples
    --------
    >>> line, end = path_until([[0.0, 5.0], [1.0, 3.0]], 1)
    >>> line.y.tolist(), end.y.tolist()
    ([5.0], [5.0])
    """
    passed = _pairs(places)[:n]
    return (
        line_through(passed, color="accent", **attributes),
        points_at(passed[-1:], color=[0], of="", **attributes),
    )


def vertices_until(n_steps: int, number: int) -> NDArray[np.intp]:
    """Return the steps through which a path goes up to a step: all, or of a long run some.

    Examples
    --------
    >>> vertices_until(5, 2).tolist(), len(vertices_until(4000, 3999))
    ([0, 1, 2], 300)
    """
    vertices = np.linspace(0, n_steps - 1, min(n_steps, MAX_VERTICES)).round().astype(np.intp)
    return np.append(vertices[vertices < number], number)


def visible_if(condition: bool, mark: AnyMark) -> AnyMark:
    """Return a mark or, where the condition does not hold, one like it that is nowhere.

    Examples
    --------
    >>> len(visible_if(False, points_at([[1.0, 5.0]], size=[2.0])).x)
    0
    """
    if condition:
        return mark
    names = (
        name for name in mark.CHANNELS if name != "palette" and getattr(mark, name) is not None
    )
    channels: dict[str, Any] = {name: np.asarray(getattr(mark, name))[:0] for name in names}
    return replace(mark, **channels)


def visible_where(mask: ArrayLike, mark: AnyMark) -> AnyMark:
    """Return a mark of which some parts have no place; texts and labels stay with their parts.

    For the parts of a large picture that come and go: what a mask does not change stays the same
    array.

    Examples
    --------
    >>> points = points_at([[1.0, 5.0], [2.0, 6.0]], labels=["a", "b"])
    >>> visible_where([True, False], points).x.tolist()
    [1.0, nan]
    """
    name = "x0" if "x0" in mark.CHANNELS else "x"
    channel: dict[str, Any] = {name: np.where(mask, getattr(mark, name), np.nan)}
    return replace(mark, **channel)


def _pairs(places: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(places, float).reshape(-1, 2)


def _columns(places: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = _pairs(places)
    return pairs[:, 0], pairs[:, 1]
