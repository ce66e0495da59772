"""A finished tree as a drawing, and the same drawing while some of its nodes are cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import points_at, visible_where
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting, layout
from dmlib.pictures.words import num4, upper_first
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text
from dmlib.trees.tree import Tree

Mask = NDArray[np.bool_]

LETTERS = 46  # characters across a large panel on a small laptop
LOW, HIGH = -1.28, 0.1  # ends of the panel: leaves at -1 have their names below them on phones
LEVEL = 0.42  # the height of a level is no larger
MAX_LEVELS = 5  # levels up to which the words below a node have two lines
CIRCLE = 0.022  # from the middle of a node to its bar at least
BAR_TOP = 0.16  # distance of the bar of a node from its middle, in levels
BAR = 0.12  # height of a bar, in levels
BAR_WIDTH = 0.7  # in leaves
MAX_BAR_WIDTH = 0.16
GAP = 0.12  # half the gap of an edge for a value, in levels
LARGE = 90  # nodes beyond which bars and words are left out
MAX_SIZE, MIN_SIZE = 7.5, 3.0  # radius of a node with all rows, and of one without
FIRST_LINE, SECOND_LINE, ABOVE_CHILD = 9.0, 21.0, 4.0  # shifts of words downwards, in pixels


def node_name(number: int, *, capital: bool = False) -> str:
    """Return the name of a node in a sentence, by its number from 0.

    Examples
    --------
    >>> node_name(0), node_name(4, capital=True)
    ('the root', 'Node 5')
    """
    name = "the root" if number == 0 else f"node {number + 1}"
    return upper_first(name) if capital else name


def tree_panel(name: str, title: str, *, side: bool = False) -> Panel:
    """Return a panel for the drawing of a tree."""
    return Panel(name, Axis("", -0.03, 1.03), Axis("", LOW, HIGH), title, side=side)


class Word(NamedTuple):
    """A text at a node, shifted downwards by so many pixels."""

    node: int
    dy: float
    text: str


@dataclass(frozen=True)
class Subtree:
    """The visible nodes of a drawing.

    Attributes
    ----------
    present : ndarray of bool of shape (node_count,)
        Which are visible.
    parents : ndarray of shape (node_count,)
        The parent of each; -1 for the root.
    is_leaf : ndarray of bool of shape (node_count,)
        Which have no children.
    """

    present: Mask
    parents: Ints
    is_leaf: Mask


class TreeDrawing:
    """A tree with a place for each node, in a panel that it fills.

    Parameters
    ----------
    tree : Tree
        The tree.
    problem : Problem
        The data, which give the names.
    codes : sequence of int
        The codes of the tree's classes.
    """

    VALUE: ClassVar[float] = 0.36  # height of a value above its child, in levels
    VALUE_DY: ClassVar[float] = ABOVE_CHILD

    def __init__(self, tree: Tree, problem: Problem, codes: Sequence[int]) -> None:
        self.tree, self.problem, self.codes = tree, problem, codes

    @cached_property
    def all_nodes(self) -> Subtree:
        """All nodes."""
        return Subtree(np.ones(self.tree.node_count, bool), self.tree.parents, self.tree.is_leaf)

    @cached_property
    def no_nodes(self) -> Subtree:
        """No node."""
        return replace(self.all_nodes, present=np.zeros(self.tree.node_count, bool))

    @cached_property
    def places(self) -> tuple[Floats, Floats, Floats]:
        """The coordinates of each node, and the number of characters that fit beside it."""
        rows = enumerate(self.tree.children.tolist())
        children = {node: [child for child in row if child >= 0] for node, row in rows}
        places = layout({node: below for node, below in children.items() if below})
        nodes = range(self.tree.node_count)
        x = np.array([(places.x[node] + 0.5) / places.width for node in nodes])
        y = -np.array([places.depth[node] for node in nodes]) * self.level
        letters = np.array([places.room[node] for node in nodes]) / places.width * LETTERS
        return x, y, letters

    @cached_property
    def level(self) -> float:
        """The height of a level."""
        return min(1 / max(self.tree.max_depth, 1), LEVEL)

    @cached_property
    def colors(self) -> Bytes:
        """The class that each node predicts."""
        return np.array(self.codes, np.uint8)[self.tree.predictions]

    @property
    def bar(self) -> tuple[float, float]:
        """The distances from a node to the top and the bottom of its bar."""
        top = max(BAR_TOP * self.level, CIRCLE)
        return top, top + BAR * self.level

    @property
    def is_large(self) -> bool:
        """Whether there are so many nodes that bars and words are left out."""
        return self.tree.node_count > LARGE

    @cached_property
    def words(self) -> list[Word]:
        """The words below nodes."""
        if self.is_large:
            return []
        letters = self.places[2].tolist()
        lines = [
            (node, line) for node, room in enumerate(letters) for line in self.lines(node, room)
        ]
        return [Word(node, dy, text) for node, (dy, text) in lines if text]

    def lines(self, node: int, room: float) -> list[tuple[float, str]]:
        """Return the shifts and texts of the lines below a node, of at most ``room`` characters."""
        if self.tree.is_leaf[node]:
            return [(FIRST_LINE, fitting(self.class_of(node), room))]
        test = self.test(node)
        left, sign, limit = test.rpartition(" ≤ ")
        if not sign or len(test) <= room:
            return [(FIRST_LINE, fitting(test, room))]
        if self.tree.max_depth > MAX_LEVELS or len(limit) + 2 > room:
            return []  # half a test would say nothing; the tooltip has all of it
        return [(FIRST_LINE, fitting(left, room)), (SECOND_LINE, f"≤ {limit}")]

    def test(self, node: int) -> str:
        """Return the test of a node, or the column whose values have a branch each."""
        split = self.tree.splits.split(node)
        if split is None:
            return ""
        name, x = self.problem.features[split.column], self.problem.X[:, split.column]
        if split.cut is None:
            return str(name)
        return f"{name} ≤ {threshold_text(split.cut, x, 4)}".replace("-", "−")

    def class_of(self, node: int) -> str:
        """Return the name of the class that a node predicts."""
        name: str = self.problem.classes[self.codes[self.tree.predictions[node]]]
        return name

    @cached_property
    def values(self) -> list[Word]:
        """The values above the children of splits without a single threshold."""
        if self.is_large:
            return []
        values = []
        for node in np.flatnonzero(~self.tree.is_leaf).tolist():
            split = self.tree.splits.split(node)
            if split is None or split.cut is not None:
                continue
            name, x = self.problem.features[split.column], self.problem.X[:, split.column]
            texts = split.conditions(name, self.problem.categories.get(split.column), x=x, digits=4)
            for child, text in zip(self.tree.children[node].tolist(), texts, strict=False):
                value = text.removeprefix(name).removeprefix(" in").removeprefix(" =").strip()
                value = fitting(value.replace("<=", "≤"), float(self.places[2][child]))
                values.append(Word(child, self.VALUE_DY, value))
        return [word for word in values if word.text]

    @cached_property
    def tips(self) -> list[str]:
        """The tooltip of each node: its name, its test and its classes."""
        tips = []
        for node, counts in enumerate(self.tree.counts):
            top = [i for i in np.argsort(-counts, kind="stable")[:3] if counts[i] > 0]
            parts = [f"{num4(counts[i])} {self.problem.classes[self.codes[i]]}" for i in top]
            test = "" if self.tree.is_leaf[node] else f": {self.test(node)}"
            name = node_name(int(self.tree.numbers[node]))
            tips.append(f"{name}{test}\n{', '.join(parts) or 'no rows'}")
        return tips

    # --- marks ----------------------------------------------------------------------------------

    def marks(
        self, panel: str, subtree: Subtree, *, grey: Mask | None = None, current: Sequence[int] = ()
    ) -> list[Mark]:
        """Return edges, bars, nodes, words, and the current nodes.

        Parameters
        ----------
        panel : str
            The panel.
        subtree : Subtree
            The visible nodes.
        grey : ndarray of bool of shape (node_count,), optional
            Which of them are without colour.
        current : sequence of int
            The nodes that are emphasised.
        """
        x, y, _ = self.places
        nodes = list(current)
        no_color = np.zeros(self.tree.node_count, bool) if grey is None else grey
        marks: list[Mark] = [
            self._edges(subtree),
            *([] if self.is_large else [self._visible_bars(subtree.present, no_color)]),
            replace(
                visible_where(subtree.present, self._circles),
                color=np.where(no_color, NO_CLASS, self.colors),
            ),
            points_at(
                np.column_stack([x[nodes], y[nodes]]),
                color=self.colors[nodes],
                emphasis=True,
                of="",
            ),
            *self._texts(subtree),
        ]
        return [replace(mark, panel=panel) for mark in marks]

    def _edges(self, subtree: Subtree) -> Segments:
        """Return three strokes a node: across from its parent, and down with a gap for a value."""
        x, y, _ = self.places
        hangs = subtree.present & (subtree.parents >= 0)
        top, start = np.where(hangs, [y[subtree.parents], x[subtree.parents]], np.nan)
        own, value = np.where(hangs, x, np.nan), y + self.VALUE * self.level
        gap = np.zeros(len(x))
        gap[[word.node for word in self.values]] = min(GAP * self.level, CIRCLE)
        return Segments(
            x0=np.concatenate([start, own, own]),
            y0=np.concatenate([top, top, value - gap]),
            x1=np.concatenate([own, own, own]),
            y1=np.concatenate([top, value + gap, y]),
            width=1.0 if len(x) > LARGE else 1.5,
        )

    @cached_property
    def _circles(self) -> Points:
        """All nodes, sized by their rows."""
        x, y, _ = self.places
        weights = self.tree.weighted_n_node_samples
        shares = weights / max(float(weights[0]), 1e-300)
        return Points(
            x=x,
            y=y,
            size=MIN_SIZE + (MAX_SIZE - MIN_SIZE) * np.sqrt(shares),
            labels=self.tips,
            numbers=self.tree.numbers + 1,
            of="node",
        )

    @cached_property
    def _bars(self) -> tuple[Rects, Ints]:
        """A bar of the class frequencies under each node, and the node of each part."""
        x, y, _ = self.places
        width = min(BAR_WIDTH / max(self.tree.n_leaves, 1), MAX_BAR_WIDTH)
        shares = self.tree.value[:, 0]
        ends = np.column_stack([np.zeros(len(x)), shares.cumsum(axis=1)])
        edges = x[:, None] + width * (ends - 0.5)
        nodes, classes = np.nonzero(shares > 0)
        top, end = self.bar
        bars = Rects(
            x0=edges[nodes, classes],
            x1=edges[nodes, classes + 1],
            y0=y[nodes] - end,
            y1=y[nodes] - top,
            color=np.array(self.codes, np.uint8)[classes],
        )
        return bars, nodes

    def _visible_bars(self, present: Mask, grey: Mask) -> Rects:
        bars, nodes = self._bars
        colors = np.where(grey[nodes], NO_CLASS, np.asarray(bars.color))
        return replace(visible_where(present[nodes], bars), color=colors)

    def _texts(self, subtree: Subtree) -> list[Texts]:
        """Return tests, classes of leaves, and values above the children of nominal splits."""
        is_uncut = subtree.present & (subtree.is_leaf == self.tree.is_leaf)
        is_cut = subtree.present & subtree.is_leaf & ~self.tree.is_leaf
        visible = is_uncut, is_uncut, is_cut, subtree.present
        pairs = zip(self._all_texts, visible, strict=True)
        return [visible_where(mask[nodes], texts) for (texts, nodes), mask in pairs if len(nodes)]

    @cached_property
    def _all_texts(self) -> list[tuple[Texts, Ints]]:
        """Two lines of words, the classes of pruned nodes, and values; each with its nodes."""
        x, y, room = self.places
        below, above = y - self.bar[1], y + self.VALUE * self.level
        classes = [
            Word(node, FIRST_LINE, fitting(self.class_of(node), float(letters)))
            for node, letters in enumerate(room)
            if not self.is_large
        ]
        first = [word for word in self.words if word.dy == FIRST_LINE]
        second = [word for word in self.words if word.dy == SECOND_LINE]
        groups = (
            (first, FIRST_LINE, below),
            (second, SECOND_LINE, below),
            ([word for word in classes if word.text], FIRST_LINE, below),
            (self.values, self.VALUE_DY, above),
        )
        texts = []
        for words, dy, heights in groups:
            nodes = np.array([word.node for word in words], np.intp)
            text = [word.text for word in words]
            texts.append((Texts(x=x[nodes], y=heights[nodes], text=text, dy=dy, halo=True), nodes))
        return texts
