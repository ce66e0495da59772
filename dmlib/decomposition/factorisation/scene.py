"""A factorisation as a picture: rows and their reconstructions, the parts, the codes, the error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import FactorStep
from dmlib.decomposition.factorisation.ledger import Narrator
from dmlib.decomposition.factorisation.parts_scene import parts_scene
from dmlib.decomposition.factorisation.picture import ImageSVD
from dmlib.decomposition.factorisation.picture_parts import ImageParts
from dmlib.decomposition.factorisation.picture_scene import picture_scene
from dmlib.decomposition.factorisation.table_scene import MAX_PARTS, PartsPlot, TablePlot, TableView
from dmlib.pictures.curves import Curve
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

ROOM = 70_000  # bytes for what changes from frame to frame
MIN_FRAMES, MAX_FRAMES = 5, 40
MAX_MOVING = 250  # rows up to which codes move
LEGEND = Key("adds", 0, kind="area"), Key("subtracts", 1, kind="area")
MAX_KEYS = 10  # classes that the legend names


def factorisation_scene(run: Run[Any, Any]) -> Scene:
    """Draw how a table is factorised, and its reconstruction from the parts.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.decomposition import SVD
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 7.0]}), ["a", "b"])
    >>> [frame.phase for frame in factorisation_scene(Run.of(problem, SVD(2))).frames]
    ['start', 'component', 'component', 'done']
    """
    if isinstance(run.model, ImageSVD):
        return picture_scene(run)
    if isinstance(run.model, ImageParts):
        return parts_scene(run)
    return _table_scene(run)


@needs_steps
def _table_scene(run: Run[Any, Any]) -> Scene:
    problem, steps = run.problem, run.trace.steps
    view, n_parts = TableView(problem), len(steps[-1].parts)
    table, parts = TablePlot(view), PartsPlot(view, n_parts)
    codes, energy = CodesPlot(problem, steps[-1]), energy_curve(steps)
    narrator = Narrator(problem, run.fitted, run.selected, view.rows.tolist())

    def draw(moment: Moment) -> Drawing:
        step: FactorStep = moment.step
        marks = (
            *table.marks(step),
            *parts.marks(step),
            codes.points(step),
            *energy.marks(moment.index),
        )
        return Drawing(marks, *narrator.caption_and_ledger(step, moment.before), step.phase)

    n_moving = len(problem.X) if len(problem.X) <= MAX_MOVING else 0
    weight = view.size + min(n_parts, MAX_PARTS) * len(view.columns) + 8 * n_moving
    return story(
        run,
        draw,
        panels=(table.panel, parts.panel, codes.panel, energy.panel),
        legend=(*LEGEND, *codes.legend),
        notes=view.notes(n_parts),
        max_frames=int(np.clip(ROOM // weight, MIN_FRAMES, MAX_FRAMES)),
    )


class CodesPlot:
    """The rows by their first two codes; many rows stand where they are at the end.

    Parameters
    ----------
    problem : Problem
        The table.
    last : FactorStep
        The last step.
    """

    def __init__(self, problem: Problem, last: FactorStep) -> None:
        self.problem, self.last = problem, _first_two(last)
        self.is_moving = len(self.last) <= MAX_MOVING
        x, y = (Axis(f"code {j + 1}", *bounds(self.last[:, j])) for j in (0, 1))
        self.low, self.high = np.array([[x.low, y.low], [x.high, y.high]])
        self.panel = Panel("codes", x, y, "Rows by two codes", side=True)
        self.color = np.full(len(self.last), NO_CLASS, np.uint8)
        self.legend: tuple[Key, ...] = ()
        if problem.classes and problem.y is not None:
            self.color = np.asarray(problem.y, np.uint8)
            names = problem.classes[:MAX_KEYS]
            self.legend = tuple(Key(name, code) for code, name in enumerate(names))

    def points(self, step: FactorStep) -> Points:
        """Return the rows at a step."""
        places = self.last
        if self.is_moving:
            places = np.clip(_first_two(step), self.low, self.high)
        return Points(
            panel="codes",
            x=places[:, 0],
            y=places[:, 1],
            color=self.color,
            size=[3.0],
            labels=self.problem.labels,
            numbers=self.problem.rows + 1,
            data=True,
            tween=self.is_moving,
        )


def _first_two(step: FactorStep) -> Floats:
    """Return two codes of each row, 0 where there are fewer."""
    codes: Floats = np.column_stack([step.codes, np.zeros((len(step.codes), 2))])[:, :2]
    return codes


def energy_curve(steps: Sequence[FactorStep]) -> Curve:
    """Return the share of the energy that is preserved after each step."""
    values = np.clip([step.energy for step in steps], -0.05, 1.0)
    n = len(steps)
    x = Axis("step", -0.02 * n, max(1.05 * (n - 1), 1.0), integer=True)
    y = Axis("share", min(0.0, float(values.min())), 1.05)
    return Curve.of_steps(Panel("energy", x, y, "Energy kept", side=True), values)
