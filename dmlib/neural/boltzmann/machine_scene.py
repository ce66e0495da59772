"""A Boltzmann machine as a picture: its state, how often states are visited, and its energy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.machine import BoltzmannMachine, BoltzmannStep
from dmlib.neural.boltzmann.machine_ledger import Narrator
from dmlib.neural.boltzmann.states import MAX_UNITS, StateList, number_of, probabilities
from dmlib.neural.curve_scene import curve_plot
from dmlib.pictures.data.patterns import Sheet, StateGrid, cell_bits
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Grids, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, story
from dmlib.problem import PatternsProblem

MAX_STATES = 32  # of the distribution
MAX_PATTERNS = 15
PATTERN, EXACT = 0, 1  # the classes whose colours a pattern's bar and the exact probability have
PATTERNS = "patterns"
LEGEND = (
    Key("visited, a pattern", PATTERN),
    Key("visited, another state"),
    Key("exact probability", EXACT),
)


def machine_scene(run: Run[PatternsProblem, BoltzmannMachine]) -> Scene:
    """Draw the steps of a Boltzmann machine."""
    problem, steps = run.problem, run.trace.steps
    states = _states(problem, steps)
    grid = StateGrid(problem.height, problem.width)
    plot = _overlap_plot(problem) if states is None else _distribution_plot(states, steps)
    energies = _energy_plot(steps)
    narrator = Narrator(run, states)

    def draw(moment: Moment) -> Drawing:
        step: BoltzmannStep = moment.step
        state = np.zeros(grid.height * grid.width) if step.state is None else step.state > 0
        unit = None if step.draw is None else step.draw.unit
        marks = (*grid.marks(state, unit), *plot.marks(moment), *energies.marks(moment))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(grid.panel(), plot.panel, energies.panel),
        fold=Fold.count_of("start", "sweep"),
        # The first sweep is shown unit by unit, however many follow.
        also=[i for i, step in enumerate(steps) if step.phase in ("start", "unit")],
        legend=() if states is None else LEGEND,
        handles=_handles(problem) if states is None else (),
        notes=_state_note(problem),
    )


def _states(problem: PatternsProblem, steps: Sequence[BoltzmannStep]) -> StateList | None:
    """Return all states; None where they are too many to be listed."""
    if problem.data.shape[1] > MAX_UNITS:
        return None
    pairs = zip(problem.data, problem.names, strict=True)
    patterns = {number_of(2 * x - 1): name for x, name in pairs}
    ends = [step.state for step in steps if step.phase == "sweep" and step.state is not None]
    return StateList.of(steps[-1].weights, steps[-1].bias, patterns, ends)


def _state_note(problem: PatternsProblem) -> tuple[str, ...]:
    n = problem.data.shape[1]
    if n > MAX_UNITS:
        limit = f"choose patterns of at most {MAX_UNITS} cells"
        return (f"The distribution of {n} units cannot be listed: {limit}.",)
    if 2**n > MAX_STATES:
        return (f"The {MAX_STATES} of {2**n} states with the lowest energies are shown.",)
    return ()


def _distribution_plot(states: StateList, steps: Sequence[BoltzmannStep]) -> Plot:
    """Return the visits to the states of lowest energy so far, and their probabilities."""
    numbers = states.order[:MAX_STATES]
    n, last = len(numbers), steps[-1]
    shares = states.visit_shares(len(states.visited))[numbers]
    exact = probabilities(states.energy, last.temperature)[numbers]
    top = max(float(shares.max()), float(exact.max()), 1e-9)
    panel = Panel(
        "states",
        Axis("states by energy, the lowest first", 0.3, n + 0.7, integer=True),
        Axis("share of visits, probability", 0.0, 1.08 * top),
        title="Visits against the exact distribution",
    )

    def marks(moment: Moment) -> list[Mark]:
        step: BoltzmannStep = moment.step
        return [
            _visit_bars(states, numbers, max(moment.so_far - 1, 0)),
            _probability_points(states, numbers, step.temperature),
            _state_ring(numbers, step, 0.03 * top),
        ]

    return Plot(panel, marks)


def _visit_bars(states: StateList, numbers: NDArray[np.intp], n_sweeps: int) -> Rects:
    """Return the share of the sweeps so far that ended in each state."""
    rank = np.arange(1, len(numbers) + 1)
    return Rects(
        panel="states",
        x0=rank - 0.4,
        x1=rank + 0.4,
        y0=np.zeros(len(rank)),
        y1=states.visit_shares(n_sweeps)[numbers],
        color=[PATTERN if int(i) in states.patterns else NO_CLASS for i in numbers],
        opacity=[0.75],
        of="rank",
        numbers=rank,
    )


def _probability_points(states: StateList, numbers: NDArray[np.intp], temperature: float) -> Points:
    """Return the exact probability of each state."""
    rank = np.arange(1, len(numbers) + 1)
    labels = [
        f"rank {r}, energy {states.energy[i]:.4g}: {states.patterns.get(int(i), 'no pattern')}"
        for r, i in zip(rank, numbers, strict=True)
    ]
    return Points(
        panel="states",
        x=rank,
        y=probabilities(states.energy, temperature)[numbers],
        color=np.full(len(rank), EXACT),
        size=[4.5],
        labels=labels,
        of="rank",
        numbers=rank,
    )


def _state_ring(numbers: NDArray[np.intp], step: BoltzmannStep, height: float) -> Points:
    """Return a ring at the rank of the state, if its bar is drawn."""
    places: Floats = NOWHERE
    if step.state is not None:
        rank = np.flatnonzero(numbers == number_of(step.state)) + 1
        places = np.column_stack([rank, np.full(len(rank), height)])
    n = len(places)
    color, hollow = np.full(n, NO_CLASS), np.ones(n)
    return points_at(places, panel="states", color=color, size=[7.0], hollow=hollow, of="")


def _overlap_plot(problem: PatternsProblem) -> Plot:
    """Return the patterns with their overlaps with the state."""
    grids = problem.patterns[:MAX_PATTERNS]
    n_patterns, n_units = len(grids), problem.data.shape[1]
    sheet = Sheet(n_patterns, problem.height, problem.width)
    patterns = 2 * problem.data[:n_patterns] - 1
    title = f"Patterns ({n_patterns} of {len(problem.patterns)}); bar: overlap with the state"
    still_marks = sheet.marks(list(grids), problem.names[:n_patterns], PATTERNS)

    def marks(moment: Moment) -> list[Mark]:
        state = np.zeros(n_units) if moment.step.state is None else moment.step.state
        return [*still_marks, *sheet.bars(patterns @ state / n_units, PATTERNS)]

    return Plot(sheet.panel(PATTERNS, title), marks)


def _handles(problem: PatternsProblem) -> tuple[Handle, ...]:
    """Return the cells of patterns that are drawn by hand."""
    if not problem.drawn:
        return ()
    sheet = Sheet(len(problem.patterns), problem.height, problem.width)
    handle = Grids(
        PATTERNS,
        "patterns",
        "Patterns",
        places=[(float(x), float(y)) for x, y in sheet.corners],
        height=problem.height,
        width=problem.width,
        cells=cell_bits(problem.patterns),
    )
    return (handle,)


def _energy_plot(steps: Sequence[BoltzmannStep]) -> Plot:
    """Return the energy at the end of each sweep."""
    ends = [step for step in steps if step.phase in ("start", "sweep")]
    places = np.array([(step.iteration, step.energy) for step in ends], float).reshape(-1, 2)
    y_axis = Axis("energy", *bounds(places[:, 1], 0.08))
    return curve_plot("energy", places, "sweep", y_axis, "Energy by sweep")
