"""Reductions to binary problems as a picture: one boundary a step, the code, and the votes."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Bytes, Ints
from dmlib.classification.multiclass.binary_step import BinaryStep
from dmlib.classification.multiclass.code_scene import CodePanel
from dmlib.classification.multiclass.ledger import Narrator
from dmlib.classification.multiclass.plane_scene import COARSE, FINER, VotePlane
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.places import points_at, visible_if
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import (
    class_legend,
    held_note,
    query_handle,
    region_panel,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.problem import Problem

MAX_FRAMES = 60
FADED = 0.12  # opacity of rows that a problem leaves out
RING = 8.0
ROWS_NOTE = (
    "In a problem, symbols are those of the classes; the positive side "
    "has the colour of its first class, a negative side of several "
    "classes is grey, and rows that the problem leaves out are faint."
)
PLACES_NOTE = "Grey, and at the end hatched: no class has the most votes, or several have."
LEGEND = (
    Key("ring: misclassified", symbol=0, hollow=True),
    Key("hatched: no single winner", kind="area"),
)


def multiclass_scene(run: Run[Problem, BinaryReduction]) -> Scene:
    """Draw the binary problems of a reduction, one after the other, and their decoding.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.OneVsRestClassifier`,
        :class:`dmlib.classification.OneVsOneClassifier` or
        :class:`dmlib.classification.OutputCodeClassifier`.

    Returns
    -------
    Scene
        One frame for each problem, of very many for every few, and one for the answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import OneVsOneClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "c": list("xxyyzz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> [frame.phase for frame in multiclass_scene(Run.of(problem, OneVsOneClassifier())).frames]
    ['train', 'train', 'train', 'decode']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model = run.problem, run.fitted
    panel = region_panel(problem)
    codes = np.asarray(model.classes_, np.uint8)
    narrator = Narrator(problem, model, run.current_query, run.trace.steps[0].signs)
    plane = VotePlane(problem, model, panel)
    code = CodePanel(problem, model)
    hatching = plane.hatching(1 if run.moving else FINER)

    def draw(moment: Moment) -> Drawing:
        step: BinaryStep = moment.step
        is_problem = step.phase == "train"
        marks = (
            *step_surfaces(plane.image(step) if is_problem else None, COARSE, run.surface, panel),
            visible_if(moment.is_last, hatching),
            plane.boundary(step),
            _misclassified(problem, model, step),
            _problem_rows(problem, codes, step) if is_problem else _all_rows(problem),
            *code.marks(step),
            class_rects("votes", codes, narrator.votes(step.number).astype(float)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, code.panel, _vote_panel(problem, model)),
        legend=class_legend(problem, *LEGEND),
        handles=(query_handle(run.current_query),),
        notes=(*held_note(problem), ROWS_NOTE, PLACES_NOTE, *_small_classes_note(problem, codes)),
        max_frames=MAX_FRAMES,
    )


def _small_classes_note(problem: Problem, codes: Bytes) -> tuple[str, ...]:
    counts = np.bincount(np.searchsorted(codes, np.asarray(problem.training.y)))
    names = [problem.classes[codes[c]] for c in np.flatnonzero(counts == 1)]
    return (f"A class of one row cannot be learned well: {', '.join(names)}.",) if names else ()


def _vote_panel(problem: Problem, model: BinaryReduction) -> Panel:
    max_votes = int(np.abs(model.signs).sum(axis=1).max())
    axis = Axis("votes", 0.0, 1.05 * max_votes, integer=True)
    return class_panel("votes", problem.classes, axis, "Votes at the place")


def _all_rows(problem: Problem) -> Points:
    """Return all rows in the colours of their classes."""
    y = np.asarray(problem.y, np.uint8)
    return data_points(problem, color=y, classes=problem.classes, symbol=y, opacity=np.ones(len(y)))


def _problem_rows(problem: Problem, codes: Bytes, step: BinaryStep) -> Points:
    """Return the rows of a problem in two colours; the others are faint."""
    y = np.asarray(problem.y, np.uint8)
    column = step.signs[:, step.number - 1]
    side_of_class = np.zeros(NO_CLASS + 1, np.intp)
    side_of_class[codes] = column
    side = side_of_class[y]
    color = y.copy()
    color[side > 0] = _color(codes, column, 1)
    color[side < 0] = _color(codes, column, -1)
    opacity = np.where(side == 0, FADED, 1.0)
    return data_points(problem, color=color, classes=problem.classes, symbol=y, opacity=opacity)


def _color(codes: Bytes, column: Ints, side: int) -> int:
    """Return the colour of a side: that of its first class; none for several negative ones."""
    members = codes[column == side]
    if len(members) == 1 or (len(members) and side > 0):
        return int(members[0])
    return NO_CLASS


def _misclassified(problem: Problem, model: BinaryReduction, step: BinaryStep) -> Points:
    """Return a ring around each row that a problem's classifier or, at the end, all misclassify."""
    if step.phase == "train":
        rows = step.rows[step.predicted != step.positive]
    else:
        training = problem.training
        rows = np.flatnonzero(model.predict(training.data) != training.y)
    places = problem.points[problem.trained[rows]]
    return points_at(places, size=[RING], color=[NO_CLASS], symbol=[0], hollow=[1], of="")
