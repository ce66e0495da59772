"""Logistic regression as a picture: lines of equal probability, and the path on the likelihood."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import expit

from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.classification.logistic_regression.ledger import Narrator
from dmlib.classification.logistic_regression.likelihood_scene import LikelihoodCurve, LikelihoodMap
from dmlib.classification.logistic_regression.probability_scene import (
    COARSE,
    probability_image,
    probability_lines,
)
from dmlib.classification.logistic_regression.terms import Fit, Terms
from dmlib.params import Choice
from dmlib.pictures.marks import Line, Mark, Points, Raster
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.regions import (
    case_notes,
    case_points,
    class_legend,
    query_handle,
    region_panel,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem, Query

MAX_FRAMES = 40
MAX_STEPS = 4000
CURVE = 80  # vertices of the curve of a single column
RING = 7.5  # radius of the ring around a row of the batch

SMALL_PICTURES = {
    "slopes": "Likelihood, two slopes",
    "intercept": "Likelihood over intercept and slope",
    "height": "Likelihood after each step",
}
OPTIONS = {"beside": Option(Choice(tuple(SMALL_PICTURES)), "slopes")}
"""The small picture: the likelihood over the coefficients of the two columns in view ("slopes"), or
over the intercept and the first of them; or its "height" after each step, also where there is one
coefficient only."""


@needs_steps
def logistic_regression_scene(run: Run[Problem, LogisticRegression]) -> Scene:
    """Draw the steps of a logistic regression of two classes.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.LogisticRegression`, which models the probability of
        class 1; see :data:`OPTIONS`.

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
    problem, steps, query = run.problem, run.trace.steps, run.query
    model = run.fitted if steps[-1].phase == "done" else run.model
    terms = Terms(problem, features_of(problem, model), bool(model.fit_intercept))
    likelihood = model.likelihood(problem.training.data, np.asarray(problem.training.y))
    pair = _pair(terms, chosen(run, OPTIONS)["beside"])
    title = "Log-likelihood" if np.isinf(model.C) else "Log-likelihood − penalty"
    small: LikelihoodMap | LikelihoodCurve = LikelihoodCurve(steps, title)
    if pair:
        small = LikelihoodMap(terms, pair, likelihood, steps, title)
    plane: ProbabilityPlane | CurveOverColumn = ProbabilityPlane(run, terms, model)
    marked: Collection[int] = pair or ()
    if terms.is_curve:
        plane = CurveOverColumn(run, terms, model)
        marked = range(len(terms.names))
    narrator = Narrator(terms, model, likelihood, marked, query)

    def draw(moment: Moment) -> Drawing:
        step: LogisticRegressionStep = moment.step
        marks = (*plane.marks(step), *small.marks(moment.index))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plane.panel, small.panel),
        legend=class_legend(problem),
        handles=(_handle(terms, steps[-1], query),),
        notes=(*case_notes(problem, model), *small.notes),
        max_frames=MAX_FRAMES,
    )


def features_of(problem: Problem, model: LogisticRegression) -> tuple[str, ...]:
    """Return the names of the columns that have a coefficient."""
    return problem.features[: len(problem.features) - int(model.grouped)]


def too_many_steps(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return why a run has too many steps to be stored; an empty text if it does not.

    Examples
    --------
    >>> too_many_steps(320, 2, {"solver": "sgd", "max_iter": 500, "batch_size": 32})[:71]
    '500 epochs of 10 batches are 5000 steps, and at most 4000 can be shown;'
    """
    iterations = int(params["max_iter"])
    if params["solver"] == "newton":
        return ""
    batches = -(-n_samples // int(params["batch_size"])) if params["solver"] == "sgd" else 1
    if iterations * batches <= MAX_STEPS:
        return ""
    advice = f"and at most {MAX_STEPS} can be shown; choose fewer"
    if params["solver"] == "gd":
        return f"{iterations} iterations are too many steps, {advice}."
    return (
        f"{iterations} epochs of {batches} batches are "
        f"{iterations * batches} steps, {advice} epochs or larger batches."
    )


# --- the plane ------------------------------------------------------------------------------------


class ProbabilityPlane:
    """The probability over the plane, its lines, and the rows.

    Parameters
    ----------
    run : Run
        The run.
    terms : Terms
        The terms of the score.
    model : LogisticRegression
        The estimator.
    """

    def __init__(
        self, run: Run[Problem, LogisticRegression], terms: Terms, model: LogisticRegression
    ) -> None:
        self.panel = region_panel(run.problem)
        self._run = run
        self._terms = terms
        self._rows = case_points(run.problem, model, self.panel)
        self._has_batches = model.solver == "sgd"

    def marks(self, step: LogisticRegressionStep) -> list[Mark]:
        """Return its marks after a step."""
        fit = self._terms.in_plane(step.coef[0])
        return [
            *self._images(step, fit),
            *probability_lines(fit, self.panel),
            *([_batch(self._run.problem, self._rows, step)] if self._has_batches else []),
            self._rows,
        ]

    def _images(self, step: LogisticRegressionStep, fit: Fit) -> tuple[Raster, ...]:
        """Return the coarse image of a step, or the finer one of the fitted classifier."""
        has_ended = self._run.trace.steps[-1].phase == "done"
        final = self._run.surface if has_ended else None
        image = None if step.phase == "done" else probability_image(fit, self.panel)
        return step_surfaces(image, COARSE, final, self.panel)


class CurveOverColumn:
    """The probability as a curve over a single column; rows lie at 0 and 1.

    Parameters
    ----------
    run : Run
        The run.
    terms : Terms
        The terms of the score.
    model : LogisticRegression
        The estimator.
    """

    def __init__(
        self, run: Run[Problem, LogisticRegression], terms: Terms, model: LogisticRegression
    ) -> None:
        self._problem = run.problem
        self._terms = terms
        x = region_panel(self._problem).x
        self.panel = Panel("data", x, Axis(f"P({self._problem.classes[1]})", -0.08, 1.08))
        self._x = np.linspace(x.low, x.high, CURVE)
        self._middle = Line(x=[x.low, x.high], y=[0.5, 0.5], color="muted", width=1.0, dash=True)
        codes = np.asarray(self._problem.y, float)
        self._rows = replace(case_points(self._problem, model, self.panel), y=codes)
        self._has_batches = model.solver == "sgd"

    def marks(self, step: LogisticRegressionStep) -> list[Mark]:
        """Return its marks after a step."""
        start, slopes = self._terms.in_plane(step.coef[0])
        places = np.column_stack([self._x, expit(start + slopes[0] * self._x)])
        style = {"color": "accent", "width": 2.5, "tween": True}
        return [
            self._middle,
            line_through(places, **style, numbers=[1], of="coefficients"),
            *([_batch(self._problem, self._rows, step)] if self._has_batches else []),
            self._rows,
        ]


def _batch(problem: Problem, rows: Points, step: LogisticRegressionStep) -> Points:
    """Return rings around the rows of a batch; they lie under the rows, since they are filled."""
    batch = problem.trained[[] if step.rows is None else step.rows]
    places = np.column_stack([np.asarray(rows.x), np.asarray(rows.y)])[batch]
    colors = np.asarray(problem.y)[batch]
    return points_at(places, color=colors, size=[RING], hollow=np.ones(len(batch)))


def _handle(terms: Terms, last: LogisticRegressionStep, query: Query | None) -> Handle:
    """Return the handle of the query; over a single column it is on the last curve."""
    handle = query_handle(query)
    if not terms.is_curve or query is None:
        return handle
    start, slopes = terms.in_plane(last.coef[0])
    return replace(handle, y=float(expit(start + slopes[0] * query.place[0])))


def _pair(terms: Terms, small_picture: str) -> tuple[int, int] | None:
    """Return the two terms over whose coefficients the likelihood is drawn; None if it is not."""
    if small_picture == "height":
        return None
    n_slopes = len(terms.features)
    weights = np.abs(terms.problem.plane.basis[:, :n_slopes])
    first, second = (int(j) + terms.first_slope for j in weights.argmax(axis=1))
    if n_slopes > 1 and first == second:
        second = next(j for j in range(terms.first_slope, len(terms.names)) if j != first)
    if n_slopes > 1 and (small_picture == "slopes" or not terms.has_intercept):
        return first, second
    return (0, first) if terms.has_intercept else None


# --- notes ----------------------------------------------------------------------------------------
