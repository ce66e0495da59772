"""A Hopfield network as a picture: the state cell by cell, the stored patterns beside it, and its energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.hopfield.algorithm import HopfieldStep, bipolar
from dmlib.neural.hopfield.ledger import (
    asked_blocks,
    flip_blocks,
    state_blocks,
    store_blocks,
    update_blocks,
)
from dmlib.neural.hopfield.recall import energy
from dmlib.pictures.data.patterns import Sheet, StateGrid
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import Line, Mark, PerFrame, Points
from dmlib.pictures.motion import path, thin, thinned_note, with_before, xy
from dmlib.pictures.plane import empty_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Grids, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.words import count, num
from dmlib.problem import PatternsProblem

MOST_SHOWN = 15  # patterns beside the cue
WRONG = 1  # the class whose colour marks cells that differ
PATTERNS, FLIPS = "patterns", "flips"

Pairs = list[tuple[HopfieldStep, HopfieldStep]]


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: PatternsProblem
    model: Any  # the estimator, not fitted
    X: Floats  # the patterns, -1 and 1
    steps: tuple[HopfieldStep, ...]
    at: NDArray[np.intp]  # the steps that have a frame
    pairs: Pairs  # these, each with the one before it
    unit: int | None  # that is asked about

    @property
    def shown(self) -> NDArray[np.intp]:
        """The patterns on the sheet: the first ones, and the one that is looked for."""
        some = np.arange(min(len(self.X), MOST_SHOWN))
        target = self.steps[-1].target
        return some if target in some else np.append(some[:-1], target)

    @property
    def sheet(self) -> Sheet:
        """The sheet of the cue and the patterns."""
        return Sheet(1 + len(self.shown), self.problem.height, self.problem.width)

    @property
    def cue(self) -> Floats | None:
        """The state that recall starts from; None where the run ended before."""
        return next((step.state for step in self.steps if step.phase == "cue"), None)


def hopfield_scene(run: Run) -> Scene:
    """Draw the steps of a Hopfield network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Hopfield`.

    Returns
    -------
    Scene
        One frame for each pattern that is stored, the cue, each flip, the end of each sweep, and the end.

    Examples
    --------
    >>> from dmlib.neural import Hopfield
    >>> from dmlib.problem import prepare_patterns
    >>> problem = prepare_patterns([[[1, 1], [0, 0]]])
    >>> scene = hopfield_scene(Run.of(problem, Hopfield(noise=0.25, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['store', 'cue', 'flip', 'sweep', 'sweep', 'done']
    """
    steps = run.trace.steps
    if not steps:
        return empty_scene(run.trace.reason)
    at = thin(len(steps))
    X = bipolar(run.problem.data)
    unit = run.selected if run.selected is not None and run.selected < X.shape[1] else None
    picture = Picture(run.problem, run.model, X, steps, at, with_before(steps, at), unit)
    side, curve = _energy(picture)
    marks = [*_state(picture), *_sheet(picture), *curve]
    notes = [*run.problem.notes, *thinned_note(at)]
    if len(X) > MOST_SHOWN:
        notes.append(f"{MOST_SHOWN} of {len(X)} patterns are shown.")
    sheet = picture.sheet.panel("patterns", "Cue and stored patterns; bar: overlap")
    legend = (Key("differs from the pattern", WRONG),)
    return Scene(
        (StateGrid(run.problem.height, run.problem.width).panel(), sheet, side),
        marks,
        Deferred(lambda pair: _frame(picture, *pair), picture.pairs),
        notes,
        _handles(picture),
        legend,
    )


# --- captions ---------------------------------------------------------------------------------------------------------


def _frame(picture: Picture, step: HopfieldStep, before: HopfieldStep) -> Frame:
    problem, X, rule = picture.problem, picture.X, picture.model.rule
    caption = {"store": _store, "cue": _cue, "flip": _flip, "sweep": _sweep, "update": _update, "done": _done}
    ledger: Blocks
    if step.phase == "store":
        old = np.zeros_like(step.weights) if step.pattern == 0 else before.weights
        ledger = store_blocks(problem, X, step, old, rule, picture.unit or 0)
    elif step.phase == "flip":
        ledger = flip_blocks(problem, X, step, before, rule)
    else:
        ledger = update_blocks(X, step, before) if step.phase == "update" else state_blocks(problem, X, step)
    if picture.unit is not None and step.phase != "store":
        ledger = [*asked_blocks(problem, X, step, picture.unit, rule), *ledger]
    return Frame(caption[step.phase](picture, step), ledger, step.phase)


def _name(picture: Picture, step: HopfieldStep) -> str:
    return f"pattern {picture.problem.names[step.target]}"


def _store(picture: Picture, step: HopfieldStep) -> str:
    p = (step.pattern or 0) + 1
    kept = "it is stable" if p == 1 and step.n_stable else f"{step.n_stable} of {p} are stable"
    name = picture.problem.names[p - 1]
    return f"Pattern {name} is stored as number {p} of {len(picture.X)}: {kept}, its energy is {num(step.energy)}."


def _cue(picture: Picture, step: HopfieldStep) -> str:
    cells = count(step.n_wrong, "cell differs", "cells differ")
    return f"The cue: {cells} from {_name(picture, step)}, the energy is {num(step.energy)}."


def _flip(picture: Picture, step: HopfieldStep) -> str:
    assert step.change is not None
    unit, net = step.change.unit or 0, step.change.net
    to = "on" if net > 0 else "off"
    return (
        f"Unit {unit + 1} ({picture.problem.cell(unit)}) has the sum {num(net)} and switches {to}: the energy falls to "
        f"{num(step.energy)}."
    )


def _sweep(picture: Picture, step: HopfieldStep) -> str:
    assert step.change is not None
    n = count(step.change.n_changed, "unit has flipped", "units have flipped")
    return f"Sweep {step.n_iter} ends: {n}, and {count(step.n_wrong, 'cell differs', 'cells differ')}."


def _update(picture: Picture, step: HopfieldStep) -> str:
    assert step.change is not None
    if step.change.cycle:
        return (
            f"Update {step.n_iter}: {step.change.n_changed} units switch back; the state is that of two updates before."
        )
    n = count(step.change.n_changed, "unit changes", "units change")
    return f"Update {step.n_iter}: {n} at once, the energy is {num(step.energy)}."


def _done(picture: Picture, step: HopfieldStep) -> str:
    sweeps = count(step.n_iter, "sweep", "sweeps")
    cells = count(step.n_wrong, "cell differs", "cells differ")
    wrong = (step.state != picture.X).sum(axis=1)
    names, n = picture.problem.names, picture.X.shape[1]
    if step.outcome == "stored":
        name = names[step.target if step.n_wrong == 0 else int(wrong.argmin())]
        asked = "" if step.n_wrong == 0 else f", not {_name(picture, step)}"
        return f"Done after {sweeps}: pattern {name} is recalled{asked}, at the energy {num(step.energy)}."
    if step.outcome == "inverse":
        name = names[int(np.flatnonzero(wrong == n)[0])]
        return (
            f"Done after {sweeps}: the inverse of pattern {name}, an attractor of the same energy, {num(step.energy)}."
        )
    if step.outcome == "spurious":
        return f"Done after {sweeps} in a spurious state: it is stable, but {cells} from {_name(picture, step)}."
    if step.outcome == "cycle":
        return f"Done after {sweeps} in a cycle of two states: updated synchronously, the units never converge."
    return f"Stopped by the limit of {sweeps}: {cells} from {_name(picture, step)}, and units still change."


# --- the state --------------------------------------------------------------------------------------------------------


def _state(picture: Picture) -> list[Mark]:
    """Return the cells of the state, the unit that has flipped, and the cells that differ from the pattern."""
    grid = StateGrid(picture.problem.height, picture.problem.width)
    states = [(step.state > 0).astype(float) for step, _ in picture.pairs]
    units = [None if step.change is None else step.change.unit for step, _ in picture.pairs]
    differs = [
        grid.centres[:0] if step.phase == "store" else grid.centres[step.state != picture.X[step.target]]
        for step, _ in picture.pairs
    ]
    x, y = xy(differs)
    size = 5.0 if len(grid.centres) <= 100 else 3.0
    wrong = Points(x=x, y=y, color=PerFrame([np.full(len(each), WRONG) for each in differs]), size=[size], of="")
    return [*grid.marks(states, units), wrong]


# --- the patterns -----------------------------------------------------------------------------------------------------


def _sheet(picture: Picture) -> list[Mark]:
    """Return the cue and the patterns, framed where one is stored, with the overlap of the state below each."""
    sheet, shown, problem = picture.sheet, picture.shown, picture.problem
    cue = np.full(problem.patterns.shape[1:], 0.0) if picture.cue is None else picture.cue > 0
    grids = [np.reshape(cue, problem.patterns.shape[1:]), *problem.patterns[shown]]
    names = ["cue", *(problem.names[p] for p in shown)]
    return [*sheet.marks(grids, names, "patterns"), _stored(picture), *_overlaps(picture)]


def _stored(picture: Picture) -> Line:
    """Frame the pattern that is stored, and at the end the one that was looked for."""
    sheet = picture.sheet
    place = {p: i + 1 for i, p in enumerate(picture.shown.tolist())}
    box = np.array([(0, 0), (1, 0), (1, -1), (0, -1), (0, 0)]) * (sheet.width, sheet.height)

    def framed(step: HopfieldStep) -> Floats | None:
        p = step.pattern if step.phase == "store" else step.target if picture.model.cue else None
        return sheet.corners[place[p]] + box if p in place else None

    x, y = xy(framed(step) for step, _ in picture.pairs)
    return Line(panel="patterns", x=x, y=y, color="ink", width=2.5, of="")


def _overlaps(picture: Picture) -> tuple[Mark, ...]:
    """Return a bar below each pattern that is stored: its overlap with the state."""
    shown = picture.shown
    states = np.array([step.state for step, _ in picture.pairs])
    overlaps = states @ picture.X[shown].T / picture.X.shape[1]
    last = np.array([len(picture.X) if step.pattern is None else step.pattern for step, _ in picture.pairs])
    return picture.sheet.bars(np.where(shown <= last[:, None], overlaps, np.nan), "patterns", first=1)


def _handles(picture: Picture) -> tuple[Handle, ...]:
    """Let the cells of the cue be switched, and those of patterns that are drawn by hand."""
    sheet, problem = picture.sheet, picture.problem
    corners = [(float(x), float(y)) for x, y in sheet.corners]
    size: dict[str, Any] = {"panel": "patterns", "height": problem.height, "width": problem.width}
    handles: list[Handle] = []
    if picture.cue is not None:
        handles.append(Grids(FLIPS, label="Cue", places=corners[:1], cells=_bits(picture.cue > 0), live=True, **size))
    if problem.drawn and len(picture.shown) == len(picture.X):
        handles.append(Grids(PATTERNS, label="Patterns", places=corners[1:], cells=_bits(problem.patterns), **size))
    return tuple(handles)


def _bits(cells: Any) -> str:
    return "".join("1" if cell else "0" for cell in np.ravel(cells))


# --- the energy -------------------------------------------------------------------------------------------------------


def _energy(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return the energy of the state from the cue on, and that of the pattern that is looked for."""
    moving = [(i, step) for i, step in enumerate(picture.steps) if step.phase in ("cue", "flip", "update")]
    places = np.array([(k, step.energy) for k, (_, step) in enumerate(moving)], float).reshape(-1, 2)
    reached = np.searchsorted([i for i, _ in moving], picture.at, side="right")
    last = picture.steps[-1]
    valley = energy(last.weights, picture.X[last.target])
    end = max(len(places) - 1, 1)
    low, high = bounds([valley, *places[:, 1]], 0.1)
    each = "update" if picture.model.update == "synchronous" else "flip"
    panel = Panel(
        "energy",
        Axis(each, -0.02 * end, 1.02 * end, integer=True),
        Axis("energy", low, high),
        title="Energy; dashed: the pattern's",
        side=True,
    )
    dashed = Line(panel="energy", x=[panel.x.low, panel.x.high], y=[valley, valley], color="muted", dash=True, of="")
    return panel, [dashed, *path(places, reached, panel="energy")]
