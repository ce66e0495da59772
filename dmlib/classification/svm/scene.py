"""A support vector machine as a picture: boundary, margins, support vectors, and the pair's box."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.classification.svm.box_scene import box_marks, box_panel
from dmlib.classification.svm.ledger import Narrator
from dmlib.classification.svm.machine import Machine
from dmlib.classification.svm.plane_scene import COARSE, DecisionPlane, margin_arrow, slacks
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Texts
from dmlib.pictures.places import path_until, points_at, vertices_until, visible_if
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    query_handle,
    region_panel,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Panel, Scene, step_panel
from dmlib.pictures.story import Drawing, Fold, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_FRAMES = 34
MAX_RINGS = 2500  # support vectors drawn in all frames together
MIN_RING = 7.0  # radius of the ring of a support vector, by its multiplier
MAX_RING = 12.0
RING_KEY = Key("ring around a row: support vector, larger with α", symbol=0, hollow=True)
QUERY_NOTE = "Click a row or any place in the plane to see its decision value computed."


@needs_steps
def svm_scene(run: Run[Problem, SVC | NuSVC]) -> Scene:
    """Draw the steps of a support vector machine for two classes.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.SVC` or :class:`dmlib.classification.NuSVC`; class 1
        is y = +1.

    Returns
    -------
    Scene
        One frame for the start, each step (of very many, every few), and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SVC
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 4.0, 5.0], "c": ["no", "no", "yes", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True, positive="yes")
    >>> scene = svm_scene(Run.of(problem, SVC(kernel="linear")))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'pair', 'done']
    """
    problem, steps, query = run.problem, run.trace.steps, run.query
    last: SVCStep = steps[-1]
    has_ended = last.phase == "done"
    model = run.fitted if has_ended else run.model
    surface = run.surface if has_ended else None
    machine = Machine(problem, steps[0])
    panel = region_panel(problem)
    plane = DecisionPlane(machine, steps, panel)
    narrator = Narrator(problem, model, steps[0], query)
    largest: float = run.once("largest multiplier", lambda: _largest(machine, steps))
    slack_lines, arrow = slacks(machine, last, panel), margin_arrow(machine, last, panel)
    rows = class_points(problem)
    objectives = np.array([step.objective for step in steps])

    def draw(moment: Moment) -> Drawing:
        step: SVCStep = moment.step
        image = None if step.phase == "done" else plane.image(step)
        marks = (
            *step_surfaces(image, COARSE, surface, panel),
            *plane.lines(step, moment.is_last),
            *(visible_if(moment.is_last, lines) for lines in slack_lines),
            _rings(machine, step, largest),
            rows,
            *(visible_if(moment.is_last, mark) for mark in arrow),
            *_pair(machine, step),
            *box_marks(moment.so_far, machine.bound, largest),
            *_objective_curve(objectives, moment.index),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, box_panel(largest), _objective_panel(objectives)),
        fold=Fold(None, lambda pair, step: pair if step.move is None else step),
        legend=(*class_legend(problem), RING_KEY),
        handles=(query_handle(query),),
        notes=(*held_note(problem), *([QUERY_NOTE] if query is None else [])),
        max_frames=max_frames(steps),
    )


def max_frames(steps: Sequence[SVCStep]) -> int:
    """Return the maximum number of frames: smaller where each has many rings."""
    sample = steps[:: max(len(steps) // 20, 1)]
    n_rings = max(int((step.alpha > 0).sum()) for step in sample)
    return int(np.clip(MAX_RINGS // max(n_rings, 1), 12, MAX_FRAMES))


def _largest(machine: Machine, steps: Sequence[SVCStep]) -> float:
    """Return the multiplier of the largest ring: the bound, unless all stay far below it."""
    largest = float(max(step.alpha.max() for step in steps))
    if largest > machine.bound / 4 or largest == 0:
        return machine.bound
    return 1.15 * largest


# --- marks ----------------------------------------------------------------------------------------


def _rings(machine: Machine, step: SVCStep, largest: float) -> Points:
    """Return a ring around each support vector; its size is the multiplier."""
    used = np.flatnonzero(step.alpha)
    sizes = MIN_RING + (MAX_RING - MIN_RING) * np.sqrt(step.alpha[used] / largest)
    return points_at(machine.places[used], size=sizes, color=[NO_CLASS], symbol=[0], hollow=[1])


def _pair(machine: Machine, step: SVCStep) -> list[Mark]:
    """Return the rows whose multipliers move, with their names."""
    pair = np.array([] if step.move is None else [step.move.i, step.move.j], np.intp)
    places = machine.places[pair]
    colors = (step.sign[pair] > 0).astype(np.uint8)
    return [
        points_at(places, color=colors, emphasis=True),
        Texts(x=places[:, 0], y=places[:, 1], text=["i", "j"], dy=-18.0, halo=True),
    ]


def _objective_panel(objectives: Floats) -> Panel:
    title = "Dual objective after each step"
    return step_panel("objective", "W", len(objectives) - 1, objectives, title, 0.08)


def _objective_curve(objectives: Floats, number: int) -> tuple[Mark, Mark]:
    """Return the dual objective up to a step."""
    vertices = vertices_until(len(objectives), number)
    places = np.column_stack([vertices, objectives[vertices]])
    return path_until(places, len(places), panel="objective")
