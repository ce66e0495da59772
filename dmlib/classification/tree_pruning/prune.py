"""Pruning of a fitted decision tree."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.pruning import PARAMS, PruningStep
from dmlib.params import check_params


class Pruned(NamedTuple):
    """The pruned tree and the steps of pruning."""

    tree: DecisionTreeClassifier
    steps: tuple[PruningStep, ...]


def prune(
    tree: DecisionTreeClassifier,
    X: Any = None,
    y: Any = None,
    *,
    method: str = "cost_complexity",
    **parameters: Any,
) -> Pruned:
    """Prune a grown decision tree by one of nine methods.

    Parameters
    ----------
    tree : DecisionTreeClassifier
        Fitted; it is not changed.
    X, y : array-like of shape (n_samples, n_features) and (n_samples,), optional
        Rows with their classes. "reduced_error", and "critical_value" without ``critical_value``,
        need rows that the tree was not grown from; "error_based", and "cost_complexity" without
        ``ccp_alpha``, need those that it was grown from. The others need none.
    method : str, default="cost_complexity"
        The comparison: "cost_complexity", "reduced_error", "minimum_error", "pessimistic",
        "error_based", "mdl", "optimal", "chi2" or "critical_value".
    **parameters
        ``ccp_alpha``, ``cost``, ``cv``, ``standard_errors``, ``leaf_penalty``, ``encoding``, ``m``,
        ``confidence``, ``accuracy``, ``significance``, ``critical_value`` and ``random_state`` of
        :class:`dmlib.classification.PrunedTreeClassifier`, with their defaults.

    Returns
    -------
    tree : DecisionTreeClassifier
        The pruned tree.
    steps : tuple of PruningStep
        The comparisons, node by node.

    Raises
    ------
    ValueError
        If the method needs rows and there are none, or a parameter is out of range.

    Examples
    --------
    >>> grown = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 0])
    >>> pruned, steps = prune(grown, method="pessimistic")
    >>> grown.get_n_leaves(), pruned.get_n_leaves(), [step.phase for step in steps]
    (3, 1, ['start', 'prune', 'done'])
    """
    model = PrunedTreeClassifier(method=method, **parameters)
    check_params(PARAMS, model.get_params())
    steps = tuple(model.pruning(tree, X, y))
    pruned = copy(tree)
    pruned.tree_ = steps[-1].tree
    return Pruned(pruned, steps)
