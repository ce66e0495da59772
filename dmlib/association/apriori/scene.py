"""Apriori as a picture: the baskets that contain a candidate, the lattice, the line of support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.association.apriori.algorithm import Apriori
from dmlib.association.apriori.lattice_scene import FREQUENT, LEGEND, Lattice
from dmlib.association.apriori.ledger import Narrator
from dmlib.association.apriori.passes import AprioriStep
from dmlib.association.apriori.shots import Shot, shots_of
from dmlib.evenly import evenly
from dmlib.pictures.data.baskets import (
    baskets_notes,
    baskets_panel,
    baskets_points,
    shown_baskets,
    shown_items,
)
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.pictures.words import num
from dmlib.problem import BasketsProblem

MAX_PLACES = 400  # of the curve of supports


@needs_steps
def apriori_scene(run: Run[BasketsProblem, Apriori]) -> Scene:
    """Draw a run of Apriori, AprioriTid or AIS.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.Apriori` on baskets.

    Returns
    -------
    Scene
        One frame for each join and each prune, for each candidate that is counted (of many, for
        each level), and one for the end.

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
    shots = shots_of(steps)
    matrix = BasketMatrix(problem, steps)
    lattice = Lattice(problem.items, len(problem.matrix), shots)
    supports = SupportCurve(steps, len(problem.matrix), min_support)
    levels = LevelBars(steps)
    narrator = Narrator(problem, steps, min_support, lattice)

    def draw(moment: Moment) -> Drawing:
        shot: Shot = moment.step
        marks = (
            *matrix.marks(shot),
            *lattice.marks(moment.index),
            *supports.marks(shot),
            *levels.marks(shot),
        )
        return Drawing(marks, *narrator.caption_and_ledger(shot), shot.step.phase)

    return story(
        run,
        draw,
        panels=(
            replace(baskets_panel(problem), title="Baskets"),
            lattice.panel(),
            supports.panel(),
            levels.panel(),
        ),
        steps=shots,
        legend=LEGEND,
        handles=(supports.handle(),),
        notes=(*baskets_notes(problem), *lattice.note()),
        max_frames=len(shots),
    )


class BasketMatrix:
    """The ticks; of the candidate that is counted, the baskets that contain it.

    Parameters
    ----------
    problem : BasketsProblem
        The baskets.
    steps : sequence of AprioriStep
        The run.
    """

    def __init__(self, problem: BasketsProblem, steps: Sequence[AprioriStep]) -> None:
        items, self.baskets = shown_items(problem), shown_baskets(problem)
        self.matrix, self.width = problem.matrix[self.baskets], len(items)
        self.ticks = baskets_points(problem)
        self.column = np.full(len(problem.items), -1)
        self.column[items] = np.arange(len(items))
        self.height = np.arange(len(self.baskets))[::-1]  # the first basket is on top
        self.remaining = {i: step.remaining for i, step in enumerate(steps) if len(step.remaining)}

    def marks(self, shot: Shot) -> tuple[Mark, ...]:
        """Return the baskets without a candidate, those with the candidate, and its ticks."""
        rows, columns = self.height[:0], self.column[:0]
        if shot.items is not None:
            rows = self.height[self.matrix[:, shot.items].all(axis=1)]
            columns = self.column[shot.items]
        places = [(x, y) for y in rows for x in columns[columns >= 0]]
        return (
            self._bars(self._dropped(shot.number), NO_CLASS, 0.25),
            self._bars(rows, FREQUENT, 0.2),
            self.ticks,
            points_at(places, color=[FREQUENT], symbol=[0], size=[6.0]),
        )

    def _dropped(self, number: int) -> NDArray[np.intp]:
        """Return the heights of the baskets that a step does not search any more (AprioriTid)."""
        remaining = [baskets for i, baskets in self.remaining.items() if i < number]
        return self.height[~remaining[-1][self.baskets]] if remaining else self.height[:0]

    def _bars(self, rows: NDArray[np.intp], color: int, opacity: float) -> Rects:
        """Return bars behind baskets."""
        return Rects(
            x0=np.full(len(rows), -0.5),
            x1=np.full(len(rows), self.width - 0.5),
            y0=rows - 0.45,
            y1=rows + 0.45,
            color=np.full(len(rows), color, np.uint8),
            opacity=[opacity],
        )


class SupportCurve:
    """The supports of all candidates, sorted, and the line that sets the minimum support.

    Parameters
    ----------
    steps : sequence of AprioriStep
        The run.
    n_baskets : int
        The number of baskets.
    min_support : float
        The minimum support.
    """

    def __init__(self, steps: Sequence[AprioriStep], n_baskets: int, min_support: float) -> None:
        self.min_support = min_support
        counts = {i: step.counts for i, step in enumerate(steps) if step.phase == "count"}
        ends = np.cumsum([len(each) for each in counts.values()])
        self.ends = dict(zip(counts, ends.tolist(), strict=True))
        self.supports = np.concatenate(list(counts.values())) / n_baskets
        order = np.argsort(-self.supports, kind="stable")
        self.rank = np.argsort(order) + 1
        places = evenly(len(order), MAX_PLACES)
        heights = self.supports[order][places]
        self.curve = Line(panel="supports", x=places + 1, y=heights, color="accent")

    def panel(self) -> Panel:
        """Return the panel."""
        top = max(self.supports.max(initial=0.0), self.min_support)
        return Panel(
            "supports",
            Axis("candidates, by support", 0.0, len(self.supports) + 1.0, integer=True),
            Axis("support", 0.0, min(1.05, 1.1 * top)),
            title="Supports: drag the line",
            side=True,
        )

    def handle(self) -> Handle:
        """Return the line that sets the minimum support."""
        text = f"min_support = {num(self.min_support)}"
        return Handle("min_support", "supports", text, "y", None, self.min_support)

    def marks(self, shot: Shot) -> tuple[Line, Points]:
        """Return the curve, and the place of the candidate that is counted on it."""
        places = NOWHERE
        if shot.candidate is not None:
            at = self.ends[shot.number] - len(shot.step.counts) + shot.candidate
            places = np.array([[self.rank[at], self.supports[at]]])
        point = points_at(places, panel="supports", color=[NO_CLASS], emphasis=True, size=[5.0])
        return self.curve, point


class LevelBars:
    """The number of candidates of each size, and of the frequent ones among them.

    Parameters
    ----------
    steps : sequence of AprioriStep
        The run.
    """

    def __init__(self, steps: Sequence[AprioriStep]) -> None:
        self.passes = {i: step for i, step in enumerate(steps) if step.phase == "count"}
        self.sizes = np.array([step.level for step in self.passes.values()], float)
        self.top = 1.1 * max(len(step.counts) for step in self.passes.values())

    def panel(self) -> Panel:
        """Return the panel."""
        return Panel(
            "levels",
            Axis("items in the set", 0.5, self.sizes.max() + 0.5, integer=True),
            Axis("item sets", 0.0, self.top, integer=True),
            title="Counted (grey) and frequent",
            side=True,
        )

    def marks(self, shot: Shot) -> tuple[Rects, Rects]:
        """Return the bars of a moment."""
        counted = {i: shot.n_counted(i, len(step.counts)) for i, step in self.passes.items()}
        frequent = [step.frequent[: counted[i]].sum() for i, step in self.passes.items()]
        return self._bars(list(counted.values()), NO_CLASS), self._bars(frequent, FREQUENT)

    def _bars(self, heights: Sequence[int], color: int) -> Rects:
        return Rects(
            panel="levels",
            x0=self.sizes - 0.4,
            x1=self.sizes + 0.4,
            y0=np.zeros(len(self.sizes)),
            y1=np.array(heights, float),
            color=np.full(len(self.sizes), color, np.uint8),
            numbers=self.sizes,
            of="items",
        )
