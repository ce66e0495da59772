"""The arithmetic of a Hopfield network: what a rule stores, the weighted sum of a unit, the energy of a state."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.hopfield.algorithm import HopfieldStep
from dmlib.neural.hopfield.recall import energy
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.words import num, short, signed
from dmlib.problem import PatternsProblem

MOST_TERMS = 12
RULE = {
    "hebb": "Δw = xᵢ xⱼ / n",
    "pseudo_inverse": "Δw = rᵢ rⱼ / (r · r), where r = x − Px is the residual of x",
    "storkey": "Δw = (xᵢ xⱼ − xᵢ hⱼᵢ − hᵢⱼ xⱼ) / n",
}


def store_blocks(
    problem: PatternsProblem, X: Floats, step: HopfieldStep, before: Floats, rule: str, unit: int
) -> Blocks:
    """Write out what a pattern changes between one unit and some others, and which patterns are stable then."""
    x = X[step.pattern or 0]
    n = len(x)
    others = [j for j in range(n) if j != unit][:MOST_TERMS]
    rows = [[j + 1, int(x[unit]), int(x[j]), short(before[unit, j]), short(step.weights[unit, j])] for j in others]
    title = f"Weights of unit {unit + 1} ({problem.cell(unit)}) to the first others"
    blocks: Blocks = [Formula(f"{RULE[rule]}; n = {n}")]
    if others:
        j = others[0]
        sum_ = (
            f"{num(before[unit, j])} + {signed(step.weights[unit, j] - before[unit, j])} = {num(step.weights[unit, j])}"
        )
        blocks.append(Formula(f"w between {unit + 1} and {j + 1}: {sum_}"))
        blocks.append(LedgerTable(("unit", "xᵢ", "xⱼ", "w before", "w"), rows, title, by="unit"))
    stored = X[: (step.pattern or 0) + 1]
    return [*blocks, stable_table(problem, stored, step, x, "Patterns stored so far")]


def stable_table(problem: PatternsProblem, X: Floats, step: HopfieldStep, state: Floats, title: str) -> LedgerTable:
    """Return one line for each pattern: its overlap with a state, its energy, and whether a unit would leave it."""
    overlaps = X @ state / X.shape[1]
    rows = [
        [problem.names[p], short(overlaps[p]), short(energy(step.weights, x)), "yes" if step.stable[p] else "no"]
        for p, x in enumerate(X[:MOST_TERMS])
    ]
    cut = f" (the first {MOST_TERMS} of {len(X)})" if len(X) > MOST_TERMS else ""
    return LedgerTable(("pattern", "overlap m", "energy", "stable"), rows, title + cut)


def unit_blocks(problem: PatternsProblem, X: Floats, weights: Floats, state: Floats, unit: int, rule: str) -> Blocks:
    """Write out the weighted sum of a unit: pattern by pattern for Hebb's rule, else by its largest terms."""
    net = float(weights[unit] @ state)
    where = f"unit {unit + 1} ({problem.cell(unit)})"
    if rule == "hebb":
        return [_by_patterns(problem, X, state, unit, where), _hebb_sum(X, state, unit, net)]
    terms = weights[unit] * state
    order = np.argsort(-np.abs(terms), kind="stable")
    order = order[order != unit]
    rows = [[int(j) + 1, short(weights[unit, j]), int(state[j]), short(terms[j])] for j in order]
    table = short_table(
        ("unit", "w", "s", "w·s"), rows, f"The sum of {where}: largest terms", most=MOST_TERMS, by="unit"
    )
    written = few([signed(terms[j], 4) for j in order], 6)
    return [table, Formula(f"h = Σ w·s = {written} = {num(net)}")]


def _by_patterns(problem: PatternsProblem, X: Floats, state: Floats, unit: int, where: str) -> LedgerTable:
    overlaps = X @ state / X.shape[1]
    rows = [[problem.names[p], short(m), int(X[p, unit]), short(m * X[p, unit])] for p, m in enumerate(overlaps)]
    return short_table(("pattern", "overlap m", "xᵢ", "m·xᵢ"), rows, f"The sum of {where}", most=MOST_TERMS)


def _hebb_sum(X: Floats, state: Floats, unit: int, net: float) -> Formula:
    terms = [signed(m, 4) for m in (X @ state / X.shape[1]) * X[:, unit]]
    own = f"{len(X)}/{X.shape[1]} · {signed(state[unit])}"
    return Formula(f"h = Σ m·xᵢ − p/n · sᵢ = {few(terms, 8)} − {own} = {num(net)}")


def flip_blocks(problem: PatternsProblem, X: Floats, step: HopfieldStep, before: HopfieldStep, rule: str) -> Blocks:
    """Write out why a unit flips, and by how much the energy falls."""
    assert step.change is not None
    unit, net = step.change.unit or 0, step.change.net
    old, new = before.state[unit], step.state[unit]
    return [
        *unit_blocks(problem, X, step.weights, before.state, unit, rule),
        Formula(f"s·h = {num(old)} · {signed(net)} = {num(old * net)} < 0, so s becomes {'+1' if new > 0 else '−1'}"),
        Formula(f"E: {num(before.energy)} − 2 · |{num(net)}| = {num(step.energy)}"),
    ]


def update_blocks(X: Floats, step: HopfieldStep, before: HopfieldStep) -> Blocks:
    """List the units that change at once, and the energy before and after."""
    net = step.weights @ before.state
    units = np.flatnonzero(step.state != before.state)
    rows = [[int(i) + 1, int(before.state[i]), short(net[i]), int(step.state[i])] for i in units]
    title = f"Units that change ({len(units)})" if len(units) else "No unit changes"
    table = short_table(("unit", "s", "h", "new s"), rows, title, most=MOST_TERMS, by="unit")
    return [table, Formula(f"E: {num(before.energy)} → {num(step.energy)}")]


def state_blocks(problem: PatternsProblem, X: Floats, step: HopfieldStep) -> Blocks:
    """Compare a state with all patterns."""
    n_wrong = (step.state != X).sum(axis=1)
    first = int(n_wrong.argmin())
    n = X.shape[1]
    return [
        stable_table(problem, X, step, step.state, "The state against the patterns"),
        Formula(f"m with {problem.names[first]}: 1 − 2 · {n_wrong[first]}/{n} = {num(1 - 2 * n_wrong[first] / n)}"),
        Formula(f"E = −½ sᵀWs = {num(step.energy)}"),
    ]


def asked_blocks(problem: PatternsProblem, X: Floats, step: HopfieldStep, unit: int, rule: str) -> Blocks:
    """Write out the sum of the unit that is asked about."""
    net = float(step.weights[unit] @ step.state)
    s = step.state[unit]
    says = "it would flip" if s * net < 0 else "it stays"
    stored = X[: (step.pattern + 1)] if step.pattern is not None else X
    return [
        *unit_blocks(problem, stored, step.weights, step.state, unit, rule),
        Formula(f"s·h = {num(s)} · {signed(net)} = {num(s * net)}: {says}"),
    ]
