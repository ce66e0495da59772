"""Captions and ledgers of a Boltzmann machine: units, probabilities of states, visits to them."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.likelihood import PairMeans
from dmlib.neural.boltzmann.machine import BoltzmannMachine, BoltzmannStep, Draw
from dmlib.neural.boltzmann.states import StateList
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import PatternsProblem

MAX_LINES = 12  # of a table
MAX_TERMS = 6  # of a sum


class Narrator:
    """Captions and ledgers of a Boltzmann machine.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.BoltzmannMachine`.
    states : StateList or None
        All states; None where they are too many to be listed.
    """

    def __init__(
        self, run: Run[PatternsProblem, BoltzmannMachine], states: StateList | None
    ) -> None:
        self.problem: PatternsProblem = run.problem
        self.states = states
        self.rate = run.model.learning_rate
        is_unit = run.selected is not None and run.selected < self.problem.data.shape[1]
        self.unit = run.selected if is_unit else None

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: BoltzmannStep = moment.step
        blocks = self._blocks(step, max(moment.so_far - 1, 0))
        has_sums = self.states is not None and step.state is not None
        if self.unit is not None and has_sums and step.phase != "unit":
            blocks = [*sum_blocks(self.problem, step, self.unit), *blocks]
        return self._caption(step), blocks

    def _blocks(self, step: BoltzmannStep, n_sweeps: int) -> Blocks:
        unit = self.unit or 0
        if step.phase == "unit" and step.draw is not None:
            return [*sum_blocks(self.problem, step, step.draw.unit), draw_formula(step)]
        if step.phase == "store":
            return store_blocks(self.problem, step, unit)
        if step.phase == "learn":
            return [
                *learn_blocks(self.problem, step, self.rate),
                *store_blocks(self.problem, step, unit),
            ]
        if self.states is None:
            return [energy_formula(step), *sum_blocks(self.problem, step, unit)]
        visits = self.states.visits(n_sweeps)
        return [energy_formula(step), *distribution_blocks(step, self.states, visits)]

    def _caption(self, step: BoltzmannStep) -> str:
        T, E = num4(step.temperature), num4(step.energy)
        if step.phase == "store":
            patterns = count(len(self.problem.data), "pattern is", "patterns are")
            theta = -float(step.bias[0]) + 0.0
            threshold = f" Every threshold is θ = {num4(theta)}." if step.bias.any() else ""
            return f"{patterns} stored by Hebb's rule, as in a Hopfield network.{threshold}"
        if step.phase == "learn":
            gap = f"no mean of data and machine differs by more than {num4(step.gap)}"
            is_clamped = len(step.bias) > self.problem.data.shape[1]
            phase = " For those of the data, visible units are clamped." if is_clamped else ""
            return f"Iteration {step.iteration} of learning: {gap}.{phase}"
        if step.phase == "start":
            return f"The start: a random state of energy {E}, at temperature {T}."
        if step.draw is not None:
            return self._draw(step.draw)
        if step.phase == "sweep":
            return f"Sweep {step.iteration} at temperature {T} ends at the energy {E}."
        sweeps, mean = count(step.iteration, "sweep", "sweeps"), num4(step.mean_energy)
        return f"Done after {sweeps}: the mean energy was {mean}, the last one is {E}."

    def _draw(self, draw: Draw) -> str:
        name = f"Unit {draw.unit + 1} ({unit_place(self.problem, draw.unit)})"
        state = "on" if draw.number < draw.probability else "off"
        return f"{name} is on with probability {num4(draw.probability)}: it is {state} now."


def unit_place(problem: PatternsProblem, unit: int) -> str:
    """Return the cell of a visible unit, or that it is hidden."""
    return problem.cell(unit) if unit < problem.data.shape[1] else "hidden"


def sum_blocks(problem: PatternsProblem, step: BoltzmannStep, unit: int) -> Blocks:
    """Write out the weighted sum of a unit in this state, and the probability that it is on."""
    assert step.state is not None
    terms = step.weights[unit] * step.state
    order = [int(j) for j in np.argsort(-np.abs(terms), kind="stable") if j != unit]
    net = float(terms.sum() + step.bias[unit])
    exponent = -2 * net / step.temperature
    p = 1 / (1 + np.exp(np.clip(exponent, -700, 700)))
    w, s = step.weights[unit], step.state
    rows = [[j + 1, short(w[j]), int(s[j]), short(terms[j])] for j in order]
    title = f"The sum of unit {unit + 1} ({unit_place(problem, unit)})"
    sum_ = abridged([signed(terms[j], 4) for j in order], MAX_TERMS) or "0"
    return [
        short_table(("unit", "w", "s", "w·s"), rows, title, max_rows=MAX_LINES, by="unit"),
        Formula(f"h = b + Σ w·s = {num4(step.bias[unit])} + {sum_} = {num(net)}"),
        Formula(f"p = 1/(1 + e^(−2h/T)) = 1/(1 + e^({num4(exponent)})) = {num4(p)}"),
    ]


def draw_formula(step: BoltzmannStep) -> Formula:
    """Compare the random number with the probability."""
    assert step.draw is not None
    number, probability = step.draw.number, step.draw.probability
    sign, state = ("<", "on") if number < probability else ("≥", "off")
    return Formula(f"random number {num4(number)} {sign} {num4(probability)}: {state}")


def store_blocks(problem: PatternsProblem, step: BoltzmannStep, unit: int) -> Blocks:
    """List the first weights of a unit."""
    units = [j for j in range(len(step.bias)) if j != unit]
    rows = [[j + 1, unit_place(problem, j), short(step.weights[unit, j])] for j in units]
    title = f"Weights of unit {unit + 1} ({unit_place(problem, unit)})"
    return [short_table(("unit", "where", "w"), rows, title, max_rows=MAX_LINES, by="unit")]


def distribution_blocks(step: BoltzmannStep, states: StateList, visits: Floats) -> Blocks:
    """Compare the probabilities of the states of lowest energy with their shares of visits."""
    exact, energy = states.probabilities(step.temperature), states.free_energy(step.temperature)
    shares = visits / max(int(visits.sum()), 1)
    best = int(states.order[0])
    rows: list[list[str | float]] = []
    for rank, i in enumerate(states.order[:MAX_LINES].tolist(), start=1):
        name, share = states.patterns.get(i, ""), round(float(shares[i]), 3)
        rows.append([rank, name, short(energy[i]), round(float(exact[i]), 3), share])
    power = num4(-energy[best] / step.temperature)
    distance = float(np.abs(exact - shares).sum() / 2)
    letter, by = "E", "States by energy"
    if states.has_hidden:
        letter, by = "F", "Visible states by free energy"
    head = ("rank", "pattern", letter, "exact", "visited")
    return [
        LedgerTable(head, rows, f"{by}, at T = {num4(step.temperature)}", by="rank"),
        Formula(f"p of rank 1 = e^(−{letter}/T) / Z = e^({power}) / Z = {num4(exact[best])}"),
        Formula(f"distance of visits and distribution: ½ Σ |p − visited| = {num4(distance)}"),
    ]


def energy_formula(step: BoltzmannStep) -> Formula:
    """Write the energy of the state."""
    return Formula(f"E = −½ sᵀWs − b·s = {num(step.energy)}; T = {num4(step.temperature)}")


def learn_blocks(problem: PatternsProblem, step: BoltzmannStep, rate: float) -> Blocks:
    """Write out the rule of learning, and the gap between the data and the machine."""
    blocks: Blocks = [Formula("Δwᵢⱼ = η (⟨sᵢsⱼ⟩ of the data − ⟨sᵢsⱼ⟩ of the machine)")]
    if step.pair is not None:
        blocks.append(pair_formula(problem, step.pair, rate))
    blocks.append(Formula(f"the largest difference of a mean: {num4(step.gap)}"))
    if np.isfinite(step.log_likelihood):
        blocks.append(Formula(f"log-likelihood of a pattern: {num(step.log_likelihood)}"))
    return blocks


def pair_formula(problem: PatternsProblem, pair: PairMeans, rate: float) -> Formula:
    """Write out the change of the weight between the units whose means differ most."""
    places = (f"{unit + 1} ({unit_place(problem, unit)})" for unit in pair.units)
    change = rate * (pair.data - pair.machine)
    difference = f"{num4(pair.data)} − {signed(pair.machine, 4)}"
    return Formula(f"units {' and '.join(places)}: {num4(rate)} · ({difference}) = {num4(change)}")
