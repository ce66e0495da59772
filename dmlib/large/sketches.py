"""Mergeable sketches of a column: quantiles, the number of distinct values, frequent values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.arrays import Floats

POINTS = 1 << 10  # that are kept of a block
MAX_POINTS = 1 << 17  # of all blocks, before they are thinned
KEPT_POINTS = 1 << 14
HASHES = 1 << 12
COUNTERS = 1 << 10


@dataclass(frozen=True)
class Quantiles:
    """Some of the sorted values, each standing for a run of them, and how far ranks can be off.

    Notes
    -----
    A value stands for its run; a rank is then off by the part of one run that lies on the wrong
    side of it. Such errors add up when summaries are merged or thinned, and their sum is kept: it
    is a bound, not an estimate.

    References
    ----------
    G. S. Manku, S. Rajagopalan and B. G. Lindsay (1998), Approximate medians and other quantiles in
    one pass and with limited memory.

    Examples
    --------
    >>> sketch = Quantiles.of(np.arange(100_000.0))
    >>> sketch.quantile([0.5])[0], sketch.error / 100_000 < 0.001
    (np.float64(49950.0), True)
    """

    values: Floats
    weights: Floats
    error: float
    """By how many rows a rank can be off."""

    @classmethod
    def of(cls, ascending: Floats) -> Quantiles:
        """Return the summary of sorted numbers."""
        return cls(ascending, np.ones(len(ascending)), 0.0)._thinned(POINTS)

    def merge(self, following: Quantiles) -> Quantiles:
        """Return the summary of both."""
        values = np.concatenate([self.values, following.values])
        order = np.argsort(values, kind="stable")
        weights = np.concatenate([self.weights, following.weights])
        merged = Quantiles(values[order], weights[order], self.error + following.error)
        return merged._thinned(KEPT_POINTS) if len(values) > MAX_POINTS else merged

    def quantile(self, shares: Sequence[float]) -> Floats:
        """Return quantiles; interpolated while the sketch holds all values."""
        if not len(self.values):
            return np.full(np.shape(shares), np.nan)
        if not self.error:
            return np.asarray(np.quantile(np.repeat(self.values, self.weights.astype(int)), shares))
        ends = np.cumsum(self.weights)
        places = np.searchsorted(ends, np.asarray(shares) * ends[-1])
        largest: Floats = self.values[np.minimum(places, len(ends) - 1)]
        return largest

    def _thinned(self, size: int) -> Quantiles:
        """Return about ``size`` of the values, each for a run of about equal weight."""
        if len(self.values) <= size:
            return self
        ends = np.cumsum(self.weights)
        run = ((ends - self.weights / 2) * (size / ends[-1])).astype(np.intp)
        first = np.flatnonzero(np.diff(run, prepend=-1))
        begin = ends[first] - self.weights[first]
        end = np.append(begin[1:], ends[-1])
        middle = np.searchsorted(ends, (begin + end) / 2)
        before, after = ends[middle] - self.weights[middle] - begin, end - ends[middle]
        error = float(max(before.max(), after.max()))
        return Quantiles(self.values[middle], end - begin, self.error + error)


@dataclass(frozen=True)
class Distinct:
    """The smallest hash values, from which the number of distinct values is estimated.

    References
    ----------
    K. Beyer, P. J. Haas, B. Reinwald, Y. Sismanis and R. Gemulla (2007), On synopses for
    distinct-value estimation under multiset operations.

    Examples
    --------
    >>> Distinct.of(np.array([3.0, 5.0])).merge(Distinct.of(np.array([5.0, 9.0]))).n
    3
    >>> many = Distinct.of(np.arange(100_000.0))
    >>> many.exact, abs(many.n - 100_000) < 3 * many.error * 100_000
    (False, True)
    """

    hashes: NDArray[np.uint64]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Distinct:
        """Return the summary of different values."""
        hashes = np.asarray(pd.util.hash_array(values, categorize=False))
        if len(hashes) > HASHES:
            hashes = np.partition(hashes, HASHES)[:HASHES]
        return cls(np.unique(hashes))

    def merge(self, following: Distinct) -> Distinct:
        """Return the summary of both."""
        return Distinct(np.union1d(self.hashes, following.hashes)[:HASHES])

    @property
    def exact(self) -> bool:
        """Whether the number is no estimate."""
        return len(self.hashes) < HASHES

    @property
    def n(self) -> int:
        """How many different values there are."""
        return (
            len(self.hashes)
            if self.exact
            else round((HASHES - 1) / (float(self.hashes[-1]) / 2.0**64))
        )

    @property
    def error(self) -> float:
        """The relative standard error of the estimate."""
        return 0.0 if self.exact else (HASHES - 2) ** -0.5


@dataclass(frozen=True)
class Frequent:
    """Counters of the most frequent values, each too low by at most ``error``.

    References
    ----------
    P. K. Agarwal, G. Cormode, Z. Huang, J. M. Phillips, Z. Wei and K. Yi (2013), Mergeable
    summaries. J. Misra and D. Gries (1982), Finding repeated elements.

    Examples
    --------
    >>> first = Frequent.of(np.array(["a", "b"]), np.array([5, 1]))
    >>> second = Frequent.of(np.array(["a"]), np.array([2]))
    >>> first.merge(second).top(1)
    (('a', 7),)
    """

    counts: pd.Series[Any]
    error: int = 0

    @classmethod
    def of(cls, values: NDArray[Any], counts: NDArray[np.integer[Any]]) -> Frequent:
        """Return the summary of different values and how often they occur."""
        smallest = (
            int(np.partition(counts, -COUNTERS - 1)[-COUNTERS - 1]) if len(counts) > COUNTERS else 0
        )
        retained = counts > smallest
        return cls(
            pd.Series((counts - smallest)[retained].astype(np.int64), values[retained]), smallest
        )

    def merge(self, following: Frequent) -> Frequent:
        """Return the summary of both."""
        if not len(self.counts) or not len(following.counts):
            longer = self.counts if len(self.counts) else following.counts
            return Frequent(longer, self.error + following.error)
        merged = self.counts.add(following.counts, fill_value=0).astype(np.int64)
        largest = Frequent.of(merged.index.to_numpy(), merged.to_numpy())
        return Frequent(largest.counts, largest.error + self.error + following.error)

    def top(self, n: int) -> tuple[tuple[Any, int], ...]:
        """Return the most frequent values and their counters; none that is not above the error."""
        best = sorted(self.counts.items(), key=lambda entry: (-entry[1], str(entry[0])))[:n]
        return tuple((value, int(count)) for value, count in best if count > self.error)
