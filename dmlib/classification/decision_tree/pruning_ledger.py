"""Pruning in words and numbers: both sides of each comparison."""

from __future__ import annotations

import numpy as np

from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.words import count
from dmlib.trees.cost_complexity import Link
from dmlib.trees.error_based import Comparison
from dmlib.trees.significance_ledger import digits, short
from dmlib.trees.steps import DecisionTreeStep


def pruned(step: DecisionTreeStep) -> tuple[str, Blocks]:
    """Return caption and ledger of a comparison of pruning."""
    name = node_name(step.node, capital=True)
    if step.link is not None:
        return _link(name, step.link)
    assert step.comparison is not None
    return _comparison(name, step.phase, step.comparison)


def _link(name: str, link: Link) -> tuple[str, Blocks]:
    """Return caption and ledger of the weakest link."""
    n_leaves = count(link.n_leaves, "leaf", "leaves")
    n_left = count(link.total_leaves, "leaf is", "leaves are")
    caption = (
        f"{name} is the weakest link and becomes a leaf: its {n_leaves} save {short(link.alpha)}"
        f" each, no more than α; {n_left} left."
    )
    ratio = f"({short(link.leaf_cost)} − {short(link.subtree_cost)}) / ({link.n_leaves} − 1)"
    formula = "(cost as a leaf − cost of the subtree) / (leaves − 1)"
    total = f"{short(link.total_cost)}, with {link.total_leaves} leaves"
    rows = [
        ("as a leaf", digits(link.leaf_cost), 1),
        ("with its subtree", digits(link.subtree_cost), link.n_leaves),
    ]
    return caption, [
        LedgerTable(("", "cost", "leaves"), rows, f"{name}, both ways", [0]),
        Formula(f"α = {formula} = {ratio} = {short(link.alpha)}"),
        Formula(f"the whole tree then costs {total}"),
    ]


def _comparison(name: str, phase: str, comparison: Comparison) -> tuple[str, Blocks]:
    """Return caption and ledger of the choice between leaf, subtree and largest branch."""
    leaf, branch = comparison.leaf_errors, comparison.branch_errors
    subtree = comparison.subtree_errors
    caption = f"{name} keeps its subtree, with {short(subtree)} expected errors."
    if comparison.action == "collapse":
        caption = (
            f"{name} becomes a leaf: its subtree makes no fewer training errors, {short(subtree)}."
        )
    elif phase == "prune":
        errors = f"{short(leaf)} expected errors, against {short(subtree)} of its subtree"
        caption = f"{name} becomes a leaf: {errors}."
    elif phase == "raise":
        caption = (
            f"{name} is replaced by its largest branch: {short(branch)} expected errors, "
            f"against {short(subtree)} of the whole subtree."
        )
    rows = [("as a leaf", digits(leaf)), ("with its subtree", digits(subtree))]
    rows += [] if np.isnan(branch) else [("with its largest branch instead", digits(branch))]
    title = "Training errors" if comparison.action == "collapse" else "Expected errors"
    ledger: Blocks = [
        LedgerTable((name, "errors"), rows, title, {"prune": [0], "keep": [1], "raise": [2]}[phase])
    ]
    if comparison.action != "collapse":
        ledger.append(
            Formula("expected errors = training errors + upper-limit correction, in each leaf")
        )
        ledger.append(Formula("a simpler tree is accepted with up to 0.1 more expected errors"))
    return caption, ledger
