"""Questions about feature selection: the next set of a search, its score, columns of a filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.feature_selection.annealing_questions import AnnealingRule, annealing_questions
from dmlib.feature_selection.coverage import CoverageStep
from dmlib.feature_selection.filter_selector import FilterStep
from dmlib.feature_selection.genetic_questions import GeneticRule, genetic_questions
from dmlib.feature_selection.l0_svm import L0SVMStep
from dmlib.feature_selection.probe import ProbeStep
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.search_questions import Rule, search_questions
from dmlib.feature_selection.sensor_placement import SensorPlacement
from dmlib.feature_selection.sensor_questions import SensorRule, sensor_questions
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, percent, signed, upper_first
from dmlib.problem import Problem

MAX_QUESTIONS = 40


RULES = (*Rule, *AnnealingRule, *GeneticRule, *SensorRule)
"""Those of all methods."""


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a selector answer.

    Parameters
    ----------
    run : Run
        Steps of a class of :mod:`dmlib.feature_selection`.

    Yields
    ------
    Question
        Before a search goes to another set or ends, before a filter scores a column, and before
        greedy coverage chooses one or places a sensor.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.feature_selection import SubsetSearch
    >>> from dmlib.problem import prepare
    >>> columns = {"a": [1.0, 2, 3, 4, 5], "b": [0.0, 1, 0, 0, 1], "y": [1.0, 2, 3, 4, 6]}
    >>> names = {"target": "y", "labelled": True, "numeric_target": True}
    >>> problem = prepare(pd.DataFrame(columns), ["a", "b"], **names)
    >>> run = Run.of(problem, SubsetSearch(n_features_to_select=1))
    >>> [question.topic for question in questions(run)]
    ['next set', 'sets compared', 'score of a set']
    """
    steps = run.trace.steps
    for number in range(1, min(len(steps), MAX_QUESTIONS)):
        step, before = steps[number], steps[number - 1]
        if isinstance(step, SearchStep):
            yield from _search(run, number, step, before)
        elif isinstance(step, FilterStep):
            yield from _filter(run, number, step)
        elif isinstance(step, CoverageStep) and step.phase == "choose" and before.chosen:
            is_graph = isinstance(run.model, SensorPlacement)
            ask = sensor_questions if is_graph else _coverage
            yield from ask(run, number, step, before)
        elif isinstance(step, ProbeStep):
            yield from _probe(run, number, step)
        elif isinstance(step, L0SVMStep) and step.phase == "rescale":
            yield _rescaled(run.problem, number, step)


def _search(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Iterator[Question]:
    if step.incumbent is not None:
        yield from annealing_questions(run, number, step, before)
    elif run.trace.steps[0].has_population:
        yield from genetic_questions(run, number, step, before)
    elif step.candidates and not step.best:
        yield from search_questions(run, number, step, before)


def _filter(run: Run[Problem, Any], number: int, step: FilterStep) -> Iterator[Question]:
    parts = step.parts
    if step.phase == "select":
        yield from _selected(run, number, step)
    if step.column is None or "covariance" not in parts:
        return
    score, name = float(parts["score"]), run.problem.features[step.column]
    target = run.problem.target
    covariance, sx, sy = (num4(parts[key]) for key in ("covariance", "sx", "sy"))
    yield Question(
        number,
        "score of a column",
        f"{name} has the covariance {covariance} with {target}, and their standard deviations are"
        f" {sx} and {sy}: what is the score |r|?",
        Value(score, 0.01),
        f"{signed(parts['covariance'], 4)} / ({sx} · {sy}) = {num4(parts['r'])}, and its size is"
        f" {num4(score)}.",
        (),
        "A strong negative correlation is as useful as a positive one.",
    )


def _selected(run: Run[Problem, Any], number: int, step: FilterStep) -> Iterator[Question]:
    p = len(step.scores)
    column = step.column
    if p < 2 or column is None:
        return
    score = step.scores[column]
    waiting = [j for j in range(p) if not step.support[j] or j == column]
    right = [[j + 1] for j in waiting if step.scores[j] >= score - 1e-12]
    right.sort(key=lambda each: each != [column + 1])
    yield Question(
        number,
        "next column",
        "Which column does the filter select next?",
        Pick("column", right),
        f"{run.problem.features[column]} has the largest score of those left,"
        f" {num4(score)}; the columns selected before do not count.",
        (),
        "A filter judges each column alone.",
        "Several columns have the same score." if len(right) > 1 else "",
    )


def _coverage(
    run: Run[Problem, Any], number: int, step: CoverageStep, before: CoverageStep
) -> Iterator[Question]:
    """Ask which column is chosen next."""
    joined = run.model.neighbourhoods(run.problem.training.X)
    gains, chosen = (joined & ~before.covered).sum(axis=1), step.chosen[-1]
    alone = np.where(before.support, 0, joined.sum(axis=1))
    right = [chosen, *(int(j) for j in np.flatnonzero(gains == gains[chosen]) if j != chosen)]
    yield Question(
        number,
        "next column",
        "Which column does greedy coverage choose next?",
        Pick("column", [[j + 1] for j in right]),
        f"{upper_first(run.problem.features[chosen])} covers {gains[chosen]} more, itself included,"
        " and no column covers more of those that are left.",
        (Wrong(Rule.ALONE, [int(alone.argmax()) + 1]),),
        "Only columns that are not covered yet count.",
        "Several columns cover as many more." if len(right) > 1 else "",
    )


def _probe(run: Run[Problem, Any], number: int, step: ProbeStep) -> Iterator[Question]:
    """Ask what wins: the best column that is left, or the best probe."""
    p = len(run.problem.features)
    columns, probes = np.nan_to_num(step.gains[:p]), np.nan_to_num(step.gains[p:])
    if step.moved is None or np.isclose(columns.max(), probes.max()):
        return
    name = run.problem.features[int(columns.argmax())]
    results = {"add": f"{name} is selected", "probe": "a probe is taken", "done": "it ends"}
    options = list(results.values())
    gains = f"{percent(columns.max())} of the variance, and the best probe {percent(probes.max())}"
    share = run.model.max_share
    limit = f" ({percent(share)} of those taken may be probes)" if share else ""
    yield Question(
        number,
        "column or probe",
        f"{name} explains {gains}: what does the search do{limit}?",
        Option(options, [options.index(results[step.phase])]),
        f"The larger one is {'a probe' if probes.max() > columns.max() else name}, so"
        f" {results[step.phase].replace('it ends', 'the search ends')}.",
        (),
        "A column must explain more than what explains nothing but by chance.",
    )


def _rescaled(problem: Problem, number: int, step: L0SVMStep) -> Question:
    """Return a question about the column that has the largest scale."""
    weights = np.sqrt((step.weights**2).mean(axis=0))
    j = int((step.before * weights).argmax())
    old, weight, new = (float(values[j]) for values in (step.before, weights, step.scale))
    return Question(
        number,
        "new scale",
        f"{problem.features[j]} has the scale {num4(old)}, and the size of its weight is"
        f" {num4(weight)}: what is its new scale?",
        Value(new, max(0.01 * abs(new), 1e-9)),
        f"z ← z · |w| = {num4(old)} · {num4(weight)} = {num4(new)}.",
        (),
        "Scales are multiplied by the weights, so that small ones vanish.",
    )
