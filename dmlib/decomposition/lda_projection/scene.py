"""Fisher's projection as a picture: an axis turns from the first component to the best ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.classification.lda_classifier.algorithm import LinearDiscriminantAnalysis
from dmlib.decomposition.axis_scene import (
    X_AXIS,
    AngleCurve,
    perpendiculars,
    row_points,
    turning_ends,
)
from dmlib.decomposition.lda_projection.fisher import Scatter
from dmlib.decomposition.lda_projection.ledger import Narrator
from dmlib.decomposition.lda_projection.stages import (
    OwnAxis,
    Stage,
    aligned,
    axes_of,
    stages_of,
    steps_by_stage,
)
from dmlib.decomposition.lda_projection.strips_scene import PANEL, Strips
from dmlib.params import Number
from dmlib.pictures.axes import along, axis_ends
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import Ellipses, Mark, Texts
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if, visible_where
from dmlib.pictures.plane import data_panel
from dmlib.pictures.regions import class_legend
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.problem import Problem

MAX_FEET = 120  # rows whose perpendiculars are drawn
MAX_AXES = 4  # axes that are drawn in the plane
ROOM = 1.4  # heights of the largest ratio that the curve has
NAMED = 0.8  # where on an axis its name stands, from its middle to its end

OPTIONS = {"angle": Option(Number(0.0, 180.0, step=1.0), 20.0)}
"""The angle of the reader's axis in the plane of the picture, in degrees."""


def lda_projection_scene(run: Run[Problem, LinearDiscriminantAnalysis]) -> Scene:
    """Draw the axis that separates the classes best, beside the first component and the reader's.

    There is a frame for the means, the scatter within and between the classes, the reader's axis,
    the first principal component, for each turn from there to the best axis, for each axis of the
    answer, and for the answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 2, 4, 6], "b": [0.0, 2, 0, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = lda_projection_scene(Run.of(problem, LinearDiscriminantAnalysis()))
    >>> phases = [frame.phase for frame in scene.frames]
    >>> phases[:5], phases[-2:]
    (['mean', 'within', 'between', 'try', 'component'], ['axis', 'done'])
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_alone(run)
    scatter, axes = Scatter.of(trace.steps[-1]), axes_of(trace.steps)
    angle = chosen(run, OPTIONS)["angle"]
    (direction,) = along(problem, np.array([angle]))
    own = OwnAxis(angle, direction, scatter.ratio(direction))
    stages = stages_of(scatter, own, axes)
    narrator = Narrator(run, scatter, own, axes)
    plane = PlanePlot(problem, trace.steps[-1], scatter, axes, stages)
    strips, strip_axes = Strips(run, scatter), aligned(scatter, stages)
    curve = RatioCurve(problem, scatter, own, narrator.best)

    def draw(moment: Moment) -> Drawing:
        stage: Stage = moment.step
        marks = (
            *plane.marks(stage, moment.index),
            *strips.marks(strip_axes[moment.index]),
            *curve.marks(stage.axis),
        )
        return Drawing(marks, *narrator.caption_and_ledger(stage), stage.phase)

    ratio = f"{own.ratio:.3g}"
    scene = story(
        run,
        draw,
        panels=(plane.panel, PANEL, curve.panel),
        steps=stages,
        legend=class_legend(problem),
        handles=curve.angles.handles(plane.panel, f"your axis: {ratio}", ratio),
        notes=_notes(problem),
        max_frames=len(stages),
    )
    return replace(scene, steps=steps_by_stage(stages, trace.steps))


def _notes(problem: Problem) -> tuple[str, ...]:
    if problem.plane.exact:
        return ()
    axes = f"Axes run through all {len(problem.features)} columns"
    shadows = "the picture shows their projections, and perpendiculars look slanted"
    return f"{axes}; {shadows}.", "The dashed axis and the curve lie in the plane of the picture."


class PlanePlot:
    """The plane: rows with their feet on an axis, the means with their spread, and the axes.

    Parameters
    ----------
    problem : Problem
        The data.
    step : DiscriminantStep
        The last step of the run.
    scatter : Scatter
        The scatter of the rows.
    axes : sequence of ndarray of shape (n_features,)
        The axes of the answer.
    stages : sequence of Stage
        The stages that are shown.
    """

    def __init__(
        self,
        problem: Problem,
        step: DiscriminantStep,
        scatter: Scatter,
        axes: Sequence[Floats],
        stages: Sequence[Stage],
    ) -> None:
        self.problem, self.panel = problem, data_panel(problem)
        self.rows = np.arange(0, len(problem.X), -(-len(problem.X) // MAX_FEET))
        self.codes = np.unique(np.asarray(problem.training.y))
        self.means = problem.plane.project(step.means)
        self.ellipses = self._ellipses(step)
        self.points = row_points(problem)
        basis = problem.plane.basis
        self.axis_ends = [axis_ends(problem, self.panel, basis @ axis) for axis in axes[:MAX_AXES]]
        component = basis @ scatter.component[0]
        self.component = axis_ends(problem, self.panel, component)
        self.ends = turning_ends(problem, self.panel, (stage.axis for stage in stages), component)

    def _ellipses(self, step: DiscriminantStep) -> Ellipses:
        """Return the pooled ellipse around each mean, two standard deviations wide."""
        x, y = self.means.T
        sides = ellipses(self.problem, np.array([step.pooled]))
        long, short, angle = (np.repeat(side, len(x)) for side in sides)
        rx, ry = 2 * long, 2 * short
        return Ellipses(x=x, y=y, rx=rx, ry=ry, angle=angle, color=self.codes, fill=0.05)

    def marks(self, stage: Stage, number: int) -> tuple[Mark, ...]:
        """Return the marks of a stage."""
        colors = np.asarray(self.problem.y)[self.rows]
        return (
            *perpendiculars(
                self.problem, self.panel, self.rows, stage.axis, color=colors, size=2.5
            ),
            visible_if(stage.phase != "mean", self.ellipses),
            self.points,
            *self._lines(stage, self.ends[number]),
            *self._answer(stage.n_axes),
        )

    def _answer(self, n_axes: int) -> tuple[Mark, ...]:
        """Return the first axes of the answer, and their names."""
        gap = np.full((1, 2), np.nan)
        lines = [part for line in self.axis_ends[:n_axes] for part in (line, gap)]
        names = [f"w{j + 1}" for j in range(len(self.axis_ends))]
        return (
            line_through(np.vstack(lines or [NOWHERE]), color="accent", width=2.0),
            visible_where(np.arange(len(names)) < n_axes, self._names(self.axis_ends, names)),
        )

    def _lines(self, stage: Stage, ends: Floats) -> tuple[Mark, ...]:
        """Return the first principal component, the axis of the stage, and the means."""
        component = line_through(self.component, color="muted", width=2.5)
        labels = [f"mean of {self.problem.classes[code]}" for code in self.codes]
        return (
            visible_if(stage.has_component, component),
            line_through(ends, color="accent", width=3.0),
            points_at(self.means, color=self.codes, emphasis=True, labels=labels),
            visible_where(stage.has_component, self._names([self.component], ["PC1"])),
        )

    def _names(self, axes: Sequence[Floats], names: Sequence[str]) -> Texts:
        middle = self.problem.points.mean(axis=0)
        places = [_inside(self.panel, middle, ends) for ends in axes]
        x, y = np.array(places).reshape(-1, 2).T
        return Texts(x=x, y=y, text=names, dy=-8.0, halo=True)


def _inside(panel: Panel, middle: Floats, ends: Floats) -> Floats:
    """Return a place on the upper half of an axis, inside the panel, for its name."""
    arm = max(ends - middle, key=lambda end: (end[1], end[0]))
    low = np.array([panel.x.low, panel.y.low])
    high = np.array([panel.x.high, panel.y.high])
    room = np.where(arm > 0, high - middle, middle - low) / np.maximum(np.abs(arm), 1e-300)
    place: Floats = middle + NAMED * min(float(room.min()), 1.0) * arm
    return place


class RatioCurve:
    """Fisher's ratio of all axes in the plane, against their angle.

    Parameters
    ----------
    problem : Problem
        The data.
    scatter : Scatter
        The scatter of the rows.
    own : OwnAxis
        The axis of the reader.
    best : float
        The largest ratio.
    """

    def __init__(self, problem: Problem, scatter: Scatter, own: OwnAxis, best: float) -> None:
        self.scatter = scatter
        self.top = ROOM * max(best, min(own.ratio, 10 * best), 1e-9)
        y = Axis("ratio", 0.0, self.top)
        self.panel = Panel("ratio", X_AXIS, y, "Fisher's ratio", side=True)
        place = own.angle, min(own.ratio, self.top)
        self.angles = AngleCurve(problem, self.panel, best, "largest λ", place)
        ratios = [scatter.ratio(axis) for axis in self.angles.directions]
        self.line = self.angles.line(np.minimum(ratios, self.top))

    def marks(self, axis: Floats | None) -> tuple[Mark, ...]:
        """Return the curve, the largest ratio, the reader's axis, and that of the stage."""
        ratio = 0.0 if axis is None else min(self.scatter.ratio(axis), self.top)
        return self.angles.marks([self.line], axis, ratio)
