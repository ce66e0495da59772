"""Refitting and backfitting in words and numbers: new labels, thresholds and widths."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_variants.linear_tree import LinearTree
from dmlib.classification.tree_variants.variant import VariantStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, numbered_table
from dmlib.pictures.words import count, num4

MAX_ROWS = 16
FALL = "mean squared error"


def refitted(
    step: VariantStep,
    before: LinearTree,
    classes: Sequence[str],
    test: Callable[[Floats, float], str],
    n_rows: float,
) -> tuple[str, Blocks]:
    """Return caption and ledger of a step of refitting or backfitting.

    Parameters
    ----------
    step : VariantStep
        The step.
    before : LinearTree
        The tree before it.
    classes : sequence of str
        The names of the classes.
    test : callable
        Returns a test, its weights and its threshold, as text.
    n_rows : float
        The training rows.
    """
    tree: LinearTree = step.tree
    old, new = (num4(error) for error in step.errors)
    change = f"falls from {old} to {new}" if old != new else f"stays at {new}"
    n_leaves, soft = tree.n_leaves, np.flatnonzero(tree.widths > 0)
    n = f"{num4(n_rows)} rows, {count(n_leaves, 'leaf', 'leaves')}"
    blocks: Blocks = [
        Formula("f = M q, the labels q of the leaves weighted by the memberships M"),
        Formula(f"MᵀM q = Mᵀy for each class ({n})"),
        Formula(f"{FALL} Σ (f − y)² / n: {old} → {new}"),
    ]
    if step.phase == "refit":
        labels = "the only leaf keeps its label"
        if n_leaves > 1:
            which = "both" if n_leaves == 2 else f"all {n_leaves}"
            labels = f"{which} leaves get new labels together"
        caption = f"Refitting, the memberships fixed: {labels}, and the {FALL} {change}."
        return caption, [*blocks, _labels(tree, before, classes)]
    thresholds = count(len(soft), "threshold", "thresholds")
    parameters = f"{thresholds} and {count(len(soft), 'width', 'widths')}"
    caption = f"Backfitting moves {parameters}, the labels follow: the {FALL} {change}."
    formula = f"(JᵀJ + λD) δ = −Jᵀ(f − y), δ: {parameters}"
    return caption, [
        _tests(tree, before, test),
        Formula(formula),
        *blocks,
        _labels(tree, before, classes),
    ]


def _labels(tree: LinearTree, before: LinearTree, classes: Sequence[str]) -> LedgerTable:
    """Return the label of each leaf for each class, before and after."""
    first = before.value[:, 0] if before.labels is None else before.labels
    assert tree.labels is not None
    rows: list[list[Cell]] = []
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        pairs = zip(first[leaf], tree.labels[leaf], strict=True)
        labels = [f"{num4(float(old))} → {num4(float(new))}" for old, new in pairs]
        rows.append([leaf + 1, *labels])
    head = ("node", *classes)
    return numbered_table(head, rows, "Labels of the leaves", by="node", max_rows=MAX_ROWS)


def _tests(
    tree: LinearTree, before: LinearTree, test: Callable[[Floats, float], str]
) -> LedgerTable:
    """Return threshold and width of each soft test, before and after."""
    rows: list[list[Cell]] = []
    for node in np.flatnonzero(tree.widths > 0).tolist():
        old, new = float(before.thresholds[node]), float(tree.thresholds[node])
        widths = f"{num4(float(before.widths[node]))} → {num4(float(tree.widths[node]))}"
        name = test(tree.weights[node], new).rpartition(" ≤ ")[0]
        rows.append([node + 1, name, f"{num4(old)} → {num4(new)}", widths])
    head = ("node", "column", "threshold", "width")
    return numbered_table(head, rows, "The soft tests", by="node", max_rows=MAX_ROWS)
