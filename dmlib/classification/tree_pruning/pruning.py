"""The eight methods by name: what each compares at the nodes of a grown tree, and the tree that it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import new_rows
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.tree_pruning.cutting import Comparison, Cutting, counts_of
from dmlib.classification.tree_pruning.estimates import (
    description_length,
    minimum_error,
    pessimistic,
    reduced_error,
    significance_test,
)
from dmlib.classification.tree_pruning.optimal import optimal
from dmlib.params import Choice, Integer, Number, Param
from dmlib.trace import look
from dmlib.trees.cost_complexity import PruningPath, leaf_costs, weakest_links
from dmlib.trees.error_based import ErrorBasedPruning
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.tree import Tree

METHODS = (
    "cost_complexity",
    "reduced_error",
    "minimum_error",
    "pessimistic",
    "error_based",
    "mdl",
    "optimal",
    "chi2",
)
"""The methods, as the parameter ``method`` names them."""

PARAMS: dict[str, Param] = {
    "method": Choice(METHODS),
    "ccp_alpha": Number(0.0, 1e300, shown=(0.0, 0.1), step=0.001, none="by CV"),
    "cost": Choice(("impurity", "error")),
    "cv": Integer(2, 1000, shown=(2, 20)),
    "standard_errors": Number(0.0, 1e6, shown=(0.0, 3.0), step=0.05),
    "m": Number(0.0, 1e12, shown=(0.0, 50.0), step=0.5),
    "confidence": Number(1e-6, 0.5, shown=(0.01, 0.5), step=0.01),
    "accuracy": Number(0.0, 1.0, shown=(0.5, 1.0), step=0.005),
    "significance": Number(1e-300, 1.0, shown=(1e-6, 1.0), log=True),
}
"""What the methods take beside the tree."""


@dataclass(frozen=True)
class PruningStep:
    """One step of pruning a tree.

    Attributes
    ----------
    phase : {"start", "keep", "prune", "raise", "done"}
        The grown tree; a subtree stays, becomes a leaf, or is replaced by its largest branch; the
        end.
    comparison : Comparison or None
        Both sides of what was compared; None at the start and at the end.
    tree : Tree
        The tree after the step. Its ``numbers`` tell which node of the grown tree each of its nodes
        was.
    n_leaves : int
        How many leaves it has.
    alpha : float
        Of cost-complexity the alpha up to which links are cut; else 0.
    path : PruningPath or None
        Where alpha was chosen by cross-validation, what it was chosen from.
    """

    phase: str
    comparison: Comparison | None
    tree: Tree
    n_leaves: int
    alpha: float = 0.0
    path: PruningPath | None = None


class Material(NamedTuple):
    """What a grown tree is pruned by.

    Attributes
    ----------
    tree : Tree
        The grown tree.
    X, y : ndarray or None
        The rows to prune by, and the codes of their classes: for reduced error those that were set
        apart, else those that the tree was grown from.
    measure : str
        The impurity by which the tree was grown.
    path : PruningPath or None
        The trees of all alphas with their cross-validated errors.
    """

    tree: Tree
    X: Floats | None
    y: Ints | None
    measure: str
    path: PruningPath | None


def material(tree: DecisionTreeClassifier, X: Any, y: Any, path: PruningPath | None) -> Material:
    """Return what a fitted tree is pruned by, with the rows as numbers.

    Raises
    ------
    ValueError
        If a row has a class that the tree has not.
    """
    measure = CRITERIA[tree.criterion].measure
    if X is None or y is None:
        return Material(tree.tree_, None, None, measure, path)
    matrix = new_rows(tree, tree._columns, X)
    labels = np.asarray(y)
    codes = np.searchsorted(tree.classes_, labels).clip(0, len(tree.classes_) - 1)
    if (tree.classes_[codes] != labels).any():
        raise ValueError(
            "The pruning set has a class that the grown tree lacks; grow the tree from rows of all"
            " classes."
        )
    return Material(tree.tree_, matrix, codes, measure, path)


def pruning_steps(given: Material, values: Mapping[str, Any]) -> Iterator[PruningStep]:
    """Yield the steps of pruning; ``values`` are those of the parameters.

    Raises
    ------
    ValueError
        If the method needs rows and there are none.
    """
    method, tree = values["method"], given.tree
    if method in NEEDS and given.X is None:
        raise ValueError(f"Pruning by {method} needs X and y, {NEEDS[method]}.")
    alpha, path = chosen_alpha(given, values) if method == "cost_complexity" else (0.0, None)
    step = PruningStep("start", None, tree, tree.n_leaves, alpha, path)
    yield step
    steps: Iterator[PruningStep]
    if method == "error_based":
        steps = _by_estimated_errors(step, given, values["confidence"])
    else:
        steps = _cuts(step, given, values, alpha)
    for step in steps:
        look()
        yield step
    yield replace(step, phase="done", comparison=None)


NEEDS = {
    "reduced_error": "rows that the tree was not grown from",
    "error_based": "the rows that it was grown from",
}
"""The rows that some methods need."""


def chosen_alpha(given: Material, values: Mapping[str, Any]) -> tuple[float, PruningPath | None]:
    """Return alpha, and the path that it was chosen from by cross-validation.

    Of the trees whose error is within so many standard errors of the least, the smallest is taken;
    its alpha is the geometric mean of where it begins and ends to be the best.
    """
    if values["ccp_alpha"] is not None:
        return float(values["ccp_alpha"]), given.path
    path = given.path
    if given.tree.node_count == 1:
        return 0.0, path
    if path is None:
        raise ValueError(
            "Without ccp_alpha, alpha is cross-validated: give X and y, the growing set."
        )
    place = simplest(path, values["standard_errors"])
    middle = float(path.middles[place])
    return (middle if np.isfinite(middle) else 2 * float(path.alphas[-1]) + 1e-12), path


def simplest(path: PruningPath, standard_errors: float) -> int:
    """Return the smallest tree of a path whose cross-validated error is within so many standard errors of the least."""
    limit = path.cv_errors[path.best] + standard_errors * path.cv_spread[path.best]
    return int(np.flatnonzero(path.cv_errors <= limit + 1e-12)[-1])


def _cuts(
    step: PruningStep, given: Material, values: Mapping[str, Any], alpha: float
) -> Iterator[PruningStep]:
    """Yield a step for each comparison of a method that makes leaves of nodes."""
    cutting, tree = Cutting(given.tree), step.tree
    for one in _compared(cutting, given, values, alpha):
        if one.action == "prune":
            tree = cutting.result()
        yield replace(step, phase=one.action, comparison=one, tree=tree, n_leaves=tree.n_leaves)


def _compared(
    cutting: Cutting, given: Material, values: Mapping[str, Any], alpha: float
) -> Iterator[Comparison]:
    method = values["method"]
    if method == "reduced_error":
        assert given.X is not None
        assert given.y is not None
        return reduced_error(cutting, counts_of(given.tree, given.X, given.y))
    methods: dict[str, Callable[[], Iterator[Comparison]]] = {
        "cost_complexity": lambda: cost_complexity(cutting, alpha, values["cost"]),
        "minimum_error": lambda: minimum_error(cutting, values["m"]),
        "pessimistic": lambda: pessimistic(cutting, values["standard_errors"]),
        "mdl": lambda: description_length(cutting, values["n_features"]),
        "optimal": lambda: optimal(cutting, values["accuracy"]),
        "chi2": lambda: significance_test(cutting, values["significance"]),
    }
    return methods[method]()


def cost_complexity(cutting: Cutting, alpha: float, cost: str) -> Iterator[Comparison]:
    """Cut the weakest links, one after the other, up to the first that saves more than alpha with each leaf."""
    costs = leaf_costs(cutting.tree, cost)
    for link in weakest_links(cutting.tree, cost):
        look()
        leaves = cutting.leaves(link.node)
        reason = "" if link.alpha <= alpha else "the weakest link that is left"
        yield cutting.compare(link.node, link.alpha, alpha, leaves, costs[leaves], reason=reason)
        if reason:
            return


def _by_estimated_errors(
    step: PruningStep, given: Material, confidence: float
) -> Iterator[PruningStep]:
    """Yield a step for each comparison of error-based pruning, which also raises branches."""
    assert given.X is not None
    assert given.y is not None
    pruner = ErrorBasedPruning(
        given.tree, given.X, given.y, np.ones(len(given.y)), confidence, given.measure
    )
    tree = step.tree
    for one in pruner.run():
        action = {"collapse": "prune", "leaf": "prune"}.get(one.action, one.action)
        if action != "keep":
            tree = pruner.result()
        measures = np.array(
            [] if one.action == "collapse" else [one.subtree_errors, one.branch_errors]
        )
        compared = Comparison(
            one.node,
            one.leaf_errors,
            one.subtree_errors,
            np.array([one.branch], np.intp),
            measures,
            action,
            "no fewer training errors" if one.action == "collapse" else "",
        )
        yield replace(step, phase=action, comparison=compared, tree=tree, n_leaves=tree.n_leaves)
