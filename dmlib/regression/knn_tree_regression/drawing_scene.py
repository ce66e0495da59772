"""The tree as a drawing, while it grows and is pruned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments, Texts
from dmlib.pictures.places import points_at
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting, layout
from dmlib.pictures.words import num, num4
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.split_ledger import condition_text
from dmlib.regression.knn_tree_regression.tree import Grown, TreeStep
from dmlib.trees.tests_ledger import branch_texts

MAX_WORDS = 31  # nodes up to which tests and values are written
MAX_LEVELS = 3  # up to which they do not meet the nodes below
LETTERS = 32  # characters across the panel
LARGE, SMALL = 7.0, 3.0  # radius of a node with all rows, and of one with hardly any
# The root is at 0 and the deepest leaf at -1, with its value below it.
PANEL = Panel("tree", Axis("", -0.02, 1.02), Axis("", -1.3, 0.12), "Tree", side=True)


class TreeDrawing:
    """The nodes of a tree at their places, of which a step shows those that its tree has.

    Parameters
    ----------
    problem : Problem
        The table.
    tree : Grown
        The tree that has all nodes of the drawing.
    """

    def __init__(self, problem: Problem, tree: Grown) -> None:
        places = layout(tree.children)
        self.nodes = tree.preorder()
        self._index = {node: i for i, node in enumerate(self.nodes)}
        self.x = np.array([(places.x[node] + 0.5) / places.width for node in self.nodes])
        self.y = -np.array([places.depth[node] for node in self.nodes]) / max(places.height, 1)
        self._edges = self._edges_of(tree)
        self._points = self._points_of(problem, tree)
        self._tests: list[str] = []
        self._values: list[str] = []
        if len(self.nodes) <= MAX_WORDS and places.height <= MAX_LEVELS:
            letters = {node: room / places.width * LETTERS for node, room in places.room.items()}
            self._tests = [_test(problem, tree, node, letters[node]) for node in self.nodes]
            # A leaf with a line has no single value.
            values = [fitting(num4(tree.nodes[node].value), letters[node]) for node in self.nodes]
            self._values = [""] * len(values) if tree.models else values

    def marks(self, step: TreeStep, tree: Grown | None) -> list[Mark]:
        """Return the nodes of a tree, coloured by the parts of a split; without a tree, none."""
        members = set(tree.preorder()) if tree else set()
        inner = set(tree.children) if tree else set()
        is_visible = np.array([node in members for node in self.nodes])
        is_inner = is_visible & [node in inner for node in self.nodes]
        has_edge = is_visible & (np.arange(len(self.nodes)) > 0)
        is_about = tree is not None and step.phase in ("split", "stop", "keep", "prune")
        current = [self._index[step.node]] if is_about else []
        return [
            replace(self._edges, x1=np.where(has_edge, self.x, np.nan)),
            replace(self._points, x=np.where(is_visible, self.x, np.nan), color=self._colors(step)),
            points_at(
                np.column_stack([self.x[current], self.y[current]]),
                panel="tree",
                color=[NO_CLASS],
                symbol=[0],
                size=[5.0],
                emphasis=True,
                of="",
            ),
            *self._texts(self._tests, is_inner),
            *self._texts(self._values, is_visible & ~is_inner),
        ]

    def _edges_of(self, tree: Grown) -> Segments:
        """Return the edges from the parents to all nodes."""
        parents = [self._index.get(tree.nodes[node].parent, 0) for node in self.nodes]
        return Segments(
            panel="tree",
            x0=self.x[parents],
            y0=self.y[parents],
            x1=self.x,
            y1=self.y,
            width=1.2,
            of="",
        )

    def _points_of(self, problem: Problem, tree: Grown) -> Points:
        """Return all nodes; the more rows, the larger."""
        n_rows = np.array([tree.nodes[node].size for node in self.nodes])
        return Points(
            panel="tree",
            x=self.x,
            y=self.y,
            symbol=[0],
            size=SMALL + (LARGE - SMALL) * np.sqrt(n_rows / n_rows[0]),
            numbers=np.array(self.nodes) + 1,
            of="node",
            labels=[
                f"node {node + 1}{_group(problem, tree, node)}\n{num(n)} rows"
                for node, n in zip(self.nodes, n_rows, strict=True)
            ],
        )

    def _colors(self, step: TreeStep) -> NDArray[np.uint8]:
        """Return the colour of each node: that of its part for those that a split makes."""
        sides = {}
        if step.phase == "split":
            sides = {node.number: side % NO_CLASS for side, node in enumerate(step.nodes)}
        return np.array([sides.get(node, NO_CLASS) for node in self.nodes], np.uint8)

    def _texts(self, texts: Sequence[str], is_visible: NDArray[np.bool_]) -> list[Mark]:
        """Return texts below the visible nodes that have one."""
        rows = [row for row, text in enumerate(texts) if text]
        if not rows:
            return []
        x: Floats = np.where(is_visible[rows], self.x[rows], np.nan)
        return [
            Texts(
                panel="tree", x=x, y=self.y[rows], text=[texts[i] for i in rows], dy=17.0, halo=True
            )
        ]


def _group(problem: Problem, tree: Grown, node: int) -> str:
    """Return the group of merged values that leads to a node, after a colon; none elsewhere."""
    parent = tree.nodes[node].parent
    split = tree.splits.get(parent)
    if not isinstance(split, Merging):
        return ""
    texts = branch_texts(split.test, problem)
    return f": {problem.features[split.column]} {texts[tree.children[parent].index(node)]}"


def _test(problem: Problem, tree: Grown, node: int, letters: float) -> str:
    """Return the test of a node, without the name of its column where that has no room."""
    split = tree.splits.get(node)
    if split is None:
        return ""
    test = condition_text(split, problem)
    if len(test) <= letters:
        return test
    if isinstance(split, Merging):
        return fitting(problem.features[split.column], letters)
    return fitting(test.removeprefix(problem.features[split.column]).strip(), letters)
