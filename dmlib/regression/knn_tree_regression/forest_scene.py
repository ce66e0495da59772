"""Bagged regressions as a picture: models join one by one, each with its bag, and their mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.staged_scene import BAG_KEY, ErrorCurves, bag_sizes
from dmlib.evenly import evenly
from dmlib.pictures.marks import NO_CLASS, Line, Mark
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, data_alone, story
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.bag_step import BagStep
from dmlib.regression.knn_tree_regression.forest import AveragedRegressor
from dmlib.regression.knn_tree_regression.forest_ledger import ForestNarrator
from dmlib.regression.knn_tree_regression.rows_scene import RowsPlot

MAX_VERTICES = 160  # of a curve
MAX_FRAMES = 40
JOINED = 1  # colour of the model that joined last
MEAN, LAST_MODEL = Key("mean of the models", 0, kind="line"), Key("last model", JOINED, kind="line")


def forest_scene(run: Run[Problem, Any], max_frames: int) -> Scene:
    """Draw one model that joins a frame."""
    if not run.trace.complete:
        return data_alone(run)
    problem, model, query = run.problem, run.fitted, run.current_query
    plot = RowsPlot.of(problem)
    curves = _curves(run, plot.panel) if problem.upright else lambda number: []
    places = np.clip(_stages(run, problem.X), plot.panel.x.low, plot.panel.x.high)
    at_query = model.each_predict(problem.table(query.x[None]))[:, 0]
    errors = _error_curves(run)
    predictions = _predictions(at_query)
    narrator = ForestNarrator(run, at_query)

    def draw(moment: Moment) -> Drawing:
        step: BagStep = moment.step
        rows = replace(plot.dots, size=bag_sizes(problem, step.bag))
        if not problem.upright:
            rows = replace(rows, x=places[moment.index])
        marks = (
            plot.line,
            *curves(moment.index),
            rows,
            *errors.marks(moment.index + 1),
            *predictions.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plot.panel, errors.panel, predictions.panel),
        notes=(plot.note, _errors_note(problem)),
        handles=plot.handles(run, float(at_query.mean())),
        legend=(BAG_KEY, *((MEAN, LAST_MODEL, *plot.legend[1:]) if problem.upright else ())),
        max_frames=min(max_frames, MAX_FRAMES),
    )


def _stages(run: Run[Problem, Any], X: Floats) -> Floats:
    """Return the predictions at the start and after each model, (n_estimators + 1, n_samples)."""
    start = np.full((1, len(X)), run.trace.steps[0].fitted[0])
    return np.concatenate([start, run.fitted.staged_predict(run.problem.table(X))])


def _curves(run: Run[Problem, Any], panel: Panel) -> Callable[[int], list[Mark]]:
    """Return the curve of the mean over a single column, and that of the model that joined."""
    model = run.fitted
    low, high = panel.x.low, panel.x.high
    names = run.problem.categories.get(0)
    ends = np.arange(len(names) + 1) - 0.5 if names else _ends(model, low, high)
    x = np.repeat(ends, 2)[1:-1]
    inside = ((ends[:-1] + ends[1:]) / 2)[:, None]
    low, high = panel.y.low, panel.y.high
    means = np.clip(np.repeat(_stages(run, inside), 2, axis=1), low, high)
    singles = np.clip(
        np.repeat(model.each_predict(run.problem.table(inside)), 2, axis=1), low, high
    )
    hidden = np.full((1, len(x)), np.nan)
    singles = np.concatenate([hidden, singles])

    def marks(number: int) -> list[Mark]:
        return [
            Line(x=x, y=singles[number], color=JOINED, width=1.3),
            Line(x=x, y=means[number], color="accent", width=2.5),
        ]

    return marks


def _ends(model: AveragedRegressor, low: float, high: float) -> Floats:
    """Return the ends of the pieces on which all models are constant; of very many, some."""
    trees = [tree.tree_ for tree in model.estimators_ if hasattr(tree, "tree_")]
    cuts = np.linspace(low, high, MAX_VERTICES)[1:-1]
    if len(trees) == len(model.estimators_):
        cuts = np.unique(np.concatenate([tree.cuts(0) for tree in trees]))
        cuts = cuts[(cuts > low) & (cuts < high)]
    return np.array([low, *cuts[evenly(len(cuts), MAX_VERTICES)], high])


def _error_curves(run: Run[Problem, Any]) -> ErrorCurves:
    """Return the mean squared errors by the number of models."""
    steps, testing = run.trace.steps, run.problem.testing
    training, oob = (
        np.array([getattr(step, name) for step in steps])
        for name in ("training_error", "oob_error")
    )
    test = None
    if testing is not None:
        predicted = _stages(run, testing.X)
        test = ((predicted - np.asarray(testing.y, float)) ** 2).mean(axis=1)
    every = np.concatenate([training[1:], oob, [] if test is None else test[1:]])
    top = 1.15 * float(every[np.isfinite(every)].max(initial=0.0)) or 1.0
    return ErrorCurves("trees", np.minimum(training, top), oob, test, top)


def _errors_note(problem: Problem) -> str:
    test = ", blue the test error" if problem.testing is not None else ""
    return (
        "Mean squared error by number of trees: grey is the training error, dashed the out-of-bag"
        f" error{test}."
    )


def _predictions(at_query: Floats) -> Plot:
    """Return the prediction of each model for the query, and their mean so far."""
    n = len(at_query)
    number = np.arange(1.0, n + 1)
    means = at_query.cumsum() / number
    panel = Panel(
        "predictions",
        Axis("trees", 0.0, n + 1.0, integer=True),
        Axis("prediction", *bounds(at_query)),
        "Predictions at the place",
        side=True,
    )

    def marks(moment: Moment) -> list[Mark]:
        k = moment.index
        singles = np.column_stack([number, at_query])[:k]
        return [
            line_through(np.column_stack([number, means])[:k], panel="predictions", color="accent"),
            points_at(
                singles, panel="predictions", color=[NO_CLASS], symbol=[0], size=[2.5], of=""
            ),
            points_at(
                singles[-1:], panel="predictions", color=[JOINED], symbol=[0], size=[4.5], of=""
            ),
        ]

    return Plot(panel, marks)
