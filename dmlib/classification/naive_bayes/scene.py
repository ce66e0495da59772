"""Naive Bayes as a picture: distributions of the attributes, then the product of their factors."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.conditionals import NormalTable
from dmlib.classification.naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.naive_bayes.ledger import Narrator
from dmlib.classification.naive_bayes.strips_scene import StripPanel, Values
from dmlib.classification.query_scene import with_steps_of_run
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.marks import Ellipses
from dmlib.pictures.places import visible_if
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, data_alone, story
from dmlib.problem import Problem

DEVIATIONS = 2.0  # standard deviations from the centre of an ellipse to its edge


def naive_bayes_scene(run: Run[Problem, NaiveBayes]) -> Scene:
    """Draw how naive Bayes learns, and how it then classifies a place or sample.

    There is a frame for the prior and for each attribute's table; then one for the prior, for each
    factor, and for the posterior.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": list("uuvu"), "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> run = Run.of(problem, NaiveBayes(laplace=1), query=problem.query((1.0, 0.0)))
    >>> scene = naive_bayes_scene(run)
    >>> [frame.phase for frame in scene.frames]
    ['prior', 'estimate', 'count', 'prior', 'multiply', 'multiply', 'normalise']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model, query = run.problem, run.fitted, run.current_query
    product = list(model.explain_steps(problem.table(query.x[None])))
    learning = [step for step in run.trace.steps if isinstance(step, NaiveBayesStep)]
    steps = [*learning, *product]
    factors = {step.attribute: step.factor for step in product if step.attribute is not None}
    narrator = Narrator(problem, model, query, product)
    codes = [int(code) for code in model.classes_]
    strips = StripPanel(problem, model.tables_, codes)
    rows = class_points(problem)

    def draw(moment: Moment) -> Drawing:
        step: NaiveBayesStep | ProductStep = moment.step
        n_columns = _n_columns(step, model)
        marks = (
            run.surface,
            *_spreads(problem, model, n_columns),
            rows,
            *strips.marks(step.attribute, n_columns, moment.so_far, factors),
            class_rects("shares", codes, _shares(step)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    share_axis = Axis("probability so far", 0.0, 1.05)
    share_panel = class_panel("shares", problem.classes, share_axis, "Prior, then posterior")
    scene = story(
        run,
        draw,
        panels=(region_panel(problem), strips.panel(), share_panel),
        steps=steps,
        numbers=range(len(steps)),
        fold=Fold({}, _with_value),
        legend=class_legend(problem),
        handles=(query_handle(query),),
        notes=(*held_note(problem), *_strip_note(problem, len(strips))),
    )
    return with_steps_of_run(scene, run, range(len(steps)))


def _n_columns(step: NaiveBayesStep | ProductStep, model: NaiveBayes) -> int:
    """Return how many columns have been counted or estimated."""
    return len(step.tables if isinstance(step, NaiveBayesStep) else model.tables_)


def _shares(step: NaiveBayesStep | ProductStep) -> Floats:
    """Return the probability of each class so far."""
    return step.class_prior if isinstance(step, NaiveBayesStep) else step.posterior


def _with_value(values: Values, step: NaiveBayesStep | ProductStep) -> Values:
    """Return the values of the query whose factors have multiplied in, by column."""
    if not isinstance(step, ProductStep) or step.phase != "multiply":
        return values
    assert step.attribute is not None
    assert step.value is not None
    return {**values, step.attribute: step.value}


def _strip_note(problem: Problem, n: int) -> tuple[str, ...]:
    n_columns = len(problem.features)
    if n == n_columns:
        return ()
    return (f"The picture has room for {n} of the {n_columns} columns; all of them count.",)


def _spreads(problem: Problem, model: NaiveBayes, n_columns: int) -> list[Ellipses]:
    """Return an ellipse for each class, two standard deviations wide; upright by independence."""
    axes = problem.plane.basis
    pair = [int(np.flatnonzero(axis)[0]) for axis in axes if (axis != 0).sum() == 1]
    if len(pair) < 2 or not all(isinstance(model.tables_[j], NormalTable) for j in pair):
        return []
    x, y = model.theta_[:, pair].T
    rx, ry = DEVIATIONS * np.sqrt(model.var_[:, pair]).T
    colors = np.asarray(model.classes_, np.uint8)
    ellipses = Ellipses(x=x, y=y, rx=rx, ry=ry, color=colors, fill=0.0)
    return [visible_if(max(pair) < n_columns, ellipses)]
