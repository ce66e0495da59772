"""The search for the best split of every column in every node of a level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.best_splits import BestSplits, tolerance, worth
from dmlib.trees.chaid import values_merged
from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.groupings import Grouping, buckets, values_apart, values_in_two
from dmlib.trees.impurity import CRITERIA, TINY
from dmlib.trees.quest import quest
from dmlib.trees.rules import SLACK, Rules
from dmlib.trees.thresholds import Scan, better_side, no_cuts, scan

NEARLY = 1e-3
"""By gain ratio, a split may have so much less than the average gain, as in C4.5."""


def search(
    table: Table,
    frontier: Frontier,
    rules: Rules,
    all_candidates: bool = False,
    order: Ints | None = None,
) -> BestSplits:
    """Find the best split of every column in every node of a level.

    With ``all_candidates``, the result has all cuts, rather than the best of each column in each
    node. ``order``, of shape (n_nodes, n_features), is the order in which nodes draw columns: they
    consider the first ``rules.max_features``, and as many more while these allow no split.
    """
    groupings = _groupings(table, frontier, rules)
    scores, gains = _grouped(groupings, frontier, len(table.n_values), rules.criterion)
    best, is_seen = np.full(scores.shape, -1, np.intp), np.full(scores.shape, order is None)
    blocks = [(no_cuts(frontier.n_labels), np.empty(0), np.empty(0))]
    first = 0
    for nodes, part, drawn_columns in _rounds(frontier, order, rules.max_features, scores, is_seen):
        for block_cuts, cut_scores, cut_gains in _cuts(
            table, part, rules, drawn_columns, all_candidates
        ):
            cuts = block_cuts._replace(nodes=nodes[block_cuts.nodes])
            is_ratio = rules.criterion == "gain_ratio"
            tops = _best_of_groups(cuts, cut_gains if is_ratio else cut_scores)
            at = cuts.nodes[tops], cuts.columns[tops]
            scores[at], gains[at] = cut_scores[tops], cut_gains[tops]
            best[at] = first + (tops if all_candidates else np.arange(len(tops)))
            remaining = slice(None) if all_candidates else tops
            blocks.append((cuts.take(remaining), cut_scores[remaining], cut_gains[remaining]))
            first += len(blocks[-1][1])
    scores[~is_seen] = gains[~is_seen] = -np.inf
    eligible = np.isfinite(scores)
    if rules.criterion == "gain_ratio":
        eligible &= gains >= _average(gains, table, rules)[:, None] - NEARLY
    fields = zip(*(cuts for cuts, _, _ in blocks), strict=True)
    scan = Scan(*(np.concatenate(parts, axis=-1) for parts in fields))
    cut_scores, cut_gains = (np.concatenate([part[i] for part in blocks]) for i in (1, 2))
    return BestSplits(
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
    """Return the scores and gains of the grouped columns; -inf for those that are cut."""
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
    frontier: Frontier, order: Ints | None, n_drawn: int, scores: Floats, is_seen: NDArray[np.bool_]
) -> Iterator[tuple[Ints, Frontier, Ints | None]]:
    """Yield nodes, their rows, and the columns that each considers next; None: all columns.

    These become ``is_seen``. The caller fills in the scores; nodes that have one need no further
    round.
    """
    nodes, part = np.arange(frontier.n_nodes), frontier
    if order is None:
        yield nodes, part, None
        return
    for first in range(0, order.shape[1], n_drawn):
        drawn_columns = order[nodes, first : first + n_drawn]
        is_seen[nodes[:, None], drawn_columns] = True
        yield nodes, part, drawn_columns
        lacking: NDArray[np.bool_] = ~np.any(is_seen[nodes] & np.isfinite(scores[nodes]), axis=1)
        if not lacking.any():
            return
        nodes, places = nodes[lacking], np.cumsum(lacking) - 1
        part = part.part(lacking[part.nodes], places[part.nodes], len(nodes))


def _cuts(
    table: Table, frontier: Frontier, rules: Rules, columns: Ints | None, all_candidates: bool
) -> Iterator[tuple[Scan, Floats, Floats]]:
    """Yield cuts of numeric columns with their scores and gains, a few columns at a time."""
    if rules.numeric == "buckets" or rules.tested:
        return
    total = frontier.counts.sum(axis=1)
    for block in scan(table, frontier, rules, columns, all_candidates or rules.numeric == "c45"):
        large = _large_enough(block, table.n_classes, rules) if rules.numeric == "c45" else None
        cuts = block if large is None else block.take(large)
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


def _groupings(table: Table, frontier: Frontier, rules: Rules) -> dict[int, Grouping]:
    """Return the splits of the columns that are not simply cut at a threshold."""
    if rules.criterion == "quest":
        return quest(table, frontier, rules)
    groupings = {}
    is_cut = rules.criterion != "chaid" and rules.numeric != "buckets"  # numeric columns are
    for column in (j for j, n_values in enumerate(table.n_values) if n_values or not is_cut):
        x, n_values = table.values(column, frontier.rows, rules.category)
        place, has_category = (
            (frontier, x, column),
            n_values > max(table.n_values[column], len(table.edges.get(column, ())) + 1),
        )
        if rules.criterion == "chaid":
            edges, order = table.edges.get(column), table.orders.get(column)
            groupings[column] = values_merged(*place, n_values, rules, edges, has_category, order)
        elif n_values and rules.multiway:
            groupings[column] = replace(
                values_apart(*place, n_values, rules), category=has_category
            )
        elif n_values:
            order, ranking = table.orders.get(column), _ranking(rules.criterion)
            best = values_in_two(*place, n_values, rules, ranking, order)
            groupings[column] = replace(best, category=has_category)
        elif rules.numeric == "buckets":
            groupings[column] = buckets(*place, rules)
    return groupings


def _ranking(criterion: str) -> Any:
    """Return the score within a column: for the gain ratio the gain, which is robust."""
    return CRITERIA["entropy" if criterion == "gain_ratio" else criterion].score


def _best_of_groups(cuts: Scan, scores: Floats) -> Ints:
    """Return the best cut of each column in each node, the lowest of equals."""
    group = cuts.columns * (int(cuts.nodes.max(initial=0)) + 1) + cuts.nodes
    if not len(group):
        return np.empty(0, np.intp)
    first = np.append(True, group[1:] != group[:-1])
    starts, number = np.flatnonzero(first), first.cumsum() - 1
    top = np.maximum.reduceat(scores, starts)
    close = np.flatnonzero(scores >= (top - tolerance(top))[number])
    firsts = np.empty_like(starts)
    firsts[number[close[::-1]]] = close[::-1]
    return firsts[np.isfinite(top)]


def _large_enough(cuts: Scan, n_classes: int, rules: Rules) -> NDArray[np.bool_]:
    """Return which cuts leave a tenth of the rows per class on either side, at most 25 (C4.5)."""
    min_sizes = np.clip(
        0.1 * cuts.sizes.sum(axis=0) / n_classes,
        rules.min_samples_leaf,
        max(25, rules.min_samples_leaf),
    )
    large: NDArray[np.bool_] = np.all(cuts.sizes >= min_sizes - SLACK, axis=0)
    return large


def _penalised(
    cuts: Scan, total: Floats, scores: Floats, gains: Floats, criterion: str
) -> tuple[Floats, Floats]:
    """Reduce the information gain by the cost of the choice among many thresholds (C4.5)."""
    if criterion not in ("entropy", "gain_ratio") or not len(gains):
        return scores, gains
    group = cuts.columns * len(total) + cuts.nodes
    penalty = np.log2(np.bincount(group)[group]) / total[cuts.nodes]
    remaining = np.maximum(1 - penalty / np.maximum(gains, TINY), 0.0)
    return np.where(remaining > 0, scores * remaining, -np.inf), np.where(
        remaining > 0, gains * remaining, -np.inf
    )


def _average(gains: Floats, table: Table, rules: Rules) -> Floats:
    """Return the average gain of the columns in each node."""
    counted = np.isfinite(gains)
    if rules.numeric == "c45":  # nominal columns with very many values would spoil the average
        has_few_values = np.array(table.n_values) < 0.3 * len(table.X)
        counted &= has_few_values if has_few_values.any() else True
    average: Floats = np.where(counted, gains, 0.0).sum(axis=1) / np.maximum(counted.sum(axis=1), 1)
    return average
