"""Many classes by binary problems as a picture: one boundary a step, the code, and where the votes contradict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.ndimage import zoom

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.multiclass.binary_step import BinaryStep, agreeing, contradictory
from dmlib.classification.multiclass.ledger import Teller
from dmlib.pictures.bars import class_bars
from dmlib.pictures.contours import contours
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster, Rects, Texts
from dmlib.pictures.motion import at_last, per_frame, thin, thinned_note, xy
from dmlib.pictures.plane import data_points, data_scene
from dmlib.pictures.regions import (
    FAINT,
    class_legend,
    coarse_surfaces,
    held_note,
    query_handle,
    region_panel,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.problem import Problem, Query

MOST_FRAMES = 60
COARSE = 72  # pixels along each side of the image of a step
FINER = 4  # pixels of the hatching for one of these,
MOST_FINE = 50  # of so many problems
STRIPE, GAP = 2, 10  # width of a stripe, and from one to the next
CLAIMED = 190  # shade of a pixel that a single class claims
FADED = 0.12  # opacity of rows that a problem leaves out
RING = 8.0
MOST_SIGNS = 150  # cells of a code matrix whose signs are written
MOST_NAMES = 6  # class names that fit under an axis
DONE, TO_COME = 0.8, 0.25  # opacity of the code's columns,
NEGATIVE = 0.4  # and by what that of a negative cell is multiplied


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # fitted
    steps: Sequence[BinaryStep]
    at: Ints  # (n_frames,): the numbers of the steps that are drawn
    panel: Panel
    query: Query

    @cached_property
    def shown(self) -> list[BinaryStep]:
        """The steps that are drawn."""
        return [self.steps[i] for i in self.at]

    @cached_property
    def codes(self) -> Bytes:
        """The code of each class of the machine among those of the data."""
        return np.asarray(self.model.classes_, np.uint8)

    @cached_property
    def axes(self) -> tuple[Floats, Floats]:
        """The middles of the coarse pixels, from left to right and from top to bottom, and one beyond each edge."""
        sides = (self.panel.x.low, self.panel.x.high), (self.panel.y.high, self.panel.y.low)
        x, y = (a + (np.arange(-1, COARSE + 1) + 0.5) * (b - a) / COARSE for a, b in sides)
        return x, y

    @cached_property
    def values(self) -> Floats:
        """The value of every problem at these, shape (COARSE + 2, COARSE + 2, n_problems)."""
        x, y = self.axes
        places = self.problem.plane.lift_grid(x, y)
        values: Floats = self.model.answers(self.problem.table(places))[0]
        return values.reshape(len(y), len(x), -1)


def multiclass_scene(run: Run) -> Scene:
    """Draw the binary problems of a machine for many classes, one after the other, and what they say together.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.OneVsRestClassifier`, :class:`dmlib.classification.OneVsOneClassifier` or
        :class:`dmlib.classification.OutputCodeClassifier`.

    Returns
    -------
    Scene
        One frame for each problem, of very many for every few, and one for the answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import OneVsOneClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "c": list("xxyyzz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> [frame.phase for frame in multiclass_scene(Run.of(problem, OneVsOneClassifier())).frames]
    ['train', 'train', 'train', 'decode']
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    at = thin(len(trace.steps), MOST_FRAMES)
    picture = Picture(problem, run.fitted, trace.steps, at, region_panel(problem), run.asked)
    teller = Teller(problem, run.fitted, run.asked, trace.steps)
    code, (vote_panel, votes) = _code_panel(picture), _votes(picture, teller)
    marks: list[Mark] = [
        *_regions(picture, run.surface),
        _hatching(picture, 1 if run.moving else FINER),
        _boundary(picture),
        _rings(picture),
        _rows(picture),
        *_code(picture, code),
        votes,
    ]
    frames = Deferred(teller.frame, at.tolist())
    notes = (*problem.notes, *held_note(problem), *_notes(picture))
    legend = (*class_legend(problem), Key("ring: misclassified", symbol=0, hollow=True))
    return Scene((picture.panel, code, vote_panel), marks, frames, notes, (query_handle(run.asked),), legend)


def _notes(picture: Picture) -> tuple[str, ...]:
    rows = (
        "In a problem, symbols are those of the classes; the positive side has the colour of its first class, a "
        "negative side of several classes is grey, and rows that the problem leaves out are faint."
    )
    places = "Grey, and at the end hatched: no class has the most votes, or several have."
    counts = np.bincount(np.searchsorted(picture.codes, np.asarray(picture.problem.training.y)))
    single = [picture.problem.classes[picture.codes[c]] for c in np.flatnonzero(counts == 1)]
    lonely = (f"A class of one row cannot be learned well: {', '.join(single)}.",) if single else ()
    return rows, places, *lonely, *thinned_note(picture.at)


# --- the plane --------------------------------------------------------------------------------------------------------


def _regions(picture: Picture, last: Raster) -> list[Raster]:
    """Return the class with most votes of the problems so far, coarsely, and at the end finely what is predicted."""
    positive = (picture.values[1:-1, 1:-1] > picture.model.even).reshape(COARSE * COARSE, -1)
    colors, shades = [], []
    for step in picture.shown:
        votes = agreeing(step.signs[:, : step.number], positive[:, : step.number])
        tied = contradictory(votes)
        colors.append(np.where(tied, NO_CLASS, picture.codes[votes.argmax(axis=1)]).astype(np.uint8))
        shades.append(np.where(tied, FAINT, CLAIMED).astype(np.uint8))
    return coarse_surfaces(colors, shades, COARSE, last, picture.panel)


def _hatching(picture: Picture, fine: int) -> Raster:
    """Return stripes, in the last frame, where the votes contradict each other, ``fine`` times as fine as the rest."""
    signs, even = picture.model.signs, picture.model.even
    fine = fine if signs.shape[1] <= MOST_FINE else 1
    size = fine * COARSE
    votes = np.zeros((size * size, len(signs)), np.intp)
    for i in range(signs.shape[1]):
        inner = picture.values[1:-1, 1:-1, i]
        positive = (inner if fine == 1 else zoom(inner, fine, order=1, grid_mode=True, mode="nearest")) > even
        votes += agreeing(signs[:, [i]], positive.reshape(-1, 1))
    stripes = np.add.outer(np.arange(size), np.arange(size)).ravel() % GAP < STRIPE
    shade = np.where(contradictory(votes) & stripes, 255, 0).astype(np.uint8)
    nobody, frames = np.full(size * size, NO_CLASS, np.uint8), len(picture.at)
    return Raster(
        pixels=at_last(nobody, frames), shade=at_last(shade, frames), width=size, height=size,
        extent=picture.panel.extent, opacity=0.4,
    )  # fmt: skip


def _boundary(picture: Picture) -> Line:
    """Return the boundary of the problem of each frame."""
    x, y = picture.axes
    lines = [
        contours(picture.values[::-1, :, step.number - 1], x, y[::-1], picture.model.even)
        if step.phase == "train"
        else None
        for step in picture.shown
    ]
    line_x, line_y = xy(lines)
    return Line(x=line_x, y=line_y, color="ink", width=2.5)


def _rows(picture: Picture) -> Points:
    """Return the samples: the rows of the problem in two colours, at the end all in those of their classes."""
    problem = picture.problem
    y = np.asarray(problem.y)
    colors, there = [], []
    for step in picture.shown:
        if step.phase == "decode":
            colors.append(y.astype(np.uint8))
            there.append(np.ones(len(y)))
            continue
        column = step.signs[:, step.number - 1]
        sides = dict(zip(picture.codes.tolist(), column.tolist(), strict=True))
        of_row = np.array([sides.get(code, 0) for code in y.tolist()])
        color = np.where(of_row > 0, _color(picture, column, 1), _color(picture, column, -1))
        colors.append(np.where(of_row == 0, y, color).astype(np.uint8))
        there.append(np.where(of_row == 0, FADED, 1.0))
    return data_points(
        problem, color=per_frame(np.array(colors)), classes=problem.classes, symbol=y.astype(np.uint8),
        opacity=per_frame(np.array(there)),
    )  # fmt: skip


def _color(picture: Picture, column: Ints, side: int) -> int:
    """Return the colour of a side: that of its only class; of several the first, or on the negative side none."""
    members = picture.codes[column == side]
    return int(members[0]) if len(members) == 1 or (side > 0 and len(members)) else NO_CLASS


def _rings(picture: Picture) -> Points:
    """Return a ring around each row that the problem's classifier misclassifies; at the end, that all do together."""
    problem = picture.problem
    wrong = [
        problem.trained[
            np.flatnonzero(picture.model.predict(problem.training.data) != problem.training.y)
            if step.phase == "decode"
            else step.rows[step.said != step.positive]
        ]
        for step in picture.shown
    ]
    x, y = xy(problem.points[some] for some in wrong)
    return Points(x=x, y=y, size=[RING], color=[NO_CLASS], symbol=[0], hollow=[1], of="")


# --- beside it --------------------------------------------------------------------------------------------------------


def _names(picture: Picture) -> list[str]:
    names = [picture.problem.classes[code] for code in picture.codes]
    return names if len(names) <= MOST_NAMES else [str(i + 1) for i in range(len(names))]


def _code_panel(picture: Picture) -> Panel:
    n_classes, n_problems = picture.model.signs.shape
    few = n_problems <= 2 * MOST_NAMES
    ticks = tuple(str(i + 1) for i in range(n_problems)) if few else ()
    x = Axis("problem", -0.5, n_problems - 0.5, ticks=ticks) if few else Axis("problem", 0.5, n_problems + 0.5, True)
    y = Axis("class", -0.5, n_classes - 0.5, ticks=_names(picture)[::-1])
    return Panel("code", x, y, title="Code: side of each class", side=True)


def _code(picture: Picture, panel: Panel) -> list[Mark]:
    """Return the code matrix: positive in the colour of the class, negative grey; a frame around this column."""
    signs = picture.model.signs
    n_classes, shift = len(signs), 0 if panel.x.ticks else 1
    rows, columns = np.nonzero(signs)
    sign, x, y = signs[rows, columns], columns + float(shift), (n_classes - 1 - rows).astype(float)
    paler = np.where(sign > 0, 1.0, NEGATIVE)
    shades = [paler * np.where(columns < step.number, DONE, TO_COME) for step in picture.shown]
    cells = Rects(
        panel="code", x0=x - 0.45, x1=x + 0.45, y0=y - 0.45, y1=y + 0.45,
        color=np.where(sign > 0, picture.codes[rows], NO_CLASS).astype(np.uint8),
        opacity=per_frame(np.array(shades)), numbers=columns + 1, of="problem",
    )  # fmt: skip
    marks: list[Mark] = [cells]
    if signs.size <= MOST_SIGNS:
        marks.append(Texts(panel="code", x=x, y=y, text=["+" if each > 0 else "−" for each in sign]))
    box = np.array([[-0.5, -0.5], [-0.5, n_classes - 0.5], [0.5, n_classes - 0.5], [0.5, -0.5], [-0.5, -0.5]])
    lit = [box + np.array([step.number - 1 + shift, 0]) if step.phase == "train" else None for step in picture.shown]
    lit_x, lit_y = xy(lit)
    return [*marks, Line(panel="code", x=lit_x, y=lit_y, color="accent", width=3)]


def _votes(picture: Picture, teller: Teller) -> tuple[Panel, Rects]:
    y = Axis("votes", 0.0, 1.05 * int(np.abs(picture.model.signs).sum(axis=1).max()), integer=True)
    heights = [teller.votes(step.number).astype(float) for step in picture.shown]
    return class_bars("votes", picture.problem.classes, picture.codes, heights, y, "Votes at the place")
