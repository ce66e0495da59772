"""The same tree by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification import DecisionTreeClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

SHARED = (
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "ccp_alpha",
    "class_weight",
)
"""Parameters that have the same name and meaning in both."""


def fit_tree(X: Floats, y: NDArray[Any], tree: Any, **params: Any) -> Any:
    """Fit scikit-learn's tree: of equal splits it draws one, so that several seeds are tried."""
    from sklearn.tree import DecisionTreeClassifier

    from dmlib.comparison import Incomparable

    for random_state in range(50):
        reference = DecisionTreeClassifier(**params, random_state=random_state).fit(X, y)
        same_size = reference.tree_.node_count == tree.node_count
        # scikit-learn rounds values to single precision
        if same_size and np.allclose(splits_of(reference.tree_), splits_of(tree), rtol=1e-6):
            return reference
    raise Incomparable("splits were equally good, and scikit-learn chose others in 50 trees.")


def splits_of(tree: Any) -> NDArray[Any]:
    """Return columns and thresholds, whatever the numbers of the nodes."""
    return np.array(sorted(zip(tree.feature, tree.threshold, strict=True)))


def decision_tree_reference(run: Run[Problem, DecisionTreeClassifier]) -> Reference:
    """Return the same tree by scikit-learn.

    Raises
    ------
    Incomparable
        If scikit-learn has no such tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(table, ["x"], target="c", labelled=True)
    >>> decision_tree_reference(Run.of(problem, DecisionTreeClassifier(criterion="error")))
    Traceback (most recent call last):
    dmlib.comparison.Incomparable: scikit-learn has no such criterion, split, pruning or cost.
    """
    model, X = run.model, run.problem.training.data
    if not _exists(model):
        raise Incomparable("scikit-learn has no such criterion, split, pruning or cost.")
    if not np.issubdtype(np.asarray(X).dtype, np.number) or np.isnan(np.asarray(X, float)).any():
        raise Incomparable("scikit-learn's trees take complete numeric columns only.")
    params = {name: getattr(model, name) for name in SHARED}
    return Reference(fit_tree, "X", "y", "model.tree_", helpers=(splits_of,), **params)


def _exists(model: DecisionTreeClassifier) -> bool:
    """Return whether scikit-learn has these settings."""
    is_unpruned = model.pruning == "error_complexity" and model.ccp_alpha == 0
    has_splits = (
        model.criterion in ("gini", "entropy")
        and model.numeric == "midpoint"
        and not model.min_gain
        and model.leaf_penalty is None
    )
    has_pruning = model.pruning == "cost_complexity" or is_unpruned
    is_plain = model.choices is None and model.costs is None and not model.grouped
    return has_splits and has_pruning and is_plain
