"""The search for the best split of a node: the one that reduces the error most."""

from __future__ import annotations

from heapq import heappush, heappushpop
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.squares import centred, deviations
from dmlib.trace import look

TOLERANCE = 1e-12  # relative difference up to which two splits are equally good, or a loss is 0
POWERS = {"standard_deviation": 0.5, "weka": 0.2}  # of the variance, in the criteria of model trees
BLOCK = 2**18  # values that are sorted at once
WEKA_TOLERANCE = 1e-6  # difference up to which Weka takes the first of two columns


class Split(NamedTuple):
    """The best split of a node: rows with at most ``threshold`` in ``column`` go to the left."""

    column: int
    threshold: float
    score: float  # the decrease of the criterion
    # the training set and the rows of the node, from which all cuts of the column follow
    X: Floats
    y: Floats
    rows: Ints
    criterion: str
    min_samples: int

    @property
    def cuts(self) -> tuple[Floats, Floats]:
        """The thresholds that this column allows, and the decrease of the criterion at each."""
        x = self.X[self.rows, self.column][:, None]
        x, scores = scores_of(x, self.y[self.rows], self.criterion, self.min_samples)
        at = np.flatnonzero(np.isfinite(scores[:, 0]))
        return between(x[at, 0], x[at + 1, 0]), scores[at, 0]


def loss_of(y: Floats, criterion: str) -> tuple[float, float]:
    """Return the prediction of a leaf, and its sum of errors.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 6.0])
    >>> loss_of(y, "squared_error"), loss_of(y, "absolute_error")
    ((3.0, 14.0), (2.0, 5.0))
    """
    if criterion == "absolute_error":
        value = float(np.median(y))
        return value, float(np.abs(y - value).sum())
    mean, errors = centred(y)
    return float(mean), float(errors @ errors)


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
    """Return the sums of absolute deviations from the median of the first 1, 2, ... targets."""
    low: list[float] = []  # the smaller half, negated
    high: list[float] = []  # the larger half
    low_sum = high_sum = 0.0
    deviations = np.empty(len(y))
    for i, value in enumerate(y.tolist()):
        if i % 2:  # the smaller half has one value more than the larger
            moved = -heappushpop(low, -value)
            heappush(high, moved)
            low_sum = low_sum + value - moved
            high_sum += moved
            deviations[i] = high_sum - low_sum
        else:
            moved = heappushpop(high, value)
            heappush(low, -moved)
            low_sum += moved
            high_sum = high_sum + value - moved
            deviations[i] = high_sum - low_sum - low[0]
    return np.maximum(deviations, 0.0)


def running_losses(y: Floats) -> tuple[Floats, Floats, float]:
    """Return the sums of squares of both sides and of all, with the rounding of Weka.

    Weka starts with the first fifth of the sorted rows on the left and moves one row after another.
    Where all targets of a side are equal, rounding leaves 1e-14 instead of 0, of which the fifth
    root is 0.002: it decides between columns.
    """
    n = len(y)
    first = max(n // 5, 1)
    running = np.zeros((2, 2, *y.shape))  # sums and sums of squares of the left, and of the right
    totals = []
    for power in (0, 1):
        values = y ** (power + 1)
        running[power, 0] = values.cumsum(axis=0)
        right_sum = values[first:].cumsum(axis=0)[-1:]
        right_sums = np.concatenate([right_sum, -values[first:]]).cumsum(axis=0)
        running[power, 1, first:] = right_sums[1:]
        totals.append(running[power, 0, first - 1] + right_sum[0])
    counts = np.arange(1.0, n)[:, None]
    sides = np.stack([counts, n - counts])
    sums, squares = running[:, :, :-1]
    left_losses, right_losses = np.abs(squares * sides - sums**2) / sides
    return left_losses, right_losses, float(np.abs(totals[1] * n - totals[0] ** 2)[0] / n)


def scores_of(X: Floats, y: Floats, criterion: str, min_samples: int) -> tuple[Floats, Floats]:
    """Return the sorted columns, and the decrease of the criterion by a cut behind each row.

    It is -inf where a cut is not allowed.
    """
    n = len(y)
    order = np.argsort(X, axis=0, kind="stable")
    x = np.take_along_axis(X, order, axis=0)
    if criterion == "weka":
        left_losses, right_losses, total = running_losses(y[order])
        min_samples = max(n // 5, 1) + 1 if n >= 4 else n
    else:
        measure = measure_of(criterion)
        t = deviations(y)[order]
        total = loss_of(y, measure)[1]
        left_losses = prefix_losses(t, measure)[:-1]
        right_losses = prefix_losses(t[::-1], measure)[::-1][1:]
    n_left = np.arange(1, n)[:, None]
    is_allowed = (np.minimum(n_left, n - n_left) >= min_samples) & (x[1:] > x[:-1])
    return x, np.where(is_allowed, _score(left_losses, right_losses, total, criterion), -np.inf)


def measure_of(criterion: str) -> str:
    """Return the error whose sum a criterion reduces."""
    return "absolute_error" if criterion == "absolute_error" else "squared_error"


def between(low: Floats, high: Floats) -> Floats:
    """Return the middles of values, below the upper ones.

    Examples
    --------
    >>> between(np.array([1.0, 1e308]), np.array([2.0, 1.5e308])).tolist()
    [1.5, 1.25e+308]
    """
    # halves first, as a sum of large numbers could be infinite; the upper value itself would not be
    # above it
    middle = low / 2 + high / 2
    return np.where(middle >= high, low, middle)


def _score(left_losses: Floats, right_losses: Floats, total: float, criterion: str) -> Floats:
    """Return the decrease of the criterion from the losses of both sides."""
    if criterion in ("squared_error", "absolute_error"):
        return total - left_losses - right_losses
    n = len(left_losses) + 1
    n_left = np.arange(1.0, n)[:, None]
    power = POWERS[criterion]
    left_spread = (n_left / n) * (left_losses / n_left) ** power
    right_spread = (1 - n_left / n) * (right_losses / (n - n_left)) ** power
    decrease: Floats = (total / n) ** power - (left_spread + right_spread)
    return decrease


def best_split(
    X: Floats, y: Floats, criterion: str, min_samples: int
) -> tuple[float, int, float] | None:
    """Return score, column and threshold of the best split; None if no cut is allowed.

    Parameters
    ----------
    X, y : ndarray of shape (n_samples, n_features) and (n_samples,)
        The rows of the node.
    criterion : {"squared_error", "absolute_error", "standard_deviation", "weka"}
        What is reduced: the sum of errors, or the mean standard deviation, or (as in Weka) fifth
        root of the variance.
    min_samples : int
        The minimum number of rows on each side; "weka" has more than a fifth on either side.

    Notes
    -----
    O(p n log n). Of equally good splits the first column's lowest threshold is taken.
    """
    n = len(y)
    if n < 2:
        return None
    total = loss_of(y, measure_of(criterion))[1]
    scale = total if criterion.endswith("error") else (total / n) ** POWERS[criterion]
    tolerance = WEKA_TOLERANCE if criterion == "weka" else TOLERANCE * scale
    best: tuple[float, int, float] | None = None
    n_columns = max(1, BLOCK // n)
    for first in range(0, X.shape[1], n_columns):
        look()
        x, scores = scores_of(X[:, first : first + n_columns], y, criterion, min_samples)
        tops = scores.max(axis=0)
        places = (scores >= tops - TOLERANCE * scale).argmax(axis=0)
        for j in np.flatnonzero(np.isfinite(tops)).tolist():
            at = places[j]
            score = float(scores[at, j])
            if best is None or score > best[0] + tolerance:
                threshold = between(x[at : at + 1, j], x[at + 1 : at + 2, j])
                best = score, first + j, float(threshold[0])
    return best
