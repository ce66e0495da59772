"""The middle and the spread of a column in words and numbers."""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table, short_table
from dmlib.pictures.words import count, num
from dmlib.preprocessing import ColumnSummaryStep
from dmlib.problem import Problem

MAX_ROWS = 12  # lines of a table
MAX_TERMS = 6  # terms of a sum that are written out

QUANTILES = {"median": "Median", "low": "25%", "high": "75%", "tenth": "10%", "ninth": "90%"}
STATISTICS = QUANTILES | {
    "range": "Range",
    "mean": "Mean",
    "variance": "Variance",
    "deviation": "Standard deviation",
    "coefficient": "s / x̄",
    "n_outliers": "Outliers",
}
"""Statistics by name, with their titles; marks and rows of tables are numbered by their places
here, from 1."""
DRAWN = {*QUANTILES, "mean", "deviation", "n_outliers"}

ALLOWED = {
    "nominal": "Nominal values can only be counted: there is a mode, and no median or mean.",
    "ordinal": "An order allows a median and other quantiles, but no differences, so no mean.",
    "interval": (
        "Differences mean something, so there are mean and variance; without a natural zero, no"
        " ratios."
    ),
    "ratio": "There is a natural zero, so ratios mean something too.",
}
"""What each scale allows."""


def scale_note(step: ColumnSummaryStep) -> str:
    """Return the sentence on the scale that the column was taken for."""
    return f"Measurement scale: {step.scale}. {ALLOWED[step.scale]}"


def column_caption(problem: Problem, step: ColumnSummaryStep) -> str:
    """Return the sentence of a step."""
    found, show = step.found, _show(step)
    if step.phase in ("look", "count", "outliers"):
        return {"look": _of_holes, "count": _of_mode, "outliers": _of_outliers}[step.phase](step)
    between = {
        "sort": ("The values are sorted, from", "minimum", "to", "maximum", ""),
        "quartiles": ("The quartiles", "low", "and", "high", " hold the middle half between them"),
        "percentiles": ("One value in ten is below", "tenth", "and one in ten above", "ninth", ""),
    }
    if step.phase in between:
        start, low, middle, high, end = between[step.phase]
        return f"{start} {show(found[low])} {middle} {show(found[high])}{end}."
    if step.phase == "median":
        return f"Half of the values are at most {show(found['median'])}: the median."
    return _of_numbers(problem, step)


def _of_holes(step: ColumnSummaryStep) -> str:
    n, holes = int(step.found["n"]), int(step.found["missing"])
    verb = "is" if holes == 1 else "are"
    missing = (
        f"; {holes} of {len(step.values)} {verb} missing" if holes else ", and none is missing"
    )
    return f"The column has {count(n, 'value', 'values')} in the order of the rows{missing}."


def _of_outliers(step: ColumnSummaryStep) -> str:
    n = int(step.found["n_outliers"])
    place = "more than 1.5 interquartile ranges beyond the quartiles"
    if not n:
        return f"No value lies {place}."
    return f"{count(n, 'value lies', 'values lie')} {place}, drawn larger."


def _of_mode(step: ColumnSummaryStep) -> str:
    found = step.found
    n, modes = int(found["mode_count"]), int(found["modes"])
    if not modes:
        return (
            f"All {int(found['distinct'])} different values occur equally often, so there is no"
            " mode."
        )
    first = _show(step)(found["mode"])
    if modes == 1:
        return f"The most frequent value is {first}, {n} times: the mode."
    return f"{modes} values share the first place, {n} times each: {first} is one of the modes."


def _of_numbers(problem: Problem, step: ColumnSummaryStep) -> str:
    found = step.found
    if step.phase == "mean":
        mean, median = found["mean"], found["median"]
        side = "above" if mean > median else "below"
        if np.isclose(mean, median, rtol=1e-12):
            side = "equal to"
        return f"The mean is {num(mean)}, {side} the median {num(median)}."
    if step.phase == "variance":
        variance, deviation = num(found["variance"]), num(found["deviation"])
        return (
            f"The squared deviations, summed and divided by n − 1, give {variance}; the root is"
            f" {deviation}."
        )
    if step.phase == "coefficient":
        return (
            f"The standard deviation is {100 * found['coefficient']:.3g}% of the mean, in whatever"
            " unit it is measured."
        )
    if step.phase == "covariance":
        j = _strongest(step)
        if j is None:
            return "No other numeric column varies, so there is no correlation."
        return (
            f"The strongest correlation is that with {problem.features[j]}: r ="
            f" {num(round(step.correlations[j], 4))}."
        )
    kinds = {
        "nominal": "its mode",
        "ordinal": "mode and median",
        "interval": "median, mean and spread",
    }
    return (
        "The statistics of a column on this scale:"
        f" {kinds.get(step.scale, 'mean, spread and ratios')}."
    )


def _strongest(step: ColumnSummaryStep) -> int | None:
    """Return the other column with the strongest correlation."""
    r = np.abs(step.correlations)
    r[step.column] = np.nan
    return int(np.nanargmax(r)) if np.isfinite(r).any() else None


def column_ledger(problem: Problem, step: ColumnSummaryStep, selected: int | None) -> Blocks:
    """Return the ledger of a step, that of the selected row first."""
    return [*_selected_row(problem, step, selected), *_arithmetic(problem, step)]


def _arithmetic(problem: Problem, step: ColumnSummaryStep) -> Blocks:
    """Return the arithmetic of a step, with the numbers put in."""
    found, x = step.found, np.sort(step.values[np.isfinite(step.values)])
    if step.phase == "look":
        rows = [
            ("values", int(found["n"])),
            ("missing", int(found["missing"])),
            ("rows", len(step.values)),
        ]
        return [LedgerTable(("what", "number"), rows, f"Column {problem.features[step.column]}")]
    if step.phase == "count":
        return [_frequencies(step, x)]
    if step.phase == "sort":
        return [_ordered(problem, step, x)]
    shares = {"median": (("median", 0.5),), "quartiles": (("low", 0.25), ("high", 0.75))}
    shares["percentiles"] = (("tenth", 0.1), ("ninth", 0.9))
    if step.phase in shares:
        return [
            Formula(_quantile(step, x, share, found[name])) for name, share in shares[step.phase]
        ]
    if step.phase == "done":
        return [_all(step)]
    return _of_spread(problem, step, x)


def _frequencies(step: ColumnSummaryStep, x: NDArray[np.float64]) -> LedgerTable:
    values, counts = np.unique(x, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    show = _show(step)
    rows = [(show(values[i]), int(counts[i]), f"{counts[i] / len(x):.1%}") for i in order]
    first = [i for i in range(len(rows)) if rows[i][1] == step.found["mode_count"]]
    return short_table(("value", "rows", "share"), rows, "Frequencies", first, most=MAX_ROWS)


def _ordered(problem: Problem, step: ColumnSummaryStep, x: NDArray[np.float64]) -> LedgerTable:
    show, n = _show(step), len(x)
    at = list(range(n)) if n <= MAX_ROWS else [*range(MAX_ROWS // 2), *range(n - MAX_ROWS // 2, n)]
    more = f" (the first and last {MAX_ROWS // 2} of {n})" if n > MAX_ROWS else ""
    known = np.flatnonzero(np.isfinite(step.values))
    numbers = (problem.rows[known[np.argsort(step.values[known], kind="stable")[at]]] + 1).tolist()
    return LedgerTable(
        ("place", "value"),
        [(i + 1, show(x[i])) for i in at],
        f"Sorted{more}",
        by="row",
        numbers=numbers,
    )


def _quantile(step: ColumnSummaryStep, x: NDArray[np.float64], share: float, value: float) -> str:
    """Write out a quantile: the place in the order, and what stands there."""
    show, n = _show(step), len(x)
    if step.scale == "ordinal":
        return (
            f"{share:.0%}: place ⌈{share:g} · {n}⌉ = {max(ceil(share * n - 1e-9), 1)}:"
            f" {show(value)}"
        )
    place = (n - 1) * share
    i = min(int(place + 1e-9), n - 1)
    fraction = round(place - i, 9)
    where = f"{share:.0%}: place 1 + ({n} − 1) · {share:g} = {place + 1:g}"
    if fraction <= 0 or i + 1 >= n:
        return f"{where}: {num(value)}"
    return f"{where}: {num(x[i])} + {fraction:g} · ({num(x[i + 1])} − {num(x[i])}) = {num(value)}"


def _of_spread(problem: Problem, step: ColumnSummaryStep, x: NDArray[np.float64]) -> Blocks:
    found, n = step.found, len(x)
    if step.phase == "outliers":
        low, high = found["low"], found["high"]
        return [
            Formula(f"range = {num(x[-1])} − {num(x[0])} = {num(found['range'])}"),
            Formula(f"IQR = {num(high)} − {num(low)} = {num(high - low)}"),
            Formula(
                f"low fence = {num(low)} − 1.5 · {num(high - low)} = {num(found['low_fence'])}"
            ),
            Formula(
                f"high fence = {num(high)} + 1.5 · {num(high - low)} = {num(found['high_fence'])}"
            ),
            _beyond(problem, step),
        ]
    if step.phase == "mean":
        terms = few([num(value) for value in x], MAX_TERMS)
        return [
            Formula(f"Σx = {terms} = {num(found['sum'])}"),
            Formula(f"x̄ = {num(found['sum'])} / {n} = {num(found['mean'])}"),
            Formula("deviations to the left and to the right have the same sum"),
        ]
    mean = found["mean"]
    if step.phase == "variance":
        terms = few([f"({num(value)} − {num(mean)})²" for value in x], MAX_TERMS // 2)
        return [
            Formula(f"Σ(x − x̄)² = {terms} = {num(found['squares'])}"),
            Formula(f"s² = {num(found['squares'])} / ({n} − 1) = {num(found['variance'])}"),
            Formula(f"s = √{num(found['variance'])} = {num(found['deviation'])}"),
        ]
    if step.phase == "coefficient":
        return [
            Formula(
                f"s / x̄ = {num(found['deviation'])} / {num(mean)} = {num(found['coefficient'])}"
            )
        ]
    return _of_pairs(problem, step)


def _of_pairs(problem: Problem, step: ColumnSummaryStep) -> Blocks:
    others = [j for j in np.flatnonzero(np.isfinite(step.covariances)) if j != step.column]
    rows = []
    for j in others:
        both = np.isfinite(step.values) & np.isfinite(problem.X[:, j])
        r = float(step.correlations[j])
        products = float(step.covariances[j] * (both.sum() - 1))
        correlation = r if np.isfinite(r) else "constant"
        rows.append(
            (
                problem.features[j],
                int(both.sum()),
                products,
                float(step.covariances[j]),
                correlation,
            )
        )
    head = ("column", "n", "Σ(x − x̄)(y − ȳ)", "covariance", "r")
    table = short_table(head, rows, "With the other columns", most=MAX_ROWS)
    return [
        table,
        Formula("covariance = Σ(x − x̄)(y − ȳ) / (n − 1), r = covariance / (s of x · s of y)"),
    ]


def _beyond(problem: Problem, step: ColumnSummaryStep) -> LedgerTable:
    found, values = step.found, step.values
    at = np.flatnonzero((values < found["low_fence"]) | (values > found["high_fence"]))
    distance = np.abs(values[at] - found["median"])
    at = at[np.argsort(-distance, kind="stable")]
    more = f" (the farthest {MAX_ROWS} of {len(at)})" if len(at) > MAX_ROWS else ""
    rows = [(int(problem.rows[i]) + 1, float(values[i])) for i in at[:MAX_ROWS]]
    return numbered_table(("row", "value"), rows or [("none", None)], f"Outliers{more}")


def _all(step: ColumnSummaryStep) -> LedgerTable:
    found, show = step.found, _show(step)
    mode = f"{int(found['modes'])} modes" if found["modes"] else "none"
    if found["modes"] == 1:
        mode = show(found["mode"])
    names = [name for name in STATISTICS if name in found]
    values = [show(found[name]) if name in QUANTILES else num(found[name]) for name in names]
    rows = [
        ("Mode", mode),
        *((STATISTICS[name], value) for name, value in zip(names, values, strict=True)),
    ]
    numbers = (None, *(number_of(name) if name in DRAWN else None for name in names))
    return LedgerTable(
        ("statistic", "value"), rows, "All statistics", by="statistic", numbers=numbers
    )


def number_of(statistic: str) -> int:
    """Return the number of a statistic's marks and of its row."""
    return list(STATISTICS).index(statistic) + 1


def _selected_row(problem: Problem, step: ColumnSummaryStep, selected: int | None) -> Blocks:
    """Return the part that the selected row has in the numbers."""
    if selected is None:
        return []
    name, x, found = f"Row {problem.rows[selected] + 1}", float(step.values[selected]), step.found
    if not np.isfinite(x):
        return [Formula(f"{name} has no value in this column")]
    lines = [f"{name}: {_show(step)(x)}"]
    if "minimum" in found:
        known = step.values[np.isfinite(step.values)]
        below, equal = int((known < x).sum()), int((known == x).sum())
        places = f"place {below + 1}" if equal == 1 else f"places {below + 1} to {below + equal}"
        lines.append(f"{name} is at {places} of {len(known)}")
    if "mean" in found:
        deviation = x - found["mean"]
        lines.append(f"{name}: x − x̄ = {num(x)} − {num(found['mean'])} = {num(deviation)}")
        if found.get("deviation"):
            z = deviation / found["deviation"]
            lines.append(f"(x − x̄)² = {num(deviation**2)}; z = (x − x̄) / s = {num(z)}")
    return [Formula(line) for line in lines]


def _show(step: ColumnSummaryStep) -> _Show:
    return _Show(step.categories)


class _Show:
    """Writes a value of a column: a number, or the name of a category."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __call__(self, value: float) -> str:
        return self.names[int(value)] if self.names else num(value)
