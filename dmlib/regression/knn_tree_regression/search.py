"""The search for the best split of a node: the one that reduces the error most."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.squares import centred
from dmlib.trace import look
from dmlib.trees.frontier import sums
from dmlib.trees.impurity import TINY
from dmlib.trees.rules import SLACK
from dmlib.trees.splits import Split as ColumnTest

TOLERANCE = 1e-12  # relative difference up to which two splits are equally good, or a loss is 0
POWERS = {"standard_deviation": 0.5, "weka": 0.2}  # of the variance, in the criteria of model trees
BLOCK = 2**18  # values that are sorted at once
WEKA_TOLERANCE = 1e-6  # difference up to which Weka takes the first of two columns


class Split(NamedTuple):
    """The best split of a node: its first branch is the side of the lower values or means."""

    test: ColumnTest
    score: float  # the decrease of the criterion, over the rows with a value
    share: float  # of the rows with a value, the fraction that goes to the left
    # the training set and the rows of the node, from which all cuts of the column follow
    X: Floats
    y: Floats
    rows: Ints
    shares: Floats | None  # of each row, what is in the node; None: all rows are in it whole
    criterion: str
    min_samples: int

    @property
    def column(self) -> int:
        """The column that is tested."""
        return self.test.column

    @property
    def threshold(self) -> float:
        """The threshold of a numeric column; NaN for a nominal one."""
        return self.test.thresholds[0] if self.test.thresholds else float("nan")

    @property
    def shares_below(self) -> tuple[float, ...]:
        """The fraction of the rows with a value in each branch."""
        return self.share, 1 - self.share

    @property
    def cuts(self) -> tuple[Floats, Floats]:
        """The thresholds that this column allows, and the decrease of the criterion at each.

        Those of a nominal column cut its categories in the order of :attr:`order`: 0.5 behind the
        first of them, 1.5 behind the second.
        """
        x, y, n_values = self.X[self.rows, self.column], self.y[self.rows], len(self.test.branches)
        x = ranked(x, y, self.shares, n_values, self.criterion)[:, None]
        x, scores = scores_of(x, y, self.criterion, self.min_samples, self.shares)
        at = np.flatnonzero(np.isfinite(scores[:, 0]))
        saved = scores[at, 0]
        is_rounding = np.abs(saved) <= TOLERANCE * np.abs(saved).max(initial=0.0)
        return between(x[at, 0], x[at + 1, 0]), np.where(is_rounding, 0.0, saved)

    @property
    def order(self) -> Ints:
        """The categories in the node, ordered by the prediction of their rows."""
        x, y = self.X[self.rows, self.column], self.y[self.rows]
        return category_order(x, y, self.shares, len(self.test.branches), self.criterion)

    @property
    def missing(self) -> float:
        """How many rows of the node, or parts of rows, have no value in the column."""
        is_missing = np.isnan(self.X[self.rows, self.column])
        return float((is_missing if self.shares is None else self.shares[is_missing]).sum())


def loss_of(y: Floats, criterion: str, shares: Floats | None = None) -> tuple[float, float]:
    """Return the prediction of a leaf, and its sum of errors; ``shares`` are parts of rows.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 6.0])
    >>> loss_of(y, "squared_error"), loss_of(y, "absolute_error")
    ((3.0, 14.0), (2.0, 5.0))
    >>> loss_of(y, "squared_error", np.array([1.0, 1.0, 0.5]))
    (2.4, 8.6)
    """
    if criterion == "absolute_error":
        value = float(np.median(y)) if shares is None else weighted_median(y, shares)
        errors = np.abs(y - value)
    elif shares is None:
        mean, errors = centred(y)
        return float(mean), float(errors @ errors)
    else:
        value = float(y[0] + np.average(y - y[0], weights=shares))
        errors = (y - value) ** 2
    return value, float(errors.sum() if shares is None else shares @ errors)


def weighted_median(y: Floats, shares: Floats) -> float:
    """Return the number with half of the weight on either side.

    Examples
    --------
    >>> weighted_median(np.array([1.0, 2.0, 6.0]), np.array([1.0, 0.5, 0.5]))
    1.5
    """
    order = np.argsort(y, kind="stable")
    below = shares[order].cumsum() / shares.sum()
    low, high = (int(np.searchsorted(below, 0.5 + slack)) for slack in (-SLACK, SLACK))
    return float(y[order][low] / 2 + y[order][high] / 2)


def prefix_losses(y: Floats, criterion: str, shares: Floats | None = None) -> Floats:
    """Return the sum of errors of the first, the first two, ... targets of each column.

    Examples
    --------
    >>> prefix_losses(np.array([1.0, 2.0, 6.0]), "absolute_error").tolist()
    [0.0, 1.0, 5.0]
    """
    shares = np.ones(y.shape) if shares is None else shares
    if criterion == "absolute_error":
        columns = zip(y.reshape(len(y), -1).T, shares.reshape(len(y), -1).T, strict=True)
        return np.column_stack([_prefix_deviations(*each) for each in columns]).reshape(y.shape)
    n = np.maximum(shares.cumsum(axis=0), TINY)
    weighted = shares * y
    losses: Floats = np.maximum((weighted * y).cumsum(axis=0) - weighted.cumsum(axis=0) ** 2 / n, 0)
    return losses


def _prefix_deviations(y: Floats, shares: Floats) -> Floats:
    """Return the sums of absolute deviations from the median of the first 1, 2, ... targets."""
    low: list[tuple[float, float]] = []  # the smaller half, negated, with the shares
    high: list[tuple[float, float]] = []  # the larger half
    weights, totals = [0.0, 0.0], [0.0, 0.0]
    deviations = np.zeros(len(y))

    def count(side: int, value: float, share: float) -> None:
        heappush((low, high)[side], (value if side else -value, share))
        weights[side] += share
        totals[side] += share * value

    def move(side: int) -> None:
        signed, share = heappop((low, high)[side])
        value = signed if side else -signed
        count(1 - side, value, share)
        weights[side] -= share
        totals[side] -= share * value

    for i, (value, share) in enumerate(zip(y.tolist(), shares.tolist(), strict=True)):
        if share > 0:
            count(int(bool(low) and value > -low[0][0]), value, share)
            while weights[0] - low[0][1] >= weights[1] + low[0][1]:
                move(0)
            while weights[1] > weights[0]:
                move(1)
        if low:
            deviations[i] = totals[1] - totals[0] - low[0][0] * (weights[0] - weights[1])
    return np.maximum(deviations, 0.0)


def running_losses(y: Floats) -> tuple[Floats, Floats, Floats]:
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
    linear, squares = running[:, :, :-1]
    left_losses, right_losses = np.abs(squares * sides - linear**2) / sides
    return left_losses, right_losses, np.abs(totals[1] * n - totals[0] ** 2)[:1] / n


def scores_of(
    X: Floats, y: Floats, criterion: str, min_samples: int, shares: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return the sorted columns, and the decrease of the criterion by a cut behind each row.

    It is -inf where a cut is not allowed. Rows without a value in a column, NaN, come last and do
    not count there; ``shares`` are parts of rows.
    """
    n = len(y)
    order = np.argsort(X, axis=0, kind="stable")
    x = np.take_along_axis(X, order, axis=0)
    if criterion == "weka":
        left_losses, right_losses, total = running_losses(y[order])
        min_samples = max(n // 5, 1) + 1 if n >= 4 else n
        n_left = np.arange(1, n)[:, None] * np.ones(X.shape[1])
        n_right = n - n_left
    else:
        measure = measure_of(criterion)
        w = np.where(np.isnan(x), 0.0, 1.0 if shares is None else shares[order])
        t = centred(y)[1][order]
        losses = prefix_losses(t, measure, w)
        left_losses, total = losses[:-1], losses[-1]
        right_losses = prefix_losses(t[::-1], measure, w[::-1])[::-1][1:]
        n_left = w.cumsum(axis=0)[:-1]
        n_right = w.sum(axis=0) - n_left
    is_allowed = (np.minimum(n_left, n_right) >= min_samples - SLACK) & (x[1:] > x[:-1])
    scores = _score(left_losses, right_losses, total, n_left, n_right, criterion)
    return x, np.where(is_allowed, scores, -np.inf)


def category_order(
    codes: Floats, y: Floats, shares: Floats | None, n_values: int, criterion: str
) -> Ints:
    """Return the categories that occur, ordered by the mean or median of their targets.

    For squared errors the best division in two cuts this order (Fisher, 1958; Breiman et al.,
    1984, section 8.8).

    Examples
    --------
    >>> codes, y = np.array([0.0, 1.0, 1.0, 3.0]), np.array([5.0, 9.0, 7.0, 1.0])
    >>> category_order(codes, y, None, 4, "squared_error").tolist()
    [3, 0, 1]
    """
    has_value = ~np.isnan(codes)
    own, targets = codes[has_value].astype(int), y[has_value]
    weights = np.ones(len(own)) if shares is None else shares[has_value]
    sizes = sums(own, weights, n_values)
    present = sizes > 0
    values = np.full(n_values, np.inf)
    if criterion == "absolute_error":
        for code in np.flatnonzero(present):
            values[code] = weighted_median(targets[own == code], weights[own == code])
    else:
        values[present] = sums(own, weights * (targets - y[0]), n_values)[present] / sizes[present]
    order: Ints = values.argsort(kind="stable")[: int(np.isfinite(values).sum())]
    return order


def ranked(x: Floats, y: Floats, shares: Floats | None, n_values: int, criterion: str) -> Floats:
    """Return the values of a column, of a nominal one the place of each category in the order."""
    if not n_values:
        return x
    place = np.full(n_values + 1, np.nan)  # the last entry is that of missing values
    order = category_order(x, y, shares, n_values, criterion)
    place[order] = np.arange(len(order))
    ranks: Floats = place[np.where(np.isnan(x), n_values, x).astype(int)]
    return ranks


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


def _score(
    left_losses: Floats,
    right_losses: Floats,
    total: Floats,
    n_left: Floats,
    n_right: Floats,
    criterion: str,
) -> Floats:
    """Return the decrease of the criterion from the losses of both sides."""
    if criterion in ("squared_error", "absolute_error"):
        return total - left_losses - right_losses
    n = n_left + n_right
    power = POWERS[criterion]
    left_spread = (n_left / n) * (left_losses / n_left) ** power
    right_spread = (1 - n_left / n) * (right_losses / n_right) ** power
    decrease: Floats = (total / n) ** power - (left_spread + right_spread)
    return decrease


def best_split(
    X: Floats, y: Floats, criterion: str, min_samples: int, shares: Floats | None = None
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
    shares : ndarray of shape (n_samples,) or None
        Parts of rows; None for whole rows.

    Notes
    -----
    O(p n log n). Of equally good splits the first column's lowest threshold is taken.
    """
    n = len(y)
    if n < 2:
        return None
    total = loss_of(y, measure_of(criterion), shares)[1]
    scale = total if criterion.endswith("error") else (total / n) ** POWERS[criterion]
    tolerance = WEKA_TOLERANCE if criterion == "weka" else TOLERANCE * scale
    best: tuple[float, int, float] | None = None
    n_columns = max(1, BLOCK // n)
    for first in range(0, X.shape[1], n_columns):
        look()
        block = X[:, first : first + n_columns]
        x, scores = scores_of(block, y, criterion, min_samples, shares)
        tops = scores.max(axis=0)
        places = (scores >= tops - TOLERANCE * scale).argmax(axis=0)
        for j in np.flatnonzero(np.isfinite(tops)).tolist():
            at = places[j]
            score = float(scores[at, j])
            if best is None or score > best[0] + tolerance:
                threshold = between(x[at : at + 1, j], x[at + 1 : at + 2, j])
                best = score, first + j, float(threshold[0])
    return best
