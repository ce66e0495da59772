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
from dmlib.trees.tree import Tree


def branch_texts(
    tree: Tree,
    names: Sequence[str],
    values: Sequence[Any],
    columns: Sequence[Floats] | None = None,
    decimals: int | None = None,
) -> list[list[str]]:
    """Return the conditions of the branches of each node, with digits that tell the values of ``columns`` apart."""
    texts = []
    for node in range(tree.node_count):
        split = tree.splits.split(node)
        x = None if split is None or columns is None else columns[split.column]
        conditions = split and split.conditions(
            names[split.column], values[split.column], x=x, decimals=decimals
        )
        texts.append(conditions or [])
    return texts


def neighbouring_values(tree: Tree, X: Floats) -> list[Floats]:
    """Return of each column the values on both sides of each threshold: what its text must tell apart.

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
    """Return the tree as indented lines, in the form of scikit-learn's ``export_text``."""
    texts, answers, lines = branch_texts(tree, names, values, decimals=decimals), tree.answers, []
    for node, way in _walk(tree, texts):
        if way:
            # scikit-learn writes two spaces after ">", so that thresholds stand under each other
            lines.append("|   " * (len(way) - 1) + "|--- " + way[-1].replace(" > ", " >  "))
        if not texts[node]:
            counts = ", ".join(f"{count:.{decimals}f}" for count in tree.counts[node])
            weights = f"weights: [{counts}] " if show_weights else ""
            lines.append("|   " * len(way) + f"|--- {weights}class: {classes[answers[node]]}")
    return "\n".join(lines) + "\n"


def _walk(tree: Tree, texts: Sequence[Sequence[str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the nodes, each before those below it, with the conditions on the way to it."""
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, way = waiting.pop()
        yield node, way
        below = zip(tree.children[node].tolist(), texts[node], strict=False)
        waiting += reversed([(child, (*way, text)) for child, text in below])


@dataclass(frozen=True)
class Rule:
    """A leaf as a rule."""

    conditions: tuple[str, ...]  # the conditions on the way to it, all of which must hold
    label: Any  # its class
    # what its rows weigh, and those of them that have another class
    weight: float
    errors: float

    def __str__(self) -> str:
        """Write the rule as a sentence."""
        return f"if {' and '.join(self.conditions) or 'anything'} then {self.conclusion}"

    @property
    def conclusion(self) -> str:
        """The class, with the rows and, after a stroke, those of another class."""
        wrong = f"/{self.errors:.6g}" if self.errors > 1e-9 else ""
        return f"{self.label} ({self.weight:.6g}{wrong})"


def leaf_rules(
    tree: Tree,
    names: Sequence[str],
    values: Sequence[Any],
    classes: Sequence[Any],
    columns: Sequence[Floats] | None = None,
) -> list[Rule]:
    """Return one rule for each leaf, with digits that tell the values of ``columns`` apart."""
    texts, answers, found = branch_texts(tree, names, values, columns), tree.answers, []
    for node, way in _walk(tree, texts):
        if not texts[node]:
            counts, answer = tree.counts[node], answers[node]
            found.append(
                Rule(
                    way, classes[answer], float(counts.sum()), float(counts.sum() - counts[answer])
                )
            )
    return found
