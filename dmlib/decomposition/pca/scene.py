"""Principal components as a picture: an axis that turns, feet of the rows on it, its variance."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.axis_scene import X_AXIS, AngleCurve
from dmlib.decomposition.pca.algorithm import PCA
from dmlib.decomposition.pca.components_scene import Pictures, Scree
from dmlib.decomposition.pca.ledger import Narrator, OwnAxis, own_axis
from dmlib.decomposition.pca.plane_scene import PlanePlot
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.decomposition.pca.stages import Stage, stages_of
from dmlib.decomposition.pixels import pixel_grid
from dmlib.params import Number
from dmlib.pictures.marks import Mark
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.regions import class_legend
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, needs_steps, story
from dmlib.pictures.words import percent
from dmlib.problem import Problem

MAX_TURNS = 40  # frames in which the axis turns, shared by the components
MAX_PIXELS = 9600  # of all the pictures of an axis that turns
LEGEND = (Key("component: ± 2 standard deviations", 0, kind="line"), Key("your axis", kind="dash"))

OPTIONS = {
    "angle": Option(Number(0.0, 180.0, step=1.0), 20.0),
    "noise": Option(Number(0.0, 10.0, shown=(0.0, 2.0), step=0.1), 0.0),
}
"""The angle of the reader's axis in the plane of the picture, in degrees; the noise that is taken
out, in standard deviations of the columns."""


@needs_steps
def pca_scene(run: Run[Problem, PCA]) -> Scene:
    """Draw the power iteration, and beside it an axis that the reader turns.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.decomposition.PCA`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        Centring, the covariance matrix, the reader's axis, and the turns of each component; of
        very many turns, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.decomposition import PCA
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]})
    >>> run = Run.of(prepare(frame, ["a", "b"]), PCA(1, tol=0.1, random_state=0))
    >>> [frame.phase for frame in pca_scene(run).frames]
    ['centre', 'covariance', 'try', 'start', 'turn', 'turn', 'found', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    covariance: Floats = steps[0].covariance
    own = own_axis(problem, covariance, chosen(run, OPTIONS)["angle"])
    grid = pixel_grid(problem.features)
    max_turns = min(MAX_TURNS, max(2, MAX_PIXELS // len(covariance))) if grid else MAX_TURNS
    numbers, thinned = frames_by_phase(steps, {("turn",): max_turns})
    stages = stages_of(steps, numbers, own.direction)
    plane = PlanePlot(problem, stages)
    variances = VarianceCurve(problem, covariance, own)
    components: Pictures | Scree
    if grid:
        components = Pictures(problem, grid, run.selected or 0)
    else:
        components = Scree(own.best, max(len(step.variances) for step in steps))
    narrator = Narrator(problem, covariance, own, run.selected)
    lost = f"{percent(own.lost)} lost"

    def draw(moment: Moment) -> Drawing:
        stage: Stage = moment.step
        marks = (
            *plane.marks(stage, moment.index),
            *variances.marks(stage.turning),
            *components.marks(stage.step),
        )
        return Drawing(marks, *narrator.caption_and_ledger(stage), stage.phase)

    return story(
        run,
        draw,
        panels=(plane.panel, variances.panel, components.panel),
        steps=stages,
        legend=class_legend(problem, *LEGEND),
        handles=variances.angles.handles(plane.panel, f"your axis: {lost}", lost),
        notes=(*plane.notes(), *thinned),
        max_frames=len(stages),
    )


class VarianceCurve:
    """The variance of all axes in the plane, against their angle.

    Parameters
    ----------
    problem : Problem
        The data.
    covariance : ndarray of shape (n_features, n_features)
        Their covariance matrix.
    own : OwnAxis
        The axis of the reader.
    """

    def __init__(self, problem: Problem, covariance: Floats, own: OwnAxis) -> None:
        # Above the line there is room for its name, and for that of the reader's axis.
        y = Axis("variance", 0.0, 1.7 * own.best)
        self.panel = Panel("variance", X_AXIS, y, "Variance along an axis", side=True)
        place = own.angle, own.variance
        self.angles = AngleCurve(problem, self.panel, own.best, "largest of all axes", place)
        self.total = self._variances(covariance)
        self.deflated: dict[int, Floats] = {0: self.total}  # by the number of components

    def _variances(self, matrix: Floats) -> Floats:
        directions = self.angles.directions
        variances: Floats = np.maximum((directions @ matrix * directions).sum(axis=1), 0.0)
        return variances

    def marks(self, step: PCAStep | None) -> tuple[Mark, ...]:
        """Return the curve, what deflation leaves of it, and the axis of a step."""
        axis, variance, heights = None, 0.0, self.total
        if step is not None:
            axis, variance, heights = step.axis, step.variance, self._deflated(step)
        curves = [self.angles.line(self.total, "muted", 1.0), self.angles.line(heights)]
        return self.angles.marks(curves, axis, variance)

    def _deflated(self, step: PCAStep) -> Floats:
        """Return the variances without the components before that of a step."""
        if step.component not in self.deflated:
            self.deflated[step.component] = self._variances(step.covariance)
        return self.deflated[step.component]
