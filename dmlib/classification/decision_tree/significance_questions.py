"""Questions about CHAID and QUEST: which values merge, which column splits, where it is cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_regions_scene import axis_of
from dmlib.pictures.answers import MAX_OPTIONS, Option, Place
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.regions import region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, upper_first
from dmlib.problem import Problem
from dmlib.trees.chaid import ChaidTest
from dmlib.trees.chaid_questions import adjusted_p, best_column
from dmlib.trees.group_statistics import STATISTICS
from dmlib.trees.quest import Cut, Moments, QuestTest, equal_densities
from dmlib.trees.significance import p_value
from dmlib.trees.significance_ledger import cut_reason
from dmlib.trees.splits import Candidate
from dmlib.trees.steps import DecisionTreeStep

MAX_VALUES = 5  # of a column whose merges are asked for
REACH = 0.025  # share of an axis within which a cut is right


class MergeRule(Misconception):
    """Wrong rules of CHAID for classes."""

    APART = "The two groups with the smallest p-value merge."
    LARGEST = "The column with the largest statistic is best, whatever its degrees of freedom."


class QuestRule(Misconception):
    """Wrong rules of QUEST."""

    SEARCH = "The column whose best cut lowers the Gini index most is split."
    BETWEEN = "The cut lies halfway between the means."
    ALIKE = "The cut lies where the densities are equal, however many rows each group has."


def significance_questions(
    run: Run[Problem, DecisionTreeClassifier], number: int, step: DecisionTreeStep
) -> Iterator[Question]:
    """Ask about a node that is split by a test of significance.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.DecisionTreeClassifier`.
    number : int
        The number of the step.
    step : DecisionTreeStep
        The step, of any criterion.

    Yields
    ------
    Question
        One for a split: its answer would give the others away.
    """
    chosen, candidates = step.chosen, _by_column(step)
    if chosen is None or not candidates:
        return
    name, names = run.problem.features[chosen.split.column], run.problem.features
    if isinstance(chosen.test, ChaidTest):
        columns = sorted(candidates)
        choices = [
            *_merge(run, number, step, chosen),
            *best_column(
                number,
                step.node,
                [names[column] for column in columns],
                [candidates[column].test for column in columns],
                MergeRule.LARGEST,
            ),
            *adjusted_p(number, step.node, name, chosen.test),
        ]
    else:
        choices = [*_selection(run, number, step, candidates), *_cut(run, number, step, chosen)]
    telling = [each for each in choices if each.errors] or choices
    yield from telling[step.node % len(telling) :][:1] if telling else ()


def _by_column(step: DecisionTreeStep) -> dict[int, Candidate]:
    """Return the split of each column of which a test decides."""
    if step.candidates is None:
        return {}
    candidates = (step.candidates[i] for i in range(len(step.candidates)))
    return {
        each.split.column: each
        for each in candidates
        if isinstance(each.test, ChaidTest | QuestTest) and each.eligible
    }


# --- CHAID --------------------------------------------------------------------------------------


def _merge(
    run: Run[Problem, DecisionTreeClassifier],
    number: int,
    step: DecisionTreeStep,
    chosen: Candidate,
) -> Iterator[Question]:
    """Ask which two values of a nominal column merge first."""
    problem, test, column = run.problem, chosen.test, chosen.split.column
    if column not in problem.categories or chosen.ordered or not test.merges:
        return
    counts = _counts_by_value(run, step, column)
    if test.merges[0].small or not 3 <= len(counts) <= MAX_VALUES:
        return
    pairs = list(combinations(counts, 2))
    first, second = (np.array([counts[pair[i]] for pair in pairs]) for i in (0, 1))
    p = STATISTICS[test.kind].pairs(first, second)[1]
    right, apart = best(p), int(p.argmin())
    order = dict.fromkeys([*right, apart, *np.argsort(-p, kind="stable").tolist()])
    options = sorted(list(order)[:MAX_OPTIONS])
    names = problem.categories[column]
    texts = [" and ".join(names[code] for code in pair) for pair in pairs]
    listing = ", ".join(f"{num4(p[i])} for {texts[i]}" for i in options)
    yield Question(
        number,
        "merge",
        f"In node {step.node + 1} the values of {problem.features[column]} are compared in pairs, "
        f"with the p-values {listing}. Which two values merge first?",
        Option([texts[i] for i in options], [options.index(i) for i in right if i in options]),
        f"The largest p-value is {num4(p.max())}: these two differ least.",
        (Wrong(MergeRule.APART, options.index(apart)),),
        "A large p-value says that two groups may well be alike.",
        "These pairs have the same p-value." if len(right) > 1 else "",
        about=[step.node + 1],
        of="node",
    )


def _counts_by_value(
    run: Run[Problem, DecisionTreeClassifier], step: DecisionTreeStep, column: int
) -> dict[int, Floats]:
    """Return the rows of each class by the value of a nominal column.

    There are none if a value is missing, or if rows have weights.
    """
    training, classes = run.problem.training, run.fitted.classes_
    values = training.X[step.rows, column]
    is_of = np.asarray(training.y)[step.rows, None] == classes
    if np.isnan(values).any() or not np.allclose(is_of.sum(axis=0), step.counts):
        return {}
    return {int(value): is_of[values == value].sum(axis=0) * 1.0 for value in np.unique(values)}


# --- QUEST --------------------------------------------------------------------------------------


def _selection(
    run: Run[Problem, DecisionTreeClassifier],
    number: int,
    step: DecisionTreeStep,
    candidates: dict[int, Candidate],
) -> Iterator[Question]:
    """Ask which column splits a node, where an exhaustive search may prefer another one."""
    columns = sorted(candidates)
    if not 2 <= len(columns) <= MAX_OPTIONS:
        return
    gains = _largest_gains(run, step, columns)
    if not gains:
        return
    p = [p_value(candidates[column].score) for column in columns]
    names = [run.problem.features[column] for column in columns]
    right = best([candidates[column].score for column in columns])
    listing = "; ".join(
        f"{name} {num4(each)}, best cut {num4(gain)}"
        for name, each, gain in zip(names, p, gains, strict=True)
    )
    yield Question(
        number,
        "column",
        f"In node {step.node + 1} the columns have these p-values, and their best cuts lower the "
        f"Gini index by so much: {listing}. Which column does QUEST split?",
        Option(names, right),
        f"The smallest p-value is {num4(min(p))}; only then is that column cut.",
        (Wrong(QuestRule.SEARCH, int(np.argmax(gains))),),
        "QUEST chooses the column before it looks for a cut.",
        "These columns have the same p-value." if len(right) > 1 else "",
        about=[step.node + 1],
        of="node",
    )


def _largest_gains(
    run: Run[Problem, DecisionTreeClassifier], step: DecisionTreeStep, columns: Sequence[int]
) -> list[float]:
    """Return by how much the best binary split of each column lowers the Gini index of a node.

    There are none if rows have weights.
    """
    training = run.problem.training
    search = DecisionTreeClassifier(max_depth=1)
    rows = run.problem.table(training.X[step.rows])
    root = next(search.steps(rows, np.asarray(training.y)[step.rows]))
    own, searched = (counts[counts > 0] for counts in (step.counts, root.counts))
    if root.candidates is None or not np.allclose(own, searched):
        return []
    gains = dict.fromkeys(range(len(run.problem.features)), 0.0)
    for column, gain in zip(root.candidates.columns, root.candidates.gains, strict=True):
        gains[int(column)] = max(gains[int(column)], float(gain))
    return [gains[column] for column in columns]


def _cut(
    run: Run[Problem, DecisionTreeClassifier],
    number: int,
    step: DecisionTreeStep,
    chosen: Candidate,
) -> Iterator[Question]:
    """Ask where a column of numbers is cut, between two normal distributions."""
    split, cut, problem = chosen.split, chosen.test.cut, run.problem
    axis = axis_of(problem.plane, split.column)
    if cut is None or split.cut is None or axis is None or min(cut.variances) <= 0:
        return
    places = _equal_places(cut, cut.weights)
    if not np.isclose(places, split.cut).any():
        return  # it is beside a single value, or the densities are equal nowhere between
    form: Literal["x", "y"] = "x" if axis == 0 else "y"
    panel, name = region_panel(problem), problem.features[split.column]
    reach = float(REACH * panel.size[axis])
    middle = sum(cut.means) / 2
    alike = min(
        _equal_places(cut, (1.0, 1.0)), key=lambda place: abs(place - cut.means[0]), default=middle
    )

    def at(place: float) -> tuple[float, float]:
        return (place, 0.0) if axis == 0 else (0.0, place)

    groups = " and ".join(
        f"{num4(n)} rows with mean {num4(mean)} and variance {num4(variance)}"
        for n, mean, variance in zip(cut.weights, cut.means, cut.variances, strict=True)
    )
    yield Question(
        number,
        "cut",
        f"{upper_first(node_name(step.node))} is split by {name}. Its two groups of classes are "
        f"{groups}: where is the cut?",
        Place(panel, [at(split.cut)], form, (reach, reach)),
        f"{cut_reason(cut)}.",
        (Wrong(QuestRule.BETWEEN, at(middle)), Wrong(QuestRule.ALIKE, at(alike))),
        "The wider group, and the one with more rows, reaches further.",
        about=[step.node + 1],
        of="node",
    )


def _equal_places(cut: Cut, weights: Sequence[float]) -> list[float]:
    """Return where the densities of the two groups of a cut, times some weights, are equal."""
    groups = zip(weights, cut.means, cut.variances, strict=True)
    lower, upper = (Moments(*group) for group in groups)
    return equal_densities(lower, upper)
