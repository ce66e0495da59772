"""Questions about factorisations: rebuilt cells, energy kept, numbers stored, signs, updates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import SVD, FactorStep
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.nmf import factor as update_factor
from dmlib.decomposition.factorisation.picture import TermStep
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, percent, signed
from dmlib.problem import Problem

MAX_STEPS = 20  # that are asked about
MAX_TERMS = 4  # of a sum that is worked out by hand
CURVES = ("Line",)  # the curve of the energy goes to the last step
COMPARED = 3  # the component that is compared with the one before it; its energy is not asked
FINDS = ("component", "update", "epoch", "code", "atoms")


class Rule(Misconception):
    """Wrong rules of factorisations."""

    LAST = "Only the newest component counts."
    EXACT = "The known cells are rebuilt exactly."
    ROOTS = "The energy is a share of the singular values, not of their squares."
    CODES = "Only the codes have to be stored."
    ORDER = "Components come in no order: a later one can keep more energy."
    POSITIVE = "Parts of positive data are only added."


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a factorisation answer.

    Parameters
    ----------
    run : Run
        Steps of a class of :mod:`dmlib.decomposition.factorisation`.

    Yields
    ------
    Question
        Before components are added, and before codes and parts are updated.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 7.0]}), ["a", "b"])
    >>> [question.topic for question in questions(Run.of(problem, SVD(1)))]
    ['rebuilt cell', 'energy', 'numbers stored']
    """
    steps = run.trace.steps
    for number in range(1, min(len(steps), MAX_STEPS)):
        step, before = steps[number], steps[number - 1]
        if isinstance(step, TermStep) and step.phase == "component":
            sizes = step.decomposition.sizes
            total = float((step.decomposition.table**2).sum())
            yield _energy(number, step, before, float(sizes[step.n - 1]) ** 2, total, sizes)
        elif isinstance(step, FactorStep) and step.phase in FINDS:
            yield from _factors(run, number, step, before)


def _factors(
    run: Run[Problem, Any], number: int, step: FactorStep, before: FactorStep
) -> Iterator[Question]:
    X = run.problem.X
    yield from _rebuilt(run.problem, number, step)
    if isinstance(run.model, NMF) and step.phase == "update":
        yield _update(run.problem, run.model, number, step, before)
    if isinstance(run.model, SVD):
        sizes = np.sqrt((run.trace.steps[-1].codes ** 2).sum(axis=0))
        size, total = float(sizes[step.n - 1]) ** 2, float((X**2).sum())
        if total > 0 and step.n != COMPARED:
            yield _energy(number, step, before, size, total, sizes)
        yield _numbers(run.problem, number, step)
        if step.n == COMPARED:
            yield _order(number, sizes)
        if step.n == 2 and (step.parts[0] > 0).all() and not step.offset.any():
            yield _signs(number, step)


def _rebuilt(problem: Problem, number: int, step: FactorStep) -> Iterator[Question]:
    """Ask about the cell that is rebuilt worst by the newest component or by all."""
    X, offset = problem.X, step.offset
    errors = np.abs(X - step.rebuilt)
    row, column = (int(i) for i in np.unravel_index(int(errors.argmax()), errors.shape))
    used = np.flatnonzero(step.codes[row])
    if not 0 < len(used) <= MAX_TERMS:
        return
    pairs = [(float(step.codes[row, k]), float(step.parts[k, column])) for k in used]
    base = float(offset[column])
    value, cell = float(step.rebuilt[row, column]), float(X[row, column])
    name, label = problem.features[column], int(problem.rows[row]) + 1
    codes, weights = (" and ".join(num4(pair[i]) for pair in pairs) for i in (0, 1))
    mean = f", and the mean {num4(base)} is added" if offset.any() else ""
    terms = " + ".join(f"{signed(a, 4)} · {signed(b, 4)}" for a, b in pairs)
    terms = f"{num4(base)} + {terms}" if offset.any() else terms
    yield Question(
        number,
        "rebuilt cell",
        f"Row {label} has {_plural('code', codes, pairs)}, and the parts have"
        f" {_plural('weight', weights, pairs)} for {name}{mean}: what {name} is rebuilt?",
        Value(value, max(0.01 * abs(value), 1e-3 * float(np.abs(X).max()))),
        f"{terms} = {num4(value)}, and the cell is {num4(cell)}.",
        (
            Wrong(Rule.LAST, base + pairs[-1][0] * pairs[-1][1]),
            Wrong(Rule.EXACT, cell, f"The error of this cell is {num4(abs(cell - value))}."),
        ),
        "Each code is multiplied by the weight of its part, and all are added.",
        about=[label],
    )


def _plural(noun: str, listing: str, items: Any) -> str:
    return f"the {noun}{'s' * (len(items) > 1)} {listing}"


def _energy(
    number: int,
    step: FactorStep | TermStep,
    before: FactorStep | TermStep,
    size: float,
    total: float,
    sizes: Floats,
) -> Question:
    k, kept = step.n, before.energy
    so_far = terms = ""
    if kept > 0:
        so_far, terms = f", {percent(kept)} are kept so far", f"{percent(kept)} + "
    roots = float(sizes[:k].sum() / max(float(sizes.sum()), 1e-300))
    return Question(
        number,
        "energy",
        f"The squares of all cells add up to {num4(total)}{so_far}, and the squares of the codes of"
        f" component {k} to {num4(size)}: what percentage is kept then?",
        Value(100 * step.energy, 0.5, "%"),
        f"{terms}{num4(size)} / {num4(total)} = {percent(step.energy)}.",
        (
            Wrong(Rule.LAST, 100 * size / total),
            Wrong(
                Rule.ROOTS, 100 * roots, "Squares of orthogonal components add up, sizes do not."
            ),
        ),
        "Components are orthogonal, so that their sums of squares add up.",
        hides=CURVES,
    )


def _numbers(problem: Problem, number: int, step: FactorStep) -> Question:
    n, p = problem.X.shape
    k = len(step.parts)
    n_means = int((step.offset != 0).sum())
    means = f" + {n_means} means" if n_means else ""
    return Question(
        number,
        "numbers stored",
        f"The table has {n} rows and {p} columns: how many numbers"
        f"{', means included,' if n_means else ''} are stored after component {k}?",
        Value(k * (n + p) + n_means),
        f"Each component has {n} codes and {p} weights: {k} · ({n} + {p}){means} ="
        f" {k * (n + p) + n_means}.",
        (Wrong(Rule.CODES, k * n, "Without the weights no cell can be rebuilt."),),
        "A component has a code for each row and a weight for each column.",
    )


def _order(number: int, sizes: Floats) -> Question:
    first, second = (float(size) ** 2 for size in sizes[COMPARED - 2 : COMPARED])
    return Question(
        number,
        "order",
        f"The squares of the codes of component 2 add up to {num4(first)}: what about those of"
        " component 3, whatever the table?",
        Option(["smaller or equal", "always equal", "larger", "any of these"], [0]),
        f"Component 2 is the best one at right angles to component 1, and component 3, with"
        f" {num4(second)}, the best of the rest.",
        (Wrong(Rule.ORDER, 3),),
        "Each component keeps as much energy as one can.",
        hides=CURVES,
    )


def _signs(number: int, step: FactorStep) -> Question:
    return Question(
        number,
        "signs",
        "All weights of part 1 are positive: which signs do the weights of part 2 have?",
        Option(["all positive", "all negative", "both signs", "all are 0"], [2]),
        f"Orthogonal parts have the product 0, so that terms of both signs cancel:"
        f" {_product(step.parts[0], step.parts[1])}.",
        (Wrong(Rule.POSITIVE, 0),),
        "The parts of a singular value decomposition are orthogonal.",
    )


def _product(first: Floats, second: Floats) -> str:
    terms = [f"{signed(a, 3)} · {signed(b, 3)}" for a, b in zip(first, second, strict=True)]
    more = " + …" if len(terms) > MAX_TERMS else ""
    return f"{' + '.join(terms[:MAX_TERMS])}{more} = 0"


def _update(
    problem: Problem, model: NMF, number: int, step: FactorStep, before: FactorStep
) -> Question:
    """Return a question about the code that an update changes most."""
    changes = np.abs(step.codes - before.codes)
    row, k = (int(i) for i in np.unravel_index(int(changes.argmax()), changes.shape))
    old, new = float(before.codes[row, k]), float(step.codes[row, k])
    X = problem.X[row : row + 1]
    factor = float(
        update_factor(X, before.codes[row : row + 1], before.parts, model.beta_loss)[0, k]
    )
    label = int(problem.rows[row]) + 1
    return Question(
        number,
        "update",
        f"Code {k + 1} of row {label} is {num4(old)}, and its quotient {num4(factor)}: what is it"
        " after the update?",
        Value(new, max(0.01 * abs(new), 1e-6)),
        f"Updates multiply: {num4(old)} · {num4(factor)} = {num4(new)}, so that no code becomes"
        " negative.",
        (),
        "The update is multiplicative.",
        about=[label],
    )
