"""Pruning in words and numbers: both sides of each comparison."""

from __future__ import annotations

import numpy as np

from dmlib.classification.decision_tree.significance_ledger import digits, short
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.words import count
from dmlib.trees.cost_complexity import Link
from dmlib.trees.error_based import Comparison
from dmlib.trees.steps import DecisionTreeStep


def pruned(step: DecisionTreeStep) -> tuple[str, Blocks]:
    """Return caption and ledger of what pruning did with a node."""
    name = node_name(step.node, capital=True)
    if step.link is not None:
        return _link(name, step.link)
    assert step.comparison is not None
    return _comparison(name, step.phase, step.comparison)


def _link(name: str, link: Link) -> tuple[str, Blocks]:
    """Return caption and ledger of the weakest link."""
    caption = (
        f"{name} is the weakest link and becomes a leaf: its"
        f" {count(link.n_leaves, 'leaf', 'leaves')} save {short(link.alpha)} each, no more than α;"
        f" {count(link.total_leaves, 'leaf is', 'leaves are')} left."
    )
    rows = [
        ("as a leaf", digits(link.leaf_cost), 1),
        ("with its subtree", digits(link.subtree_cost), link.n_leaves),
    ]
    return caption, [
        LedgerTable(("", "cost", "leaves"), rows, f"{name}, both ways", [0]),
        Formula(
            f"α = (cost as a leaf − cost of the subtree) / (leaves − 1) = ({short(link.leaf_cost)}"
            f" − {short(link.subtree_cost)}) / ({link.n_leaves} − 1) = {short(link.alpha)}"
        ),
        Formula(
            f"the whole tree then costs {short(link.total_cost)}, with {link.total_leaves} leaves"
        ),
    ]


def _comparison(name: str, phase: str, comparison: Comparison) -> tuple[str, Blocks]:
    """Return which of leaf, subtree and largest branch has the fewest expected errors."""
    leaf, subtree, branch = (
        comparison.leaf_errors,
        comparison.subtree_errors,
        comparison.branch_errors,
    )
    caption = f"{name} keeps its subtree, with {short(subtree)} expected errors."
    if comparison.action == "collapse":
        caption = (
            f"{name} becomes a leaf: its subtree makes no fewer training errors, {short(subtree)}."
        )
    elif phase == "prune":
        caption = (
            f"{name} becomes a leaf: {short(leaf)} expected errors, against {short(subtree)} of its"
            " subtree."
        )
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
