"""Principal components as a picture: an axis that turns, feet of the rows on it, its variance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.pca.components_scene import Pictures, Scree
from dmlib.decomposition.pca.ledger import Narrator, OwnAxis, own_axis
from dmlib.decomposition.pca.plane_scene import PlanePlot
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.decomposition.pca.stages import Stage, stages_of
from dmlib.decomposition.pixels import pixel_grid
from dmlib.params import Number
from dmlib.pictures.axes import along, axis_handle
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.regions import class_legend
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_TURNS = 40  # frames in which the axis turns, shared by the components
ANGLES = np.linspace(0.0, 180.0, 91)

OPTIONS = {
    "angle": Option(Number(0.0, 180.0, step=1.0), 20.0),
    "noise": Option(Number(0.0, 10.0, shown=(0.0, 2.0), step=0.1), 0.0),
}
"""The angle of the reader's axis in the plane of the picture, in degrees; the noise that is taken
out, in standard deviations of the columns."""


@needs_steps
def pca_scene(run: Run) -> Scene:
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
    numbers, thinned = _shown_steps(steps)
    stages = stages_of(steps, numbers, own.direction)
    plane = PlanePlot(problem, stages)
    variances = VarianceCurve(problem, covariance, own)
    grid = pixel_grid(problem.features)
    components: Pictures | Scree = Scree(own.best, max(len(step.variances) for step in steps))
    if grid:
        components = Pictures(problem, grid, run.selected or 0)
    narrator = Narrator(problem, covariance, own, run.selected)

    def draw(now: Moment) -> Drawing:
        stage: Stage = now.step
        marks = (
            *plane.marks(stage, now.index),
            *variances.marks(stage.turning),
            *components.marks(stage.step),
        )
        return Drawing(marks, *narrator.tell(stage), stage.phase)

    return story(
        run,
        draw,
        panels=(plane.panel, variances.panel, components.panel),
        steps=stages,
        legend=class_legend(problem) if problem.y is not None else (),
        handles=_handles(problem, plane.panel, own),
        notes=(*plane.notes(), *thinned),
        max_frames=len(stages),
    )


def _shown_steps(steps: Sequence[PCAStep]) -> tuple[list[int], tuple[str, ...]]:
    """Return the numbers of the steps that are shown, and a note where not every turn is."""
    turns = [i for i, step in enumerate(steps) if step.phase == "turn"]
    places = thin(len(turns), MAX_TURNS)
    hidden = set(turns) - {turns[k] for k in places}
    return [i for i in range(len(steps)) if i not in hidden], thinned_note(places)


def _handles(problem: Problem, plane: Panel, own: OwnAxis) -> tuple[Handle, ...]:
    """Return the ends by which the reader turns the axis: in the plane, and along the curve."""
    if not problem.plane.basis[1].any():
        return ()
    return (
        axis_handle(problem, plane, own.angle, f"your axis: {own.lost:.0%} lost"),
        Handle("angle", "variance", f"{own.lost:.0%} lost", "x", own.angle),
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
        self.problem, self.own = problem, own
        self.directions = along(problem, ANGLES)
        self.total = self._variances(covariance)
        self.deflated: dict[int, Floats] = {0: self.total}  # by the number of components
        self.panel = Panel(
            "variance",
            Axis("angle in the picture, °", -4.0, 184.0),
            Axis("variance", 0.0, 1.4 * own.best),  # above the line there is room for its name
            "Variance along an axis",
            side=True,
        )

    def _variances(self, matrix: Floats) -> Floats:
        products = (self.directions @ matrix * self.directions).sum(axis=1)
        variances: Floats = np.maximum(products, 0.0)
        return variances

    def marks(self, step: PCAStep | None) -> tuple[Mark, ...]:
        """Return the curve, what deflation leaves of it, and the axis of a step."""
        best, name = [self.own.best, self.own.best], ["largest of all axes"]
        own = [(self.own.angle, self.own.variance)]
        curve = self.total if step is None else self._deflated(step)
        return (
            Line(panel="variance", x=[-4.0, 184.0], y=best, color="muted", width=1.0, dash=True),
            Texts(panel="variance", x=[184.0], y=best[:1], text=name, anchor="end", dy=-8.0),
            Line(panel="variance", x=ANGLES, y=self.total, color="muted", width=1.0),
            Line(panel="variance", x=ANGLES, y=curve, color="accent"),
            points_at(own, panel="variance", color=[NO_CLASS], labels=["your axis"]),
            self._point(step),
        )

    def _deflated(self, step: PCAStep) -> Floats:
        """Return the variances without the components before that of a step."""
        if step.component not in self.deflated:
            self.deflated[step.component] = self._variances(step.covariance)
        return self.deflated[step.component]

    def _point(self, step: PCAStep | None) -> Points:
        """Return the angle of the axis in the plane, and the variance along it."""
        places = NOWHERE
        if step is not None:
            x, y = self.problem.plane.basis @ step.axis
            places = np.array([[np.rad2deg(np.arctan2(y, x)) % 180, step.variance]])
        return points_at(
            places,
            panel="variance",
            color=[NO_CLASS],
            size=[6.0],
            labels=["the axis"],
            emphasis=True,
        )
