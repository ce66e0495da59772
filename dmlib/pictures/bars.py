"""A side panel with a bar for each class: votes, shares, probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dmlib.pictures.marks import Channel, Rects
from dmlib.pictures.scene import Axis, Panel

MAX_NAMES = 6  # that fit under an axis
HALF = 0.35  # width of a bar


def class_panel(panel: str, classes: Sequence[str], y: Axis, title: str) -> Panel:
    """Return a panel with a place for each class.

    Examples
    --------
    >>> class_panel("votes", ("a", "b", "c"), Axis("votes", 0.0, 5.0), "Votes").x.ticks
    ('a', 'b', 'c')
    """
    n = len(classes)
    names = tuple(classes) if n <= MAX_NAMES else tuple(map(str, range(1, n + 1)))
    return Panel(panel, Axis("class", -0.5, n - 0.5, ticks=names), y, title, side=True)


def class_rects(panel: str, codes: ArrayLike, heights: Channel) -> Rects:
    """Return the bars of classes, by their codes.

    Examples
    --------
    >>> bars = class_rects("votes", [0, 2], [1.0, 3.0])
    >>> bars.x0.tolist(), bars.y1
    ([-0.35, 1.65], [1.0, 3.0])
    """
    places = np.asarray(codes, float)
    return Rects(
        panel=panel,
        x0=places - HALF,
        x1=places + HALF,
        y0=np.zeros(len(places)),
        y1=heights,
        color=places.astype(np.uint8),
    )
