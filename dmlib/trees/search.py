"""The best split of every column in every node of a level, and the choice among the columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.chaid import values_merged
from dmlib.trees.choices import Prescribed
from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.groupings import Grouping, buckets, values_apart, values_in_two
from dmlib.trees.impurity import CRITERIA, MEASURES, TINY, decrease
from dmlib.trees.quest import quest
from dmlib.trees.rules import SLACK, Rules
from dmlib.trees.splits import LEAF, Candidate, Candidates, Split, SplitTable
from dmlib.trees.threshold_text import threshold_text
from dmlib.trees.thresholds import Scan, better_side, none, scan

CLOSE = 1e-12
"""Scores that differ by no more are equal: the first column wins, and in it the lowest
threshold."""

ROUNDING = 4 * np.finfo(float).eps
"""By which share of the values a middle may be wrong."""

NEARLY = 1e-3
"""A split that competes by gain ratio may gain so much less than the average, as in C4.5."""


@dataclass(frozen=True)
class Found:
    """The best splits of a level, by node and column."""

    table: Table  # the values
    frontier: Frontier  # the rows in the nodes
    rules: Rules  # how splits are compared
    scan: Scan  # the cuts of numeric columns: all, or the best of each column in each node
    # (n_cuts,): what each of them is worth
    cut_scores: Floats
    cut_gains: Floats
    groupings: dict[int, Grouping]  # the splits of all other columns
    # (n_nodes, n_features): what the best split of each column is worth; -inf where there is none,
    # and where the column was not drawn
    scores: Floats
    gains: Floats
    best: Ints  # (n_nodes, n_features): the best cut of each column
    eligible: NDArray[np.bool_]  # (n_nodes, n_features): which columns may be chosen

    def choose(self) -> Ints:
        """Return the best column of each node, the first of equals; -1 where there is none."""
        scores = np.where(self.eligible, self.scores, -np.inf)
        top = scores.max(axis=1, keepdims=True)
        return np.where(np.isfinite(top[:, 0]), (scores >= top - _close(top)).argmax(axis=1), -1)

    def thresholds(self, cuts: Ints) -> Floats:
        """Return the thresholds of some cuts."""
        middles = self.scan.thresholds(self.table.X, cuts)
        if self.rules.numeric != "c45":
            return middles
        columns = self.scan.columns[cuts]
        low, high = (
            self.table.X[rows[cuts], columns] for rows in (self.scan.below, self.scan.above)
        )
        blur = ROUNDING * np.maximum(
            np.abs(low), np.abs(high)
        )  # 0.561 is halfway from 0.56 to 0.562, but for rounding
        return self.table.below(columns, np.minimum(middles + blur, np.nextafter(high, -np.inf)))

    def candidate(self, node: int, column: int) -> Candidate:
        """Return the best split of a column in a node."""
        if column in self.groupings:
            split = self.groupings[column].split(node)
            counts = self.groupings[column].branches[: split.n_branches, :, node]
        else:
            cut = self.best[node, column]
            cutoff = float(self.thresholds(np.array([cut]))[0])
            split = Split(column, (cutoff,), missing=int(self.scan.missing[cut]))
            counts = self.scan.branches[:, :, cut]
        value = float(self.scores[node, column]), float(self.gains[node, column])
        missing = max(0.0, float(self.frontier.counts[node].sum() - counts.sum()))
        tests = self.groupings[column].tests if column in self.groupings else None
        test = None if tests is None else tests[node]
        return Candidate(
            split, *value, counts.copy(), missing, bool(self.eligible[node, column]), test
        )

    def prescribed(self, node: int, choice: Prescribed) -> Candidate:
        """Return a prescribed split of a node.

        Raises
        ------
        ValueError
            If the node cannot be split so.
        """
        column = choice.column
        if column >= len(self.table.n_values):
            raise ValueError(
                f"choices names column {column}, but the columns are 0 to"
                f" {len(self.table.n_values) - 1}."
            )
        if not np.isfinite(self.scores[node, column]):
            raise ValueError(
                f"choices splits column {column} in a node where it cannot be split; choose another"
                " column."
            )
        if choice.values is not None and column in self.groupings and not self.rules.tested:
            return self._divided(node, column, choice.values)
        if choice.threshold is None or column in self.groupings:
            return self.candidate(node, column)
        return self._cut(node, column, choice.threshold)

    def _cut(self, node: int, column: int, threshold: float) -> Candidate:
        """Return the split of a numeric column at a threshold, which has the worth of the cut that it is."""
        cuts = np.flatnonzero((self.scan.nodes == node) & (self.scan.columns == column))
        low, high = (
            self.table.X[rows[cuts], column] for rows in (self.scan.below, self.scan.above)
        )
        high = np.where(np.isnan(high), np.inf, high)
        cut = cuts[(low <= threshold) & (threshold < high)]
        if not len(cut):
            raise ValueError(
                f"choices cuts column {column} at {threshold_text(threshold)}, which leaves too few"
                f" rows on one side; choose a threshold from {threshold_text(low.min())} to below"
                f" {threshold_text(high.max())}."
            )
        counts, score, gain = (
            self.scan.branches[:, :, cut[0]],
            self.cut_scores[cut[0]],
            self.cut_gains[cut[0]],
        )
        missing = max(0.0, float(self.frontier.counts[node].sum() - counts.sum()))
        split = Split(column, (threshold,), missing=int(self.scan.missing[cut[0]]))
        return Candidate(split, float(score), float(gain), counts.copy(), missing)

    def _divided(self, node: int, column: int, values: tuple[int, ...]) -> Candidate:
        """Return the split of a nominal column into some of its values and all others."""
        mine = self.frontier.nodes == node
        codes, n_values = self.table.values(column, self.frontier.rows[mine], self.rules.category)
        known = codes >= 0
        seen = np.unique(codes[known])
        branches = np.where(np.isin(np.arange(n_values), values), 0, 1)
        branches[~np.isin(np.arange(len(branches)), seen)] = -1
        if len(set(branches[branches >= 0])) < 2:
            raise ValueError(
                f"choices puts all values of column {column} on one side; choose some of them."
            )
        part = self.frontier.part(mine, self.frontier.nodes, self.frontier.n_nodes)
        part = part.part(known, part.nodes, part.n_nodes)
        counts = part.count(branches[codes[known].astype(int)], 2)
        missing = max(0.0, float(self.frontier.counts[node].sum() - counts.sum()))
        score, gain = worth(counts[:, :, None], missing, self.rules.criterion)
        *sides, last = (
            [*branches.tolist(), -1]
            if n_values == self.table.n_values[column]
            else branches.tolist()
        )
        split = Split(column, branches=tuple(sides), missing=last)
        return Candidate(split, float(score[0]), float(gain[0]), counts, missing)

    def splits(self, columns: Ints, chosen: Mapping[int, Candidate]) -> SplitTable:
        """Return the splits of all nodes: those ``chosen``, else the best of one column; ``LEAF`` for none."""
        nodes = np.arange(len(columns))
        cuts = np.where(columns == LEAF, -1, self.best[nodes, np.maximum(columns, 0)])
        thresholds, missing = np.full(len(columns), np.nan), np.full(len(columns), -1)
        thresholds[cuts >= 0], missing[cuts >= 0] = (
            self.thresholds(cuts[cuts >= 0]),
            self.scan.missing[cuts[cuts >= 0]],
        )
        table = SplitTable.binary(columns, thresholds, missing)
        if not self.groupings and not chosen:
            return table
        splits = [table.split(int(node)) for node in nodes]
        for node in np.flatnonzero((cuts < 0) & (columns != LEAF)).tolist():
            splits[node] = self.groupings[int(columns[node])].split(node)
        for node, candidate in chosen.items():
            splits[node] = candidate.split
        return SplitTable.of(splits)

    def candidates(self) -> list[Candidates]:
        """Return all splits of each node, the best first."""
        order = np.argsort(self.scan.nodes, kind="stable")
        ends = np.searchsorted(self.scan.nodes[order], np.arange(self.frontier.n_nodes + 1))
        return [
            self._ranked(node, order[ends[node] : ends[node + 1]])
            for node in range(self.frontier.n_nodes)
        ]

    def _ranked(self, node: int, cuts: Ints) -> Candidates:
        others = [column for column in self.groupings if np.isfinite(self.scores[node, column])]
        columns = np.concatenate([self.scan.columns[cuts], np.array(others, np.intp)])
        scores = np.concatenate([self.cut_scores[cuts], self.scores[node, others]])
        gains = np.concatenate([self.cut_gains[cuts], self.gains[node, others]])
        eligible = self.eligible[node, columns]
        if self.rules.criterion == "gain_ratio":  # only the best cut of a column competes
            eligible[: len(cuts)] &= cuts == self.best[node, columns[: len(cuts)]]
        rank = np.lexsort((columns, -scores.round(12), ~eligible))
        n_others = np.zeros((len(others), self.frontier.n_labels))
        left, right = (
            np.concatenate([side[:, cuts].T, n_others])[rank] for side in self.scan.branches
        )
        place = np.empty(len(rank), int)
        place[rank] = np.arange(len(rank))
        return Candidates(
            columns[rank],
            np.concatenate([self.thresholds(cuts), np.full(len(others), np.nan)])[rank],
            scores[rank],
            gains[rank],
            eligible[rank],
            left,
            left + right,
            np.maximum(self.frontier.counts[node].sum() - (left + right).sum(axis=1), 0.0),
            np.concatenate([self.scan.missing[cuts], np.full(len(others), -1)])[rank],
            {
                int(place[len(cuts) + i]): self.candidate(node, column)
                for i, column in enumerate(others)
            },
        )


def search(
    table: Table, frontier: Frontier, rules: Rules, every: bool = False, order: Ints | None = None
) -> Found:
    """Find the best split of every column in every node of a level.

    With ``every``, all cuts are kept, rather than the best of each column in each node. ``order``,
    of shape (n_nodes, n_features), is the order in which nodes draw columns: they look at the first
    ``rules.max_features``, and at as many more as long as they have found no split.
    """
    groupings = _groupings(table, frontier, rules)
    scores, gains = _grouped(groupings, frontier, len(table.n_values), rules.criterion)
    best, seen = np.full(scores.shape, -1, np.intp), np.full(scores.shape, order is None)
    kept = [(none(frontier.n_labels), np.empty(0), np.empty(0))]
    first = 0
    for nodes, part, drawn in _rounds(frontier, order, rules.max_features, scores, seen):
        for found, cut_scores, cut_gains in _cuts(table, part, rules, drawn, every):
            cuts = found._replace(nodes=nodes[found.nodes])
            tops = _best_of_groups(
                cuts, cut_gains if rules.criterion == "gain_ratio" else cut_scores
            )
            at = cuts.nodes[tops], cuts.columns[tops]
            scores[at], gains[at] = cut_scores[tops], cut_gains[tops]
            best[at] = first + (tops if every else np.arange(len(tops)))
            kept.append(
                (cuts, cut_scores, cut_gains)
                if every
                else (cuts.take(tops), cut_scores[tops], cut_gains[tops])
            )
            first += len(kept[-1][1])
    scores[~seen] = gains[~seen] = -np.inf
    eligible = np.isfinite(scores)
    if rules.criterion == "gain_ratio":
        eligible &= gains >= _average(gains, table, rules)[:, None] - NEARLY
    scan = Scan(
        *(
            np.concatenate(parts, axis=-1)
            for parts in zip(*(part for part, _, _ in kept), strict=True)
        )
    )
    cut_scores, cut_gains = (np.concatenate([part[i] for part in kept]) for i in (1, 2))
    return Found(
        table,
        frontier,
        rules,
        scan,
        cut_scores,
        cut_gains,
        groupings,
        scores,
        gains,
        best,
        eligible,
    )


def _grouped(
    groupings: Mapping[int, Grouping], frontier: Frontier, n_features: int, criterion: str
) -> tuple[Floats, Floats]:
    """Return the scores and gains of the columns that are not cut at a threshold; -inf for the others."""
    scores, gains = np.full((2, frontier.n_nodes, n_features), -np.inf)
    total = frontier.counts.sum(axis=1)
    for column, grouping in groupings.items():
        missing = np.maximum(total - grouping.branches.sum(axis=(0, 1)), 0.0)
        values, falls = worth(grouping.branches, missing, criterion)
        if grouping.scores is not None:
            values = grouping.scores
        scores[:, column] = np.where(grouping.allowed, values, -np.inf)
        gains[:, column] = np.where(grouping.allowed, falls, -np.inf)
    return scores, gains


def _rounds(
    frontier: Frontier, order: Ints | None, n_drawn: int, scores: Floats, seen: NDArray[np.bool_]
) -> Iterator[tuple[Ints, Frontier, Ints | None]]:
    """Yield nodes, what is in them, and the columns that each looks at next, which become ``seen``; None: at all.

    The caller fills in the scores; nodes that have one need no further round.
    """
    nodes, part = np.arange(frontier.n_nodes), frontier
    if order is None:
        yield nodes, part, None
        return
    for first in range(0, order.shape[1], n_drawn):
        drawn = order[nodes, first : first + n_drawn]
        seen[nodes[:, None], drawn] = True
        yield nodes, part, drawn
        lacking: NDArray[np.bool_] = ~np.any(seen[nodes] & np.isfinite(scores[nodes]), axis=1)
        if not lacking.any():
            return
        nodes, places = nodes[lacking], np.cumsum(lacking) - 1
        part = part.part(lacking[part.nodes], places[part.nodes], len(nodes))


def _cuts(
    table: Table, frontier: Frontier, rules: Rules, drawn: Ints | None, every: bool
) -> Iterator[tuple[Scan, Floats, Floats]]:
    """Yield cuts of numeric columns with their scores and gains, a few columns at a time."""
    if rules.numeric == "buckets" or rules.tested:
        return
    total = frontier.counts.sum(axis=1)
    for found in scan(table, frontier, rules, drawn, every or rules.numeric == "c45"):
        large = _large_enough(found, table.n_classes, rules) if rules.numeric == "c45" else None
        cuts = found if large is None else found.take(large)
        missing: Any = 0.0
        if rules.category and table.holes.any():
            lost = np.maximum(frontier.counts.T[:, cuts.nodes] - cuts.branches.sum(axis=0), 0.0)
            branches, sides = better_side(cuts.branches, lost, _ranking(rules.criterion))
            cuts = cuts._replace(branches=branches, missing=np.maximum(cuts.missing, sides))
        elif table.holes.any():
            missing = np.maximum(total[cuts.nodes] - cuts.branches.sum(axis=(0, 1)), 0.0)
        scores, gains = worth(cuts.branches, missing, rules.criterion)
        if rules.numeric == "c45":
            scores, gains = _penalised(cuts, total, scores, gains, rules.criterion)
        yield cuts, scores, gains


def worth(branches: Floats, missing: Any, criterion: str) -> tuple[Floats, Floats]:
    """Return the scores of splits by a criterion, and by how much they reduce the impurity.

    Weights are those of :func:`dmlib.trees.impurity.decrease`.
    """
    rule = CRITERIA[criterion]
    scores = rule.score(branches, missing)
    return scores, scores if criterion in MEASURES else decrease(branches, missing, rule.measure)


def _groupings(table: Table, frontier: Frontier, rules: Rules) -> dict[int, Grouping]:
    """Return the splits of the columns that are not simply cut at a threshold."""
    if rules.criterion == "quest":
        return quest(table, frontier, rules)
    found = {}
    cut = (
        rules.criterion != "chaid" and rules.numeric != "buckets"
    )  # numeric columns are cut at thresholds
    for column in (j for j, n_values in enumerate(table.n_values) if n_values or not cut):
        x, n_values = table.values(column, frontier.rows, rules.category)
        of, apart = (
            (frontier, x, column),
            n_values > max(table.n_values[column], len(table.edges.get(column, ())) + 1),
        )
        if rules.criterion == "chaid":
            found[column] = values_merged(*of, n_values, rules, table.edges.get(column), apart)
        elif n_values and rules.multiway:
            found[column] = replace(values_apart(*of, n_values, rules), category=apart)
        elif n_values:
            best = values_in_two(*of, n_values, rules, _ranking(rules.criterion))
            found[column] = replace(best, category=apart)
        elif rules.numeric == "buckets":
            found[column] = buckets(*of, rules)
    return found


def _ranking(criterion: str) -> Any:
    """Return what decides within a column: by gain ratio the gain, which is not misled by a tiny branch."""
    return CRITERIA["entropy" if criterion == "gain_ratio" else criterion].score


def _best_of_groups(cuts: Scan, scores: Floats) -> Ints:
    """Return the best cut of each column in each node, the lowest of equals."""
    group = cuts.columns * (int(cuts.nodes.max(initial=0)) + 1) + cuts.nodes
    if not len(group):
        return np.empty(0, np.intp)
    first = np.append(True, group[1:] != group[:-1])
    starts, number = np.flatnonzero(first), first.cumsum() - 1
    top = np.maximum.reduceat(scores, starts)
    close = np.flatnonzero(scores >= (top - _close(top))[number])
    firsts = np.empty_like(starts)
    firsts[number[close[::-1]]] = close[::-1]
    return firsts[np.isfinite(top)]


def _close(top: Floats) -> Floats:
    """Return how far below the top a score may be and still count as equal."""
    return CLOSE * np.maximum(1.0, np.abs(np.where(np.isfinite(top), top, 0.0)))


def _large_enough(cuts: Scan, n_classes: int, rules: Rules) -> NDArray[np.bool_]:
    """Return which cuts leave a tenth of the rows per class on either side, but no more than 25: C4.5, release 8."""
    least = np.clip(
        0.1 * cuts.sizes.sum(axis=0) / n_classes,
        rules.min_samples_leaf,
        max(25, rules.min_samples_leaf),
    )
    large: NDArray[np.bool_] = np.all(cuts.sizes >= least - SLACK, axis=0)
    return large


def _penalised(
    cuts: Scan, total: Floats, scores: Floats, gains: Floats, criterion: str
) -> tuple[Floats, Floats]:
    """Take what the choice among many thresholds costs from the information gain: C4.5, release 8."""
    if criterion not in ("entropy", "gain_ratio") or not len(gains):
        return scores, gains
    group = cuts.columns * len(total) + cuts.nodes
    penalty = np.log2(np.bincount(group)[group]) / total[cuts.nodes]
    left = np.maximum(1 - penalty / np.maximum(gains, TINY), 0.0)
    return np.where(left > 0, scores * left, -np.inf), np.where(left > 0, gains * left, -np.inf)


def _average(gains: Floats, table: Table, rules: Rules) -> Floats:
    """Return the average gain of the columns in each node."""
    counted = np.isfinite(gains)
    if rules.numeric == "c45":  # nominal columns with very many values would spoil the average
        few = np.array(table.n_values) < 0.3 * len(table.X)
        counted &= few if few.any() else True
    average: Floats = np.where(counted, gains, 0.0).sum(axis=1) / np.maximum(counted.sum(axis=1), 1)
    return average
