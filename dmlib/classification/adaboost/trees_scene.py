"""The trees of boosting in the plane: the lines of one, and small pictures of the last few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.classification.adaboost.adaboost_step import AdaBoostStep
from dmlib.classification.adaboost.gradient_ledger import busiest
from dmlib.classification.adaboost.gradient_step import GradientBoostingStep
from dmlib.classification.tree_regions_scene import border_lines, leaf_boxes
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Segments, Texts
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

WINDOW = 3  # trees side by side
MAX_BOXES = 24  # rectangles of one small picture
WIDTH, LOW = 0.9, -0.35  # width of a picture; room below for two lines
FAINT, STRONG = 0.15, 0.8  # opacity of a leaf
LINES = (-0.12, -0.28)  # heights of the number of the round and of the vote


@dataclass(frozen=True)
class ColoredTree:
    """A tree with the class and the strength, from 0 to 1, of each node."""

    tree: Tree
    colors: Bytes
    strengths: Floats


def voting_tree(step: AdaBoostStep, classes: Ints) -> ColoredTree:
    """Return the tree of a round of AdaBoost: leaves coloured by class, with their purity."""
    tree = step.estimator.tree_
    shares = tree.value[:, 0].max(axis=1)
    n = max(tree.value.shape[2], 2)
    return ColoredTree(tree, classes[tree.predictions].astype(np.uint8), (n * shares - 1) / (n - 1))


def residual_tree(step: GradientBoostingStep, classes: Ints) -> ColoredTree:
    """Return the tree of a round of gradient boosting: leaves coloured by their sign."""
    k = busiest(step)
    grown, is_single = step.trees[k], len(step.trees) == 1
    positive, negative = (classes[1], classes[0]) if is_single else (classes[k], NO_CLASS)
    colors = np.where(grown.values > 0, positive, negative)
    top = float(np.abs(grown.values[grown.tree.is_leaf]).max()) or 1.0
    strengths = np.minimum(np.abs(grown.values) / top, 1.0)
    return ColoredTree(grown.tree, colors.astype(np.uint8), strengths)


class TreeStrip:
    """The tree of a round: its lines in the plane, and small pictures of the last few trees.

    Parameters
    ----------
    problem : Problem
        The data, with a column on each axis.
    plane : Panel
        The panel of the plane.
    tree_of : callable
        Takes the number of a round, from 1, and returns its tree.
    votes : sequence of str
        The text below the number of each round.
    """

    def __init__(
        self,
        problem: Problem,
        plane: Panel,
        tree_of: Callable[[int], ColoredTree],
        votes: Sequence[str],
    ) -> None:
        self.problem, self.plane, self.tree_of, self.votes = problem, plane, tree_of, votes
        self._leaves = cache(self._miniature)

    @property
    def panel(self) -> Panel:
        """The panel of the small pictures."""
        x = Axis("", 0.0, WINDOW - 1 + WIDTH, ticks=("",) * WINDOW)
        y = Axis("", LOW, 1.0, ticks=("",))
        title = f"Last {WINDOW} trees" + (" and their votes" if any(self.votes) else "")
        return Panel("trees", x, y, title, side=True)

    def marks(self, number: int) -> list[Mark]:
        """Return the marks of a round; at the start, 0, there is no tree."""
        rounds = range(max(1, number - WINDOW + 1), number + 1)
        return [self._lines(number), self._rectangles(rounds), *self._texts(rounds)]

    def _lines(self, number: int) -> Segments:
        """Return the lines of the tree of a round."""
        if not number:
            return border_lines([], 2.5)
        _, borders = leaf_boxes(self.tree_of(number).tree, self.plane, self.problem.plane)
        return border_lines(borders, 2.5)

    def _rectangles(self, rounds: range) -> Rects:
        """Return the leaves of the trees of rounds, side by side."""
        no_leaves = np.empty((0, 4)), np.empty(0, np.uint8), np.empty(0)
        parts = [no_leaves, *map(self._leaves, rounds)]
        places, colors, opacity = (np.concatenate(part) for part in zip(*parts, strict=True))
        slots = np.repeat(np.arange(len(rounds)), [len(part[0]) for part in parts[1:]])
        x0, y0, x1, y1 = places.T
        return Rects(
            panel="trees", x0=x0 + slots, y0=y0, x1=x1 + slots, y1=y1, color=colors, opacity=opacity
        )

    def _texts(self, rounds: range) -> list[Texts]:
        """Return the number and the vote below each tree; those of other rounds have no place."""
        n = len(self.votes)
        x = np.full(n, np.nan)
        x[rounds.start - 1 : rounds.stop - 1] = np.arange(len(rounds)) + WIDTH / 2
        numbers = [str(i + 1) for i in range(n)]
        return [
            Texts(panel="trees", x=x, y=np.full(n, y), text=text)
            for y, text in zip(LINES, (numbers, self.votes), strict=True)
        ]

    def _miniature(self, number: int) -> tuple[Floats, Bytes, Floats]:
        """Return the rectangles of the leaves in the unit square, their classes and opacity."""
        colored = self.tree_of(number)
        leaves = leaf_boxes(colored.tree, self.plane, self.problem.plane)[0]
        pairs = [(box, node) for node, boxes in leaves.items() for box in boxes][:MAX_BOXES]
        nodes = np.array([node for _, node in pairs], np.intp)
        corners = [(box.x0, box.y0, box.x1, box.y1) for box, _ in pairs]
        places = np.array(corners, float).reshape(-1, 4)
        corner = np.array([self.plane.x.low, self.plane.y.low] * 2)
        unit = (places - corner) / np.tile(self.plane.size, 2) * [WIDTH, 1, WIDTH, 1]
        return unit, colored.colors[nodes], FAINT + (STRONG - FAINT) * colored.strengths[nodes]
