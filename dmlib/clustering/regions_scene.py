"""The plane in the colours of clusters: which one takes each place, and by how far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.marks import Raster
from dmlib.pictures.regions import shade_of
from dmlib.pictures.scene import Panel

SIZE = 60  # pixels along each side
AROUND = 0.4  # widths of a panel on each side
HIGH = 0.9  # share of the pixels whose lead is at most that of the strongest shade


def shaded(scores: Floats, scale: float | None = None) -> tuple[Bytes, Bytes]:
    """Return the cluster with the largest score at each place, and the shade of its lead.

    ``scale`` is the lead of the strongest shade; by default what nine of ten places have at most.

    Examples
    --------
    >>> winner, shade = shaded(np.array([[1.0, 0.0], [0.5, 0.5]]), 1.0)
    >>> winner.tolist(), shade.tolist()
    ([0, 0], [255, 70])
    """
    winner = scores.argmax(axis=1).astype(np.uint8)
    if scores.shape[1] == 1:
        return winner, shade_of(np.zeros(len(scores)))
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    lead = first - second
    scale = float(np.quantile(lead, HIGH)) if scale is None else scale
    sure = np.clip(lead / scale, 0.0, 1.0) if scale > 0 else np.zeros(len(lead))
    return winner, shade_of(sure)


def wider(panel: Panel) -> Panel:
    """Return a panel with room around it where its axes have one scale: more of it is seen then.

    Examples
    --------
    >>> from dmlib.pictures.scene import Axis
    >>> panel = wider(Panel("data", Axis("x", 0, 1), Axis("y", 0, 10), equal=True))
    >>> [float(end) for end in panel.extent]
    [-0.4, 1.4, -4.0, 14.0]
    """
    if not panel.equal:
        return panel
    (x0, x1, y0, y1), (across, up) = panel.extent, AROUND * panel.size
    x, y = replace(panel.x, low=x0 - across, high=x1 + across), replace(panel.y, low=y0 - up)
    return replace(panel, x=x, y=replace(y, high=y1 + up))


def cluster_regions(
    image: Callable[[Any], tuple[Bytes, Bytes]], panel: Panel
) -> Callable[[Any], Raster]:
    """Return a function from a state of a run to the image of its clusters, which is computed once.

    Parameters
    ----------
    image : callable
        Takes a state and returns the cluster of each pixel and the shade, as :func:`shaded` does.
    panel : Panel
        The panel of the plane.

    Examples
    --------
    >>> from dmlib.pictures.scene import Axis
    >>> calls = []
    >>> panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    >>> def image(state):
    ...     calls.append(state)
    ...     return np.zeros(1), np.ones(1)
    >>> regions = cluster_regions(image, panel)
    >>> center = np.zeros(2)
    >>> regions(center).pixels is regions(center).pixels, len(calls)
    (True, 1)
    """
    images: dict[int, tuple[Any, tuple[Bytes, Bytes]]] = {}

    def regions(state: Any) -> Raster:
        if id(state) not in images:
            images[id(state)] = state, image(state)  # the state too, so that its id stays its own
        winner, shade = images[id(state)][1]
        return Raster(pixels=winner, shade=shade, width=SIZE, height=SIZE, extent=panel.extent)

    return regions
