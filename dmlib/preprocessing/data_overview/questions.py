"""Questions about a column: its mode, quantiles, outliers, mean, spread and correlation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.answers import Option, Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import count, num4, percent, signed
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary, ColumnSummaryStep
from dmlib.preprocessing.data_overview.values_scene import ColumnValues
from dmlib.problem import Problem

SummaryRun = Run[Problem, ColumnSummary]
MAX_TERMS = 12  # values of a sum that is worked out by hand
MAX_ROWS = 40  # among which outliers are looked for by eye
MAX_CATEGORIES = 5


class Rule(Misconception):
    """Wrong rules about the statistics of a column."""

    UNSORTED = "The median is the value in the middle of the rows as they were recorded."
    RANGE = "Quantiles divide the range, not the rows."
    HALF = "Half of the values lie below the mean."
    EXTREMES = "The smallest and the largest value are outliers."
    ALL_N = "The variance divides the squared deviations by n."
    VARIANCES = "The correlation divides the covariance by the variances."


def questions(run: Run[Problem, ColumnSummary]) -> Iterator[Question]:
    """Yield the questions that the statistics of a column answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.preprocessing.ColumnSummary`.

    Yields
    ------
    Question
        Before each statistic that the scale of the column allows.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [2.0, 4.0, 4.0, 5.0, 15.0]}), ["a"])
    >>> [question.topic for question in questions(Run.of(problem, ColumnSummary()))][:5]
    ['median', 'outliers', 'mean', 'variance', 'coefficient of variation']
    """
    steps = run.trace.steps
    if not run.trace.complete:
        return
    for number in range(1, len(steps)):
        ask = QUESTIONS.get(steps[number].phase)
        if ask is not None:
            yield from ask(run, number, steps[number])


def _sorted(step: ColumnSummaryStep) -> Floats:
    return np.sort(step.values[np.isfinite(step.values)])


# --- order ----------------------------------------------------------------------------------------


def _mode(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    if not step.categories:
        return
    counts = np.bincount(_sorted(step).astype(int), minlength=len(step.categories))
    if not 2 <= len(step.categories) <= MAX_CATEGORIES or not step.statistics["modes"]:
        return
    right = np.flatnonzero(counts == counts.max()).tolist()
    listing = ", ".join(f"{name} {n}" for name, n in zip(step.categories, counts, strict=True))
    yield Question(
        number,
        "mode",
        f"What is the mode of {run.problem.features[step.column]}?",
        Option(list(step.categories), right),
        f"The counts are: {listing}.",
        (),
        "The mode is the most frequent value.",
        "Several values are equally frequent." if len(right) > 1 else "",
    )


def _median(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    x, n = _sorted(step), int(step.statistics["n"])
    if step.categories or step.scale == "ordinal" or np.ptp(x) == 0:
        return
    known = step.values[np.isfinite(step.values)]
    middle = (n - 1) // 2, n // 2
    recorded = float(known[list(middle)].mean())
    values = f"the value {num4(x[middle[1]])}"
    if middle[0] < middle[1]:
        values = f"the middle of {num4(x[middle[0]])} and {num4(x[middle[1]])}"
    name = run.problem.features[step.column]
    wrong = [
        Wrong(Rule.RANGE, (float(x[0] + x[-1]) / 2, 0.0)),
        Wrong(Rule.UNSORTED, (recorded, 0.0)),
    ]
    mean = run.trace.steps[-1].statistics.get("mean")
    if mean is not None:
        wrong.append(Wrong(Rule.HALF, (float(mean), 0.0)))
    yield Question(
        number,
        "median",
        f"Where is the median of {name}?",
        _place(run, step.statistics["median"]),
        f"Of {n} sorted values, {values} has as many below as above.",
        wrong,
        "Half of the values lie on each side.",
    )


def _place(run: SummaryRun, value: float) -> Place:
    """Return a vertical line at a value in the panel of all values."""
    values = ColumnValues(run.problem, run.trace.steps)
    n = values.n_rows
    panel = Panel("data", values.axis(values.name), Axis("place", -0.04 * n, n * 1.1 + 1))
    width, height = panel.size.tolist()
    return Place(panel, [(float(value), 0.0)], "x", (0.02 * width, height))


def _quartile(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    if step.categories or step.scale == "ordinal":
        return
    x, n = _sorted(step), int(step.statistics["n"])
    place = 1 + (n - 1) * 0.25
    i = min(int(place) - 1, n - 1)
    low, next_value, fraction = float(x[i]), float(x[min(i + 1, n - 1)]), place - 1 - i
    value, spread = float(step.statistics["low"]), float(np.ptp(x))
    if fraction == 0 or num4(value) in (num4(low), num4(next_value)):
        return
    yield Question(
        number,
        "quartile",
        f"The sorted values at places {i + 1} and {min(i + 2, n)} of {n} are {num4(low)} and"
        f" {num4(next_value)}, and all lie from {num4(x[0])} to {num4(x[-1])}: what is the lower"
        " quartile?",
        Value(value, max(0.01 * spread, 1e-12)),
        f"Place 1 + ({n} − 1) · 0.25 = {num4(place)}: {num4(low)} + {num4(fraction)} ·"
        f" ({num4(next_value)} − {num4(low)}) = {num4(value)}.",
        (Wrong(Rule.RANGE, float(x[0]) + spread / 4),),
        "A quarter of the values lies below: count places, and interpolate between two.",
    )


def _outliers(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    values, labels = step.values, run.problem.rows + 1
    if not 2 < len(values) <= MAX_ROWS:
        return
    low, high = step.statistics["low"], step.statistics["high"]
    low_fence, high_fence = step.statistics["low_fence"], step.statistics["high_fence"]
    is_beyond = np.isfinite(values) & ((values < low_fence) | (values > high_fence))
    n_beyond = int(is_beyond.sum())
    ends = [int(np.nanargmin(values)), int(np.nanargmax(values))]
    yield Question(
        number,
        "outliers",
        f"The quartiles are {num4(low)} and {num4(high)}: which rows are outliers by Tukey's rule,"
        " if any?",
        Pick("row", [labels[is_beyond].tolist()], several=True),
        f"The fences are {num4(low)} − 1.5 · {num4(high - low)} = {num4(low_fence)} and"
        f" {num4(high)} + 1.5 · {num4(high - low)} = {num4(high_fence)}:"
        f" {count(n_beyond, 'value lies', 'values lie') if n_beyond else 'no value lies'} beyond.",
        (Wrong(Rule.EXTREMES, sorted(labels[ends].tolist())),),
        "The fences lie 1.5 interquartile ranges beyond the quartiles.",
    )


# --- mean and spread ------------------------------------------------------------------------------


def _mean(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    x, mean = _sorted(step), step.statistics["mean"]
    values = [num4(value) for value in x]
    if len(x) > MAX_TERMS or np.ptp(x) == 0 or num4(mean) in values:
        return
    terms = " + ".join(signed(value, 4) for value in x)
    yield Question(
        number,
        "mean",
        f"{run.problem.features[step.column]} has the values {', '.join(values)}:"
        " what is the mean?",
        Value(mean, 0.01 * float(np.ptp(x))),
        f"({terms}) / {len(x)} = {num4(mean)}.",
        (
            Wrong(Rule.HALF, step.statistics["median"], "The mean weighs how far values lie."),
            Wrong(Rule.RANGE, float(x[0] + x[-1]) / 2),
        ),
        "Every value counts once.",
    )


def _variance(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    n, squares = int(step.statistics["n"]), step.statistics["squares"]
    variance = step.statistics["variance"]
    yield Question(
        number,
        "variance",
        f"The squared deviations of {n} values from their mean add up to {num4(squares)}: what is"
        " the sample variance?",
        Value(variance, 0.2 * variance / n),
        f"{num4(squares)} / ({n} − 1) = {num4(variance)}.",
        (Wrong(Rule.ALL_N, squares / n, "Around their own mean n values have n − 1 free ones."),),
        "The mean was estimated from the same values.",
    )


def _coefficient(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    deviation, mean = step.statistics["deviation"], step.statistics["mean"]
    share = 100 * step.statistics["coefficient"]
    yield Question(
        number,
        "coefficient of variation",
        f"The variance is {num4(deviation**2)} and the mean {num4(mean)}: what is the coefficient"
        " of variation?",
        Value(share, max(0.01 * share, 0.01), "%"),
        f"√{num4(deviation**2)} / {num4(mean)} = {percent(share / 100)}.",
        (),
        "It is the standard deviation as a share of the mean.",
    )


def _correlation(run: SummaryRun, number: int, step: ColumnSummaryStep) -> Iterator[Question]:
    sizes = np.abs(step.correlations)
    sizes[step.column] = np.nan
    if not np.isfinite(sizes).any():
        return
    other = int(np.nanargmax(sizes))
    is_known = np.isfinite(step.values) & np.isfinite(run.problem.X[:, other])
    x, y = step.values[is_known], run.problem.X[is_known, other]
    covariance, r = float(step.covariances[other]), float(step.correlations[other])
    sx, sy = float(x.std(ddof=1)), float(y.std(ddof=1))
    if not np.isfinite([covariance, sx, sy]).all() or sx * sy == 0:
        return
    name, second = run.problem.features[step.column], run.problem.features[other]
    yield Question(
        number,
        "correlation",
        f"{name} and {second} have the covariance {num4(covariance)} and the standard deviations"
        f" {num4(sx)} and {num4(sy)}: what is their correlation?",
        Value(r, 0.01),
        f"{num4(covariance)} / ({num4(sx)} · {num4(sy)}) = {num4(r)}.",
        (Wrong(Rule.VARIANCES, covariance / (sx * sy) ** 2),),
        "A correlation has no unit, and lies between −1 and 1.",
    )


QUESTIONS: Mapping[str, Callable[[SummaryRun, int, ColumnSummaryStep], Iterator[Question]]] = {
    "count": _mode,
    "median": _median,
    "quartiles": _quartile,
    "outliers": _outliers,
    "mean": _mean,
    "variance": _variance,
    "coefficient": _coefficient,
    "covariance": _correlation,
}
"""What is asked before a phase."""
