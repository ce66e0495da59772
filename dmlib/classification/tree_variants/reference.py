"""The same trees held against scikit-learn: the batch tree of an incremental one, or the leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.tree_variants.incremental import IncrementalTree
from dmlib.classification.tree_variants.info_fuzzy import InfoFuzzyNetwork
from dmlib.classification.tree_variants.variant import VariantTree
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


class LeafReference:
    """Labels of leaves by scikit-learn or NumPy, and memberships by NumPy's interpolation.

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
        parts = self.memberships(X)
        self.labels = np.zeros((parts.shape[1], len(self.classes_)))
        for leaf, weights in enumerate(parts.T):
            if weights.sum() > 0:
                dummy = DummyClassifier(strategy="prior")
                dummy.fit(np.zeros((len(weights), 1)), np.asarray(y), weights)
                places = np.searchsorted(self.classes_, dummy.classes_)
                self.labels[leaf, places] = dummy.class_prior_
        if getattr(model, "refit", "none") != "none":  # by least squares
            targets = np.asarray(y)[:, None] == self.classes_
            self.labels += np.linalg.lstsq(parts, targets - parts @ self.labels, rcond=1e-8)[0]

    def memberships(self, X: Any) -> NDArray[np.float64]:
        """Return the membership of each row in each leaf."""
        tree, terms = self.model.tree_, self.model.terms_of(X)
        memberships = np.ones((len(terms), tree.node_count))
        for node in np.flatnonzero(~tree.is_leaf):
            z, t, w = terms @ tree.weights[node], tree.thresholds[node], tree.widths[node]
            first = np.where(z > t, 0.0, 1.0)
            if w > 0:
                first = np.interp(z, [t - w / 2, t + w / 2], [1.0, 0.0])
            for child, share in zip(tree.children[node], (first, 1 - first), strict=True):
                memberships[:, child] = memberships[:, node] * share
        return memberships[:, tree.is_leaf]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the labels of the leaves, averaged by the memberships, without what is below 0."""
        shares = np.maximum(self.memberships(X) @ self.labels, 0.0)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


class NodeReference:
    """Class frequencies of the nodes of a network by scikit-learn.

    Parameters
    ----------
    model : InfoFuzzyNetwork
        Fitted; its layers are taken over, and nothing else.
    X, y : table and array-like
        The training rows.
    """

    def __init__(self, model: Any, X: Any, y: Any) -> None:
        from sklearn.dummy import DummyClassifier

        self.model, self.classes_ = model, model.classes_
        passed = model.tree_.decision_path(model.terms_of(X)).toarray() > 0
        self.shares = np.zeros((passed.shape[1], len(self.classes_)))
        for node, inside in enumerate(passed.T):
            if inside.any():
                dummy = DummyClassifier(strategy="prior")
                dummy.fit(np.zeros((inside.sum(), 1)), np.asarray(y)[inside])
                places = np.searchsorted(self.classes_, dummy.classes_)
                self.shares[node, places] = dummy.class_prior_
            else:  # an interval without rows
                self.shares[node] = self.shares[model.tree_.parents[node]]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class frequencies of the terminal node, or of several by their rows."""
        rows, nodes, parts = self.model.tree_.leaves(self.model.terms_of(X))
        out = np.zeros((len(X), len(self.classes_)))
        np.add.at(out, rows, parts[:, None] * self.shares[nodes])
        return out


def fit_nodes(X: Any, y: Any, model: Any) -> NodeReference:
    """Fit scikit-learn's class frequencies in each node: no library grows such a network."""
    return NodeReference(model, X, y)


def fit_leaves(X: Any, y: Any, model: Any) -> LeafReference:
    """Fit scikit-learn's class frequencies in each leaf: no library grows such a tree."""
    return LeafReference(model, X, y)


def fit_batch_tree(X: Any, y: Any, model: Any, min_gain: float, **params: Any) -> Any:
    """Fit scikit-learn's tree to all rows at once, with several seeds, as it draws equal splits."""
    from sklearn.tree import DecisionTreeClassifier

    from dmlib.comparison import Incomparable

    is_inner = ~model.tree_.is_leaf
    columns = model.tree_.weights[is_inner].argmax(axis=1)
    expected = sorted(zip(columns, model.tree_.thresholds[is_inner], strict=True))
    for random_state in range(50):
        reference = DecisionTreeClassifier(**params, random_state=random_state).fit(X, y)
        prune_by_gain(reference.tree_, min_gain)
        splits = sorted(reachable_splits(reference.tree_))
        # scikit-learn rounds values to single precision
        if len(splits) == len(expected) and np.allclose(splits, expected, rtol=1e-6):
            return reference
    raise Incomparable("splits were equally good, and scikit-learn chose others in 50 trees.")


def reachable_splits(tree: Any) -> list[tuple[int, float]]:
    """Return column and threshold of each split that a row can reach."""
    splits, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if tree.children_left[node] >= 0:
            splits.append((tree.feature[node], tree.threshold[node]))
            waiting += [tree.children_left[node], tree.children_right[node]]
    return splits


def prune_by_gain(tree: Any, min_gain: float) -> None:
    """Make leaves of nodes of small gain; scikit-learn's own limit is weighted by their rows."""
    n = tree.weighted_n_node_samples
    for node in np.flatnonzero(tree.children_left >= 0):
        children = tree.children_left[node], tree.children_right[node]
        after = sum(n[child] * tree.impurity[child] for child in children) / n[node]
        if tree.impurity[node] - after < min_gain - 1e-12:
            tree.children_left[node] = tree.children_right[node] = -1
            tree.feature[node] = -2


def tree_variants_reference(run: Run[Problem, VariantTree]) -> Reference:
    """Return scikit-learn's batch tree for an incremental one, and its leaves for the others.

    Raises
    ------
    Incomparable
        If scikit-learn takes no such columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(table, ["x"], target="c", labelled=True)
    >>> run = Run.of(problem, IncrementalTree(min_samples_leaf=1, order="given"))
    >>> tree_variants_reference(run).answer(run).predict_proba(problem.X).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    model = run.model
    if isinstance(model, InfoFuzzyNetwork):
        return Reference(fit_nodes, "X", "y", "model", helpers=(NodeReference,))
    if not isinstance(model, IncrementalTree):
        return Reference(fit_leaves, "X", "y", "model", helpers=(LeafReference,))
    if run.fitted._terms.crisp.any():
        raise Incomparable("scikit-learn's trees take numeric columns only.")
    helpers = (prune_by_gain, reachable_splits)
    names = ("min_gain", "criterion", "max_depth", "min_samples_leaf")
    params = {name: getattr(model, name) for name in names}
    return Reference(fit_batch_tree, "X", "y", "model", helpers=helpers, **params)
