"""Captions and ledgers of a Hopfield network: storage, weighted sums, and energies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.hopfield.algorithm import Hopfield, HopfieldStep
from dmlib.neural.hopfield.recall import energy
from dmlib.neural.hopfield.thresholds import class_sums
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, short, signed
from dmlib.problem import PatternsProblem

MAX_TERMS = 12
RULE = {
    "hebb": "Δw = xᵢ xⱼ / n",
    "pseudo_inverse": "Δw = rᵢ rⱼ / (r · r), where r = x − Px is the residual of x",
    "storkey": "Δw = (xᵢ xⱼ − xᵢ hⱼᵢ − hᵢⱼ xⱼ) / n",
}


class Narrator:
    """Captions and ledgers of a Hopfield network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Hopfield`.
    patterns : ndarray of shape (n_patterns, n_units)
        The patterns, -1 and 1.
    """

    def __init__(self, run: Run[PatternsProblem, Hopfield], patterns: Floats) -> None:
        self.problem: PatternsProblem = run.problem
        self.rule, self.patterns = run.model.rule, patterns
        self.thresholds: str = run.model.thresholds
        is_unit = run.selected is not None and run.selected < patterns.shape[1]
        self.unit = run.selected if is_unit else None

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: HopfieldStep = moment.step
        caption = getattr(self, f"_{step.phase}")(step)
        blocks = self._blocks(step, moment.before)
        if self.unit is not None and step.phase != "store":
            query = query_blocks(self.problem, self.patterns, step, self.unit, self.rule)
            query = [*query, *self._threshold(step, self.unit)]
            blocks = [*query, *blocks]
        return caption, blocks

    def _blocks(self, step: HopfieldStep, before: HopfieldStep) -> Blocks:
        problem, patterns, rule = self.problem, self.patterns, self.rule
        if step.phase == "store":
            weights = np.zeros_like(step.weights) if step.pattern == 0 else before.weights
            unit = self.unit or 0
            blocks = store_blocks(problem, patterns, step, weights, rule, unit)
            return [*blocks, *self._threshold(step, unit)]
        if step.phase == "flip":
            unit = _unit_of(step)
            blocks = flip_blocks(problem, patterns, step, before, rule)
            return [*blocks, *self._threshold(step, unit)]
        if step.phase == "update":
            return update_blocks(step, before)
        return state_blocks(problem, patterns, step)

    def _threshold(self, step: HopfieldStep, unit: int) -> Blocks:
        """Write out the threshold of a unit that has one of its own."""
        theta, W = num(step.thresholds[unit]), step.weights
        if self.thresholds == "binary":
            return [Formula(f"θ of unit {unit + 1} = −Σ w = −{signed(W[unit].sum())} = {theta}")]
        if self.thresholds == "same":
            return []
        stored = self.patterns if step.pattern is None else self.patterns[: step.pattern + 1]
        on, off = (float(sums[unit]) for sums in class_sums(stored, W))
        if np.isnan(on + off):
            return [Formula(f"θ of unit {unit + 1} = {theta}: it is the same in all patterns")]
        middle = f"½ ({num(on)} + {signed(off)})"
        return [
            Formula(f"θ of unit {unit + 1}, between its mean sums on and off: {middle} = {theta}")
        ]

    def _target(self, step: HopfieldStep) -> str:
        """Return the name of the pattern to be recalled."""
        return f"pattern {self.problem.names[step.target]}"

    def _store(self, step: HopfieldStep) -> str:
        number = (step.pattern or 0) + 1
        name, n = self.problem.names[number - 1], len(self.patterns)
        stable = f"{step.n_stable} of {number} are stable"
        if number == 1 and step.n_stable:
            stable = "it is stable"
        energy_ = f"its energy is {num(step.energy)}"
        return f"Pattern {name} is stored as number {number} of {n}: {stable}, {energy_}."

    def _cue(self, step: HopfieldStep) -> str:
        cells = count(step.n_wrong, "cell differs", "cells differ")
        return f"The cue: {cells} from {self._target(step)}, the energy is {num(step.energy)}."

    def _flip(self, step: HopfieldStep) -> str:
        assert step.change is not None
        unit, net, theta = _unit_of(step), step.change.net, step.thresholds[_unit_of(step)]
        name = f"Unit {unit + 1} ({self.problem.cell(unit)})"
        state = "on" if net > 0 else "off"
        fall = f"the energy falls to {num(step.energy)}"
        sum_ = f"the sum {num(net)}"
        if theta:
            sum_ = f"h = {num(net + theta)} − {signed(theta)} = {num(net)}"
        return f"{name} has {sum_} and switches {state}: {fall}."

    def _sweep(self, step: HopfieldStep) -> str:
        assert step.change is not None
        units = count(step.change.n_changed, "unit has flipped", "units have flipped")
        cells = count(step.n_wrong, "cell differs", "cells differ")
        return f"Sweep {step.n_iter} ends: {units}, and {cells}."

    def _update(self, step: HopfieldStep) -> str:
        assert step.change is not None
        n_changed, start = step.change.n_changed, f"Update {step.n_iter}:"
        if step.change.cycle:
            repeated = "the state is that of two updates before"
            return f"{start} {n_changed} units switch back; {repeated}."
        units = count(n_changed, "unit changes", "units change")
        return f"{start} {units} at once, the energy is {num(step.energy)}."

    def _done(self, step: HopfieldStep) -> str:
        sweeps = count(step.n_iter, "sweep", "sweeps")
        cells = f"{count(step.n_wrong, 'cell differs', 'cells differ')} from {self._target(step)}"
        n_wrong = (step.state != self.patterns).sum(axis=1)
        energy_ = num(step.energy)
        if step.outcome == "stored":
            return f"Done after {sweeps}: {self._recalled(step, n_wrong)}, at the energy {energy_}."
        if step.outcome == "inverse":
            inverse = int(np.flatnonzero(n_wrong == self.patterns.shape[1])[0])
            name = f"the inverse of pattern {self.problem.names[inverse]}"
            if step.thresholds.any():
                other = num(energy(step.weights, -step.state, step.thresholds))
                return f"Done after {sweeps}: {name}, at {energy_}; the pattern is at {other}."
            return f"Done after {sweeps}: {name}, an attractor of the same energy, {energy_}."
        if step.outcome == "spurious":
            return f"Done after {sweeps} in a spurious state: it is stable, but {cells}."
        if step.outcome == "cycle":
            updates = "updated synchronously, the units never converge"
            return f"Done after {sweeps} in a cycle of two states: {updates}."
        return f"Stopped by the limit of {sweeps}: {cells}, and units still change."

    def _recalled(self, step: HopfieldStep, n_wrong: NDArray[np.intp]) -> str:
        if step.n_wrong == 0:
            return f"{self._target(step)} is recalled"
        name = self.problem.names[int(n_wrong.argmin())]
        return f"pattern {name} is recalled, not {self._target(step)}"


def _unit_of(step: HopfieldStep) -> int:
    """Return the unit that flips."""
    return 0 if step.change is None else int(step.change.unit or 0)


def store_blocks(
    problem: PatternsProblem, X: Floats, step: HopfieldStep, before: Floats, rule: str, unit: int
) -> Blocks:
    """Write out the change of the weights of one unit, and which patterns are stable."""
    x = X[step.pattern or 0]
    n, w_before, w = len(x), before[unit], step.weights[unit]
    units = [j for j in range(n) if j != unit][:MAX_TERMS]
    rows = [[j + 1, int(x[unit]), int(x[j]), short(w_before[j]), short(w[j])] for j in units]
    title = f"Weights of unit {unit + 1} ({problem.cell(unit)}) to the first others"
    blocks: Blocks = [Formula(f"{RULE[rule]}; n = {n}")]
    if units:
        j = units[0]
        sum_ = f"{num(w_before[j])} + {signed(w[j] - w_before[j])} = {num(w[j])}"
        blocks.append(Formula(f"w between {unit + 1} and {j + 1}: {sum_}"))
        blocks.append(LedgerTable(("unit", "xᵢ", "xⱼ", "w before", "w"), rows, title, by="unit"))
    stored = X[: (step.pattern or 0) + 1]
    title = "Patterns stored so far"
    return [*blocks, stable_table(problem, stored, step, x, title)]


def stable_table(
    problem: PatternsProblem, X: Floats, step: HopfieldStep, state: Floats, title: str
) -> LedgerTable:
    """Return the overlap of each pattern with a state, its energy, and whether it is stable."""
    overlaps = X @ state / X.shape[1]
    rows: list[list[str | float]] = []
    for p, x in enumerate(X[:MAX_TERMS]):
        stable = "yes" if step.stable[p] else "no"
        level = short(energy(step.weights, x, step.thresholds))
        rows.append([problem.names[p], short(overlaps[p]), level, stable])
    cut = f" (the first {MAX_TERMS} of {len(X)})" if len(X) > MAX_TERMS else ""
    return LedgerTable(("pattern", "overlap m", "energy", "stable"), rows, title + cut)


def unit_blocks(
    problem: PatternsProblem, X: Floats, step: HopfieldStep, state: Floats, unit: int, rule: str
) -> Blocks:
    """Write out the sum of a unit: by pattern for Hebb's rule, else its largest terms."""
    weights, threshold = step.weights, float(step.thresholds[unit])
    net = float(weights[unit] @ state) - threshold
    where = f"unit {unit + 1} ({problem.cell(unit)})"
    if rule == "hebb":
        return [
            _by_patterns(problem, X, state, unit, where),
            _hebb_sum(X, state, unit, net, threshold),
        ]
    terms = weights[unit] * state
    order = np.argsort(-np.abs(terms), kind="stable")
    order = order[order != unit]
    rows = [[int(j) + 1, short(weights[unit, j]), int(state[j]), short(terms[j])] for j in order]
    head, title = ("unit", "w", "s", "w·s"), f"The sum of {where}: largest terms"
    table = short_table(head, rows, title, max_rows=MAX_TERMS, by="unit")
    sum_ = abridged([signed(terms[j], 4) for j in order], 6)
    if threshold:
        return [table, Formula(f"h = Σ w·s − θ = {sum_} − {signed(threshold)} = {num(net)}")]
    return [table, Formula(f"h = Σ w·s = {sum_} = {num(net)}")]


def _by_patterns(
    problem: PatternsProblem, X: Floats, state: Floats, unit: int, where: str
) -> LedgerTable:
    overlaps = X @ state / X.shape[1]
    rows = [
        [problem.names[p], short(m), int(X[p, unit]), short(m * X[p, unit])]
        for p, m in enumerate(overlaps)
    ]
    head = ("pattern", "overlap m", "xᵢ", "m·xᵢ")
    return short_table(head, rows, f"The sum of {where}", max_rows=MAX_TERMS)


def _hebb_sum(X: Floats, state: Floats, unit: int, net: float, threshold: float) -> Formula:
    terms = [signed(m, 4) for m in (X @ state / X.shape[1]) * X[:, unit]]
    own_term = f"{len(X)}/{X.shape[1]} · {signed(state[unit])}"
    sum_ = f"{abridged(terms, 8)} − {own_term}"
    if threshold:
        return Formula(f"h = Σ m·xᵢ − p/n · sᵢ − θ = {sum_} − {signed(threshold)} = {num(net)}")
    return Formula(f"h = Σ m·xᵢ − p/n · sᵢ = {sum_} = {num(net)}")


def flip_blocks(
    problem: PatternsProblem, X: Floats, step: HopfieldStep, before: HopfieldStep, rule: str
) -> Blocks:
    """Write out why a unit flips, and by how much the energy falls."""
    assert step.change is not None
    unit, net = _unit_of(step), step.change.net
    s = before.state[unit]
    new_s = "+1" if s < 0 else "−1"
    return [
        *unit_blocks(problem, X, step, before.state, unit, rule),
        Formula(f"s·h = {num(s)} · {signed(net)} = {num(s * net)} < 0, so s becomes {new_s}"),
        Formula(f"E: {num(before.energy)} − 2 · |{num(net)}| = {num(step.energy)}"),
    ]


def update_blocks(step: HopfieldStep, before: HopfieldStep) -> Blocks:
    """List the units that change at once, and the energy before and after."""
    net = step.weights @ before.state - step.thresholds
    units = np.flatnonzero(step.state != before.state)
    rows = [[int(i) + 1, int(before.state[i]), short(net[i]), int(step.state[i])] for i in units]
    title = f"Units that change ({len(units)})" if len(units) else "No unit changes"
    table = short_table(("unit", "s", "h", "new s"), rows, title, max_rows=MAX_TERMS, by="unit")
    return [table, Formula(f"E: {num(before.energy)} → {num(step.energy)}")]


def state_blocks(problem: PatternsProblem, X: Floats, step: HopfieldStep) -> Blocks:
    """Compare a state with all patterns."""
    n_wrong = (step.state != X).sum(axis=1)
    first = int(n_wrong.argmin())
    n = X.shape[1]
    overlap = f"1 − 2 · {n_wrong[first]}/{n} = {num(1 - 2 * n_wrong[first] / n)}"
    return [
        stable_table(problem, X, step, step.state, "The state against the patterns"),
        Formula(f"m with {problem.names[first]}: {overlap}"),
        _energy_formula(step),
    ]


def _energy_formula(step: HopfieldStep) -> Formula:
    theta = step.thresholds
    if not theta.any():
        return Formula(f"E = −½ sᵀWs = {num(step.energy)}")
    parts = float(theta @ step.state)
    interaction = num(step.energy - parts)
    if np.ptp(theta):
        terms = f"{interaction} + {signed(parts)}"
        return Formula(f"E = −½ sᵀWs + Σ θᵢ sᵢ = {terms} = {num(step.energy)}")
    terms = f"{interaction} + {signed(theta[0])} · {signed(step.state.sum())}"
    return Formula(f"E = −½ sᵀWs + θ Σ sᵢ = {terms} = {num(step.energy)}")


def query_blocks(
    problem: PatternsProblem, X: Floats, step: HopfieldStep, unit: int, rule: str
) -> Blocks:
    """Write out the sum of the unit that is asked about."""
    net = float(step.weights[unit] @ step.state - step.thresholds[unit])
    s = step.state[unit]
    verdict = "it would flip" if s * net < 0 else "it stays"
    stored = X[: (step.pattern + 1)] if step.pattern is not None else X
    return [
        *unit_blocks(problem, stored, step, step.state, unit, rule),
        Formula(f"s·h = {num(s)} · {signed(net)} = {num(s * net)}: {verdict}"),
    ]
