"""An active set method: the maximum of a concave quadratic function between bounds."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from dmlib.arrays import Floats, Ints

CLOSE = 1e-12  # relative distance up to which a variable is at its bound
RIDGE = 1e-12  # share of the mean diagonal that makes a system solvable
MAX_SYSTEMS = 100


def climb(
    K: Floats, slope: Floats, beta: Floats, lower: Floats, upper: Floats, group: Ints
) -> tuple[Floats, int]:
    r"""Maximise :math:`g \cdot \delta - \tfrac12 \delta^T K \delta` between bounds.

    The bounds hold for :math:`\beta + \delta`. Each step goes towards the solution of one linear
    system. A variable that meets a bound on the way stays there and leaves the next system, until a
    step ends between the bounds.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        The curvature.
    slope : ndarray of shape (m,)
        The gradient g at ``beta``.
    beta, lower, upper : ndarray of shape (m,)
        The start, strictly between its bounds.
    group : ndarray of shape (m,)
        The group of each variable, in ascending order; the sum of a group does not change.

    Returns
    -------
    beta : ndarray of shape (m,)
        The end, with no smaller value than the start. It is the start where K has no positive
        curvature.
    n_systems : int
        The number of steps.

    Notes
    -----
    O(m^3) for each step, and each but the last fixes a variable. A variable at a bound is not
    released, so the end is the maximum only among the points with the same variables at their
    bounds.

    References
    ----------
    K. Scheinberg (2006), An efficient implementation of an active set method for SVMs, section 2.

    Examples
    --------
    >>> K, ones = np.eye(3), np.ones(3)
    >>> climb(K, np.array([1.0, 0.0, 2.0]), 0.5 * ones, 0 * ones, ones, np.zeros(3, int))
    (array([0.5, 0. , 1. ]), 1)
    """
    beta = beta.copy()
    inside = np.arange(len(beta))
    for n_systems in range(MAX_SYSTEMS):
        direction = _newton(K[np.ix_(inside, inside)], slope[inside], group[inside])
        start = beta[inside]
        bound = np.where(direction > 0, upper[inside], lower[inside])
        step = direction * _share(bound - start, direction)
        change = K[:, inside] @ step
        if not step @ (slope[inside] - change[inside] / 2) > 0:
            return beta, n_systems
        scale = np.maximum(np.abs(start), np.abs(bound))
        at_bound = np.abs(bound - start - step) <= CLOSE * scale
        beta[inside] = np.where(at_bound, bound, start + step)
        slope = slope - change
        inside = inside[~at_bound]
        if not at_bound.any() or len(inside) < 2:
            return beta, n_systems + 1
    return beta, MAX_SYSTEMS


def _newton(K: Floats, slope: Floats, group: Ints) -> Floats:
    """Return the step after which slopes are equal in each group; zeros if there is no maximum."""
    places = np.arange(len(group))
    first = np.append(True, group[1:] != group[:-1])
    base = np.maximum.accumulate(np.where(first, places, 0))
    # The first of a group balances the others: in these differences the sums are no constraint.
    H = K - K[:, base]
    H -= H[base]
    H[places, places] += np.where(first, 1.0, RIDGE * H.diagonal().mean())
    try:
        factor = cho_factor(H, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return np.zeros(len(slope))
    step: Floats = cho_solve(factor, slope - slope[base], check_finite=False)
    step[first] = -np.add.reduceat(step, np.flatnonzero(first))
    return step


def _share(room: Floats, direction: Floats) -> float:
    """Return the fraction of a step that the bounds allow."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return min(1.0, float(np.where(direction == 0, np.inf, room / direction).min()))
