"""Volumes of balls, shells and rims in d dimensions, and the rows that would cover a cube."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from dmlib.arrays import Floats


def ball_volume(d: ArrayLike, radius: float = 1.0) -> Floats:
    r"""Return the volume of a ball of d dimensions, :math:`\pi^{d/2} r^d / \Gamma(d/2 + 1)`.

    Parameters
    ----------
    d : array-like of int
        Dimensions, at least 1.
    radius : float
        Its radius, above 0.

    Raises
    ------
    ValueError
        If a number is too small.

    References
    ----------
    NIST Digital Library of Mathematical Functions, 5.19.4.

    Examples
    --------
    >>> ball_volume([1, 2, 3]).round(4).tolist()
    [2.0, 3.1416, 4.1888]
    """
    dimensions = _dimensions(d)
    if not radius > 0:
        raise ValueError("The radius must be above 0.")
    volume: Floats = np.exp(_log_volume(dimensions) + dimensions * np.log(radius))
    return volume


def cover_count(p: ArrayLike, rho: float) -> Floats:
    r"""Return the number of balls of radius rho with the volume of a cube of side 1.

    At least so many rows are needed for each place of the cube to have one within rho: :math:`1 /
    (C_p \rho^p)`.

    Parameters
    ----------
    p : array-like of int
        Dimensions, at least 1.
    rho : float
        The radius, above 0.

    Raises
    ------
    ValueError
        If a number is too small.

    Examples
    --------
    >>> cover_count([10, 20], 0.5).round().tolist()
    [402.0, 40631628.0]
    """
    return np.asarray(1.0 / ball_volume(p, rho))


def edge_share(d: ArrayLike, width: float) -> Floats:
    """Return the share of a unit cube within a width of its faces, ``1 - (1 - 2 width)^d``.

    Parameters
    ----------
    d : array-like of int
        Dimensions, at least 1.
    width : float
        From 0 to 0.5.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> edge_share([1, 10, 50], 0.05).round(3).tolist()
    [0.1, 0.651, 0.995]
    """
    if not 0 <= width <= 0.5:
        raise ValueError("The width must be from 0 to 0.5: half of the cube's side.")
    share: Floats = 1.0 - (1.0 - 2.0 * width) ** _dimensions(d)
    return share


def shell_share(d: ArrayLike, width: float) -> Floats:
    """Return the share of a unit ball within a width of its surface, ``1 - (1 - width)^d``.

    Parameters
    ----------
    d : array-like of int
        Dimensions, at least 1.
    width : float
        From 0 to 1.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> shell_share([1, 10, 50], 0.05).round(3).tolist()
    [0.05, 0.401, 0.923]
    """
    if not 0 <= width <= 1:
        raise ValueError("The width must be from 0 to 1: the ball's radius.")
    share: Floats = 1.0 - (1.0 - width) ** _dimensions(d)
    return share


def _dimensions(d: ArrayLike) -> Floats:
    dimensions = np.asarray(d, float)
    if (dimensions < 1).any():
        raise ValueError("There must be at least one dimension.")
    return dimensions


def _log_volume(d: Floats) -> Floats:
    volume: Floats = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
    return volume
