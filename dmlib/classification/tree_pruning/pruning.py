"""The nine methods by name, and the steps of pruning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import new_rows
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.tree_pruning.critical import (
    CriticalSeries,
    critical_series,
    critical_value_pruning,
)
from dmlib.classification.tree_pruning.cutting import Action, Comparison, Cutting, counts_of
from dmlib.classification.tree_pruning.estimates import (
    description_length,
    minimum_error,
    names_length,
    pessimistic,
    reduced_error,
    significance_test,
)
from dmlib.classification.tree_pruning.message_length import message_length
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
    "critical_value",
)
"""The methods, as the parameter ``method`` names them."""

ENCODINGS: Mapping[str, Callable[[Cutting, int], Iterator[Comparison]]] = {
    "mehta": description_length,
    "names": names_length,
    "mml": message_length,
}
"""The codes of minimum description length."""

ENCODING_NAMES: Mapping[str, str] = {
    "mehta": "Mehta, Rissanen, Agrawal",
    "names": "names alone",
    "mml": "MML, Wallace and Patrick",
}

PARAMS: dict[str, Param] = {
    "method": Choice(METHODS),
    "ccp_alpha": Number(0.0, 1e300, shown=(0.0, 0.1), step=0.001, none="by CV"),
    "cost": Choice(("impurity", "error")),
    "cv": Integer(2, 1000, shown=(2, 20)),
    "standard_errors": Number(0.0, 1e6, shown=(0.0, 3.0), step=0.05),
    "leaf_penalty": Number(0.0, 1e6, shown=(0.0, 5.0), step=0.25),
    "encoding": Choice(tuple(ENCODINGS)),
    "m": Number(0.0, 1e12, shown=(0.0, 50.0), step=0.5),
    "confidence": Number(1e-6, 0.5, shown=(0.01, 0.5), step=0.01),
    "accuracy": Number(0.0, 1.0, shown=(0.5, 1.0), step=0.005),
    "significance": Number(1e-300, 1.0, shown=(1e-6, 1.0), log=True),
    "critical_value": Number(0.0, 1e300, shown=(0.0, 1.0), step=0.01, none="chosen"),
}
"""The parameters of the methods."""


Phase = Action | Literal["start", "done"]


@dataclass(frozen=True)
class PruningStep:
    """One step of pruning a tree.

    Attributes
    ----------
    phase : {"start", "keep", "prune", "raise", "done"}
        The grown tree; a subtree stays, becomes a leaf, or is replaced by its largest branch; the
        end.
    comparison : Comparison or None
        Both sides of the comparison; None at the start and at the end.
    tree : Tree
        The tree after the step; its ``numbers`` are those of the nodes of the grown tree.
    n_leaves : int
        The number of its leaves.
    alpha : float
        Of cost-complexity the alpha up to which links are cut; else 0.
    path : PruningPath or None
        The path that alpha was chosen from by cross-validation.
    critical_value : float
        Of critical value pruning the value that splits have to reach; else 0.
    series : CriticalSeries or None
        The trees of increasing critical values.
    """

    phase: Phase
    comparison: Comparison | None
    tree: Tree
    n_leaves: int
    alpha: float = 0.0
    path: PruningPath | None = None
    critical_value: float = 0.0
    series: CriticalSeries | None = None


class PruningData(NamedTuple):
    """A grown tree and the rows by which it is pruned.

    Attributes
    ----------
    tree : Tree
        The grown tree.
    X, y : ndarray or None
        The rows, and the codes of their classes: for reduced error, and where a critical value is
        chosen, the pruning set, else the growing set.
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


def pruning_data(
    tree: DecisionTreeClassifier, X: Any, y: Any, path: PruningPath | None
) -> PruningData:
    """Return a fitted tree with the rows as numbers.

    Raises
    ------
    ValueError
        If a row has a class that the tree has not.
    """
    measure = CRITERIA[tree.criterion].measure
    if X is None or y is None:
        return PruningData(tree.tree_, None, None, measure, path)
    matrix = new_rows(tree, tree._columns, X)
    labels = np.asarray(y)
    codes = np.searchsorted(tree.classes_, labels).clip(0, len(tree.classes_) - 1)
    if (tree.classes_[codes] != labels).any():
        raise ValueError(
            "The pruning set has a class that the grown tree lacks; grow the tree from rows of all"
            " classes."
        )
    return PruningData(tree.tree_, matrix, codes, measure, path)


def pruning_steps(data: PruningData, values: Mapping[str, Any]) -> Iterator[PruningStep]:
    """Yield the steps of pruning; ``values`` are those of the parameters.

    Raises
    ------
    ValueError
        If the method needs rows and there are none.
    """
    method, tree = values["method"], data.tree
    if method in NEEDS and data.X is None:
        raise ValueError(f"Pruning by {method} needs X and y, {NEEDS[method]}.")
    step = PruningStep("start", None, tree, tree.n_leaves)
    if method == "cost_complexity":
        alpha, path = chosen_alpha(data, values)
        step = replace(step, alpha=alpha, path=path)
    elif method == "critical_value":
        critical_value, series = chosen_critical_value(data, values["critical_value"])
        step = replace(step, critical_value=critical_value, series=series)
    yield step
    steps: Iterator[PruningStep]
    if method == "error_based":
        steps = _by_estimated_errors(step, data, values["confidence"])
    else:
        steps = _cuts(step, data, values)
    for step in steps:
        look()
        yield step
    yield replace(step, phase="done", comparison=None)


NEEDS = {
    "reduced_error": "rows that the tree was not grown from",
    "error_based": "the rows that it was grown from",
}
"""The rows that some methods need."""


def chosen_alpha(data: PruningData, values: Mapping[str, Any]) -> tuple[float, PruningPath | None]:
    """Return alpha, and the path that it was chosen from by cross-validation.

    Of the trees whose error is within ``standard_errors`` of the smallest, the smallest tree is
    taken; its alpha is the geometric mean of the interval in which it is optimal.
    """
    if values["ccp_alpha"] is not None:
        return float(values["ccp_alpha"]), data.path
    path = data.path
    if data.tree.node_count == 1:
        return 0.0, path
    if path is None:
        raise ValueError(
            "Without ccp_alpha, alpha is cross-validated: give X and y, the growing set."
        )
    place = simplest(path, values["standard_errors"])
    middle = float(path.middles[place])
    return (middle if np.isfinite(middle) else 2 * float(path.alphas[-1]) + 1e-12), path


def simplest(path: PruningPath, standard_errors: float) -> int:
    """Return the smallest tree whose CV error is within ``standard_errors`` of the smallest."""
    limit = path.cv_errors[path.best] + standard_errors * path.cv_spread[path.best]
    return int(np.flatnonzero(path.cv_errors <= limit + 1e-12)[-1])


def chosen_critical_value(
    data: PruningData, critical_value: float | None
) -> tuple[float, CriticalSeries]:
    """Return the critical value, and the trees that it was chosen from by the pruning set.

    The tree with the fewest errors is taken, the smallest of equals. A critical value that is given
    stays, and no errors are counted.
    """
    if critical_value is not None:
        return float(critical_value), critical_series(data.tree)
    if data.X is None or data.y is None:
        raise ValueError(
            "Without critical_value, it is chosen by the pruning set: give X and y, rows that the"
            " tree was not grown from."
        )
    series = critical_series(data.tree, counts_of(data.tree, data.X, data.y))
    return float(series.values[series.best]), series


def _cuts(step: PruningStep, data: PruningData, values: Mapping[str, Any]) -> Iterator[PruningStep]:
    """Yield a step for each comparison of a method that makes leaves of nodes."""
    cutting, tree = Cutting(data.tree), step.tree
    for comparison in _compared(cutting, data, values, step):
        if comparison.action == "prune":
            tree = cutting.result()
        yield replace(
            step, phase=comparison.action, comparison=comparison, tree=tree, n_leaves=tree.n_leaves
        )


def _compared(
    cutting: Cutting, data: PruningData, values: Mapping[str, Any], start: PruningStep
) -> Iterator[Comparison]:
    method = values["method"]
    if method == "reduced_error":
        assert data.X is not None
        assert data.y is not None
        return reduced_error(cutting, counts_of(data.tree, data.X, data.y))
    methods: dict[str, Callable[[], Iterator[Comparison]]] = {
        "cost_complexity": lambda: cost_complexity(cutting, start.alpha, values["cost"]),
        "minimum_error": lambda: minimum_error(cutting, values["m"]),
        "pessimistic": lambda: pessimistic(
            cutting, values["standard_errors"], values["leaf_penalty"]
        ),
        "mdl": lambda: ENCODINGS[values["encoding"]](cutting, values["n_features"]),
        "optimal": lambda: optimal(cutting, values["accuracy"]),
        "chi2": lambda: significance_test(cutting, values["significance"]),
        "critical_value": lambda: critical_value_pruning(cutting, start.critical_value),
    }
    return methods[method]()


ACTIONS: dict[str, Action] = {
    "collapse": "prune",
    "leaf": "prune",
    "keep": "keep",
    "raise": "raise",
}
"""The decisions of error-based pruning."""


def cost_complexity(cutting: Cutting, alpha: float, cost: str) -> Iterator[Comparison]:
    """Prune the weakest links one by one, up to the first whose cost per leaf exceeds alpha."""
    costs = leaf_costs(cutting.tree, cost)
    for link in weakest_links(cutting.tree, cost):
        look()
        leaves = cutting.leaves(link.node)
        reason = "" if link.alpha <= alpha else "the weakest link that is left"
        yield cutting.compare(link.node, link.alpha, alpha, leaves, costs[leaves], reason=reason)
        if reason:
            return


def _by_estimated_errors(
    step: PruningStep, data: PruningData, confidence: float
) -> Iterator[PruningStep]:
    """Yield a step for each comparison of error-based pruning, which also raises branches."""
    assert data.X is not None
    assert data.y is not None
    weights = np.ones(len(data.y))
    pruner = ErrorBasedPruning(data.tree, data.X, data.y, weights, confidence, data.measure)
    tree = step.tree
    for choice in pruner.run():
        action = ACTIONS[choice.action]
        if action != "keep":
            tree = pruner.result()
        measures, reason = [choice.subtree_errors, choice.branch_errors], ""
        if choice.action == "collapse":
            measures, reason = [], "no fewer training errors"
        comparison = Comparison(
            choice.node,
            choice.leaf_errors,
            choice.subtree_errors,
            np.array([choice.branch], np.intp),
            np.array(measures),
            action,
            reason,
        )
        yield replace(step, phase=action, comparison=comparison, tree=tree, n_leaves=tree.n_leaves)
