"""Questions about regression on components: directions, slopes, errors, and what is explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.words import num4, percent, signed
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import ComponentStep, PLSRegression
from dmlib.regression.regression_questions import extremes

MAX_COMPONENTS = 6  # that are asked about
MAX_COLUMNS = 3  # whose correlations are listed
CLEAR = 1.03  # times the next largest that the largest must be


class Rule(Misconception):
    """Wrong rules of regression on components."""

    TARGET = "The column that is correlated most with the target weighs most in each component."
    COVARIANCE = "The slope of a component is the sum of products Σ t y."
    FALL = "The SSE falls by the slope of the component."
    VARIANCE = "A component explains as much of the target's variance as of the columns'."
    REPLACES = "A new component replaces the prediction by those before it."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a regression on components answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.PrincipalComponentRegression` or ``PLSRegression``.

    Yields
    ------
    Question
        Before each of the first components.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import PrincipalComponentRegression
    >>> frame = pd.DataFrame({"a": [0.0, 1, 2, 5], "b": [1.0, 0, 2, 0], "y": [0.0, 1, 3, 3]})
    >>> problem = prepare(frame, ["a", "b"], target="y", numeric_target=True)
    >>> run = Run.of(problem, PrincipalComponentRegression(1, scale=False))
    >>> [question.topic for question in questions(run)]
    ['slope', 'SSE', 'explained', 'prediction']
    """
    steps = run.trace.steps
    for number in range(1, min(len(steps), MAX_COMPONENTS + 1)):
        step, before = steps[number], steps[number - 1]
        if step.phase != "component" or not steps[0].sse > 0:
            continue
        yield from _direction(run, number, step)
        yield from _slope(number, step)
        yield from _sse(number, step, before)
        yield from _explained(number, step, before, steps[0].sse)
        yield from _prediction(run.problem, number, step, steps)


def _direction(run: Run[Problem, Any], number: int, step: ComponentStep) -> Iterator[Question]:
    """Ask for the largest weight of the first component, from the correlations of few columns."""
    weights = np.abs(step.weights)
    best = extremes(weights)
    if step.n != 1 or not run.model.scale or not 2 < len(weights) <= MAX_COLUMNS:
        return
    if len(best) > 1 or weights[best[0]] < CLEAR * np.delete(weights, best).max():
        return
    problem, is_pls = run.problem, isinstance(run.model, PLSRegression)
    training = problem.training
    columns = np.column_stack([np.asarray(training.X, float), np.asarray(training.y, float)])
    if (np.ptp(columns, axis=0) == 0).any():
        return
    R = np.corrcoef(columns.T)
    names = [*problem.features, problem.target]
    pairs = [
        f"{num4(round(R[i, j], 2))} ({names[i]}, {names[j]})"
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    numbers = list(range(1, len(weights) + 1))
    listing = ", ".join(
        f"{num4(w)} ({name})" for w, name in zip(step.weights, problem.features, strict=True)
    )
    by_target = int(np.abs(R[-1, :-1]).argmax()) + 1
    yield Question(
        number,
        "direction",
        f"The correlations are {', '.join(pairs)}: which column has the largest weight in the "
        "first component?",
        Pick(
            "column",
            [[place + 1] for place in best],
            among=numbers,
            names=dict(zip(numbers, problem.features, strict=True)),
        ),
        f"The weights are {listing}. "
        + (
            "Partial least squares weighs by the covariance with the target."
            if is_pls
            else "Principal components do not know the target."
        ),
        [] if is_pls else [Wrong(Rule.TARGET, [by_target])],
        "Partial least squares looks at the target."
        if is_pls
        else "The first component has the largest variance: it follows columns that go together.",
    )


def _slope(number: int, step: ComponentStep) -> Iterator[Question]:
    if not step.slope or not np.isfinite(step.slope):
        return
    yield Question(
        number,
        "slope",
        f"The scores t of component {step.n} have Σ t y = {num4(step.product)} and Σ t² = "
        f"{num4(step.square)}, around the means: what is the slope of y on t?",
        Value(step.slope, 0.01 * abs(step.slope)),
        f"Σ t y / Σ t² = {num4(step.product)} / {num4(step.square)} = {num4(step.slope)}.",
        (Wrong(Rule.COVARIANCE, step.product),),
        "It is least squares on a single column, the scores.",
        about=[step.n],
        of="component",
    )


def _sse(number: int, step: ComponentStep, before: ComponentStep) -> Iterator[Question]:
    if step.sse <= 1e-6 * before.sse:
        return
    yield Question(
        number,
        "SSE",
        f"The SSE is {num4(before.sse)}; component {step.n} has the slope {num4(step.slope)} and "
        f"Σ t y = {num4(step.product)}: what will the SSE be?",
        Value(step.sse, 0.01 * before.sse),
        f"{num4(before.sse)} − {num4(step.slope)} · {signed(step.product, 4)} = {num4(step.sse)}.",
        (Wrong(Rule.FALL, before.sse - abs(step.slope)),),
        "The fall is the sum of squares of slope times score.",
        about=[step.n],
        of="component",
    )


def _explained(
    number: int, step: ComponentStep, before: ComponentStep, total: float
) -> Iterator[Question]:
    share, of_columns = (before.sse - step.sse) / total, step.share - before.share
    yield Question(
        number,
        "explained",
        f"Component {step.n} has {percent(of_columns)} of the columns' variance, and lowers the "
        f"SSE from {num4(before.sse)} to {num4(step.sse)}, of SST = {num4(total)}: how many percent"
        " of the target's variance does it explain?",
        Value(100 * share, 1.0, "%"),
        f"({num4(before.sse)} − {num4(step.sse)}) / {num4(total)} = {percent(share)}.",
        (Wrong(Rule.VARIANCE, 100 * of_columns),),
        "It is the fall of the SSE as a part of SST.",
        hides=("Rects",),
    )


def _prediction(
    problem: Problem, number: int, step: ComponentStep, steps: Sequence[ComponentStep]
) -> Iterator[Question]:
    """Ask where the row moves that the component moves farthest."""
    training = problem.training
    X = np.asarray(training.X, float)
    mean, old, new = (_predicted(X, each) for each in (steps[0], steps[number - 1], step))
    place = int(np.abs(new - old).argmax())
    if not step.slope or new[place] == old[place]:
        return
    score = float(new[place] - old[place]) / step.slope
    y = np.asarray(problem.y, float)
    ends = bounds(np.concatenate([y, _predicted(np.asarray(problem.X, float), steps[-1])]))
    across = Axis(f"predicted {problem.target}", *ends)
    panel = Panel("data", across, Axis(f"observed {problem.target}", *ends), equal=True)
    row, target = int(training.rows[place]) + 1, float(np.asarray(training.y)[place])
    alone = float(mean[place] + step.slope * score)
    yield Question(
        number,
        "prediction",
        f"Row {row} is predicted {num4(old[place])} so far; its score on component {step.n} is "
        f"{num4(score)}, and the slope is {num4(step.slope)}: what will its prediction be?",
        Place(panel, [(float(new[place]), target)], form="x"),
        f"{num4(old[place])} + {num4(step.slope)} · {signed(score, 4)} = {num4(new[place])}.",
        (
            Wrong(Rule.REPLACES, (alone, target), "The components before it stay."),
            Wrong(Rule.COVARIANCE, (float(old[place] + step.product * score), target)),
        ),
        "A component adds slope times score.",
        about=[row],
    )


def _predicted(X: Floats, step: ComponentStep) -> Floats:
    predicted: Floats = step.intercept + X @ step.coef
    return predicted
