"""Discriminant analysis as a picture: ellipses of the classes, and lines where two classes tie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.discriminant import Discriminant, DiscriminantStep
from dmlib.classification.lda_classifier.ledger import Narrator
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.contours import contours
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import Ellipses, Line, Points
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.problem import Problem

DEVIATIONS = 2.0  # standard deviations from the centre of an ellipse to its edge
ANGLES = np.linspace(0, 2 * np.pi, 73)
MAX_TIES = 4  # classes up to which every pair has its line
FINE = 151  # places along each side at which the scores are computed, of few classes
COARSE = 91  # of many
LEGEND = (
    Key("covariance used", 0, kind="line"),
    Key("equal discriminants", kind="dash"),
    Key("own covariance", 0, kind="dash"),
)


def lda_scene(run: Run[Problem, Discriminant]) -> Scene:
    """Draw how discriminants are estimated, and how they classify a place or sample.

    There is a frame for the means, for each covariance matrix, for the pooled and regularised ones,
    for the discriminant of each class, and for the prediction.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 2, 4, 6], "b": [0.0, 2, 0, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> [frame.phase for frame in lda_scene(Run.of(problem, LinearDiscriminantAnalysis())).frames]
    ['mean', 'covariance', 'covariance', 'pool', 'discriminant', 'discriminant', 'done']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem = run.problem
    steps = [step for step in run.trace.steps if step.phase != "axis"]
    panel = region_panel(problem)
    codes = np.asarray(run.fitted.classes_, np.uint8)
    narrator = Narrator(problem, run.fitted, run.current_query, steps[-1])
    own_outlines = _own_outlines(problem, codes, steps[-1])
    ties = Ties(run, panel)
    rows = class_points(problem)
    means = _means(problem, codes, steps[0])

    def draw(moment: Moment) -> Drawing:
        step: DiscriminantStep = moment.step
        shares = narrator.posterior if step.phase == "done" else step.priors
        marks = (
            visible_if(moment.is_last, run.surface),
            *(visible_if(k < len(step.singles), line) for k, line in enumerate(own_outlines)),
            _spreads(problem, codes, step),
            rows,
            means,
            *ties.marks(step),
            class_rects("shares", codes, shares),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    share_axis = Axis("probability", 0.0, 1.05)
    share_panel = class_panel("shares", problem.classes, share_axis, "Prior, then posterior")
    return story(
        run,
        draw,
        panels=(panel, share_panel),
        steps=steps,
        numbers=range(len(steps)),
        legend=class_legend(problem, *LEGEND[: 3 if own_outlines else 2]),
        handles=(query_handle(run.current_query),),
        notes=(*held_note(problem), _ellipse_note(problem)),
    )


def _ellipse_note(problem: Problem) -> str:
    note = "Ellipses lie two standard deviations from the mean."
    return note if problem.plane.exact else f"{note} They are projections from all columns."


# --- the classes ----------------------------------------------------------------------------------


def _means(problem: Problem, codes: NDArray[np.uint8], step: DiscriminantStep) -> Points:
    return points_at(
        problem.plane.project(step.means),
        color=codes,
        labels=[f"mean of {problem.classes[code]}" for code in codes],
        emphasis=True,
    )


def _spreads(problem: Problem, codes: NDArray[np.uint8], step: DiscriminantStep) -> Ellipses:
    """Return the ellipses of the discriminants' matrices; before these, of the classes' own."""
    matrices = np.array(step.matrices or step.singles)
    n = len(matrices)
    x, y = problem.plane.project(step.means)[:n].T
    long, short, angle = ellipses(problem, matrices)
    return Ellipses(
        x=x, y=y, rx=DEVIATIONS * long, ry=DEVIATIONS * short, angle=angle, color=codes[:n]
    )


def _own_outlines(problem: Problem, codes: NDArray[np.uint8], last: DiscriminantStep) -> list[Line]:
    """Return the outline of each class's own ellipse, unless the discriminants use these."""
    matrices = np.array(last.singles)
    if np.array_equal(last.matrices or last.singles, matrices):
        return []
    centers = problem.plane.project(last.means)
    shapes = zip(*ellipses(problem, matrices), strict=True)
    return [
        line_through(_outline(center, *shape), color=int(code), dash=True)
        for code, center, shape in zip(codes, centers, shapes, strict=True)
    ]


def _outline(center: Floats, long: float, short: float, angle: float) -> Floats:
    """Return the vertices of an ellipse."""
    upright = DEVIATIONS * np.column_stack([long * np.cos(ANGLES), short * np.sin(ANGLES)])
    rotation = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    vertices: Floats = center + upright @ rotation
    return vertices


# --- where classes tie ----------------------------------------------------------------------------


class Ties:
    """The lines on which two discriminants tie, dashed, and the boundaries of the predicted class.

    Parameters
    ----------
    run : Run
        A complete run.
    panel : Panel
        The panel of the plane.
    """

    def __init__(self, run: Run[Problem, Discriminant], panel: Panel) -> None:
        x, y, scores = _grid(run, panel)
        self.n_classes = n = scores.shape[2]
        pairs = list(combinations(range(n), 2)) if n <= MAX_TIES else []
        self._ties = [(j, contours(scores[:, :, i] - scores[:, :, j], x, y, 0.0)) for i, j in pairs]
        leads = [scores[:, :, k] - np.delete(scores, k, 2).max(axis=2) for k in range(n - 1)]
        self._boundaries = _joined([contours(lead, x, y, 0.0) for lead in leads])

    def marks(self, step: DiscriminantStep) -> tuple[Line, Line]:
        """Return the lines of the discriminants so far, and the boundaries once there are all."""
        n = 0 if step.constants is None else len(step.constants)
        ties = _joined([line for j, line in self._ties if j < n])
        boundaries = self._boundaries if n == self.n_classes else NOWHERE
        return (
            line_through(ties, color="muted", width=1.5, dash=True),
            line_through(boundaries, width=2.5),
        )


def _grid(run: Run[Problem, Discriminant], panel: Panel) -> tuple[Floats, Floats, Floats]:
    """Return places along both axes, and the log posterior at each pair, (n, n, n_classes)."""
    n = FINE if len(run.fitted.classes_) <= MAX_TIES else COARSE
    x, y = (np.linspace(axis.low, axis.high, n) for axis in (panel.x, panel.y))
    places = run.problem.plane.lift_grid(x, y)
    return x, y, run.fitted.predict_log_proba(run.problem.table(places)).reshape(n, n, -1)


def _joined(lines: Sequence[Floats]) -> Floats:
    """Return lines as one, with gaps between them."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines if len(line) for part in (line, gap)]
    return np.vstack(parts) if parts else NOWHERE
