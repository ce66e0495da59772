"""The plane in the colours of clusters: which one takes each place, and by how far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Raster
from dmlib.pictures.regions import coarse_surfaces, shade_of
from dmlib.pictures.scene import Panel

SIZE = 60  # pixels along each side
HIGH = 0.9  # share of the pixels whose lead is at most that of the strongest shade


def shaded(scores: Floats, scale: float | None = None) -> tuple[Bytes, Bytes]:
    """Return the cluster with the largest score of each place, and the shade of its lead over the second.

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


def cluster_regions(image: Callable[[Any], tuple[Bytes, Bytes]], states: Sequence[Any], panel: Panel) -> list[Raster]:
    """Return the image of each frame, made when it is asked for; of equal states in a row, the same object."""
    first = [next(j for j, other in enumerate(states) if other is state) for state in states]
    images = Deferred(image, states)
    winner, shade = (Deferred(lambda i, part=part: images[i][part], first) for part in (0, 1))
    return coarse_surfaces(winner, shade, SIZE, None, panel)
