"""A factorisation as a picture: rows and what is rebuilt of them, the parts, the codes, the error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import FactorStep
from dmlib.decomposition.factorisation.ledger import Teller
from dmlib.decomposition.factorisation.parts_scene import parts_scene
from dmlib.decomposition.factorisation.picture import ImageSVD
from dmlib.decomposition.factorisation.picture_parts import ImageParts
from dmlib.decomposition.factorisation.picture_scene import picture_scene, tile_frames
from dmlib.decomposition.pixels import pixel_grid
from dmlib.evenly import evenly
from dmlib.pictures.data import first_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Channel, Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.motion import thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.problem import BagsProblem, Problem

Pixels = NDArray[np.integer[Any]]

ROOM = 70_000  # bytes for what changes from frame to frame
FEWEST, MOST = 5, 40  # frames
PICTURES, HEAT_ROWS, HEAT_COLUMNS = 20, 50, 40  # rows and columns that are drawn
MOST_PARTS = 16
ACROSS, PARTS_ACROSS = 10, 8  # pictures beside each other
GAP, GAP_SHARE = 3.0, 0.08  # between the table and what is made: pixels, or a share of its width
FEW = 12  # columns up to which they are named
MOVING = 250  # rows up to which codes move


def factorisation_scene(run: Run) -> Scene:
    """Draw how a table comes apart, and what its parts make.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.decomposition import SVD
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 7.0]}), ["a", "b"])
    >>> [frame.phase for frame in factorisation_scene(Run.of(problem, SVD(2))).frames]
    ['start', 'component', 'component', 'done']
    """
    if isinstance(run.model, ImageSVD):
        return picture_scene(run)
    if isinstance(run.model, ImageParts):
        return parts_scene(run)
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return replace(first_scene(problem), frames=(Frame(trace.reason),))
    picture = _Picture(problem, trace.steps[-1])
    k = len(trace.steps[-1].parts)
    weight = picture.size + min(k, MOST_PARTS) * len(picture.columns) + 8 * len(problem.X) * (len(problem.X) <= MOVING)
    shown = thin(len(trace.steps), int(np.clip(ROOM // weight, FEWEST, MOST)))
    pairs = with_before(trace.steps, shown)
    steps = [step for step, _ in pairs]
    teller = Teller(problem, run.fitted, run.selected, picture.chosen.tolist())
    rows, row_marks = picture.rows(steps)
    parts, part_marks = picture.parts(steps)
    codes, code_marks = picture.codes(steps)
    error, error_marks = _energy(trace.steps, shown)
    return Scene(
        (rows, parts, codes, error),
        (*row_marks, *part_marks, *code_marks, *error_marks),
        Deferred(teller.frame, pairs),
        (*problem.notes, *picture.notes(), *thinned_note(shown)),
        legend=(Key("adds", 0), Key("subtracts", 1)),
    )


class _Picture:
    """The panels of a table: pictures where its columns are pixels, else shades.

    Parameters
    ----------
    problem : Problem
        The table.
    last : FactorStep
        The last step.
    """

    def __init__(self, problem: Problem, last: FactorStep) -> None:
        self.problem, self.last = problem, last
        n, p = problem.X.shape
        self.grid = pixel_grid(problem.features)
        most = PICTURES if self.grid else HEAT_ROWS
        self.chosen = evenly(n, most)
        heaviest = np.argsort(-np.abs(problem.X).sum(axis=0), kind="stable")
        words = isinstance(problem, BagsProblem)
        self.columns = np.arange(p) if self.grid else (
            np.sort(heaviest[:HEAT_COLUMNS]) if words else np.arange(min(p, HEAT_COLUMNS)))  # fmt: skip
        X = problem.X
        low, high = (X.min(), X.max()) if self.grid else (X.min(axis=0), X.max(axis=0))
        self.low, self.unit = np.broadcast_to(low, p), np.where(high > low, high - low, 1.0)
        self.size = len(self.chosen) * len(self.columns)

    def notes(self) -> tuple[str, ...]:
        """Return what is not drawn."""
        n, p = self.problem.X.shape
        notes = []
        if n > len(self.chosen):
            notes.append(f"{len(self.chosen)} of {n} rows are drawn.")
        if p > len(self.columns):
            which = "heaviest" if isinstance(self.problem, BagsProblem) else "first"
            notes.append(f"The {which} {len(self.columns)} of {p} columns are drawn.")
        if not self.grid:
            notes.append("Each column is shaded from its smallest value to its largest.")
        if len(self.last.parts) > MOST_PARTS:
            notes.append(f"The first {MOST_PARTS} of {len(self.last.parts)} parts are drawn.")
        return tuple(notes)

    def _image(self, X: Floats) -> Pixels:
        """Return shades of the drawn rows: as pictures beside each other, or row by row."""
        shade = (np.clip((X - self.low) / self.unit, 0, 1) * 255).astype(np.uint8)
        return shade[:, self.columns] if self.grid is None else _tiles(shade, self.grid, 0, ACROSS)

    def rows(self, steps: Sequence[FactorStep]) -> tuple[Panel, list[Mark]]:
        """Return rows as they are, and as codes and parts make them."""

        def pixels(step: FactorStep) -> Pixels:
            return self._image(step.codes[self.chosen] @ step.parts + step.offset).ravel()

        shade = self._image(self.problem.X[self.chosen])
        height, width = shade.shape
        gap = GAP if self.grid else max(1.0, GAP_SHARE * width)
        if self.grid:
            places = (0.0, float(width), height + gap, 2 * height + gap), (0.0, float(width), 0.0, float(height))
            title = "Rows and reconstructions"
            panel = Panel("data", Axis("", 0.0, width), Axis("", 0.0, 2 * height + gap), title, equal=True)
        else:
            places = (0.0, float(width), 0.0, float(height)), (width + gap, 2 * width + gap, 0.0, float(height))
            title = "Table and reconstruction"
            panel = Panel("data", Axis("", 0.0, 2 * width + gap), Axis("", 0.0, height), title)
        cells = self.chosen[:, None] * self.problem.X.shape[1] + self.columns + 1
        numbers = _tiles(cells, self.grid, 0, ACROSS) if self.grid else cells
        drawn: tuple[Channel, Channel] = shade.ravel(), PerFrame(Deferred(pixels, steps))
        return panel, [
            Raster(panel="data", pixels=channel, width=width, height=height, extent=place, ramp=True, opacity=1.0,
                   crisp=True, numbers=numbers.ravel(), of="cell")
            for channel, place in zip(drawn, places, strict=True)
        ]  # fmt: skip

    def parts(self, steps: Sequence[FactorStep]) -> tuple[Panel, list[Mark]]:
        """Return the parts: what adds and what subtracts in the colours of the first two classes."""
        k, p = min(len(self.last.parts), MOST_PARTS), len(self.columns)
        grid = self.grid

        def scaled(step: FactorStep) -> Floats:
            parts = np.zeros((k, p))
            there = step.parts[:k, self.columns]
            parts[: len(there)] = there
            largest = np.abs(parts).max(axis=1, keepdims=True)
            return parts / np.where(largest > 0, largest, 1.0)

        def drawn(values: Pixels) -> Pixels:
            return (_tiles(values, grid, 0, PARTS_ACROSS) if grid else values).ravel()

        shape = _tiles(np.zeros((k, p), np.uint8), grid, 0, PARTS_ACROSS).shape if grid else (k, p)
        height, width = max(shape[0], 1), max(shape[1], 1)
        names = self.problem.features if not grid and p <= FEW else ()
        across = Axis("" if grid else "column", -0.5, width - 0.5, ticks=names, integer=not names)
        numbers = () if grid else tuple(str(j) for j in range(height, 0, -1))  # the first part stands on top
        up = Axis("" if grid else "part", -0.5, height - 0.5, ticks=numbers)
        panel = Panel("parts", across, up, "Parts", equal=grid is not None)
        extent = (-0.5, width - 0.5, -0.5, height - 0.5)
        if not k:
            return panel, []
        signs = Deferred(lambda step: drawn((scaled(step) < 0).astype(np.uint8)), steps)
        sizes = Deferred(lambda step: drawn(np.round(255 * np.abs(scaled(step))).astype(np.uint8)), steps)
        weights = np.arange(k)[:, None] * self.problem.X.shape[1] + self.columns + 1
        # Frames lie over the weights, so they are there only while the ledger speaks of whole parts.
        whole = [step.phase not in ("component", "done") or isinstance(self.problem, BagsProblem) for step in steps]
        shape = (1, p) if grid is None else grid
        beside, gap = (1, 0) if grid is None else (PARTS_ACROSS, 1)
        frames = tile_frames(k, beside, shape, gap, -0.5, whole, panel="parts", of="part")
        return panel, [
            Raster(panel="parts", pixels=PerFrame(signs), shade=PerFrame(sizes), width=width, height=height,
                   extent=extent, opacity=1.0, crisp=True, numbers=drawn(weights), of="weight"),
            frames,
        ]  # fmt: skip

    def codes(self, steps: Sequence[FactorStep]) -> tuple[Panel, list[Mark]]:
        """Return the rows by their first two codes."""
        problem, n = self.problem, len(self.problem.X)

        def places(step: FactorStep) -> Floats:
            return np.column_stack([step.codes, np.zeros((n, 2))])[:, :2]

        last = places(self.last)
        x, y = (Axis(f"code {axis + 1}", *bounds(last[:, axis])) for axis in (0, 1))
        named = problem.classes and problem.y is not None
        color = np.asarray(problem.y, np.uint8) if named else np.full(n, NO_CLASS, np.uint8)

        def inside(axis: int, ends: Axis) -> Channel:
            if n > MOVING:
                return last[:, axis]
            return PerFrame([np.clip(places(step)[:, axis], ends.low, ends.high) for step in steps])

        points = Points(
            panel="codes", x=inside(0, x), y=inside(1, y), color=color, symbol=[0], size=[2.5],
            labels=problem.labels, numbers=problem.rows + 1, data=True, tween=n <= MOVING,
        )  # fmt: skip
        return Panel("codes", x, y, "Rows by two codes", side=True), [points]


def _tiles(rows: Pixels, grid: tuple[int, int], between: int, most: int) -> Pixels:
    """Return pictures beside each other and, from so many on, below each other, a pixel apart."""
    height, width = grid
    k = len(rows)
    across = max(1, min(most, k))
    down = max(1, -(-k // across))
    sheet = np.full((down * (height + 1) - 1, across * (width + 1) - 1), between, rows.dtype)
    for i, row in enumerate(rows):
        top, left = i // across * (height + 1), i % across * (width + 1)
        sheet[top : top + height, left : left + width] = row.reshape(height, width)
    return sheet


def _energy(steps: Sequence[FactorStep], shown: NDArray[np.intp]) -> tuple[Panel, list[Mark]]:
    """Return the energy that is kept after each step."""
    kept = np.clip([step.energy for step in steps], -0.05, 1.0)
    at = np.arange(len(steps), dtype=float)
    across = Axis("step", -0.02 * len(steps), max(1.02 * (len(steps) - 1), 1.0), integer=True)
    panel = Panel("energy", across, Axis("share", min(0.0, float(kept.min())), 1.05), "Energy kept", side=True)
    now = [at[i : i + 1] for i in shown]
    return panel, [
        Line(panel="energy", x=at, y=kept, color="muted", width=1.5, of=""),
        Points(panel="energy", x=PerFrame(now), y=PerFrame([kept[i : i + 1] for i in shown]), color=[0], size=[5.0],
               emphasis=True, leads="x", of=""),
    ]  # fmt: skip
