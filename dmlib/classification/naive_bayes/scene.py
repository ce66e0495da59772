"""Naive Bayes as a picture: one attribute after the other is learned, then one factor after the other multiplies in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.classification.conditionals import NormalTable
from dmlib.classification.naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.naive_bayes.ledger import Teller
from dmlib.classification.naive_bayes.strips_scene import (
    answers,
    bars,
    curves,
    highlight,
    strip_names,
    strip_panel,
    strips,
)
from dmlib.pictures.bars import class_bars
from dmlib.pictures.marks import Ellipses
from dmlib.pictures.motion import when
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Scene
from dmlib.problem import Problem

DEVIATIONS = 2.0  # standard deviations from the centre of an ellipse to its edge

Steps = Sequence[NaiveBayesStep | ProductStep]


def naive_bayes_scene(run: Run) -> Scene:
    """Draw how naive Bayes learns, and how it then classifies a place or sample.

    There is a frame for the prior and for each attribute's table; then one for the prior, for each factor, and for the
    posterior.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": list("uuvu"), "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = naive_bayes_scene(Run.of(problem, NaiveBayes(laplace=1), query=problem.query((1.0, 0.0))))
    >>> [frame.phase for frame in scene.frames]
    ['prior', 'estimate', 'count', 'prior', 'multiply', 'multiply', 'normalise']
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    model, query = run.fitted, run.asked
    learning: Sequence[NaiveBayesStep] = trace.steps
    product = list(model.explain_steps(problem.table(query.x[None])))
    shown = strips(problem, model.tables_)
    classes = [int(code) for code in model.classes_]
    known = [len(step.tables) for step in learning] + [len(model.tables_)] * len(product)
    asked: list[dict[int, Any]] = [*({} for _ in learning), *(_values(product[: i + 1]) for i in range(len(product)))]
    steps: Steps = [*learning, *product]
    current = [step.attribute for step in steps]
    factors = {step.attribute: step.factor for step in product if step.attribute is not None}
    teller = Teller(problem, model, query, learning, product)
    heights = [step.class_prior if isinstance(step, NaiveBayesStep) else step.posterior for step in steps]
    y = Axis("probability so far", 0.0, 1.05)
    share_panel, shares = class_bars("shares", problem.classes, classes, heights, y, "Prior, then posterior")
    marks = (
        run.surface,
        *_spreads(problem, model, classes, known),
        class_points(problem),
        highlight(shown, current),
        *bars(shown, classes, known, asked),
        *curves(shown, classes, known),
        *answers(shown, classes, asked, factors),
        *strip_names(problem, shown),
        shares,
    )
    panels = (region_panel(problem), strip_panel(len(shown)), share_panel)
    notes = (*problem.notes, *held_note(problem), *_strip_note(problem, len(shown)))
    return Scene(panels, marks, teller.frames(), notes, (query_handle(query),), class_legend(problem))


def _values(steps: Sequence[ProductStep]) -> dict[int, Any]:
    """Return the values whose factors have multiplied in, by column."""
    return {step.attribute: step.value for step in steps if step.phase == "multiply" and step.attribute is not None}


def _strip_note(problem: Problem, n: int) -> tuple[str, ...]:
    every = len(problem.features)
    return () if n == every else (f"The picture has room for {n} of the {every} columns; all of them count.",)


def _spreads(problem: Problem, model: NaiveBayes, classes: Sequence[int], known: Sequence[int]) -> list[Ellipses]:
    """Return an ellipse for each class, two standard deviations wide: upright, as columns are taken as independent."""
    pair = [int(np.flatnonzero(axis)[0]) for axis in problem.plane.basis if (axis != 0).sum() == 1]
    if len(pair) < 2 or not all(isinstance(model.tables_[j], NormalTable) for j in pair):
        return []
    center, sd = model.theta_[:, pair], DEVIATIONS * np.sqrt(model.var_[:, pair])
    there = [max(pair) < n for n in known]
    x, y, rx, ry = (when(there, side) for side in (*center.T, *sd.T))
    return [Ellipses(x=x, y=y, rx=rx, ry=ry, color=when(there, np.asarray(classes, np.uint8)), fill=0.0)]
