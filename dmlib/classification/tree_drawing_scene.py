"""A finished tree as a drawing, and the same tree while some of its nodes are cut: what pages on trees share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting, layout
from dmlib.pictures.words import num4, upper_first
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text
from dmlib.trees.tree import Tree

Mask = NDArray[np.bool_]

LETTERS = 46  # characters across a large panel on a small laptop
LOW, HIGH = -1.2, 0.1  # ends of the panel; the root is at 0, the deepest leaves are at -1
LEVEL = 0.42  # the height of a level is no larger
MOST_LEVELS = 5  # levels up to which the words below a node have two lines
CIRCLE = 0.022  # from the middle of a node to its bar at least
BAR_TOP, BAR = 0.16, 0.12  # where the bar of a node begins below its middle, and its height, in levels
BAR_WIDTH = 0.7  # in leaves
WIDEST_BAR = 0.16
VALUE, GAP = 0.36, 0.12  # where a value is written above a child, and half the gap that it gets, in levels
LARGE = 90  # nodes beyond which bars and words are left out
MOST_SIZE, LEAST_SIZE = 7.5, 3.0  # radius of a node with all rows, and of one without


@dataclass(frozen=True)
class Drawing:
    """A tree with a place for each node, in a panel that it fills.

    Attributes
    ----------
    tree : Tree
        The tree.
    problem : Problem
        Where the names come from.
    codes : sequence of int
        The codes of the tree's classes.
    """

    tree: Tree
    problem: Problem
    codes: Sequence[int]

    @cached_property
    def places(self) -> tuple[Floats, Floats, Floats]:
        """Return across and down of each node, and how many characters fit beside it."""
        children = {
            node: [int(child) for child in row if child >= 0] for node, row in enumerate(self.tree.children.tolist())
        }
        found = layout({node: some for node, some in children.items() if some})
        nodes = range(self.tree.node_count)
        x = np.array([(found.x[node] + 0.5) / found.width for node in nodes])
        y = -np.array([found.depth[node] for node in nodes]) * self.level
        letters = np.array([found.room[node] for node in nodes]) / found.width * LETTERS
        return x, y, letters

    @cached_property
    def level(self) -> float:
        """The height of a level."""
        return min(1 / max(self.tree.max_depth, 1), LEVEL)

    @cached_property
    def colors(self) -> NDArray[np.uint8]:
        """The class that each node predicts."""
        return np.array(self.codes, np.uint8)[self.tree.answers]

    @property
    def bar(self) -> tuple[float, float]:
        """How far below a node its bar begins and ends."""
        top = max(BAR_TOP * self.level, CIRCLE)
        return top, top + BAR * self.level

    @property
    def large(self) -> bool:
        """Whether there are so many nodes that bars and words are left out."""
        return self.tree.node_count > LARGE

    @cached_property
    def words(self) -> list[tuple[int, float, str]]:
        """Return what is written at nodes: the node, how far below it in pixels, and the text."""
        if self.large:
            return []
        letters, said = self.places[2], []
        for node in range(self.tree.node_count):
            for dy, text in self._lines(node, float(letters[node])):
                if text:
                    said.append((node, dy, text))
        return said

    def _lines(self, node: int, room: float) -> list[tuple[float, str]]:
        split = self.tree.splits.split(node)
        if split is None:
            return [(9.0, fitting(self.problem.classes[self.codes[self.tree.answers[node]]], room))]
        name = self.problem.features[split.column]
        x = self.problem.X[:, split.column]
        cut = "" if split.cut is None else f"≤ {threshold_text(split.cut, x, 4)}".replace("-", "−")
        if not cut:
            return [(9.0, fitting(name, room))]
        if len(name) + len(cut) + 1 <= room:
            return [(9.0, f"{name} {cut}")]
        two = self.tree.max_depth <= MOST_LEVELS and len(cut) <= room
        return [(9.0, fitting(name, room)), (21.0, cut if two else "")]

    @cached_property
    def values(self) -> list[tuple[int, str]]:
        """Return what is written above children of a split without a single threshold: the child, and the text."""
        if self.large:
            return []
        found = []
        for node in np.flatnonzero(~self.tree.is_leaf):
            split = self.tree.splits.split(int(node))
            if split is None or split.cut is not None:
                continue
            name = self.problem.features[split.column]
            x = self.problem.X[:, split.column]
            texts = split.conditions(name, self.problem.categories.get(split.column), x=x, digits=4)
            for child, text in zip(self.tree.children[node].tolist(), texts, strict=False):
                short = text.removeprefix(name).removeprefix(" in").removeprefix(" =").strip().replace("<=", "≤")
                written = fitting(short, float(self.places[2][child]))
                if written:
                    found.append((child, written))
        return found

    @cached_property
    def tips(self) -> list[str]:
        """Return what the tooltip says of each node: its name, its test and its classes."""
        counts, said = self.tree.counts, []
        for node, number in enumerate(self.tree.numbers.tolist()):
            order = np.argsort(-counts[node], kind="stable")[:3]
            of = ", ".join(
                f"{num4(counts[node, i])} {self.problem.classes[self.codes[i]]}" for i in order if counts[node, i] > 0
            )
            said.append(f"{node_name(number)}\n{of or 'no rows'}")
        return said


def node_name(number: int, *, capital: bool = False) -> str:
    """Return what a sentence calls a node, by its number from 0.

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


@dataclass(frozen=True)
class Shot:
    """A tree in one frame: which nodes of a drawing are there.

    Attributes
    ----------
    drawing : Drawing
        Where the nodes lie.
    there : ndarray of bool of shape (node_count,)
        Which are drawn.
    parents : ndarray of shape (node_count,)
        Below which node each hangs; -1 for the root.
    leaf : ndarray of bool of shape (node_count,)
        Which have no children.
    """

    drawing: Drawing
    there: Mask
    parents: NDArray[np.intp]
    leaf: Mask


def whole(drawing: Drawing) -> Shot:
    """Return a shot of all nodes."""
    tree = drawing.tree
    return Shot(drawing, np.ones(tree.node_count, bool), tree.parents, tree.is_leaf)


def tree_marks(
    panel: str, shots: Sequence[Shot], grey: Sequence[Mask | None], current: Sequence[Sequence[int]]
) -> list[Mark]:
    """Return the marks of trees of few drawings: edges, bars, nodes, words, and the nodes that frames are about.

    Parameters
    ----------
    panel : str
        The panel.
    shots : sequence of Shot
        What is there, frame by frame.
    grey : sequence of (ndarray of bool or None)
        Which nodes are without colour, frame by frame.
    current : sequence of sequences of int
        The nodes that each frame is about.
    """
    drawings = list({id(shot.drawing): shot.drawing for shot in shots}.values())
    marks: list[Mark] = []
    for drawing in drawings:
        here = [shot if shot.drawing is drawing else None for shot in shots]
        faded = [mask if shot else None for shot, mask in zip(here, grey, strict=True)]
        about = [some if shot else () for shot, some in zip(here, current, strict=True)]
        marks += _drawn(panel, drawing, here, faded, about)
    return marks


def _drawn(
    panel: str,
    drawing: Drawing,
    shots: Sequence[Shot | None],
    grey: Sequence[Mask | None],
    current: Sequence[Sequence[int]],
) -> list[Mark]:
    x, y, _ = drawing.places
    n = drawing.tree.node_count
    there = [np.zeros(n, bool) if shot is None else shot.there for shot in shots]
    sizes = drawing.tree.weighted_n_node_samples / max(float(drawing.tree.weighted_n_node_samples[0]), 1e-300)
    empty = np.zeros(n, bool)
    colors = [np.where(empty if mask is None else mask, NO_CLASS, drawing.colors) for mask in grey]
    marks: list[Mark] = [_edges(panel, drawing, shots)]
    if not drawing.large:
        marks.append(_bars(panel, drawing, there, grey))
    marks.append(
        Points(
            panel=panel,
            x=shown(x, there),
            y=y,
            color=PerFrame(colors),
            size=LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * np.sqrt(sizes),
            labels=drawing.tips,
            numbers=drawing.tree.numbers + 1,
            of="node",
        )
    )
    marks.append(
        Points(
            panel=panel,
            x=PerFrame([x[list(some)] for some in current]),
            y=PerFrame([y[list(some)] for some in current]),
            color=PerFrame([drawing.colors[list(some)] for some in current]),
            emphasis=True,
            of="",
        )
    )
    return [*marks, *_texts(panel, drawing, shots)]


def shown(values: Any, there: Sequence[Mask]) -> PerFrame:
    """Return values that are drawn where a mask says so; frames with the same mask share them."""
    made: dict[bytes, Floats] = {}
    return PerFrame([made.setdefault(mask.tobytes(), np.where(mask, values, np.nan)) for mask in there])


def _edges(panel: str, drawing: Drawing, shots: Sequence[Shot | None]) -> Segments:
    """Return three strokes for each node but the root: across from its parent, and down with a gap for a value."""
    x, y, _ = drawing.places
    n = drawing.tree.node_count
    nothing, value = np.full(3 * n, np.nan), y + VALUE * drawing.level
    gap = np.zeros(n)
    gap[[node for node, _ in drawing.values]] = min(GAP * drawing.level, CIRCLE)
    found: list[list[Floats]] = []
    for shot in shots:
        if shot is None:
            found.append([nothing] * 4)
            continue
        hang = shot.there & (shot.parents >= 0)
        top, from_ = np.where(hang, y[shot.parents], np.nan), np.where(hang, x[shot.parents], np.nan)
        own = np.where(hang, x, np.nan)
        found.append(
            [
                np.concatenate([from_, own, own]),
                np.concatenate([top, top, value - gap]),
                np.concatenate([own, own, own]),
                np.concatenate([top, value + gap, y]),
            ]
        )
    x0, y0, x1, y1 = (PerFrame([ends[i] for ends in found]) for i in range(4))
    return Segments(panel=panel, x0=x0, y0=y0, x1=x1, y1=y1, width=1.0 if n > LARGE else 1.5)


def _bars(panel: str, drawing: Drawing, there: Sequence[Mask], grey: Sequence[Mask | None]) -> Rects:
    """Return a bar under each node, divided as its classes are."""
    x, y, _ = drawing.places
    width = min(BAR_WIDTH / max(drawing.tree.n_leaves, 1), WIDEST_BAR)
    shares = drawing.tree.value[:, 0]
    edges = x[:, None] + width * (np.column_stack([np.zeros(len(x)), shares.cumsum(axis=1)]) - 0.5)
    nodes, classes = np.nonzero(shares > 0)
    top, end = drawing.bar
    codes = np.array(drawing.codes, np.uint8)[classes]
    colors = [codes if mask is None else np.where(mask[nodes], NO_CLASS, codes) for mask in grey]
    return Rects(
        panel=panel,
        x0=shown(edges[nodes, classes], [mask[nodes] for mask in there]),
        x1=edges[nodes, classes + 1],
        y0=y[nodes] - end,
        y1=y[nodes] - top,
        color=PerFrame(colors),
    )


def _texts(panel: str, drawing: Drawing, shots: Sequence[Shot | None]) -> list[Texts]:
    """Return tests below inner nodes, classes below leaves, and values above the children of a nominal split."""
    x, y, _ = drawing.places
    below = y - drawing.bar[1]
    inner = drawing.words
    marks: list[Texts] = []
    n = drawing.tree.node_count
    standing = [np.zeros(n, bool) if s is None else s.there & (s.leaf == drawing.tree.is_leaf) for s in shots]
    for dy in (9.0, 21.0):
        some = [(node, text) for node, offset, text in inner if offset == dy]
        marks += _written(panel, some, x, below, standing, dy)
    if not drawing.large:
        cut = [np.zeros(n, bool) if s is None else s.there & s.leaf & ~drawing.tree.is_leaf for s in shots]
        names = [
            (node, fitting(drawing.problem.classes[drawing.codes[drawing.tree.answers[node]]], float(room)))
            for node, room in enumerate(drawing.places[2])
        ]
        marks += _written(panel, [(node, text) for node, text in names if text], x, below, cut, 9.0)
    there = [np.zeros(n, bool) if s is None else s.there for s in shots]
    marks += _written(panel, drawing.values, x, y + VALUE * drawing.level, there, 4.0)
    return marks


def _written(
    panel: str, words: Sequence[tuple[int, str]], x: Floats, y: Floats, there: Sequence[Mask], dy: float
) -> list[Texts]:
    if not words:
        return []
    nodes = np.array([node for node, _ in words])
    places = shown(x[nodes], [mask[nodes] for mask in there])
    return [Texts(panel=panel, x=places, y=y[nodes], text=[text for _, text in words], dy=dy)]
