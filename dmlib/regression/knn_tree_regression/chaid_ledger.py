"""CHAID for numbers in words and numbers: groups of values, their F test, and the other columns."""

from __future__ import annotations

from math import isinf
from typing import Any

from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged
from dmlib.pictures.words import changes, count, num4, short
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.tree import Grown, TreeStep
from dmlib.trees.significance_ledger import chaid_texts, merge_tables, p_text
from dmlib.trees.splits import Split as ColumnTest
from dmlib.trees.tests_ledger import branch_texts

MAX_GROUPS, MAX_COLUMNS = 12, 8  # of a table
MAX_PARTS = 4  # of a test that is written out


def groups_text(test: ColumnTest, problem: Problem) -> str:
    """Return the groups of values of a test as text.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"size": [1.0, 2.0, 3.0]}), ["size"])
    >>> groups_text(ColumnTest(0, (1.0, 2.0)), problem)
    'size ≤ 1 | ≤ 2 | > 2'
    """
    parts = abridged(branch_texts(test, problem), MAX_PARTS, " | ")
    return f"{problem.features[test.column]} {parts}"


def split_words(step: TreeStep, best: Merging, tree: Grown, problem: Problem) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a node that is split into the groups of a column."""
    node, name = tree.nodes[step.node], problem.features[best.column]
    groups = count(len(step.nodes), "group", "groups")
    n = count(len(node.rows), "row", "rows")
    change = changes("the SSE of its rows", short(step.before), short(step.after))
    texts = branch_texts(best.test, problem)
    rows: list[list[Cell]] = [
        [part.number + 1, text, len(part.rows), short(part.value), short(part.loss)]
        for part, text in zip((node, *step.nodes), ("all", *texts), strict=True)
    ]
    head, title = ("node", name, "n", "mean", "SSE"), f"Node {step.node + 1} by {name}"
    if len(rows) > MAX_GROUPS + 1:
        title += f" (the first {MAX_GROUPS} of {len(texts)} groups)"
    table = LedgerTable(head, rows[: MAX_GROUPS + 1], title, by="node")
    return f"{name} divides {n} into {groups}; {change}.", [
        table,
        *_significance(best, step.before, problem),
    ]


def stop_words(step: TreeStep, best: Any, alpha: float, problem: Problem) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a node that stays a leaf."""
    name = f"Node {step.node + 1}"
    if not isinstance(best, Merging):
        return f"{name} stays a leaf: no column can be divided.", []
    smallest = f"{p_text(best.merged.score)} by {problem.features[best.column]}"
    why = f"the smallest adjusted p, {smallest}, is above {num4(alpha)}"
    return f"{name} stays a leaf: {why}.", _significance(best, step.before, problem)


def _significance(best: Merging, sse: float, problem: Problem) -> Blocks:
    """Return the F test of the groups, the merges that led to them, and the other columns."""
    test = best.merged
    lines = ["each group has a single row: without variance in a group there is no F, and p = 1"]
    if test.dof_within > 0:
        ratio = test.statistic * test.dof / test.dof_within
        within = 0.0 if isinf(ratio) else sse / (1 + ratio)
        between = num4(sse - within)
        variances = f"({between} / {test.dof}) / ({num4(within)} / {num4(test.dof_within)})"
        lines = [
            f"SSE between groups = {num4(sse)} − {num4(within)} = {between}",
            *chaid_texts(test, variances),
        ]
    rows: list[list[Cell]] = [
        [problem.features[column], own.n_groups, short(own.statistic), p_text(own.score)]
        for column, own in best.rivals[:MAX_COLUMNS]
    ]
    title = "Columns by their adjusted p"
    if len(best.rivals) > MAX_COLUMNS:
        title += f" (the first {MAX_COLUMNS} of {len(best.rivals)})"
    columns = [LedgerTable(("column", "groups", "F", "p"), rows, title, [0])]
    return [
        *(Formula(line) for line in lines),
        *merge_tables(test, best.column, problem),
        *(columns if len(rows) > 1 else []),
    ]
