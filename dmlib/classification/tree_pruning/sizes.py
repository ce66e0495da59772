"""Error against size: the trees of the cost-complexity path, and those of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.pruning import PruningStep
from dmlib.problem import Problem
from dmlib.trees.cost_complexity import predict_along, weakest_links
from dmlib.trees.tree import Tree


@dataclass(frozen=True)
class Sizes:
    """The trees of the cost-complexity path, from the grown one to the root, and those of a run.

    Attributes
    ----------
    alphas : ndarray of shape (n_trees,)
        The smallest alpha for which each tree is optimal.
    leaves : ndarray of shape (n_trees,)
        Its leaves.
    training : ndarray of shape (n_trees,)
        Its error on the growing set.
    test : ndarray of shape (n_trees,) or None
        Its error on the test set; None without one.
    cross_validated, spread : ndarray of shape (n_trees,) or None
        Its cross-validated error and the standard error of that; None without cross-validation.
    series : tuple of ndarrays or None
        Leaves of the trees of increasing critical values, and their errors on the pruning set; None
        where no critical value was chosen.
    judged : str
        The errors of the run: "test" or "training".
    run : mapping of int to tuple
        Leaves and error of the trees of the run, by their identity.
    """

    alphas: Floats
    leaves: Ints
    training: Floats
    test: Floats | None
    cross_validated: Floats | None
    spread: Floats | None
    series: tuple[Ints, Floats] | None
    judged: str
    run: dict[int, tuple[float, float]]

    def of(self, tree: Tree) -> tuple[float, float]:
        """Return leaves and error of a tree of the run."""
        return self.run[id(tree)]

    @property
    def heights(self) -> Floats:
        """All errors, with 0."""
        of_series = None if self.series is None else self.series[1]
        all_curves = (self.training, self.test, self.cross_validated, of_series)
        curves = [curve for curve in all_curves if curve is not None]
        return np.concatenate([*curves, [0.0], [error for _, error in self.run.values()]])


def sizes_of(problem: Problem, model: PrunedTreeClassifier, steps: Sequence[PruningStep]) -> Sizes:
    """Return the path of a fitted model, and size and error of the trees of its steps."""
    grown, cost, training = model.grown_.tree_, model.cost, problem.training
    X, y = matrix_and_codes(model, training)
    growing = X[model.growing_rows_], y[model.growing_rows_]
    test = None if problem.testing is None else matrix_and_codes(model, problem.testing)
    alphas, leaves = distinct_links(grown, cost)

    def errors(X: Floats, y: Ints) -> Floats:
        predictions = predict_along(grown, X, alphas + 1e-12, cost)
        return cast(Floats, (predictions != y[:, None]).mean(axis=0))

    path, series = model.path_, model.series_
    by_pruning_set = None
    if series is not None and series.errors is not None:
        by_pruning_set = series.n_leaves, series.errors / len(model.validation_rows_)
    rows = growing if test is None else test
    trees = {id(step.tree): step.tree for step in steps}
    return Sizes(
        alphas,
        leaves,
        errors(*growing),
        None if test is None else errors(*test),
        None if path is None else path.cv_errors,
        None if path is None else path.cv_spread,
        by_pruning_set,
        "training" if test is None else "test",
        {key: (float(tree.n_leaves), error_of(tree, *rows)) for key, tree in trees.items()},
    )


def matrix_and_codes(model: PrunedTreeClassifier, part: Any) -> tuple[Floats, Ints]:
    """Return the rows of a part of the data as numbers, and the codes of their classes."""
    return model._matrix(part.data), np.searchsorted(model.classes_, np.asarray(part.y))


def distinct_links(tree: Tree, cost: str) -> tuple[Floats, Ints]:
    """Return the smallest alpha of each tree of the path, ascending from 0, and its leaves."""
    alphas, leaves = [0.0], [tree.n_leaves]
    for link in weakest_links(tree, cost):
        if link.alpha > alphas[-1] + 1e-12:
            alphas.append(link.alpha)
            leaves.append(link.total_leaves)
        else:
            leaves[-1] = link.total_leaves
    return np.array(alphas), np.array(leaves)


def error_of(tree: Tree, X: Floats, y: Ints) -> float:
    """Return the misclassification rate of a tree."""
    return float((tree.decide(tree.predict(X)) != y).mean())
