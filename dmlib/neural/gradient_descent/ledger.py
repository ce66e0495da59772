"""Gradient descent in words and numbers: the step of each optimiser, and how it compares with the curvature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
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

    def __init__(self, run: Run, walkers: Walkers) -> None:
        self.problem, self.tol, self.start = run.problem, run.model.tol, run.trace.steps[0]
        self.walkers, self.titles = walkers, walkers.titles

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step, before = now.step, now.before
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
        """Return the heights of the best walkers of up to three optimisers; of more, the lowest and the highest."""
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
    """Return a line for each walker: where it is, and how high; and how steep it is at the lowest."""
    rows = [
        (i + 1, title.split()[0], *map(short, step.places[i]), short(step.values[i]))
        for i, title in enumerate(titles)
    ]
    head = ("#", "", *(axis.split()[-1] for axis in axes), "f")
    norm = step.norms[step.lowest]
    compared = (
        f"> {num(tol)}, the tolerance" if norm > tol else f"≤ {num(tol)}, the tolerance: converged"
    )
    return [
        numbered_table(head, rows, f"Walkers after step {step.iteration}", [step.lowest], by="#"),
        Formula(f"Slope at the lowest: ‖∇f‖ = {num(norm)} {compared}"),
    ]


def move_blocks(
    name: str,
    optimizer: Optimizer,
    move: Move,
    before: tuple[Floats, Memory],
    t: int,
    factor: float,
    axes: Any,
) -> Blocks:
    """Return how an optimiser made the step of its first walker: both variables, and the first with numbers put in."""
    place, memory = before
    letters = [axis.split()[-1] for axis in axes]
    memory_after = {key: values[0] for key, values in move.memory.items()}
    step = move.step[0]
    if not np.isfinite(step).all():
        return [
            Formula(
                f"{optimizer.title}: H has no inverse at ({num(place[0])}, {num(place[1])}), so no"
                " step."
            )
        ]
    head = ("", "g", *memory_after, "Δ", "new")
    columns = [move.gradient[0], *memory_after.values(), step, place + step]
    rows = [(letters[j], *(float(column[j]) for column in columns)) for j in range(2)]
    eta = factor * optimizer.rate
    table = LedgerTable(head, rows, f"{optimizer.title}, η = {num(eta)}")
    old = {key: float(values[0, 0]) for key, values in memory.items()}
    new = {key: float(values[0]) for key, values in memory_after.items()}
    rule = RULES[name](optimizer, eta, float(move.gradient[0, 0]), old, new, t)
    total = f"{letters[0]} ← {num(place[0])} + {signed(step[0])} = {num(place[0] + step[0])}"
    return [
        table,
        *(Formula(f"{line} = {num(value)}") for line, value in rule(float(step[0]))),
        Formula(total),
    ]


Lines = Callable[[float], list[tuple[str, float]]]


def _gradient(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    return lambda step: [(f"Δ = −η g = −{num(eta)} · {signed(g)}", step)]


def _momentum(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    part = f"{num(optimizer.momentum)} · {signed(old['v'])} − {num(eta)} · {signed(g)}"
    return lambda step: [(f"Δ = v = μ v − η g = {part}", step)]


def _adagrad(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    return lambda step: [
        (f"s = s + g² = {num(old['s'])} + {signed(g)}²", new["s"]),
        (f"Δ = −η g / √s = −{num(eta)} · {signed(g)} / {num(new['s'] ** 0.5)}", step),
    ]


def _rmsprop(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    rho = optimizer.rho
    return lambda step: [
        (
            f"s = ρ s + (1 − ρ) g² = {num(rho)} · {num(old['s'])} + {num(1 - rho)} · {signed(g)}²",
            new["s"],
        ),
        (f"Δ = −η g / √s = −{num(eta)} · {signed(g)} / {num(new['s'] ** 0.5)}", step),
    ]


def _adam(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    b1, b2 = optimizer.beta_1, optimizer.beta_2
    mean, square = new["m"] / (1 - b1**t), new["s"] / (1 - b2**t)
    return lambda step: [
        (
            f"m = β₁ m + (1 − β₁) g = {num(b1)} · {signed(old['m'])} + {num(1 - b1)} · {signed(g)}",
            new["m"],
        ),
        (
            f"s = β₂ s + (1 − β₂) g² = {num(b2)} · {num(old['s'])} + {num(1 - b2)} · {signed(g)}²",
            new["s"],
        ),
        (f"m̂ = m / (1 − β₁^{t}) = {num(new['m'])} / {num(1 - b1**t)}", mean),
        (f"ŝ = s / (1 − β₂^{t}) = {num(new['s'])} / {num(1 - b2**t)}", square),
        (f"Δ = −η m̂ / √ŝ = −{num(eta)} · {signed(mean)} / {num(square**0.5)}", step),
    ]


def _newton(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    return lambda step: [(f"Δ = −η H⁻¹ g with H = (H₁, H₂), η = {num(eta)}: its first part", step)]


RULES: dict[str, Callable[[Any, float, float, Any, Any, int], Lines]] = {
    "gradient": _gradient,
    "momentum": _momentum,
    "nesterov": _momentum,
    "adagrad": _adagrad,
    "rmsprop": _rmsprop,
    "adam": _adam,
    "newton": _newton,
}


def curvature_blocks(
    problem: SurfaceProblem, step: DescentStep, optimizers: dict[str, Optimizer]
) -> Blocks:
    """Return the largest stable rates at the lowest walker, beside those that are used."""
    curvature = curvatures(problem, step.best_place)
    if not curvature[0] > 0:
        return [
            Formula(
                "At the lowest walker no curvature is positive: there is no minimum to overshoot."
            )
        ]
    lines: Blocks = [
        Formula(
            f"Curvatures at the lowest walker: λ = {num(curvature[0])} and {num(curvature[1])}"
        ),
        Formula(
            f"Largest stable rate of gradient descent: 2/λ = 2/{num(curvature[0])} ="
            f" {num(stable_rate(curvature))}"
        ),
    ]
    rows = []
    for name in (name for name in optimizers if name in BY_SLOPE):
        rate, limit = (
            optimizers[name].rate * step.factor,
            optimizers[name].limit(float(curvature[0])),
        )
        rows.append(
            (
                optimizers[name].title,
                short(rate),
                short(limit),
                "stable" if rate < limit else "too large",
            )
        )
    if rows:
        lines.append(LedgerTable(("optimiser", "η", "largest stable η", ""), rows, "Rates there"))
    return lines


def stops(titles: Sequence[str], step: DescentStep, before: DescentStep) -> list[str]:
    """Return a sentence for each walker that has stopped in this step."""
    return [
        f"{titles[i]} {STATUS[now]}."
        for i, (now, then) in enumerate(zip(step.status, before.status, strict=True))
        if now != then
    ]
