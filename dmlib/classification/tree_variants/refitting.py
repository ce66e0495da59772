"""Refitting and backfitting of a grown fuzzy tree: least squares for labels, thresholds, widths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_variants.linear_tree import LinearTree
from dmlib.classification.tree_variants.variant import Rows, VariantStep
from dmlib.trace import look

RANK = 1e-8
"""Directions of memberships that are smaller, relative to the largest, are none."""

NARROWEST, WIDEST = 1e-3, 2.0
"""The limits of a width: a part of the strip as it was grown, and a multiple of the column's
range."""

DAMPING, FACTOR, MAX_TRIALS = 1e-3, 10.0, 12
ENOUGH = 1e-4
"""The relative decrease of the squared error below which backfitting ends."""


class Labels(NamedTuple):
    """The best labels of the leaves for fixed memberships.

    Attributes
    ----------
    tree : LinearTree
        The tree with these labels.
    leaves : ndarray of shape (n_leaves,)
        Its leaves.
    memberships : ndarray of shape (n_samples, node_count)
        The membership of each row in each node.
    residuals : ndarray of shape (n_samples, n_classes)
        What it predicts less what is right.
    error : float
        The mean over the rows of the sum of their squares.
    """

    tree: LinearTree
    leaves: Ints
    memberships: Floats
    residuals: Floats
    error: float


class Refitting:
    """A fuzzy tree that is fitted again to its training rows.

    Parameters
    ----------
    rows : Rows
        The training rows.
    tree : LinearTree
        The grown tree.

    Attributes
    ----------
    tree : LinearTree
        The tree so far.
    """

    def __init__(self, rows: Rows, tree: LinearTree) -> None:
        self.rows, self.tree, self.targets = rows, tree, rows.indicator
        self.soft = np.flatnonzero(tree.widths > 0)
        z = rows.X @ tree.weights[self.soft].T
        self._low, self._high = z.min(axis=0), z.max(axis=0)
        self._narrowest = NARROWEST * tree.widths[self.soft]

    def refit(self) -> VariantStep:
        """Give all leaves the labels with the least squared error."""
        predicted = self.tree.memberships(self.rows.X) @ np.where(
            self.tree.is_leaf[:, None], self.tree.value[:, 0], 0.0
        )
        before = squared_error(predicted - self.targets)
        labels = best_labels(self.rows, self.tree)
        self.tree = labels.tree
        return VariantStep("refit", self.tree, errors=(before, labels.error))

    def backfit(self, max_steps: int) -> Iterator[VariantStep]:
        """Move thresholds and widths as long as the squared error falls, and yield each step."""
        labels, damping = best_labels(self.rows, self.tree), DAMPING
        for _ in range(max_steps if len(self.soft) else 0):
            jacobian = self.jacobian(labels)
            for _ in range(MAX_TRIALS):
                look()
                trial = best_labels(self.rows, self._moved(jacobian, labels, damping))
                if trial.error < labels.error:
                    break
                damping *= FACTOR
            fall = labels.error - trial.error
            if fall <= ENOUGH * labels.error:
                return
            damping = max(damping / FACTOR, 1e-12)
            self.tree = trial.tree
            yield VariantStep("backfit", self.tree, errors=(labels.error, trial.error))
            labels = trial

    def jacobian(self, labels: Labels) -> Floats:
        """Return how the residuals change with thresholds and widths, while the labels follow.

        The shape is (n_samples, n_classes, n_parameters): the thresholds of the soft tests, then
        their widths. The labels follow by variable projection: of each change only what no labels
        make up for counts (Kaufman's approximation).
        """
        tree, M = labels.tree, labels.memberships
        assert tree.labels is not None
        below = np.zeros((len(M), tree.node_count, tree.labels.shape[1]))
        below[:, labels.leaves] = tree.labels[labels.leaves]
        slopes = np.zeros((len(M), tree.labels.shape[1], 2 * len(self.soft)))
        place = {int(node): i for i, node in enumerate(self.soft)}
        for node in range(tree.node_count - 1, -1, -1):  # children come after their parents
            look()
            if tree.is_leaf[node]:
                continue
            first, second = tree.children[node]
            threshold, width = float(tree.thresholds[node]), float(tree.widths[node])
            distance = threshold - self.rows.X @ tree.weights[node]
            share = np.clip(0.5 + distance / width, 0.0, 1.0) if width else (distance >= 0) * 1.0
            between = below[:, first] - below[:, second]
            below[:, node] = below[:, second] + share[:, None] * between
            if node in place:
                i, in_strip = place[node], (share > 0) & (share < 1)
                change = (M[:, node] * in_strip)[:, None] * between
                slopes[:, :, i] = change / width
                slopes[:, :, len(self.soft) + i] = -change * distance[:, None] / width**2
        flat, leaves = slopes.reshape(len(M), -1), M[:, labels.leaves]
        made_up = leaves @ np.linalg.lstsq(leaves, flat, rcond=RANK)[0]
        projected: Floats = (flat - made_up).reshape(slopes.shape)
        return projected

    def _moved(self, jacobian: Floats, labels: Labels, damping: float) -> LinearTree:
        """Return the tree with thresholds and widths after a damped Gauss-Newton step."""
        n_soft, tree = len(self.soft), labels.tree
        J, r = jacobian.reshape(-1, 2 * n_soft), labels.residuals.ravel()
        normal = J.T @ J
        scale = np.maximum(np.diag(normal), 1e-12 * max(float(np.trace(normal)), 1e-300))
        step = np.linalg.lstsq(normal + damping * np.diag(scale), -J.T @ r, rcond=None)[0]
        thresholds, widths = tree.thresholds.copy(), tree.widths.copy()
        moved, wide = thresholds[self.soft] + step[:n_soft], widths[self.soft] + step[n_soft:]
        thresholds[self.soft] = moved.clip(self._low, self._high)
        widest = np.maximum(WIDEST * (self._high - self._low), widths[self.soft])
        widths[self.soft] = wide.clip(self._narrowest, widest)
        return replace(tree, thresholds=thresholds, widths=widths)


def best_labels(rows: Rows, tree: LinearTree) -> Labels:
    """Return a tree with the labels of its leaves that have the least squared error.

    Of several the nearest to the class frequencies: what is left of the classes beside these is
    fitted by the smallest labels.
    """
    memberships, targets = tree.memberships(rows.X), rows.indicator
    leaves = np.flatnonzero(tree.is_leaf)
    counted = replace(tree, counts=memberships.T @ targets, labels=None)
    M, labels = memberships[:, leaves], counted.value[:, 0].copy()
    change = np.linalg.lstsq(M, targets - M @ labels[leaves], rcond=RANK)[0]
    labels[leaves] += change
    residuals = M @ labels[leaves] - targets
    fitted = replace(counted, labels=labels)
    return Labels(fitted, leaves, memberships, residuals, squared_error(residuals))


def squared_error(residuals: Floats) -> float:
    """Return the mean over the rows of the sum of squares over the classes.

    Examples
    --------
    >>> squared_error(np.array([[0.5, -0.5], [0.0, 0.0]]))
    0.25
    """
    return float((residuals**2).sum() / len(residuals))
