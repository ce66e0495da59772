"""The same pruning by scikit-learn, which has cost-complexity pruning, and the code that does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import take
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

LOTS = 50  # ways to break ties that are tried


def tree_pruning_reference(run: Run) -> Any:
    """Return scikit-learn's DecisionTreeClassifier, grown from the same rows and pruned with the same alpha.

    It chooses among equal splits at random, here the first column is taken. So several lots are
    tried, up to one that draws the same tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]}), ["x"], target="c", labelled=True)
    >>> tree_pruning_reference(Run.of(problem, PrunedTreeClassifier("mdl")))
    Traceback (most recent call last):
    dmlib.comparison.Incomparable: scikit-learn has cost-complexity pruning by impurity only.
    """
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn import tree

    if model.method != "cost_complexity" or model.cost != "impurity":
        raise Incomparable("scikit-learn has cost-complexity pruning by impurity only.")
    if model.criterion not in ("gini", "entropy"):
        raise Incomparable("scikit-learn has no such criterion.")
    if not np.issubdtype(np.asarray(X).dtype, np.number) or np.isnan(np.asarray(X, float)).any():
        raise Incomparable("scikit-learn's trees take complete numeric columns only.")
    rows = run.fitted.growing_rows_
    given = take(X, rows), np.asarray(y)[rows]
    for lot in range(LOTS):
        reference = tree.DecisionTreeClassifier(
            **_shared(model, run.fitted.alpha_), random_state=lot
        ).fit(*given)
        if np.allclose(
            reference.predict_proba(run.problem.data), run.fitted.predict_proba(run.problem.data)
        ):
            return reference
    raise Incomparable(
        f"splits were equally good, and scikit-learn drew other ones of them in {LOTS} of {LOTS}"
        " trees."
    )


def _shared(model: PrunedTreeClassifier, alpha: float) -> dict[str, Any]:
    return {
        "criterion": model.criterion,
        "max_depth": model.max_depth,
        "min_samples_leaf": model.min_samples_leaf,
        "ccp_alpha": alpha,
    }


def tree_pruning_code(run: Run) -> str:
    """Return code that fits scikit-learn's DecisionTreeClassifier as ``reference``, after ``model``."""
    model = run.model
    criterion = model.criterion if model.criterion in ("gini", "entropy") else "gini"
    return f"""
print(model.grown_.export_text())

# Cost-complexity pruning by scikit-learn: numbers only, and among equal splits one is drawn
import pandas as pd
from sklearn import tree

rows = model.growing_rows_
table = pd.get_dummies(pd.DataFrame(X), dtype=float)
reference = tree.DecisionTreeClassifier(
    criterion={criterion!r},
    max_depth={model.max_depth!r},
    min_samples_leaf={model.min_samples_leaf!r},
    ccp_alpha=model.alpha_,
    random_state=0,
)
reference.fit(table.iloc[rows], pd.Series(y).iloc[rows])
print(tree.export_text(reference, feature_names=list(map(str, table.columns))))
print("Leaves:", model.n_leaves_, "- by scikit-learn with this alpha:", reference.get_n_leaves())
"""
