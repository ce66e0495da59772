"""Questions about Boltzmann machines: sums and probabilities of units, and changes of weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork
from dmlib.neural.boltzmann.deep_belief_questions import StackRule, stack_questions
from dmlib.neural.boltzmann.learning_questions import LearningRule, learning_questions
from dmlib.neural.boltzmann.machine import BoltzmannMachine, BoltzmannStep
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine, RestrictedStep
from dmlib.neural.boltzmann.restricted_scene import shown_pattern
from dmlib.neural.boltzmann.tuning import hidden
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import PatternsProblem

MAX_STEPS = 24  # that are asked about
MAX_TERMS = 6  # of a sum that is worked out
MAX_CELLS = 64  # among which some are picked


class Rule(Misconception):
    """Wrong rules of Boltzmann machines."""

    OFF = "A visible unit that is off subtracts its weight."
    THRESHOLD = "A unit is on for certain where its sum is positive."
    DATA = "Weights are changed by the data alone."
    REVERSED = "Weights are moved towards the sample, away from the data."
    ALL = "The intercept of each cell that differs falls."


RULES = (*Rule, *LearningRule, *StackRule)
"""All wrong rules of the page."""


def questions(run: Run[PatternsProblem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a Boltzmann machine answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.RestrictedBoltzmannMachine`,
        :class:`dmlib.neural.BoltzmannMachine` or :class:`dmlib.neural.DeepBeliefNetwork`.

    Yields
    ------
    Question
        Before both phases of a batch and its update; before each decision of a unit; before
        iterations of learning, and before epochs of a stack.

    Examples
    --------
    >>> from dmlib.problem import prepare_patterns
    >>> problem = prepare_patterns([[[1, 1, 0, 0]], [[0, 0, 1, 1]]])
    >>> model = RestrictedBoltzmannMachine(2, init="glorot", n_iter=1, batch_size=1, random_state=3)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['sum', 'probability', 'weight', 'intercepts']
    """
    steps = run.trace.steps
    if isinstance(run.model, DeepBeliefNetwork):
        yield from _activations(run)
        yield from stack_questions(run)
        return
    if isinstance(run.model, BoltzmannMachine):
        yield from learning_questions(run)
        units = [number for number, step in enumerate(steps) if step.phase == "unit"]
        for number in units[:MAX_STEPS]:
            yield from _decision(number, steps[number], steps[number - 1])
        return
    for number in range(1, min(len(steps), MAX_STEPS + 1)):
        step = steps[number]
        if step.sampled is not None and step.phase == "positive":
            yield from _positive(number, step)
        elif step.sampled is not None and step.phase == "update":
            yield from _update(run.model, number, step, steps[number - 1])


# --- a stack of machines --------------------------------------------------------------------------


def _activations(run: Run[PatternsProblem, DeepBeliefNetwork]) -> Iterator[Question]:
    """Ask for the probability of a unit of each layer, of the pattern shown."""
    pattern = shown_pattern(run.problem, run.options)
    sizes = (run.model.n_components, run.model.n_second)
    learning = [i for i, step in enumerate(run.trace.steps) if step.phase == "pretrain"]
    for number in learning[:MAX_STEPS]:
        step = run.trace.steps[number]
        v = hidden(pattern, step.coefs[:-1], step.intercepts[:-1])[-1]
        sums = v @ step.coefs[-1] + step.intercepts[-1]
        unit = number % len(sums)
        yield from _probability(number, unit + sum(sizes[: step.layer - 1]), sums[unit], 1.0)


# --- the restricted machine -----------------------------------------------------------------------


def _positive(number: int, step: RestrictedStep) -> Iterator[Question]:
    assert step.sampled is not None
    v, parameters = step.sampled.v_pos, step.parameters
    sums = parameters.components @ v + parameters.hidden
    unit = number % len(sums)
    on = np.flatnonzero(v > 0.5)
    z, b = float(sums[unit]), float(parameters.hidden[unit])
    weights = parameters.components[unit]
    if len(on) <= MAX_TERMS and np.isin(v, (0.0, 1.0)).all():
        off = float(b + weights @ (2 * v - 1))
        listing = ", ".join(num4(w) for w in weights[on]) or "none"
        terms = "".join(f" + {signed(w, 4)}" for w in weights[on])
        rest = num4(weights[v < 0.5].sum())
        yield Question(
            number,
            "sum",
            f"The next row has {len(on)} cells on, whose weights to hidden unit {unit + 1} are "
            f"{listing}; those of all cells that are off add up to {rest}, and b = {num4(b)}: "
            "what is its sum z?",
            Value(z, 0.01 * max(1.0, abs(z))),
            f"z = b + Σ w v = {num4(b)}{terms} = {num4(z)}: a cell that is off is 0.",
            (Wrong(Rule.OFF, off),),
            "Visible units are 0 or 1.",
            about=[unit + 1],
            of="unit",
        )
    yield from _probability(number, unit, z, 1.0)


def _probability(number: int, unit: int, z: float, factor: float) -> Iterator[Question]:
    p = float(expit(factor * z))
    if not 0.02 < p < 0.98:
        return
    known = f"the sum {num4(z)}"
    if factor != 1:
        known = f"the sum h = {num4(z)}, at the temperature T = {num4(2 / factor)}"
    yield Question(
        number,
        "probability",
        f"Unit {unit + 1} has {known}: with which probability is it on?",
        Value(p, 0.01),
        f"p = 1 / (1 + e^({num4(-factor * z)})) = {num4(p)}.",
        (Wrong(Rule.THRESHOLD, float(z > 0), "Units are stochastic."),),
        "The sum goes through the sigmoid.",
        about=[unit + 1],
        of="unit",
    )


def _update(
    model: RestrictedBoltzmannMachine, number: int, step: RestrictedStep, before: RestrictedStep
) -> Iterator[Question]:
    sampled = step.sampled
    assert sampled is not None
    rate = model.learning_rate
    by_visible = rate * (sampled.v_pos - sampled.v_neg)
    change = step.parameters.visible - before.parameters.visible
    # A batch of several rows changes the weights by their mean, and only its first is known.
    if not np.allclose(change, by_visible, rtol=1e-9, atol=1e-12):
        return
    yield from _weight(number, step, rate)
    if len(change) <= MAX_CELLS:
        yield from _intercepts(number, sampled.v_pos, sampled.v_neg)


def _weight(number: int, step: RestrictedStep, rate: float) -> Iterator[Question]:
    sampled = step.sampled
    assert sampled is not None
    unit = number % len(sampled.h_pos)
    data, sample = (
        h[unit] * v for h, v in ((sampled.h_pos, sampled.v_pos), (sampled.h_neg, sampled.v_neg))
    )
    is_both = (sampled.v_pos > 0.5) & (sampled.v_neg > 0.5)
    scores = np.abs(data - sample) + 10 * is_both
    cell = int(scores.argmax())
    plus, minus = (float(h[unit]) for h in (sampled.h_pos, sampled.h_neg))
    v, s = float(sampled.v_pos[cell]), float(sampled.v_neg[cell])
    right = rate * (plus * v - minus * s)
    yield Question(
        number,
        "weight",
        f"Cell {cell + 1} is {num4(v)} in the data and {num4(s)} in the sample; hidden unit "
        f"{unit + 1} is on with p = {num4(plus)} given the data, {num4(minus)} given the sample; "
        f"η = {num4(rate)}: by how much does their weight change?",
        Value(right, 0.01 * rate),
        f"η (p v of the data − p v of the sample) = {num4(rate)} · ({num4(plus)} · {num4(v)} − "
        f"{num4(minus)} · {num4(s)}) = {num4(right)}.",
        (
            Wrong(Rule.DATA, rate * plus * v, "The sample is unlearned."),
            Wrong(Rule.REVERSED, -right),
        ),
        "What the data do is learned, what the machine does by itself is unlearned.",
        about=[cell + 1],
        of="cell",
    )


def _intercepts(number: int, data: Floats, sample: Floats) -> Iterator[Question]:
    falls, differs = (
        (np.flatnonzero(is_so) + 1).tolist() for is_so in (sample > data, sample != data)
    )
    reversed_ = (np.flatnonzero(data > sample) + 1).tolist()
    yield Question(
        number,
        "intercepts",
        "Of which cells do the visible intercepts fall in this update?",
        Pick("cell", [falls], among=range(1, len(data) + 1), several=True),
        "Of those that are on in the sample and off in the data: a ← a + η (v of the data − v of "
        "the sample).",
        (Wrong(Rule.ALL, differs), Wrong(Rule.REVERSED, reversed_)),
        "Compare data and sample cell by cell: the data are made more probable.",
    )


# --- the machine with a temperature ---------------------------------------------------------------


def _decision(number: int, step: BoltzmannStep, before: BoltzmannStep) -> Iterator[Question]:
    if step.draw is None or number < 1 or before.state is None or step.state is None:
        return
    unit, h = step.draw.unit, float(step.draw.net)
    yield from _probability(number, unit, h, 2 / step.temperature)
    change = step.energy - before.energy
    if step.state[unit] == before.state[unit] or not abs(change) > 1e-9:
        return
    turn = "on to off" if step.state[unit] < 0 else "off to on"
    energy = round(float(step.energy), 12) + 0.0
    yield Question(
        number,
        "energy",
        f"The energy is {num4(before.energy)}, and unit {unit + 1} with the sum h = {num4(h)} goes "
        f"from {turn}: what will the energy be?",
        Value(energy, 0.02 * abs(change)),
        f"E changes by −h times the change of the unit, ±2: {num4(before.energy)} "
        f"{'−' if change < 0 else '+'} 2 · {num4(abs(h))} = {num4(energy)}.",
        hint="Its part of the energy is −h s, with s = 1 or −1.",
        about=[unit + 1],
        of="unit",
    )
