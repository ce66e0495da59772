"""A Boltzmann machine as a picture: its state, how often states are visited, and its energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.boltzmann.machine import BoltzmannStep
from dmlib.neural.boltzmann.machine_ledger import (
    distribution_blocks,
    draw_formula,
    energy_formula,
    learn_blocks,
    store_blocks,
    sum_blocks,
)
from dmlib.neural.boltzmann.states import MOST_UNITS, all_states, energies, number_of, probabilities
from dmlib.pictures.data.patterns import Sheet, StateGrid
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import path, thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Grids, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.words import count, num4
from dmlib.problem import PatternsProblem

SHOWN = 32  # states of the distribution
MOST_PATTERNS = 15
PATTERN, EXACT = 0, 1  # the classes whose colours a pattern's bar and the exact probability have
PATTERNS = "patterns"


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: PatternsProblem
    model: Any
    steps: tuple[BoltzmannStep, ...]
    at: NDArray[np.intp]
    pairs: list[tuple[BoltzmannStep, BoltzmannStep]]
    unit: int | None  # that is asked about

    @property
    def listed(self) -> bool:
        """Whether the states are so few that their distribution is known."""
        return bool(self.problem.data.shape[1] <= MOST_UNITS)

    @cached_property
    def energy(self) -> Floats:
        """The energy of each state, with the last weights."""
        last = self.steps[-1]
        return energies(2 * all_states(len(last.bias)) - 1, last.weights, last.bias)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The states by their energies, the lowest first."""
        return np.argsort(self.energy, kind="stable")

    @cached_property
    def named(self) -> dict[int, str]:
        """The patterns by the numbers of their states."""
        return {number_of(2 * x - 1): name for x, name in zip(self.problem.data, self.problem.names, strict=True)}

    @cached_property
    def visited(self) -> NDArray[np.intp]:
        """The states at the ends of all sweeps."""
        return np.array([number_of(s.state) for s in self.steps if s.phase == "sweep" and s.state is not None], np.intp)

    def visits(self, step: BoltzmannStep) -> Floats:
        """Return how many sweeps have ended in each state so far."""
        sweeps = step.iteration - (step.phase == "unit") if step.state is not None else 0
        return np.bincount(self.visited[:sweeps], minlength=len(self.energy)).astype(float)


def machine_scene(run: Run) -> Scene:
    """Draw the steps of a Boltzmann machine."""
    steps, problem = run.trace.steps, run.problem
    at = thin(len(steps))
    n = problem.data.shape[1]
    unit = run.selected if run.selected is not None and run.selected < n else None
    picture = Picture(problem, run.model, steps, at, with_before(steps, at), unit)
    grid = StateGrid(problem.height, problem.width)
    states = [np.zeros(n) if step.state is None else (step.state > 0).astype(float) for step, _ in picture.pairs]
    units = [None if step.draw is None else step.draw.unit for step, _ in picture.pairs]
    beside, marks = _distribution(picture) if picture.listed else _overlaps(picture)
    side, curve = _energy(picture)
    notes = [*problem.notes, *thinned_note(at)]
    if picture.listed and 2**n > SHOWN:
        notes.append(f"The {SHOWN} of {2**n} states with the lowest energies are shown.")
    if not picture.listed:
        notes.append(f"The distribution of {n} units cannot be listed: choose patterns of at most {MOST_UNITS} cells.")
    keys = (Key("visited, a pattern", PATTERN), Key("visited, another state"), Key("exact probability", EXACT))
    return Scene(
        (grid.panel(), beside, side),
        [*grid.marks(states, units), *marks, *curve],
        Deferred(lambda pair: _frame(picture, *pair), picture.pairs),
        notes,
        _handles(picture),
        keys if picture.listed else (),
    )


# --- captions ---------------------------------------------------------------------------------------------------------


def _frame(picture: Picture, step: BoltzmannStep, before: BoltzmannStep) -> Frame:
    problem = picture.problem
    ledger: Blocks = []
    if step.phase == "unit" and step.draw is not None:
        ledger = [*sum_blocks(problem, step, step.draw.unit), draw_formula(step)]
    elif step.phase in ("store", "learn"):
        ledger = learn_blocks(step) if step.phase == "learn" else []
        ledger += store_blocks(problem, step, picture.unit or 0)
    else:
        ledger = [energy_formula(step)]
        if picture.listed:
            exact = probabilities(picture.energy, step.temperature)
            ledger += distribution_blocks(
                step, picture.order, picture.energy, exact, picture.visits(step), picture.named
            )
        else:
            ledger += sum_blocks(problem, step, picture.unit or 0)
    if picture.unit is not None and step.state is not None and step.phase != "unit" and picture.listed:
        ledger = [*sum_blocks(problem, step, picture.unit), *ledger]
    return Frame(_caption(picture, step), ledger, step.phase)


def _caption(picture: Picture, step: BoltzmannStep) -> str:
    T, E = num4(step.temperature), num4(step.energy)
    if step.phase == "store":
        n = count(len(picture.problem.data), "pattern is", "patterns are")
        return f"{n} stored by Hebb's rule, as in a Hopfield network."
    if step.phase == "learn":
        gap = num4(step.gap)
        return f"Iteration {step.iteration} of learning: no mean of data and machine differs by more than {gap}."
    if step.phase == "start":
        return f"The start: a random state of energy {E}, at temperature {T}."
    if step.draw is not None:
        unit, p = step.draw.unit, num4(step.draw.probability)
        switched = "on" if step.draw.number < step.draw.probability else "off"
        return f"Unit {unit + 1} ({picture.problem.cell(unit)}) is on with probability {p}: it is {switched} now."
    if step.phase == "sweep":
        return f"Sweep {step.iteration} at temperature {T} ends at the energy {E}."
    mean = num4(step.mean_energy)
    return f"Done after {count(step.iteration, 'sweep', 'sweeps')}: the mean energy was {mean}, the last one is {E}."


# --- the distribution -------------------------------------------------------------------------------------------------


def _distribution(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return how often the states of lowest energy were visited so far, and their exact probabilities now."""
    some = picture.order[:SHOWN]
    n = len(some)
    rank = np.arange(1, n + 1)
    steps = [step for step, _ in picture.pairs]
    shares = Deferred(lambda step: _shares(picture, step)[some], steps)
    exact = Deferred(lambda step: probabilities(picture.energy, step.temperature)[some], steps)
    top = max(float(np.max(shares[-1])), float(np.max(exact[-1])), 1e-9)
    color = [PATTERN if int(i) in picture.named else NO_CLASS for i in some]
    panel = Panel(
        "states",
        Axis("states by energy, the lowest first", 0.3, n + 0.7, integer=True),
        Axis("share of visits, probability", 0.0, 1.08 * top),
        title="Visits against the exact distribution",
    )
    bars = Rects(
        panel="states", x0=rank - 0.4, x1=rank + 0.4, y0=np.zeros(n), y1=PerFrame(shares), color=color,
        opacity=[0.75], of="rank", numbers=rank,
    )  # fmt: skip
    names = [picture.named.get(int(i), "no pattern") for i in some]
    labels = [f"rank {r}, energy {picture.energy[i]:.4g}: {name}" for r, i, name in zip(rank, some, names, strict=True)]
    dots = Points(
        panel="states", x=rank, y=PerFrame(exact), color=np.full(n, EXACT), size=[4.5], labels=labels, of="rank",
        numbers=rank,
    )  # fmt: skip
    place = {int(i): r for r, i in zip(rank, some, strict=True)}
    now = [np.array([]) if s.state is None else np.array([place.get(number_of(s.state), np.nan)]) for s in steps]
    here = Points(
        panel="states", x=PerFrame(now), y=PerFrame([np.full(len(x), 0.03 * top) for x in now]),
        color=PerFrame([np.full(len(x), NO_CLASS) for x in now]), size=[7.0],
        hollow=PerFrame([np.ones(len(x)) for x in now]), of="",
    )  # fmt: skip
    return panel, [bars, dots, here]


def _shares(picture: Picture, step: BoltzmannStep) -> Floats:
    """Return the share of the sweeps so far that ended in each state."""
    visits = picture.visits(step)
    return visits / max(float(visits.sum()), 1.0)


def _overlaps(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return the patterns with their overlaps with the state."""
    problem = picture.problem
    some = problem.patterns[:MOST_PATTERNS]
    sheet = Sheet(len(some), problem.height, problem.width)
    patterns = 2 * problem.data[: len(some)] - 1
    n = patterns.shape[1]
    overlaps = np.array(
        [np.zeros(len(some)) if step.state is None else patterns @ step.state / n for step, _ in picture.pairs]
    )
    title = f"Patterns ({len(some)} of {len(problem.patterns)}); bar: overlap with the state"
    marks = sheet.marks(list(some), problem.names[: len(some)], "patterns")
    return sheet.panel("patterns", title), [*marks, *sheet.bars(overlaps, "patterns")]


def _handles(picture: Picture) -> tuple[Handle, ...]:
    problem = picture.problem
    if picture.listed or not problem.drawn:
        return ()
    sheet = Sheet(len(problem.patterns), problem.height, problem.width)
    corners = [(float(x), float(y)) for x, y in sheet.corners]
    cells = "".join("1" if cell else "0" for cell in problem.patterns.ravel())
    return (
        Grids(
            PATTERNS, "patterns", "Patterns", places=corners, height=problem.height, width=problem.width, cells=cells
        ),
    )


# --- the energy -------------------------------------------------------------------------------------------------------


def _energy(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return the energy at the end of each sweep."""
    ends = [(i, step) for i, step in enumerate(picture.steps) if step.phase in ("start", "sweep")]
    places = np.array([(step.iteration, step.energy) for _, step in ends], float).reshape(-1, 2)
    reached = np.searchsorted([i for i, _ in ends], picture.at, side="right")
    last = max(len(ends) - 1, 1)
    low, high = bounds(places[:, 1], 0.08)
    x = Axis("sweep", -0.02 * last, 1.02 * last, integer=True)
    panel = Panel("energy", x, Axis("energy", low, high), title="Energy by sweep", side=True)
    return panel, list(path(places, reached, panel="energy"))
