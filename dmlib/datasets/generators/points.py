"""Shared parts of the generators of points in the box [0, 10] x [0, 10]."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.drawn import class_name
from dmlib.datasets.table import Table

Array = NDArray[np.float64]

LOW, HIGH = 0.0, 10.0
CENTRE = (LOW + HIGH) / 2
LICENCE = "CC0: made by this program."


def class_codes(n_samples: int, weights: Array) -> NDArray[np.intp]:
    """Return class codes in blocks whose sizes follow the weights."""
    ends = np.rint(np.cumsum(weights) / weights.sum() * n_samples).astype(int)
    return np.searchsorted(ends, np.arange(n_samples), side="right")


def spaced(rng: np.random.Generator, count: int, n_features: int, candidates: int = 30) -> Array:
    """Return centres far from each other: the farthest of several candidates, one by one."""
    centres = rng.uniform(2, 8, (1, n_features))
    while len(centres) < count:
        tries = rng.uniform(2, 8, (candidates, n_features))
        gaps = np.linalg.norm(tries[:, None] - centres, axis=2).min(axis=1)
        centres = np.vstack([centres, tries[gaps.argmax()]])
    return centres


def noisy(rng: np.random.Generator, x: Array, y: Array, noise: float) -> Array:
    """Return points that are moved at random."""
    return np.column_stack([x, y]) + noise * rng.standard_normal((len(x), 2))


def _folded(points: Array) -> Array:
    """Mirror what falls outside at the border, so that every point can be drawn and shared."""
    return np.abs((points + HIGH) % (2 * HIGH) - HIGH)


def table(
    rng: np.random.Generator, name: str, points: Array, codes: NDArray[Any], n_outliers: int
) -> Table:
    """Return points in the box and their classes as a table, with outliers."""
    n_features = points.shape[1]
    names = ["x", "y"] if n_features == 2 else [f"x{number}" for number in range(1, n_features + 1)]
    points = np.vstack([_folded(points), rng.uniform(LOW, HIGH, (n_outliers, n_features))])
    frame = pd.DataFrame(points, columns=names)
    frame["class"] = [class_name(int(code)) for code in codes] + ["outlier"] * n_outliers
    return Table(
        frame,
        {**dict.fromkeys(names, "numeric"), "class": "nominal"},
        name=name,
        target="class",
        source=f"The generator {name}.",
        licence=LICENCE,
    )
