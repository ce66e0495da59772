"""Impurity of a node, and the criteria by which trees compare splits.

Everything is computed for many nodes or candidate splits at once. Class weights come as arrays of
shape (n_classes, ...), those of the branches of splits as (n_branches, n_classes, ...).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.trees.exact_tests import log_probability, permutation_p_values

TINY = float(np.finfo(float).tiny)

TIE_BREAK = 1e-9
"""By how much the hypergeometric score raises that of permutations, many of which are equal."""


def impurity(counts: ArrayLike, measure: str = "gini") -> Any:
    r"""Return the impurity of a node; 0 for a single class.

    With the shares :math:`p_k`: "gini" is :math:`1 - \sum_k p_k^2`, "entropy" :math:`-\sum_k p_k
    \log_2 p_k` (in bits), "error" :math:`1 - \max_k p_k`, and "dkm", for two classes, :math:`2
    \sqrt{p_1 p_2}`.

    Parameters
    ----------
    counts : array-like of shape (n_classes, ...)
        The weight of each class.
    measure : {"gini", "entropy", "error", "dkm"}, default="gini"
        The measure.

    Returns
    -------
    float or ndarray of shape (...)
        The impurity; 0 for an empty node.

    Examples
    --------
    >>> impurity([9, 5], "entropy").round(3), impurity([1, 1, 1, 1, 1]).round(3)
    (np.float64(0.94), np.float64(0.8))
    """
    counts = np.asarray(counts, float)
    return MEASURES[measure](counts / np.maximum(counts.sum(axis=0), TINY))


def _gini(counts: Floats) -> Floats:
    n: Floats = counts.sum(axis=0)
    squares: Floats = np.einsum("k...,k...->...", counts, counts)
    return n - squares / np.maximum(n, TINY)


def _entropy(counts: Floats) -> Floats:
    bits: Floats = _x_log_x(counts.sum(axis=0)) - _x_log_x(counts).sum(axis=0)
    return bits


def _error(counts: Floats) -> Floats:
    errors: Floats = counts.sum(axis=0) - counts.max(axis=0)
    return errors


def _dkm(counts: Floats) -> Floats:
    return 2 * np.sqrt(counts[0] * counts[-1]) if len(counts) > 1 else np.zeros(counts.shape[1:])


def _x_log_x(x: Floats) -> Any:
    return x * np.log2(np.maximum(x, TINY))


MEASURES: dict[str, Callable[[Floats], Floats]] = {
    "gini": _gini,
    "entropy": _entropy,
    "error": _error,
    "dkm": _dkm,
}
"""Weight times impurity, by measure: written so, the weights of branches need not be divided
out."""

Score = Callable[[Floats, Any], Floats]


@dataclass(frozen=True)
class Criterion:
    """A way to compare splits."""

    # (branches, missing) -> the score of each split; higher is better. ``branches`` has the shape
    # (n_branches, n_classes, ...); ``missing`` is the weight of the rows without a value, of shape
    # (...)
    score: Score
    measure: str  # the impurity of a single node that goes with it
    # whether it is defined for two classes, or for two branches, only
    two_classes: bool = False
    two_branches: bool = False


def decrease(branches: Floats, missing: Any, measure: str) -> Floats:
    """Return the impurity decrease of splits, times the fraction of rows with a value.

    It is the impurity of the node less the mean impurity of its branches; ``missing`` is the weight
    of the rows that have no value.
    """
    total = MEASURES[measure]
    counts = functools.reduce(np.add, branches)
    after = sum(total(branch) for branch in branches)
    out: Floats = (total(counts) - after) / np.maximum(counts.sum(axis=0) + missing, TINY)
    return out


def split_info(branches: Floats, missing: Any) -> Floats:
    """Return the entropy of the branch sizes in bits; missing values count as one branch more."""
    sizes = branches.sum(axis=1)
    sizes = np.concatenate([sizes, np.broadcast_to(missing, sizes.shape[1:])[None]])
    out: Floats = _entropy(sizes) / np.maximum(sizes.sum(axis=0), TINY)
    return out


def _decrease(measure: str) -> Score:
    return lambda branches, missing: decrease(branches, missing, measure)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with 0 where the denominator vanishes but for rounding."""
    return np.where(denominator > 1e-12, numerator / np.maximum(denominator, 1e-12), 0.0)


def _known_share(branches: Floats, missing: Any) -> Floats:
    n: Floats = branches.sum(axis=(0, 1))
    out: Floats = n / np.maximum(n + missing, TINY)
    return out


def _shares(branches: Floats) -> Floats:
    """Return the share of each class within each branch."""
    shares: Floats = branches / np.maximum(branches.sum(axis=1, keepdims=True), TINY)
    return shares


def _rates(branches: Floats) -> tuple[Floats, Floats]:
    """Return, for each of two classes, the share of it that each branch gets."""
    rates = branches / np.maximum(branches.sum(axis=0), TINY)
    return rates[:, 0], rates[:, -1]


def _gain_ratio(branches: Floats, missing: Any) -> Floats:
    return _ratio(decrease(branches, missing, "entropy"), split_info(branches, missing))


def _g2(branches: Floats, missing: Any) -> Floats:
    out: Floats = 2 * np.log(2) * branches.sum(axis=(0, 1)) * decrease(branches, 0.0, "entropy")
    return out


def _chi2(branches: Floats, missing: Any) -> Floats:
    n: Floats = branches.sum(axis=(0, 1))
    expected = branches.sum(axis=1, keepdims=True) * branches.sum(axis=0) / np.maximum(n, TINY)
    out: Floats = ((branches - expected) ** 2 / np.maximum(expected, TINY)).sum(axis=(0, 1))
    return out


def _distance(branches: Floats, missing: Any) -> Floats:
    n_cells = branches.shape[0] * branches.shape[1]
    cells = branches.reshape(n_cells, *branches.shape[2:])  # there may be no splits
    joint = _entropy(cells) / np.maximum(cells.sum(axis=0), TINY)
    return _known_share(branches, missing) * _ratio(decrease(branches, 0.0, "entropy"), joint)


def _twoing(branches: Floats, missing: Any) -> Floats:
    sizes = branches.sum(axis=1) / np.maximum(branches.sum(axis=(0, 1)), TINY)
    first, second = _shares(branches)
    difference: Floats = np.abs(first - second).sum(axis=0)
    out: Floats = _known_share(branches, missing) * 0.25 * sizes[0] * sizes[1] * difference**2
    return out


def _ort(branches: Floats, missing: Any) -> Floats:
    first, second = branches
    length = np.sqrt((first * first).sum(axis=0) * (second * second).sum(axis=0))
    out: Floats = _known_share(branches, missing) * (
        1 - (first * second).sum(axis=0) / np.maximum(length, TINY)
    )
    return out


def _ks(branches: Floats, missing: Any) -> Floats:
    first, second = _rates(branches)
    out: Floats = _known_share(branches, missing) * np.abs(first - second).sum(axis=0) / 2
    return out


def _auc(branches: Floats, missing: Any) -> Floats:
    first, second = _rates(branches)
    steps = np.abs(first[:, None] * second - second[:, None] * first).sum(axis=(0, 1)) / 2
    out: Floats = _known_share(branches, missing) * (1 + steps) / 2
    return out


def _hypergeometric(branches: Floats, missing: Any) -> Floats:
    # fractions of rows may have a "probability" above 1
    out: Floats = np.maximum(-log_probability(branches) / np.log(10), 0.0)
    return out


def _permutation(branches: Floats, missing: Any) -> Floats:
    scores = -np.log10(permutation_p_values(branches))
    out: Floats = scores * (1 + TIE_BREAK * _hypergeometric(branches, missing))
    return out


def _agreement(branches: Floats, missing: Any) -> Floats:
    """Return the fraction of rows that a split, or its mirror image, sends to their label."""
    same, swapped = branches[0, 0] + branches[1, 1], branches[0, 1] + branches[1, 0]
    out: Floats = np.maximum(same, swapped) / np.maximum(same + swapped + missing, TINY)
    return out


CRITERIA: dict[str, Criterion] = {
    "gini": Criterion(_decrease("gini"), "gini"),
    "entropy": Criterion(_decrease("entropy"), "entropy"),
    "error": Criterion(_decrease("error"), "error"),
    "gain_ratio": Criterion(_gain_ratio, "entropy"),
    "g2": Criterion(_g2, "entropy"),
    "chi2": Criterion(_chi2, "gini"),
    "distance": Criterion(_distance, "entropy"),
    "twoing": Criterion(_twoing, "gini", two_branches=True),
    "ort": Criterion(_ort, "gini", two_branches=True),
    "dkm": Criterion(_decrease("dkm"), "dkm", two_classes=True),
    "ks": Criterion(_ks, "gini", two_classes=True),
    "auc": Criterion(_auc, "gini", two_classes=True),
    "hypergeometric": Criterion(_hypergeometric, "entropy"),
    "permutation": Criterion(_permutation, "entropy"),
    "chaid": Criterion(_chi2, "gini"),
    "quest": Criterion(_chi2, "gini"),
    "agreement": Criterion(_agreement, "error", two_classes=True, two_branches=True),
}
"""The criteria by name. By "chaid" and "quest" columns compete by p-values, which come with their
splits; "agreement" compares surrogates, whose classes are the branches of another split."""
