"""Questions about transformations: scaled values, shares of a sample, groups of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.pictures.answers import Answer, Option, Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.words import count, num4
from dmlib.preprocessing.transformation.aggregation import AggregateStep, Aggregator
from dmlib.preprocessing.transformation.algorithm import Rescaler, RescalerStep
from dmlib.preprocessing.transformation.columns_scene import MAX_COLUMNS, MAX_ROWS
from dmlib.preprocessing.transformation.formula_ledger import arithmetic
from dmlib.preprocessing.transformation.formula_transformer import FormulaStep, FormulaTransformer
from dmlib.preprocessing.transformation.ledger import formula
from dmlib.preprocessing.transformation.sampling import STRATIFIED, Sampler, SampleStep
from dmlib.problem import Problem

MAX_QUESTIONS = 40
MAX_OPTIONS = 4  # columns among which one is chosen
MAX_TERMS = 8  # values that are written out
CENTRES = {"z_score": "mean", "robust": "median", "min_max": "minimum"}
MEASURES = {
    "z_score": "the mean {centre} and the standard deviation {unit}",
    "robust": "the median {centre}, and quartiles {unit} apart",
    "min_max": "the minimum {centre} and the range {unit}",
    "max_abs": "the largest absolute value {unit}",
}
SCALED = {
    "z_score": "z-score",
    "robust": "robustly scaled value",
    "min_max": "value on the scale from 0 to 1",
    "max_abs": "scaled value",
}


class Rule(Misconception):
    """Wrong rules of transformations."""

    MEDIAN = "The median of the column is subtracted."
    VARIANCE = "The difference is divided by the variance."
    RANGE = "The difference is divided by the range."
    UNCENTRED = "The values are divided without subtracting a centre."
    NORMAL = "Scaled values have a normal distribution, whatever the shape of the column."
    UNITS = "The column with the largest numbers counts most in distances."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a scaler, formula, sampler or aggregator answer.

    Parameters
    ----------
    run : Run
        Steps of a class of :mod:`dmlib.preprocessing.transformation`.

    Yields
    ------
    Question
        Before columns are measured, scaled or computed, rows drawn, or groups made.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1, 5], "b": [2.0, 4, 3]}), ["a", "b"])
    >>> [question.topic for question in questions(Run.of(problem, Rescaler("min_max")))]
    ['scaled value', 'shape', 'centre', 'scaled value', 'distances']
    """
    steps = run.trace.steps
    if not run.trace.complete:
        return
    if isinstance(run.model, Sampler):
        yield from _sample(run)
        return
    for number in range(1, min(len(steps), MAX_QUESTIONS)):
        step = steps[number]
        if isinstance(run.model, Rescaler):
            yield from _scaler(run, number, step)
        elif isinstance(run.model, FormulaTransformer) and step.phase == "compute":
            yield _computed(run.problem, run.fitted.columns_, number, step)
        elif isinstance(run.model, Aggregator) and step.phase == "group":
            yield from _group(run, number, step)


# --- scales ---------------------------------------------------------------------------------------


def _scaler(run: Run[Problem, Rescaler], number: int, step: RescalerStep) -> Iterator[Question]:
    model, j = run.fitted, step.column
    if step.phase == "done":
        yield from _distances(run, number)
    elif j < MAX_COLUMNS and np.ptp(run.problem.X[:, j]) > 0:
        method = model.methods_[j]
        if step.phase == "measure" and method in CENTRES:
            yield from _centre(run.problem, number, step, method)
        elif step.phase == "scale" and method in MEASURES:
            yield _scaled(run, number, step, method)
            yield from _shape(run, number, step)


def _centre(problem: Problem, number: int, step: RescalerStep, method: str) -> Iterator[Question]:
    x, name = problem.X[:, step.column], problem.features[step.column]
    if len(x) > MAX_TERMS:
        return
    values = ", ".join(num4(value) for value in x)
    spread = float(np.ptp(x))
    sums = f"({' + '.join(num4(value) for value in x)}) / {len(x)} = {num4(x.mean())}"
    proofs = {
        "z_score": f"A z-score subtracts the mean: {sums}.",
        "robust": f"The median of the sorted values is {num4(step.centre)}; the mean is {sums}.",
        "min_max": f"The smallest value is {num4(step.centre)}, and becomes 0.",
    }
    yield Question(
        number,
        "centre",
        f"{name} has the values {values}: what number is subtracted from them ({SCALED[method]})?",
        Value(step.centre, 0.01 * spread),
        proofs[method],
        (Wrong(Rule.MEDIAN, float(np.median(x)), f"The median is {num4(np.median(x))}."),),
        f"The number that becomes 0 is the {CENTRES[method]}.",
    )


def _scaled(run: Run[Problem, Rescaler], number: int, step: RescalerStep, method: str) -> Question:
    """Return a question about the row farthest from the centre, as a number or as a place."""
    problem, j = run.problem, step.column
    x, z = problem.X[:, j], run.fitted.prepared_[:, j]
    row = int(np.argmax(np.abs(x - step.centre)))
    variance, extent = float(x.var()), float(np.ptp(x))
    difference = float(x[row]) - step.centre
    measures = MEASURES[method].format(centre=num4(step.centre), unit=num4(step.unit))
    label, name = int(problem.rows[row]) + 1, problem.features[j]
    answer, code = _on_scale(run.fitted, float(z[row]), is_place=j % 2 == 1)
    wrong = [
        Wrong(Rule.UNCENTRED, code(float(x[row]) / step.unit)),
        Wrong(Rule.VARIANCE, code(difference / variance)),
        Wrong(Rule.RANGE, code(difference / extent)),
    ]
    kind = "Where is" if j % 2 == 1 else "What is"
    return Question(
        number,
        "scaled value",
        f"{name} has {measures}, and row {label} has {num4(x[row])}:"
        f" {kind.lower()} its {SCALED[method]}?",
        answer,
        f"{formula(method, step, float(x[row]), float(z[row]))}.",
        wrong,
        "Subtract the centre, then divide by the unit." if method != "max_abs" else "",
        about=[label],
    )


def _on_scale(model: Rescaler, z: float, *, is_place: bool) -> tuple[Answer, Any]:
    """Return the answer, a scaled number or its place, and what makes such answers of numbers."""
    if not is_place:
        return Value(z, max(0.01 * abs(z), 0.005)), float
    rows, d = evenly(len(model.prepared_), MAX_ROWS), min(model.prepared_.shape[1], MAX_COLUMNS)
    across = Axis("scaled value", *bounds(model.prepared_[rows][:, :d]))
    panel = Panel("after", across, Axis("", -0.6, d - 0.4))
    return Place(panel, [(z, 0.0)], "x"), lambda value: (value, 0.0)


def _shape(run: Run[Problem, Rescaler], number: int, step: RescalerStep) -> Iterator[Question]:
    """Ask about the shape of the column that is farthest from symmetric."""
    X = run.problem.X
    skewness = np.array([_skewness(x) for x in X.T])
    if int(np.argmax(np.abs(skewness))) != step.column:
        return
    before, name = num4(skewness[step.column]), run.problem.features[step.column]
    yield Question(
        number,
        "shape",
        f"The skewness of {name} is {before}: what becomes of it when the column is scaled?",
        Option(["it becomes 0", "it stays as it is", "it becomes 1", "it is divided by s"], [1]),
        f"All values are shifted and divided alike, so the skewness stays {before}.",
        (Wrong(Rule.NORMAL, 0, "A skewed distribution stays skewed."),),
        "Compare the distances between the points before and after.",
    )


def _skewness(x: Floats) -> float:
    z = (x - x.mean()) / (x.std() or 1.0)
    return float((z**3).mean())


def _distances(run: Run[Problem, Rescaler], number: int) -> Iterator[Question]:
    features, X, Z = run.problem.features, run.problem.X, run.fitted.prepared_
    if not 2 <= len(features) <= MAX_OPTIONS:
        return
    spreads, before = Z.std(axis=0), X.std(axis=0)
    options = [*features, "all count alike"]
    if len(set(options)) < len(options):
        return
    is_alike = bool(np.allclose(spreads, spreads[0]))
    right = [len(features)]
    if not is_alike:
        right = np.flatnonzero(np.isclose(spreads, spreads.max())).tolist()
    listing = ", ".join(f"{name} {num4(s)}" for name, s in zip(features, spreads, strict=True))
    yield Question(
        number,
        "distances",
        "Which column counts most in Euclidean distances after scaling?",
        Option(options, right),
        f"The standard deviations are now: {listing}.",
        (
            Wrong(
                Rule.UNITS,
                int(np.argmax(before)),
                f"Before, that of {features[int(np.argmax(before))]} was {num4(before.max())}.",
            ),
        ),
        "A column counts by its spread.",
        "Several columns have this spread." if len(right) > 1 else "",
    )


# --- formulas -------------------------------------------------------------------------------------


def _computed(problem: Problem, columns: Sequence[str], number: int, step: FormulaStep) -> Question:
    """Return a question about the result of an operation in one row."""
    row = number % len(problem.X)
    label, places = int(problem.rows[row]) + 1, [columns.index(name) for name in step.columns]
    numbers = [f"{columns[j]} {num4(problem.X[row, j])}" for j in places]
    value = float(step.values[row])
    return Question(
        number,
        "formula",
        f"Row {label} has {', '.join(numbers)}: what is {step.part}?",
        Value(value, max(0.01 * abs(value), 1e-12)),
        f"{arithmetic(step, row)}.",
        (),
        "Powers come before products, products before sums; brackets come first.",
        about=[label],
    )


# --- samples --------------------------------------------------------------------------------------


def _sample(run: Run[Problem, Sampler]) -> Iterator[Question]:
    model, problem, steps = run.model, run.problem, run.trace.steps
    n_classes = len(problem.classes) if problem.y is not None else 0
    if model.strategy in STRATIFIED and 2 <= n_classes <= MAX_OPTIONS:
        yield from _allocation(run)
    draws = [i for i, step in enumerate(steps) if i and step.phase == "draw"]
    if model.strategy in ("random", "replacement", "reservoir"):
        for number in draws[:MAX_QUESTIONS]:
            yield _chance(problem, model, number, steps[number])
    elif model.strategy == "progressive":
        grown = [i for i, step in enumerate(steps) if step.phase == "grow"]
        for i, j in pairwise(grown):
            yield _growth(i + 1, steps[i], steps[j])


def _allocation(run: Run[Problem, Sampler]) -> Iterator[Question]:
    problem, model = run.problem, run.model
    y = np.asarray(problem.y)
    sizes = model.class_sizes(problem.X, y, problem.classes)
    counts = np.bincount(y, minlength=len(problem.classes))
    listing = ", ".join(f"{n} {name}" for n, name in zip(counts, problem.classes, strict=True))
    taken = ", ".join(f"{n} {name}" for n, name in zip(sizes, problem.classes, strict=True))
    largest = int(np.argmax(counts))
    if model.strategy in ("stratified", "stratified_equal"):
        as_classes = "as the classes are" if model.strategy == "stratified" else "equal strata"
        yield Question(
            1,
            "stratified sample",
            f"The rows are {listing}, and {sum(sizes)} are drawn ({as_classes}): how many"
            f" {problem.classes[largest]}?",
            Value(sizes[largest]),
            f"The sample has {taken}.",
            (),
            "Each class has its share of the rows."
            if model.strategy == "stratified"
            else "Each class has as many rows.",
        )


def _chance(problem: Problem, model: Sampler, number: int, step: SampleStep) -> Question:
    n, size = len(problem.X), min(model.n_rows, len(problem.X))
    i = step.row + 1 if model.strategy == "reservoir" else step.slot + 1
    facts = {
        "random": f"Row number {i} of a sample is drawn from {n} rows without replacement: what is"
        " the probability of each row that is left?",
        "replacement": f"Row number {i} of a sample is drawn from {n} rows with replacement: what"
        " is the probability of each row?",
        "reservoir": f"Row {i} of the stream arrives, and the reservoir holds {size} rows: with"
        " what probability is it sampled?",
    }
    proofs = {
        "random": f"{n} − {i - 1} rows are left: 1 / {n - i + 1} = {num4(step.chance)}.",
        "replacement": f"Rows that were drawn can come again: 1 / {n} = {num4(step.chance)}.",
        "reservoir": f"min(1, {size} / {i}) = {num4(step.chance)}.",
    }
    return Question(
        number,
        "probability",
        facts[model.strategy],
        Value(step.chance, 0.01 * step.chance),
        proofs[model.strategy],
        (),
        "All rows have the same chance to be in the sample.",
    )


def _growth(number: int, step: SampleStep, after: SampleStep) -> Question:
    return Question(
        number,
        "growth",
        f"The sample has {count(step.n_rows, 'row', 'rows')}: how many does it have when it is"
        " judged next?",
        Value(after.n_rows),
        f"It is doubled: 2 · {step.n_rows} = {after.n_rows}.",
        (),
        "The sizes of a progressive sample form a geometric series.",
    )


# --- groups ---------------------------------------------------------------------------------------


def _group(run: Run[Problem, Aggregator], number: int, step: AggregateStep) -> Iterator[Question]:
    problem, model = run.problem, run.model
    labels = (problem.rows[step.rows] + 1).tolist()
    if model.by == "value" and 1 < len(labels) <= MAX_TERMS:
        x = np.sort(problem.X[step.rows, 0])
        ties = np.isclose(problem.X[:, 0], x[-1]).sum() > np.isclose(x, x[-1]).sum()
        if not ties:
            yield Question(
                number,
                "group",
                f"Which {len(labels)} rows become the next group?",
                Pick("row", [labels], several=True),
                f"They follow each other in {problem.features[0]}, from {num4(x[0])} to"
                f" {num4(x[-1])}.",
                (),
                f"Rows are grouped by their order in {problem.features[0]}.",
            )
    if 1 < len(labels) <= MAX_TERMS:
        yield _representative(problem, model, number, step)


def _representative(
    problem: Problem, model: Aggregator, number: int, step: AggregateStep
) -> Question:
    values = problem.X[step.rows, 0]
    name, value = problem.features[0], float(step.values[0])
    listing = ", ".join(num4(each) for each in values)
    terms = " + ".join(num4(each) for each in values)
    proof = f"({terms}) / {len(values)} = {num4(value)}."
    if model.statistic == "sum":
        proof = f"{terms} = {num4(value)}."
    if model.statistic == "median":
        middle = ", ".join(num4(each) for each in np.sort(values))
        proof = f"The middle of {middle} is {num4(value)}."
    return Question(
        number,
        "representative",
        f"The rows of the next group have {name} {listing}: what {name} does their representative"
        f" ({model.statistic}) have?",
        Value(value, max(0.01 * float(np.ptp(values)), 1e-12)),
        proof,
        (),
        "Every row of the group counts.",
    )
