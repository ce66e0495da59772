"""The arithmetic of Apriori and its kin: joined pairs, missing subsets, counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.association.apriori.lattice_scene import Lattice
from dmlib.association.apriori.passes import AprioriStep
from dmlib.association.apriori.shots import Shot
from dmlib.association.bitsets import Sets
from dmlib.association.itemsets import braces
from dmlib.pictures.ledger import MAX_LINES, Blocks, Cell, Formula, LedgerTable, abridged
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

MAKING = ("join", "extend")  # phases that make candidates
MAX_BASKETS = 20  # baskets that are named in one line


class Narrator:
    """Captions and ledgers of Apriori and its kin.

    Parameters
    ----------
    problem : BasketsProblem
        The baskets.
    steps : sequence of AprioriStep
        The run.
    min_support : float
        The minimum support.
    lattice : Lattice
        The nodes that rows of tables answer to.
    """

    def __init__(
        self,
        problem: BasketsProblem,
        steps: Sequence[AprioriStep],
        min_support: float,
        lattice: Lattice,
    ) -> None:
        self.problem, self.steps = problem, steps
        self.min_support, self.lattice = min_support, lattice
        self.n_baskets = len(problem.matrix)

    def caption_and_ledger(self, shot: Shot) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step, or of one candidate that it counts."""
        if shot.candidate is not None:
            return self._candidate(shot.step, shot.candidate)
        methods = {
            "join": self._join,
            "prune": self._prune,
            "extend": self._extend,
            "count": self._level,
            "done": self._done,
        }
        return methods[shot.step.phase](shot.step)

    def name(self, items: Iterable[int]) -> str:
        """Return an item set in braces."""
        return braces(self.problem.items, items)

    def baskets(self, items: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the baskets that contain an item set."""
        return np.flatnonzero(self.problem.matrix[:, items].all(axis=1))

    def frequent(self, level: int) -> Sets:
        """Return the frequent item sets of a level."""
        step = next(step for step in self.steps if step.phase == "count" and step.level == level)
        return step.candidates[step.frequent]

    # --- making candidates ---

    def _join(self, step: AprioriStep) -> tuple[str, Blocks]:
        size, frequent = step.level, self.frequent(step.level - 1)
        rule = "pairs that agree in all but their last item"
        if size == 2:
            rule = "all pairs of frequent items"
        n = len(step.candidates)
        sets = count(len(frequent), "frequent item set", "frequent item sets")
        candidates = count(n, "candidate", "candidates") if n else "no candidate"
        rows = [
            (self.name(frequent[a]), self.name(frequent[b]), self.name(candidate))
            for (a, b), candidate in zip(step.pairs[:MAX_LINES], step.candidates, strict=False)
        ]
        head = ("first", "second", "joined")
        table = self._about(step.candidates, head, rows, cut(f"Join: {rule}", n))
        caption = f"Level {size}: {sets} of {size - 1} join to {candidates} of {size} items."
        return caption, [table] if rows else []

    def _prune(self, step: AprioriStep) -> tuple[str, Blocks]:
        pruned = step.missing >= 0
        n, k = len(pruned), int(pruned.sum())
        order = np.argsort(~pruned, kind="stable")[:MAX_LINES]
        rows = []
        for row in order:
            name = self.name(step.candidates[row])
            rows.append((name, self._missing(step, row), "pruned" if pruned[row] else "stays"))
        head = ("candidate", "infrequent subset", "result")
        title = cut(f"Prune: subsets of {step.level - 1} items", n)
        table = self._about(step.candidates[order], head, rows, title)
        candidates = count(n, "candidate is", "candidates are")
        if not k:
            return f"All subsets of the {candidates} frequent, so none is pruned.", [table]
        first, subset = self.name(step.candidates[order[0]]), self._missing(step, order[0])
        caption = f"{k} of {candidates} pruned: {first} since {subset} is infrequent"
        caption += ", the others likewise." if k > 1 else "."
        return caption, [table, Formula(f"{n} − {k} = {n - k} to be counted")]

    def _missing(self, step: AprioriStep, row: int) -> str:
        """Return the infrequent subset for which a candidate is pruned, if it is."""
        place = step.missing[row]
        return self.name(np.delete(step.candidates[row], place)) if place >= 0 else ""

    def _extend(self, step: AprioriStep) -> tuple[str, Blocks]:
        size, frequent, n = step.level, self.frequent(step.level - 1), len(step.candidates)
        rows = [
            (self.name(frequent[a]), self.problem.items[item], self.name(candidate))
            for (a, item), candidate in zip(step.pairs[:MAX_LINES], step.candidates, strict=False)
        ]
        title = cut("Extensions that a basket contains", n)
        table = self._about(step.candidates, ("frequent set", "item", "candidate"), rows, title)
        sets = count(len(frequent), "frequent item set", "frequent item sets")
        candidates = count(n, "candidate", "candidates")
        caption = f"Level {size}: the baskets extend {sets} to {candidates} of {size} items."
        return caption, [table] if rows else []

    # --- counting ---

    def _candidate(self, step: AprioriStep, at: int) -> tuple[str, Blocks]:
        name, n = self.name(step.candidates[at]), int(step.counts[at])
        support, verdict = n / self.n_baskets, self._verdict(step, at)
        sign = "≥" if step.frequent[at] else "<"
        comparison = f"{support:.4g} {sign} {self.min_support:.4g}"
        digits = f"{num(support)} {sign} {num(self.min_support)}"
        rows = range(max(0, at + 1 - MAX_LINES), at + 1)
        title = f"Candidates of {count(step.level, 'item', 'items')}"
        return f"{name} is in {n} of {self.n_baskets} baskets: {comparison}, {verdict}.", [
            Formula(f"support({name}) = {n} of {self.n_baskets} = {digits}: {verdict}"),
            Formula(self._containing(step.candidates[at])),
            self._table(step, rows, title, [len(rows) - 1]),
            self._sums(step, at + 1),
        ]

    def _containing(self, items: NDArray[np.intp]) -> str:
        """Return the baskets that contain an item set, the first of many."""
        rows = [str(row + 1) for row in self.problem.rows[self.baskets(items)]]
        if not rows:
            return "in no basket"
        return f"in {'basket' if len(rows) == 1 else 'baskets'} {abridged(rows, MAX_BASKETS, ', ')}"

    def _level(self, step: AprioriStep) -> tuple[str, Blocks]:
        n, k = len(step.candidates), int(step.frequent.sum())
        order = np.argsort(-step.counts, kind="stable")[:MAX_LINES]
        items = count(step.level, "item", "items")
        candidates = count(n, "candidate", "candidates")
        caption = f"Level {step.level}: of {candidates} of {items}, {k} are frequent."
        table = self._table(step, order, cut(f"Candidates of {items} by support", n))
        return caption, [table, self._sums(step, n)]

    def _verdict(self, step: AprioriStep, row: int) -> str:
        return "frequent" if step.frequent[row] else "infrequent"

    def _table(
        self,
        step: AprioriStep,
        candidates: Sequence[int] | NDArray[np.intp],
        title: str,
        emphasis: Sequence[int] = (),
    ) -> LedgerTable:
        rows = []
        for j in map(int, candidates):
            n = int(step.counts[j])
            name = self.name(step.candidates[j])
            rows.append((name, n, n / self.n_baskets, self._verdict(step, j)))
        head = ("item set", "baskets", "support", "status")
        return self._about(step.candidates[candidates], head, rows, title, emphasis)

    def _about(
        self,
        sets: Sets,
        head: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        title: str,
        emphasis: Sequence[int] = (),
    ) -> LedgerTable:
        """Return a table with a row for each item set, the first of many."""
        numbers = self.lattice.numbers(sets[: len(rows)])
        return LedgerTable(head, rows, title, emphasis, by="item set", numbers=numbers)

    def _sums(self, step: AprioriStep, n: int) -> Formula:
        frequent = step.n_itemsets - int(step.frequent[n:].sum())
        counted = step.n_candidates - len(step.candidates) + n
        parts = [count(counted, "candidate", "candidates") + " counted", f"{frequent} frequent"]
        parts.append(count(step.n_passes, "pass", "passes"))
        if len(step.remaining) and n == len(step.candidates):
            baskets = count(int(step.remaining.sum()), "basket", "baskets")
            parts.append(f"{baskets} left with a candidate")
        return Formula("So far: " + ", ".join(parts))

    # --- the end ---

    def _done(self, step: AprioriStep) -> tuple[str, Blocks]:
        rows, memory = [], []
        n_joined = {each.level: len(each.candidates) for each in self.steps if each.phase in MAKING}
        for counted in (each for each in self.steps if each.phase == "count"):
            n, k = len(counted.candidates), int(counted.frequent.sum())
            joined = n_joined.get(counted.level, n)
            rows.append((counted.level, joined, joined - n, n, k))
            memory.append(f"{counted.memory:,}")
        sets = count(step.n_itemsets, "frequent item set", "frequent item sets")
        candidates = count(step.n_candidates, "candidate", "candidates")
        passes = f"{candidates} counted in {count(step.n_passes, 'pass', 'passes')}"
        head = ("items", "made", "pruned", "counted", "frequent")
        table = LedgerTable(head, rows, "Candidates level by level", by="items")
        terms = " + ".join(str(row[-1]) for row in rows)
        return f"Done: {sets}, {passes}. {step.reason}", [
            table,
            Formula(f"{terms} = {step.n_itemsets} frequent item sets"),
            Formula(f"numbers in memory, pass by pass: {', '.join(memory)}"),
        ]


def cut(title: str, n: int) -> str:
    """Return the title of a table of n lines, of which only the first are shown."""
    return f"{title} (first {MAX_LINES} of {n})" if n > MAX_LINES else title
