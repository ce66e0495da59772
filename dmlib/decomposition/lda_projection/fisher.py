"""Fisher's ratio of an axis: the variance between the class means by that within the classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep

FLAT = 1e-12  # share of the whole variance that counts as none


@dataclass(frozen=True)
class Scatter:
    """The scatter within the classes and between their means, divided by the number of rows.

    Examples
    --------
    >>> scatter = Scatter(np.zeros(2), np.eye(2), np.diag([4.0, 0.0]))
    >>> scatter.ratio(np.array([2.0, 0.0])), scatter.ratio(np.array([1.0, 1.0]))
    (4.0, 2.0)
    """

    mean: Floats  # (n_features,): of all rows
    within: Floats  # (n_features, n_features)
    between: Floats

    @classmethod
    def of(cls, step: DiscriminantStep) -> Scatter:
        """Return the scatter of the rows behind a step that knows the pooled covariance matrix."""
        assert step.pooled is not None
        shares = step.counts / step.counts.sum()
        mean = shares @ step.means
        gaps = step.means - mean
        return cls(mean, step.pooled, (gaps.T * shares) @ gaps)

    def along(self, axis: Floats) -> tuple[float, float]:
        """Return the variances between and within the classes along an axis."""
        return float(axis @ self.between @ axis), float(axis @ self.within @ axis)

    def ratio(self, axis: Floats) -> float:
        """Return Fisher's ratio along an axis; infinite where nothing varies within the classes."""
        between, within = self.along(axis)
        if within <= FLAT * (between + within):
            return np.inf if between > 0 else 0.0
        return between / within

    @property
    def component(self) -> tuple[Floats, float]:
        """The first principal component, a unit vector, and its share of the variance."""
        values, axes = np.linalg.eigh(self.within + self.between)
        first = axes[:, -1]
        sign = -1.0 if first[np.abs(first).argmax()] < 0 else 1.0
        return sign * first, float(values[-1] / max(values.sum(), np.finfo(float).tiny))


def unit(axis: Floats) -> Floats:
    """Return an axis with the length 1."""
    scaled: Floats = axis / max(float(np.linalg.norm(axis)), np.finfo(float).tiny)
    return scaled


def angle_between(first: Floats, second: Floats) -> float:
    """Return the angle between two axes, from 0 to 90 degrees.

    Examples
    --------
    >>> round(angle_between(np.array([1.0, 0.0]), np.array([-1.0, 1.0])), 6)
    45.0
    """
    return float(np.rad2deg(np.arccos(np.clip(abs(unit(first) @ unit(second)), 0.0, 1.0))))


def turning(scatter: Scatter, start: Floats, end: Floats, n: int) -> list[Floats]:
    """Return unit vectors from one axis to another in equal turns, both included.

    Of the two directions it takes the one in which Fisher's ratio falls less.

    Examples
    --------
    >>> scatter = Scatter(np.zeros(2), np.eye(2), np.diag([4.0, 0.0]))
    >>> axes = turning(scatter, np.array([0.0, 1.0]), np.array([1.0, 0.0]), 3)
    >>> [axis.round(2).tolist() for axis in axes]
    [[0.0, 1.0], [0.71, 0.71], [1.0, 0.0]]
    """
    turns = [_turns(unit(start), sign * unit(end), n) for sign in (1.0, -1.0)]

    def cost(axes: list[Floats]) -> tuple[float, float]:
        lowest = min(scatter.ratio(axis) for axis in axes)
        fall = -round(lowest, 9) if np.isfinite(lowest) else 0.0
        return fall, float(-axes[0] @ axes[-1])

    return min(turns, key=cost)


def _turns(start: Floats, end: Floats, n: int) -> list[Floats]:
    cosine = float(np.clip(start @ end, -1.0, 1.0))
    across = end - cosine * start
    if np.linalg.norm(across) < FLAT:
        return [start] * n if cosine > 0 else [start, *[end] * (n - 1)]
    across, angle = unit(across), np.arccos(cosine)
    return [np.cos(t) * start + np.sin(t) * across for t in np.linspace(0, angle, n)]
