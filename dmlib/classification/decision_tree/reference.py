"""The same tree by scikit-learn, and the code that asks for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.classification import DecisionTreeClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

SHARED = (
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "ccp_alpha",
)
"""Parameters that have the same name and meaning in both."""
LOTS = 50  # ways to break ties that are tried


def decision_tree_reference(run: Run) -> Any:
    """Return scikit-learn's DecisionTreeClassifier, fitted to ``X, y``; None where it cannot repeat ``model``.

    It chooses among equal splits at random, here the first column is taken. So several lots are
    tried, up to one that draws the same tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]}), ["x"], target="c", labelled=True)
    >>> decision_tree_reference(Run.of(problem, DecisionTreeClassifier(criterion="error")))
    Traceback (most recent call last):
    dmlib.comparison.Incomparable: scikit-learn has no such criterion, split, pruning or cost.
    """
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn import tree

    if not _has(model):
        raise Incomparable("scikit-learn has no such criterion, split, pruning or cost.")
    if not np.issubdtype(np.asarray(X).dtype, np.number) or np.isnan(np.asarray(X, float)).any():
        raise Incomparable("scikit-learn's trees take complete numeric columns only.")
    fitted, parameters = run.fitted, {name: getattr(model, name) for name in SHARED}
    for lot in range(LOTS):
        reference = tree.DecisionTreeClassifier(**parameters, random_state=lot).fit(X, y)
        if _same_tests(reference.tree_, fitted.tree_):
            return reference
    raise Incomparable(
        f"splits were equally good, and scikit-learn drew other ones of them in {LOTS} of {LOTS}"
        " trees."
    )


def _same_tests(one: Any, other: Any) -> bool:
    """Return whether two trees ask the same, in whatever order their nodes are numbered."""
    if one.node_count != other.node_count:
        return False
    first, second = (
        np.array(sorted(zip(tree.feature, tree.threshold, strict=True))) for tree in (one, other)
    )
    return np.allclose(
        first, second, rtol=1e-6
    )  # scikit-learn rounds thresholds to single precision


def _has(model: DecisionTreeClassifier) -> bool:
    """Return whether scikit-learn has these settings."""
    pruned = model.pruning == "cost_complexity" or (
        model.pruning == "error_complexity" and model.ccp_alpha == 0
    )
    grown = (
        model.numeric == "midpoint"
        and model.min_gain == 0
        and model.choices is None
        and model.costs is None
    )
    return model.criterion in ("gini", "entropy") and grown and pruned


def decision_tree_code(run: Run) -> str:
    """Return code that fits scikit-learn's DecisionTreeClassifier as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    criterion = model.criterion if model.criterion in ("gini", "entropy") else "gini"
    alpha = model.ccp_alpha if model.pruning == "cost_complexity" else 0.0
    return f"""
print(model.export_text())

# A tree by scikit-learn: it takes numbers only, knows gini and entropy, and chooses among equal
# splits at random
import pandas as pd
from sklearn import tree

table = pd.get_dummies(pd.DataFrame(X), dtype=float)
reference = tree.DecisionTreeClassifier(
    criterion={criterion!r},
    max_depth={model.max_depth!r},
    min_samples_split={model.min_samples_split!r},
    min_samples_leaf={model.min_samples_leaf!r},
    max_leaf_nodes={model.max_leaf_nodes!r},
    min_impurity_decrease={model.min_impurity_decrease!r},
    ccp_alpha={alpha!r},
    random_state=0,
)
reference.fit(table, y)
print(tree.export_text(reference, feature_names=list(map(str, table.columns))))
"""
