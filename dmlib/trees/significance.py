"""P-values of tables and of differences of means, as logarithms that never underflow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, chdtrc, fdtrc, gammaln

from dmlib.arrays import Floats

SMALLEST = 1e-290
"""Below, a p-value is computed by the leading term of its logarithm, as it would soon be 0."""

PERFECT = 1e6
"""-log10 of a p-value of 0."""


def chi2_table(counts: ArrayLike) -> tuple[float, int]:
    """Return Pearson's chi-squared of a table and its degrees of freedom.

    Empty rows and columns do not count.

    Examples
    --------
    >>> statistic, dof = chi2_table([[4, 0], [2, 3], [3, 2]])
    >>> round(statistic, 3), dof
    (3.547, 2)
    """
    table = np.asarray(counts, float)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if not table.size:
        return 0.0, 0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    dof = (table.shape[0] - 1) * (table.shape[1] - 1)
    return (float(((table - expected) ** 2 / expected).sum()), dof) if dof else (0.0, 0)


def chi2_pairs(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return chi-squared of pairs of groups and its p-value, 1 for pairs with a single class.

    The class weights of the two groups of each pair have the shape (..., n_classes).
    """
    n, m = first.sum(axis=-1), second.sum(axis=-1)
    total = first + second
    terms = np.where(
        total > 0,
        (first * m[..., None] - second * n[..., None]) ** 2 / np.where(total > 0, total, 1.0),
        0.0,
    )
    statistics = terms.sum(axis=-1) / np.maximum(n * m, np.finfo(float).tiny)
    dof = (total > 0).sum(axis=-1) - 1
    return statistics, np.where(dof > 0, chdtrc(np.maximum(dof, 1), statistics), 1.0)


def chi2_score(statistic: float, dof: int) -> float:
    """Return -log10 of the p-value of chi-squared.

    Examples
    --------
    >>> round(chi2_score(3.841459, 1), 4), round(chi2_score(5000.0, 1))
    (1.301, 1088)
    """
    if dof < 1:
        return 0.0
    p = float(chdtrc(dof, statistic))
    if p > SMALLEST:
        return -float(np.log10(p))
    half = dof / 2
    return float((statistic / 2 - (half - 1) * np.log(statistic / 2) + gammaln(half)) / np.log(10))


def f_score(statistic: float, dof_between: int, dof_within: float) -> float:
    """Return -log10 of the p-value of F; ``PERFECT`` where groups differ without inner variance.

    Examples
    --------
    >>> round(f_score(4.0, 1, 10.0), 4)
    1.1344
    """
    if dof_between < 1 or dof_within <= 0:
        return 0.0
    if np.isinf(statistic):
        return PERFECT
    p = float(fdtrc(dof_between, dof_within, statistic))
    if p > SMALLEST:
        return -float(np.log10(p))
    a, b = dof_within / 2, dof_between / 2
    x = dof_within / (dof_within + dof_between * statistic)
    log_p: Any = a * np.log(x) + b * np.log1p(-x) - np.log(a) - betaln(a, b)
    return float(-log_p / np.log(10))


def p_value(score: float) -> float:
    """Return the p-value of which a score is -log10; 0 where it is too small for a number.

    Examples
    --------
    >>> p_value(2.0)
    0.01
    """
    return float(10.0 ** -float(score))
