"""The same trees held against scikit-learn: the batch tree of an incremental one, the leaves of the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.tree_variants.incremental import IncrementalTree
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

LOTS = 50  # ways to break ties that are tried


class LeafReference:
    """Class shares of each leaf by scikit-learn, from rows that NumPy's interpolation sends down the tests.

    Parameters
    ----------
    model : VariantTree
        Fitted; its tests are taken over, and nothing else.
    X, y : table and array-like
        The training rows.
    """

    def __init__(self, model: Any, X: Any, y: Any) -> None:
        from sklearn.dummy import DummyClassifier

        self.model, self.classes_ = model, model.classes_
        ways = self._ways(X)
        self.leaves = [
            (
                leaf,
                DummyClassifier(strategy="prior").fit(
                    np.zeros((len(ways), 1)), np.asarray(y), ways[:, leaf]
                ),
            )
            for leaf in np.flatnonzero(model.tree_.is_leaf)
            if ways[:, leaf].sum() > 0
        ]

    def _ways(self, X: Any) -> NDArray[np.float64]:
        """Return how much of each row comes to each node."""
        tree, terms = self.model.tree_, self.model.terms_of(X)
        ways = np.ones((len(terms), tree.node_count))
        for node in range(tree.node_count):
            if tree.children[node, 0] >= 0:
                z, t, w = terms @ tree.weights[node], tree.thresholds[node], tree.widths[node]
                first = (
                    np.interp(z, [t - w / 2, t + w / 2], [1.0, 0.0])
                    if w > 0
                    else np.where(z > t, 0.0, 1.0)
                )
                for child, share in zip(tree.children[node], (first, 1 - first), strict=True):
                    ways[:, child] = ways[:, node] * share
        return ways

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class shares of rows: those of the leaves, by how much of a row comes there."""
        ways = self._ways(X)
        shares = np.zeros((len(ways), len(self.classes_)))
        for leaf, dummy in self.leaves:
            found = np.zeros(len(self.classes_))
            found[np.searchsorted(self.classes_, dummy.classes_)] = dummy.class_prior_
            shares += ways[:, [leaf]] * found
        return shares


def tree_variants_reference(run: Run) -> Any:
    """Return scikit-learn's batch tree beside an incremental one, and scikit-learn's leaves beside the others.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]}), ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, IncrementalTree(min_samples_leaf=1, order="given"))
    >>> tree_variants_reference(run).predict_proba(problem.X).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    X, y = run.problem.training.arguments
    if not isinstance(run.model, IncrementalTree):
        return LeafReference(run.fitted, X, y)
    from sklearn import tree

    if run.fitted._terms.crisp.any():
        raise Incomparable("scikit-learn's trees take numeric columns only.")
    model = run.model
    for lot in range(LOTS):
        reference = tree.DecisionTreeClassifier(
            criterion=model.criterion,
            max_depth=model.max_depth,
            min_samples_leaf=model.min_samples_leaf,
            random_state=lot,
        ).fit(X, y)
        _prune_by_gain(reference.tree_, model.min_gain)
        if np.allclose(
            reference.predict_proba(run.problem.data), run.fitted.predict_proba(run.problem.data)
        ):
            return reference
    raise Incomparable(
        f"splits were equally good, and scikit-learn drew other ones of them in {LOTS} of {LOTS}"
        " trees."
    )


def _prune_by_gain(tree: Any, min_gain: float) -> None:
    """Make leaves of the nodes whose test gains too little: scikit-learn's limit counts the node's share as well."""
    for node in range(tree.node_count):
        left, right = tree.children_left[node], tree.children_right[node]
        if left < 0:
            continue
        n = tree.weighted_n_node_samples
        after = (n[left] * tree.impurity[left] + n[right] * tree.impurity[right]) / n[node]
        if tree.impurity[node] - after < min_gain - 1e-12:
            tree.children_left[node] = tree.children_right[node] = -1
            tree.feature[node] = -2


def tree_variants_code(run: Run) -> str:
    """Return code that holds the tree against scikit-learn, after ``model``."""
    if isinstance(run.model, IncrementalTree):
        model = run.model
        return f"""
print("Leaves:", model.tree_.n_leaves)

# All rows at once by scikit-learn, without the limit min_gain; numbers only, and among equal splits
# one is drawn
import pandas as pd
from sklearn import tree

table = pd.get_dummies(pd.DataFrame(X), dtype=float)
reference = tree.DecisionTreeClassifier(
    criterion={model.criterion!r},
    max_depth={model.max_depth!r},
    min_samples_leaf={model.min_samples_leaf!r},
    random_state=0,
)
reference.fit(table, y)
print("Training error:", (model.predict(X) != y).mean(), "- of the batch tree:", (reference.predict(table) != y).mean())
"""
    return """
print("Leaves:", model.tree_.n_leaves)

# No library grows this tree. What scikit-learn can say: the class shares in each of its leaves
import numpy as np
from sklearn.dummy import DummyClassifier

ways = model.tree_.memberships(model.terms_of(X))
for leaf in np.flatnonzero(model.tree_.is_leaf):
    if ways[:, leaf].sum() > 0:
        reference = DummyClassifier(strategy="prior").fit(np.zeros((len(ways), 1)), y, ways[:, leaf])
        print("leaf", leaf + 1, dict(zip(reference.classes_, reference.class_prior_.round(4))))
"""
