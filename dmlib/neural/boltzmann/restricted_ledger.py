"""Captions and ledgers of a restricted machine: hidden sums, samples, updates, free energies."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.parameters import Parameters
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine, RestrictedStep, Sampled
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import PatternsProblem

MAX_LINES = 12  # lines of a table
MAX_TERMS = 6  # of a sum


class Narrator:
    """Captions and ledgers of a restricted machine.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.RestrictedBoltzmannMachine`.
    pattern : ndarray of shape (n_cells,)
        The pattern that is reconstructed, 0 and 1.
    """

    def __init__(
        self, run: Run[PatternsProblem, RestrictedBoltzmannMachine], pattern: Floats
    ) -> None:
        self.problem, self.model, self.pattern = run.problem, run.model, pattern
        n_hidden = len(run.trace.steps[0].parameters.hidden)
        selected = run.selected or 0
        self.unit = selected if selected < n_hidden else 0

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: RestrictedStep = moment.step
        caption = self._epoch(step) if step.sampled is None else self._batch(step, step.sampled)
        return caption, self._blocks(step, moment.before)

    def _blocks(self, step: RestrictedStep, before: RestrictedStep) -> Blocks:
        if step.phase == "positive":
            return positive_blocks(step, self.unit)
        if step.phase == "negative":
            return negative_blocks(self.problem, step, self.model.k)
        if step.phase == "update":
            return update_blocks(step, before, self.model.learning_rate, self.unit)
        return energy_blocks(step, self.pattern, self.unit)

    def _epoch(self, step: RestrictedStep) -> str:
        error = f"the mean squared reconstruction error is {num4(step.reconstruction_error)}"
        if step.phase == "start":
            return f"The start: small random weights; {error}."
        if step.phase == "epoch":
            return f"Epoch {step.epoch} ends: {error}."
        return f"Done after {count(step.epoch, 'epoch', 'epochs')}: {error}."

    def _batch(self, step: RestrictedStep, sampled: Sampled) -> str:
        start = f"Epoch {step.epoch}, first batch:"
        if step.phase == "positive":
            strongest = int(sampled.h_pos.argmax())
            p = num4(sampled.h_pos[strongest])
            return f"{start} its first row activates hidden unit {strongest + 1} most: p = {p}."
        if step.phase == "negative":
            n_different = int((sampled.v_pos != sampled.v_neg).sum())
            cells = count(n_different, "cell differs", "cells differ")
            gibbs_steps = count(self.model.k, "Gibbs step", "Gibbs steps")
            origin = "the data" if self.model.chains == "data" else "its last sample"
            return f"{start} {gibbs_steps} from {origin}; {cells}."
        return f"{start} weights move towards the data and away from the sample."


def hidden_table(parameters: Parameters, v: Floats, title: str) -> LedgerTable:
    """Return the sum of each hidden unit, and the probability that it is on."""
    sums = v @ parameters.components.T + parameters.hidden
    columns = zip(sums, expit(sums), np.logaddexp(0, sums), strict=True)
    rows = [[j, *map(short, numbers)] for j, numbers in enumerate(columns, start=1)]
    head = ("unit", "x = b + w·v", "p(h = 1)", "ln(1 + eˣ)")
    return short_table(head, rows, title, max_rows=MAX_LINES, by="unit")


def sum_formula(parameters: Parameters, v: Floats, unit: int) -> Formula:
    """Write out the sum of a hidden unit over the cells that are on."""
    w, b = parameters.components[unit], parameters.hidden[unit]
    cells = np.flatnonzero(v > 0)
    cells = cells[np.argsort(-np.abs(w[cells]), kind="stable")]
    terms = abridged([signed(w[i], 4) for i in cells], MAX_TERMS) or "0"
    x = float(w @ v + b)
    sum_ = f"x = b + Σ w·v = {num4(b)} + ({terms}) = {num4(x)}"
    return Formula(f"unit {unit + 1}: {sum_}; p = 1/(1 + e^({num4(-x)})) = {num4(expit(x))}")


def positive_blocks(step: RestrictedStep, unit: int) -> Blocks:
    """Write out the hidden units, given the data."""
    assert step.sampled is not None
    v = step.sampled.v_pos
    return [
        sum_formula(step.parameters, v, unit),
        hidden_table(step.parameters, v, "Hidden units, given the data"),
    ]


def negative_blocks(problem: PatternsProblem, step: RestrictedStep, k: int) -> Blocks:
    """List the cells of the data and of the sample."""
    assert step.sampled is not None
    v, v_sample = step.sampled.v_pos, step.sampled.v_neg
    cells = np.flatnonzero(v != v_sample).tolist()
    rows = [[i + 1, problem.cell(i), float(v[i]), int(v_sample[i])] for i in cells]
    title = f"Cells in which the sample differs ({len(cells)})"
    return [
        Formula(f"k = {k}: h drawn by p(h|v), then v′ by p(v|h), {count(k, 'time', 'times')}"),
        short_table(("cell", "where", "v", "v′"), rows, title, max_rows=MAX_LINES, by="cell"),
        hidden_table(step.parameters, v_sample, "Hidden units, given the sample"),
    ]


def update_blocks(step: RestrictedStep, before: RestrictedStep, rate: float, unit: int) -> Blocks:
    """Write out the largest update of a weight of the unit, and the part of the first row."""
    assert step.sampled is not None
    s = step.sampled
    weights_before = before.parameters.components[unit]
    updates = step.parameters.components[unit] - weights_before
    i = int(np.abs(updates).argmax())
    w, update = weights_before[i], updates[i]
    data, model = s.h_pos[unit] * s.v_pos[i], s.h_neg[unit] * s.v_neg[i]
    rows: list[list[str | float]] = [
        ["data", short(s.h_pos[unit]), float(s.v_pos[i]), short(data)],
        ["sample", short(s.h_neg[unit]), float(s.v_neg[i]), short(model)],
    ]
    head = ("", f"p(h{unit + 1})", f"v{i + 1}", "product")
    product = f"{num(rate)} · {signed(update / rate, 4)} = {num4(update)}"
    sum_ = f"{num4(w)} + {signed(update, 4)} = {num4(step.parameters.components[unit, i])}"
    return [
        LedgerTable(head, rows, "The first row of the batch"),
        Formula(f"h·v − h′·v′ = {num4(data)} − {num4(model)} = {num4(data - model)}"),
        Formula(f"Δw = η · mean over the batch = {product}"),
        Formula(f"w between h{unit + 1} and v{i + 1}: {sum_}"),
    ]


def energy_blocks(step: RestrictedStep, v: Floats, unit: int) -> Blocks:
    """Write out the free energy of the pattern that is shown."""
    parameters = step.parameters
    visible = float(parameters.visible @ v)
    hidden = float(np.logaddexp(0, parameters.components @ v + parameters.hidden).sum())
    difference = f"{num4(-visible)} − {num4(hidden)} = {num(-visible - hidden)}"
    blocks: Blocks = [
        Formula(f"F(v) = −a·v − Σ ln(1 + eˣ) = {difference}"),
        sum_formula(parameters, v, unit),
        hidden_table(parameters, v, "Hidden units, given the pattern shown"),
    ]
    if step.phase == "done" and np.isfinite(step.log_likelihood):
        nats = f"mean of −F(v) − ln Z = {num(step.log_likelihood)}"
        blocks.insert(0, Formula(f"log-likelihood of a pattern: {nats}"))
    return blocks
