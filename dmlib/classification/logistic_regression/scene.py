"""Logistic regression as a picture: lines of equal probability in the plane, the path on the likelihood, every sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import expit

from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.frames_scene import Picture, logistic_frame
from dmlib.classification.logistic_regression.probability_scene import probability_images, probability_lines
from dmlib.classification.logistic_regression.surface_scene import surface_marks, surface_of, surface_panel
from dmlib.params import Choice
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.motion import path, thin, thinned_note, with_before, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene, step_panel
from dmlib.problem import Problem, Query
from dmlib.trace import Trace

MOST_FRAMES = 40
MOST_VERTICES = 300  # of the path on the likelihood
MOST_STEPS = 4000
CURVE = 80  # vertices of the curve of a single column
RING = 7.5  # radius of the ring around a row of the batch
SMALLEST, WIDEST = 2.0, 13.0  # radius of a group of no case, and what the largest has more

BESIDE = {
    "slopes": "Likelihood over two slopes",
    "intercept": "Likelihood over intercept and slope",
    "height": "Likelihood after each step",
}
OPTIONS = {"beside": Option(Choice(tuple(BESIDE)), "slopes")}
"""The small picture: the likelihood over the coefficients of the two columns that are shown ("slopes"), or over the
intercept and the first of them; or its "height" after each step, also where there is one coefficient only."""


def logistic_regression_scene(run: Run) -> Scene:
    """Draw the steps of a logistic regression of two classes.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.LogisticRegression`, which models the probability of class 1; see
        :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for the start, each step (of very many, every few), and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "c": ["no", "yes", "no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True, positive="yes")
    >>> scene = logistic_regression_scene(Run.of(problem, LogisticRegression(max_iter=1)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'newton', 'done']
    """
    problem, trace, query = run.problem, run.trace, run.query
    if not trace.steps:
        return data_scene(problem, trace.reason)
    ended = trace.steps[-1].phase == "done"
    model, surface = (run.fitted, run.surface) if ended else (run.model, None)
    learned = problem.training
    at = thin(len(trace.steps), MOST_FRAMES)
    constant = int(model.fit_intercept)
    names = [*(["intercept"] if constant else []), *features_of(problem, model)]
    likelihood = model.likelihood(learned.data, np.asarray(learned.y))
    pairs = with_before(trace.steps, at)
    steps = [step for step, _ in pairs]
    picture = Picture(problem, model, likelihood, steps, at, names, constant)
    terms = _terms(picture, chosen(run, OPTIONS)["beside"])
    picture = replace(picture, shown=range(len(names)) if picture.single else terms or ())
    frames = Deferred(lambda pair: logistic_frame(picture, pair[0], pair[1], query), pairs)
    panel = _curve_panel(picture) if picture.single else region_panel(problem)
    draw = _single_marks if picture.single else _plane_marks
    small, small_marks, sentence = _small_picture(picture, trace, terms)
    notes = (*problem.notes, *_held(picture), *_told(picture), *sentence)
    marks = (*draw(picture, panel, surface), *small_marks)
    return Scene((panel, small), marks, frames, notes, (_handle(picture, query),), class_legend(problem))


def features_of(problem: Problem, model: LogisticRegression) -> tuple[str, ...]:
    """Return the names of the columns that have a coefficient."""
    return problem.features[: len(problem.features) - int(model.grouped)]


def too_many_steps(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses more steps than can be kept; an empty one if there are few enough.

    Examples
    --------
    >>> too_many_steps(320, 2, {"solver": "sgd", "max_iter": 500, "batch_size": 32})
    '500 epochs of 10 batches are 5000 steps, and at most 4000 can be shown; choose fewer epochs or larger batches.'
    """
    iterations = int(params["max_iter"])
    if params["solver"] == "newton":
        return ""
    batches = -(-n_samples // int(params["batch_size"])) if params["solver"] == "sgd" else 1
    if iterations * batches <= MOST_STEPS:
        return ""
    most = f"and at most {MOST_STEPS} can be shown; choose fewer"
    if params["solver"] == "gd":
        return f"{iterations} iterations are too many steps, {most}."
    return (
        f"{iterations} epochs of {batches} batches are {iterations * batches} steps, {most} epochs or larger batches."
    )


# --- the plane --------------------------------------------------------------------------------------------------------


def _plane_marks(picture: Picture, panel: Panel, surface: Raster | None) -> list[Mark]:
    """Draw the probability, its lines, and the rows."""
    fits = [picture.in_plane(step.coef[0]) for step in picture.steps]
    rows = _rows(picture, panel)
    return [*probability_images(fits, panel, surface), *probability_lines(fits, panel), *_batch(picture, rows), rows]


def _rows(picture: Picture, panel: Panel) -> Points:
    """Return the rows; groups are as large as they are, and beside each other."""
    problem = picture.problem
    if not picture.model.grouped:
        return class_points(problem)
    counts = problem.X[:, -1]
    points = class_points(problem, size=SMALLEST + WIDEST * np.sqrt(counts / max(float(counts.max()), 1e-300)))
    side = np.where(np.asarray(problem.y) == 1, 0.03, -0.03) * panel.size[0]
    return replace(points, x=np.clip(np.asarray(points.x) + side, panel.x.low, panel.x.high))


def _batch(picture: Picture, rows: Points) -> list[Mark]:
    """Return rings around the rows of each batch; they lie under the rows, since they are filled."""
    if all(step.rows is None for step in picture.steps):
        return []
    problem = picture.problem
    batches = [problem.trained[[] if step.rows is None else step.rows] for step in picture.steps]
    places, codes = np.column_stack([np.asarray(rows.x), np.asarray(rows.y)]), np.asarray(problem.y)
    x, y = xy(places[some] for some in batches)
    hollow = PerFrame([np.ones(len(some)) for some in batches])
    return [Points(x=x, y=y, color=PerFrame([codes[some] for some in batches]), size=[RING], hollow=hollow)]


# --- a single column --------------------------------------------------------------------------------------------------


def _curve_panel(picture: Picture) -> Panel:
    """Return the panel of one column and the probability over it."""
    x = region_panel(picture.problem).x
    return Panel("data", x, Axis(f"P({picture.problem.classes[1]})", -0.08, 1.08))


def _single_marks(picture: Picture, panel: Panel, surface: Raster | None) -> list[Mark]:
    """Draw the probability as a curve over the column; rows lie at 0 and 1."""
    x = np.linspace(panel.x.low, panel.x.high, CURVE)
    fits = [picture.in_plane(step.coef[0]) for step in picture.steps]
    curves = PerFrame([expit(start + slopes[0] * x) for start, slopes in fits])
    middle = Line(x=[panel.x.low, panel.x.high], y=[0.5, 0.5], color="muted", width=1.0, dash=True)
    codes = np.zeros(len(picture.problem.X)) if picture.problem.y is None else picture.problem.y
    rows = replace(_rows(picture, panel), y=np.asarray(codes, float))
    curve = Line(x=x, y=curves, color="accent", width=2.5, tween=True, numbers=[1], of="coefficients")
    return [middle, curve, *_batch(picture, rows), rows]


def _handle(picture: Picture, query: Query | None) -> Handle:
    """Return the handle of what is asked about; over a single column it is on the last curve."""
    handle = query_handle(query)
    if picture.single and query is not None:
        start, slopes = picture.in_plane(picture.steps[-1].coef[0])
        return replace(handle, y=float(expit(start + slopes[0] * query.place[0])))
    return handle


# --- beside the plane -------------------------------------------------------------------------------------------------


def _small_picture(
    picture: Picture, trace: Trace, terms: tuple[int, int] | None
) -> tuple[Panel, list[Mark], tuple[str, ...]]:
    """Return the likelihood over two coefficients, or its height after each step, and what has to be said of it."""
    title = "Log-likelihood" if np.isinf(picture.model.C) else "Log-likelihood − penalty"
    if terms is None:
        heights = np.array([step.objective for step in picture.steps])
        grown = path(np.column_stack([picture.at, heights]), range(1, len(heights) + 1), panel="height")
        last, after = int(picture.at[-1]), f"{title} after each step"
        return step_panel("height", "height", last, heights, after, 0.1), list(grown), ()
    every = np.unique(np.concatenate([picture.at, np.arange(min(len(trace.steps), MOST_VERTICES))]))
    places = np.array([trace.steps[i].coef[0] for i in every])
    shape = surface_of(picture.likelihood, places, terms, bool(picture.constant))
    panel = surface_panel(shape, picture.names, title)
    marks = surface_marks(shape, panel, places, np.searchsorted(every, picture.at))
    held = ["the other coefficients"] if len(picture.names) > len(terms) + shape.pinned else []
    held += ["the score of the mean row"] if shape.pinned else []
    sentence = f" It holds {' and '.join(held)} at the values of the last step." if held else ""
    return panel, marks, (f"Small picture: the stronger the colour, the higher.{sentence}",)


def _terms(picture: Picture, beside: str) -> tuple[int, int] | None:
    """Return the two coefficients over which the likelihood is drawn; None if it is not."""
    if beside == "height":
        return None
    n_slopes = len(picture.names) - picture.constant
    shown = np.abs(picture.problem.plane.basis[:, :n_slopes]).argmax(axis=1) + picture.constant
    first, second = int(shown[0]), int(shown[1])
    if n_slopes > 1 and first == second:
        second = next(j for j in range(picture.constant, len(picture.names)) if j != first)
    if n_slopes > 1 and (beside == "slopes" or not picture.constant):
        return first, second
    return (0, first) if picture.constant else None


# --- notes ------------------------------------------------------------------------------------------------------------


def _held(picture: Picture) -> tuple[str, ...]:
    """Return how the columns that are not shown are held; the counts of grouped data are no column."""
    problem = picture.problem
    if not picture.model.grouped:
        return held_note(problem)
    plane = problem.plane
    base, basis = plane.base[:-1], plane.basis[:, :-1]
    shown = replace(plane, base=base, basis=basis, exact=len(base) < 3)
    return held_note(replace(problem, features=problem.features[:-1], plane=shown))


def _told(picture: Picture) -> list[str]:
    notes = [*thinned_note(picture.at)]
    if picture.model.grouped:
        counts = picture.problem.features[-1]
        notes.append(f"The column {counts} says how often each row counts; the symbols are as large.")
    return notes
