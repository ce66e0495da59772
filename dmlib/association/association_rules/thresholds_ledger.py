"""The search of MSapriori in words and numbers: item sets against minimum supports of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dmlib.association.association_rules.multiple_support import MultipleSupportStep
from dmlib.association.itemsets import braces
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

MAX_SETS = 400  # item sets that are drawn
Items = tuple[int, ...]


@dataclass(frozen=True)
class CountedSet:
    """An item set that a run has counted.

    Attributes
    ----------
    number : int
        The number of the step that counts it.
    minimum, support : float
        Its minimum support and its support.
    """

    number: int
    minimum: float
    support: float

    @property
    def is_frequent(self) -> bool:
        """Whether the support reaches the minimum."""
        return self.support >= self.minimum - 1e-12


def counted_sets(steps: Sequence[Any], n_baskets: int) -> dict[Items, CountedSet]:
    """Return the item sets that a run of MSapriori counts, the first of many."""
    sets: dict[Items, CountedSet] = {}
    for i, step in enumerate(steps):
        if not isinstance(step, MultipleSupportStep) or step.phase not in {"sort", "count"}:
            continue
        rows = zip(step.candidates.tolist(), step.counts, step.thresholds, strict=True)
        for items, n, minimum in rows:
            sets[tuple(sorted(items))] = CountedSet(i, float(minimum), float(n) / n_baskets)
    return dict(list(sets.items())[:MAX_SETS])


class ThresholdNarrator:
    """Captions and ledgers of the search for item sets.

    Parameters
    ----------
    problem : BasketsProblem
        The baskets.
    sets : dict
        The item sets that are counted.
    """

    def __init__(self, problem: BasketsProblem, sets: dict[Items, CountedSet]) -> None:
        self.problem, self.sets, self.n = problem, sets, len(problem.matrix)

    def name(self, items: Sequence[int]) -> str:
        """Return an item set in braces."""
        return braces(self.problem.items, items)

    def caption_and_ledger(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        methods = {
            "sort": self._sort,
            "seed": self._seed,
            "pair": self._pair,
            "join": self._join,
            "count": self._count,
        }
        return methods[step.phase](step)

    def _sort(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        first = step.candidates[0].tolist()
        rank = f"{self.name(first)} is first, with {step.thresholds[0]:.4g}"
        caption = f"The items are sorted by minimum support: {rank}."
        return caption, [self._table(step, "Items by minimum support")]

    def _seed(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        minimum = step.thresholds[-1]
        if step.frequent.any():
            minimum = step.thresholds[int(step.frequent.argmax())]
        n, items = int(step.frequent.sum()), count(len(step.frequent), "item", "items")
        caption = f"{n} of {items} can be in a frequent set: support ≥ {minimum:.4g}."
        rows = []
        for item, times, stays in zip(step.candidates, step.counts, step.frequent, strict=True):
            rows.append((self.name(item), times / self.n, "stays" if stays else "out"))
        head = ("item", "support", "result")
        return caption, [
            short_table(head, rows, "Items that can be in a frequent set"),
            Formula(f"lowest minimum support that an item reaches: {num(minimum)}"),
        ]

    def _pair(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        pairs = zip(step.candidates, step.thresholds, strict=True)
        rows = [(self.name(items), float(minimum)) for items, minimum in pairs]
        n_pairs = count(len(rows), "pair", "pairs")
        caption = f"Level 2: {n_pairs} of a frequent item and a later one that reaches its minimum."
        rule = Formula("The later item need not be frequent by itself: its own minimum is higher.")
        head = ("pair", "minimum support")
        return caption, [short_table(head, rows, "Pairs to count"), rule]

    def _join(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        n, pruned = len(step.candidates), int((step.missing >= 0).sum())
        rows = []
        for items, place in zip(step.candidates.tolist(), step.missing.tolist(), strict=True):
            result = "pruned" if place >= 0 else "stays"
            rows.append((self.name(items), self._subset(items, place), result))
        candidates = count(n, "candidate", "candidates")
        caption = f"Level {step.level}: {candidates} joined, {pruned} pruned."
        table = short_table(("candidate", "subset", "result"), rows, "Join and prune")
        return caption, [table, Formula(f"{n} − {pruned} = {n - pruned} to be counted")]

    def _subset(self, items: list[int], place: int) -> str:
        """Return which subset of a candidate is infrequent, for which it is pruned or not."""
        if place >= 0:
            return f"{self.name(items[:place] + items[place + 1 :])} is infrequent"
        subset = self.sets.get(tuple(sorted(items[1:])))
        if subset is None or subset.is_frequent:
            return ""
        return f"{self.name(items[1:])} need not be frequent"

    def _count(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        n, k = len(step.candidates), int(step.frequent.sum())
        candidates = count(n, "candidate", "candidates")
        caption = f"Level {step.level}: {k} of {candidates} reached their minimum support."
        return caption, [self._table(step, f"Candidates of {step.level} items")]

    def _table(self, step: MultipleSupportStep, title: str) -> LedgerTable:
        rows = []
        for items, n, minimum in zip(step.candidates, step.counts, step.thresholds, strict=True):
            support = float(n / self.n)
            status = "frequent" if support >= minimum - 1e-12 else "infrequent"
            rows.append((self.name(items), support, float(minimum), status))
        return short_table(("item set", "support", "minimum", "status"), rows, title)
