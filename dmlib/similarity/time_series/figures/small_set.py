"""A small set of series in three classes: cylinders, bells and funnels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dmlib.similarity.time_series.algorithm import DynamicTimeWarping
from dmlib.similarity.time_series.distances import dtw_distances
from dmlib.similarity.time_series.warping import transformed

SHAPES = ("cylinder", "bell", "funnel")
EACH, LENGTH = 6, 40
NOISE = 0.7


def small_set(seed: int = 0) -> tuple[list[NDArray[np.float64]], NDArray[np.intp]]:
    """Return six cylinders, bells and funnels of random place and width each, and their classes.

    References
    ----------
    N. Saito (1994), Local feature extraction and its application using a library of bases.

    Examples
    --------
    >>> series, classes = small_set()
    >>> len(series), len(series[0]), classes[:7].tolist()
    (18, 40, [0, 0, 0, 0, 0, 0, 1])
    """
    rng = np.random.default_rng(seed)
    t, series = np.arange(LENGTH), []
    for shape in SHAPES:
        for _ in range(EACH):
            start = int(rng.integers(2, 24))
            end = min(start + int(rng.integers(8, 14)), LENGTH - 2)
            inside = (t >= start) & (t <= end)
            rise = (t - start) / (end - start)
            height = {"cylinder": np.ones(LENGTH), "bell": rise, "funnel": 1 - rise}[shape]
            size, noise = 4 + 0.3 * rng.normal(), NOISE * rng.normal(size=LENGTH)
            series.append(size * inside * height + noise)
    return series, np.repeat(np.arange(len(SHAPES)), EACH)


def distances_of(model: DynamicTimeWarping, radius: int | None) -> NDArray[np.float64]:
    """Return the distances of the small set in a band, with the transform and metric of a model.

    Examples
    --------
    >>> distances_of(DynamicTimeWarping(), 0).shape
    (18, 18)
    """
    return _distances(model.transform, model.metric, radius).copy()


@lru_cache(64)
def _distances(transform: str, metric: str, radius: int | None) -> NDArray[np.float64]:
    series, _ = small_set()
    return dtw_distances([transformed(values, transform) for values in series], radius, metric)
