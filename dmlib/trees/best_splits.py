"""The best splits of a level, and the choice among the columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.choices import Prescribed
from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.groupings import Grouping
from dmlib.trees.impurity import CRITERIA, MEASURES, decrease
from dmlib.trees.rules import Rules
from dmlib.trees.splits import LEAF, Candidate, Candidates, Split, SplitTable
from dmlib.trees.threshold_text import threshold_text
from dmlib.trees.thresholds import Scan

CLOSE = 1e-12
"""Scores that differ by no more are equal: the first column wins, and in it the lowest
threshold."""

ROUNDING = 4 * np.finfo(float).eps
"""The relative rounding error of a midpoint."""


@dataclass(frozen=True)
class BestSplits:
    """The best splits of a level, by node and column."""

    table: Table
    frontier: Frontier  # the rows in the nodes
    rules: Rules
    scan: Scan  # the cuts of numeric columns: all, or the best of each column in each node
    # (n_cuts,): the score and the impurity decrease of each
    cut_scores: Floats
    cut_gains: Floats
    groupings: dict[int, Grouping]  # the splits of all other columns
    # (n_nodes, n_features): score and impurity decrease of the best split of each column; -inf
    # where there is none, and where the column was not drawn
    scores: Floats
    gains: Floats
    best: Ints  # (n_nodes, n_features): the best cut of each column
    eligible: NDArray[np.bool_]  # (n_nodes, n_features): which columns may be chosen

    def choose(self) -> Ints:
        """Return the best column of each node, the first of equals; -1 where there is none."""
        scores = np.where(self.eligible, self.scores, -np.inf)
        top = scores.max(axis=1, keepdims=True)
        return np.where(np.isfinite(top[:, 0]), (scores >= top - tolerance(top)).argmax(axis=1), -1)

    def thresholds(self, cuts: Ints) -> Floats:
        """Return the thresholds of some cuts."""
        middles = self.scan.thresholds(self.table.X, cuts)
        if self.rules.numeric != "c45":
            return middles
        columns = self.scan.columns[cuts]
        low, high = (
            self.table.X[rows[cuts], columns] for rows in (self.scan.below, self.scan.above)
        )
        # 0.561 is halfway from 0.56 to 0.562, up to rounding
        blur = ROUNDING * np.maximum(np.abs(low), np.abs(high))
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
        is_eligible = bool(self.eligible[node, column])
        is_ordered = column in self.table.orders
        return Candidate(split, *value, counts.copy(), missing, is_eligible, test, is_ordered)

    def _grouped(self, node: int, column: int) -> list[Candidate]:
        """Return the splits of a grouped column: the best, or all that keep its order."""
        best, grouping = self.candidate(node, column), self.groupings[column]
        if grouping.cuts is None:
            return [best]
        candidates = []
        for split, cut in grouping.splits_in_order(node).items():
            counts = grouping.cuts.branches[:, :, cut, node]
            missing = max(0.0, float(self.frontier.counts[node].sum() - counts.sum()))
            score, gain = worth(counts[:, :, None], missing, self.rules.criterion)
            competes = self.rules.criterion != "gain_ratio" or split == best.split
            value = float(score[0]), float(gain[0])
            is_eligible = best.eligible and competes
            candidates.append(
                Candidate(split, *value, counts.copy(), missing, is_eligible, ordered=True)
            )
        return candidates

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
        """Return the split of a numeric column at a threshold, with the score of its cut."""
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
        place = int(cut[0])
        counts = self.scan.branches[:, :, place].copy()
        missing = max(0.0, float(self.frontier.counts[node].sum() - counts.sum()))
        split = Split(column, (threshold,), missing=int(self.scan.missing[place]))
        score, gain = float(self.cut_scores[place]), float(self.cut_gains[place])
        return Candidate(split, score, gain, counts, missing)

    def _divided(self, node: int, column: int, values: tuple[int, ...]) -> Candidate:
        """Return the split of a nominal column into some of its values and all others."""
        in_node = self.frontier.nodes == node
        codes, n_values = self.table.values(
            column, self.frontier.rows[in_node], self.rules.category
        )
        has_value = codes >= 0
        present = np.unique(codes[has_value])
        branches = np.where(np.isin(np.arange(n_values), values), 0, 1)
        branches[~np.isin(np.arange(len(branches)), present)] = -1
        if len(set(branches[branches >= 0])) < 2:
            raise ValueError(
                f"choices puts all values of column {column} on one side; choose some of them."
            )
        order = self.table.orders.get(column)
        if order is not None and (np.diff(branches[order][branches[order] >= 0]) != 0).sum() > 1:
            raise ValueError(
                f"choices breaks the order of column {column}; choose its lowest or highest values."
            )
        part = self.frontier.part(in_node, self.frontier.nodes, self.frontier.n_nodes)
        part = part.part(has_value, part.nodes, part.n_nodes)
        counts = part.count(branches[codes[has_value].astype(int)], 2)
        missing = max(0.0, float(self.frontier.counts[node].sum() - counts.sum()))
        score, gain = worth(counts[:, :, None], missing, self.rules.criterion)
        has_category = n_values > self.table.n_values[column]
        *sides, last = branches.tolist() if has_category else [*branches.tolist(), -1]
        split = Split(column, branches=tuple(sides), missing=last)
        value, is_ordered = (float(score[0]), float(gain[0])), order is not None
        return Candidate(split, *value, counts, missing, ordered=is_ordered)

    def splits(self, columns: Ints, chosen: Mapping[int, Candidate]) -> SplitTable:
        """Return the splits of all nodes: those ``chosen``, else the best of the node's column.

        A leaf has the column ``LEAF``.
        """
        nodes = np.arange(len(columns))
        cuts = np.where(columns == LEAF, -1, self.best[nodes, np.maximum(columns, 0)])
        thresholds, missing = np.full(len(columns), np.nan), np.full(len(columns), -1)
        thresholds[cuts >= 0] = self.thresholds(cuts[cuts >= 0])
        missing[cuts >= 0] = self.scan.missing[cuts[cuts >= 0]]
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
        grouped = [
            candidate
            for column in self.groupings
            if np.isfinite(self.scores[node, column])
            for candidate in self._grouped(node, column)
        ]
        group_columns = np.array([each.split.column for each in grouped], np.intp)
        columns = np.concatenate([self.scan.columns[cuts], group_columns])
        scores = np.concatenate([self.cut_scores[cuts], [each.score for each in grouped]])
        gains = np.concatenate([self.cut_gains[cuts], [each.gain for each in grouped]])
        eligible = self.eligible[node, columns]
        if self.rules.criterion == "gain_ratio":  # only the best cut of a column competes
            eligible[: len(cuts)] &= cuts == self.best[node, columns[: len(cuts)]]
            eligible[len(cuts) :] = [each.eligible for each in grouped]
        rank = np.lexsort((columns, -scores.round(12), ~eligible))
        no_counts = np.zeros((len(grouped), self.frontier.n_labels))
        first_counts, second_counts = (
            np.concatenate([side[:, cuts].T, no_counts])[rank] for side in self.scan.branches
        )
        place = np.empty(len(rank), int)
        place[rank] = np.arange(len(rank))
        return Candidates(
            columns[rank],
            np.concatenate([self.thresholds(cuts), np.full(len(grouped), np.nan)])[rank],
            scores[rank],
            gains[rank],
            eligible[rank],
            first_counts,
            first_counts + second_counts,
            np.maximum(
                self.frontier.counts[node].sum() - (first_counts + second_counts).sum(axis=1), 0.0
            ),
            np.concatenate([self.scan.missing[cuts], np.full(len(grouped), -1)])[rank],
            {int(place[len(cuts) + i]): candidate for i, candidate in enumerate(grouped)},
        )


def worth(branches: Floats, missing: Any, criterion: str) -> tuple[Floats, Floats]:
    """Return the scores of splits by a criterion, and their impurity decrease.

    Weights are those of :func:`dmlib.trees.impurity.decrease`.
    """
    rule = CRITERIA[criterion]
    scores = rule.score(branches, missing)
    return scores, scores if criterion in MEASURES else decrease(branches, missing, rule.measure)


def tolerance(top: Floats) -> Floats:
    """Return how far below the top a score may be and still count as equal."""
    return CLOSE * np.maximum(1.0, np.abs(np.where(np.isfinite(top), top, 0.0)))
