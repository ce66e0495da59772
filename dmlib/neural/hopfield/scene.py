"""A Hopfield network as a picture: the state, the cue, the stored patterns, and the energy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.curve_scene import curve_plot
from dmlib.neural.hopfield.algorithm import Hopfield, HopfieldStep, bipolar
from dmlib.neural.hopfield.ledger import Narrator
from dmlib.neural.hopfield.recall import energy
from dmlib.pictures.data.patterns import Sheet, StateGrid, cell_bits
from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Grids, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, needs_steps, story
from dmlib.problem import PatternsProblem

MAX_PATTERNS = 15  # beside the cue
DIFFERENT = 1  # the class whose colour marks cells that differ
MOVES = ("cue", "flip", "update")  # phases after which the energy is another one
PATTERNS, FLIPS = "patterns", "flips"


@needs_steps
def hopfield_scene(run: Run[PatternsProblem, Hopfield]) -> Scene:
    """Draw the steps of a Hopfield network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Hopfield`.

    Returns
    -------
    Scene
        One frame for each pattern that is stored, the cue, each flip, the end of each sweep, and
        the end.

    Examples
    --------
    >>> from dmlib.neural import Hopfield
    >>> from dmlib.problem import prepare_patterns
    >>> problem = prepare_patterns([[[1, 1], [0, 0]]])
    >>> scene = hopfield_scene(Run.of(problem, Hopfield(noise=0.25, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['store', 'cue', 'flip', 'sweep', 'sweep', 'done']
    """
    problem, patterns = run.problem, bipolar(run.problem.data)
    grid = StateGrid(problem.height, problem.width)
    sheet = PatternSheet(run, patterns)
    energies = _energy_plot(run, patterns)
    narrator = Narrator(run, patterns)

    def draw(moment: Moment) -> Drawing:
        step: HopfieldStep = moment.step
        unit = None if step.change is None else step.change.unit
        marks = (
            *grid.marks(step.state > 0, unit),
            _different_cells(grid, step, patterns),
            *sheet.marks(step),
            *energies.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(grid.panel(), sheet.panel(), energies.panel),
        fold=Fold.count_of(*MOVES),
        legend=(Key("differs from the pattern", DIFFERENT),),
        handles=sheet.handles(),
        notes=_pattern_note(len(patterns)),
    )


def _pattern_note(n: int) -> tuple[str, ...]:
    return (f"{MAX_PATTERNS} of {n} patterns are shown.",) if n > MAX_PATTERNS else ()


def _different_cells(grid: StateGrid, step: HopfieldStep, patterns: Floats) -> Points:
    """Return the cells of the state that differ from the pattern to be recalled."""
    is_different = step.state != patterns[step.target]
    if step.phase == "store":
        is_different[:] = False
    places = grid.centres[is_different]
    size = 5.0 if len(grid.centres) <= 100 else 3.0
    return points_at(places, color=np.full(len(places), DIFFERENT), size=[size], of="")


class PatternSheet:
    """The cue and the patterns, with the overlap of the state below each.

    Parameters
    ----------
    run : Run
        The run.
    patterns : ndarray of shape (n_patterns, n_units)
        The patterns, -1 and 1.
    """

    def __init__(self, run: Run[PatternsProblem, Hopfield], patterns: Floats) -> None:
        self.problem: PatternsProblem = run.problem
        self.patterns, self.has_cue = patterns, bool(run.model.cue)
        steps = run.trace.steps
        self.cue: Floats | None = next((step.state for step in steps if step.phase == "cue"), None)
        self.numbers = _pattern_numbers(len(patterns), steps[-1].target)
        self.sheet = Sheet(1 + len(self.numbers), self.problem.height, self.problem.width)

    def panel(self) -> Panel:
        """Return its panel."""
        return self.sheet.panel(PATTERNS, "Cue and stored patterns; bar: overlap")

    @cached_property
    def _grids(self) -> tuple[Mark, ...]:
        """The cue, unless the run ended before it, and the patterns with their names."""
        cue = np.zeros(self.patterns.shape[1]) if self.cue is None else self.cue > 0
        grids = [cue.reshape(self.problem.height, self.problem.width)]
        names = ["cue", *(self.problem.names[p] for p in self.numbers)]
        return self.sheet.marks([*grids, *self.problem.patterns[self.numbers]], names, PATTERNS)

    def marks(self, step: HopfieldStep) -> list[Mark]:
        """Return the patterns at a step."""
        overlaps = self.patterns[self.numbers] @ step.state / self.patterns.shape[1]
        is_stored = np.full(len(overlaps), True)
        if step.pattern is not None:
            is_stored = self.numbers <= step.pattern
        bars = self.sheet.bars(np.where(is_stored, overlaps, np.nan), PATTERNS, first=1)
        return [*self._grids, self._outline(step), *bars]

    def _outline(self, step: HopfieldStep) -> Line:
        """Return the outline of the pattern that is stored; later of the one to be recalled."""
        pattern = step.pattern if step.phase == "store" else step.target
        index = np.flatnonzero(self.numbers == pattern)
        if step.phase != "store" and not self.has_cue:
            index = index[:0]
        box = np.array([(0, 0), (1, 0), (1, -1), (0, -1), (0, 0)])
        size = (self.sheet.width, self.sheet.height)
        corners = self.sheet.corners[1 + index[0]] + box * size if len(index) else NOWHERE
        return line_through(corners, panel=PATTERNS, width=2.5, of="")

    def handles(self) -> tuple[Handle, ...]:
        """Return the cells of the cue, and those of patterns that are drawn by hand."""
        problem = self.problem
        corners = [(float(x), float(y)) for x, y in self.sheet.corners]
        size: dict[str, Any] = {"panel": PATTERNS, "height": problem.height, "width": problem.width}
        handles: list[Handle] = []
        if self.cue is not None:
            cells = cell_bits(self.cue > 0)
            handles.append(
                Grids(FLIPS, label="Cue", places=corners[:1], cells=cells, live=True, **size)
            )
        if problem.drawn and len(self.numbers) == len(self.patterns):
            cells = cell_bits(problem.patterns)
            handles.append(
                Grids(PATTERNS, label="Patterns", places=corners[1:], cells=cells, **size)
            )
        return tuple(handles)


def _pattern_numbers(n: int, target: int) -> NDArray[np.intp]:
    """Return the numbers of the first patterns, and of the one to be recalled."""
    numbers = np.arange(min(n, MAX_PATTERNS))
    return numbers if target in numbers else np.append(numbers[:-1], target)


def _energy_plot(run: Run[PatternsProblem, Hopfield], patterns: Floats) -> Plot:
    """Return the energy of the state from the cue on, and that of the pattern to be recalled."""
    last = run.trace.steps[-1]
    energies = [step.energy for step in run.trace.steps if step.phase in MOVES]
    places = np.column_stack([np.arange(len(energies)), energies])
    goal = energy(last.weights, patterns[last.target], last.thresholds)
    x_end = max(len(places) - 1, 1)
    ends = [(-0.02 * x_end, goal), (1.02 * x_end, goal)]
    return curve_plot(
        "energy",
        places,
        "update" if run.model.update == "synchronous" else "flip",
        Axis("energy", *bounds([goal, *energies], 0.1)),
        "Energy; dashed: the pattern's",
        background=[line_through(ends, panel="energy", color="muted", dash=True, of="")],
    )
