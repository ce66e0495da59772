"""Questions about a stack of Boltzmann machines: what the second one learns from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork, DeepBeliefStep
from dmlib.neural.boltzmann.restricted_scene import shown_pattern
from dmlib.neural.boltzmann.tuning import hidden
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4, signed
from dmlib.problem import PatternsProblem

MAX_STEPS = 12  # that are asked about
MAX_TERMS = 6  # of a sum that is worked out


class StackRule(Misconception):
    """Wrong rules of a stack of restricted machines."""

    PIXELS = "The second machine learns from the cells of the patterns, as the first one does."
    BINARY = "The second machine learns which units of the first are on, 0 or 1."
    LINEAR = "The second machine learns from the sums of the first one's units, without a sigmoid."


def stack_questions(run: Run[PatternsProblem, DeepBeliefNetwork]) -> Iterator[Question]:
    """Ask for the weights of the second machine, what it learns from, and sums of its units.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepBeliefNetwork`.
    """
    pattern = shown_pattern(run.problem, run.options)
    second = [
        i
        for i, step in enumerate(run.trace.steps)
        if step.layer == 2 and step.phase in ("start", "pretrain")
    ]
    for i, number in enumerate(second[:MAX_STEPS]):
        step = run.trace.steps[number]
        if step.phase == "start":
            yield _size(number, step)
        else:
            sums = pattern @ step.coefs[0] + step.intercepts[0]
            if i <= len(sums):  # the first machine stays as it is: once of each unit
                yield from _input(number, sums)
            yield from _sum(number, step, sums)


def _size(number: int, step: DeepBeliefStep) -> Question:
    n_cells, n_first = step.coefs[0].shape
    n_second = step.coefs[1].shape[1]
    size = n_first * n_second
    first, second = (count(n, "hidden unit", "hidden units") for n in (n_first, n_second))
    return Question(
        number,
        "size",
        f"The patterns have {n_cells} cells, the first machine has {first}, and the second gets "
        f"{second}: how many weights has the second machine, intercepts not counted?",
        Value(size),
        f"Its visible units are the hidden ones of the first: {n_first} · {n_second} = {size}.",
        (Wrong(StackRule.PIXELS, n_cells * n_second),),
        "What are its visible units?",
    )


def _input(number: int, sums: Floats) -> Iterator[Question]:
    unit = number % len(sums)
    z = float(sums[unit])
    p = 1 / (1 + np.exp(-z))
    if not 0.02 < p < 0.98:
        return
    yield Question(
        number,
        "input of layer 2",
        f"For the pattern shown, unit {unit + 1} of the first machine has the sum {num4(z)}: which "
        "number does the second machine learn from at this unit?",
        Value(p, 0.01),
        f"From the probability that it is on, 1 / (1 + e^({num4(-z)})) = {num4(p)}.",
        (Wrong(StackRule.BINARY, float(z > 0)), Wrong(StackRule.LINEAR, z)),
        "The second machine gets probabilities.",
        about=[unit + 1],
        of="unit",
    )


def _sum(number: int, step: DeepBeliefStep, sums: Floats) -> Iterator[Question]:
    n_first = len(sums)
    if n_first > MAX_TERMS:
        return
    unit = number % step.coefs[1].shape[1]
    weights, b = step.coefs[1][:, unit], float(step.intercepts[1][unit])
    means = hidden(sums[None], [np.eye(n_first)], [np.zeros(n_first)])[-1][0]
    z = float(b + means @ weights)
    terms = "".join(f" + {signed(w, 4)} · {num4(p)}" for w, p in zip(weights, means, strict=True))
    yield Question(
        number,
        "sum of layer 2",
        f"The units of the first machine have the sums {_listed(sums)} and are on with the "
        f"probabilities {_listed(means)}; their weights to unit {unit + n_first + 1} of the second "
        f"are {_listed(weights)}, and b = {num4(b)}: what is its sum z?",
        Value(z, 0.01 * max(1.0, abs(z))),
        f"z = b + Σ w p = {num4(b)}{terms} = {num4(z)}.",
        (
            Wrong(StackRule.BINARY, float(b + weights[sums > 0].sum())),
            Wrong(StackRule.LINEAR, float(b + weights @ sums)),
        ),
        "Its inputs are probabilities.",
        about=[unit + n_first + 1],
        of="unit",
    )


def _listed(values: Floats) -> str:
    return ", ".join(num4(value) for value in values)
