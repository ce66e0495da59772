"""The panel of a decision tree: nodes, their classes as bars, and the words that fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from dmlib.cached import cached_property
from dmlib.classification.decision_tree.growth_scene import NO_BRANCH, NodeSpan, TimedMark
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import points_at
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import Layout, fitting
from dmlib.problem import Problem
from dmlib.trees.significance_ledger import short
from dmlib.trees.tests_ledger import branch_texts, question
from dmlib.trees.threshold_text import threshold_text

PANEL = "tree"
LETTERS = 64  # characters across the panel on a small laptop
BAR_TOP = 0.14  # distance of the bar of a node from its middle, in levels
BAR = 0.11  # height of a bar, in levels
BAR_WIDTH = 0.72  # in leaves
BELOW = 0.42  # distance of the end of its words from a node, in levels
VALUE = 0.36  # height of a value above its child, in levels
GAP = 0.1  # half the gap of an edge for a value, in levels
MAX_LEVELS = 5  # levels up to which the words below a node have two lines
SMALL = 0.01  # fraction of the rows below which a node of a large tree has no tooltip
LARGE = 80  # nodes beyond which a tree is drawn with less detail
LABEL = 40  # characters of the test in a tooltip
FIRST_LINE, SECOND_LINE, ON_EDGE = 9.0, 22.0, 0.0  # shifts downwards of words, in pixels


Edges = Sequence[tuple[int, int]]
Stroke = tuple[float, float, float, float]


class Word(NamedTuple):
    """A text beside a node."""

    x: float
    y: float
    dy: float
    text: str
    node: NodeSpan


class TreeDrawing:
    """A tree that grows: nodes, edges, bars and words, each during the span of its node.

    Parameters
    ----------
    problem : Problem
        The data.
    layout : Layout
        Where the nodes lie.
    spans : sequence of NodeSpan
        The nodes with their frames.
    codes : sequence of int
        The codes of the model's classes.
    """

    def __init__(
        self, problem: Problem, layout: Layout, spans: Sequence[NodeSpan], codes: Sequence[int]
    ) -> None:
        self.problem, self.layout, self.codes = problem, layout, codes
        self.nodes = [s for s in spans if s.node != NO_BRANCH and s.node in layout.x]
        self.has_cuts = any(s.split is not None and s.split.cut is not None for s in spans)
        self.present = _merged(self.nodes)  # the nodes with the frames of each, split or not
        # all of a large tree is visible from the start, grey until it has grown
        self.is_large = len(layout.x) > LARGE
        self._winners = {s.node: s.winner for s in self.nodes}
        self._edges = self._all_edges()
        self._bars = [] if self.is_large else [self._all_bars()]
        self._circles = self._all_circles()
        self._words = self._all_words()

    @property
    def panel(self) -> Panel:
        """The panel of the tree: the root on top."""
        width, height = self.layout.width, self.layout.height
        title = "Decision tree (≤ to the left)" if self.has_cuts else "Decision tree"
        return Panel(
            PANEL, Axis("", -0.7, max(width - 0.3, 0.7)), Axis("", -height - 0.9, 0.3), title
        )

    def marks(self, frame: int, current: Sequence[int], path: Edges) -> list[Mark]:
        """Return the tree in a frame.

        Parameters
        ----------
        frame : int
            The number of the frame.
        current : sequence of int
            The emphasised nodes.
        path : sequence of (int, int)
            The edges that lead to them.
        """
        return [
            self._edges.mark if self.is_large else self._edges.at(frame),
            self._path(path),
            *(bars.at(frame) for bars in self._bars),
            self._points(frame),
            self._emphasis(current),
            *(words.at(frame) for words in self._words),
        ]

    def _path(self, edges: Edges) -> Segments:
        """Return the path from the root to the nodes of a frame."""
        strokes = [stroke for edge in edges for stroke in self.strokes(*edge)]
        return _segments(strokes, width=4.0)

    def _points(self, frame: int) -> Points:
        """Return the nodes of a frame; of a large tree all, grey unless they have grown."""
        if not self.is_large:
            return self._circles.at(frame)
        circles, is_visible = self._circles.mark, self._circles.is_visible(frame)
        return replace(circles, color=np.where(is_visible, np.asarray(circles.color), NO_CLASS))

    def _emphasis(self, nodes: Sequence[int]) -> Points:
        """Return the nodes that a frame is about, large and outlined."""
        places = np.array([self.place(node) for node in nodes]).reshape(-1, 2)
        colors = [self.codes[self._winners[node]] for node in nodes]
        return points_at(places, panel=PANEL, color=np.array(colors, np.uint8), emphasis=True)

    # --- all parts ------------------------------------------------------------------------------

    def _all_edges(self) -> TimedMark[Segments]:
        pairs = [
            (stroke, span)
            for span in self.present
            if span.parent >= 0
            for stroke in self.strokes(span.parent, span.node)
        ]
        width = 1.0 if self.is_large else 1.5
        return TimedMark(_segments([stroke for stroke, _ in pairs], width), [s for _, s in pairs])

    def _all_bars(self) -> TimedMark[Rects]:
        """Return a bar of the class frequencies under each node."""
        pieces, nodes = [], []
        for span in self.present:
            x, y = self.place(span.node)
            edges = x + BAR_WIDTH * (np.append(0.0, span.shares.cumsum()) - 0.5)
            for code, start, end in zip(self.codes, edges, edges[1:], strict=False):
                if end > start:
                    pieces.append((start, end, y - BAR_TOP - BAR, y - BAR_TOP, code))
                    nodes.append(span)
        x0, x1, y0, y1, color = np.array(pieces).T
        return TimedMark(Rects(panel=PANEL, x0=x0, x1=x1, y0=y0, y1=y1, color=color), nodes)

    def _all_circles(self) -> TimedMark[Points]:
        """Return the nodes, coloured by their predicted class and sized by their rows."""
        heaviest = max(s.weight for s in self.nodes) or 1.0
        circles = points_at(
            [self.place(s.node) for s in self.present],
            panel=PANEL,
            color=np.array([self.codes[s.winner] for s in self.present]),
            size=[3.0 + 4.5 * float(np.sqrt(s.weight / heaviest)) for s in self.present],
            labels=[self._tip(s) for s in self.present],
            numbers=[s.node + 1 for s in self.present],
            of="node",
        )
        return TimedMark(circles, self.present)

    def _tip(self, span: NodeSpan) -> str:
        """Return the tooltip of a node."""
        if self.is_large and span.weight < SMALL * self.present[0].weight:
            return ""
        counts, classes = span.shares * span.weight, self.problem.classes
        top = [i for i in np.argsort(-counts, kind="stable")[:3] if counts[i] > 0]
        parts = [f"{short(counts[i])} {classes[self.codes[i]]}" for i in top]
        name = "root" if span.node == 0 else f"node {span.node + 1}"
        test = ""
        if span.split is not None:
            test = f": {question(span.split, self.problem)[:LABEL]}"
        return f"{name}{test}\n{', '.join(parts) or 'no rows'}"

    # --- words ----------------------------------------------------------------------------------

    def _all_words(self) -> list[TimedMark[Texts]]:
        """Return the words below nodes in two lines, and the values on edges."""
        words = [word for span in self.nodes for word in self._words_of(span) if word.text]
        growing = []
        for dy in (FIRST_LINE, SECOND_LINE, ON_EDGE):
            line = [word for word in words if word.dy == dy]
            if line:
                x, y, _, texts, nodes = zip(*line, strict=True)
                lines = Texts(panel=PANEL, x=x, y=y, text=texts, dy=dy, halo=True)
                growing.append(TimedMark(lines, nodes))
        return growing

    def _words_of(self, span: NodeSpan) -> Iterator[Word]:
        """Yield the words of a node: its class, or its column and threshold."""
        x, y = self.place(span.node)
        below, room = y - BAR_TOP - BAR, self.letters(span.node)
        if span.split is None:
            winner = self.problem.classes[self.codes[span.winner]]
            yield Word(x, below, FIRST_LINE, fitting(winner, room), span)
            return
        column, cut = self._test(span)
        if cut and self.layout.height > MAX_LEVELS:
            joined = f"{column} {cut}"
            column = joined if len(joined) <= room else column
        elif cut and len(cut) <= room:
            yield Word(x, below, SECOND_LINE, cut, span)
        yield Word(x, below, FIRST_LINE, fitting(column, room), span)
        if not cut:
            yield from self._values(span)

    def _test(self, span: NodeSpan) -> tuple[str, str]:
        """Return the column of a split and, if it has a single one, its threshold."""
        split = span.split
        assert split is not None
        if split.cut is None:
            return self.problem.features[split.column], ""
        cut = threshold_text(split.cut, self.problem.X[:, split.column], 4)
        return self.problem.features[split.column], f"≤ {cut}".replace("-", "−")

    def _values(self, span: NodeSpan) -> Iterator[Word]:
        """Yield the values on the edges of a split without a single threshold."""
        assert span.split is not None
        texts = branch_texts(span.split, self.problem)
        for child, text in zip(span.children, texts, strict=False):
            if child in self.layout.x:
                x, y = self.place(child)
                value = fitting(text.removeprefix("= ").removeprefix("in "), self.letters(child))
                yield Word(x, y + VALUE, ON_EDGE, value, span)

    # --- places ---------------------------------------------------------------------------------

    def place(self, node: int) -> tuple[float, float]:
        """Return the coordinates of a node."""
        return self.layout.x[node], -float(self.layout.depth[node])

    def letters(self, node: int) -> float:
        """Return the number of characters that fit beside a node."""
        return self.layout.room[node] * LETTERS / max(self.layout.width + 0.4, 1.0)

    def strokes(self, parent: int, child: int) -> list[Stroke]:
        """Return the edge to a child: along, then down, with a gap where a value is written."""
        (x0, y0), (x1, y1) = self.place(parent), self.place(child)
        if self.is_large:
            return [(x0, y0, x1, y1)]
        if (parent, child) not in self._edges_with_values:
            return [(x0, y0, x1, y0), (x1, y0, x1, y1)]
        if x0 == x1:  # below the words of the parent
            y0 -= BELOW
        return [(x0, y0, x1, y0), (x1, y0, x1, y1 + VALUE + GAP), (x1, y1 + VALUE - GAP, x1, y1)]

    @cached_property
    def _edges_with_values(self) -> set[tuple[int, int]]:
        """The edges of splits that have no single threshold."""
        splits = [s for s in self.nodes if s.split is not None and s.split.cut is None]
        return {(s.node, child) for s in splits for child in s.children}


def _merged(nodes: Sequence[NodeSpan]) -> list[NodeSpan]:
    """Return the nodes with all frames that show them, split or not."""
    latest: dict[tuple[int, int], NodeSpan] = {}
    merged = []
    for span in nodes:
        edge = span.node, span.parent
        previous = latest.get(edge)
        if previous is not None and previous.last == span.first:
            latest[edge] = replace(span, first=previous.first)
            continue
        if previous is not None:
            merged.append(previous)
        latest[edge] = span
    return sorted([*merged, *latest.values()], key=attrgetter("first"))


def _segments(strokes: Sequence[Stroke], width: float) -> Segments:
    x0, y0, x1, y1 = np.array(strokes, float).reshape(-1, 4).T
    return Segments(panel=PANEL, x0=x0, y0=y0, x1=x1, y1=y1, width=width)
