"""The arithmetic of a step of every optimiser, and how it compares with the curvature."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers import BY_SLOPE
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer
from dmlib.neural.gradient_descent.race import STATUS, DescentStep, curvatures, stable_rate
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.words import num, short, signed
from dmlib.problem import SurfaceProblem


def walker_blocks(titles: Sequence[str], step: DescentStep, axes: tuple[str, str], tol: float) -> Blocks:
    """Return a line for each walker: where it is, and how high; and how steep it is at the lowest."""
    rows = [
        (i + 1, title.split()[0], *map(short, step.places[i]), short(step.values[i])) for i, title in enumerate(titles)
    ]
    head = ("#", "", *(axis.split()[-1] for axis in axes), "f")
    norm = step.norms[step.lowest]
    compared = f"> {num(tol)}, the tolerance" if norm > tol else f"≤ {num(tol)}, the tolerance: converged"
    return [
        numbered_table(head, rows, f"Walkers after step {step.iteration}", [step.lowest], by="#"),
        Formula(f"Slope at the lowest: ‖∇f‖ = {num(norm)} {compared}"),
    ]


def move_blocks(
    name: str, optimizer: Optimizer, move: Move, before: tuple[Floats, Memory], t: int, factor: float, axes: Any
) -> Blocks:
    """Return how an optimiser made the step of its first walker: both variables, and the first with numbers put in."""
    place, memory = before
    letters = [axis.split()[-1] for axis in axes]
    kept = {key: values[0] for key, values in move.memory.items()}
    step = move.step[0]
    if not np.isfinite(step).all():
        return [Formula(f"{optimizer.title}: H has no inverse at ({num(place[0])}, {num(place[1])}), so no step.")]
    head = ("", "g", *kept, "Δ", "new")
    rows = [
        (letters[j], float(move.gradient[0, j]), *(float(values[j]) for values in kept.values()), float(step[j]),
         float(place[j] + step[j]))
        for j in range(2)
    ]  # fmt: skip
    eta = factor * optimizer.rate
    table = LedgerTable(head, rows, f"{optimizer.title}, η = {num(eta)}")
    old = {key: float(values[0, 0]) for key, values in memory.items()}
    new = {key: float(values[0]) for key, values in kept.items()}
    rule = RULES[name](optimizer, eta, float(move.gradient[0, 0]), old, new, t)
    total = f"{letters[0]} ← {num(place[0])} + {signed(step[0])} = {num(place[0] + step[0])}"
    return [table, *(Formula(f"{line} = {num(value)}") for line, value in rule(float(step[0]))), Formula(total)]


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
        (f"s = ρ s + (1 − ρ) g² = {num(rho)} · {num(old['s'])} + {num(1 - rho)} · {signed(g)}²", new["s"]),
        (f"Δ = −η g / √s = −{num(eta)} · {signed(g)} / {num(new['s'] ** 0.5)}", step),
    ]


def _adam(optimizer: Any, eta: float, g: float, old: Any, new: Any, t: int) -> Lines:
    b1, b2 = optimizer.beta_1, optimizer.beta_2
    mean, square = new["m"] / (1 - b1**t), new["s"] / (1 - b2**t)
    return lambda step: [
        (f"m = β₁ m + (1 − β₁) g = {num(b1)} · {signed(old['m'])} + {num(1 - b1)} · {signed(g)}", new["m"]),
        (f"s = β₂ s + (1 − β₂) g² = {num(b2)} · {num(old['s'])} + {num(1 - b2)} · {signed(g)}²", new["s"]),
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


def curvature_blocks(problem: SurfaceProblem, step: DescentStep, optimizers: dict[str, Optimizer]) -> Blocks:
    """Return the largest stable rates at the lowest walker, beside those that are used."""
    curvature = curvatures(problem, step.best_place)
    if not curvature[0] > 0:
        return [Formula("At the lowest walker no curvature is positive: there is no minimum to overshoot.")]
    lines: Blocks = [
        Formula(f"Curvatures at the lowest walker: λ = {num(curvature[0])} and {num(curvature[1])}"),
        Formula(
            f"Largest stable rate of gradient descent: 2/λ = 2/{num(curvature[0])} = {num(stable_rate(curvature))}"
        ),
    ]
    rows = []
    for name in (name for name in optimizers if name in BY_SLOPE):
        rate, limit = optimizers[name].rate * step.factor, optimizers[name].limit(float(curvature[0]))
        rows.append((optimizers[name].title, short(rate), short(limit), "stable" if rate < limit else "too large"))
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
