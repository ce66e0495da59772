"""Questions about CHAID: the p-values by which columns compete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.words import num4
from dmlib.trees.chaid import ChaidTest
from dmlib.trees.significance import p_value
from dmlib.trees.significance_ledger import NAMES

MAX_WAYS, SMALLEST_P = 1000, 1e-6  # of groupings whose p-value is worked out


class ChaidRule(Misconception):
    """Wrong rules of CHAID."""

    PLAIN = "The p-value of the test is compared as it is."
    BY_GROUPS = "The p-value is multiplied by the number of groups."


def adjusted_p(number: int, node: int, name: str, test: ChaidTest) -> Iterator[Question]:
    """Ask for the p-value by which a column competes.

    Parameters
    ----------
    number : int
        The number of the step.
    node : int
        The node, counted from 0.
    name : str
        The column.
    test : ChaidTest
        Its test.

    Yields
    ------
    Question
        None where the p-values are no numbers to work with.

    Examples
    --------
    >>> test = ChaidTest((), None, 4, 2, 5.0, 1, 7.0, 0.75, plain=1.6)
    >>> [question.proof for question in adjusted_p(1, 0, "sky", test)]
    ['7 · 0.02512 = 0.1778.']
    """
    plain, adjusted = p_value(test.plain), p_value(test.score)
    if not 1 < test.n_ways <= MAX_WAYS or not SMALLEST_P <= plain <= 1 / test.n_ways:
        return
    ways = num4(test.n_ways)
    yield Question(
        number,
        "adjusted p",
        f"In node {node + 1} the {test.n_values} values of {name} become {test.n_groups} "
        f"groups, which is possible in {ways} ways. {NAMES[test.kind]} = {num4(test.statistic)} "
        f"has p = {num4(plain)}: by which p does the column compete?",
        Value(adjusted, 0.02 * adjusted),
        f"{ways} · {num4(plain)} = {num4(adjusted)}.",
        (Wrong(ChaidRule.PLAIN, plain), Wrong(ChaidRule.BY_GROUPS, test.n_groups * plain)),
        "Bonferroni: the more ways there are, the more easily one of them looks significant.",
        about=[node + 1],
        of="node",
    )


def best_column(
    number: int,
    node: int,
    names: Sequence[str],
    tests: Sequence[ChaidTest],
    largest: Misconception | None = None,
) -> Iterator[Question]:
    """Ask which column is best by its adjusted p-value.

    Parameters
    ----------
    number : int
        The number of the step.
    node : int
        The node, counted from 0.
    names : sequence of str
        The columns.
    tests : sequence of ChaidTest
        Their tests.
    largest : Misconception, optional
        The wrong rule that the largest statistic is best, where columns differ in their degrees of
        freedom.
    """
    if not 2 <= len(tests) <= MAX_OPTIONS:
        return
    plain, adjusted = (
        np.array([p_value(score) for score in scores])
        for scores in ([test.plain for test in tests], [test.score for test in tests])
    )
    if plain.min() < SMALLEST_P:
        return
    statistic = NAMES[tests[0].kind]
    listing = "; ".join(
        f"{name}: {num4(test.statistic)}, {num4(p)}, {test.n_groups} groups of {test.n_values}"
        f" values in {num4(test.n_ways)} {'way' if test.n_ways == 1 else 'ways'}"
        for name, p, test in zip(names, plain, tests, strict=True)
    )
    right = np.flatnonzero(np.isclose(adjusted, adjusted.min(), rtol=1e-9, atol=0)).tolist()
    groups = np.array([test.n_groups for test in tests])
    wrong = [
        Wrong(ChaidRule.PLAIN, int(plain.argmin())),
        Wrong(ChaidRule.BY_GROUPS, int((groups * plain).argmin())),
    ]
    if largest is not None:
        wrong.append(Wrong(largest, int(np.argmax([test.statistic for test in tests]))))
    yield Question(
        number,
        "column",
        f"In node {node + 1} the columns have these {statistic} and p-values ({listing}): which "
        "column is the best?",
        Option(names, right),
        f"Times the ways the p-values are {', '.join(map(num4, adjusted))}.",
        wrong,
        "Bonferroni: the more ways there are, the more easily one of them looks significant.",
        "These columns have the same p-value." if len(right) > 1 else "",
        about=[node + 1],
        of="node",
    )
