"""The statistics by which CHAID compares groups of rows, from sums that add up as groups merge.

Of a nominal target the sums are the weights of its classes, of a number z they are 1, z and z².
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, fdtrc

from dmlib.arrays import Floats
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.significance import chi2_pairs, chi2_score, chi2_table, f_score

NO_VARIANCE = 1e-12
"""Variances of numbers between -1 and 1 up to which they count as 0."""


class Outcome(NamedTuple):
    """A test of whether groups differ."""

    statistic: float
    dof: int  # degrees of freedom; of F those between groups
    score: float  # -log10 of the p-value
    dof_within: float = 0.0  # of F, the degrees of freedom within groups


class Statistic(NamedTuple):
    """How groups are compared by their sums, of which each has a row."""

    # (..., n_sums) of the first and of the second groups -> statistics of the pairs, p-values
    pairs: Callable[[Floats, Floats], tuple[Floats, Floats]]
    test: Callable[[Floats], Outcome]  # of all groups


def g2_pairs(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return G² of pairs of groups and its p-value, 1 for pairs with a single class.

    The class weights of the two groups of each pair have the shape (..., n_classes).

    Examples
    --------
    >>> statistics, p = g2_pairs(np.array([3.0, 1.0]), np.array([[1.0, 3.0], [3.0, 1.0]]))
    >>> statistics.round(4).tolist(), p.round(4).tolist()
    ([2.093, 0.0], [0.148, 1.0])
    """
    both = np.stack(np.broadcast_arrays(first, second))
    statistics = np.maximum(CRITERIA["g2"].score(np.moveaxis(both, -1, 1), 0.0), 0.0)
    dof = (both.sum(axis=0) > 0).sum(axis=-1) - 1
    return statistics, np.where(dof > 0, chdtrc(np.maximum(dof, 1), statistics), 1.0)


def f_pairs(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return F of pairs of groups and its p-value, 1 where no degree of freedom is left.

    Each group has its number of rows, the sum of their numbers, which are between -1 and 1, and
    the sum of their squares.

    Examples
    --------
    >>> statistics, p = f_pairs(np.array([2.0, 0.2, 0.04]), np.array([[2.0, 1.2, 0.74]]))
    >>> statistics.round(4).tolist(), p.round(4).tolist()
    ([12.5], [0.0715])
    """
    first, second = np.broadcast_arrays(first, second)
    n, m = first[..., 0], second[..., 0]
    within = sum(
        group[..., 2] - group[..., 1] ** 2 / np.maximum(group[..., 0], NO_VARIANCE)
        for group in (first, second)
    )
    apart = first[..., 1] / np.maximum(n, NO_VARIANCE) - second[..., 1] / np.maximum(m, NO_VARIANCE)
    between = n * m / np.maximum(n + m, NO_VARIANCE) * apart**2
    between = np.where(between > NO_VARIANCE * (n + m), between, 0.0)
    dof = n + m - 2
    has_variance = within > NO_VARIANCE * (n + m)
    perfect = np.where((between > 0) & (dof > 0), np.inf, 0.0)
    ratio = between * np.maximum(dof, 0.0) / np.where(has_variance, within, 1.0)
    statistics = np.where(has_variance, ratio, perfect)
    p = fdtrc(1, np.maximum(dof, 1.0), np.where(np.isinf(statistics), 0.0, statistics))
    p = np.where(np.isinf(statistics), 0.0, p)
    return statistics, np.where(dof > 0, p, 1.0)


def _chi2_test(counts: Floats) -> Outcome:
    statistic, dof = chi2_table(counts)
    return Outcome(statistic, dof, chi2_score(statistic, dof))


def _g2_test(counts: Floats) -> Outcome:
    dof = chi2_table(counts)[1]
    statistic = max(float(CRITERIA["g2"].score(counts, 0.0)), 0.0) if dof else 0.0
    return Outcome(statistic, dof, chi2_score(statistic, dof))


def _f_test(parts: Floats) -> Outcome:
    n, sums, squares = parts.T
    size, dof = float(n.sum()), len(parts) - 1
    dof_within = size - len(parts)
    within = float((squares - sums**2 / n).sum())
    between = float((sums**2 / n).sum() - sums.sum() ** 2 / size)
    if dof < 1 or dof_within <= 0 or between <= NO_VARIANCE * size:
        return Outcome(0.0, dof, 0.0, dof_within)
    statistic = float("inf")
    if within > NO_VARIANCE * size:
        statistic = between / dof / (within / dof_within)
    return Outcome(statistic, dof, f_score(statistic, dof, dof_within), dof_within)


STATISTICS = {
    "pearson": Statistic(chi2_pairs, _chi2_test),
    "likelihood_ratio": Statistic(g2_pairs, _g2_test),
    "F": Statistic(f_pairs, _f_test),
}
"""The statistics by name: of tables of classes, and of means."""
