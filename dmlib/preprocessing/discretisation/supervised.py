"""Supervised cuts: entropy with the description length, 1R, ChiMerge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import chi2

from dmlib.arrays import Floats
from dmlib.trace import look
from dmlib.trees.impurity import impurity

Codes = NDArray[np.intp]

CRITERIA: Mapping[str, str] = {"fayyad_irani": "Fayyad and Irani", "kononenko": "Kononenko"}
SIGNS = np.array([1.0, -1.0, -1.0])  # of an interval and of both sides, in a gain


@dataclass(frozen=True)
class Trial:
    """A candidate cut.

    Attributes
    ----------
    phase : {"cut", "reject", "merge"}
        "merge": a cut is removed.
    cut : float
        Its place.
    candidates, scores : ndarray of shape (n_candidates,)
        The possible places, and the entropy or chi-squared there.
    n : int
        The rows that it divides.
    entropy, left, right : float
        Their entropy in bits, and that of both sides.
    gain, threshold : float
        The gain and its limit, in bits for each row, by Kononenko's criterion for all; of ChiMerge,
        chi-squared and its limit.
    """

    phase: Literal["cut", "reject", "merge"]
    cut: float
    candidates: Floats = field(default_factory=lambda: np.empty(0))
    scores: Floats = field(default_factory=lambda: np.empty(0))
    n: int = 0
    entropy: float = 0.0
    left: float = 0.0
    right: float = 0.0
    gain: float = 0.0
    threshold: float = 0.0


def entropy(counts: Floats) -> Floats:
    """Return the entropy in bits of counts, over the last axis.

    Examples
    --------
    >>> entropy(np.array([[2.0, 2.0], [4.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(impurity(counts.T, "entropy"))


def entropy_cuts(
    x: Floats, y: Codes, criterion: str = "fayyad_irani", *, better_encoding: bool = False
) -> Iterator[Trial]:
    """Cut sorted numbers where the entropy of their classes falls most.

    A cut is accepted if it shortens the description. Fayyad and Irani: the gain must exceed
    ``(log2(m) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / n``, with k, k1 and k2 classes in the rows
    and on both sides. Kononenko: the description of the classes must become shorter by more than
    ``log2(m)``. The cut is one of m = n - 1 places between rows; with the better encoding, of those
    between values.

    Examples
    --------
    >>> x, y = np.arange(8.0), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> [(trial.phase, trial.cut) for trial in entropy_cuts(x, y)]
    [('cut', 3.5), ('reject', 0.5), ('reject', 4.5)]
    """
    k = int(y.max()) + 1
    waiting = [(0, len(x))]
    while waiting:
        look()
        start, end = waiting.pop(0)
        places = start + np.flatnonzero(np.diff(x[start:end]) > 0) + 1
        if not len(places):
            continue
        n = end - start
        total = np.bincount(y[start:end], minlength=k).astype(float)
        below = np.cumsum(np.eye(k)[y[start:end]], axis=0)[places - start - 1]
        above = total - below
        scores = (below.sum(axis=1) * entropy(below) + above.sum(axis=1) * entropy(above)) / n
        best = int(scores.argmin())
        counts = np.array([total, below[best], above[best]])
        entropies = entropy(counts)
        fall = float(entropies[0] - scores[best])
        cost = float(np.log2(len(places) if better_encoding else n - 1))
        if criterion == "kononenko":
            gain, threshold = description_gain(counts), cost
        else:
            n_classes = (counts > 0).sum(axis=1)
            cost += float(np.log2(3.0 ** n_classes[0] - 2) - n_classes @ (entropies * SIGNS))
            gain, threshold = fall, cost / n
        middles = (x[places - 1] + x[places]) / 2
        is_cut = gain > threshold and fall > 0
        yield Trial(
            phase="cut" if is_cut else "reject",
            cut=float(middles[best]),
            candidates=middles,
            scores=scores,
            n=n,
            entropy=float(entropies[0]),
            left=float(entropies[1]),
            right=float(entropies[2]),
            gain=gain,
            threshold=threshold,
        )
        if is_cut:
            waiting += [(start, int(places[best])), (int(places[best]), end)]


def description_gain(counts: Floats) -> float:
    """Return by how many bits a cut shortens Kononenko's description of the classes.

    For n rows of k classes it is ``log2 C(n + k - 1, k - 1)`` for how many of each there are, and
    ``log2 n! / (n1! ... nk!)`` for which they are.

    Parameters
    ----------
    counts : ndarray of shape (3, n_classes)
        The classes of the interval, and of both sides.

    Examples
    --------
    log2(5 * 6 / 3 / 3):

    >>> round(description_gain(np.array([[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]])), 3)
    1.737
    """
    n, k = counts.sum(axis=1), int((counts[0] > 0).sum())
    bits = gammaln(n + k) - gammaln(k) - gammaln(counts + 1).sum(axis=1)
    return float(bits[0] - bits[1] - bits[2]) / float(np.log(2))


def one_rule_cuts(x: Floats, y: Codes, min_size: int) -> Iterator[Trial]:
    """Cut sorted numbers by Holte's 1R.

    An interval ends when its majority class has enough rows and that of the next value differs. At
    the end neighbours with the same majority class become one. Rows of one value belong together,
    so that their order does not matter: the interval goes on while its majority class is a most
    frequent class of the next value, too; of equally frequent classes the first by name is the
    majority.

    Examples
    --------
    >>> x, y = np.arange(8.0), np.array([0, 0, 1, 0, 1, 1, 1, 0])
    >>> [(trial.phase, trial.cut) for trial in one_rule_cuts(x, y, 3)]
    [('cut', 3.5), ('cut', 6.5)]
    """
    values, counts = _class_counts(x, y)
    cuts: list[float] = []
    majorities = []
    interval = np.zeros(counts.shape[1])
    for i, after in enumerate(counts[1:]):
        look()
        interval += counts[i]
        majority = int(interval.argmax())
        if interval[majority] >= min_size and after[majority] < after.max():
            cuts.append(float((values[i] + values[i + 1]) / 2))
            majorities.append(majority)
            yield Trial("cut", cuts[-1], n=int(interval.sum()), gain=float(interval[majority]))
            interval[:] = 0
    majorities.append(int((interval + counts[-1]).argmax()))
    for cut, below, above in zip(cuts, majorities, majorities[1:], strict=False):
        if below == above:
            yield Trial("merge", cut)


def chi_merge_cuts(x: Floats, y: Codes, alpha: float) -> Iterator[Trial]:
    """Merge neighbouring values while their classes do not differ significantly: Kerber's ChiMerge.

    It begins with a cut between any two values and removes the one with the smallest Pearson's
    chi-squared of both sides, without a correction of small counts, with k - 1 degrees of freedom.
    The first cuts come in one trial, as its candidates.

    Examples
    --------
    >>> x, y = np.arange(6.0), np.array([0, 0, 0, 1, 1, 1])
    >>> last = list(chi_merge_cuts(x, y, 0.1))[-1]
    >>> last.candidates.tolist(), last.scores.round(3).tolist()
    ([2.5, 4.5], [5.0, 0.0])
    """
    values, counts = _class_counts(x, y)
    cuts = (values[:-1] + values[1:]) / 2
    limit = float(chi2.isf(alpha, max(counts.shape[1] - 1, 1)))
    scores = _chi_squared(counts[:-1], counts[1:])
    while len(cuts):
        look()
        worst = int(scores.argmin())
        score = float(scores[worst])
        if score >= limit:
            break
        yield Trial("merge", float(cuts[worst]), cuts, scores, gain=score, threshold=limit)
        counts[worst] += counts[worst + 1]
        counts = np.delete(counts, worst + 1, axis=0)
        cuts, scores = np.delete(cuts, worst), np.delete(scores, worst)
        for i in (worst - 1, worst):
            if 0 <= i < len(cuts):
                scores[i] = float(_chi_squared(counts[i : i + 1], counts[i + 1 : i + 2])[0])


def _chi_squared(first: Floats, second: Floats) -> Floats:
    """Return Pearson's chi-squared of pairs of rows of counts, over the classes that they have."""
    total = first + second
    n = total.sum(axis=1, keepdims=True)
    statistic = np.zeros(len(first))
    for side in (first, second):
        expected = side.sum(axis=1, keepdims=True) * total / n
        statistic += ((side - expected) ** 2 / np.where(total > 0, expected, 1.0)).sum(axis=1)
    return statistic


def _class_counts(x: Floats, y: Codes) -> tuple[Floats, Floats]:
    """Return the different values, and their rows of each class, shape (n_values, n_classes)."""
    values, place = np.unique(x, return_inverse=True)
    counts = np.zeros((len(values), int(y.max()) + 1))
    np.add.at(counts, (place, y), 1)
    return values, counts
