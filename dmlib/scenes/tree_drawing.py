"""The panel of a decision tree: nodes, their classes as bars, and the words that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.problem import Problem
from dmlib.scene import Axis, Mark, Panel, PerFrame, Points, Rects, Segments, Texts
from dmlib.scenes.split_arithmetic import answers, question, short
from dmlib.scenes.tree_growth import NOWHERE, Standing, blocks
from dmlib.scenes.tree_layout import Layout, fitting

PANEL = "tree"
LETTERS = 46  # characters across the panel on a small laptop
BAR_TOP, BAR = 0.14, 0.11  # where the bar of a node begins below its middle, and its height, in levels
BAR_WIDTH = 0.72  # in leaves
MOST_LEVELS = 7  # levels up to which the words beside a node have two lines
MOST_BARS = 300  # nodes whose classes are drawn as a bar
LABEL = 40  # characters of a tooltip's test

Edges = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Drawing:
    """What the panel is drawn from.

    Attributes
    ----------
    problem : Problem
        The data.
    layout : Layout
        Where the nodes lie.
    standing : sequence of Standing
        Which nodes stand from which frame to which.
    codes : sequence of int
        The codes of the model's classes.
    n_frames : int
        How many frames there are.
    """

    problem: Problem
    layout: Layout
    standing: Sequence[Standing]
    codes: Sequence[int]
    n_frames: int

    @property
    def nodes(self) -> list[Standing]:
        """What stands and is a node."""
        return [s for s in self.standing if s.node != NOWHERE]

    def place(self, node: int) -> tuple[float, float]:
        """Return where a node is drawn."""
        return self.layout.x[node], -float(self.layout.depth[node])

    def letters(self, node: int) -> float:
        """Return how many characters fit beside a node."""
        return self.layout.room[node] * LETTERS / max(self.layout.width + 0.4, 1.0)


def tree_panel(drawing: Drawing) -> Panel:
    """Return the panel of the tree: the root on top."""
    width, height = drawing.layout.width, drawing.layout.height
    return Panel(PANEL, Axis("", -0.7, max(width - 0.3, 0.7)), Axis("", -height - 0.55, 0.55), "Tree")


def tree_marks(drawing: Drawing, current: Sequence[Sequence[int]], ways: Sequence[Edges]) -> list[Mark]:
    """Return the marks of the panel.

    Parameters
    ----------
    drawing : Drawing
        What is drawn.
    current : sequence of sequence of int
        For each frame the nodes that it is about.
    ways : sequence of sequence of (int, int)
        For each frame the edges that lead there.
    """
    return [
        *_edges(drawing),
        _way(drawing, ways),
        *_bars(drawing),
        *_circles(drawing),
        _emphasis(drawing, current),
        *_words(drawing),
    ]


def _edges(drawing: Drawing) -> list[Segments]:
    some = [s for s in drawing.nodes if s.parent >= 0]
    marks = []
    for part, hide in blocks([(s.first, s.last) for s in some], drawing.n_frames):
        starts = np.array([drawing.place(s.parent) for s in some[part]])
        ends = np.array([drawing.place(s.node) for s in some[part]])
        marks.append(Segments(panel=PANEL, x0=hide(starts[:, 0]), y0=starts[:, 1], x1=ends[:, 0], y1=ends[:, 1]))
    return marks


def _way(drawing: Drawing, ways: Sequence[Edges]) -> Segments:
    """Return the way from the root to the nodes that each frame is about."""
    ends = [np.array([(*drawing.place(a), *drawing.place(b)) for a, b in way]).reshape(-1, 4).T for way in ways]
    return Segments(
        panel=PANEL,
        x0=PerFrame([e[0] for e in ends]),
        y0=PerFrame([e[1] for e in ends]),
        x1=PerFrame([e[2] for e in ends]),
        y1=PerFrame([e[3] for e in ends]),
        width=3.5,
    )


def _bars(drawing: Drawing) -> list[Rects]:
    """Return a bar under each node, divided as its classes are."""
    nodes = drawing.nodes
    if len(nodes) > MOST_BARS:
        return []
    pieces = []
    for standing in nodes:
        x, y = drawing.place(standing.node)
        edges = x + BAR_WIDTH * (np.append(0.0, standing.shares.cumsum()) - 0.5)
        for code, left, right in zip(drawing.codes, edges, edges[1:], strict=False):
            if right > left:
                pieces.append((left, right, y - BAR_TOP - BAR, y - BAR_TOP, code, standing.first, standing.last))
    marks = []
    for part, hide in blocks([(int(p[5]), int(p[6])) for p in pieces], drawing.n_frames):
        x0, x1, y0, y1, color, _, _ = np.array(pieces[part]).T
        marks.append(Rects(panel=PANEL, x0=hide(x0), x1=x1, y0=y0, y1=y1, color=color))
    return marks


def _circles(drawing: Drawing) -> list[Points]:
    """Return the nodes in the colour and symbol of their most frequent class, the larger the more rows they have."""
    nodes = drawing.nodes
    most = max(s.weight for s in nodes) or 1.0
    marks = []
    for part, hide in blocks([(s.first, s.last) for s in nodes], drawing.n_frames):
        some = nodes[part]
        x, y = np.array([drawing.place(s.node) for s in some]).T
        marks.append(
            Points(
                panel=PANEL,
                x=hide(x),
                y=y,
                color=[drawing.codes[int(s.shares.argmax())] for s in some],
                size=[3.0 + 4.5 * float(np.sqrt(s.weight / most)) for s in some],
                labels=[_tip(drawing, s) for s in some],
            )
        )
    return marks


def _tip(drawing: Drawing, standing: Standing) -> str:
    """Return what the tooltip says of a node."""
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
    return Points(
        panel=PANEL,
        x=PerFrame([p[:, 0] for p in places]),
        y=PerFrame([p[:, 1] for p in places]),
        color=PerFrame([[drawing.codes[int(shares[node].argmax())] for node in nodes] for nodes in current]),
        emphasis=True,
    )


def _words(drawing: Drawing) -> list[Texts]:
    """Return the words: above a node its column and threshold, below a leaf its class, beside an edge its values."""
    tests, cuts, names, values = [], [], [], []
    two = drawing.layout.height <= MOST_LEVELS
    for standing in drawing.nodes:
        x, y = drawing.place(standing.node)
        room, when = drawing.letters(standing.node), (standing.first, standing.last)
        if standing.split is None:
            best = drawing.codes[int(standing.shares.argmax())]
            names.append((x, y - BAR_TOP - BAR, fitting(drawing.problem.classes[best], room), when))
            continue
        column = drawing.problem.features[standing.split.column]
        threshold = standing.split.thresholds if len(standing.split.thresholds) == 1 else ()
        first, second = (column, answers(standing.split, drawing.problem)[0]) if threshold else (column, "")
        tests.append((x, y, fitting(first, room), when))
        if second and two:
            cuts.append((x, y, fitting(second, room), when))
        if not threshold:
            for child, text in zip(standing.children, answers(standing.split, drawing.problem), strict=False):
                cx, cy = drawing.place(child)
                short_text = fitting(text.removeprefix("= ").removeprefix("in "), drawing.letters(child))
                values.append((x + 0.6 * (cx - x), y + 0.6 * (cy - y), short_text, when))
    shifts = ((tests, -26.0 if two else -14.0), (cuts, -14.0), (names, 9.0), (values, 0.0))
    return [text for words, dy in shifts for text in _texts(words, dy, drawing.n_frames)]


def _texts(words: Sequence[tuple[float, float, str, tuple[int, int]]], dy: float, n_frames: int) -> list[Texts]:
    said = [word for word in words if word[2]]
    return [
        Texts(
            panel=PANEL,
            x=hide([word[0] for word in said[part]]),
            y=[word[1] for word in said[part]],
            text=[word[2] for word in said[part]],
            dy=dy,
        )
        for part, hide in blocks([word[3] for word in said], n_frames)
    ]
