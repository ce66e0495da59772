"""The path of a row down a decision tree; with missing values, several paths in parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.trees.tree import Tree


@dataclass(frozen=True)
class Part:
    """A part of a row, at a node of the tree."""

    node: int  # the node, by its place in the tree
    share: float  # how much of the row it is
    source: int = -1  # the node that it came from; -1 at the root


def walk(tree: Tree, x: NDArray[np.float64]) -> list[tuple[Part, ...]]:
    """Return where a row is after each level; parts that have reached a leaf stay there.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 0]).tree_
    >>> [[part.node for part in parts] for parts in walk(tree, np.array([1.0]))]
    [[0], [2], [3]]
    """
    X, leaf = x[None], tree.is_leaf
    levels: list[tuple[Part, ...]] = [(Part(0, 1.0),)]
    while not all(leaf[part.node] for part in levels[-1]):
        before = levels[-1]
        at_leaf = [part for part in before if leaf[part.node]]
        going = [part for part in before if not leaf[part.node]]
        nodes = np.array([part.node for part in going])
        entries, children, factors = tree.step(X, np.zeros(len(going), np.intp), nodes)
        moved = [
            Part(int(child), going[entry].share * float(factor), going[entry].node)
            for entry, child, factor in zip(entries, children, factors, strict=True)
        ]
        levels.append((*at_leaf, *sorted(moved, key=lambda part: part.node)))
    return levels
