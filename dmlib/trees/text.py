"""Trees as text: the indented listing, and one rule for each leaf.

``names`` are those of the columns, ``values`` for each column those that it can have (None for a
numeric one).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.trees.split_nodes import SplitNodes
from dmlib.trees.tree import Tree


def branch_texts(
    tree: SplitNodes,
    names: Sequence[str],
    values: Sequence[Any],
    columns: Sequence[Floats] | None = None,
    decimals: int | None = None,
) -> list[list[str]]:
    """Return the conditions of the branches of each node.

    Thresholds have as many digits as distinguish the values of ``columns``.
    """
    texts: list[list[str]] = []
    for node in range(tree.node_count):
        split = tree.splits.split(node)
        if split is None:
            texts.append([])
            continue
        name, column_values = names[split.column], values[split.column]
        x = None if columns is None else columns[split.column]
        texts.append(split.conditions(name, column_values, x=x, decimals=decimals))
    return texts


def neighbouring_values(tree: Tree, X: Floats) -> list[Floats]:
    """Return the values next to each threshold, by column, which its text must distinguish.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> X = np.array([[1.0], [2.0], [5.0], [9.0]])
    >>> neighbouring_values(DecisionTreeClassifier().fit(X, [0, 0, 1, 1]).tree_, X)[0].tolist()
    [2.0, 5.0]
    """
    neighbours = [np.empty(0)] * X.shape[1]
    numeric = ~tree.is_leaf & (tree.splits.n_values == 0)
    for column in np.unique(tree.splits.columns[numeric]).tolist():
        thresholds = tree.splits.thresholds[numeric & (tree.splits.columns == column)]
        x = np.unique(X[~np.isnan(X[:, column]), column])
        above = np.searchsorted(x, thresholds[np.isfinite(thresholds)], side="right")
        sides = np.concatenate([above - 1, above])
        neighbours[column] = x[np.unique(sides[(sides >= 0) & (sides < len(x))])]
    return neighbours


def listing(
    tree: Tree,
    names: Sequence[str],
    values: Sequence[Any],
    classes: Sequence[Any],
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Return the tree as indented lines, in the format of scikit-learn's ``export_text``."""
    texts, predictions = branch_texts(tree, names, values, decimals=decimals), tree.predictions
    lines = []
    for node, path in _walk(tree, texts):
        if path:
            # scikit-learn writes two spaces after ">", so that thresholds stand under each other
            lines.append("|   " * (len(path) - 1) + "|--- " + path[-1].replace(" > ", " >  "))
        if not texts[node]:
            counts = ", ".join(f"{count:.{decimals}f}" for count in tree.counts[node])
            weights = f"weights: [{counts}] " if show_weights else ""
            lines.append("|   " * len(path) + f"|--- {weights}class: {classes[predictions[node]]}")
    return "\n".join(lines) + "\n"


def _walk(
    tree: SplitNodes, texts: Sequence[Sequence[str]]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the nodes in preorder, with the conditions on the path to each."""
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        below = zip(tree.children[node].tolist(), texts[node], strict=False)
        waiting += reversed([(child, (*path, text)) for child, text in below])


@dataclass(frozen=True)
class Rule:
    """A leaf as a rule."""

    conditions: tuple[str, ...]  # on the path to it, all of which must hold
    label: Any  # its class
    # the weight of its rows, and of the misclassified ones
    weight: float
    errors: float

    def __str__(self) -> str:
        """Write the rule as a sentence."""
        return _sentence(self.conditions, self.conclusion)

    @property
    def conclusion(self) -> str:
        """The class, with the rows and, after a slash, the misclassified ones."""
        errors = f"/{self.errors:.6g}" if self.errors > 1e-9 else ""
        return f"{self.label} ({self.weight:.6g}{errors})"


def leaf_rules(
    tree: Tree,
    names: Sequence[str],
    values: Sequence[Any],
    classes: Sequence[Any],
    columns: Sequence[Floats] | None = None,
) -> list[Rule]:
    """Return one rule for each leaf, with digits that distinguish the values of ``columns``."""
    texts = branch_texts(tree, names, values, columns)
    predictions, counts = tree.predictions, tree.plain_counts
    rules = []
    for node, path in _walk(tree, texts):
        if not texts[node]:
            code, weight = predictions[node], float(counts[node].sum())
            rules.append(Rule(path, classes[code], weight, weight - float(counts[node, code])))
    return rules


def number_rules(
    tree: Any, names: Sequence[str], values: Sequence[Any], columns: Sequence[Floats]
) -> list[str]:
    """Return one rule for each leaf of a tree that predicts numbers, with its number of rows.

    Examples
    --------
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> X = np.array([[1.0], [2.0], [5.0]])
    >>> tree = DecisionTreeRegressor(max_leaf_nodes=2).fit(X, [1.0, 2.0, 9.0]).tree_
    >>> number_rules(tree, ["x"], [None], list(X.T))
    ['if x <= 3.5 then 1.5 (2)', 'if x > 3.5 then 9 (1)']
    """
    texts = branch_texts(tree, names, values, columns)
    return [
        _sentence(path, f"{tree.value[node]:.6g} ({tree.n_node_samples[node]:.6g})")
        for node, path in _walk(tree, texts)
        if not texts[node]
    ]


def _sentence(conditions: Sequence[str], conclusion: str) -> str:
    return f"if {' and '.join(conditions) or 'anything'} then {conclusion}"
