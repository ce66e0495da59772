"""The tree as a drawing, while it grows and is pruned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Segments, Texts
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import Layout, fitting, layout
from dmlib.pictures.words import num4
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.tree import Grown, TreeStep
from dmlib.trees.threshold_text import threshold_text

MOST_WORDS = 31  # nodes up to which tests and values are written
MOST_LEVELS = 3  # up to which they do not meet the nodes below
LOWEST = -1.3  # of the panel, where the root is at 0 and the deepest leaf at -1: its value stands below it
LETTERS = 32  # characters across the panel
LARGE, SMALL = 7.0, 3.0  # radius of a node with all rows, and of one with few


def drawn_tree(
    problem: Problem, full: Grown, steps: Sequence[TreeStep], trees: Sequence[Grown]
) -> tuple[Panel, list[Mark]]:
    """Return a panel with the tree: while it grows and is pruned at the places of the full one, then at its own.

    Colours are those of the parts that a split makes. The ``full`` tree is the one before it is pruned: of a long run
    no frame may have it.
    """
    panel = Panel("tree", Axis("", -0.02, 1.02), Axis("", LOWEST, 0.12), "Tree", side=True)
    ended = [step.phase in ("smooth", "done") for step in steps]
    marks = _drawing(problem, full, steps, [None if end else tree for tree, end in zip(trees, ended, strict=True)])
    last = [tree if end else None for tree, end in zip(trees, ended, strict=True)]
    return panel, marks + (_drawing(problem, trees[-1], steps, last) if any(ended) else [])


def _drawing(
    problem: Problem, whole: Grown, steps: Sequence[TreeStep], trees: Sequence[Grown | None]
) -> list[Mark]:  # fmt: skip
    """Return the marks of a tree's places, of which each frame shows those that are there; None for no tree."""
    found = layout(whole.children)
    order = whole.preorder()
    numbers = np.array(order)
    place = {number: i for i, number in enumerate(order)}
    x = np.array([(found.x[i] + 0.5) / found.width for i in order])
    y = -np.array([found.depth[i] for i in order]) / max(found.height, 1)
    parents = np.array([place.get(whole.nodes[i].parent, 0) for i in order])
    there, leaf, lit = [], [], []
    for step, tree in zip(steps, trees, strict=True):
        here = set(tree.preorder()) if tree else set()
        there.append(np.array([number in here for number in order]))
        leaf.append(np.array([number in here and tree is not None and number not in tree.children for number in order]))
        new = {node.number: side for side, node in enumerate(step.made)} if step.phase == "split" else {}
        lit.append(np.array([new.get(number, NO_CLASS) for number in order], np.uint8))
    sizes = np.sqrt([len(whole.nodes[i].rows) / len(whole.nodes[0].rows) for i in order])
    about = [
        [place[step.node]] if tree and step.phase in ("split", "keep", "prune") else []
        for step, tree in zip(steps, trees, strict=True)
    ]
    edges = [np.where(mask & (np.arange(len(x)) > 0), x, np.nan) for mask in there]
    marks: list[Mark] = [
        Segments(panel="tree", x0=x[parents], y0=y[parents], x1=PerFrame(edges), y1=y, width=1.2, of=""),
        Points(
            panel="tree", x=PerFrame([np.where(mask, x, np.nan) for mask in there]), y=y, color=PerFrame(lit),
            symbol=[0], size=SMALL + (LARGE - SMALL) * sizes, numbers=numbers + 1, of="node",
            labels=[f"node {i + 1}\n{len(whole.nodes[i].rows)} rows" for i in order],
        ),
        Points(
            panel="tree", x=PerFrame([x[some] for some in about]), y=PerFrame([y[some] for some in about]),
            color=[NO_CLASS], symbol=[0], size=[5.0], emphasis=True, of="",
        ),
    ]  # fmt: skip
    words = len(order) <= MOST_WORDS and found.height <= MOST_LEVELS
    return marks + (_words(problem, whole, order, (x, y), (there, leaf), found) if words else [])


def _words(
    problem: Problem, whole: Grown, order: list[int], places: tuple[Floats, Floats],
    masks: tuple[list[NDArray[np.bool_]], list[NDArray[np.bool_]]], found: Layout,
) -> list[Mark]:  # fmt: skip
    """Return the test below an inner node, and the value below a leaf."""
    (x, y), (there, leaf) = places, masks
    tests, values = [], []
    for number in order:
        letters = found.room[number] / found.width * LETTERS
        split = whole.splits.get(number)
        name = f"{problem.features[split.column]} ≤ " if split else ""
        cut = threshold_text(split.threshold, problem.X[:, split.column], 4).replace("-", "−") if split else ""
        test = f"{name}{cut}"
        short_test = f"≤ {test.removeprefix(name)}" if split else ""
        tests.append(test if len(test) <= letters else fitting(short_test, letters))
        # a leaf with a line has no single value
        values.append("" if whole.models else fitting(num4(whole.nodes[number].value), letters))
    told = []
    for texts, here in ((tests, [a & ~b for a, b in zip(there, leaf, strict=True)]), (values, leaf)):
        some = [i for i, text in enumerate(texts) if text]
        if some:
            shown = PerFrame([np.where(mask[some], x[some], np.nan) for mask in here])
            told.append(Texts(panel="tree", x=shown, y=y[some], text=[texts[i] for i in some], dy=17.0, halo=True))
    return list(told)
