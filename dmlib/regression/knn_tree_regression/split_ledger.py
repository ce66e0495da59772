"""Splits in words: their tests, the cuts of a column, and the way of a row."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.chaid_ledger import groups_text
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.search import Split, loss_of, measure_of
from dmlib.regression.knn_tree_regression.tree import Grown, Node
from dmlib.trees.tests_ledger import branch_texts
from dmlib.trees.threshold_text import threshold_text

MAX_CUTS, MAX_CATEGORIES = 4, 12  # of a table
MAX_TERMS = 5  # of a sum


def cut_text(split: Split, problem: Problem) -> str:
    """Return a threshold, with digits that tell the values of its column apart."""
    return threshold_text(split.threshold, problem.X[:, split.column], 4).replace("-", "−")


def condition_text(split: Split | Merging, problem: Problem) -> str:
    """Return the test of a split, that of its left part, or all groups of values."""
    if isinstance(split, Merging):
        return groups_text(split.test, problem)
    if split.test.branches:
        return f"{problem.features[split.column]} {branch_texts(split.test, problem)[0]}"
    return f"{problem.features[split.column]} ≤ {cut_text(split, problem)}"


def n_rows(node: Node) -> float:
    """Return the number of rows of a node, with four digits where rows are in it in parts."""
    return node.size if node.shares is None else short(node.size)


def cuts_table(split: Split, problem: Problem, score: str, centre: str) -> LedgerTable:
    """Return the best cuts of the column of a split, of a nominal one all in their order."""
    if split.test.branches:
        return _category_table(split, problem, score, centre)
    thresholds, scores = split.cuts
    order = np.argsort(-scores, kind="stable")[:MAX_CUTS]
    name, x = problem.features[split.column], problem.X[:, split.column]
    rows = [(name, float(threshold_text(thresholds[i], x, 4)), short(scores[i])) for i in order]
    current = [int(i) for i, j in enumerate(order) if thresholds[j] == split.threshold]
    title = "The best cuts of this column"
    return LedgerTable(("column", "cut at", score), rows, title, current)


def _category_table(split: Split, problem: Problem, score: str, centre: str) -> LedgerTable:
    """Return the categories in the order in which they are cut."""
    names, order = problem.categories[split.column], split.order.tolist()
    x, y = split.X[split.rows, split.column], split.y[split.rows]
    shares = np.ones(len(x)) if split.shares is None else split.shares
    behind = {int(place): value for place, value in zip(*split.cuts, strict=True)}
    rows: list[list[Cell]] = []
    for place, code in enumerate(order):
        own = x == code
        value, _ = loss_of(y[own], measure_of(split.criterion), shares[own])
        saved = short(behind[place]) if place in behind else "–"
        rows.append([names[code], short(shares[own].sum()), short(value), saved])
    n_left = sum(branch == 0 for branch in split.test.branches)
    title = f"Categories by their {centre}" + (
        f" (the first {MAX_CATEGORIES} of {len(rows)})" if len(rows) > MAX_CATEGORIES else ""
    )
    head = (problem.features[split.column], "n", centre, f"{score} by a cut below")
    return LedgerTable(head, rows[:MAX_CATEGORIES], title, [n_left - 1])


def missing_text(split: Split, error: str) -> Blocks:
    """Return where rows without a value go, and what the split saves among the others."""
    if split.missing <= 0:
        return []
    shares = f"{num4(split.share)} of it left, {num4(1 - split.share)} right"
    return [
        Formula(f"rows without a value: {num4(split.missing)}; each goes both ways, {shares}"),
        Formula(f"{error} saved among the rows with a value = {num4(split.score)}"),
    ]


def way(run: Run[Problem, Any], tree: Grown, query: Floats) -> str:
    """Return the tests that a query passes and what it is predicted, of several leaves all."""
    arrays = tree.tree()
    _, leaves, parts = arrays.leaves(query[None])
    problem, fitted = run.problem, num4(float(tree.predict(query[None])[0]))
    subject = problem.name(run.current_query)
    if len(leaves) > 1:
        values = arrays.value[leaves]
        terms = [f"{num4(p)}·{signed(v, 4)}" for p, v in zip(parts, values, strict=True)]
        ending = f"in {len(leaves)} leaves, in parts"
        return f"{subject} ends {ending}: ŷ = {abridged(terms, MAX_TERMS)} = {fitted}"
    number, tests = 0, []
    while number in tree.children:
        split = tree.splits[number]
        value, name = query[split.column], problem.features[split.column]
        branch = int(split.test.branch(np.array([value]))[0])
        if split.test.branches:
            tests.append(f"{name} = {problem.value(split.column, value)}")
        elif isinstance(split, Merging):
            shown = "missing" if np.isnan(value) else num4(value)
            tests.append(f"{name} = {shown}, {branch_texts(split.test, problem)[branch]}")
        else:
            relation = ">" if branch else "≤"
            tests.append(f"{name} = {num4(value)} {relation} {cut_text(split, problem)}")
        number = tree.children[number][branch]
    path = abridged(tests, MAX_TERMS, ", ") or "no test"
    return f"{subject}: {path}: node {number + 1}, ŷ = {fitted}"
