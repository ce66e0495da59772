"""Two sets, baskets or texts as a picture: their items side by side, all others by their distances, the matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.data.baskets import baskets_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.pictures.words import num
from dmlib.similarity.measures.algorithm import MeasureStep
from dmlib.similarity.measures.bags import BagSpace
from dmlib.similarity.measures.bags_ledger import BagTeller
from dmlib.similarity.measures.pairs_scene import AFTER, A, B, detours_panel, matrix_panel

MOST_ITEMS = 26  # that are drawn
FAINT = 0.25  # opacity of what is not counted yet
FEW = 12  # items in neither bag up to which they are drawn too


def bags_scene(run: Run) -> Scene:
    """Draw what two bags have in common.

    Examples
    --------
    >>> from dmlib.problem.bags import prepare_bags
    >>> from dmlib.similarity import BagSimilarity
    >>> problem = prepare_bags([["bread", "milk"], ["bread", "beer"]])
    >>> [frame.phase for frame in bags_scene(Run.of(problem, BagSimilarity())).frames]
    ['start', 'column', 'column', 'column', 'column', 'total', 'nearest', 'triples', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        first = baskets_scene(problem)
        return Scene(first.panels, first.marks, (Frame(trace.reason),), first.notes)
    model, steps = run.fitted, trace.steps
    space = model.space(problem.data)
    teller = BagTeller(problem, model, space, run.selected)
    items, item_marks, notes = _items(teller, steps)
    sides = [_distances(run, space), matrix_panel(problem, space), detours_panel(space, steps)]
    marks = [*item_marks, *(mark for _, some in sides for mark in some)]
    return Scene((items, *(side for side, _ in sides)), marks, Deferred(teller.frame, steps), (*problem.notes, *notes))


def _items(teller: BagTeller, steps: Sequence[MeasureStep]) -> tuple[Panel, list[Mark], tuple[str, ...]]:
    """Return the items of A to the left and of B to the right, those in both on top."""
    a, b, names = teller.a, teller.b, teller.problem.items
    corner = np.select([(a > 0) & (b > 0), a > 0, b > 0], [0, 1, 2], 3)
    n_neither = int((corner == 3).sum())
    there = np.flatnonzero((corner < 3) | (n_neither <= FEW))
    there = there[np.lexsort([-(a + b)[there], corner[there]])]
    some = _share_of_each(corner[there], MOST_ITEMS)
    drawn = there[some]
    k = len(drawn)
    up = k - 1 - np.arange(k, dtype=float)
    most = float(max(a[drawn].max(initial=1.0), b[drawn].max(initial=1.0)))
    title = f"A, {teller.both[0]} (left), and B, {teller.both[1]} (right)"
    ticks = [names[j] for j in drawn][::-1]
    up_axis = Axis(teller.problem.holds, -0.7, max(k, 1) - 0.3, ticks=ticks)
    panel = Panel("data", Axis("", -1.18 * most, 1.18 * most), up_axis, title)
    done = [len(step.terms) for step in steps]
    marks: list[Mark] = []
    for counts, way, color in ((a[drawn], -1.0, A), (b[drawn], 1.0, B)):
        has = counts > 0
        ends = np.sort(np.column_stack([np.zeros(has.sum()), way * counts[has]]), axis=1)
        shades = [np.where(corner[drawn][has] < n, 1.0, FAINT) for n in done]
        marks.append(
            Rects(x0=ends[:, 0], x1=ends[:, 1], y0=up[has] - 0.36, y1=up[has] + 0.36, color=[color],
                  opacity=PerFrame(shades), numbers=corner[drawn][has] + 1, of="items")
        )  # fmt: skip
        if most > 1:
            at = way * (counts[has] + 0.09 * most)
            marks.append(Texts(x=at, y=up[has], text=[num(n) for n in counts[has]], of=""))
    borders = np.flatnonzero(np.diff(corner[drawn])) + 1
    marks += [
        Line(x=[panel.x.low, panel.x.high], y=[k - i - 0.5] * 2, color="muted", width=1.0, dash=True, of="")
        for i in borders
    ]
    notes = [f"{k} of {len(there)} items are drawn, the most frequent of each part."] if k < len(there) else []
    if n_neither > FEW:
        notes.append(f"{n_neither:,} items that are in neither are not drawn.")
    return panel, marks, tuple(notes)


def _share_of_each(corner: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return the places of at most so many items: of each part as many, as far as it has them."""
    place = np.concatenate([np.arange(n) for n in np.bincount(corner, minlength=4)]) if len(corner) else corner
    return np.sort(np.argsort(place, kind="stable")[:most])


def _distances(run: Run, space: BagSpace) -> tuple[Panel, list[Mark]]:
    """Return all bags by their distances from both."""
    model, problem, steps = run.fitted, run.problem, run.trace.steps
    b = model.points(space.X)[1]
    x: Floats = np.asarray(model.to_rows_)
    y = np.asarray(space.between(b, space.X))
    low, high = -0.06 * max(x.max(), y.max()), 1.06 * max(x.max(), y.max()) or 1.0
    panel = Panel("from", Axis("from A", low, high), Axis("from B", low, high), "Distances", side=True)
    near = [model.nearest_ if AFTER[step.phase] >= AFTER["nearest"] else model.nearest_[:0] for step in steps]
    both = [model.first - 1, model.second - 1]
    return panel, [
        Points(panel="from", x=x, y=y, color=[NO_CLASS], size=[3.5], opacity=[0.6], labels=problem.labels,
               numbers=problem.rows + 1, data=True),
        Points(panel="from", x=PerFrame([x[rows] for rows in near]), y=PerFrame([y[rows] for rows in near]),
               color=[A], size=[4.5], of=""),
        Points(panel="from", x=x[both], y=y[both], color=[A, B], symbol=[A, B], size=[7.0], emphasis=True, of=""),
    ]  # fmt: skip
