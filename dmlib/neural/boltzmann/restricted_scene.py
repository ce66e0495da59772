"""A restricted Boltzmann machine as a picture: its filters, what it rebuilds, what it dreams, and its error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.restricted import Parameters, RestrictedStep
from dmlib.neural.boltzmann.restricted_ledger import energy_blocks, negative_blocks, positive_blocks, update_blocks
from dmlib.pictures.data.patterns import Sheet
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import Mark, PerFrame, Points, Raster, Rects
from dmlib.pictures.motion import path, thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Grids, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.words import count, num4
from dmlib.problem import PatternsProblem

MOST_FILTERS = 36
DREAMS, DREAM_STEPS = 2, 100
NAMES = ("pattern", "rebuilt", "data", "sample", *["dream"] * DREAMS)
BATCH = (2, 3)  # the places of data and sample, whose cells the ledger compares
BAR = (0.2, 0.65)  # cells below a filter between which its activation is drawn
POSITIVE, NEGATIVE = 0, 1  # the classes whose colours the signs of weights have
FLIPS, PATTERNS = "flips", "patterns"

Pairs = list[tuple[RestrictedStep, RestrictedStep]]


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: PatternsProblem
    model: Any
    pairs: Pairs  # the steps that have a frame, each with the one before it
    batches: list[RestrictedStep]  # for each frame, the last step so far that tells of a batch
    pattern: Floats  # that is shown, 0 and 1
    unit: int  # the hidden unit that the ledger writes out

    @property
    def filters(self) -> Sheet:
        """The sheet of the filters."""
        n = len(self.pairs[0][0].parameters.hidden)
        return Sheet(min(n, MOST_FILTERS), self.problem.height, self.problem.width)

    @property
    def drawn(self) -> list[Floats]:
        """The patterns that are drawn by hand, which are shown to be drawn on."""
        return list(self.problem.data) if self.problem.drawn else []

    @property
    def sheet(self) -> Sheet:
        """The sheet of what the machine makes of patterns."""
        return Sheet(len(NAMES) + len(self.drawn), self.problem.height, self.problem.width)


def restricted_scene(run: Run) -> Scene:
    """Draw the steps of a restricted machine."""
    steps, problem = run.trace.steps, run.problem
    at = thin(len(steps))
    n_hidden = len(steps[0].parameters.hidden)
    unit = run.selected if run.selected is not None and run.selected < n_hidden else 0
    told = np.maximum.accumulate([i if step.sampled is not None else 0 for i, step in enumerate(steps)])
    batches = [steps[told[i]] for i in at]
    picture = Picture(problem, run.model, with_before(steps, at), batches, shown_pattern(problem, run.options), unit)
    filters = picture.filters.panel("data", "Filters; bar: activation")
    sheet = picture.sheet.panel("patterns", "Patterns and reconstructions")
    side, curve = _errors(steps, at)
    notes = [*problem.notes, *thinned_note(at)]
    if n_hidden > MOST_FILTERS:
        notes.append(f"{MOST_FILTERS} of {n_hidden} hidden units are shown.")
    return Scene(
        (filters, sheet, side),
        [*_filters(picture), *_patterns(picture), *curve],
        Deferred(lambda pair: _frame(picture, *pair), picture.pairs),
        notes,
        _handles(picture),
        (Key("weight above 0", POSITIVE), Key("weight below 0", NEGATIVE)),
    )


def shown_pattern(problem: PatternsProblem, options: Any) -> Floats:
    """Return the pattern that is rebuilt, 0 and 1: one of the data, with cells that the reader has switched."""
    number = int(options.get("cue", 1))
    pattern = problem.data[min(number, len(problem.data)) - 1].copy() if number else np.zeros(problem.data.shape[1])
    flips = list(options.get(FLIPS, ()))
    pattern[flips] = 1 - pattern[flips]
    return pattern


# --- captions ---------------------------------------------------------------------------------------------------------


def _frame(picture: Picture, step: RestrictedStep, before: RestrictedStep) -> Frame:
    ledger: Blocks
    if step.phase == "positive":
        ledger = positive_blocks(step, picture.unit)
    elif step.phase == "negative":
        ledger = negative_blocks(picture.problem, step, picture.model.k)
    elif step.phase == "update":
        ledger = update_blocks(step, before, picture.model.learning_rate, picture.unit)
    else:
        ledger = energy_blocks(step, picture.pattern, picture.unit)
    return Frame(_caption(picture, step), ledger, step.phase)


def _caption(picture: Picture, step: RestrictedStep) -> str:
    model, s = picture.model, step.sampled
    epochs = count(step.epoch, "epoch", "epochs")
    error = num4(step.reconstruction_error)
    if s is None:
        return {
            "start": f"The start: small random weights; the mean squared reconstruction error is {error}.",
            "epoch": f"Epoch {step.epoch} ends: the mean squared reconstruction error is {error}.",
            "done": f"Done after {epochs}: the mean squared reconstruction error is {error}.",
        }[step.phase]
    strongest = int(s.h_pos.argmax())
    if step.phase == "positive":
        p = num4(s.h_pos[strongest])
        return f"Epoch {step.epoch}, first batch: its first row activates hidden unit {strongest + 1} most: p = {p}."
    if step.phase == "negative":
        n = count(int((s.v_pos != s.v_neg).sum()), "cell differs", "cells differ")
        start = "the data" if model.chains == "data" else "its last sample"
        return f"Epoch {step.epoch}, first batch: {count(model.k, 'Gibbs step', 'Gibbs steps')} from {start}; {n}."
    return f"Epoch {step.epoch}, first batch: weights move towards the data and away from the sample."


# --- the filters ------------------------------------------------------------------------------------------------------


def _filters(picture: Picture) -> list[Mark]:
    """Return the weights by sign and size, the largest of each frame in full colour, and the activations."""
    sheet = picture.filters
    across, down = sheet.size
    parameters = [step.parameters for step, _ in picture.pairs]
    made: dict[int, tuple[NDArray[np.uint8], NDArray[np.uint8]]] = {}

    def images(now: Parameters) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        if id(now) not in made:
            made[id(now)] = _signed(sheet, now.components[: sheet.n])
        return made[id(now)]

    raster = Raster(
        pixels=PerFrame(Deferred(lambda now: images(now)[0], parameters)),
        shade=PerFrame(Deferred(lambda now: images(now)[1], parameters)),
        width=across, height=down, extent=(0.0, float(across), 0.0, float(down)), opacity=1.0, crisp=True,
    )  # fmt: skip
    return [raster, sheet.frames(), *_activations(picture)]


def _signed(sheet: Sheet, weights: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    image = sheet.spread([w.reshape(sheet.height, sheet.width) for w in weights])
    largest = np.abs(weights).max() or 1.0
    shade = np.rint(255 * np.abs(image) / largest).astype(np.uint8)
    return np.where(image < 0, NEGATIVE, POSITIVE).astype(np.uint8), shade


def _activations(picture: Picture) -> list[Mark]:
    """Return a bar below each filter: the probability that its unit is on, given what is shown."""
    sheet = picture.filters
    x, y = sheet.corners.T
    bottom = y - sheet.height
    means = [step.parameters.means_hidden(_seen(picture, step))[: sheet.n] for step, _ in picture.pairs]
    bars = Rects(
        x0=x, x1=PerFrame([x + sheet.width * p for p in means]), y0=bottom - BAR[1], y1=bottom - BAR[0],
        color=np.zeros(sheet.n), opacity=[0.9], of="unit", numbers=np.arange(1, sheet.n + 1),
    )  # fmt: skip
    labels = [f"hidden unit {j + 1}" for j in range(sheet.n)]
    centres = Points(
        x=x + sheet.width / 2, y=y - sheet.height / 2, size=[3.0], opacity=[0.02], labels=labels, data=True,
        of="unit", numbers=np.arange(1, sheet.n + 1),
    )  # fmt: skip
    return [bars, centres]


def _seen(picture: Picture, step: RestrictedStep) -> Floats:
    return picture.pattern if step.sampled is None else step.sampled.v_pos


# --- what it makes of patterns ----------------------------------------------------------------------------------------


def _patterns(picture: Picture) -> list[Mark]:
    """Return the pattern, its reconstruction, the batch's first row with its sample, and dreams."""
    sheet = picture.sheet
    nothing = np.zeros(picture.pattern.shape)
    dreams: dict[int, Floats] = {}

    def dreamt(now: Parameters) -> Floats:
        if id(now) not in dreams:
            rng = np.random.RandomState(0)
            noise = (rng.uniform(size=(DREAMS, len(nothing))) < 0.5).astype(float)
            dreams[id(now)] = now.means_visible(now.means_hidden(now.dream(noise, DREAM_STEPS, rng)))
        return dreams[id(now)]

    def grids(pair: tuple[RestrictedStep, RestrictedStep], told: RestrictedStep) -> NDArray[np.uint8]:
        (step, before), s = pair, told.sampled
        now, whole = step.parameters, (before if step.phase == "update" else step).parameters  # dreams of whole epochs
        batch = (nothing, nothing) if s is None else (s.v_pos, nothing if told.phase == "positive" else s.v_neg)
        some = [picture.pattern, now.reconstruct(picture.pattern), *batch, *dreamt(whole), *picture.drawn]
        return sheet.pixels([each.reshape(sheet.height, sheet.width) for each in some])

    pixels = PerFrame(Deferred(grids, picture.pairs, picture.batches))
    names = [*NAMES, *picture.problem.names[: len(picture.drawn)]]
    cells = np.arange(1, len(nothing) + 1).reshape(sheet.height, sheet.width)
    numbers = sheet.spread([cells * (i in BATCH) for i in range(sheet.n)])
    raster = replace(sheet.raster(pixels, "patterns"), numbers=numbers, of="cell")
    return [raster, sheet.frames("patterns"), sheet.names(names, "patterns")]


def _handles(picture: Picture) -> tuple[Handle, ...]:
    """Let the cells of the pattern be switched, and those of patterns that are drawn by hand."""
    sheet, problem = picture.sheet, picture.problem
    corners = [(float(x), float(y)) for x, y in sheet.corners]
    size: dict[str, Any] = {"panel": "patterns", "height": problem.height, "width": problem.width}
    shown = "".join("1" if cell else "0" for cell in picture.pattern > 0)
    handles: list[Handle] = [Grids(FLIPS, label="Pattern", places=corners[:1], cells=shown, live=True, **size)]
    if picture.drawn:
        cells = "".join("1" if cell else "0" for cell in problem.patterns.ravel())
        handles.append(Grids(PATTERNS, label="Patterns", places=corners[len(NAMES) :], cells=cells, **size))
    return tuple(handles)


# --- the error --------------------------------------------------------------------------------------------------------


def _errors(steps: tuple[RestrictedStep, ...], at: NDArray[np.intp]) -> tuple[Panel, list[Mark]]:
    """Return the mean squared error of a rebuilt cell, epoch by epoch."""
    ends = [(i, step) for i, step in enumerate(steps) if step.phase in ("start", "epoch")]
    places = np.array([(step.epoch, step.reconstruction_error) for _, step in ends], float)
    reached = np.searchsorted([i for i, _ in ends], at, side="right")
    last = max(len(ends) - 1, 1)
    low, high = bounds([0.0, *places[:, 1]], 0.06)
    panel = Panel(
        "error",
        Axis("epoch", -0.02 * last, 1.02 * last, integer=True),
        Axis("squared error", low, high),
        title="Reconstruction error",
        side=True,
    )
    return panel, list(path(places, reached, panel="error"))
