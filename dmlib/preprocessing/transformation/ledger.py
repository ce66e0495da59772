"""The arithmetic of a scale, of a draw and of a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, class_table, numbered_table, short_table
from dmlib.pictures.words import changes, count, num4, short, signed
from dmlib.preprocessing.transformation.aggregation import AggregateStep
from dmlib.preprocessing.transformation.algorithm import METHODS, RANKED, Rescaler, RescalerStep
from dmlib.preprocessing.transformation.allocation import SPREAD, allocate, costs_of, spreads, variance
from dmlib.preprocessing.transformation.powers import FAMILIES, ORIGINS
from dmlib.preprocessing.transformation.sampling import STRATIFIED, Sampler, SampleStep
from dmlib.problem import Problem

SOME = 6  # rows of a table
COLUMNS = 16


# --- scales -----------------------------------------------------------------------------------------------------------


def scale_caption(problem: Problem, model: Rescaler, step: RescalerStep) -> str:
    """Return the sentence of a step of a scaler."""
    if step.phase == "done":
        others = sum(method != model.scale for method in model.methods_)
        more = f", {count(others, 'column', 'columns')} on a scale of their own" if others > 1 else ""
        more = ", one column on a scale of its own" if others == 1 else more
        done = f"Done ({METHODS[model.scale]}{more})"
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
    words = {
        "min_max": f"its minimum is {centre}, its range {unit}",
        "z_score": f"its mean is {centre}, its standard deviation {unit}",
        "robust": f"its median is {centre}, its quartiles are {unit} apart",
        "max_abs": f"its largest absolute value is {unit}",
        "log": "its values are positive",
        "none": "it stays as it is",
    }
    return (words | dict.fromkeys(RANKED, ranked) | dict.fromkeys(FAMILIES, power))[method]


def scale_blocks(problem: Problem, model: Rescaler, step: RescalerStep, selected: int | None) -> Blocks:
    """Return the ledger of a step of a scaler."""
    asked = [] if selected is None else [_row(problem, model, selected)]
    if step.column < 0:
        X, Z = problem.X, model.prepared_
        rows: list[tuple[Any, ...]] = [
            (name, short(X[:, j].std()), short(Z[:, j].std())) for j, name in enumerate(problem.features)
        ]
        head: tuple[str, ...] = ("column", "before", "after")
        if len(set(model.methods_)) > 1:
            head = (*head, "scale")
            rows = [(*row, METHODS[method]) for row, method in zip(rows, model.methods_, strict=True)]
        return [short_table(head, rows, "Standard deviations", most=COLUMNS, of="columns"), *asked]
    j = step.column
    x, z = problem.X[:, j], model.prepared_[:, j]
    first = [(int(number) + 1, short(x[i]), short(z[i])) for i, number in enumerate(problem.rows[:SOME])]
    table = numbered_table(("row", problem.features[j], "scaled"), first, "The first rows")
    return [Formula(formula(model.methods_[j], step, float(x[0]), float(z[0]))), table, *asked]


def formula(method: str, step: RescalerStep, x: float, z: float) -> str:
    """Return the scale with a number put in.

    Examples
    --------
    >>> formula("z_score", RescalerStep("scale", 0, 3.0, 2.0), 7.0, 2.0)
    '(x − mean) / s = (7 − 3) / 2 = 2'
    """
    x_, z_, b, lam = (num4(value) for value in (x, z, step.unit, step.lam))
    a = signed(step.centre, 4)
    whole = {
        "none": f"x = {z_}",
        "max_abs": f"x / max |x| = {x_} / {b} = {z_}",
        "rank": f"(rank − 1) / (n − 1): {x_} becomes {z_}",
        "quantile": f"Φ⁻¹((rank − 1) / (n − 1)): {x_} becomes {z_}",
        "log": f"ln x = ln {x_} = {z_}",
    }
    if method in whole:
        return whole[method]
    if method in FAMILIES:
        return f"g(x) = {_power(method, step)}, λ = {lam}; (g − {a}) / {b}: {x_} becomes {z_}"
    words = {"min_max": "(x − min) / (max − min)", "z_score": "(x − mean) / s", "robust": "(x − median) / (q₃ − q₁)"}
    return f"{words[method]} = ({x_} − {a}) / {b} = {z_}"


def _power(method: str, step: RescalerStep) -> str:
    """Return the power of a number, which is divided by the median where the column is far from 0 for its spread."""
    if method == "box_cox":
        base = "x" if step.origin == ORIGINS[method] else f"(x / {num4(step.origin)})"
        return f"({base}^λ − 1) / λ"
    if step.origin < 0:
        return f"−(((1 − x) / {num4(1 - step.origin)})^(2 − λ) − 1) / (2 − λ) for x < 0"
    base = "(x + 1)" if step.origin == ORIGINS[method] else f"((x + 1) / {num4(step.origin + 1)})"
    return f"({base}^λ − 1) / λ for x ≥ 0"


def _row(problem: Problem, model: Rescaler, row: int) -> Any:
    rows = [(name, short(problem.X[row, j]), short(model.prepared_[row, j])) for j, name in enumerate(problem.features)]
    title = f"Row {problem.rows[row] + 1}"
    return short_table(("column", "before", "after"), rows, title, most=COLUMNS, of="columns")


# --- samples ----------------------------------------------------------------------------------------------------------


def sample_caption(problem: Problem, model: Sampler, step: SampleStep, before: SampleStep) -> str:
    """Return the sentence of a step of a sampler."""
    n = len(problem.X)
    if step.phase == "start":
        return f"{count(n, 'row', 'rows')}, of which {count(min(model.n_rows, n), 'row is', 'rows are')} wanted."
    if step.phase == "done":
        more = f", error {num4(step.error)}" if model.strategy == "progressive" else ""
        return f"Done: {count(step.n_rows, 'row', 'rows')} of {n}{more}."
    if step.phase == "grow":
        return f"With {count(step.n_rows, 'row', 'rows')} the error is {num4(step.error)}."
    number = problem.rows[step.row] + 1
    if model.strategy == "reservoir" and step.slot < 0:
        return f"Row {number} arrives and is not sampled: its probability was {num4(step.chance)}."
    if model.strategy == "reservoir" and step.row >= min(model.n_rows, n):
        return f"Row {number} arrives and takes place {step.slot + 1}: its probability was {num4(step.chance)}."
    return f"Row {number} is drawn, number {step.slot + 1} of the sample."


def sample_blocks(problem: Problem, model: Sampler, step: SampleStep, chosen: Any, selected: int | None) -> Blocks:
    """Return the ledger of a step of a sampler; ``chosen`` are the rows so far."""
    n, size = len(problem.X), min(model.n_rows, len(problem.X))
    blocks: Blocks = []
    p = num4(step.chance)
    if step.phase == "draw":
        blocks.append(Formula({
            "reservoir": f"p = min(1, n / i) = min(1, {size} / {step.row + 1}) = {p}",
            "systematic": f"every {num4(n / size)}th row from a random start; p = {size} / {n} = {p}",
            "replacement": f"p = 1 / {n} = {p} for every row, drawn or not",
        }.get(model.strategy, f"p = 1 / rows that are left = {p}")))  # fmt: skip
    classes = problem.classes
    if problem.y is not None and classes:
        counts = np.bincount(problem.y, minlength=len(classes))
        there = np.bincount(problem.y[chosen], minlength=len(classes))
        wanted = model.wanted(problem.X, problem.y, classes)
        rows = [
            (name, int(a), int(b), short(b / max(len(chosen), 1)))
            for name, a, b in zip(classes, counts, there, strict=True)
        ]
        blocks.append(class_table(("class", "rows", "sample", "share"), rows, "Classes of all and of the sample"))
        if model.strategy in STRATIFIED:
            words = ", ".join(f"{name} {k}" for name, k in zip(classes, wanted, strict=True))
            blocks.append(Formula(f"wanted: {words}"))
            if (there[counts > 0] > 0).all():
                told = sum(
                    a * float(problem.X[chosen][problem.y[chosen] == c, 0].mean()) for c, a in enumerate(counts) if a
                )
                name = problem.features[0]
                blocks.append(Formula(f"mean of {name}, each class by its share: Σ N x̄ / ΣN = {num4(told / n)}"))
            blocks += allocation_blocks(problem, model, wanted)
    means = [
        (name, short(problem.X[:, j].mean()), short(problem.X[chosen, j].mean()) if len(chosen) else None)
        for j, name in enumerate(problem.features)
    ]
    blocks.append(short_table(("column", "all", "sample"), means, "Means", most=SOME, of="columns"))
    if selected is not None:
        times = int((chosen == selected).sum())
        told = "is not in the sample" if not times else f"is in the sample {count(times, 'time', 'times')}"
        blocks.append(Formula(f"row {problem.rows[selected] + 1} {told}"))
    return blocks


def allocation_blocks(problem: Problem, model: Sampler, wanted: Sequence[int]) -> Blocks:
    """Return how many rows each class has by its spread and cost, and how sure the mean of the first column is."""
    x, y = problem.X[:, 0], np.asarray(problem.y, np.intp)
    present = np.flatnonzero(np.bincount(y, minlength=len(problem.classes)))
    names, codes = [problem.classes[c] for c in present], np.searchsorted(present, y)
    counts, spread, drawn = np.bincount(codes), spreads(x, codes), np.array(wanted)[present]
    blocks: Blocks = []
    if model.strategy in SPREAD:
        costs = costs_of(model.costs if model.strategy == "optimal" else None, present.tolist())
        products = counts * spread / np.sqrt(costs)
        head = ("class", "N", "S", *(("cost", "N S / √cost") if model.strategy == "optimal" else ("N S",)), "n")
        rows = [
            (name, int(N), short(S), *((short(c),) if model.strategy == "optimal" else ()),
             short(w), int(n))
            for name, N, S, c, w, n in zip(names, counts, spread, costs, products, drawn, strict=True)
        ]  # fmt: skip
        blocks.append(class_table(head, rows, f"Spread of {problem.features[0]} within the classes"))
        if model.strategy == "optimal":
            blocks.append(Formula(f"cost of the sample: Σ cost · n = {num4(costs @ drawn)}"))
    n = int(drawn.sum())
    ways = {
        "this sample": variance(counts, spread, drawn),
        "proportional": variance(counts, spread, allocate(counts, n)),
        "random": float(x.var(ddof=1)) / n * (1 - n / len(x)) if len(x) > 1 else 0.0,
    }
    means = [(name, None if np.isnan(value) else short(value)) for name, value in ways.items()]
    title = f"Variance of the mean of {problem.features[0]}"
    return [*blocks, short_table(("sample", "Σ (N / ΣN)² (1 − n / N) S² / n"), means, title)]


# --- groups -----------------------------------------------------------------------------------------------------------


def group_caption(step: AggregateStep, before: AggregateStep) -> str:
    """Return the sentence of a step of an aggregation."""
    if step.phase == "rows":
        return "Rows before the aggregation."
    share = f"{100 * step.loss:.1f} % of the variance"
    if step.phase == "done":
        return f"Done: {count(step.n_rows, 'row represents', 'rows represent')} all, {share} is lost."
    lost = changes("the variance lost", 100 * short(before.loss), 100 * short(step.loss))
    return f"{count(len(step.rows), 'row becomes', 'rows become')} one; {lost} %."


def group_blocks(problem: Problem, step: AggregateStep, group: int | None, selected: int | None) -> Blocks:
    """Return the ledger of a step of an aggregation; ``group`` is that of the selected row."""
    blocks: Blocks = []
    if step.phase == "rows":
        rows = [(name, short(problem.X[:, j].std())) for j, name in enumerate(problem.features)]
        blocks.append(short_table(("column", "before"), rows, "Standard deviations", most=COLUMNS, of="columns"))
    if step.phase == "group":
        shown = step.rows[:SOME]
        names = problem.features[:3]
        members = [(int(problem.rows[i]) + 1, *(short(problem.X[i, j]) for j in range(len(names)))) for i in shown]
        blocks.append(numbered_table(("row", *names), members, f"Rows of the group ({len(step.rows)})"))
        blocks.append(
            Formula("become " + ", ".join(f"{a} {num4(b)}" for a, b in zip(names, step.values, strict=False)))
        )
        blocks.append(Formula(f"lost: Σ squares within, in standard deviations = {num4(step.lost)}"))
    if step.phase == "done":
        total = 100 * step.loss
        blocks.append(Formula(f"within {total:.4g} % + between {100 - total:.4g} % = 100 % of the variance"))
    if selected is not None and group is not None:
        blocks.append(Formula(f"row {problem.rows[selected] + 1} is in group {group + 1}"))
    return blocks
