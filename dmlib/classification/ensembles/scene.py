"""Bagging as a picture: trees join one by one, each with its bag, and their mean converges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.classification.ensembles.grid_scene import TileGrid
from dmlib.classification.ensembles.ledger import Narrator
from dmlib.classification.ensembles.losses_ledger import LOSSES, ProbabilityLoss
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.classification.staged_scene import (
    BAG_KEY,
    ErrorCurves,
    StagedRegions,
    bag_sizes,
    rings,
    staged_test_errors,
)
from dmlib.classification.tree_regions_scene import border_lines, leaf_boxes, upright
from dmlib.params import Choice
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.marks import Rects, Segments
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.problem import Problem

MAX_FRAMES, MIN_FRAMES = 101, 9
SIZES = 24_000  # sizes of rows in all frames together
COARSE = 40  # pixels along each side of the image of a step, and of a small picture
RING = 7.0  # radius of the ring around a row that is misclassified out of bag
OPTIONS = {"loss": Option(Choice(tuple(LOSSES)), "error")}
"""The loss that is estimated on training rows, out of bag and on test rows."""
LEGEND = (BAG_KEY, Key("ring: misclassified out of bag", symbol=0, hollow=True))


def ensembles_scene(run: Run[Problem, VotingClassifier]) -> Scene:
    """Draw the classifiers of bagging or of a random forest as they join.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.BaggingClassifier` or
        :class:`dmlib.classification.RandomForestClassifier`.

    Returns
    -------
    Scene
        One frame for the start and each classifier; of very many rows or classifiers, every few.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import BaggingClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> scene = ensembles_scene(Run.of(problem, BaggingClassifier(n_estimators=2, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'join', 'join']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model, steps = run.problem, run.fitted, run.trace.steps
    codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))
    classes = np.asarray(model.classes_, np.uint8)
    query = problem.table(run.current_query.x[None])
    votes = np.concatenate(list(model.each_predict_proba(query)))  # (n_estimators, n_classes)
    errors = _errors(run, codes)
    name = chosen(run, OPTIONS)["loss"]
    loss = None if name == "error" else ProbabilityLoss(run, name)
    curves = _curves(loss.by_step() if loss else errors, 1.05 if name == "error" else np.inf)
    heights = replace(curves.panel.y, label=LOSSES[name].lower())
    curve_panel = replace(curves.panel, title=f"{LOSSES[name]} by trees", y=heights)
    size = COARSE // 2 if run.moving else COARSE
    regions = StagedRegions(run, size)
    grid = TileGrid(run, regions, classes[votes.argmax(axis=1)])
    rows = class_points(problem)
    narrator = Narrator(problem, model, steps, errors, votes, run.current_query, loss)

    def draw(moment: Moment) -> Drawing:
        step: EnsembleStep = moment.step
        marks = (
            *regions.marks(moment),
            rings(problem.points[_misclassified(problem, step, codes)], [RING]),
            replace(rows, size=bag_sizes(problem, step.bag)),
            _tree_lines(problem, regions.panel, step),
            *grid.marks(moment.index),
            *curves.marks(moment.index + 1),
            _vote_bars(classes, votes[: moment.index]),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(regions.panel, grid.panel, curve_panel, _vote_panel(problem)),
        legend=(*class_legend(problem), *LEGEND),
        handles=(query_handle(run.current_query),),
        notes=_notes(problem, steps, name),
        max_frames=int(np.clip(SIZES // len(problem.X), MIN_FRAMES, MAX_FRAMES)),
    )


def _notes(problem: Problem, steps: Sequence[EnsembleStep], loss: str) -> tuple[str, ...]:
    test = ", blue on test rows" if problem.testing is not None else ""
    curves = f"{LOSSES[loss]} by number of trees: grey on training rows, dashed out of bag{test}."
    notes = [*held_note(problem), curves]
    if loss == "informational":
        notes.append("A curve at the upper edge is beyond it, or infinite.")
    if not upright(problem.plane):
        notes.append("In this view the splits of the trees are not axis-parallel.")
    bags = [step.bag.tobytes() for step in steps[1:]]
    if len(bags) > 1 and len(set(bags)) == 1:
        notes.append("All bags are the same: nothing is drawn at random.")
    return tuple(notes)


# --- the plane ----------------------------------------------------------------------------------


def _misclassified(problem: Problem, step: EnsembleStep, codes: Ints) -> Ints:
    """Return the rows that are misclassified out of bag."""
    judged = np.flatnonzero(step.left_out)
    predicted = step.oob_decision_function[judged].argmax(axis=1)
    rows: Ints = problem.trained[judged[predicted != codes[judged]]]
    return rows


def _tree_lines(problem: Problem, panel: Panel, step: EnsembleStep) -> Segments:
    """Return the splits of the tree that joined last, where they are axis-parallel."""
    has_all_columns = len(step.columns) == len(problem.features)
    if not (upright(problem.plane) and has_all_columns and hasattr(step.estimator, "tree_")):
        return border_lines([], 1.5)
    _, borders = leaf_boxes(step.estimator.tree_, panel, problem.plane)
    return border_lines(borders, 1.5)


# --- beside it ----------------------------------------------------------------------------------


def _errors(run: Run[Problem, VotingClassifier], codes: Ints) -> dict[str, Floats]:
    """Return the training error, out-of-bag error and test error, if there is one, by step."""
    steps = run.trace.steps
    return {
        "training": np.array([step.error(codes) for step in steps]),
        "out-of-bag": np.array([step.oob_error(codes) for step in steps]),
        **staged_test_errors(run),
    }


def _curves(errors: dict[str, Floats], highest: float) -> ErrorCurves:
    values = np.concatenate([*errors.values()])
    top = min(highest, max(1.15 * float(values[np.isfinite(values)].max(initial=0.0)), 0.05))
    training, out_of_bag, *test = (np.minimum(part, top) for part in errors.values())
    return ErrorCurves("trees", training, out_of_bag, test[0] if test else None, top)


def _vote_panel(problem: Problem) -> Panel:
    y = Axis("probability", 0.0, 1.05)
    return class_panel("votes", problem.classes, y, "Votes at the place")


def _vote_bars(classes: Bytes, votes: Floats) -> Rects:
    """Return the mean of votes as bars; of none, bars of no height."""
    heights = votes.mean(axis=0) if len(votes) else np.zeros(len(classes))
    return class_rects("votes", classes, heights)
