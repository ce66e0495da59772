"""Classes of points that no straight line separates: moons, circles, spirals, boards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.datasets.generators.points import CENTRE, class_codes, noisy, table
from dmlib.datasets.table import Table


def moons(
    *, n_samples: int = 200, noise: float = 0.3, n_outliers: int = 0, random_state: int = 0
) -> Table:
    """Draw two interleaved half circles.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    noise : float
        Standard deviation of the distance from the curve.
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
    >>> moons(n_samples=10).frame["class"].value_counts().tolist()
    [5, 5]
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.ones(2))
    turn = np.pi * rng.random(n_samples)
    side = 1 - 2 * codes
    x = CENTRE + 2.6 * np.cos(turn) - 1.3 * side
    y = CENTRE + side * (2.6 * np.sin(turn) - 0.65)
    return table(rng, "moons", noisy(rng, x, y, noise), codes, n_outliers)


def circles(
    *,
    n_samples: int = 240,
    factor: float = 0.5,
    noise: float = 0.25,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw a ring inside a ring.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    factor : float
        Radius of the inner ring, as a share of the outer.
    noise : float
        Standard deviation of the distance from the circle.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y and class; class A is the outer ring.

    Examples
    --------
    >>> circles(n_samples=10).frame.columns.tolist()
    ['x', 'y', 'class']
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.ones(2))
    turn = 2 * np.pi * rng.random(n_samples)
    radius = 4 * np.where(codes == 1, factor, 1.0)
    x, y = CENTRE + radius * np.cos(turn), CENTRE + radius * np.sin(turn)
    return table(rng, "circles", noisy(rng, x, y, noise), codes, n_outliers)


def spirals(
    *,
    n_samples: int = 300,
    arms: int = 2,
    turns: float = 1.25,
    noise: float = 0.12,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw spiral arms around a common centre.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    arms : int
        Number of arms, one class each.
    turns : float
        Number of turns of an arm.
    noise : float
        Standard deviation of the distance from the curve.
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
    >>> spirals(arms=3).frame["class"].nunique()
    3
    """
    rng = np.random.default_rng(random_state)
    codes = class_codes(n_samples, np.ones(arms))
    # The square root spreads the points evenly along the arm.
    reach = np.sqrt(rng.uniform(0.02, 1, n_samples))
    turn = 2 * np.pi * (turns * reach + codes / arms)
    x, y = CENTRE + 4.5 * reach * np.cos(turn), CENTRE + 4.5 * reach * np.sin(turn)
    return table(rng, "spirals", noisy(rng, x, y, noise), codes, n_outliers)


def xor(
    *,
    n_samples: int = 200,
    noise: float = 0.3,
    product: bool = False,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw four squares of which those at opposite corners share a class.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    noise : float
        Standard deviation by which points leave their square.
    product : bool
        Whether the product of both columns around the centre, 5 + (x - 5)(y - 5) / 5, is a column
        too.
    n_outliers : int
        Number of points that are added at random anywhere in the box.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, y, perhaps product, and class.

    Examples
    --------
    >>> xor(n_samples=8).frame["class"].nunique(), list(xor(product=True).frame)
    (2, ['x', 'y', 'product', 'class'])
    """
    rng = np.random.default_rng(random_state)
    corner = rng.integers(0, 2, (n_samples, 2))
    points = 1.3 + 4.2 * corner + 3.2 * rng.random((n_samples, 2))
    points = noisy(rng, points[:, 0], points[:, 1], noise)
    data = table(rng, "xor", points, corner[:, 0] ^ corner[:, 1], n_outliers)
    if not product:
        return data
    x, y = (data.frame[name] - CENTRE for name in ("x", "y"))
    data.frame.insert(2, "product", CENTRE + x * y / CENTRE)
    return replace(data, kinds={"x": "numeric", "y": "numeric", "product": "numeric", **data.kinds})


def checkerboard(
    *,
    n_samples: int = 300,
    cells: int = 4,
    noise: float = 0.0,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw a board of cells whose class alternates.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    cells : int
        Number of cells on each side.
    noise : float
        Standard deviation by which points leave their cell.
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
    >>> checkerboard(n_samples=50).frame["class"].nunique()
    2
    """
    rng = np.random.default_rng(random_state)
    points = rng.uniform(0.5, 9.5, (n_samples, 2))
    codes = np.floor((points - 0.5) / 9 * cells).astype(int).sum(axis=1) % 2
    return table(
        rng, "checkerboard", noisy(rng, points[:, 0], points[:, 1], noise), codes, n_outliers
    )
