"""Questions about the learning of a Boltzmann machine: means of the data, changes of weights."""

from __future__ import annotations

from collections.abc import Iterator

from dmlib.neural.boltzmann.likelihood import clamped_means
from dmlib.neural.boltzmann.machine import BoltzmannMachine, BoltzmannStep
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import PatternsProblem

MAX_STEPS = 12  # that are asked about
CLEAR = 0.02  # by which means must differ


class LearningRule(Misconception):
    """Wrong rules of the learning of a Boltzmann machine."""

    FREE = "The weight of a hidden unit is learned from the free machine alone."
    ATTRACTED = "Weights are moved towards the means of the free machine, away from the data."
    ZERO = "A unit that is off counts as 0 in a mean."


def learning_questions(run: Run[PatternsProblem, BoltzmannMachine]) -> Iterator[Question]:
    """Ask for the mean product of a visible and a hidden unit, and for changes of weights.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.BoltzmannMachine`.
    """
    steps = run.trace.steps
    learning = [i for i, step in enumerate(steps) if i > 0 and step.phase == "learn"]
    for number in learning[:MAX_STEPS]:
        yield from _clamped_product(run.problem, number, steps[number - 1])
        yield from _change(run, number, steps[number])


def _clamped_product(
    problem: PatternsProblem, number: int, before: BoltzmannStep
) -> Iterator[Question]:
    """Ask for the mean product of two units while the visible ones are clamped to a pattern."""
    n_rows, n_visible = problem.data.shape
    n_hidden = len(before.bias) - n_visible
    if not n_hidden:
        return
    row, visible, hidden = number % n_rows, number % n_visible, n_visible + number % n_hidden
    pattern = 2 * problem.data[[row]] - 1
    means, _ = clamped_means(pattern, before.weights, before.bias)
    s, mean = float(pattern[0, visible]), float(means[hidden])
    p = (1 + mean) / 2
    if not 0.05 < p < 0.95:
        return
    on = "on" if s > 0 else "off"
    yield Question(
        number,
        "mean of the data",
        f"Clamped to pattern {problem.names[row]}, unit {visible + 1} is {on}, and hidden unit "
        f"{hidden + 1} is on with the probability {num4(p)}: what is the mean of their product?",
        Value(s * mean, 0.01),
        f"s = {num4(s)}, and the mean of the hidden unit is {num4(p)} − {num4(1 - p)} = "
        f"{num4(mean)}: the product is {num4(s * mean)}.",
        (Wrong(LearningRule.ZERO, p if s > 0 else 0.0, "Units are −1 or 1."),),
        "The hidden unit is 1 or −1, with these two probabilities.",
        about=[visible + 1, hidden + 1],
        of="unit",
    )


def _change(
    run: Run[PatternsProblem, BoltzmannMachine], number: int, step: BoltzmannStep
) -> Iterator[Question]:
    """Ask for the change of the weight between the two units whose means differ most."""
    pair, rate = step.pair, run.model.learning_rate
    if pair is None or abs(pair.data - pair.machine) < CLEAR:
        return
    i, j = (unit + 1 for unit in pair.units)
    change = rate * (pair.data - pair.machine)
    wrong = [Wrong(LearningRule.ATTRACTED, -change)]
    if j > run.problem.data.shape[1]:
        clamped = "In the means of the data, hidden units follow the pattern."
        wrong.insert(0, Wrong(LearningRule.FREE, -rate * pair.machine, clamped))
    yield Question(
        number,
        "weight of a pair",
        f"The mean product of units {i} and {j} is {num4(pair.data)} in the data and "
        f"{num4(pair.machine)} in the machine; η = {num4(rate)}: by how much does their weight "
        "change?",
        Value(change, 0.01 * rate),
        f"η (data − machine) = {num4(rate)} · ({num4(pair.data)} − {signed(pair.machine, 4)}) = "
        f"{num4(change)}.",
        wrong,
        "What the data do is learned, what the free machine does is unlearned.",
        about=[i, j],
        of="unit",
    )
