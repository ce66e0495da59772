"""Apriori as a picture: the baskets that contain the candidate, the lattice of item sets, and the line of support."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.association.apriori.lattice_scene import FREQUENT, LEGEND, Lattice, Shot
from dmlib.association.apriori.ledger import Ledger
from dmlib.association.apriori.passes import AprioriStep
from dmlib.pictures.data.baskets import (
    baskets_notes,
    baskets_panel,
    baskets_points,
    baskets_scene,
    shown_baskets,
    shown_items,
)
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import xy
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Panel, Scene
from dmlib.pictures.words import num
from dmlib.problem import BasketsProblem

MOST_COUNTED = 60
"""Runs with more candidates have one frame for all candidates of a level."""

CURVE = 400  # places of the curve of supports


def apriori_scene(run: Run) -> Scene:
    """Draw a run of Apriori, AprioriTid or AIS.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.Apriori` on baskets.

    Returns
    -------
    Scene
        One frame for each join and each prune, for each candidate that is counted (of many, for each level), and one
        for the end.

    Examples
    --------
    >>> from dmlib.association import Apriori
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea"}])
    >>> scene = apriori_scene(Run.of(problem, Apriori(0.5)))
    >>> [frame.phase for frame in scene.frames]
    ['count', 'count', 'join', 'count', 'join', 'done']
    """
    problem, steps, min_support = run.problem, run.trace.steps, run.model.min_support
    if not steps:
        alone = baskets_scene(problem)
        return Scene(alone.panels, alone.marks, (Frame(run.trace.reason),), alone.notes)
    shots = frames_of(steps)
    lattice = Lattice(problem.items, steps, shots)
    ledger = Ledger(problem, steps, min_support, lattice)
    supports, line = _supports_panel(steps, len(problem.matrix), min_support)
    marks = (
        *_basket_marks(problem, steps, shots),
        *lattice.marks(),
        *_support_marks(steps, shots, len(problem.matrix)),
        *_level_marks(steps, shots),
    )
    frames = [Frame(*ledger.told(i, at), phase=steps[i].phase) for i, at in shots]
    panels = (baskets_panel(problem), lattice.panel(), supports, _levels_panel(steps))
    notes = (*problem.notes, *baskets_notes(problem), *lattice.note())
    return Scene(panels, marks, frames, notes, (line,), LEGEND)


def frames_of(steps: Sequence[AprioriStep]) -> list[Shot]:
    """Return the step of each frame, and the candidate that it counts."""
    each = steps[-1].n_candidates <= MOST_COUNTED
    shots: list[Shot] = []
    for i, step in enumerate(steps):
        one_by_one = each and step.phase == "count"
        shots += [(i, at) for at in range(len(step.candidates))] if one_by_one else [(i, None)]
    return shots


def _counted(step: AprioriStep, at: int | None) -> int:
    """Return how many candidates of a step are counted in a frame."""
    return len(step.counts) if at is None else at + 1


# --- the baskets ------------------------------------------------------------------------------------------------------


def _basket_marks(problem: BasketsProblem, steps: Sequence[AprioriStep], shots: Sequence[Shot]) -> tuple[Mark, ...]:
    """Return the ticks; of the candidate that is counted, the baskets that contain it and its ticks in them."""
    items, baskets = shown_items(problem), shown_baskets(problem)
    column = np.full(len(problem.items), -1)
    column[items] = np.arange(len(items))
    height = np.arange(len(baskets))[::-1]  # the first basket is on top
    lit, x, y, dropped = [], [], [], []
    for i, at in shots:
        candidate = steps[i].candidates[at] if at is not None else np.empty(0, np.intp)
        rows = height[problem.matrix[np.ix_(baskets, candidate)].all(axis=1) & (at is not None)]
        shown = column[candidate][column[candidate] >= 0]
        lit.append(rows)
        x.append(np.tile(shown, len(rows)))
        y.append(np.repeat(rows, len(shown)))
        left = [step.remaining for step in steps[:i] if len(step.remaining)]
        dropped.append(height[~left[-1][baskets]] if left else height[:0])
    return (
        _rows(dropped, len(items), NO_CLASS, 0.25),
        _rows(lit, len(items), FREQUENT, 0.2),
        baskets_points(problem),
        Points(x=PerFrame(x), y=PerFrame(y), color=[FREQUENT], symbol=[0], size=[6.0]),
    )


def _rows(rows: Sequence[np.ndarray], width: int, color: int, opacity: float) -> Rects:
    """Return bars behind baskets."""
    low, high = (PerFrame([some + shift for some in rows]) for shift in (-0.45, 0.45))
    left, right = (PerFrame([np.full(len(some), end) for some in rows]) for end in (-0.5, width - 0.5))
    colors = PerFrame([np.full(len(some), color, np.uint8) for some in rows])
    return Rects(x0=left, x1=right, y0=low, y1=high, color=colors, opacity=[opacity])


# --- beside them ------------------------------------------------------------------------------------------------------


def _supports_panel(steps: Sequence[AprioriStep], n_baskets: int, min_support: float) -> tuple[Panel, Handle]:
    """Return the panel of the sorted supports, and the line in it that sets the minimum support."""
    top = max(int(step.counts.max(initial=0)) for step in steps) / n_baskets
    high = min(1.05, 1.1 * max(top, min_support))
    x = Axis("candidates, by support", 0.0, steps[-1].n_candidates + 1.0, integer=True)
    panel = Panel("supports", x, Axis("support", 0.0, high), title="Supports: drag the line", side=True)
    return panel, Handle("min_support", "supports", f"min_support = {num(min_support)}", "y", None, min_support)


def _support_marks(steps: Sequence[AprioriStep], shots: Sequence[Shot], n_baskets: int) -> tuple[Mark, ...]:
    """Return the curve, and the place of the candidate that is counted on it."""
    passes = [i for i, step in enumerate(steps) if step.phase == "count"]
    supports = np.concatenate([steps[i].counts for i in passes]) / n_baskets
    order = np.argsort(-supports, kind="stable")
    rank = np.argsort(order) + 1
    first = dict(zip(passes, np.cumsum([0, *(len(steps[i].counts) for i in passes)]), strict=False))
    places = np.stack([rank, supports], axis=1)
    x, y = xy(None if at is None else places[first[i] + at] for i, at in shots)
    shown = np.unique(np.linspace(0, len(order) - 1, CURVE).astype(int))
    return (
        Line(panel="supports", x=shown + 1, y=supports[order][shown], color="accent"),
        Points(panel="supports", x=x, y=y, color=[NO_CLASS], emphasis=True, size=[5.0]),
    )


def _levels_panel(steps: Sequence[AprioriStep]) -> Panel:
    sizes = [step.level for step in steps if step.phase == "count"]
    most = max(len(step.counts) for step in steps)
    x = Axis("items in the set", 0.5, max(sizes) + 0.5, integer=True)
    return Panel(
        "levels", x, Axis("item sets", 0.0, 1.1 * most, integer=True), title="Counted (grey), frequent", side=True
    )


def _level_marks(steps: Sequence[AprioriStep], shots: Sequence[Shot]) -> tuple[Mark, ...]:
    """Return bars of the candidates counted, and of the frequent ones among them."""
    passes = [i for i, step in enumerate(steps) if step.phase == "count"]
    counted, frequent = [], []
    for now, at in shots:
        n = [_counted(steps[i], at if i == now else None) if i <= now else 0 for i in passes]
        counted.append(np.array(n, float))
        frequent.append(np.array([steps[i].frequent[:k].sum() for i, k in zip(passes, n, strict=True)], float))
    x = np.array([steps[i].level for i in passes], float)
    return tuple(
        Rects(
            panel="levels",
            x0=x - 0.4,
            x1=x + 0.4,
            y0=0 * x,
            y1=PerFrame(rows),
            color=np.full(len(x), color, np.uint8),
            numbers=x,
            of="items",
        )
        for rows, color in ((counted, NO_CLASS), (frequent, FREQUENT))
    )
