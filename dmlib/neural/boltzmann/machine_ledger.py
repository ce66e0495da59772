"""The arithmetic of a Boltzmann machine: a unit's chance, a state's probability, visits against the distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.machine import BoltzmannStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.words import num, num4, short, signed
from dmlib.problem import PatternsProblem

MOST = 12
TERMS = 6


def sum_blocks(problem: PatternsProblem, step: BoltzmannStep, unit: int) -> Blocks:
    """Write out the weighted sum of a unit in this state, and its chance to be on."""
    assert step.state is not None
    terms = step.weights[unit] * step.state
    order = [int(j) for j in np.argsort(-np.abs(terms), kind="stable") if j != unit]
    net = float(terms.sum() + step.bias[unit])
    p = 1 / (1 + np.exp(np.clip(-2 * net / step.temperature, -700, 700)))
    rows = [[j + 1, short(step.weights[unit, j]), int(step.state[j]), short(terms[j])] for j in order]
    title = f"The sum of unit {unit + 1} ({problem.cell(unit)})"
    written = few([signed(terms[j], 4) for j in order], TERMS) or "0"
    return [
        short_table(("unit", "w", "s", "w·s"), rows, title, most=MOST, by="unit"),
        Formula(f"h = b + Σ w·s = {num4(step.bias[unit])} + {written} = {num(net)}"),
        Formula(f"p = 1/(1 + e^(−2h/T)) = 1/(1 + e^({num4(-2 * net / step.temperature)})) = {num4(p)}"),
    ]


def draw_formula(step: BoltzmannStep) -> Formula:
    """Say how the random number has decided."""
    assert step.draw is not None
    on = step.draw.number < step.draw.probability
    sign, state = ("<", "on") if on else ("≥", "off")
    return Formula(f"random number {num4(step.draw.number)} {sign} {num4(step.draw.probability)}: {state}")


def store_blocks(problem: PatternsProblem, step: BoltzmannStep, unit: int) -> Blocks:
    """List some weights of a unit."""
    others = [j for j in range(len(step.bias)) if j != unit]
    rows = [[j + 1, problem.cell(j), short(step.weights[unit, j])] for j in others]
    title = f"Weights of unit {unit + 1} ({problem.cell(unit)})"
    return [short_table(("unit", "where", "w"), rows, title, most=MOST, by="unit")]


def distribution_blocks(
    step: BoltzmannStep, order: NDArray[np.intp], energy: Floats, exact: Floats, visits: Floats, named: dict[int, str]
) -> Blocks:
    """List the most probable states, how often they should be and were visited, and how far the two are apart."""
    n = max(int(visits.sum()), 1)
    rows: list[list[str | float]] = [
        [rank + 1, named.get(int(i), ""), short(energy[i]), _third(exact[i]), _third(visits[i] / n)]
        for rank, i in enumerate(order[:MOST])
    ]
    head = ("rank", "pattern", "E", "exact", "visited")
    best = int(order[0])
    power = num4(-energy[best] / step.temperature)
    distance = float(np.abs(exact - visits / n).sum() / 2)
    return [
        LedgerTable(head, rows, f"States by energy, at T = {num4(step.temperature)}", by="rank"),
        Formula(f"p of rank 1 = e^(−E/T) / Z = e^({power}) / Z = {num4(exact[best])}"),
        Formula(f"distance of visits and distribution: ½ Σ |p − visited| = {num4(distance)}"),
    ]


def _third(share: float) -> float:
    """Return a share with three digits behind the point, as narrow tables have it."""
    return round(float(share), 3)


def energy_formula(step: BoltzmannStep) -> Formula:
    """Write the energy of the state."""
    return Formula(f"E = −½ sᵀWs − b·s = {num(step.energy)}; T = {num4(step.temperature)}")


def learn_blocks(step: BoltzmannStep) -> Blocks:
    """Say how far the machine is from the data."""
    blocks: Blocks = [Formula("Δwᵢⱼ = η (⟨sᵢsⱼ⟩ of the data − ⟨sᵢsⱼ⟩ of the machine)")]
    blocks.append(Formula(f"the largest difference of a mean: {num4(step.gap)}"))
    if np.isfinite(step.log_likelihood):
        blocks.append(Formula(f"log-likelihood of a pattern: {num(step.log_likelihood)}"))
    return blocks
