"""The passes of Apriori and its kin: candidates are made and counted, one size after the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.association.bitsets import Sets, Words, common_baskets, packed, support_counts
from dmlib.association.itemsets import (
    EASY,
    PrefixTree,
    join,
    join_sizes,
    least_count,
    long_itemset,
    rounded_up,
    without,
)
from dmlib.trace import look

Phase = Literal["join", "prune", "extend", "count", "done"]


@dataclass(frozen=True)
class AprioriStep:
    """One step of Apriori or one of its kin: what happens to all candidates of one size.

    Attributes
    ----------
    phase : {"join", "prune", "extend", "count", "done"}
        Pairs of frequent item sets are joined to candidates; candidates with an infrequent subset
        are pruned; frequent item sets are extended by the items of their baskets (AIS); the
        candidates are counted; nothing is left to do.
    level : int
        The size of the candidates.
    candidates : ndarray of shape (n, level)
        The candidates that are joined, checked, made or counted: columns of their items. None on
        "done".
    pairs : ndarray of shape (n, 2)
        On "join" the numbers of the two frequent item sets of the level before; on "extend" the
        number of one, and the item.
    missing : ndarray of shape (n,)
        On "prune" the place of the item without which the candidate is an infrequent item set; -1
        for those that stay.
    counts : ndarray of shape (n,)
        On "count" the number of baskets that contain the candidate.
    frequent : ndarray of bool of shape (n,)
        On "count" whether that is enough.
    n_itemsets, n_candidates, n_passes : int
        How many frequent item sets were found, candidates counted and passes over the baskets made
        so far.
    remaining : ndarray of bool of shape (n_baskets,)
        On "count" of AprioriTid which baskets contain a candidate: only these are looked at from
        now on.
    memory : int
        On "count" how many numbers the method holds in memory, as its authors describe it: the
        items of the candidates, and with them whatever it keeps of the baskets.
    peak_memory : int
        The largest of these so far.
    reason : str
        On "done": why it ends, as a sentence.
    """

    phase: Phase
    level: int
    candidates: Sets
    pairs: NDArray[np.intp]
    missing: NDArray[np.intp]
    counts: NDArray[np.intp]
    frequent: NDArray[np.bool_]
    n_itemsets: int
    n_candidates: int
    n_passes: int
    remaining: NDArray[np.bool_]
    peak_memory: int
    memory: int = 0
    reason: str = ""


class TooManyCandidatesError(ValueError):
    """A level would have more candidates than are allowed."""


class Passes:
    """One run of Apriori over a matrix of baskets.

    Parameters
    ----------
    matrix : ndarray of bool of shape (n_baskets, n_items)
        Which item lies in which basket.
    min_support : float
        The share of baskets that contains a frequent item set.
    max_length : int or None
        The largest size of an item set.
    max_candidates : int
        More candidates of one size are refused.
    """

    def __init__(
        self,
        matrix: NDArray[np.bool_],
        min_support: float,
        max_length: int | None,
        max_candidates: int,
    ) -> None:
        self.matrix, self.min_support = matrix, min_support
        self.max_length, self.max_candidates = max_length, max_candidates
        self.n_baskets, self.n_items = matrix.shape
        self.bits: Words = packed(matrix)
        self.tree = PrefixTree(self.n_items)
        self.last: Sets = np.empty((1, 0), np.intp)
        self.last_counts = np.array([self.n_baskets])
        self.n_itemsets = self.n_candidates = self.n_passes = self.peak_memory = 0
        self.advises = True

    def steps(self) -> Iterator[AprioriStep]:
        """Go on while there are candidates."""
        self.refuse_subsets()
        yield self.count(np.arange(self.n_items)[:, None])
        while len(self.last) and self.last.shape[1] != self.max_length:
            look()
            candidates = yield from self.candidates()
            if not len(candidates):
                break
            yield self.count(candidates)
        yield self.record("done", self.last[:0], reason=self.reason())

    def candidates(self) -> Generator[AprioriStep, None, Sets]:
        """Yield how the candidates of the next level are made; return them."""
        self.refuse(int(join_sizes(self.last).sum()))
        pairs = join(self.last)
        joined = np.hstack([self.last[pairs[:, 0]], self.last[pairs[:, 1], -1:]])
        yield self.record("join", joined, pairs=pairs)
        self.pairs = pairs
        if joined.shape[1] == 2 or not len(joined):
            return joined  # every single item of a pair is frequent
        missing = np.full(len(joined), -1)
        for position in range(joined.shape[1] - 2):
            look()
            is_infrequent = self.tree.find(without(joined, position)) < 0
            missing[is_infrequent & (missing < 0)] = position
        yield self.record("prune", joined, missing=missing)
        self.pairs = pairs[missing < 0]
        return joined[missing < 0]

    def supports(self, candidates: Sets) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return how many baskets contain each candidate, and which baskets contain any."""
        self.n_passes += 1
        return support_counts(self.bits, candidates), np.empty(0, bool)

    def count(self, candidates: Sets) -> AprioriStep:
        """Count the candidates; the frequent ones are the item sets of this level."""
        counts, remaining = self.supports(candidates)
        frequent = counts / self.n_baskets >= self.min_support
        self.last, self.last_counts = candidates[frequent], counts[frequent]
        self.tree.grow(self.last)
        self.n_candidates += len(candidates)
        self.n_itemsets += len(self.last)
        memory = self.memory(candidates, counts, remaining)
        self.peak_memory = max(self.peak_memory, memory)
        return self.record(
            "count",
            candidates,
            counts=counts,
            frequent=frequent,
            remaining=remaining,
            memory=memory,
        )

    def memory(
        self, candidates: Sets, counts: NDArray[np.intp], remaining: NDArray[np.bool_]
    ) -> int:
        """Return how many numbers are held while candidates are counted."""
        return candidates.size

    def record(self, phase: Phase, candidates: Sets, **details: Any) -> AprioriStep:
        """Return a step with the counts so far; arrays that it does not have are empty."""
        empty = {
            "pairs": np.empty((0, 2), np.intp),
            "missing": np.empty(0, np.intp),
            "counts": np.empty(0, np.intp),
            "frequent": np.empty(0, bool),
            "remaining": np.empty(0, bool),
        }
        return AprioriStep(
            phase=phase,
            level=candidates.shape[1],
            candidates=candidates,
            n_itemsets=self.n_itemsets,
            n_candidates=self.n_candidates,
            n_passes=self.n_passes,
            peak_memory=self.peak_memory,
            **empty | details,
        )

    def reason(self) -> str:
        """Say why there is no further level."""
        size = self.last.shape[1]
        if not len(self.last):
            itemset = "item" if size == 1 else f"set of {size} items"
            return f"No {itemset} is frequent, so no larger set is."
        if size == self.max_length:
            items = "item" if size == 1 else "items"
            return f"Item sets of more than {size} {items} are not searched (max_length)."
        return f"No candidate of {size + 1} items is left."

    # --- too many candidates ----------------------------------------------------------------------

    def refuse_subsets(self) -> None:
        """Raise if the subsets of one frequent item set alone are too many candidates."""
        size = long_itemset(self.bits, least_count(self.min_support, self.n_baskets))
        sizes = range(1, min(size, self.max_length or size) + 1)
        level = next((k for k in sizes if comb(size, k) > self.max_candidates), None)
        if level:
            counts = np.bitwise_count(self.bits).sum(axis=1)
            subsets = f"A set of {size} items is frequent, and with it its {2**size - 1:,} subsets"
            raise self.refusal(f"{subsets}: there would be", comb(size, level), level, counts)

    def refuse(self, n_candidates: int) -> None:
        """Raise if the next level has too many candidates, with what would work."""
        if n_candidates > self.max_candidates:
            size = self.last.shape[1] + 1
            raise self.refusal("There would be", n_candidates, size, self.last_counts)

    def refusal(
        self, beginning: str, n_candidates: int, size: int, counts: NDArray[np.intp]
    ) -> TooManyCandidatesError:
        """Return the error that says how many candidates there would be, and what would work."""
        support = self.working_support(np.unique(counts)) if self.advises else None
        advice = f"Raise min_support to {support:g}, or set" if support else "Set"
        return TooManyCandidatesError(
            f"{beginning} {n_candidates:,} candidates of {size} items, more than"
            f" {self.max_candidates:,}. {advice} max_length to {size - 1}."
        )

    def working_support(self, counts: NDArray[np.intp]) -> float | None:
        """Return the lowest of some supports with far fewer candidates, by trial, if any."""
        supports = counts / self.n_baskets
        place = bisect_left(supports, True, key=self.is_easy)
        return rounded_up(float(supports[place])) if place < len(counts) else None

    def is_easy(self, min_support: float) -> bool:
        """Return whether a run with this support has far fewer candidates than are allowed."""
        look()
        trial = type(self)(self.matrix, min_support, self.max_length, self.max_candidates // EASY)
        trial.advises = False
        try:
            for _ in trial.steps():
                pass
        except TooManyCandidatesError:
            return False
        return True


class TidPasses(Passes):
    """One run of AprioriTid: from level 2 on, lists of candidates replace the baskets."""

    lists: Words

    def supports(self, candidates: Sets) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return how many lists have both item sets that make a candidate, and which lists stay."""
        if candidates.shape[1] == 1:
            self.n_passes += 1
            lists = self.bits
        else:
            lists = self.lists[self.pairs[:, 0]] & self.lists[self.pairs[:, 1]]
        counts = np.bitwise_count(lists).sum(axis=1, dtype=np.intp)
        return counts, self.keep(lists, counts)

    def keep(self, lists: Words, counts: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Keep the lists of the frequent candidates; return which baskets contain a candidate."""
        self.lists = lists[counts / self.n_baskets >= self.min_support]
        remaining = np.bitwise_or.reduce(lists, axis=0).astype("<u8").view(np.uint8)
        return np.unpackbits(remaining, count=self.n_baskets, bitorder="little").astype(bool)

    def memory(
        self, candidates: Sets, counts: NDArray[np.intp], remaining: NDArray[np.bool_]
    ) -> int:
        """Return the items of the candidates, and of each list its basket and its candidates."""
        return candidates.size + int(counts.sum() + remaining.sum())


class HybridPasses(TidPasses):
    """One run of AprioriHybrid: Apriori's passes until the lists of AprioriTid are short enough."""

    def __init__(self, *args: Any, max_entries: int = 0) -> None:
        super().__init__(*args)
        self.max_entries = max_entries
        self.switched = False
        self.n_before = 0

    def supports(self, candidates: Sets) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Count in the baskets, or in the lists once a pass has made them."""
        if hasattr(self, "lists"):
            return super().supports(candidates)
        self.n_passes += 1
        counts, remaining = support_counts(self.bits, candidates), np.empty(0, bool)
        if self.switched:
            remaining = self.keep(common_baskets(self.bits, candidates), counts)
        n_frequent = int((counts / self.n_baskets >= self.min_support).sum())
        fits = counts.sum() + self.n_baskets <= self.max_entries
        self.switched |= bool(fits and (n_frequent < self.n_before))
        self.n_before = n_frequent
        return counts, remaining

    def memory(
        self, candidates: Sets, counts: NDArray[np.intp], remaining: NDArray[np.bool_]
    ) -> int:
        """Return the items of the candidates, and the lists once they are made."""
        if hasattr(self, "lists"):
            return super().memory(candidates, counts, remaining)
        return candidates.size


class ExtendingPasses(Passes):
    """One run of AIS: frequent item sets are extended by later frequent items of their baskets."""

    def candidates(self) -> Generator[AprioriStep, None, Sets]:
        """Yield how the candidates of the next level are made; return them."""
        if self.last.shape[1] == 1:
            self.items = self.last[:, 0]
        later = len(self.items) - np.searchsorted(self.items, self.last[:, -1], side="right")
        self.refuse(int(later.sum()))
        parent = np.repeat(np.arange(len(self.last)), later)
        within = np.arange(len(parent)) - np.repeat(np.cumsum(later) - later, later)
        item = self.items[len(self.items) - later[parent] + within]
        extended = np.hstack([self.last[parent], item[:, None]])
        occurs = support_counts(self.bits, extended) > 0
        pairs = np.stack([parent, item], axis=1)[occurs]
        yield self.record("extend", extended[occurs], pairs=pairs)
        return extended[occurs]


class SetPasses(ExtendingPasses):
    """One run of SETM: the candidates of AIS, each in a table once for each of its baskets."""

    def memory(
        self, candidates: Sets, counts: NDArray[np.intp], remaining: NDArray[np.bool_]
    ) -> int:
        """Return the basket and the items of each candidate in each of its baskets."""
        return int(counts.sum() * (candidates.shape[1] + 1))
