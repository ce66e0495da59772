"""Two sets, baskets or texts as a picture: their items, all distances, and triples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.pictures.words import num
from dmlib.problem import BagsProblem
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.bags import BagSimilarity, BagSpace
from dmlib.similarity.measures.bags_ledger import BagNarrator
from dmlib.similarity.measures.pairs_scene import (
    A,
    B,
    detours_plot,
    has_reached,
    matrix_plot,
    pair_points,
)

MAX_ITEMS = 26  # that are drawn
FAINT = 0.25  # opacity of what is not counted yet
MAX_NEITHER = 12  # items in neither bag up to which they are drawn too
IN_NEITHER = 3  # the last corner


def bags_scene(run: Run[BagsProblem, BagSimilarity]) -> Scene:
    """Draw the common items of two bags.

    Examples
    --------
    >>> from dmlib.problem.bags import prepare_bags
    >>> from dmlib.similarity import BagSimilarity
    >>> problem = prepare_bags([["bread", "milk"], ["bread", "beer"]])
    >>> [frame.phase for frame in bags_scene(Run.of(problem, BagSimilarity())).frames]
    ['start', 'column', 'column', 'column', 'column', 'total', 'nearest', 'triples', 'done']
    """
    problem, model = run.problem, run.fitted
    space = model.space(problem.data)
    narrator = BagNarrator(problem, model, space, run.selected)
    items = _Items(narrator)
    plots = (_distances(run, space), matrix_plot(problem, space), detours_plot(space))

    def draw(moment: Moment) -> Drawing:
        step: MeasureStep = moment.step
        sides = [mark for plot in plots for mark in plot.marks(moment)]
        marks = (*items.marks(len(step.terms)), *sides)
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    panels = (items.panel, *(plot.panel for plot in plots))
    legend = [Key("A", A, kind="area"), Key("B", B, kind="area"), Key("nearest to A", A)]
    return story(run, draw, panels=panels, notes=items.notes, legend=legend)


class _Items:
    """The items of A to the left and of B to the right, those in both on top."""

    def __init__(self, narrator: BagNarrator) -> None:
        self.narrator, self.problem = narrator, narrator.problem
        a, b = narrator.a, narrator.b
        corners = np.select([(a > 0) & (b > 0), a > 0, b > 0], [0, 1, 2], IN_NEITHER)
        self.n_neither = int((corners == IN_NEITHER).sum())
        candidates = np.flatnonzero((corners < IN_NEITHER) | (self.n_neither <= MAX_NEITHER))
        candidates = candidates[np.lexsort([-(a + b)[candidates], corners[candidates]])]
        self.n_candidates = len(candidates)
        self.items = candidates[_share_of_each(corners[candidates], MAX_ITEMS)]
        self.corners = corners[self.items]
        self.counts = a[self.items], b[self.items]
        self.top = float(max(counts.max(initial=1.0) for counts in self.counts))
        self.labels = list(self._labels())
        self.borders = list(self._borders())

    @property
    def panel(self) -> Panel:
        """The panel of the items."""
        a, b = self.narrator.pair_names
        ticks = [self.problem.items[j] for j in self.items[::-1]]
        up = Axis(self.problem.holds, -0.7, max(len(self.items), 1) - 0.3, ticks=ticks)
        across = Axis("", -1.18 * self.top, 1.18 * self.top)
        return Panel("data", across, up, f"A, {a} (left), and B, {b} (right)")

    @property
    def notes(self) -> tuple[str, ...]:
        """The items that are not drawn."""
        k, notes = len(self.items), []
        if k < self.n_candidates:
            text = f"{k} of {self.n_candidates} items are drawn, the most frequent of each part."
            notes.append(text)
        if self.n_neither > MAX_NEITHER:
            notes.append(f"{self.n_neither:,} items that are in neither are not drawn.")
        return tuple(notes)

    def marks(self, n_counted: int) -> list[Mark]:
        """Return the items after so many corners are counted."""
        bars = self._bars(0, n_counted), self._bars(1, n_counted)
        if self.labels:
            return [bars[0], self.labels[0], bars[1], self.labels[1], *self.borders]
        return [*bars, *self.borders]

    def _ends(self, side: int) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Return which items a bag has, the ends of its bars, and their heights."""
        counts = self.counts[side]
        has = counts > 0
        up = np.arange(len(counts) - 1.0, -1.0, -1.0)
        return has, (1.0 if side else -1.0) * counts[has], up[has]

    def _bars(self, side: int, n_counted: int) -> Rects:
        has, ends, up = self._ends(side)
        return Rects(
            x0=np.minimum(ends, 0.0),
            x1=np.maximum(ends, 0.0),
            y0=up - 0.36,
            y1=up + 0.36,
            color=[(A, B)[side]],
            opacity=np.where(self.corners[has] < n_counted, 1.0, FAINT),
            numbers=self.corners[has] + 1,
            of="items",
        )

    def _labels(self) -> Iterator[Texts]:
        """Yield the counts of both bags, where a bag may hold an item several times."""
        if self.top <= 1:
            return
        for side, counts in enumerate(self.counts):
            _, ends, up = self._ends(side)
            texts = [num(n) for n in counts[counts > 0]]
            yield Texts(x=ends + np.sign(ends) * 0.09 * self.top, y=up, text=texts, of="")

    def _borders(self) -> Iterator[Line]:
        """Yield the lines between the corners."""
        low, high = self.panel.x.low, self.panel.x.high
        for i in np.flatnonzero(np.diff(self.corners)) + 1:
            y = len(self.items) - i - 0.5
            yield line_through([[low, y], [high, y]], color="muted", width=1.0, dash=True, of="")


def _share_of_each(corner: NDArray[np.intp], max_items: int) -> NDArray[np.intp]:
    """Return the places of at most so many items, as equally many of each corner as possible."""
    if not len(corner):
        return corner
    place = np.concatenate([np.arange(n) for n in np.bincount(corner, minlength=4)])
    return np.sort(np.argsort(place, kind="stable")[:max_items])


def _distances(run: Run[BagsProblem, BagSimilarity], space: BagSpace) -> Plot:
    """Return all bags by their distances from both."""
    model, problem = run.fitted, run.problem
    b = model.points(space.X)[1]
    places = np.column_stack([model.to_rows_, space.between(b, space.X)])
    top = places.max()
    low, high = -0.06 * top, 1.06 * top or 1.0
    x, y = Axis("from A", low, high), Axis("from B", low, high)
    panel = Panel("from", x, y, "Distances", side=True)
    bags = points_at(
        places,
        panel="from",
        color=[NO_CLASS],
        size=[3.5],
        opacity=[0.6],
        labels=problem.labels,
        numbers=problem.rows + 1,
        data=True,
    )
    pair = pair_points(places[[model.first - 1, model.second - 1]], "from")

    def nearest(moment: Moment) -> Points:
        rows = model.nearest_ if has_reached(moment.step, "nearest") else model.nearest_[:0]
        return points_at(places[rows], panel="from", color=[A], size=[4.5], of="")

    return Plot(panel, lambda moment: (bags, nearest(moment), pair))
