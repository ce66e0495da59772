"""The arithmetic of tests of significance, written out: merges of CHAID and cuts of QUEST."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Cell, LedgerTable, abridged
from dmlib.pictures.words import count, num, num4
from dmlib.problem import Problem
from dmlib.trees.chaid import ChaidTest
from dmlib.trees.quest import Cut, QuestTest
from dmlib.trees.significance import PERFECT, p_value
from dmlib.trees.splits import Candidate

TINY = 1e-6  # logarithms of densities that differ by less are equal
MAX_TERMS = 4
MAX_ROWS = 12  # of a table of merges or coordinates
MAX_NAMES = 3  # values of a group
NAMES = {"pearson": "χ²", "likelihood_ratio": "G²", "F": "F"}  # of the statistics of CHAID
VANISHED = 300.0  # −log₁₀ of a p-value that is written as a power of ten


def short(value: Any) -> str:
    """Return a number for a formula: four digits, and whole numbers as they are."""
    return num4(value) if abs(value) < 1e4 else num(value)


def digits(value: Any) -> float:
    """Return a number for a table, with four digits."""
    return float(f"{value:.4g}")


def p_text(score: float) -> str:
    """Return a p-value from its −log₁₀, as text.

    Examples
    --------
    >>> p_text(2.0), p_text(1088.4), p_text(1e6)
    ('0.01', '10^−1088', '0')
    """
    if score >= PERFECT / 2:
        return "0"
    return f"10^−{score:.0f}" if score > VANISHED else short(p_value(score))


def chi2_text(counts: Floats) -> str:
    """Return chi-squared of a table as a sum, with its first terms.

    Examples
    --------
    >>> chi2_text(np.array([[4.0, 0.0], [0.0, 4.0]]))
    '(4 − 2)² / 2 + (0 − 2)² / 2 + (0 − 2)² / 2 + (4 − 2)² / 2'
    """
    terms = [f"({short(n)} − {short(e)})² / {short(e)}" for n, e in _cells(counts) if e > 0]
    return abridged(terms, MAX_TERMS)


def g2_text(counts: Floats) -> str:
    """Return G² of a table as a sum, with its first terms; cells of 0 add nothing.

    Examples
    --------
    >>> g2_text(np.array([[4.0, 0.0], [1.0, 3.0]]))
    '2 · (4·ln(4 / 2.5) + 1·ln(1 / 2.5) + 3·ln(3 / 1.5))'
    """
    terms = [f"{short(n)}·ln({short(n)} / {short(e)})" for n, e in _cells(counts) if n > 0]
    return f"2 · ({abridged(terms, MAX_TERMS)})"


def _cells(counts: Floats) -> zip[tuple[Any, Any]]:
    """Return each number of a table with that expected without an association."""
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    return zip(counts.ravel(), expected.ravel(), strict=True)


def significance_texts(candidate: Candidate) -> list[str]:
    """Return the significance of a column line by line; the last line is the score."""
    test = candidate.test
    lines = _chaid(candidate, test) if isinstance(test, ChaidTest) else _quest(candidate, test)
    adjusted = p_text(candidate.score)
    return [*lines, f"−log₁₀ p = −log₁₀({adjusted}) = {short(candidate.score)}"]


def _chaid(candidate: Candidate, test: ChaidTest) -> list[str]:
    texts = {"pearson": chi2_text, "likelihood_ratio": g2_text}
    return chaid_texts(test, texts[test.kind](candidate.counts))


def chaid_texts(test: ChaidTest, statistic: str) -> list[str]:
    """Return the significance of merged groups line by line; ``statistic`` is its sum as text."""
    name, value = NAMES[test.kind], short(test.statistic)
    plain, n_ways = p_text(test.plain), short(test.n_ways)
    ways = f"{n_ways} {'way' if test.n_ways == 1 else 'ways'}"
    adjusted = f"p = {n_ways} · {plain} = {p_text(test.score)}{', at most 1' * (test.score <= 0)}"
    dof = count(test.dof, "degree", "degrees")
    if test.kind == "F":
        dof = f"{test.dof} and {short(test.dof_within)} degrees"
    return [
        f"{name} = {statistic} = {value}",
        f"p = P({name} ≥ {value} with {dof} of freedom) = {plain}",
        f"{test.n_values} values make {test.n_groups} groups in {ways}, so {adjusted}",
    ]


def _quest(candidate: Candidate, test: QuestTest) -> list[str]:
    plain, dof = p_text(test.plain), " and ".join(map(short, test.dof))
    dof += " degree" if test.dof == (1,) else " degrees"
    name = {"F": "F", "chi2": "χ²", "Levene": "Levene’s F"}[test.kind]
    why = {
        "F": "the class means differ",
        "chi2": "the class frequencies differ",
        "Levene": "the spreads differ",
    }
    adjusted = f"{p_text(candidate.score)}{_at_most(candidate)}"
    return [
        *_cut(test, "the ranks 1, 2, 3, …" if candidate.ordered else "the column"),
        f"{why[test.kind]}: {name} = {short(test.statistic)} with {dof} of freedom, p = {plain}",
        f"for {test.factor} tests, p = {test.factor} · {plain} = {adjusted}",
    ]


def _at_most(candidate: Candidate) -> str:
    return ", at most 1" if candidate.score <= 0 else ""


def _cut(test: QuestTest, values: str) -> list[str]:
    cut = test.cut
    if cut is None:
        return []
    of = "the coordinate" if test.coordinates else values
    groups = [
        f"{short(n)} rows, mean {short(mean)}, variance {short(variance)}"
        for n, mean, variance in zip(cut.weights, cut.means, cut.variances, strict=True)
    ]
    return [
        f"two groups of classes, as normal distributions of {of}: {groups[0]} | {groups[1]}",
        cut_reason(cut),
    ]


def cut_reason(cut: Cut) -> str:
    """Return the reason for the place of the cut."""
    first, second = zip(cut.weights, cut.means, cut.variances, strict=True)
    place = short(cut.place)
    if min(cut.variances) <= TINY**2 * (cut.means[1] - cut.means[0]) ** 2:
        return f"one group has a single value, and the cut is beside it, at {place}"
    if abs(_log_density(cut.place, *first) - _log_density(cut.place, *second)) > TINY:
        unequal = "their densities are not equal anywhere between"
        return f"{unequal}, so the cut is between the means, at {place}"
    sides = [
        f"{short(n)} · N(x; {short(mean)}, {short(variance)})"
        for n, mean, variance in (first, second)
    ]
    return f"{sides[0]} = {sides[1]}: the densities, times the rows, are equal at {place}"


def _log_density(x: float, weight: float, mean: float, variance: float) -> float:
    """Return the logarithm of a normal density times a weight, up to a constant."""
    return float(np.log(weight) - np.log(variance) / 2 - (x - mean) ** 2 / variance / 2)


def significance_tables(candidate: Candidate, problem: Problem, codes: Sequence[int]) -> Blocks:
    """Return the merges of CHAID, or the two groups of classes and values of QUEST."""
    test, column = candidate.test, candidate.split.column
    if isinstance(test, ChaidTest):
        return merge_tables(test, column, problem)
    return _sides(test, candidate, problem, codes) if isinstance(test, QuestTest) else []


def merge_tables(test: ChaidTest, column: int, problem: Problem) -> Blocks:
    """Return the merges of the values of a column, and the comparison that ended them."""
    merges = [*test.merges, *([test.rival] if test.rival else [])]
    if not merges:
        return []
    rows: list[list[Cell]] = []
    for merge in merges[-MAX_ROWS:]:
        outcome = "merged: few rows" if merge.small else "merged"
        if merge is test.rival:
            outcome = "differ"
        groups = " + ".join(
            _group(values, test, column, problem) for values in (merge.first, merge.second)
        )
        rows.append([groups, digits(merge.statistic), digits(merge.p), outcome])
    title = f"The most similar groups of {problem.features[column]}"
    if len(merges) > MAX_ROWS:
        title += f": the last {MAX_ROWS} of {len(merges)} steps"
    return [LedgerTable(("groups", NAMES[test.kind], "p", ""), rows, title)]


def _group(values: Sequence[int], test: ChaidTest, column: int, problem: Problem) -> str:
    """Return a group as text: an interval, names, missing values."""
    if column in problem.categories:
        categories = problem.categories[column]
        names = [categories[value] if value < len(categories) else "missing" for value in values]
        return "{" + abridged(names, MAX_NAMES, ", ") + "}"
    ends = [num(edge) for edge in test.edges]
    ordinary = [value for value in values if value <= len(ends)]
    missing = ["missing"] if len(ordinary) < len(values) else []
    if not ordinary:
        return "missing"
    first, last = ordinary[0], ordinary[-1]
    if first == 0:
        text = f"≤ {ends[last]}" if last < len(ends) else "known"
    else:
        text = f"{ends[first - 1]}–{ends[last]}" if last < len(ends) else f"> {ends[first - 1]}"
    return " or ".join([text, *missing])


def _sides(test: QuestTest, candidate: Candidate, problem: Problem, codes: Sequence[int]) -> Blocks:
    if test.cut is None:
        return []
    blocks: Blocks = []
    if len(codes) > 2:
        groups = [
            ", ".join(problem.classes[codes[i]] for i in part)
            for part in (test.cut.first, test.cut.second)
        ]
        sides = [(groups[0], digits(test.cut.means[0])), (groups[1], digits(test.cut.means[1]))]
        blocks.append(
            LedgerTable(("classes", "mean"), sides, "Two groups of classes, by their means")
        )
    if not test.coordinates:
        return blocks
    names = [*problem.categories[candidate.split.column], "missing"]
    coded = [i for i in np.argsort(test.coordinates).tolist() if not np.isnan(test.coordinates[i])]
    rows: list[list[Cell]] = [[names[i], digits(test.coordinates[i])] for i in coded[:MAX_ROWS]]
    title = "Values on the first discriminant coordinate"
    return [*blocks, LedgerTable(("value", "coordinate"), rows, title)]
