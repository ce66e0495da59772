"""Groups of points: round, long, of unequal size or density, and none at all."""

from __future__ import annotations

import numpy as np

from dmlib.datasets.generators.points import CENTRE, HIGH, LOW, class_codes, spaced, table
from dmlib.datasets.table import Table


def blobs(
    *,
    n_samples: int = 200,
    centers: int = 4,
    spread: float = 0.8,
    n_features: int = 2,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw round groups of equal size and spread.

    The centres are far from each other: each is the best of several candidates.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    spread : float
        Standard deviation of a group in each direction.
    n_features : int
        Number of columns.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y (x1, x2, ... when there are more than two) and class.

    Examples
    --------
    >>> blobs(n_samples=50, random_state=1).frame.shape
    (50, 3)
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.ones(centers))
    points = spaced(rng, centers, n_features)[codes] + spread * rng.standard_normal(
        (n_samples, n_features)
    )
    return table(rng, "blobs", points, codes, n_outliers)


def anisotropic(
    *,
    n_samples: int = 200,
    centers: int = 3,
    spread: float = 0.4,
    stretch: float = 4.0,
    angle: float = 40.0,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw long parallel groups, side by side: the nearest centre is often the wrong one.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    spread : float
        Standard deviation across a group.
    stretch : float
        How many times longer than wide a group is.
    angle : float
        Direction of the groups in degrees from the x axis.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class.

    Examples
    --------
    >>> anisotropic(centers=2).frame["class"].nunique()
    2
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.ones(centers))
    along = spread * stretch * rng.standard_normal(n_samples)
    across = spread * rng.standard_normal(n_samples) + 2.2 * (codes - (centers - 1) / 2) * min(
        1.0, 3 / centers
    )
    turn = np.deg2rad(angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return table(
        rng, "anisotropic", CENTRE + np.column_stack([along, across]) @ axes, codes, n_outliers
    )


def unequal_sizes(
    *,
    n_samples: int = 220,
    centers: int = 3,
    ratio: float = 12.0,
    spread: float = 0.9,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw round groups of equal spread and very different numbers of points.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    ratio : float
        How many times more points the largest group has than the smallest.
    spread : float
        Standard deviation of a group in each direction.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class; class A is the largest.

    Examples
    --------
    >>> unequal_sizes(centers=2, ratio=9, n_samples=100).frame["class"].value_counts().tolist()
    [90, 10]
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.geomspace(ratio, 1, centers))
    points = spaced(rng, centers, 2)[codes] + spread * rng.standard_normal((n_samples, 2))
    return table(rng, "unequal_sizes", points, codes, n_outliers)


def unequal_densities(
    *,
    n_samples: int = 240,
    centers: int = 3,
    ratio: float = 5.0,
    spread: float = 0.25,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw round groups with equal numbers of points, from dense to loose.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    centers : int
        Number of groups.
    ratio : float
        How many times wider the loosest group is than the densest.
    spread : float
        Standard deviation of the densest group in each direction.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class; class A is the densest.

    Examples
    --------
    >>> unequal_densities(n_samples=30).frame["class"].value_counts().tolist()
    [10, 10, 10]
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.ones(centers))
    spreads = spread * np.geomspace(1, ratio, centers)[codes, None]
    points = spaced(rng, centers, 2)[codes] + spreads * rng.standard_normal((n_samples, 2))
    return table(rng, "unequal_densities", points, codes, n_outliers)


def uniform_noise(
    *, n_samples: int = 200, classes: int = 2, n_features: int = 2, random_state: int = 0
) -> Table:
    """Draw points without any structure: whatever a method finds here is its own invention.

    Parameters
    ----------
    n_samples : int
        Number of points.
    classes : int
        Number of class labels, given at random.
    n_features : int
        Number of columns.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y (x1, x2, ... when there are more than two) and class.

    Examples
    --------
    >>> uniform_noise(n_features=3).frame.columns.tolist()
    ['x1', 'x2', 'x3', 'class']
    """
    rng = np.random.default_rng(random_state)
    points = rng.uniform(LOW, HIGH, (n_samples, n_features))
    return table(rng, "uniform_noise", points, rng.integers(0, classes, n_samples), 0)
