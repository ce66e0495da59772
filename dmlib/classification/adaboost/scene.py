"""Boosting as a picture: rows sized by their weight, the tree of a round, the regions so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.adaboost.adaboost_step import AdaBoostStep
from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.classification.adaboost.gradient_ledger import GradientNarrator
from dmlib.classification.adaboost.gradient_step import GradientBoostingStep
from dmlib.classification.adaboost.ledger import AdaBoostNarrator
from dmlib.classification.adaboost.trees_scene import TreeStrip, residual_tree, voting_tree
from dmlib.classification.base_learners import noun_of
from dmlib.classification.staged_scene import ErrorCurves, StagedRegions, rings, staged_test_errors
from dmlib.classification.tree_regions_scene import upright
from dmlib.evenly import evenly
from dmlib.pictures.marks import Line
from dmlib.pictures.places import line_through
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.problem import Problem

Step = AdaBoostStep | GradientBoostingStep

MAX_FRAMES, MIN_FRAMES = 60, 9
SIZES = 12000  # sizes of rows in all frames together
COARSE = 40  # pixels along each side of the image of a round
USUAL, SMALL, LARGE = 4.5, 1.5, 15.0  # radius of a row of average weight, and what bounds it
EASED = 0.5  # radii are multiples of it, so that a hardly changed one is not sent twice
WIDEST = 9.0  # the increase of the radius of a row for a residual of 1
HELD_OUT = 3.5  # radius of a test row
RING = 3.0  # the distance of the ring from a misclassified row
MAX_SHARES = 60  # vertices of the curve of the margins


def adaboost_scene(run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]) -> Scene:
    """Draw the rounds of AdaBoost, or of gradient boosting.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.AdaBoostClassifier` with trees of the project, or of
        :class:`dmlib.classification.GradientBoostingClassifier`.

    Returns
    -------
    Scene
        One frame for the start and each round; of very many rows or rounds, every few.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import AdaBoostClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> scene = adaboost_scene(Run.of(problem, AdaBoostClassifier(n_estimators=2)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'reweight', 'reweight']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model, steps = run.problem, run.fitted, run.trace.steps
    codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))
    is_adaboost = isinstance(steps[0], AdaBoostStep)
    errors = _errors(run, codes)
    curves = _error_curves(steps, errors)
    regions = StagedRegions(run, COARSE)
    strips = [_tree_strip(run, regions.panel)] if _has_lines(run) else []
    rows = class_points(problem)
    narrator_of = AdaBoostNarrator if is_adaboost else GradientNarrator
    narrator = narrator_of(problem, model, steps, errors, run.query)

    def draw(moment: Moment) -> Drawing:
        step: Step = moment.step
        radii = _radii(problem, step)
        misclassified = _misclassified(problem, step, codes)
        marks = (
            *regions.marks(moment),
            rings(problem.points[misclassified], radii[misclassified] + RING),
            replace(rows, size=radii),
            *(mark for strip in strips for mark in strip.marks(moment.index)),
            *curves.marks(moment.index + 1),
            Line(panel="margins", x=[0.0, 0.0], y=[0.0, 1.0], color="muted", width=1.0, dash=True),
            _margin_curve(step.margins(codes)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(regions.panel, *(strip.panel for strip in strips), curves.panel, _margin_panel()),
        legend=(*class_legend(problem), *_legend(is_adaboost)),
        handles=(query_handle(run.query),),
        notes=_notes(problem, curves),
        max_frames=int(np.clip(SIZES // len(problem.X), MIN_FRAMES, MAX_FRAMES)),
    )


def _has_lines(run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]) -> bool:
    """Return whether the classifiers of rounds are trees whose splits are lines in the plane."""
    is_adaboost = isinstance(run.model, AdaBoostClassifier)
    is_of_trees = not is_adaboost or noun_of(run.model) == "tree"
    return is_of_trees and upright(run.problem.plane)


def _notes(problem: Problem, curves: ErrorCurves) -> tuple[str, ...]:
    slanted = "In this view the splits of the trees are not axis-parallel."
    bound = "" if len(curves.curves) == 1 else ", dashed the upper bound of the training error"
    test = "" if curves.test is None else ", blue the test error"
    text = f"Error by round: grey is the training error{test}{bound}."
    return (*held_note(problem), *(() if upright(problem.plane) else (slanted,)), text)


def _legend(is_adaboost: bool) -> tuple[Key, ...]:
    size = "its weight" if is_adaboost else "its residual"
    ring = "misclassified in this round" if is_adaboost else "misclassified so far"
    return Key(f"size of a row: {size}", symbol=0), Key(f"ring: {ring}", symbol=0, hollow=True)


def _radii(problem: Problem, step: Step) -> Floats:
    """Return the radius of each row: its area is its weight, or its residual is its radius."""
    if isinstance(step, AdaBoostStep):
        radius = USUAL * np.sqrt(step.before * len(step.before))
    else:
        radius = SMALL + WIDEST * np.abs(step.residuals).max(axis=1, initial=0.0)
    radii = np.full(len(problem.X), HELD_OUT)
    radii[problem.trained] = np.clip((radius / EASED).round() * EASED, SMALL, LARGE)
    return radii


def _misclassified(problem: Problem, step: Step, codes: Ints) -> Ints:
    """Return the rows that this tree misclassifies; by gradient boosting, that all so far do."""
    predicted = step.predicted if isinstance(step, AdaBoostStep) else step.predictions
    if not len(predicted):
        return problem.trained[:0]
    rows: Ints = problem.trained[predicted != codes]
    return rows


def _tree_strip(
    run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier], panel: Panel
) -> TreeStrip:
    """Return the tree of each round, with its vote below; trees of residuals have none."""
    steps, classes = run.trace.steps, np.asarray(run.fitted.classes_)
    if not isinstance(steps[0], AdaBoostStep):
        no_votes = [""] * (len(steps) - 1)
        return TreeStrip(run.problem, panel, lambda i: residual_tree(steps[i], classes), no_votes)
    votes = [f"{2 * step.alpha:.2g}" if step.is_voting else "–" for step in steps[1:]]
    return TreeStrip(run.problem, panel, lambda i: voting_tree(steps[i], classes), votes)


# --- beside it ----------------------------------------------------------------------------------


def _errors(
    run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier], codes: Ints
) -> dict[str, Floats]:
    """Return the training error and, where rows are held out, the test error after each step."""
    training = [float((step.predictions != codes).mean()) for step in run.trace.steps]
    return {"training": np.array(training), **staged_test_errors(run)}


def _error_curves(steps: Sequence[Step], errors: dict[str, Floats]) -> ErrorCurves:
    """Return the curves of the errors and, of AdaBoost, of the bound of the training error."""
    training, test = errors["training"], errors.get("test")
    bounds = np.array([step.bound for step in steps if isinstance(step, AdaBoostStep)])
    if len(bounds):
        return ErrorCurves("round", training, bounds, test, 1.05, width=1.5, name="bound")
    highest = float(np.nanmax([*errors.values()]))
    return ErrorCurves("round", training, None, test, min(1.05, max(1.5 * highest, 0.1)))


def _margin_panel() -> Panel:
    x, y = Axis("margin", -1.0, 1.0), Axis("fraction of rows", 0.0, 1.0)
    return Panel("margins", x, y, title="Margins", side=True)


def _margin_curve(margins: Floats) -> Line:
    """Return the fraction of rows with at most each margin; left of 0 they are misclassified."""
    n = len(margins)
    places = evenly(n, MAX_SHARES)
    heights = np.append(0.0, np.repeat((places + 1) / n, 2))[:-1]
    corners = np.column_stack([np.repeat(np.sort(margins)[places], 2), heights])
    return line_through(corners, panel="margins", color="accent")
