"""Error against size: the trees of the cost-complexity path, and those that another method leaves step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
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
        From which alpha on each tree is the best.
    leaves : ndarray of shape (n_trees,)
        Its leaves.
    training : ndarray of shape (n_trees,)
        Its share of errors on the growing rows.
    test : ndarray of shape (n_trees,) or None
        Its share of errors on the test rows; None without them.
    cross_validated, spread : ndarray of shape (n_trees,) or None
        Its cross-validated error and the standard error of that; None where none was needed.
    judged : str
        The rows by which the trees of the run are drawn: "test" or "training".
    run : mapping of int to tuple
        Leaves and error of the trees of the run, by their identity.
    """

    alphas: Floats
    leaves: Ints
    training: Floats
    test: Floats | None
    cross_validated: Floats | None
    spread: Floats | None
    judged: str
    run: dict[int, tuple[float, float]]

    def of(self, tree: Tree) -> tuple[float, float]:
        """Return leaves and error of a tree of the run."""
        return self.run[id(tree)]

    @property
    def heights(self) -> Floats:
        """All errors, with 0."""
        curves = [c for c in (self.training, self.test, self.cross_validated) if c is not None]
        return np.concatenate([*curves, [0.0], [error for _, error in self.run.values()]])


def sizes_of(problem: Problem, model: Any, steps: Sequence[PruningStep]) -> Sizes:
    """Return the path of a fitted model, and what the trees of its steps err."""
    grown, cost, training = model.grown_.tree_, model.cost, problem.training
    X, y = model._matrix(training.data), np.searchsorted(model.classes_, np.asarray(training.y))
    grow = X[model.growing_rows_], y[model.growing_rows_]
    held = problem.testing
    test = (
        None
        if held is None
        else (model._matrix(held.data), np.searchsorted(model.classes_, np.asarray(held.y)))
    )
    alphas, leaves = distinct_links(grown, cost)
    shares = [
        None
        if part is None
        else (predict_along(grown, part[0], alphas + 1e-12, cost) != part[1][:, None]).mean(axis=0)
        for part in (grow, test)
    ]
    path = model.path_
    rows = grow if test is None else test
    trees = {id(step.tree): step.tree for step in steps}
    return Sizes(
        alphas,
        leaves,
        np.asarray(shares[0]),
        shares[1],
        None if path is None else path.cv_errors,
        None if path is None else path.cv_spread,
        "training" if test is None else "test",
        {key: (float(tree.n_leaves), error_of(tree, *rows)) for key, tree in trees.items()},
    )


def distinct_links(tree: Tree, cost: str) -> tuple[Floats, Ints]:
    """Return the alphas from which on each tree of the path is the best, ascending from 0, and its leaves."""
    alphas, leaves = [0.0], [tree.n_leaves]
    for link in weakest_links(tree, cost):
        if link.alpha > alphas[-1] + 1e-12:
            alphas.append(link.alpha)
            leaves.append(link.total_leaves)
        else:
            leaves[-1] = link.total_leaves
    return np.array(alphas), np.array(leaves)


def error_of(tree: Tree, X: Floats, y: Ints) -> float:
    """Return the share of rows that a tree misclassifies."""
    return float((tree.decide(tree.predict(X)) != y).mean())
