"""Questions about CHAID for numbers: groupings, adjusted p-values, the best column."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

from dmlib.pictures.answers import MAX_OPTIONS, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.tree import TreeStep
from dmlib.trees.chaid import ways_to_merge
from dmlib.trees.chaid_questions import MAX_WAYS, ChaidRule, adjusted_p, best_column


class GroupingRule(Misconception):
    """Wrong rules of the number of groupings."""

    UNORDERED = "Any values may be in one group, not only neighbours."
    BETWEEN = "The values of a number can be grouped in as many ways as there are borders."


CHAID_RULES = (*ChaidRule, *GroupingRule)


def chaid_questions(run: Run[Problem, Any], number: int, step: TreeStep) -> Iterator[Question]:
    """Ask for the groupings of a column, the p-value by which it competes, or the best column.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.CHAIDRegressor`, or of another tree, which asks nothing.
    number : int
        The number of the step.
    step : TreeStep
        The step.

    Yields
    ------
    Question
        One before a node is split, or stays a leaf: its answer would give the others away.
    """
    best = step.split
    if isinstance(best, Merging):
        names, rivals = run.problem.features, sorted(best.rivals[:MAX_OPTIONS])
        choices = [
            *_groupings(run, number, step, best),
            *adjusted_p(number, step.node, names[best.column], best.merged),
            *best_column(
                number, step.node, [names[i] for i, _ in rivals], [test for _, test in rivals]
            ),
        ]
        yield from choices[step.node % len(choices) :][:1] if choices else ()


def _groupings(
    run: Run[Problem, Any], number: int, step: TreeStep, best: Merging
) -> Iterator[Question]:
    """Ask in how many ways values in their order make so many groups."""
    test = best.merged
    v, g = test.n_values, test.n_groups
    if not 1 < test.n_ways <= MAX_WAYS or test.n_ways != comb(v - 1, g - 1):
        return
    yield Question(
        number,
        "groupings",
        f"In node {step.node + 1} the {v} values of {run.problem.features[best.column]}, in their"
        f" order, become {g} groups: in how many ways is that possible?",
        Value(test.n_ways),
        f"{g - 1} of the {v - 1} borders between neighbours stay: C({v - 1}, {g - 1}) ="
        f" {num4(test.n_ways)}.",
        (
            Wrong(GroupingRule.BETWEEN, v - 1),
            Wrong(GroupingRule.UNORDERED, ways_to_merge(v, g, ordered=False, floating=False)),
        ),
        "Only neighbours are merged: which borders stay?",
        about=[step.node + 1],
        of="node",
    )
