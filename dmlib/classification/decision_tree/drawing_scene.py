"""The panel of a decision tree: nodes, their classes as bars, and the words that fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from dmlib.cached import cached_property
from dmlib.classification.decision_tree.growth_scene import REST, Growing, Standing
from dmlib.classification.decision_tree.significance_ledger import short
from dmlib.classification.decision_tree.split_ledger import answers, question
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import points_at
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import Layout, fitting
from dmlib.problem import Problem
from dmlib.trees.threshold_text import threshold_text

PANEL = "tree"
LETTERS = 43  # characters across the panel on a small laptop
BAR_TOP, BAR = (
    0.14,
    0.11,
)  # where the bar of a node begins below its middle, and its height, in levels
BAR_WIDTH = 0.72  # in leaves
BELOW = 0.42  # how far below a node its words end, in levels
VALUE, GAP = (
    0.36,
    0.1,
)  # where a value is written above a child, and half the gap that it gets, in levels
MAX_LEVELS = 5  # levels up to which the words below a node have two lines
SMALL = 0.01  # share of the rows below which a node of a large tree is not described
LARGE = 80  # nodes beyond which a tree is drawn with less detail
LABEL = 40  # characters of a tooltip's test
FIRST_LINE, SECOND_LINE, ON_EDGE = 9.0, 22.0, 0.0  # shifts downwards of words, in pixels


Edges = Sequence[tuple[int, int]]
Stroke = tuple[float, float, float, float]


class Word(NamedTuple):
    """A text beside a node, as long as the node stands so."""

    x: float
    y: float
    dy: float
    text: str
    node: Standing


class TreeDrawing:
    """A tree that grows: nodes, edges, bars and words, each while its node stands.

    Parameters
    ----------
    problem : Problem
        The data.
    layout : Layout
        Where the nodes lie.
    standing : sequence of Standing
        Which nodes stand from which frame to which.
    codes : sequence of int
        The codes of the model's classes.
    """

    def __init__(
        self, problem: Problem, layout: Layout, standing: Sequence[Standing], codes: Sequence[int]
    ) -> None:
        self.problem, self.layout, self.codes = problem, layout, codes
        self.nodes = [s for s in standing if s.node != REST and s.node in layout.x]
        self.has_cuts = any(s.split is not None and s.split.n_branches == 2 for s in standing)
        self.present = _merged(self.nodes)  # the nodes with the frames of each, split or not
        self.is_large = (
            len(layout.x) > LARGE
        )  # all of it is seen from the start, grey until it has grown
        self._shares = {s.node: s.shares for s in self.nodes}
        self._edges = self._all_edges()
        self._bars = [] if self.is_large else [self._all_bars()]
        self._circles = self._all_circles()
        self._words = self._all_words()

    @property
    def panel(self) -> Panel:
        """The panel of the tree: the root on top."""
        width, height = self.layout.width, self.layout.height
        title = "Decision tree (left branch: true)" if self.has_cuts else "Tree"
        return Panel(
            PANEL, Axis("", -0.7, max(width - 0.3, 0.7)), Axis("", -height - 0.6, 0.3), title
        )

    def marks(self, frame: int, current: Sequence[int], path: Edges) -> list[Mark]:
        """Return the tree in a frame.

        Parameters
        ----------
        frame : int
            The number of the frame.
        current : sequence of int
            The nodes that it is about.
        path : sequence of (int, int)
            The edges that lead there.
        """
        bars = [bars.at(frame) for bars in self._bars]
        edges = self._edges.mark if self.is_large else self._edges.at(frame)
        words = [growing.at(frame) for growing in self._words]
        return [
            edges,
            self._path(path),
            *bars,
            self._points(frame),
            self._emphasis(current),
            *words,
        ]

    def _path(self, edges: Edges) -> Segments:
        """Return the path from the root to the nodes of a frame."""
        strokes = [stroke for edge in edges for stroke in self.strokes(*edge)]
        return _segments(strokes, width=4.0)

    def _points(self, frame: int) -> Points:
        """Return the nodes of a frame; of a large tree all, grey where they do not stand."""
        if not self.is_large:
            return self._circles.at(frame)
        circles, stands = self._circles.mark, self._circles.stands(frame)
        return replace(circles, color=np.where(stands, np.asarray(circles.color), NO_CLASS))

    def _emphasis(self, nodes: Sequence[int]) -> Points:
        """Return the nodes that a frame is about, large and outlined."""
        places = np.array([self.place(node) for node in nodes]).reshape(-1, 2)
        colors = [self.codes[int(self._shares[node].argmax())] for node in nodes]
        return points_at(places, panel=PANEL, color=np.array(colors, np.uint8), emphasis=True)

    # --- all parts ------------------------------------------------------------------------------

    def _all_edges(self) -> Growing[Segments]:
        pairs = [
            (stroke, standing)
            for standing in self.present
            if standing.parent >= 0
            for stroke in self.strokes(standing.parent, standing.node)
        ]
        width = 1.0 if self.is_large else 1.5
        return Growing(_segments([stroke for stroke, _ in pairs], width), [s for _, s in pairs])

    def _all_bars(self) -> Growing[Rects]:
        """Return a bar under each node, divided as its classes are."""
        pieces, nodes = [], []
        for standing in self.present:
            x, y = self.place(standing.node)
            edges = x + BAR_WIDTH * (np.append(0.0, standing.shares.cumsum()) - 0.5)
            for code, start, end in zip(self.codes, edges, edges[1:], strict=False):
                if end > start:
                    pieces.append((start, end, y - BAR_TOP - BAR, y - BAR_TOP, code))
                    nodes.append(standing)
        x0, x1, y0, y1, color = np.array(pieces).T
        return Growing(Rects(panel=PANEL, x0=x0, x1=x1, y0=y0, y1=y1, color=color), nodes)

    def _all_circles(self) -> Growing[Points]:
        """Return the nodes in the colour of their most frequent class, sized by their rows."""
        heaviest = max(s.weight for s in self.nodes) or 1.0
        circles = points_at(
            [self.place(s.node) for s in self.present],
            panel=PANEL,
            color=np.array([self.codes[int(s.shares.argmax())] for s in self.present]),
            size=[3.0 + 4.5 * float(np.sqrt(s.weight / heaviest)) for s in self.present],
            labels=[self._tip(s) for s in self.present],
        )
        return Growing(circles, self.present)

    def _tip(self, standing: Standing) -> str:
        """Return the tooltip of a node."""
        if self.is_large and standing.weight < SMALL * self.present[0].weight:
            return ""
        counts, classes = standing.shares * standing.weight, self.problem.classes
        top = [i for i in np.argsort(-counts, kind="stable")[:3] if counts[i] > 0]
        parts = [f"{short(counts[i])} {classes[self.codes[i]]}" for i in top]
        name = "root" if standing.node == 0 else f"node {standing.node + 1}"
        test = ""
        if standing.split is not None:
            test = f": {question(standing.split, self.problem)[:LABEL]}"
        return f"{name}{test}\n{', '.join(parts) or 'no rows'}"

    # --- words ----------------------------------------------------------------------------------

    def _all_words(self) -> list[Growing[Texts]]:
        """Return the words below nodes in two lines, and the values on edges."""
        words = [word for standing in self.nodes for word in self._words_of(standing) if word.text]
        growing = []
        for dy in (FIRST_LINE, SECOND_LINE, ON_EDGE):
            line = [word for word in words if word.dy == dy]
            if line:
                x, y, _, texts, nodes = zip(*line, strict=True)
                growing.append(Growing(Texts(panel=PANEL, x=x, y=y, text=texts, dy=dy), nodes))
        return growing

    def _words_of(self, standing: Standing) -> Iterator[Word]:
        """Yield the words of a node: below a leaf its class, below another its column and threshold."""
        x, y = self.place(standing.node)
        below, room = y - BAR_TOP - BAR, self.letters(standing.node)
        if standing.split is None:
            winner = self.problem.classes[self.codes[int(standing.shares.argmax())]]
            yield Word(x, below, FIRST_LINE, fitting(winner, room), standing)
            return
        column, cut = self._test(standing)
        if cut and self.layout.height > MAX_LEVELS:
            joined = f"{column} {cut}"
            column = joined if len(joined) <= room else column
        elif cut and len(cut) <= room:
            yield Word(x, below, SECOND_LINE, cut, standing)
        yield Word(x, below, FIRST_LINE, fitting(column, room), standing)
        if not cut:
            yield from self._values(standing)

    def _test(self, standing: Standing) -> tuple[str, str]:
        """Return the column of a split and, if it has a single one, its threshold."""
        split = standing.split
        assert split is not None
        if split.cut is None:
            return self.problem.features[split.column], ""
        cut = threshold_text(split.cut, self.problem.X[:, split.column], 4)
        return self.problem.features[split.column], f"≤ {cut}".replace("-", "−")

    def _values(self, standing: Standing) -> Iterator[Word]:
        """Yield the values on the edges of a split without a single threshold."""
        assert standing.split is not None
        texts = answers(standing.split, self.problem)
        for child, text in zip(standing.children, texts, strict=False):
            if child in self.layout.x:
                x, y = self.place(child)
                value = fitting(text.removeprefix("= ").removeprefix("in "), self.letters(child))
                yield Word(x, y + VALUE, ON_EDGE, value, standing)

    # --- places ---------------------------------------------------------------------------------

    def place(self, node: int) -> tuple[float, float]:
        """Return where a node is drawn."""
        return self.layout.x[node], -float(self.layout.depth[node])

    def letters(self, node: int) -> float:
        """Return how many characters fit beside a node."""
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


def _merged(nodes: Sequence[Standing]) -> list[Standing]:
    """Return the nodes with the frames in which they are there, split or not."""
    latest: dict[tuple[int, int], Standing] = {}
    merged = []
    for standing in nodes:
        edge = standing.node, standing.parent
        before = latest.get(edge)
        if before is not None and before.last == standing.first:
            latest[edge] = replace(standing, first=before.first)
            continue
        if before is not None:
            merged.append(before)
        latest[edge] = standing
    return sorted([*merged, *latest.values()], key=attrgetter("first"))


def _segments(strokes: Sequence[Stroke], width: float) -> Segments:
    x0, y0, x1, y1 = np.array(strokes, float).reshape(-1, 4).T
    return Segments(panel=PANEL, x0=x0, y0=y0, x1=x1, y1=y1, width=width)
