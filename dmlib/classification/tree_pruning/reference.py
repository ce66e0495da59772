"""The same pruning by scikit-learn, which has cost-complexity pruning."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.classification.decision_tree.reference import splits_of
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_pruned_tree(X: Any, y: Any, model: Any, **params: Any) -> Any:
    """Fit scikit-learn's tree: of equal splits it draws one, so that several seeds are tried."""
    from sklearn.tree import DecisionTreeClassifier

    from dmlib.comparison import Incomparable

    X, y, rows = np.asarray(X), np.asarray(y), model.growing_rows_
    for random_state in range(50):
        reference = DecisionTreeClassifier(
            **params, ccp_alpha=model.alpha_, random_state=random_state
        )
        reference.fit(X[rows], y[rows])
        same_size = reference.tree_.node_count == model.tree_.node_count
        # scikit-learn rounds values to single precision
        if same_size and np.allclose(splits_of(reference.tree_), splits_of(model.tree_), rtol=1e-6):
            return reference
    raise Incomparable("splits were equally good, and scikit-learn chose others in 50 trees.")


def tree_pruning_reference(run: Run[Problem, PrunedTreeClassifier]) -> Reference:
    """Return the same pruning by scikit-learn.

    Raises
    ------
    Incomparable
        If scikit-learn has no such pruning.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(table, ["x"], target="c", labelled=True)
    >>> tree_pruning_reference(Run.of(problem, PrunedTreeClassifier("mdl")))
    Traceback (most recent call last):
    dmlib.comparison.Incomparable: scikit-learn has cost-complexity pruning by impurity only.
    """
    model, X = run.model, run.problem.training.data
    if model.method != "cost_complexity" or model.cost != "impurity":
        raise Incomparable("scikit-learn has cost-complexity pruning by impurity only.")
    if model.criterion not in ("gini", "entropy"):
        raise Incomparable("scikit-learn has no such criterion.")
    if not np.issubdtype(np.asarray(X).dtype, np.number) or np.isnan(np.asarray(X, float)).any():
        raise Incomparable("scikit-learn's trees take complete numeric columns only.")
    names = ("criterion", "max_depth", "min_samples_leaf")
    params = {name: getattr(model, name) for name in names}
    return Reference(fit_pruned_tree, "X", "y", "model", helpers=(splits_of,), **params)
