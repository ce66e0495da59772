"""The panel of a decision tree: nodes, their classes as bars, and the words that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.decision_tree.growth_scene import NOWHERE, Standing, standing_so
from dmlib.classification.decision_tree.significance_ledger import short
from dmlib.classification.decision_tree.split_ledger import answers, question
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import xy
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import Layout, fitting
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

PANEL = "tree"
LETTERS = 43  # characters across the panel on a small laptop
BAR_TOP, BAR = 0.14, 0.11  # where the bar of a node begins below its middle, and its height, in levels
BAR_WIDTH = 0.72  # in leaves
BELOW = 0.42  # how far below a node its words end, in levels
VALUE, GAP = 0.36, 0.1  # where a value is written above a child, and half the gap that it gets, in levels
MOST_LEVELS = 5  # levels up to which the words below a node have two lines
SMALL = 0.01  # share of the rows below which a node of a large tree is not described
LARGE = 80  # nodes beyond which a tree is drawn with less detail
LABEL = 40  # characters of a tooltip's test

Edges = Sequence[tuple[int, int]]
Stroke = tuple[float, float, float, float]


@dataclass(frozen=True)
class Drawing:
    """What the panel is drawn from."""

    problem: Problem
    layout: Layout  # where the nodes lie
    standing: Sequence[Standing]  # which nodes stand from which frame to which
    codes: Sequence[int]  # the codes of the model's classes
    n_frames: int  # how many frames there are

    @cached_property
    def nodes(self) -> list[Standing]:
        """What stands, is a node, and has a place."""
        return [s for s in self.standing if s.node != NOWHERE and s.node in self.layout.x]

    @cached_property
    def there(self) -> list[Standing]:
        """The nodes with the frames in which they are there, split or not."""
        found: dict[tuple[int, int], Standing] = {}
        rest = []
        for one in self.nodes:
            before = found.get((one.node, one.parent))
            if before is None or before.last != one.first:
                rest.append(before)
                found[one.node, one.parent] = one
            else:
                found[one.node, one.parent] = replace(one, first=before.first)
        return sorted([*filter(None, rest), *found.values()], key=lambda one: one.first)

    @property
    def large(self) -> bool:
        """Whether the tree is so large that all of it is drawn from the start, grey where it has not grown yet."""
        return len(self.layout.x) > LARGE

    def shown(self, values: Any, some: Sequence[Standing], otherwise: float = np.nan) -> PerFrame:
        """Return values, one for each of some nodes, that are there as long as the nodes stand so."""
        return standing_so(values, some, self.n_frames, otherwise)

    def place(self, node: int) -> tuple[float, float]:
        """Return where a node is drawn."""
        return self.layout.x[node], -float(self.layout.depth[node])

    def strokes(self, parent: int, child: int) -> list[Stroke]:
        """Return the edge to a child: along, then down, with a gap where a value is written."""
        (x0, y0), (x1, y1) = self.place(parent), self.place(child)
        if self.large:
            return [(x0, y0, x1, y1)]
        if (parent, child) not in self.named:
            return [(x0, y0, x1, y0), (x1, y0, x1, y1)]
        if x0 == x1:  # below the words of the parent
            y0 -= BELOW
        return [(x0, y0, x1, y0), (x1, y0, x1, y1 + VALUE + GAP), (x1, y1 + VALUE - GAP, x1, y1)]

    @cached_property
    def named(self) -> set[tuple[int, int]]:
        """The edges beside which values are written: those of splits that have no single threshold."""
        several = [s for s in self.nodes if s.split is not None and s.split.cut is None]
        return {(s.node, child) for s in several for child in s.children}

    def letters(self, node: int) -> float:
        """Return how many characters fit beside a node."""
        return self.layout.room[node] * LETTERS / max(self.layout.width + 0.4, 1.0)


def tree_panel(drawing: Drawing) -> Panel:
    """Return the panel of the tree: the root on top."""
    width, height = drawing.layout.width, drawing.layout.height
    cuts = any(s.split is not None and s.split.n_branches == 2 for s in drawing.standing)
    title = "Decision tree (left branch: true)" if cuts else "Tree"
    return Panel(PANEL, Axis("", -0.7, max(width - 0.3, 0.7)), Axis("", -height - 0.6, 0.3), title)


def tree_marks(drawing: Drawing, current: Sequence[Sequence[int]], ways: Sequence[Edges]) -> list[Mark]:
    """Return the marks of the panel.

    For each frame, ``current`` has the nodes that it is about, and ``ways`` the edges that lead there.
    """
    return [
        _edges(drawing),
        _way(drawing, ways),
        *_bars(drawing),
        _circles(drawing),
        _emphasis(drawing, current),
        *_words(drawing),
    ]


def _edges(drawing: Drawing) -> Segments:
    some = [(stroke, s) for s in drawing.there if s.parent >= 0 for stroke in drawing.strokes(s.parent, s.node)]
    x0, y0, x1, y1 = np.array([stroke for stroke, _ in some]).reshape(-1, 4).T
    if drawing.large:
        return Segments(panel=PANEL, x0=x0, y0=y0, x1=x1, y1=y1, width=1.0)
    return Segments(panel=PANEL, x0=drawing.shown(x0, [s for _, s in some]), y0=y0, x1=x1, y1=y1)


def _way(drawing: Drawing, ways: Sequence[Edges]) -> Segments:
    """Return the way from the root to the nodes that each frame is about."""
    ends = [
        np.array([stroke for edge in way for stroke in drawing.strokes(*edge)]).reshape(-1, 4).T.tolist()
        for way in ways
    ]
    x0, y0, x1, y1 = (PerFrame([end[i] for end in ends]) for i in range(4))
    return Segments(panel=PANEL, x0=x0, y0=y0, x1=x1, y1=y1, width=4.0)


def _bars(drawing: Drawing) -> list[Rects]:
    """Return a bar under each node, divided as its classes are."""
    if drawing.large:
        return []
    pieces, nodes = [], []
    for standing in drawing.there:
        x, y = drawing.place(standing.node)
        edges = x + BAR_WIDTH * (np.append(0.0, standing.shares.cumsum()) - 0.5)
        for code, left, right in zip(drawing.codes, edges, edges[1:], strict=False):
            if right > left:
                pieces.append((left, right, y - BAR_TOP - BAR, y - BAR_TOP, code))
                nodes.append(standing)
    x0, x1, y0, y1, color = np.array(pieces).T
    return [Rects(panel=PANEL, x0=drawing.shown(x0, nodes), x1=x1, y0=y0, y1=y1, color=color)]


def _circles(drawing: Drawing) -> Points:
    """Return the nodes in the colour and symbol of their most frequent class, the larger the more rows they have."""
    there, most = drawing.there, max(s.weight for s in drawing.nodes) or 1.0
    x, y = np.array([drawing.place(s.node) for s in there]).T
    color = np.array([drawing.codes[int(s.shares.argmax())] for s in there])
    return Points(
        panel=PANEL,
        x=x if drawing.large else drawing.shown(x, there),
        y=y,
        color=drawing.shown(color, there, NO_CLASS) if drawing.large else color,
        size=[3.0 + 4.5 * float(np.sqrt(s.weight / most)) for s in there],
        labels=[_tip(drawing, s) for s in there],
    )


def _tip(drawing: Drawing, standing: Standing) -> str:
    """Return what the tooltip says of a node."""
    if drawing.large and standing.weight < SMALL * drawing.there[0].weight:
        return ""
    counts = standing.shares * standing.weight
    order = np.argsort(-counts, kind="stable")[:3]
    parts = [f"{short(counts[i])} {drawing.problem.classes[drawing.codes[i]]}" for i in order if counts[i] > 0]
    name = "root" if standing.node == 0 else f"node {standing.node + 1}"
    test = "" if standing.split is None else f": {question(standing.split, drawing.problem)[:LABEL]}"
    return f"{name}{test}\n{', '.join(parts) or 'no rows'}"


def _emphasis(drawing: Drawing, current: Sequence[Sequence[int]]) -> Points:
    """Return the nodes that each frame is about, large and outlined."""
    shares = {s.node: s.shares for s in drawing.nodes}
    places = [np.array([drawing.place(node) for node in nodes]).reshape(-1, 2) for nodes in current]
    x, y = xy(places)
    return Points(
        panel=PANEL,
        x=x,
        y=y,
        color=PerFrame([[drawing.codes[int(shares[node].argmax())] for node in nodes] for nodes in current]),
        emphasis=True,
    )


def _cut(threshold: float, x: Floats) -> str:
    """Return a threshold with a true minus sign, and digits that tell the values of its column apart."""
    return threshold_text(threshold, x, 4).replace("-", "−")


def _words(drawing: Drawing) -> list[Texts]:
    """Return the words: below a node its column and threshold, below a leaf its class, on an edge its values."""
    firsts, seconds, values = [], [], []
    two = drawing.layout.height <= MOST_LEVELS
    for standing in drawing.nodes:
        x, y = drawing.place(standing.node)
        room, below = drawing.letters(standing.node), y - BAR_TOP - BAR
        split = standing.split
        if split is None:
            best = drawing.codes[int(standing.shares.argmax())]
            firsts.append((x, below, fitting(drawing.problem.classes[best], room), standing))
            continue
        column = drawing.problem.features[split.column]
        cut = "" if split.cut is None else f"≤ {_cut(split.cut, drawing.problem.X[:, split.column])}"
        if cut and not two and len(f"{column} {cut}") <= room:
            column += f" {cut}"
        elif cut and two and len(cut) <= room:
            seconds.append((x, below, cut, standing))
        firsts.append((x, below, fitting(column, room), standing))
        if split.cut is None:
            for child, text in zip(standing.children, answers(split, drawing.problem), strict=False):
                if child not in drawing.layout.x:
                    continue
                cx, cy = drawing.place(child)
                value = text.removeprefix("= ").removeprefix("in ")
                values.append((cx, cy + VALUE, fitting(value, drawing.letters(child)), standing))
    return [
        text for words, dy in ((firsts, 9.0), (seconds, 22.0), (values, 0.0)) for text in _texts(drawing, words, dy)
    ]


def _texts(drawing: Drawing, words: Sequence[tuple[float, float, str, Standing]], dy: float) -> list[Texts]:
    said = [word for word in words if word[2]]
    if not said:
        return []
    x, y, text, nodes = zip(*said, strict=True)
    return [Texts(panel=PANEL, x=drawing.shown(x, nodes), y=y, text=text, dy=dy)]
