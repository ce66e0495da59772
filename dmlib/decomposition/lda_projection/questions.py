"""Questions about Fisher's projection: scatter, the number of axes, the direction of the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.classification.lda_classifier.algorithm import LinearDiscriminantAnalysis
from dmlib.decomposition.axis_questions import axis_angle, axis_answer, degrees
from dmlib.decomposition.lda_projection.fisher import Scatter
from dmlib.decomposition.lda_projection.stages import BETWEEN, COMPONENT, TURN, WITHIN, axes_of
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num, num4, percent
from dmlib.problem import Problem

MAX_CLASSES = 4  # of a sum that is worked out by hand
CURVES = ("Line", "Segments")  # the curve of the ratio would give the best axis away


class Rule(Misconception):
    """Wrong rules of Fisher's projection."""

    TOTAL = "The scatter within the classes is measured from the mean of all rows."
    UNWEIGHTED = "All classes count alike in the pooled variance, whatever their sizes."
    CLASSES = "There is one discriminant axis for each class."
    COMPONENT = "The direction of maximum variance separates the classes best."
    MEANS = "The best axis is the one on which the class means lie farthest apart."
    BOUNDARY = "The best axis runs along the boundary between the classes."


def questions(run: Run[Problem, LinearDiscriminantAnalysis]) -> Iterator[Question]:
    """Yield the questions that the stages of Fisher's projection answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.LinearDiscriminantAnalysis`.

    Yields
    ------
    Question
        Before the scatter within and between the classes, the first principal component, the turn
        to the best axis, and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 2, 4, 6], "b": [0.0, 2, 0, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> run = Run.of(problem, LinearDiscriminantAnalysis())
    >>> [question.topic for question in questions(run)][2:]
    ['number of axes', 'principal component', 'best axis']
    """
    if not run.trace.complete:
        return
    last, axes = run.trace.steps[-1], axes_of(run.trace.steps)
    scatter = Scatter.of(last)
    if len(last.counts) <= MAX_CLASSES:
        yield _within(run, last, scatter)
    yield _between(run.problem, scatter)
    yield _number_of_axes(run.problem, len(last.counts))
    if len(run.problem.features) == 2 and run.problem.plane.exact and axes:
        yield _component(run.problem, scatter, axes[0])
        yield _best_axis(run.problem, scatter, axes[0])
    if len(axes) == 2 and last.eigenvalues is not None:
        yield _share(len(run.trace.steps) - 1, last.eigenvalues)


def _within(
    run: Run[Problem, LinearDiscriminantAnalysis], last: DiscriminantStep, scatter: Scatter
) -> Question:
    name, counts = run.problem.features[0], last.counts
    variances = np.array([single[0, 0] for single in last.singles])
    pooled = float(scatter.within[0, 0])
    total = pooled + float(scatter.between[0, 0])
    n = int(counts.sum())
    terms = " + ".join(f"{k} · {num4(v)}" for k, v in zip(counts, variances, strict=True))
    return Question(
        WITHIN,
        "within the classes",
        f"The variance of {name} is {_listing(variances)} in the classes, of {_listing(counts)}"
        f" rows, and {num4(total)} in all rows: what is the pooled variance within the classes?",
        Value(pooled, 0.005 * abs(pooled)),
        f"Each class counts by its rows: ({terms}) / {n} = {num4(pooled)}.",
        (
            Wrong(Rule.UNWEIGHTED, float(variances.mean())),
            Wrong(
                Rule.TOTAL, total, f"{num4(total)} includes the distances between the class means."
            ),
        ),
        "The variance of a class is measured from its own mean.",
    )


def _between(problem: Problem, scatter: Scatter) -> Question:
    name = problem.features[0]
    within, between = float(scatter.within[0, 0]), float(scatter.between[0, 0])
    total = within + between
    return Question(
        BETWEEN,
        "between the classes",
        f"The variance of {name} is {num4(total)} in all rows and {num4(within)} within the"
        " classes, both divided by n: what is the variance between the class means?",
        Value(between, 0.01 * total),
        f"Both parts add up to the variance of all rows: {num4(total)} − {num4(within)} ="
        f" {num4(between)}.",
        (),
        "The variance of all rows has two parts.",
    )


def _number_of_axes(problem: Problem, n_classes: int) -> Question:
    n_columns = len(problem.features)
    n_axes = min(n_classes - 1, n_columns)
    numbers = sorted({n_axes, n_classes, n_columns, n_classes + 1, max(n_axes - 1, 0)})[:5]
    return Question(
        BETWEEN,
        "number of axes",
        f"There are {n_classes} classes and {n_columns} columns: how many discriminant axes are"
        " there at most?",
        Option([str(n) for n in numbers], [numbers.index(n_axes)]),
        f"{n_classes} class means differ in at most {n_classes} − 1 directions, and there are"
        f" {n_columns} columns: min({n_classes - 1}, {n_columns}) = {n_axes}.",
        (Wrong(Rule.CLASSES, numbers.index(n_classes)),) if n_classes in numbers else (),
        "Two points always lie on one line.",
    )


def _component(problem: Problem, scatter: Scatter, best: Floats) -> Question:
    component, share = scatter.component
    return Question(
        COMPONENT,
        "principal component",
        "Which direction does the first principal component have?",
        axis_answer(problem, component),
        f"At {degrees(problem, component)} the projections have {percent(share)} of the variance,"
        " the most of all axes; the classes do not count.",
        (
            Wrong(
                Rule.COMPONENT,
                axis_angle(problem, best),
                f"The best axis lies at {degrees(problem, best)}, and has less variance.",
            ),
        ),
        "A principal component ignores the classes.",
        hides=CURVES,
    )


def _best_axis(problem: Problem, scatter: Scatter, best: Floats) -> Question:
    component, means = scatter.component[0], _along_means(scatter)
    across = np.array([-best[1], best[0]])
    ratios = (
        f"{num(scatter.ratio(best), 4)} at {degrees(problem, best)},"
        f" {num(scatter.ratio(component), 4)} along the first principal component,"
        f" {num(scatter.ratio(means), 4)} where the means lie farthest apart and"
        f" {num(scatter.ratio(across), 4)} across"
    )
    return Question(
        TURN,
        "best axis",
        "The axis turns to the largest ratio of the variances between and within the classes: which"
        " direction will it have?",
        axis_answer(problem, best),
        f"The ratio is {ratios}.",
        (
            Wrong(Rule.COMPONENT, axis_angle(problem, component)),
            Wrong(Rule.MEANS, axis_angle(problem, means)),
            Wrong(Rule.BOUNDARY, axis_angle(problem, across)),
        ),
        "Projected onto the axis, the class means should lie far apart, and each class should be"
        " narrow.",
        hides=CURVES,
    )


def _share(number: int, eigenvalues: Floats) -> Question:
    first, second = (float(value) for value in eigenvalues[:2])
    share = first / max(first + second, 1e-300)
    return Question(
        number,
        "share of an axis",
        f"The axes have the ratios {num4(first)} and {num4(second)}: what percentage of the"
        " separation does axis 1 explain?",
        Value(100 * share, 0.5, "%"),
        f"{num4(first)} / ({num4(first)} + {num4(second)}) = {percent(share)}.",
        (),
        "The shares of the axes add up to 100 %.",
    )


def _along_means(scatter: Scatter) -> Floats:
    """Return the direction in which the class means vary most."""
    axis: Floats = np.linalg.eigh(scatter.between)[1][:, -1]
    return axis


def _listing(values: Iterable[float]) -> str:
    *most, last = (num4(value) for value in values)
    return f"{', '.join(most)} and {last}"
