"""The plane of principal components: the feet of the rows on an axis, and the components."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.axis_scene import MANY, perpendiculars, row_points, turning_ends
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.decomposition.pca.stages import Stage
from dmlib.pictures.marks import NO_CLASS, Mark, Texts
from dmlib.pictures.places import line_through
from dmlib.pictures.plane import data_panel
from dmlib.problem import Problem

MAX_FEET = 6000  # in all frames together; half as many where rows are many
MAX_COMPONENTS = 4  # that are drawn in the plane
MIN_REACH = 0.03  # of the panel, from which a component is named


class PlanePlot:
    """The rows of a run in the plane, with an axis.

    Parameters
    ----------
    problem : Problem
        The data.
    stages : sequence of Stage
        The stages that are shown.
    """

    def __init__(self, problem: Problem, stages: Sequence[Stage]) -> None:
        self.problem, self.panel = problem, data_panel(problem)
        n_samples = len(problem.X)
        n_feet = n_samples * sum(stage.axis is not None for stage in stages)
        max_feet = MAX_FEET // 2 if n_samples > MANY else MAX_FEET
        self.rows = np.arange(0, n_samples, -(-n_feet // max_feet))
        self.points = row_points(problem)
        axes = [stage.turning.axis if stage.turning else None for stage in stages]
        self.ends = turning_ends(problem, self.panel, axes, np.zeros(2))

    def notes(self) -> tuple[str, ...]:
        """Return which rows have perpendiculars, and what looks distorted."""
        problem, n_samples = self.problem, len(self.problem.X)
        notes = []
        if len(self.rows) < n_samples:
            notes.append(f"Perpendiculars are drawn for {len(self.rows)} of {n_samples} rows.")
        if not problem.plane.exact:
            axis = f"The axis runs through all {len(problem.features)} columns"
            shadow = "its projection, short where the axis points out of the picture"
            notes.append(f"{axis}. The picture has {shadow}, and perpendiculars look slanted.")
            notes.append("The dashed axis and the curve lie in the plane of the picture.")
        elif not self.panel.equal and len(problem.features) == 2:
            notes.append("The two axes have different scales, so right angles look distorted.")
        return tuple(notes)

    def marks(self, stage: Stage, number: int) -> tuple[Mark, ...]:
        """Return the marks of a stage."""
        return (
            *perpendiculars(
                self.problem, self.panel, self.rows, stage.axis, color=[NO_CLASS], size=2.2
            ),
            self.points,
            *self._axes(stage.step, self.ends[number]),
        )

    def _axes(self, step: PCAStep | None, ends: Floats) -> tuple[Mark, ...]:
        """Return the axis, and the components with two standard deviations on each side."""
        components = np.empty((0, 3, 2))
        if step is not None:
            components = self._components(step)
        names = np.full((MAX_COMPONENTS, 2), np.nan)
        names[: len(components)] = components[:, 1]
        # Where a component points out of the picture, its name would stand at the mean.
        reach = np.abs(names - self.problem.points.mean(axis=0)) / self.panel.size
        names[reach.max(axis=1) < MIN_REACH] = np.nan
        x, y = names.T
        texts = [f"PC{j + 1}" for j in range(MAX_COMPONENTS)]
        return (
            line_through(components, color="accent", width=4.0),
            line_through(ends, color="accent", width=2.5),
            Texts(x=x, y=y, text=texts, dy=-12.0, halo=True),
        )

    def _components(self, step: PCAStep) -> Floats:
        """Return both ends of each component, and a gap, shape (n_components, 3, 2)."""
        mean = self.problem.points.mean(axis=0)
        axes = (step.components @ self.problem.plane.basis.T)[:MAX_COMPONENTS]
        arms = 2 * np.sqrt(step.variances[:MAX_COMPONENTS])[:, None] * axes
        return np.stack([mean - arms, mean + arms, np.full_like(arms, np.nan)], axis=1)
