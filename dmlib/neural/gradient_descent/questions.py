"""Questions about gradient descent: where walkers move, and which one is fastest and lowest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.race import DescentStep
from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.data.surface import surface_panel
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed

MAX_STEPS = 12  # that are asked about
MAX_WALKERS = 8  # among which one is picked
CLEAR = 0.01  # fraction by which the best walker must differ from the next


class Rule(Misconception):
    """Wrong rules of gradient descent."""

    UPHILL = "The step goes along the gradient."
    UNIT = "Each step has the length of the learning rate, however steep it is."
    FORGET = "Momentum steps by the present gradient alone."
    COAST = "Momentum keeps the whole velocity."
    LOWEST = "The walker that is lowest stays lowest."
    HIGHEST = "The highest walker makes the longest step."


def questions(run: Run[Any, GradientDescent]) -> Iterator[Question]:
    """Yield the questions that the steps of gradient descent answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.GradientDescent`.

    Yields
    ------
    Question
        Before each of the first steps.

    Examples
    --------
    >>> from dmlib.problem import prepare_surface
    >>> model = GradientDescent("gradient,momentum", init=[4.0, 2.0], learning_rate=0.1)
    >>> asked = list(questions(Run.of(prepare_surface("x^2 + 3*y^2"), model)))
    >>> answer = asked[0].answer
    >>> [question.topic for question in asked][:2], answer.text(answer.right[0])
    (['gradient', 'coordinate'], '(3.2, 0.8)')
    """
    steps = run.trace.steps
    if not steps:
        return
    optimizers = run.model.optimizers(run.problem, steps[0].places[0])
    rates = {name: optimizer.rate for name, optimizer in optimizers.items()}
    for number in range(1, min(len(steps), MAX_STEPS + 1)):
        step, before = steps[number], steps[number - 1]
        if step.moves:
            for i, name in enumerate(run.model.names):
                if name in ("gradient", "momentum"):
                    advance = _advance(run, step, before, i, rates[name] * step.factor)
                    yield from _move(run, number, advance, name)
            yield from _comparisons(run, number, step, before)


@dataclass(frozen=True)
class Advance:
    """One step of one walker.

    Attributes
    ----------
    walker : int
        Its number, from 0.
    place, gradient, velocity : ndarray of shape (2,)
        Its place, and what is known there; its velocity before the step.
    new : ndarray of shape (2,)
        Its place after the step.
    rate : float
        The learning rate.
    is_moving : bool
        Whether it had not stopped before, and stays near the map.
    """

    walker: int
    place: Floats
    gradient: Floats
    velocity: Floats
    new: Floats
    rate: float
    is_moving: bool


def _advance(
    run: Run[Any, GradientDescent], step: DescentStep, before: DescentStep, i: int, rate: float
) -> Advance:
    """Return the step of the last walker of an optimiser: its start is at random, if any is."""
    last = run.model.n_starts - 1
    walker, move = i * run.model.n_starts + last, step.moves[i]
    memory = before.moves[i].memory if before.moves else {}
    x0, x1, y0, y1 = run.problem.domain
    x, y = step.places[walker]
    return Advance(
        walker,
        before.places[walker],
        np.asarray(move.gradient[last], float),
        np.asarray(memory["v"][last] if "v" in memory else np.zeros(2), float),
        step.places[walker],
        rate,
        before.status[walker] == "moving" and x0 <= x <= x1 and y0 <= y <= y1,
    )


def _move(
    run: Run[Any, GradientDescent], number: int, advance: Advance, name: str
) -> Iterator[Question]:
    panel = surface_panel(run.problem)
    is_far = np.abs(advance.new - advance.place) > 0.06 * panel.size
    if not advance.is_moving or not is_far.any():
        return
    place, g, rate = advance.place, advance.gradient, advance.rate
    title, mu = f"{run.model.title(advance.walker)} (#{advance.walker + 1})", run.model.momentum
    has_velocity = name == "momentum" and bool(advance.velocity.any())
    known = f"its gradient is {_pair(g)} and η = {num4(rate)}"
    length = float(np.linalg.norm(g))
    wrong = [
        Wrong(Rule.UPHILL, _point(place + rate * g), "The gradient points uphill."),
        Wrong(Rule.UNIT, _point(place - rate * g / length), "A steeper slope makes a longer step."),
    ]
    if name == "momentum":
        known += f", its velocity is {_pair(advance.velocity)} and μ = {num4(mu)}"
    if has_velocity:
        wrong = [
            Wrong(Rule.FORGET, _point(place - rate * g)),
            Wrong(Rule.COAST, _point(place + advance.velocity - rate * g)),
        ]
    yield Question(
        number,
        name,
        f"{title} is at {_pair(place)}, {known}: where does it move?",
        Place(panel, [_point(advance.new)]),
        _sums(run, advance, mu if has_velocity else None),
        wrong,
        "The step is μ times the velocity, minus η times the gradient."
        if has_velocity
        else "Multiply the gradient by the learning rate, and go downhill.",
        about=[advance.walker + 1],
        of="#",
    )
    if name == "gradient":
        yield from _coordinate(run, number, advance)


def _coordinate(
    run: Run[Any, GradientDescent], number: int, advance: Advance
) -> Iterator[Question]:
    old, g, new, rate = advance.place[1], advance.gradient[1], advance.new[1], advance.rate
    if abs(new - old) < 0.05 * max(abs(new), abs(old)):
        return
    axis = run.problem.axes[1].split()[-1]
    length = float(np.linalg.norm(advance.gradient))
    yield Question(
        number,
        "coordinate",
        f"#{advance.walker + 1} has {axis} = {num4(old)}, its gradient there is "
        f"{_pair(advance.gradient)} and η = {num4(rate)}: what will {axis} be?",
        Value(float(new), 0.01 * float(max(abs(new), abs(new - old)))),
        f"{num4(old)} − {num4(rate)} · {signed(g, 4)} = {num4(new)}.",
        (
            Wrong(Rule.UPHILL, float(old + rate * g), "The gradient points uphill."),
            Wrong(Rule.UNIT, float(old - rate * g / length)),
        ),
        f"Only the {axis} of the gradient counts.",
        about=[advance.walker + 1],
        of="#",
    )


def _sums(run: Run[Any, GradientDescent], advance: Advance, mu: float | None) -> str:
    """Return the arithmetic of both coordinates of a step."""
    sums = []
    for j, axis in enumerate(run.problem.axes):
        kept = "" if mu is None else f" + {num4(mu)} · {signed(advance.velocity[j], 4)}"
        move = f"{num4(advance.place[j])}{kept} − {num4(advance.rate)} · "
        sums.append(f"{axis} = {move}{signed(advance.gradient[j], 4)} = {num4(advance.new[j])}")
    return ", ".join(sums) + "."


# --- all walkers ----------------------------------------------------------------------------------


def _comparisons(
    run: Run[Any, GradientDescent], number: int, step: DescentStep, before: DescentStep
) -> Iterator[Question]:
    n = len(step.values)
    if not 3 <= n <= MAX_WALKERS or not np.isfinite([step.values, before.values]).all():
        return
    names = {i + 1: f"#{i + 1} {run.model.title(i)}" for i in range(n)}
    lengths = np.linalg.norm(step.places - before.places, axis=1)
    if not lengths.any():
        return
    yield from _extreme(
        number,
        "longest step",
        "Which walker makes the longest step?",
        lengths,
        [Wrong(Rule.HIGHEST, [i]) for i in _first(before.values)],
        names,
    )
    yield from _extreme(
        number,
        "lowest",
        "Which walker will be lowest after this step?",
        -step.values,
        [Wrong(Rule.LOWEST, [i]) for i in _first(-before.values)],
        names,
    )


def _extreme(
    number: int, topic: str, prompt: str, values: Floats, wrong: list[Wrong], names: dict[int, str]
) -> Iterator[Question]:
    """Yield the question which walker has the largest value, unless it is a close call."""
    top, size = float(values.max()), float(np.ptp(values))
    best = _first(values)
    others = np.delete(values, np.array(best) - 1)
    if not len(others) or top - float(others.max()) < CLEAR * size:
        return
    is_length = topic == "longest step"
    texts = [f"{num4(abs(v) if is_length else -v)} (#{i + 1})" for i, v in enumerate(values)]
    head = "The lengths of the steps are" if is_length else "The values of f are then"
    yield Question(
        number,
        topic,
        prompt,
        Pick("#", [[i] for i in best], among=list(names), names=names),
        f"{head} {', '.join(texts)}.",
        wrong,
        "A step depends on the slope, the learning rate and, with momentum, on earlier steps.",
        "Walkers at the same place are equal." if len(best) > 1 else "",
    )


def _first(values: Floats) -> list[int]:
    """Return the numbers of the walkers with the largest value."""
    return (np.flatnonzero(np.isclose(values, values.max(), rtol=1e-9, atol=1e-12)) + 1).tolist()


def _pair(values: Floats) -> str:
    return f"({', '.join(num4(value) for value in values)})"


def _point(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])
