"""Trees whose nodes test linear combinations of terms, crisply or fuzzily."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import Columns
from dmlib.trace import look
from dmlib.trees.impurity import impurity
from dmlib.trees.nodes import Nodes
from dmlib.trees.threshold_text import threshold_text

LEAF = -1
CLOSE = 1e-9  # of the range of a term: values that are closer are equal up to rounding
MAX_TERMS = 3  # of a test that is written out


@dataclass(frozen=True)
class Terms:
    """The terms of tests: numeric columns, and an indicator of each value of nominal ones.

    Attributes
    ----------
    columns : Columns
        The columns of the table.
    source : tuple of int
        For each term its column.
    value : tuple of int
        For each term the code of its value; -1 for a numeric column.

    Examples
    --------
    >>> import pandas as pd
    >>> terms, matrix = Terms.read(pd.DataFrame({"sky": ["sun", "rain"], "wind": [3.0, 5.0]}))
    >>> terms.source, matrix.tolist()
    ((0, 0, 1), [[0.0, 1.0, 3.0], [1.0, 0.0, 5.0]])
    """

    columns: Columns
    source: tuple[int, ...]
    value: tuple[int, ...]

    @classmethod
    def read(cls, X: Any) -> tuple[Self, Floats]:
        """Return the terms of a table, and their values.

        Raises
        ------
        ValueError
            If a number is missing.
        """
        columns, matrix = Columns.read(X)
        pairs = [
            (j, code)
            for j, values in enumerate(columns.categories)
            for code in ([-1] if values is None else range(len(values)))
        ]
        terms = cls(columns, tuple(j for j, _ in pairs), tuple(code for _, code in pairs))
        return terms, terms.of(matrix)

    def of(self, matrix: Floats) -> Floats:
        """Return the terms of rows whose nominal values are codes."""
        out = np.empty((len(matrix), len(self.source)))
        for i, (j, code) in enumerate(zip(self.source, self.value, strict=True)):
            out[:, i] = matrix[:, j] if code < 0 else matrix[:, j] == code
        assert_all_finite(out, input_name="X")
        return out

    @property
    def crisp(self) -> NDArray[np.bool_]:
        """Which terms are 0 or 1."""
        return np.array(self.value) >= 0


@dataclass(frozen=True)
class LinearTree(Nodes):
    """A tree whose nodes send a row to their first branch where ``weights @ x <= threshold``.

    A node of width 0 sends all of it to one branch. A wider one sends a fraction that falls from 1
    to 0 on a strip of this width around the threshold.

    Attributes
    ----------
    weights : ndarray of shape (node_count, n_terms)
        The test of each node; 0 for a leaf.
    thresholds, widths : ndarray of shape (node_count,)
        Its threshold and the width of its strip.
    children : ndarray of shape (node_count, 2)
        The branches; -1 for a leaf.
    counts : ndarray of shape (node_count, n_classes)
        The weight of each class of the training rows in each node.
    labels : ndarray of shape (node_count, n_classes) or None
        What the leaves of a refitted tree predict in place of class frequencies, which they sum to
        1 like; some may be below 0.
    """

    weights: Floats
    thresholds: Floats
    widths: Floats
    children: Ints
    counts: Floats
    labels: Floats | None = None

    @classmethod
    def root(cls, n_terms: int, counts: Floats) -> Self:
        """Return a tree of a single leaf."""
        zero = np.zeros(1)
        return cls(np.zeros((1, n_terms)), zero, zero, np.full((1, 2), LEAF), counts[None])

    def split(
        self, node: int, weights: Floats, threshold: float, width: float, counts: Floats
    ) -> LinearTree:
        """Return the tree in which a leaf has a test.

        ``counts`` are those of its branches, shape (2, n_classes).
        """
        n = self.node_count
        wide, at, strip = self.weights.copy(), self.thresholds.copy(), self.widths.copy()
        wide[node], at[node], strip[node] = weights, threshold, width
        below = self.children.copy()
        below[node] = n, n + 1
        return LinearTree(
            np.vstack([wide, np.zeros((2, wide.shape[1]))]),
            np.append(at, [0.0, 0.0]),
            np.append(strip, [0.0, 0.0]),
            np.vstack([below, np.full((2, 2), LEAF)]),
            np.vstack([self.counts, counts]),
        )

    @property
    def numbers(self) -> Ints:
        """The number of each node: its place."""
        return np.arange(self.node_count)

    @property
    def weighted_n_node_samples(self) -> Floats:
        """The weight of the training rows in each node."""
        total: Floats = self.counts.sum(axis=1)
        return total

    @property
    def value(self) -> Floats:
        """The class frequencies in each node, shape (node_count, 1, n_classes).

        An empty node has those of its parent; a refitted leaf has its labels as probabilities.
        """
        if self.labels is not None:
            return as_probabilities(self.labels)[:, None]
        shares, sizes = self.counts.copy(), self.weighted_n_node_samples
        parents = self.parents
        for node in range(self.node_count):
            if sizes[node] > 0:
                shares[node] /= sizes[node]
            elif node:
                shares[node] = shares[parents[node]]
        return shares[:, None]

    @property
    def predictions(self) -> Ints:
        """The class that each node predicts."""
        best: Ints = self.value[:, 0].argmax(axis=1)
        return best

    def memberships(self, X: Floats) -> Floats:
        """Return the membership of each row in each node, shape (n_samples, node_count).

        Without strips it is 0 or 1.
        """
        out = np.zeros((len(X), self.node_count))
        out[:, 0] = 1.0
        for node in np.flatnonzero(~self.is_leaf):
            share = first_branch(
                X @ self.weights[node], float(self.thresholds[node]), float(self.widths[node])
            )
            first_child, second_child = self.children[node]
            out[:, first_child], out[:, second_child] = (
                out[:, node] * share,
                out[:, node] * (1 - share),
            )
        return out

    def predict(self, X: Floats) -> Floats:
        """Return the class frequencies of the leaves, averaged by the memberships of each row.

        Of labels the mean becomes probabilities: what is below 0 is cut off, the rest sums to 1.
        """
        value, ends = self.value[:, 0] if self.labels is None else self.labels, self.is_leaf
        shares = np.zeros((len(X), value.shape[1]))
        # nodes with their rows and the memberships of these
        waiting = [(0, np.arange(len(X)), np.ones(len(X)))]
        while waiting:
            look()
            node, rows, parts = waiting.pop()
            if ends[node]:
                shares[rows] += parts[:, None] * value[node]
                continue
            first = first_branch(
                X[rows] @ self.weights[node], float(self.thresholds[node]), float(self.widths[node])
            )
            for child, share in zip(self.children[node], (first, 1 - first), strict=True):
                is_inside = share > 0
                if is_inside.any():
                    waiting.append((int(child), rows[is_inside], (parts * share)[is_inside]))
        return shares if self.labels is None else as_probabilities(shares)


def as_probabilities(labels: Floats) -> Floats:
    """Return labels that sum to 1 without those below 0.

    Examples
    --------
    >>> as_probabilities(np.array([[1.25, -0.25], [0.5, 0.5]])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    positive = np.maximum(labels, 0.0)
    probabilities: Floats = positive / positive.sum(axis=1, keepdims=True)
    return probabilities


def first_branch(z: Any, threshold: Any, width: float) -> Any:
    """Return the membership in the first branch: 1 below the strip, 0 above, linear between.

    Examples
    --------
    >>> first_branch(np.array([1.0, 2.0, 2.5, 4.0]), 2.0, 2.0).tolist()
    [1.0, 0.5, 0.25, 0.0]
    >>> first_branch(np.array([2.0, 3.0]), 2.0, 0.0).tolist()
    [1.0, 0.0]
    """
    if width > 0:
        return np.clip(0.5 + (threshold - z) / width, 0.0, 1.0)
    return (z <= threshold).astype(float)


@dataclass(frozen=True)
class Cut:
    """A threshold of a term, with its impurity decrease and the class weights on both sides."""

    threshold: float
    gain: float
    counts: Floats  # (2, n_classes)


def middles(z: Floats) -> Floats:
    """Return the midpoints between the distinct values of a term, up to rounding.

    Examples
    --------
    >>> middles(np.array([3.0, 1.0, 1.0, 2.0])).tolist()
    [1.5, 2.5]
    """
    values = np.unique(z)
    steps = np.diff(values)
    between = values[:-1] + steps / 2
    is_distinct = steps > CLOSE * (values[-1] - values[0]) if len(steps) else steps > 0
    places: Floats = np.where(between < values[1:], between, values[:-1])[is_distinct]
    return places


def gains(first: Floats, total: Floats, criterion: str) -> Floats:
    """Return the impurity decrease of divisions, by the class weights of their first branches.

    These have the shape (n, n_classes).
    """
    second, n = np.maximum(total - first, 0.0), total.sum()
    parts = sum(impurity(side.T, criterion) * side.sum(axis=1) for side in (first, second))
    decreases: Floats = impurity(total, criterion) - parts / n
    return decreases


def best_cut(z: Floats, weights: Floats, criterion: str, min_weight: float = 0.0) -> Cut | None:
    """Return the best crisp threshold of a term, the lowest of equals; None if there is none.

    Parameters
    ----------
    z : ndarray of shape (n_samples,)
        The values of the term.
    weights : ndarray of shape (n_samples, n_classes)
        The weight of each row, in the column of its class.
    criterion : str
        The impurity.
    min_weight : float
        The minimum weight of both sides.

    Examples
    --------
    >>> best_cut(np.array([1.0, 2.0, 5.0]), np.array([[1.0, 0], [1, 0], [0, 1]]), "gini").threshold
    3.5
    """
    places = middles(z)
    if not len(places):
        return None
    order = np.argsort(z, kind="stable")
    sums = weights[order].cumsum(axis=0)
    first = sums[np.searchsorted(z[order], places, side="right") - 1]
    total = sums[-1]
    smaller = np.minimum(first.sum(axis=1), (total - first).sum(axis=1))
    is_large = smaller >= min_weight - 1e-9
    if not is_large.any():
        return None
    scores = np.where(is_large, gains(first, total, criterion), -np.inf)
    best = int(np.flatnonzero(scores >= scores.max() - 1e-12)[0])
    return Cut(
        float(places[best]), float(scores[best]), np.array([first[best], total - first[best]])
    )


def condition(
    names: Sequence[str],
    weights: Floats,
    threshold: float,
    digits: int = 3,
    X: Floats | None = None,
) -> str:
    """Return a test as text; of several terms those of the largest weights.

    A name in brackets is an indicator. The threshold of a single term distinguishes its values in
    the rows ``X``, a column for each term.

    Examples
    --------
    >>> condition(["x", "y"], np.array([1.0, 0.0]), 2.5)
    'x ≤ 2.5'
    >>> condition(["x", "y"], np.array([0.6, -0.8]), 1.0)
    '−0.8·y + 0.6·x ≤ 1'
    >>> condition(["[sky = sun]"], np.array([1.0]), 0.5)
    'sky ≠ sun'
    """
    order = np.argsort(-np.abs(weights), kind="stable")
    terms = [int(i) for i in order if abs(weights[i]) > 1e-12]
    if len(terms) == 1 and weights[terms[0]] == 1 and names[terms[0]].startswith("["):
        return names[terms[0]][1:-1].replace(" = ", " ≠ ", 1)
    if len(terms) == 1 and weights[terms[0]] == 1:
        x = None if X is None else X[:, terms[0]]
        return f"{names[terms[0]]} ≤ {threshold_text(threshold, x, digits + 1)}".replace("-", "−")
    limit = f"{threshold:.{digits + 1}g}".replace("-", "−")
    products = [f"{weights[i]:.{digits}g}·{names[i]}".replace("-", "−") for i in terms[:MAX_TERMS]]
    dots = ["…"] if len(terms) > MAX_TERMS else []
    return f"{' + '.join([*products, *dots])} ≤ {limit}".replace("+ −", "− ")
