"""The arithmetic of a formula over columns."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, class_table, numbered_table, short_table
from dmlib.pictures.words import num4, short, signed
from dmlib.preprocessing.transformation.formula_transformer import FormulaStep, FormulaTransformer
from dmlib.problem import Problem

MAX_ROWS, MAX_COLUMNS = 6, 6  # of a table
MAX_CLASSES = 8  # as many as have colours of their own


def few_classes(problem: Problem) -> tuple[str, ...]:
    """Return the classes, if their colours can be told apart."""
    is_few = problem.y is not None and len(problem.classes) <= MAX_CLASSES
    return tuple(problem.classes) if is_few else ()


def formula_caption(model: FormulaTransformer, step: FormulaStep) -> str:
    """Return the sentence of a step of a formula."""
    if step.phase == "read":
        return f"{model.name_} is computed from {', '.join(step.columns) or 'numbers alone'}."
    low, high = num4(step.values.min()), num4(step.values.max())
    extent = f"from {low} to {high}" if low != high else f"{low} in every row"
    if step.part:
        return f"{step.part}: {extent}."
    return f"Done: the table has a column {model.name_}, {extent}."


def formula_blocks(
    problem: Problem, model: FormulaTransformer, step: FormulaStep, selected: int | None
) -> Blocks:
    """Return the ledger of a step of a formula, with the arithmetic of a row."""
    names = step.columns[:MAX_COLUMNS]
    columns = {name: problem.X[:, model.columns_.index(name)] for name in names}
    blocks: Blocks = []
    if step.part:
        columns[step.part] = step.values
        chosen = [0] if selected is None else [0, selected]
        blocks += [Formula(f"row {problem.rows[i] + 1}: {arithmetic(step, i)}") for i in chosen]
    elif step.phase == "append":
        columns[model.name_] = step.values
        summary = [(name, *map(short, (x.min(), x.mean(), x.max()))) for name, x in columns.items()]
        blocks.append(short_table(("column", "minimum", "mean", "maximum"), summary, "Columns"))
        blocks += _class_means(problem, model, step)
    numbers = [*range(min(MAX_ROWS, len(problem.X)))]
    numbers += [selected] if selected is not None and selected not in numbers else []
    rows = [(int(problem.rows[i]) + 1, *(short(x[i]) for x in columns.values())) for i in numbers]
    return [*blocks, numbered_table(("row", *columns), rows, "Rows")]


def _class_means(problem: Problem, model: FormulaTransformer, step: FormulaStep) -> Blocks:
    classes = few_classes(problem)
    if not classes:
        return []
    groups = [step.values[problem.y == code] for code in range(len(classes))]
    rows = [
        (name, *((short(x.mean()), short(x.std())) if len(x) else (None, None)))
        for name, x in zip(classes, groups, strict=True)
    ]
    head = ("class", "mean", "standard deviation")
    return [class_table(head, rows, f"{model.name_} by class")]


def arithmetic(step: FormulaStep, row: int) -> str:
    """Return an operation with the numbers of a row put in."""
    numbers = [float(np.broadcast_to(each, len(step.values))[row]) for each in step.operands]
    if step.operation.isalpha():
        terms = f"{step.operation}({num4(numbers[0])})"
    else:
        terms = f" {step.operation} ".join(signed(number, 4) for number in numbers)
        terms = step.operation + terms if len(numbers) == 1 else terms
    return f"{step.part} = {terms} = {num4(step.values[row])}"
