"""The arithmetic of Apriori and its kin: what is joined, which subset is missing, what is counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.association.apriori.lattice_scene import Lattice
from dmlib.association.apriori.passes import AprioriStep
from dmlib.association.bitsets import Sets
from dmlib.pictures.ledger import MOST_LINES, Blocks, Cell, Formula, LedgerTable
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

MOST_BASKETS = 20  # baskets that are named in one line


class Ledger:
    """Caption and ledger of each step of a run."""

    def __init__(
        self, problem: BasketsProblem, steps: Sequence[AprioriStep], min_support: float, lattice: Lattice
    ) -> None:
        self.problem, self.steps, self.min_support, self.lattice = problem, steps, min_support, lattice
        self.n_baskets = len(problem.matrix)

    def told(self, i: int, at: int | None) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step, or of one candidate that it counts."""
        step = self.steps[i]
        if step.phase == "count":
            return self._all(step) if at is None else self._one(step, at)
        return {"join": self._join, "prune": self._prune, "extend": self._extend, "done": self._done}[step.phase](step)

    def name(self, items: Sequence[int] | NDArray[np.intp]) -> str:
        """Return an item set in braces."""
        return "{" + ", ".join(self.problem.items[j] for j in items) + "}"

    def baskets(self, items: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the baskets that contain an item set."""
        return np.flatnonzero(self.problem.matrix[:, items].all(axis=1))

    def before(self, level: int) -> Sets:
        """Return the frequent item sets of a level."""
        step = next(step for step in self.steps if step.phase == "count" and step.level == level)
        return step.candidates[step.frequent]

    # --- making candidates --------------------------------------------------------------------------------------------

    def _join(self, step: AprioriStep) -> tuple[str, Blocks]:
        size, frequent = step.level, self.before(step.level - 1)
        rule = "all pairs of frequent items" if size == 2 else "pairs that agree in all but their last item"
        n = len(step.candidates)
        sets = count(len(frequent), "frequent item set", "frequent item sets")
        made = f"{count(n, 'candidate', 'candidates')} of {size} items" if n else f"no candidate of {size} items"
        rows = [
            (self.name(frequent[a]), self.name(frequent[b]), self.name(candidate))
            for (a, b), candidate in zip(step.pairs[:MOST_LINES], step.candidates, strict=False)
        ]
        table = self._about(step.candidates, ("first", "second", "joined"), rows, cut(f"Join: {rule}", n))
        return f"Level {size}: {sets} of {size - 1} join to {made}.", [table] if rows else []

    def _prune(self, step: AprioriStep) -> tuple[str, Blocks]:
        pruned = step.missing >= 0
        n, k = len(pruned), int(pruned.sum())
        order = np.argsort(~pruned, kind="stable")[:MOST_LINES]
        rows = []
        for row in order:
            items, place = step.candidates[row], step.missing[row]
            lacking = self.name(np.delete(items, place)) if place >= 0 else ""
            rows.append((self.name(items), lacking, "pruned" if place >= 0 else "stays"))
        head, title = ("candidate", "infrequent subset", "result"), cut(f"Prune: subsets of {step.level - 1} items", n)
        table = self._about(step.candidates[order], head, rows, title)
        if not k:
            return f"All subsets of the {count(n, 'candidate is', 'candidates are')} frequent, so none is pruned.", [
                table
            ]
        first = step.candidates[order[0]]
        lacking = self.name(np.delete(first, step.missing[order[0]]))
        candidates = count(n, "candidate is", "candidates are")
        caption = f"{k} of {candidates} pruned: {self.name(first)} since {lacking} is infrequent"
        caption += ", the others likewise." if k > 1 else "."
        return caption, [table, Formula(f"{n} − {k} = {n - k} to be counted")]

    def _extend(self, step: AprioriStep) -> tuple[str, Blocks]:
        size, frequent, n = step.level, self.before(step.level - 1), len(step.candidates)
        rows = [
            (self.name(frequent[a]), self.problem.items[item], self.name(candidate))
            for (a, item), candidate in zip(step.pairs[:MOST_LINES], step.candidates, strict=False)
        ]
        title = cut("Extensions that a basket contains", n)
        table = self._about(step.candidates, ("frequent set", "item", "candidate"), rows, title)
        caption = (
            f"Level {size}: the baskets extend {count(len(frequent), 'frequent item set', 'frequent item sets')} "
            f"to {count(n, 'candidate', 'candidates')} of {size} items."
        )
        return caption, [table] if rows else []

    # --- counting -----------------------------------------------------------------------------------------------------

    def _one(self, step: AprioriStep, at: int) -> tuple[str, Blocks]:
        items, n = step.candidates[at], int(step.counts[at])
        share, sign, verdict = n / self.n_baskets, "≥" if step.frequent[at] else "<", self._verdict(step, at)
        comparison = f"{num(share)} {sign} {num(self.min_support)}"
        brief = f"{share:.4g} {sign} {self.min_support:.4g}"
        inside = self.problem.rows[self.baskets(items)] + 1
        named = ", ".join(map(str, inside[:MOST_BASKETS])) + (", …" if n > MOST_BASKETS else "")
        shown = range(max(0, at + 1 - MOST_LINES), at + 1)
        return f"{self.name(items)} is in {n} of {self.n_baskets} baskets: {brief}, {verdict}.", [
            Formula(f"support({self.name(items)}) = {n} of {self.n_baskets} = {comparison}: {verdict}"),
            Formula(f"in {'basket' if n == 1 else 'baskets'} {named}" if n else "in no basket"),
            self._table(step, shown, f"Candidates of {count(step.level, 'item', 'items')}", [len(shown) - 1]),
            self._sums(step, at + 1),
        ]

    def _all(self, step: AprioriStep) -> tuple[str, Blocks]:
        n, k = len(step.candidates), int(step.frequent.sum())
        order = np.argsort(-step.counts, kind="stable")[:MOST_LINES]
        items = count(step.level, "item", "items")
        caption = f"Level {step.level}: of {count(n, 'candidate', 'candidates')} of {items}, {k} are frequent."
        table = self._table(step, order, cut(f"Candidates of {items} by support", n))
        return caption, [table, self._sums(step, n)]

    def _verdict(self, step: AprioriStep, row: int) -> str:
        return "frequent" if step.frequent[row] else "infrequent"

    def _table(
        self, step: AprioriStep, shown: Sequence[int] | NDArray[np.intp], title: str, now: Sequence[int] = ()
    ) -> LedgerTable:
        rows = [
            (
                self.name(step.candidates[j]),
                int(step.counts[j]),
                step.counts[j] / self.n_baskets,
                self._verdict(step, j),
            )
            for j in map(int, shown)
        ]
        return self._about(step.candidates[shown], ("item set", "baskets", "support", "status"), rows, title, now)

    def _about(
        self, sets: Sets, head: Sequence[str], rows: Sequence[Sequence[Cell]], title: str, now: Sequence[int] = ()
    ) -> LedgerTable:
        """Return a table with a row for each of the first of some item sets."""
        return LedgerTable(head, rows, title, now, by="item set", numbers=self.lattice.numbers(sets[: len(rows)]))

    def _sums(self, step: AprioriStep, n: int) -> Formula:
        frequent = step.n_itemsets - int(step.frequent[n:].sum())
        counted = step.n_candidates - len(step.candidates) + n
        parts = [count(counted, "candidate", "candidates") + " counted", f"{frequent} frequent"]
        parts.append(count(step.n_passes, "pass", "passes"))
        if len(step.remaining) and n == len(step.candidates):
            parts.append(f"{count(int(step.remaining.sum()), 'basket', 'baskets')} left with a candidate")
        return Formula("So far: " + ", ".join(parts))

    # --- the end ------------------------------------------------------------------------------------------------------

    def _done(self, step: AprioriStep) -> tuple[str, Blocks]:
        rows = []
        for counted in (some for some in self.steps if some.phase == "count"):
            made = [some for some in self.steps if some.level == counted.level and some.phase in {"join", "extend"}]
            n = len(counted.candidates)
            joined = len(made[0].candidates) if made else n
            rows.append((counted.level, joined, joined - n, n, int(counted.frequent.sum()), counted.held))
        sets = count(step.n_itemsets, "frequent item set", "frequent item sets")
        passes = (
            f"{count(step.n_candidates, 'candidate', 'candidates')} counted in {count(step.n_passes, 'pass', 'passes')}"
        )
        head = ("items", "made", "pruned", "counted", "frequent", "numbers in memory")
        table = LedgerTable(head, rows, "Candidates level by level", by="items")
        terms = " + ".join(str(row[-2]) for row in rows)
        return f"Done: {sets}, {passes}. {step.reason}", [
            table,
            Formula(f"{terms} = {step.n_itemsets} frequent item sets"),
        ]


def cut(title: str, n: int) -> str:
    """Return the title of a table of n lines, of which only the first can be shown."""
    return f"{title} (first {MOST_LINES} of {n})" if n > MOST_LINES else title
