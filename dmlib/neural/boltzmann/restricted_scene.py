"""A restricted Boltzmann machine as a picture: filters, reconstructions, samples, and the error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.parameters import Parameters
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine, RestrictedStep
from dmlib.neural.boltzmann.restricted_ledger import Narrator
from dmlib.neural.curve_scene import curve_plot
from dmlib.pictures.data.patterns import TRACK, Sheet, cell_bits
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster, Rects
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Grids, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, story
from dmlib.problem import PatternsProblem

MAX_FILTERS = 36
N_DREAMS = 2
DREAM_STEPS = 100
NAMES = ("pattern", "data", "dream", "rebuilt", "sample", "dream")  # pairs one below the other
BATCH = (1, 4)  # the places of data and sample, whose cells the ledger compares
BAR = (0.2, 0.65)  # cells below a filter between which its activation is drawn
POSITIVE, NEGATIVE = 0, 1  # the classes whose colours the signs of weights have
SIGN_KEYS = (
    Key("weight above 0", POSITIVE, kind="area"),
    Key("weight below 0", NEGATIVE, kind="area"),
)
FLIPS, PATTERNS = "flips", "patterns"


def restricted_scene(run: Run[PatternsProblem, RestrictedBoltzmannMachine]) -> Scene:
    """Draw the steps of a restricted machine."""
    problem, steps = run.problem, run.trace.steps
    pattern = shown_pattern(problem, run.options)
    n_hidden = len(steps[0].parameters.hidden)
    filters = Filters(problem, n_hidden)
    reconstructions = Reconstructions(problem, pattern)
    errors = _error_plot(steps)
    narrator = Narrator(run, pattern)

    def draw(moment: Moment) -> Drawing:
        step: RestrictedStep = moment.step
        visible = pattern if step.sampled is None else step.sampled.v_pos
        marks = (
            *filters.marks(step.parameters.components, step.parameters.means_hidden(visible)),
            *reconstructions.marks(step, moment.before, moment.so_far),
            *errors.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(filters.panel, reconstructions.panel(), errors.panel),
        fold=Fold(steps[0], lambda batch, step: batch if step.sampled is None else step),
        legend=SIGN_KEYS,
        handles=reconstructions.handles(),
        notes=filter_note(n_hidden),
    )


def shown_pattern(problem: PatternsProblem, options: Mapping[str, Any]) -> Floats:
    """Return the pattern that is reconstructed, 0 and 1: one of the data, with switched cells."""
    number = int(options.get("cue", 1))
    pattern = np.zeros(problem.data.shape[1])
    if number:
        pattern = problem.data[min(number, len(problem.data)) - 1].copy()
    flips = list(options.get(FLIPS, ()))
    pattern[flips] = 1 - pattern[flips]
    return pattern


def filter_note(n_hidden: int) -> tuple[str, ...]:
    """Return a note on hidden units that are not drawn."""
    if n_hidden <= MAX_FILTERS:
        return ()
    return (f"{MAX_FILTERS} of {n_hidden} hidden units are shown.",)


class Filters:
    """The weights of each hidden unit, with a bar for its activation.

    Parameters
    ----------
    problem : PatternsProblem
        The patterns.
    n_hidden : int
        The number of hidden units.
    name, title : str
        The panel.
    first : int
        The number of the first unit, from 0.
    """

    def __init__(
        self,
        problem: PatternsProblem,
        n_hidden: int,
        name: str = "data",
        title: str = "Filters; bar: activation",
        first: int = 0,
    ) -> None:
        self.sheet = Sheet(min(n_hidden, MAX_FILTERS), problem.height, problem.width)
        self.panel = self.sheet.panel(name, title)
        self._numbers = first + 1 + np.arange(self.sheet.n)
        self._frames, self._units = self.sheet.frames(name), self._unit_points()

    def marks(self, weights: Floats, activations: Floats) -> list[Mark]:
        """Return the filters, the rows of ``weights``, with the activation of each."""
        n = self.sheet.n
        return [self._image(weights[:n]), self._frames, self._bars(activations[:n]), self._units]

    def _image(self, weights: Floats) -> Raster:
        """Return the weights by sign and size, the largest in full colour."""
        sheet = self.sheet
        across, down = sheet.size
        values = sheet.spread([w.reshape(sheet.height, sheet.width) for w in weights])
        largest = np.abs(weights).max() or 1.0
        return Raster(
            panel=self.panel.name,
            pixels=np.where(values < 0, NEGATIVE, POSITIVE).astype(np.uint8),
            shade=np.rint(255 * np.abs(values) / largest).astype(np.uint8),
            width=across,
            height=down,
            extent=(0.0, float(across), 0.0, float(down)),
            opacity=1.0,
            crisp=True,
        )

    def _bars(self, activations: Floats) -> Rects:
        """Return a bar below each filter: the probability that its unit is on."""
        (x, y), n = self.sheet.corners.T, self.sheet.n
        bottom = np.tile(y - self.sheet.height, 2)
        return Rects(
            panel=self.panel.name,
            x0=np.tile(x, 2),
            x1=np.append(x + self.sheet.width, x + self.sheet.width * activations),
            y0=bottom - BAR[1],
            y1=bottom - BAR[0],
            color=np.repeat([NO_CLASS, POSITIVE], n),
            opacity=np.repeat([TRACK, 0.9], n),
            of="unit",
            numbers=np.tile(self._numbers, 2),
        )

    def _unit_points(self) -> Points:
        """Return points by which a filter is selected, hardly visible."""
        x, y = self.sheet.corners.T
        return Points(
            panel=self.panel.name,
            x=x + self.sheet.width / 2,
            y=y - self.sheet.height / 2,
            size=[3.0],
            opacity=[0.02],
            labels=[f"hidden unit {number}" for number in self._numbers],
            data=True,
            of="unit",
            numbers=self._numbers,
        )


class Reconstructions:
    """The pattern, its reconstruction, a batch's first row with its sample, and dreams.

    Parameters
    ----------
    problem : PatternsProblem
        The patterns; those that are drawn by hand are shown, to be drawn on.
    pattern : ndarray of shape (n_cells,)
        The pattern that is reconstructed.
    """

    def __init__(self, problem: PatternsProblem, pattern: Floats) -> None:
        self.problem, self.pattern = problem, pattern
        self.editable: list[Floats] = list(problem.data) if problem.drawn else []
        self.sheet = Sheet(len(NAMES) + len(self.editable), problem.height, problem.width)
        names = [*NAMES, *problem.names[: len(self.editable)]]
        self._labels = self.sheet.frames(PATTERNS), self.sheet.names(names, PATTERNS)
        self._numbers = self._cell_numbers()
        self._dreams = lru_cache(maxsize=None)(self._new_dreams)

    def panel(self) -> Panel:
        """Return their panel."""
        return self.sheet.panel(PATTERNS, "Patterns and reconstructions")

    def _cell_numbers(self) -> NDArray[np.float64]:
        """Return the numbers of the cells of data and sample; 0 in those of the other grids."""
        height, width = self.sheet.height, self.sheet.width
        cells = np.arange(1, height * width + 1).reshape(height, width)
        return self.sheet.spread([cells * (i in BATCH) for i in range(self.sheet.n)])

    def marks(
        self, step: RestrictedStep, before: RestrictedStep, batch: RestrictedStep
    ) -> list[Mark]:
        """Return the grids of a step; ``batch`` is the last step with a sample."""
        parameters = step.parameters
        epoch = before.parameters if step.phase == "update" else parameters
        pairs = (
            (self.pattern, parameters.reconstruct(self.pattern)),
            self._batch(batch),
            self._dreams(epoch),
        )
        rows = [*chain(*zip(*pairs, strict=True)), *self.editable]
        height, width = self.sheet.height, self.sheet.width
        pixels = self.sheet.pixels([row.reshape(height, width) for row in rows])
        image = replace(self.sheet.raster(pixels, PATTERNS), numbers=self._numbers, of="cell")
        return [image, *self._labels]

    def _batch(self, step: RestrictedStep) -> tuple[Floats, Floats]:
        """Return the first row of the batch, and the sample; empty grids before they are drawn."""
        empty = np.zeros_like(self.pattern)
        if step.sampled is None:
            return empty, empty
        return step.sampled.v_pos, empty if step.phase == "positive" else step.sampled.v_neg

    def _new_dreams(self, parameters: Parameters) -> Floats:
        """Return samples of the machine, from noise."""
        rng = np.random.RandomState(0)
        noise = (rng.uniform(size=(N_DREAMS, len(self.pattern))) < 0.5).astype(float)
        return parameters.reconstruct(parameters.dream(noise, DREAM_STEPS, rng))

    def handles(self) -> tuple[Handle, ...]:
        """Return the cells of the pattern, and those of patterns that are drawn by hand."""
        problem = self.problem
        corners = [(float(x), float(y)) for x, y in self.sheet.corners]
        size: dict[str, Any] = {"panel": PATTERNS, "height": problem.height, "width": problem.width}
        cells = cell_bits(self.pattern > 0)
        flips = Grids(FLIPS, label="Pattern", places=corners[:1], cells=cells, live=True, **size)
        if not self.editable:
            return (flips,)
        places, cells = corners[len(NAMES) :], cell_bits(problem.patterns)
        return flips, Grids(PATTERNS, label="Patterns", places=places, cells=cells, **size)


def _error_plot(steps: Sequence[RestrictedStep]) -> Plot:
    """Return the mean squared reconstruction error of each epoch."""
    ends = [step for step in steps if step.phase in ("start", "epoch")]
    places = np.array([(step.epoch, step.reconstruction_error) for step in ends], float)
    y_axis = Axis("squared error", *bounds([0.0, *places[:, 1]], 0.06))

    def n_passed(moment: Moment) -> int:
        is_batch = moment.step.sampled is not None  # of an epoch that is not over
        return int(moment.step.epoch) + (not is_batch)

    return curve_plot("error", places, "epoch", y_axis, "Reconstruction error", n_passed=n_passed)
