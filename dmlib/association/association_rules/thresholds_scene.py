"""MSapriori's search as a picture: support against the minimum support of each candidate, and where closure fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.association.association_rules.multiple_support import MultipleSupportStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.marks import Line, Mark, Points, Segments, Texts
from dmlib.pictures.motion import during
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

MOST, MOST_NAMED = 400, 20  # candidates that are drawn, and up to which they are named
FREQUENT, INFREQUENT = 0, 1


class Thresholds:
    """The candidates that a run of MSapriori has counted; of other runs, nothing."""

    def __init__(self, problem: BasketsProblem, steps: Sequence[Any], shots: Sequence[tuple[int, int | None]]) -> None:
        self.problem, self.steps, self.n = problem, steps, len(problem.matrix)
        self.frames = len(shots)
        frame = {i: f for f, (i, _) in reversed(list(enumerate(shots)))}
        self.nodes: dict[tuple[int, ...], tuple[int, float, float, bool]] = {}
        for i, step in enumerate(steps):
            if not self.owns(i) or step.phase not in {"sort", "count"}:
                continue
            since = frame.get(i, self.frames - 1)
            for items, times, least in zip(step.candidates.tolist(), step.counts, step.thresholds, strict=True):
                enough = bool(times / self.n >= least - 1e-12)
                self.nodes[tuple(sorted(items))] = (since, float(least), float(times) / self.n, enough)
        self.nodes = dict(list(self.nodes.items())[:MOST])

    def owns(self, i: int) -> bool:
        """Return whether a step is one of the first phase."""
        return isinstance(self.steps[i], MultipleSupportStep)

    def name(self, items: Sequence[int]) -> str:
        """Return an item set in braces."""
        return "{" + ", ".join(self.problem.items[j] for j in items) + "}"

    # --- the picture --------------------------------------------------------------------------------------------------

    def panels(self) -> tuple[Panel, ...]:
        """Return the panel."""
        if not self.nodes:
            return ()
        x, y = (Axis(label, 0.0, 1.08 * self._top(j)) for j, label in ((1, "minimum support"), (2, "support")))
        return (Panel("thresholds", x, y, title="Item sets: frequent above the line"),)

    def _top(self, j: int) -> float:
        return max(float(node[j]) for node in self.nodes.values()) or 1.0

    def marks(self) -> tuple[Mark, ...]:
        """Return the line, the candidates, and edges from infrequent subsets to frequent sets."""
        if not self.nodes:
            return ()
        since, x, y, enough = (np.array(values) for values in zip(*self.nodes.values(), strict=True))
        end = min(1.08 * self._top(1), 1.08 * self._top(2))
        number = {items: i for i, items in enumerate(self.nodes)}
        subsets = (
            (number.get(items[:j] + items[j + 1 :]), i) for items, i in number.items() for j in range(len(items))
        )
        fails = np.array([(a, b) for a, b in subsets if a is not None and enough[b] and not enough[a]], int).reshape(
            -1, 2
        )
        start, to = fails.T
        codes = np.where(enough, FREQUENT, INFREQUENT).astype(np.uint8)
        return (
            Line(panel="thresholds", x=[0.0, end], y=[0.0, end], color="muted", dash=True),
            Segments(
                panel="thresholds",
                x0=during(x[start], since[to], self.frames, self.frames),
                y0=y[start],
                x1=x[to],
                y1=y[to],
                color=np.full(len(fails), INFREQUENT, np.uint8),
                arrow=True,
            ),
            Points(
                panel="thresholds",
                x=during(x, since, self.frames, self.frames),
                y=y,
                color=codes,
                hollow=(~enough).astype(np.uint8),
                labels=[self.name(items) for items in self.nodes],
                of="",
            ),
            *self._names(since, x, y),
        )

    def _names(self, since: NDArray[np.intp], x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Mark, ...]:
        """Return the names of a few candidates, on the side that has room; those at one place below each other."""
        if len(x) > MOST_NAMED:
            return ()
        places = list(zip(x.tolist(), y.tolist(), strict=True))
        before = np.array([places[:i].count(place) for i, place in enumerate(places)])
        names, right = [self.name(items) for items in self.nodes], x > self._top(1) / 2
        return tuple(
            Texts(
                panel="thresholds",
                x=during(x[side] + shift * self._top(1), since[side], self.frames, self.frames),
                y=(y - 0.04 * self._top(2) * before)[side],
                text=[name for name, there in zip(names, side, strict=True) if there],
                anchor=anchor,
            )
            for side, shift, anchor in ((~right, 0.025, "start"), (right, -0.025, "end"))
        )

    # --- the ledger ---------------------------------------------------------------------------------------------------

    def told(self, i: int) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        step = self.steps[i]
        return {"sort": self._sort, "seed": self._seed, "pair": self._pair, "join": self._join, "count": self._count}[
            step.phase
        ](step)

    def _sort(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        first = step.candidates[0].tolist()
        caption = (
            f"The items are sorted by minimum support: {self.name(first)} is first, with {step.thresholds[0]:.4g}."
        )
        return caption, [self._table(step, "Items by minimum support")]

    def _seed(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        least = step.thresholds[int(step.frequent.argmax())] if step.frequent.any() else step.thresholds[-1]
        n = int(step.frequent.sum())
        caption = (
            f"{n} of {count(len(step.frequent), 'item', 'items')} can be in a frequent set: support ≥ {least:.4g}."
        )
        rows = [
            (self.name(items), times / self.n, "stays" if stays else "out")
            for items, times, stays in zip(step.candidates.tolist(), step.counts, step.frequent, strict=True)
        ]
        rule = Formula(f"lowest minimum support that an item reaches: {num(least)}")
        return caption, [short_table(("item", "support", "result"), rows, "Items that can be in a frequent set"), rule]

    def _pair(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        rows = [
            (self.name(items), float(least))
            for items, least in zip(step.candidates.tolist(), step.thresholds, strict=True)
        ]
        caption = (
            f"Level 2: {count(len(rows), 'pair', 'pairs')} of a frequent item and a later one that reaches its minimum."
        )
        rule = Formula("The later item need not be frequent by itself: its own minimum is higher.")
        return caption, [short_table(("pair", "minimum support"), rows, "Pairs to count"), rule]

    def _join(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        n, pruned = len(step.candidates), int((step.missing >= 0).sum())
        rows = []
        for items, place in zip(step.candidates.tolist(), step.missing.tolist(), strict=True):
            node = self.nodes.get(tuple(sorted(items[1:])))
            open_ = f"{self.name(items[1:])} need not be frequent" if node and not node[3] else ""
            lacking = f"{self.name(items[:place] + items[place + 1 :])} is infrequent" if place >= 0 else open_
            rows.append((self.name(items), lacking, "pruned" if place >= 0 else "stays"))
        caption = f"Level {step.level}: {count(n, 'candidate', 'candidates')} joined, {pruned} pruned."
        table = short_table(("candidate", "subset", "result"), rows, "Join and prune")
        return caption, [table, Formula(f"{n} − {pruned} = {n - pruned} to be counted")]

    def _count(self, step: MultipleSupportStep) -> tuple[str, Blocks]:
        n, k = len(step.candidates), int(step.frequent.sum())
        caption = f"Level {step.level}: {k} of {count(n, 'candidate', 'candidates')} reached their minimum support."
        return caption, [self._table(step, f"Candidates of {step.level} items")]

    def _table(self, step: MultipleSupportStep, title: str) -> LedgerTable:
        rows = []
        for items, times, least in zip(step.candidates.tolist(), step.counts, step.thresholds, strict=True):
            enough = times / self.n >= least - 1e-12
            rows.append((self.name(items), float(times / self.n), float(least), "frequent" if enough else "infrequent"))
        return short_table(("item set", "support", "minimum", "status"), rows, title)
