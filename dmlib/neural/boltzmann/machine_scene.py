"""A Boltzmann machine as a picture: its state, how often states are visited, and its energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.machine import BoltzmannMachine, BoltzmannStep
from dmlib.neural.boltzmann.machine_ledger import Narrator
from dmlib.neural.boltzmann.states import MAX_UNITS, StateList, number_of
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
PATTERN, EXACT, HIDDEN = 0, 1, 2  # the classes that colour a pattern's bar, p, a hidden unit
PATTERNS = "patterns"
LEGEND = (
    Key("visited, a pattern", PATTERN),
    Key("visited, another state"),
    Key("exact probability", EXACT),
)
HIDDEN_LEGEND = (Key("hidden unit, on", HIDDEN), Key("hidden unit, off", HIDDEN, hollow=True))


def machine_scene(run: Run[PatternsProblem, BoltzmannMachine]) -> Scene:
    """Draw the steps of a Boltzmann machine."""
    problem, steps = run.problem, run.trace.steps
    n_visible = problem.data.shape[1]
    n_hidden = len(steps[-1].bias) - n_visible
    states = _states(problem, steps)
    grid = StateGrid(problem.height, problem.width)
    plot = _overlap_plot(problem) if states is None else _distribution_plot(states, steps)
    energies = _energy_plot(steps)
    hidden = HiddenRow(n_hidden, n_visible, grid.width)
    narrator = Narrator(run, states)

    def draw(moment: Moment) -> Drawing:
        step: BoltzmannStep = moment.step
        state = np.zeros(n_visible) if step.state is None else step.state[:n_visible] > 0
        unit = None if step.draw is None or step.draw.unit >= n_visible else step.draw.unit
        units = (*grid.marks(state, unit), *(hidden.marks(step) if n_hidden else ()))
        marks = (*units, *plot.marks(moment), *energies.marks(moment))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(hidden.panel(grid), plot.panel, energies.panel),
        fold=Fold.count_of("start", "sweep"),
        # The first sweep is shown unit by unit, however many follow.
        also=[i for i, step in enumerate(steps) if step.phase in ("start", "unit")],
        legend=(*(() if states is None else LEGEND), *(HIDDEN_LEGEND if n_hidden else ())),
        handles=_handles(problem) if states is None else (),
        notes=_state_note(n_visible, n_hidden),
    )


@dataclass(frozen=True)
class HiddenRow:
    """The hidden units, in a row below the cells of the visible ones.

    Attributes
    ----------
    n : int
        How many there are.
    n_visible : int
        The number of visible units, which come before them.
    width : int
        Cells of a row of visible units.
    """

    n: int
    n_visible: int
    width: int

    @property
    def places(self) -> Floats:
        """The place of each, shape (n, 2)."""
        x = max(self.width, self.n) * (np.arange(self.n) + 0.5) / max(self.n, 1)
        return np.column_stack([x, np.full(self.n, -0.8)])

    def panel(self, grid: StateGrid) -> Panel:
        """Return the panel of the grid with room for the row."""
        panel = grid.panel()
        if not self.n:
            return panel
        x = replace(panel.x, high=max(self.width, self.n) + 0.1)
        y = replace(panel.y, low=-1.4)
        return replace(panel, x=x, y=y, title="State, hidden units below")

    def marks(self, step: BoltzmannStep) -> list[Mark]:
        """Return the units, filled where they are on, and a ring around the current one."""
        places, numbers = self.places, self.n_visible + 1 + np.arange(self.n)
        is_on = np.zeros(self.n, bool) if step.state is None else step.state[self.n_visible :] > 0
        is_current = numbers - 1 == (-1 if step.draw is None else step.draw.unit)
        units = points_at(
            places,
            color=np.full(self.n, HIDDEN),
            size=[9.0],
            hollow=~is_on,
            labels=[f"unit {number}: hidden" for number in numbers],
            of="unit",
            numbers=numbers,
        )
        n_rings = int(is_current.sum())
        color, hollow = np.full(n_rings, NO_CLASS), np.ones(n_rings)
        ring = points_at(places[is_current], color=color, size=[15.0], hollow=hollow, of="")
        return [units, ring]


def _states(problem: PatternsProblem, steps: Sequence[BoltzmannStep]) -> StateList | None:
    """Return all states; None where they are too many to be listed."""
    if len(steps[-1].bias) > MAX_UNITS:
        return None
    pairs = zip(problem.data, problem.names, strict=True)
    patterns = {number_of(2 * x - 1): name for x, name in pairs}
    ends = [step.state for step in steps if step.phase == "sweep" and step.state is not None]
    last, n_visible = steps[-1], problem.data.shape[1]
    return StateList.of(last.weights, last.bias, n_visible, last.temperature, patterns, ends)


def _state_note(n_visible: int, n_hidden: int) -> tuple[str, ...]:
    n = n_visible + n_hidden
    if n > MAX_UNITS:
        limit = f"choose patterns of at most {MAX_UNITS - n_hidden} cells"
        return (f"The distribution of {n} units cannot be listed: {limit}.",)
    if 2**n_visible > MAX_STATES:
        energies = "free energies" if n_hidden else "energies"
        shown = f"The {MAX_STATES} of {2**n_visible} states with the lowest {energies}"
        return (f"{shown} are shown.",)
    return ()


def _distribution_plot(states: StateList, steps: Sequence[BoltzmannStep]) -> Plot:
    """Return the visits to the states of lowest energy so far, and their probabilities."""
    numbers = states.order[:MAX_STATES]
    n, last = len(numbers), steps[-1]
    shares = states.visit_shares(len(states.visited))[numbers]
    exact = states.probabilities(last.temperature)[numbers]
    top = max(float(shares.max()), float(exact.max()), 1e-9)
    order = "states by energy, the lowest first"
    if states.has_hidden:
        order = "visible states by free energy"
    panel = Panel(
        "states",
        Axis(order, 0.3, n + 0.7, integer=True),
        Axis("share of visits, probability", 0.0, 1.08 * top),
        title="Visits against the exact distribution",
    )

    def marks(moment: Moment) -> list[Mark]:
        step: BoltzmannStep = moment.step
        return [
            _visit_bars(states, numbers, max(moment.so_far - 1, 0)),
            _probability_points(states, numbers, step.temperature),
            _state_ring(states, numbers, step, 0.03 * top),
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
    energy = states.free_energy(temperature)
    name = "free energy" if states.has_hidden else "energy"
    labels = [
        f"rank {r}, {name} {energy[i]:.4g}: {states.patterns.get(int(i), 'no pattern')}"
        for r, i in zip(rank, numbers, strict=True)
    ]
    return Points(
        panel="states",
        x=rank,
        y=states.probabilities(temperature)[numbers],
        color=np.full(len(rank), EXACT),
        size=[4.5],
        labels=labels,
        of="rank",
        numbers=rank,
    )


def _state_ring(
    states: StateList, numbers: NDArray[np.intp], step: BoltzmannStep, height: float
) -> Points:
    """Return a ring at the rank of the state, if its bar is drawn."""
    places: Floats = NOWHERE
    if step.state is not None:
        number = number_of(step.state[: states.n_visible])
        rank = np.flatnonzero(numbers == number) + 1
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
        is_drawn = moment.step.state is not None
        state = moment.step.state[:n_units] if is_drawn else np.zeros(n_units)
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
