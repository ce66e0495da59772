"""The arithmetic of a linear unit: the weighted sum of a row, its sign, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.margin import Margin
from dmlib.neural.perceptron.neuron import NeuronStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.words import num, short, signed
from dmlib.problem import Problem, Query

MOST_TERMS = 12  # lines of a table of weights


def weight_table(names: Sequence[str], title: str, **columns: Floats) -> LedgerTable:
    """Return one line per term with a number from each column."""
    rows = [[name, *(short(values[j]) for values in columns.values())] for j, name in enumerate(names)]
    return short_table(("", *(head.replace("_", " ") for head in columns)), rows, title, most=MOST_TERMS)


def row_blocks(names: Sequence[str], z: Floats, step: NeuronStep, before: Floats, model: Any) -> Blocks:
    """Write out the sum of a row, whether it is right, and the update."""
    parts = z * before
    terms = few([signed(part) for part in parts], MOST_TERMS)
    columns, title = {"x": z, "w": before, "w·x": parts}, "The row's weighted sum"
    if step.phase == "update":
        columns, title = {"x": z, "w": before, "Δ": step.gain * z, "new_w": step.weights}, "The update"
    blocks: Blocks = [weight_table(names, title, **columns), Formula(f"s = {terms} = {num(step.score)}")]
    y, eta = "+1" if step.sign > 0 else "−1", num(model.learning_rate)
    if isinstance(model, Adaline):
        error = step.sign - step.score
        blocks.append(Formula(f"error e = y − s = {y} − {signed(step.score)} = {num(error)}"))
        rule, factor = "w + η e x", f"{eta} · {signed(error)}"
    else:
        wrong = step.sign * step.score <= 0
        sentence = "≤ 0: misclassified" if wrong else "> 0: correct, the weights stay"
        blocks.append(Formula(f"y s = {y} · {signed(step.score)} = {num(step.sign * step.score)} {sentence}"))
        rule, factor = "w + η y x", f"{eta} · ({y})"
    if step.phase == "update":
        j = len(names) - 1
        sum_ = f"{num(before[j])} + {factor} · {signed(z[j])} = {num(step.weights[j])}"
        blocks.append(Formula(f"w ← {rule}; {names[j]}: {sum_}"))
    return blocks


def mistake_blocks(step: NeuronStep, margin: Margin | None, why_not: str) -> Blocks:
    """Compare the mistakes so far with Novikoff's bound."""
    so_far = f"mistakes so far: {step.n_mistakes}"
    if margin is None or np.isnan(margin.bound):
        return [Formula(so_far + (f"; {why_not}" if why_not else ""))]
    R, g = num(margin.longest), num(margin.width)
    return [Formula(f"{so_far} ≤ (R / γ)² = ({R} / {g})² = {num(margin.bound)}")]


def query_blocks(problem: Problem, query: Query, names: Sequence[str], weights: Floats, constant: int) -> Blocks:
    """Write out the sum and the class of the place that is asked about."""
    x = np.append(np.ones(constant), query.x)
    score = float(x @ weights)
    name = problem.classes[int(score > 0)]
    columns = {"x": x, "w": weights, "w·x": x * weights}
    return [
        weight_table(names, f"Asked about: {problem.name(query)}", **columns),
        Formula(f"s = {few([signed(part) for part in x * weights], MOST_TERMS)} = {num(score)}"),
        Formula(f"{num(score)} {'>' if score > 0 else '≤'} 0, so the class is {name}"),
    ]
