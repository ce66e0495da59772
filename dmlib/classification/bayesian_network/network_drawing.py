"""A network as it is drawn: its columns on a circle, the class in the middle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Points, Segments, Texts
from dmlib.pictures.places import line_through, points_at, segments_between
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting

PANEL = "network"
MAX_NAMES = 20  # columns whose names have room
MAX_LETTERS = 16
NODE = 9.0  # radius in pixels
RING = 14.0
GAP = 0.13  # between the head of an arrow and the middle of its node
REACH = 1.6, 1.45  # half of the width and of the height of the panel


def network_panel() -> Panel:
    """Return the panel of the network, without numbers: only what points to what counts."""
    width, height = REACH
    x, y = Axis("", -width, width), Axis("", -height, height)
    return Panel(PANEL, x, y, "Network", equal=True)


def circle(n: int) -> Floats:
    """Return places on the unit circle, the first one at the top, shape (n, 2).

    Examples
    --------
    >>> circle(2).round(3).tolist()
    [[0.0, 1.0], [0.0, -1.0]]
    """
    angles = np.pi / 2 - 2 * np.pi * np.arange(n) / max(n, 1)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def arrows(starts: ArrayLike, ends: ArrayLike, **attributes: object) -> Segments:
    """Return arrows that end before their nodes.

    Examples
    --------
    >>> arrows([[0.0, 0.0]], [[1.0, 0.0]]).x1.round(2).tolist()
    [0.87]
    """
    first, last = np.broadcast_arrays(
        np.reshape(np.asarray(starts, float), (-1, 2)), np.reshape(np.asarray(ends, float), (-1, 2))
    )
    way = last - first
    length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    attributes = {"panel": PANEL, "arrow": True, **attributes}
    return segments_between(first, last - GAP * way / length, **attributes)


def pair_line(places: Floats, **attributes: object) -> Line:
    """Return a line between two places, in the colour of what is looked at."""
    return line_through(places, panel=PANEL, color="accent", **attributes)


def nodes(places: Floats, numbers: Sequence[int], labels: Sequence[str]) -> Points:
    """Return the nodes of columns."""
    return points_at(
        places,
        panel=PANEL,
        color=[NO_CLASS],
        symbol=[0],
        size=[NODE],
        labels=labels,
        numbers=np.asarray(numbers),
        of="column",
    )


def ring(place: Floats) -> Points:
    """Return the ring around the node that a step is about; no place, no ring."""
    return points_at(place, panel=PANEL, color=[0], symbol=[0], size=[RING], hollow=[1], of="")


def node_names(places: Floats, names: Sequence[str], dy: float = NODE + 14) -> Texts:
    """Return the names of nodes below them; of very many, none."""
    if len(names) > MAX_NAMES:
        places, names = places[:0], ()
    x, y = places.T
    text = [fitting(name, MAX_LETTERS) for name in names]
    return Texts(panel=PANEL, x=x, y=y, text=text, dy=dy, halo=True)
