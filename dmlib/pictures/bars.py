"""A side panel with a bar for each class: votes, shares, probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.pictures.marks import PerFrame, Rects
from dmlib.pictures.scene import Axis, Panel

MOST_NAMES = 6  # that fit under an axis
HALF = 0.35  # width of a bar


def class_bars(
    panel: str, classes: Sequence[str], codes: ArrayLike, heights: Sequence[Any], y: Axis, title: str
) -> tuple[Panel, Rects]:
    """Return a panel with a place for each class, and in it bars of some of them, as high as each frame says.

    Examples
    --------
    >>> y = Axis("votes", 0.0, 5.0)
    >>> panel, bars = class_bars("votes", ("a", "b", "c"), [0, 2], [[1.0, 3.0]], y, "Votes")
    >>> panel.x.ticks, bars.x0.tolist(), bars.y1.rows
    (('a', 'b', 'c'), [-0.35, 1.65], [[1.0, 3.0]])
    """
    n, at = len(classes), np.asarray(codes, float)
    names = tuple(classes) if n <= MOST_NAMES else tuple(map(str, range(1, n + 1)))
    bars = Rects(
        panel=panel, x0=at - HALF, x1=at + HALF, y0=np.zeros(len(at)), y1=PerFrame(heights),
        color=at.astype(np.uint8), tween=True,
    )  # fmt: skip
    return Panel(panel, Axis("class", -0.5, n - 0.5, ticks=names), y, title, side=True), bars
