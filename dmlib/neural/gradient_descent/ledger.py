"""Captions and ledgers of gradient descent: the step of each optimiser, and the curvature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.optimizers import BY_SLOPE
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer
from dmlib.neural.gradient_descent.race import STATUS, DescentStep, curvatures, stable_rate
from dmlib.neural.gradient_descent.walkers import Walkers
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import SurfaceProblem

MAX_COMPARED = 3  # optimisers whose heights are in a caption


class Narrator:
    """Captions and ledgers of gradient descent.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.GradientDescent`.
    walkers : Walkers
        Its walkers.
    """

    def __init__(self, run: Run[Any, GradientDescent], walkers: Walkers) -> None:
        self.problem, self.tol, self.start = run.problem, run.model.tol, run.trace.steps[0]
        self.walkers, self.titles = walkers, walkers.titles

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step, before = moment.step, moment.before
        blocks = walker_blocks(self.titles, step, self.problem.axes, self.tol)
        for i, name in enumerate(self.walkers.optimizers):
            blocks += self._move(i, name, step, before)
        blocks += curvature_blocks(self.problem, step, self.walkers.optimizers)
        return self._caption(step, before), blocks

    def _move(self, i: int, name: str, step: DescentStep, before: DescentStep) -> Blocks:
        """Return the step of the first walker of an optimiser, if it made one."""
        optimizer, n_starts = self.walkers.optimizers[name], self.walkers.n_starts
        first = i * n_starts
        if not step.moves or before.status[first] != "moving":
            return []
        memory = before.moves[i].memory if before.moves else optimizer.start(n_starts)
        place_and_memory = (before.places[first], memory)
        move, t, factor = step.moves[i], step.iteration, step.factor
        return move_blocks(name, optimizer, move, place_and_memory, t, factor, self.problem.axes)

    def _caption(self, step: DescentStep, before: DescentStep) -> str:
        if step.phase == "start":
            return self._start(step)
        if step.phase == "done":
            return self._done(step)
        batch = ""
        if step.batch is not None:
            batch = f", {len(step.batch)} of {self.problem.n_rows} rows"
        sentence = f"Step {step.iteration}{batch}: {self._heights(step)}."
        return " ".join([sentence, *stops(self.titles, step, before)[:1]])

    def _start(self, step: DescentStep) -> str:
        n = len(self.titles)
        walkers = "one walker stands" if n == 1 else f"{n} walkers stand"
        height, slope = num4(step.values[0]), num4(step.norms[0])
        return f"Start: {walkers} at f = {height}, with a slope of {slope}."

    def _done(self, step: DescentStep) -> str:
        sentence = f"Done after {count(step.iteration, 'step', 'steps')}: {self._heights(step)}."
        ends = stops(self.titles, step, self.start)
        failures = [end for end in ends if "rest" not in end]
        has_failed = any(status not in ("moving", "rest") for status in step.status)
        return " ".join([sentence, *(failures[:1] if has_failed else [])])

    def _heights(self, step: DescentStep) -> str:
        """Return the lowest values of three optimisers; of more, the best and the worst."""
        n = self.walkers.n_starts
        best = {
            optimizer.title: float(step.values[i * n : (i + 1) * n].min())
            for i, optimizer in enumerate(self.walkers.optimizers.values())
        }
        order = sorted(best, key=best.__getitem__)
        if len(order) == 1:
            place = ", ".join(num4(z) for z in step.best_place)
            return f"{order[0]} is at ({place}), f = {num4(best[order[0]])}"
        note = ""
        if len(order) > MAX_COMPARED:
            note = f", the lowest and the highest of {len(order)}"
            order = [order[0], order[-1]]
        return "f = " + ", ".join(f"{num4(best[title])} ({title})" for title in order) + note


def walker_blocks(
    titles: Sequence[str], step: DescentStep, axes: tuple[str, str], tol: float
) -> Blocks:
    """Return the place and the value of each walker, and the slope at the lowest."""
    rows = [
        (i + 1, title.split()[0], *map(short, step.places[i]), short(step.values[i]))
        for i, title in enumerate(titles)
    ]
    head = ("#", "", *(axis.split()[-1] for axis in axes), "f")
    norm = step.norms[step.lowest]
    comparison = f"≤ {num(tol)}, the tolerance: converged"
    if norm > tol:
        comparison = f"> {num(tol)}, the tolerance"
    return [
        numbered_table(head, rows, f"Walkers after step {step.iteration}", [step.lowest], by="#"),
        Formula(f"Slope at the lowest: ‖∇f‖ = {num(norm)} {comparison}"),
    ]


@dataclass(frozen=True)
class Update:
    """The step of a walker in the first variable.

    Attributes
    ----------
    t : int
        The number of the step.
    eta : float
        The rate.
    g, step : float
        The gradient, and the step.
    before, after : dict of str to float
        The memory of the optimiser.
    """

    t: int
    eta: float
    g: float
    step: float
    before: dict[str, float]
    after: dict[str, float]


def move_blocks(
    name: str,
    optimizer: Optimizer,
    move: Move,
    before: tuple[Floats, Memory],
    t: int,
    factor: float,
    axes: Any,
) -> Blocks:
    """Write out the step of an optimiser's first walker, from its place and memory before."""
    place, memory = before
    step = move.step[0]
    if not np.isfinite(step).all():
        where = f"({num(place[0])}, {num(place[1])})"
        return [Formula(f"{optimizer.title}: no curvature to divide by at {where}, so no step.")]
    letters = [axis.split()[-1] for axis in axes]
    new_memory = {key: values[0] for key, values in move.memory.items()}
    columns = [move.gradient[0], *new_memory.values(), step, place + step]
    rows = [(letters[j], *(short(column[j]) for column in columns)) for j in range(2)]
    eta = factor * optimizer.rate
    update = Update(
        t,
        eta,
        float(move.gradient[0, 0]),
        float(step[0]),
        before={key: float(values[0, 0]) for key, values in memory.items()},
        after={key: float(values[0]) for key, values in new_memory.items()},
    )
    head = ("", "g", *new_memory, "Δ", "new")
    return [
        LedgerTable(head, rows, f"{optimizer.title}, η = {num(eta)}"),
        *(Formula(f"{text} = {num(value)}") for text, value in RULES[name](optimizer, update)),
        Formula(f"{letters[0]} ← {num(place[0])} + {signed(step[0])} = {num(place[0] + step[0])}"),
    ]


Lines = list[tuple[str, float]]
"""Formulas with their values."""


def _gradient(optimizer: Any, update: Update) -> Lines:
    return [(f"Δ = −η g = −{num(update.eta)} · {signed(update.g)}", update.step)]


def _momentum(optimizer: Any, update: Update) -> Lines:
    velocity = f"{num(optimizer.momentum)} · {signed(update.before['v'])}"
    gradient = f"{num(update.eta)} · {signed(update.g)}"
    return [(f"Δ = v = μ v − η g = {velocity} − {gradient}", update.step)]


def _adagrad(optimizer: Any, update: Update) -> Lines:
    s = update.after["s"]
    return [
        (f"s = s + g² = {num(update.before['s'])} + {signed(update.g)}²", s),
        (f"Δ = −η g / √s = −{num(update.eta)} · {signed(update.g)} / {num(s**0.5)}", update.step),
    ]


def _rmsprop(optimizer: Any, update: Update) -> Lines:
    s = update.after["s"]
    mean = _running_mean(optimizer.rho, num(update.before["s"]), f"{signed(update.g)}²")
    return [
        (f"s = ρ s + (1 − ρ) g² = {mean}", s),
        (f"Δ = −η g / √s = −{num(update.eta)} · {signed(update.g)} / {num(s**0.5)}", update.step),
    ]


def _adam(optimizer: Any, update: Update) -> Lines:
    t, m, s = update.t, update.after["m"], update.after["s"]
    m_correction, s_correction = 1 - optimizer.beta_1**t, 1 - optimizer.beta_2**t
    mean, square = m / m_correction, s / s_correction
    m_sum = _running_mean(optimizer.beta_1, signed(update.before["m"]), signed(update.g))
    s_sum = _running_mean(optimizer.beta_2, num(update.before["s"]), f"{signed(update.g)}²")
    step = f"−{num(update.eta)} · {signed(mean)} / {num(square**0.5)}"
    return [
        (f"m = β₁ m + (1 − β₁) g = {m_sum}", m),
        (f"s = β₂ s + (1 − β₂) g² = {s_sum}", s),
        (f"m̂ = m / (1 − β₁^{t}) = {num(m)} / {num(m_correction)}", mean),
        (f"ŝ = s / (1 − β₂^{t}) = {num(s)} / {num(s_correction)}", square),
        (f"Δ = −η m̂ / √ŝ = {step}", update.step),
    ]


def _newton(optimizer: Any, update: Update) -> Lines:
    rule = f"Δ = −η H⁻¹ g with H = (H₁, H₂), η = {num(update.eta)}"
    return [(f"{rule}: its first part", update.step)]


def _coordinate(optimizer: Any, update: Update) -> Lines:
    if update.t % 2 == 0:
        return [("Δ of the first variable, which is held", update.step)]
    curvature = num(abs(update.after["H"]))
    rule = f"−{num(update.eta)} · {signed(update.g)} / {curvature}"
    return [(f"Δ = −η g / |H|, along this variable alone = {rule}", update.step)]


def _running_mean(decay: float, mean: str, new: str) -> str:
    return f"{num(decay)} · {mean} + {num(1 - decay)} · {new}"


RULES: dict[str, Callable[[Any, Update], Lines]] = {
    "gradient": _gradient,
    "momentum": _momentum,
    "nesterov": _momentum,
    "adagrad": _adagrad,
    "rmsprop": _rmsprop,
    "adam": _adam,
    "newton": _newton,
    "coordinate": _coordinate,
}


def curvature_blocks(
    problem: SurfaceProblem, step: DescentStep, optimizers: dict[str, Optimizer]
) -> Blocks:
    """Return the largest stable rates at the lowest walker, beside those that are used."""
    curvature = curvatures(problem, step.best_place)
    if not curvature[0] > 0:
        reason = "no curvature is positive: there is no minimum to overshoot"
        return [Formula(f"At the lowest walker {reason}.")]
    large, small = map(num, curvature)
    rate = f"2/λ = 2/{large} = {num(stable_rate(curvature))}"
    blocks: Blocks = [
        Formula(f"Curvatures at the lowest walker: λ = {large} and {small}"),
        Formula(f"Largest stable rate of gradient descent: {rate}"),
    ]
    rows = []
    for name, optimizer in optimizers.items():
        if name in BY_SLOPE:
            eta, limit = optimizer.rate * step.factor, optimizer.limit(float(curvature[0]))
            verdict = "stable" if eta < limit else "too large"
            rows.append((optimizer.title, short(eta), short(limit), verdict))
    if rows:
        blocks.append(LedgerTable(("optimiser", "η", "largest stable η", ""), rows, "Rates there"))
    return blocks


def stops(titles: Sequence[str], step: DescentStep, before: DescentStep) -> list[str]:
    """Return a sentence for each walker that has stopped since a step before."""
    return [
        f"{title} {STATUS[status]}."
        for title, status, status_before in zip(titles, step.status, before.status, strict=True)
        if status != status_before
    ]
