"""Questions about feature selection: the next set of a search, its score, columns of a filter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

import numpy as np

from dmlib.feature_selection.coverage import CoverageStep
from dmlib.feature_selection.filter_selector import FilterStep
from dmlib.feature_selection.l0_svm import L0SVMStep
from dmlib.feature_selection.probe import ProbeStep
from dmlib.feature_selection.scores import LeastSquaresScore, Score, Subset, goodness
from dmlib.feature_selection.search import SearchStep, is_above
from dmlib.feature_selection.subset_search import SCORES
from dmlib.feature_selection.walk import all_sets
from dmlib.pictures.answers import Answer, Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4, percent, signed
from dmlib.problem import Problem

MAX_QUESTIONS = 40
MAX_IN_LATTICE = 6  # columns up to which all sets are in the picture
MAX_CHOICES = 6  # sets whose scores stand in a question
MAX_OPTIONS = 5


class Rule(Misconception):
    """Wrong rules of feature selection."""

    ALONE = "Columns are judged one by one, whatever is in the set."
    FIT = "A column joins as long as the SSE falls."
    EXHAUSTIVE = "Each step compares all sets of the next size."
    INTERCEPT = "The intercept is not counted as a parameter."


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
        greedy coverage chooses one.

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
        if isinstance(step, SearchStep) and step.candidates and not step.best:
            yield from _search(run, number, step, before)
        elif isinstance(step, FilterStep):
            yield from _filter(run, number, step)
        elif isinstance(step, CoverageStep) and step.phase == "choose" and before.chosen:
            yield _coverage(run, number, step)
        elif isinstance(step, ProbeStep):
            yield from _probe(run, number, step)
        elif isinstance(step, L0SVMStep) and step.phase == "rescale":
            yield _rescaled(run.problem, number, step)


# --- searches -------------------------------------------------------------------------------------


def _search(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Iterator[Question]:
    training = run.problem.training
    score: Any = run.once("score", lambda: run.model.scorer(training.X, training.y))
    score.remember(step.candidates, step.values)
    has_choice = 1 < len(step.candidates) < MAX_CHOICES
    if has_choice and not (step.phase == "done" and run.model.n_features_to_select):
        yield _next_set(run, number, step, before, score)
    yield _sets_compared(run, number, step, before)
    if isinstance(score, LeastSquaresScore) and score.name in ("aic", "bic"):
        yield from _criterion(run, number, step, score)


def _next_set(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep, score: Score
) -> Question:
    name = SCORES[score.name].replace("Cross", "cross").replace("Adj", "adj")
    values = [goodness(score, value) for value in step.values]
    equal = [
        each
        for each, value in zip(step.candidates, values, strict=True)
        if step.phase != "done" and not is_above(max(values), value)
    ]
    right = [step.subset, *(each for each in equal if each != step.subset)]
    choices = [before.subset, *step.candidates]
    answer, code = _set_answer(run.problem.features, choices, right)
    measures, measure = {each: score(each) for each in choices}, name
    if isinstance(score, LeastSquaresScore) and score.name != "cv":
        measures, measure = {each: score.sse(each) for each in choices}, "SSE"
    changes = ", ".join(
        f"{num4(measures[each])} {_change(run.problem.features, before.subset, each)}"
        for each in step.candidates
    )
    wrong = [Wrong(Rule.ALONE, code(_judged_alone(score, before.subset, step.candidates)))]
    if measure == "SSE":
        best_fit = min(step.candidates, key=lambda each: measures[each])
        wrong.insert(0, Wrong(Rule.FIT, code(best_fit)))
    return Question(
        number,
        "next set",
        f"The {measure} is {num4(measures[before.subset])} now, and {changes}: which set does the"
        f" search by {name} have after this step?",
        answer,
        _comparison(run, step, before, name),
        wrong,
        "If no neighbour has a better score than the present set, the search ends with it.",
        "Several sets have the best score." if len(right) > 1 else "",
        hides=("Texts",) if run.options.get("all", True) else (),
    )


def _comparison(run: Run[Problem, Any], step: SearchStep, before: SearchStep, name: str) -> str:
    """Return the scores that decide, in words."""
    features = run.problem.features
    pairs = zip(step.candidates, step.values, strict=True)
    listing = ", ".join(f"{_name(features, each)} {num4(value)}" for each, value in pairs)
    if step.phase == "done":
        return (
            f"{_name(features, before.subset)} has {name} {num4(before.value)}, and no neighbour is"
            f" better: {listing}."
        )
    return (
        f"The values of {name} are: {listing}; before it was {num4(before.value)}, so"
        f" {_name(features, step.subset)} is the best."
    )


def _judged_alone(score: Score, subset: Subset, candidates: Sequence[Subset]) -> Subset:
    """Return the candidate with the best column by itself, or without the worst."""

    def column_goodness(each: Subset) -> float:
        (column,) = set(each) ^ set(subset)
        value = goodness(score, score((column,)))
        return value if len(each) > len(subset) else -value

    return max(candidates, key=column_goodness)


def _set_answer(
    features: Sequence[str], choices: Sequence[Subset], right: Sequence[Subset]
) -> tuple[Answer, Any]:
    """Return the answer that is one of some sets, and what turns a set into such an answer.

    Sets of few columns are in the picture.
    """
    if len(features) <= MAX_IN_LATTICE:
        numbers = {subset: i for i, subset in enumerate(all_sets(len(features)), 1)}
        among = sorted(numbers[each] for each in choices)
        names = {numbers[each]: _name(features, each) for each in choices}
        answer: Answer = Pick("set", [[numbers[each]] for each in right], among=among, names=names)
        return answer, lambda subset: [numbers[subset]]
    options = sorted([*choices[:MAX_OPTIONS], *right[:1]])
    options = list(dict.fromkeys(options))[:MAX_OPTIONS]
    if right[0] not in options:
        options[-1] = right[0]
    places = {each: i for i, each in enumerate(options)}
    texts = [_name(features, each) for each in options]
    answer = Option(texts, [places[each] for each in right if each in places])
    return answer, lambda subset: places.get(subset, places[right[0]])


def _sets_compared(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Question:
    p, k = len(run.problem.features), len(before.subset)
    n = len(step.candidates)
    size = len(step.candidates[0])
    verb = "added" if size > k else "removed"
    return Question(
        number,
        "sets compared",
        f"The set has {count(k, 'column', 'columns')} of {p}: how many sets are compared in this"
        " step?",
        Value(n),
        f"One column is {verb}, and {n} can be: {count(n, 'set', 'sets')}."
        if all(len(each) == size for each in step.candidates)
        else f"Each of {n} columns is added to the set or removed from it.",
        (Wrong(Rule.EXHAUSTIVE, comb(p, size), f"There are {comb(p, size)} sets of {size}."),),
        "The search moves from the present set to a neighbour.",
    )


def _criterion(
    run: Run[Problem, Any], number: int, step: SearchStep, score: LeastSquaresScore
) -> Iterator[Question]:
    if not np.isfinite(step.values[0]):
        return
    subset, value = step.candidates[0], float(step.values[0])
    k, n, sse, name = len(subset), score.n, num4(score.sse(subset)), score.name.upper()
    weight = 2.0 if score.name == "aic" else float(np.log(n))
    factor = "2" if score.name == "aic" else f"ln {n}"
    yield Question(
        number,
        "score of a set",
        f"{_name(run.problem.features, subset)} fits the {n} rows with SSE {sse}: what is its"
        f" {name}?",
        Value(value, max(0.01 * abs(value), 0.05)),
        f"{count(k, 'column', 'columns')} and the intercept are {k + 1} parameters: {n} ·"
        f" ln({sse} / {n}) + {factor} · {k + 1} = {num4(value)}.",
        (Wrong(Rule.INTERCEPT, value - weight),),
        f"{name} is n ln(SSE / n) plus {factor} for each parameter.",
    )


def _name(features: Sequence[str], subset: Subset) -> str:
    return "{" + ", ".join(features[j] for j in subset) + "}" if subset else "the empty set"


def _change(features: Sequence[str], subset: Subset, candidate: Subset) -> str:
    (column,) = set(subset) ^ set(candidate)
    return f"{'with' if len(candidate) > len(subset) else 'without'} {features[column]}"


# --- other methods -------------------------------------------------------------------------


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


def _coverage(run: Run[Problem, Any], number: int, step: CoverageStep) -> Question:
    chosen, gain = step.chosen[-1], int(step.gains.max())
    right = [chosen, *(int(j) for j in np.flatnonzero(step.gains == gain) if j != chosen)]
    return Question(
        number,
        "next column",
        "Which column does greedy coverage choose next?",
        Pick("column", [[j + 1] for j in right]),
        f"{run.problem.features[chosen]} covers {gain} more, itself included, and no column covers"
        " more of those that are left.",
        (),
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
