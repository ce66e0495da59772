"""The search for the split of a node by which the error of what it predicts falls most."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappush, heappushpop

import numpy as np
from numpy.typing import NDArray

from dmlib.trace import look

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

NOTHING = 1e-12  # share of a loss up to which nothing is left to split, or two splits are equally good
POWERS = {"standard_deviation": 0.5, "weka": 0.2}  # of the variance, in the criteria of model trees
BLOCK = 2**18  # values that are sorted at once
WEKA_EQUAL = 1e-6  # the columns of two splits are told apart in Weka if their scores differ by more


@dataclass(frozen=True)
class Split:
    """The best split of a node: rows with at most ``threshold`` in ``column`` go to the left."""

    column: int
    threshold: float
    score: float  # by how much the criterion falls
    # where the node could be cut in this column, and what the score would be there
    thresholds: Floats
    scores: Floats


def loss_of(y: Floats, criterion: str) -> tuple[float, float]:
    """Return what a leaf predicts, and its sum of errors.

    Examples
    --------
    >>> loss_of(np.array([1.0, 2.0, 6.0]), "squared_error"), loss_of(np.array([1.0, 2.0, 6.0]), "absolute_error")
    ((3.0, 14.0), (2.0, 5.0))
    """
    if criterion == "absolute_error":
        value = float(np.median(y))
        return value, float(np.abs(y - value).sum())
    value = float(y.sum()) / len(y)
    error = y - value
    return value, float(error @ error)


def prefix_losses(y: Floats, criterion: str) -> Floats:
    """Return the sum of errors of the first, the first two, ... targets of each column.

    Examples
    --------
    >>> prefix_losses(np.array([1.0, 2.0, 6.0]), "absolute_error").tolist()
    [0.0, 1.0, 5.0]
    """
    if criterion == "absolute_error":
        return np.apply_along_axis(_prefix_deviations, 0, y)
    n = np.arange(1.0, len(y) + 1).reshape(-1, *[1] * (y.ndim - 1))
    losses: Floats = np.maximum((y**2).cumsum(axis=0) - y.cumsum(axis=0) ** 2 / n, 0.0)
    return losses


def _prefix_deviations(y: Floats) -> Floats:
    """Return the sum of absolute deviations from the median of the first, the first two, ... targets."""
    low: list[float] = []  # the smaller half, negated, and the larger half
    high: list[float] = []
    below = above = 0.0
    out = np.empty(len(y))
    for i, value in enumerate(y.tolist()):
        if i % 2:  # the smaller half has one more
            moved = -heappushpop(low, -value)
            heappush(high, moved)
            below, above = below + value - moved, above + moved
        else:
            moved = heappushpop(high, value)
            heappush(low, -moved)
            below, above = below + moved, above + value - moved
        out[i] = above - below + (-low[0] if i % 2 == 0 else 0.0)
    return np.maximum(out, 0.0)


def _score(losses: Floats, rest: Floats, whole: float, criterion: str) -> Floats:
    """Return by how much the criterion falls, by where the sorted rows are cut."""
    n = len(losses) + 1
    left = np.arange(1.0, n)[:, None]
    if criterion in ("squared_error", "absolute_error"):
        return whole - losses - rest
    power = POWERS[criterion]
    spreads = (left / n) * (losses / left) ** power + (1 - left / n) * (rest / (n - left)) ** power
    fall: Floats = (whole / n) ** power - spreads
    return fall


def best_split(X: Floats, y: Floats, criterion: str, least: int) -> Split | None:
    """Return the split by which the criterion falls most; None if there is none.

    Parameters
    ----------
    X, y : ndarray of shape (n_samples, n_features) and (n_samples,)
        The rows of the node.
    criterion : {"squared_error", "absolute_error", "standard_deviation", "weka"}
        What falls: the sum of errors, or the mean standard deviation, or (as in Weka) fifth root of the variance.
    least : int
        How many rows each side must have.

    Notes
    -----
    O(p n log n). Of equally good splits the first column's lowest threshold is taken.
    """
    found: tuple[float, int, Floats, Floats, Ints, int] | None = None
    n = len(y)
    if n < 2:
        return None
    shifted = y - y.sum() / n
    measure = "absolute_error" if criterion == "absolute_error" else "squared_error"
    whole = loss_of(y, measure)[1]
    scale = whole if criterion.endswith("error") else (whole / n) ** POWERS[criterion]
    near = WEKA_EQUAL if criterion == "weka" else NOTHING * scale
    sides = np.arange(1, n)[:, None]
    large = (sides >= least) & (n - sides >= least)
    at_once = max(1, BLOCK // n)
    for first in range(0, X.shape[1], at_once):
        look()
        some = X[:, first : first + at_once]
        order = np.argsort(some, axis=0, kind="stable")
        x, t = some[order, np.arange(some.shape[1])], shifted[order]
        left, right = prefix_losses(t, measure)[:-1], prefix_losses(t[::-1], measure)[::-1][1:]
        allowed = large & (x[1:] > x[:-1])
        scores = np.where(allowed, _score(left, right, whole, criterion), -np.inf)
        tops = scores.max(axis=0)
        places = (scores >= tops - NOTHING * scale).argmax(axis=0)
        for j in np.flatnonzero(np.isfinite(tops)).tolist():
            score = float(scores[places[j], j])
            if found is None or score > found[0] + near:
                found = score, first + j, x[:, j], scores[:, j], np.flatnonzero(allowed[:, j]), places[j]
    return None if found is None else _split(*found)


def _split(score: float, column: int, x: Floats, scores: Floats, cuts: Ints, place: int) -> Split:
    """Return the split of sorted values at a place, with all other cuts of the column."""
    # halves first, as a sum of large numbers could be infinite; the upper value itself would not be above it
    thresholds = x[cuts] / 2 + x[cuts + 1] / 2
    thresholds = np.where(thresholds >= x[cuts + 1], x[cuts], thresholds)
    at = int(np.searchsorted(cuts, place))
    return Split(column, float(thresholds[at]), score, thresholds, scores[cuts])
