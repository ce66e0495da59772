"""The search for the split of a node by which the error of what it predicts falls most."""

from __future__ import annotations

from heapq import heappush, heappushpop
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.squares import centred, deviations
from dmlib.trace import look

NOTHING = (
    1e-12  # share of a loss up to which nothing is left to split, or two splits are equally good
)
POWERS = {"standard_deviation": 0.5, "weka": 0.2}  # of the variance, in the criteria of model trees
BLOCK = 2**18  # values that are sorted at once
WEKA_EQUAL = 1e-6  # the columns of two splits are told apart in Weka if their scores differ by more


class Split(NamedTuple):
    """The best split of a node: rows with at most ``threshold`` in ``column`` go to the left."""

    column: int
    threshold: float
    score: float  # by how much the criterion falls
    # the training set with the rows of the node among it, so that its other cuts are found when
    # they are asked for
    X: Floats
    y: Floats
    rows: Ints
    criterion: str
    least: int

    @property
    def cuts(self) -> tuple[Floats, Floats]:
        """Where the node could be cut in this column, and by how much the criterion would fall there."""
        x, scores = scores_of(
            self.X[self.rows, self.column][:, None], self.y[self.rows], self.criterion, self.least
        )
        at = np.flatnonzero(np.isfinite(scores[:, 0]))
        return between(x[at, 0], x[at + 1, 0]), scores[at, 0]


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


def running_losses(y: Floats) -> tuple[Floats, Floats, float]:
    """Return the sums of squares of both sides, and of all, with the rounding of Weka's running sums.

    Weka starts with the first fifth of the sorted rows on the left and moves one row after another.
    What is left over where all targets of a side are equal, 1e-14 instead of 0, is 0.002 as a fifth
    root: it decides between columns.
    """
    n, first = len(y), max(len(y) // 5, 1)
    moved = np.zeros((2, 2, *y.shape))  # sums and sums of squares of the left, and of the right
    whole = []
    for power in (0, 1):
        values = y ** (power + 1)
        moved[power, 0] = values.cumsum(axis=0)
        rest = values[first:].cumsum(axis=0)[-1:]
        moved[power, 1, first:] = np.concatenate([rest, -values[first:]]).cumsum(axis=0)[1:]
        whole.append(moved[power, 0, first - 1] + rest[0])
    counts = np.arange(1.0, n)[:, None]
    sides = np.stack([counts, n - counts])
    sums, squares = moved[:, :, :-1]
    left, right = np.abs(squares * sides - sums**2) / sides
    return left, right, float(np.abs(whole[1] * n - whole[0] ** 2)[0] / n)


def scores_of(X: Floats, y: Floats, criterion: str, least: int) -> tuple[Floats, Floats]:
    """Return the sorted columns, and by how much the criterion falls behind each row; -inf where no cut may be."""
    n = len(y)
    order = np.argsort(X, axis=0, kind="stable")
    x, measure = np.take_along_axis(X, order, axis=0), measure_of(criterion)
    if criterion == "weka":
        left, right, whole = running_losses(y[order])
        least = max(n // 5, 1) + 1 if n >= 4 else n
    else:
        t, whole = deviations(y)[order], loss_of(y, measure)[1]
        left, right = prefix_losses(t, measure)[:-1], prefix_losses(t[::-1], measure)[::-1][1:]
    sides = np.arange(1, n)[:, None]
    allowed = (sides >= least) & (n - sides >= least) & (x[1:] > x[:-1])
    return x, np.where(allowed, _score(left, right, whole, criterion), -np.inf)


def measure_of(criterion: str) -> str:
    """Return the error that is summed for a criterion."""
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


def best_split(X: Floats, y: Floats, criterion: str, least: int) -> tuple[float, int, float] | None:
    """Return by how much the criterion falls at most, in which column and where; None if nothing can be cut.

    Parameters
    ----------
    X, y : ndarray of shape (n_samples, n_features) and (n_samples,)
        The rows of the node.
    criterion : {"squared_error", "absolute_error", "standard_deviation", "weka"}
        What falls: the sum of errors, or the mean standard deviation, or (as in Weka) fifth root of
        the variance.
    least : int
        How many rows each side must have; "weka" wants more than a fifth on either side.

    Notes
    -----
    O(p n log n). Of equally good splits the first column's lowest threshold is taken.
    """
    found: tuple[float, int, float] | None = None
    n = len(y)
    if n < 2:
        return None
    whole = loss_of(y, measure_of(criterion))[1]
    scale = whole if criterion.endswith("error") else (whole / n) ** POWERS[criterion]
    near = WEKA_EQUAL if criterion == "weka" else NOTHING * scale
    at_once = max(1, BLOCK // n)
    for first in range(0, X.shape[1], at_once):
        look()
        x, scores = scores_of(X[:, first : first + at_once], y, criterion, least)
        tops = scores.max(axis=0)
        places = (scores >= tops - NOTHING * scale).argmax(axis=0)
        for j in np.flatnonzero(np.isfinite(tops)).tolist():
            at, score = places[j], float(scores[places[j], j])
            if found is None or score > found[0] + near:
                found = (
                    score,
                    first + j,
                    float(between(x[at : at + 1, j], x[at + 1 : at + 2, j])[0]),
                )
    return found
