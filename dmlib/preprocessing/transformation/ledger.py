"""The arithmetic of a scale, of a draw and of a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    class_table,
    numbered_table,
    short_table,
)
from dmlib.pictures.words import changes, count, num4, percent, short, signed
from dmlib.preprocessing.transformation.aggregation import AggregateStep
from dmlib.preprocessing.transformation.algorithm import METHODS, RANKED, Rescaler, RescalerStep
from dmlib.preprocessing.transformation.allocation import (
    SPREAD,
    allocate,
    costs_of,
    spreads,
    variance,
)
from dmlib.preprocessing.transformation.functions import FUNCTIONS
from dmlib.preprocessing.transformation.powers import FAMILIES, ORIGINS
from dmlib.preprocessing.transformation.sampling import STRATIFIED, Rows, Sampler, SampleStep
from dmlib.problem import Problem

MAX_ROWS, MAX_COLUMNS = 6, 16  # of a table


# --- scales ---------------------------------------------------------------------------------------


def scale_caption(problem: Problem, model: Rescaler, step: RescalerStep) -> str:
    """Return the sentence of a step of a scaler."""
    if step.phase == "done":
        n_own = sum(method != model.scale for method in model.methods_)
        scales = METHODS[model.scale]
        if n_own == 1:
            scales += ", one column on a scale of its own"
        elif n_own:
            scales += f", {n_own} columns on a scale of their own"
        done = f"Done ({scales})"
        if np.isnan(model.spread_ratio_):
            return f"{done}: all columns are constant."
        ratio = num4(model.spread_ratio_)
        if ratio == "1":
            return f"{done}: all columns have the same spread."
        return f"{done}: the largest spread of a column is {ratio} times the smallest."
    name = problem.features[step.column]
    if step.phase == "scale":
        return f"{name} is on its new scale."
    return f"{name}: {_named(model.methods_[step.column], step)}."


def _named(method: str, step: RescalerStep) -> str:
    centre, unit = num4(step.centre), num4(step.unit)
    power = f"the power λ = {num4(step.lam)} makes it most like a normal distribution"
    ranked = "its values are sorted and counted"
    limits, target = (" and ".join(map(num4, ends)) for ends in (step.limits, step.target))
    words = {
        "min_max": f"its minimum is {centre}, its range {unit}",
        "z_score": f"its mean is {centre}, its standard deviation {unit}",
        "robust": f"its median is {centre}, its quartiles are {unit} apart",
        "max_abs": f"its largest absolute value is {unit}",
        "log": "its values are positive",
        "range": f"{limits} become {target}",
        "none": "it stays as it is",
    }
    words |= {name: f"its {text} is taken" for name, text in FUNCTIONS.items()}
    return (words | dict.fromkeys(RANKED, ranked) | dict.fromkeys(FAMILIES, power))[method]


def scale_blocks(
    problem: Problem, model: Rescaler, step: RescalerStep, selected: int | None
) -> Blocks:
    """Return the ledger of a step of a scaler."""
    n_scaled = len(problem.features) if step.column < 0 else step.column + (step.phase == "scale")
    selected_row = [] if selected is None else [_row(problem, model, selected, n_scaled)]
    if step.column < 0:
        return [_deviations(problem, model), *selected_row]
    j = step.column
    x, z = problem.X[:, j], model.prepared_[:, j]
    numbers, name = (problem.rows[:MAX_ROWS] + 1).tolist(), problem.features[j]
    if step.phase != "scale":
        values = list(zip(numbers, map(short, x), strict=False))
        return [numbered_table(("row", name), values, "The first rows"), *selected_row]
    rows = list(zip(numbers, map(short, x), map(short, z), strict=False))
    table = numbered_table(("row", name, "scaled"), rows, "The first rows")
    text = formula(model.methods_[j], step, float(x[0]), float(z[0]))
    return [Formula(text), table, *selected_row]


def _deviations(problem: Problem, model: Rescaler) -> LedgerTable:
    """Return the standard deviation of each column before and after, and scales that differ."""
    columns: dict[str, Sequence[Any]] = {
        "column": problem.features,
        "before": [short(column.std()) for column in problem.X.T],
        "after": [short(column.std()) for column in model.prepared_.T],
    }
    if len(set(model.methods_)) > 1:
        columns["scale"] = [METHODS[method] for method in model.methods_]
    rows = list(zip(*columns.values(), strict=True))
    return short_table(
        list(columns), rows, "Standard deviations", max_rows=MAX_COLUMNS, of="columns"
    )


def formula(method: str, step: RescalerStep, x: float, z: float) -> str:
    """Return the scale with a number put in.

    Examples
    --------
    >>> formula("z_score", RescalerStep("scale", 0, 3.0, 2.0), 7.0, 2.0)
    '(x − mean) / s = (7 − 3) / 2 = 2'
    """
    x_, z_, b, lam = (num4(value) for value in (x, z, step.unit, step.lam))
    a = signed(step.centre, 4)
    without_unit = {
        "none": f"x = {z_}",
        "max_abs": f"x / max |x| = {x_} / {b} = {z_}",
        "rank": f"(rank − 1) / (n − 1): {x_} becomes {z_}",
        "quantile": f"Φ⁻¹((rank − 1) / (n − 1)): {x_} becomes {z_}",
        "log": f"ln x = ln {x_} = {z_}",
        "exponent": f"x^p = {x_}^{lam} = {z_}",
        "sqrt": f"√x = √{x_} = {z_}",
        "exp": f"e^x = e^{x_} = {z_}",
        "reciprocal": f"1 / x = 1 / {x_} = {z_}",
        "sin": f"sin x = sin {x_} = {z_}",
    }
    if method in without_unit:
        return without_unit[method]
    if method == "range":
        (m, M), (low, high) = step.limits, step.target
        quotient = f"({x_} − {signed(m, 4)}) / ({num4(M)} − {signed(m, 4)})"
        stretch = f"({num4(high)} − {signed(low, 4)}) + {signed(low, 4)}"
        return f"(x − m) / (M − m) · (new max − new min) + new min = {quotient} · {stretch} = {z_}"
    if method in FAMILIES:
        return f"g(x) = {_power(method, step)}, λ = {lam}; (g − {a}) / {b}: {x_} becomes {z_}"
    words = {
        "min_max": "(x − min) / (max − min)",
        "z_score": "(x − mean) / s",
        "robust": "(x − median) / (q₃ − q₁)",
    }
    return f"{words[method]} = ({x_} − {a}) / {b} = {z_}"


def _power(method: str, step: RescalerStep) -> str:
    """Return the power of a number, divided by the median in a column far from 0."""
    if method == "box_cox":
        base = "x" if step.origin == ORIGINS[method] else f"(x / {num4(step.origin)})"
        return f"({base}^λ − 1) / λ"
    if step.origin < 0:
        return f"−(((1 − x) / {num4(1 - step.origin)})^(2 − λ) − 1) / (2 − λ) for x < 0"
    base = "(x + 1)" if step.origin == ORIGINS[method] else f"((x + 1) / {num4(step.origin + 1)})"
    return f"({base}^λ − 1) / λ for x ≥ 0"


def _row(problem: Problem, model: Rescaler, row: int, n_scaled: int) -> Any:
    rows = [
        (name, short(problem.X[row, j]), short(model.prepared_[row, j]) if j < n_scaled else None)
        for j, name in enumerate(problem.features)
    ]
    title = f"Row {problem.rows[row] + 1}"
    return short_table(
        ("column", "before", "after"), rows, title, max_rows=MAX_COLUMNS, of="columns"
    )


# --- samples --------------------------------------------------------------------------------------


def sample_caption(problem: Problem, model: Sampler, step: SampleStep) -> str:
    """Return the sentence of a step of a sampler."""
    n = len(problem.X)
    if step.phase == "start":
        size = count(min(model.n_rows, n), "row is", "rows are")
        return f"{count(n, 'row', 'rows')}, of which {size} wanted."
    if step.phase == "done":
        error = f", error {num4(step.error)}" if model.strategy == "progressive" else ""
        return f"Done: {count(step.n_rows, 'row', 'rows')} of {n}{error}."
    if step.phase == "grow":
        return f"With {count(step.n_rows, 'row', 'rows')} the error is {num4(step.error)}."
    number = problem.rows[step.row] + 1
    chance = f"its probability was {num4(step.chance)}"
    if model.strategy == "reservoir" and step.slot < 0:
        return f"Row {number} arrives and is not sampled: {chance}."
    if model.strategy == "reservoir" and step.row >= min(model.n_rows, n):
        return f"Row {number} arrives and takes place {step.slot + 1}: {chance}."
    return f"Row {number} is drawn, number {step.slot + 1} of the sample."


def sample_blocks(
    problem: Problem, model: Sampler, step: SampleStep, sample: Rows, selected: int | None
) -> Blocks:
    """Return the ledger of a step of a sampler with the sample so far."""
    blocks: Blocks = [_chance(problem, model, step)] if step.phase == "draw" else []
    if problem.y is not None and problem.classes:
        blocks += _class_blocks(problem, model, sample)
    blocks.append(_means(problem, sample))
    if selected is not None:
        n_times = int((sample == selected).sum())
        state = "is not in the sample"
        if n_times:
            state = f"is in the sample {count(n_times, 'time', 'times')}"
        blocks.append(Formula(f"row {problem.rows[selected] + 1} {state}"))
    return blocks


def _chance(problem: Problem, model: Sampler, step: SampleStep) -> Formula:
    """Return the probability with which the row of a step is drawn."""
    n, size, p = len(problem.X), min(model.n_rows, len(problem.X)), num4(step.chance)
    laws = {
        "reservoir": f"p = min(1, n / i) = min(1, {size} / {step.row + 1}) = {p}",
        "systematic": f"every {num4(n / size)}th row from a random start; p = {size} / {n} = {p}",
        "replacement": f"p = 1 / {n} = {p} for every row, drawn or not",
    }
    return Formula(laws.get(model.strategy, f"p = 1 / rows that are left = {p}"))


def _class_blocks(problem: Problem, model: Sampler, sample: Rows) -> Blocks:
    """Return the classes of all rows and of the sample, and the sizes of a stratified one."""
    classes, y = problem.classes, np.asarray(problem.y)
    counts = np.bincount(y, minlength=len(classes))
    sampled = np.bincount(y[sample], minlength=len(classes))
    shares = [short(k / max(len(sample), 1)) for k in sampled]
    rows = list(zip(classes, counts.tolist(), sampled.tolist(), shares, strict=True))
    head = ("class", "rows", "sample", "share")
    blocks: Blocks = [class_table(head, rows, "Classes of all and of the sample")]
    if model.strategy not in STRATIFIED:
        return blocks
    sizes = model.class_sizes(problem.X, y, classes)
    words = ", ".join(f"{name} {k}" for name, k in zip(classes, sizes, strict=True))
    blocks.append(Formula(f"wanted: {words}"))
    if (sampled[counts > 0] > 0).all():
        blocks.append(_stratified_mean(problem, sample, counts))
    return [*blocks, *allocation_blocks(problem, model, sizes)]


def _stratified_mean(problem: Problem, sample: Rows, counts: Any) -> Formula:
    x, y = problem.X[sample, 0], np.asarray(problem.y)[sample]
    total = sum(k * float(x[y == c].mean()) for c, k in enumerate(counts) if k)
    mean = num4(total / len(problem.X))
    return Formula(f"mean of {problem.features[0]}, each class by its share: Σ N x̄ / ΣN = {mean}")


def _means(problem: Problem, sample: Rows) -> LedgerTable:
    of_all = [short(column.mean()) for column in problem.X.T]
    of_sample = [short(column[sample].mean()) if len(sample) else None for column in problem.X.T]
    rows = list(zip(problem.features, of_all, of_sample, strict=True))
    return short_table(("column", "all", "sample"), rows, "Means", max_rows=MAX_ROWS, of="columns")


def allocation_blocks(problem: Problem, model: Sampler, sizes: Sequence[int]) -> Blocks:
    """Return the allocation by spread and cost, and the variance of the first column's mean."""
    x, y = problem.X[:, 0], np.asarray(problem.y, np.intp)
    present = np.flatnonzero(np.bincount(y, minlength=len(problem.classes)))
    names, codes = [problem.classes[c] for c in present], np.searchsorted(present, y)
    counts, spread, size = np.bincount(codes), spreads(x, codes), np.array(sizes)[present]
    blocks: Blocks = []
    if model.strategy in SPREAD:
        costs = costs_of(model.costs if model.strategy == "optimal" else None, present.tolist())
        products = counts * spread / np.sqrt(costs)
        columns = {"class": names, "N": counts.tolist(), "S": map(short, spread)}
        if model.strategy == "optimal":
            columns |= {"cost": map(short, costs), "N S / √cost": map(short, products)}
        else:
            columns |= {"N S": map(short, products)}
        columns |= {"n": size.tolist()}
        rows = list(zip(*columns.values(), strict=True))
        title = f"Spread of {problem.features[0]} within the classes"
        blocks.append(class_table(list(columns), rows, title))
        if model.strategy == "optimal":
            blocks.append(Formula(f"cost of the sample: Σ cost · n = {num4(costs @ size)}"))
    n = int(size.sum())
    variances = {
        "this sample": variance(counts, spread, size),
        "proportional": variance(counts, spread, allocate(counts, n)),
        "random": float(x.var(ddof=1)) / n * (1 - n / len(x)) if len(x) > 1 else 0.0,
    }
    means = [(name, None if np.isnan(value) else short(value)) for name, value in variances.items()]
    title = f"Variance of the mean of {problem.features[0]}"
    return [*blocks, short_table(("sample", "Σ (N / ΣN)² (1 − n / N) S² / n"), means, title)]


# --- groups ---------------------------------------------------------------------------------------


def group_caption(step: AggregateStep, before: AggregateStep) -> str:
    """Return the sentence of a step of an aggregation."""
    if step.phase == "rows":
        return "Rows before the aggregation."
    share = f"{percent(step.loss)} of the variance"
    if step.phase == "done":
        rows = count(step.n_rows, "row represents", "rows represent")
        return f"Done: {rows} all, {share} is lost."
    lost = changes("the variance lost", 100 * short(before.loss), 100 * short(step.loss))
    return f"{count(len(step.rows), 'row becomes', 'rows become')} one; {lost} %."


def group_blocks(
    problem: Problem, step: AggregateStep, group: int | None, selected: int | None
) -> Blocks:
    """Return the ledger of a step of an aggregation; ``group`` is that of the selected row."""
    blocks: Blocks = []
    if step.phase == "rows":
        rows = [(name, short(problem.X[:, j].std())) for j, name in enumerate(problem.features)]
        head, title = ("column", "before"), "Standard deviations"
        blocks.append(short_table(head, rows, title, max_rows=MAX_COLUMNS, of="columns"))
    if step.phase == "group":
        names = problem.features[:3]
        members = [
            (int(problem.rows[i]) + 1, *map(short, problem.X[i, : len(names)]))
            for i in step.rows[:MAX_ROWS]
        ]
        values = [f"{name} {num4(value)}" for name, value in zip(names, step.values, strict=False)]
        lost = f"lost: Σ squares within, in standard deviations = {num4(step.lost)}"
        title = f"Rows of the group ({len(step.rows)})"
        blocks += [
            numbered_table(("row", *names), members, title),
            Formula(f"become {', '.join(values)}"),
            Formula(lost),
        ]
    if step.phase == "done":
        within, between = 100 * step.loss, 100 - 100 * step.loss
        text = f"within {within:.4g} % + between {between:.4g} % = 100 % of the variance"
        blocks.append(Formula(text))
    if selected is not None and group is not None:
        blocks.append(Formula(f"row {problem.rows[selected] + 1} is in group {group + 1}"))
    return blocks
