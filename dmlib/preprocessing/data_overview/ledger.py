"""The middle and the spread of a column in words and numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.words import count, num, percent
from dmlib.preprocessing import ColumnSummaryStep
from dmlib.preprocessing.data_overview.statistic_names import (
    QUANTILES,
    SCALE_STATISTICS,
    STATISTICS,
    WITH_MARKS,
    number_of,
)
from dmlib.problem import Problem

MAX_ROWS = 12  # lines of a table
MAX_TERMS = 6  # terms of a sum that are written out


def caption_and_ledger(
    problem: Problem, step: ColumnSummaryStep, selected: int | None
) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a step, that of the selected row first."""
    caption, blocks = PHASES[step.phase](problem, step)
    return caption, [*_selected_row(problem, step, selected), *blocks]


# --- counting and ordering ------------------------------------------------------------------------


def _look(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    n, n_missing = int(step.statistics["n"]), int(step.statistics["missing"])
    n_rows = len(step.values)
    missing = ", and none is missing"
    if n_missing:
        verb = "is" if n_missing == 1 else "are"
        missing = f"; {n_missing} of {n_rows} {verb} missing"
    rows = [("values", n), ("missing", n_missing), ("rows", n_rows)]
    table = LedgerTable(("what", "number"), rows, f"Column {problem.features[step.column]}")
    values = count(n, "value", "values")
    return f"The column has {values} in the order of the rows{missing}.", [table]


def _count(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    statistics, write = step.statistics, _writer(step)
    n, n_modes = int(statistics["mode_count"]), int(statistics["modes"])
    n_different = int(statistics["distinct"])
    if not n_modes:
        caption = f"All {n_different} different values occur equally often, so there is no mode."
    elif n_modes == 1:
        caption = f"The most frequent value is {write(statistics['mode'])}, {n} times: the mode."
    else:
        first = f"{write(statistics['mode'])} is one of the modes"
        caption = f"{n_modes} values share the first place, {n} times each: {first}."
    values, counts = np.unique(_sorted(step), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    shares = counts / counts.sum()
    rows = [(write(values[i]), int(counts[i]), percent(shares[i])) for i in order]
    modes = [i for i, row in enumerate(rows) if row[1] == n]
    head = ("value", "rows", "share")
    return caption, [short_table(head, rows, "Frequencies", modes, max_rows=MAX_ROWS)]


def _sort(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    write, x = _writer(step), _sorted(step)
    n, half = len(x), MAX_ROWS // 2
    places, title = list(range(n)), "Sorted"
    if n > MAX_ROWS:
        places = [*range(half), *range(n - half, n)]
        title = f"Sorted (the first and last {half} of {n})"
    order = np.argsort(step.values, kind="stable")  # missing ones last
    table = LedgerTable(
        ("place", "value"),
        [(i + 1, write(x[i])) for i in places],
        title,
        by="row",
        numbers=(problem.rows[order[places]] + 1).tolist(),
    )
    low, high = write(step.statistics["minimum"]), write(step.statistics["maximum"])
    return f"The values are sorted, from {low} to {high}.", [table]


# --- quantiles and outliers -----------------------------------------------------------------------


def _median(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    median = _writer(step)(step.statistics["median"])
    return f"Half of the values are at most {median}: the median.", [_quantile(step, "median", 0.5)]


def _quartiles(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    low, high = (_writer(step)(step.statistics[name]) for name in ("low", "high"))
    caption = f"The quartiles {low} and {high} hold the middle half between them."
    return caption, [_quantile(step, "low", 0.25), _quantile(step, "high", 0.75)]


def _percentiles(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    low, high = (_writer(step)(step.statistics[name]) for name in ("tenth", "ninth"))
    caption = f"One value in ten is below {low} and one in ten above {high}."
    return caption, [_quantile(step, "tenth", 0.1), _quantile(step, "ninth", 0.9)]


def _quantile(step: ColumnSummaryStep, name: str, share: float) -> Formula:
    """Write out a quantile: the place in the order, and the value there."""
    write, x = _writer(step), _sorted(step)
    n, value = len(x), step.statistics[name]
    if step.scale == "ordinal":
        place = max(ceil(share * n - 1e-9), 1)
        return Formula(f"{percent(share)}: place ⌈{share:g} · {n}⌉ = {place}: {write(value)}")
    position = (n - 1) * share
    i = min(int(position + 1e-9), n - 1)
    fraction = round(position - i, 9)
    text = f"{percent(share)}: place 1 + ({n} − 1) · {share:g} = {position + 1:g}: "
    if fraction > 0 and i + 1 < n:
        text += f"{num(x[i])} + {fraction:g} · ({num(x[i + 1])} − {num(x[i])}) = "
    return Formula(text + num(value))


def _outliers(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    statistics, values, x = step.statistics, step.values, _sorted(step)
    low, high, n = statistics["low"], statistics["high"], int(statistics["n_outliers"])
    beyond = "more than 1.5 interquartile ranges beyond the quartiles"
    caption = f"No value lies {beyond}."
    if n:
        caption = f"{count(n, 'value lies', 'values lie')} {beyond}, drawn larger."
    low_fence, high_fence = statistics["low_fence"], statistics["high_fence"]
    places = np.flatnonzero((values < low_fence) | (values > high_fence))
    distance = np.abs(values[places] - statistics["median"])
    places = places[np.argsort(-distance, kind="stable")]
    rows = [(int(problem.rows[i]) + 1, float(values[i])) for i in places[:MAX_ROWS]]
    title = "Outliers"
    if n > MAX_ROWS:
        title += f" (the farthest {MAX_ROWS} of {n})"
    return caption, [
        Formula(f"range = {num(x[-1])} − {num(x[0])} = {num(statistics['range'])}"),
        Formula(f"IQR = {num(high)} − {num(low)} = {num(high - low)}"),
        Formula(f"low fence = {num(low)} − 1.5 · {num(high - low)} = {num(low_fence)}"),
        Formula(f"high fence = {num(high)} + 1.5 · {num(high - low)} = {num(high_fence)}"),
        numbered_table(("row", "value"), rows or [("none", None)], title),
    ]


# --- mean and spread ------------------------------------------------------------------------------


def _mean(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    x = _sorted(step)
    mean, median, total = (step.statistics[name] for name in ("mean", "median", "sum"))
    side = "above" if mean > median else "below"
    if np.isclose(mean, median, rtol=1e-12):
        side = "equal to"
    terms = abridged([num(value) for value in x], MAX_TERMS)
    return f"The mean is {num(mean)}, {side} the median {num(median)}.", [
        Formula(f"Σx = {terms} = {num(total)}"),
        Formula(f"x̄ = {num(total)} / {len(x)} = {num(mean)}"),
        Formula("deviations to the left and to the right have the same sum"),
    ]


def _variance(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    x, mean = _sorted(step), num(step.statistics["mean"])
    names = ("squares", "variance", "deviation")
    squares, variance, deviation = (num(step.statistics[name]) for name in names)
    terms = abridged([f"({num(value)} − {mean})²" for value in x], MAX_TERMS // 2)
    division = f"summed and divided by n − 1, give {variance}"
    return f"The squared deviations, {division}; the root is {deviation}.", [
        Formula(f"Σ(x − x̄)² = {terms} = {squares}"),
        Formula(f"s² = {squares} / ({len(x)} − 1) = {variance}"),
        Formula(f"s = √{variance} = {deviation}"),
    ]


def _coefficient(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    names = ("deviation", "mean", "coefficient")
    deviation, mean, coefficient = (step.statistics[name] for name in names)
    share = f"{percent(coefficient)} of the mean"
    caption = f"The standard deviation is {share}, in whatever unit it is measured."
    return caption, [Formula(f"s / x̄ = {num(deviation)} / {num(mean)} = {num(coefficient)}")]


def _covariance(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    r = np.abs(step.correlations)
    r[step.column] = np.nan
    caption = "No other numeric column varies, so there is no correlation."
    if np.isfinite(r).any():
        j = int(np.nanargmax(r))
        name, value = problem.features[j], num(round(step.correlations[j], 4))
        caption = f"The strongest correlation is that with {name}: r = {value}."
    rows = []
    for j in np.flatnonzero(np.isfinite(step.covariances)).tolist():
        if j != step.column:
            n = int((np.isfinite(step.values) & np.isfinite(problem.X[:, j])).sum())
            covariance, correlation = float(step.covariances[j]), float(step.correlations[j])
            r_or_text = correlation if np.isfinite(correlation) else "constant"
            rows.append((problem.features[j], n, covariance * (n - 1), covariance, r_or_text))
    head = ("column", "n", "Σ(x − x̄)(y − ȳ)", "covariance", "r")
    return caption, [
        short_table(head, rows, "With the other columns", max_rows=MAX_ROWS),
        Formula("covariance = Σ(x − x̄)(y − ȳ) / (n − 1), r = covariance / (s of x · s of y)"),
    ]


def _done(problem: Problem, step: ColumnSummaryStep) -> tuple[str, Blocks]:
    statistics, value = step.statistics, _writer(step)
    mode = f"{int(statistics['modes'])} modes" if statistics["modes"] else "none"
    if statistics["modes"] == 1:
        mode = value(statistics["mode"])
    rows = [("Mode", mode)]
    numbers: list[int | None] = [None]
    for name, title in STATISTICS.items():
        if name in statistics:
            write = value if name in QUANTILES else num
            rows.append((title, write(statistics[name])))
            numbers.append(number_of(name) if name in WITH_MARKS else None)
    head = ("statistic", "value")
    table = LedgerTable(head, rows, "All statistics", by="statistic", numbers=numbers)
    return f"The statistics of a column on this scale: {SCALE_STATISTICS[step.scale]}.", [table]


PHASES = {
    "look": _look,
    "count": _count,
    "sort": _sort,
    "median": _median,
    "quartiles": _quartiles,
    "percentiles": _percentiles,
    "outliers": _outliers,
    "mean": _mean,
    "variance": _variance,
    "coefficient": _coefficient,
    "covariance": _covariance,
    "done": _done,
}


# --- what all share -------------------------------------------------------------------------------


def _sorted(step: ColumnSummaryStep) -> Floats:
    return np.sort(step.values[np.isfinite(step.values)])


def _writer(step: ColumnSummaryStep) -> Callable[[float], str]:
    """Return what writes a value of the column: a number, or the name of a category."""
    if step.categories:
        return lambda value: step.categories[int(value)]
    return num


def _selected_row(problem: Problem, step: ColumnSummaryStep, selected: int | None) -> Blocks:
    """Return the part that the selected row has in the numbers."""
    if selected is None:
        return []
    name, x = f"Row {problem.rows[selected] + 1}", float(step.values[selected])
    if not np.isfinite(x):
        return [Formula(f"{name} has no value in this column")]
    statistics, values = step.statistics, _sorted(step)
    lines = [f"{name}: {_writer(step)(x)}"]
    if "minimum" in statistics:
        first, end = (np.searchsorted(values, x, side) for side in ("left", "right"))
        places = f"place {first + 1}" if end == first + 1 else f"places {first + 1} to {end}"
        lines.append(f"{name} is at {places} of {len(values)}")
    if "mean" in statistics:
        mean = statistics["mean"]
        deviation = x - mean
        lines.append(f"{name}: x − x̄ = {num(x)} − {num(mean)} = {num(deviation)}")
        if statistics.get("deviation"):
            z = deviation / statistics["deviation"]
            lines.append(f"(x − x̄)² = {num(deviation**2)}; z = (x − x̄) / s = {num(z)}")
    return [Formula(line) for line in lines]
