"""A support vector machine as a picture: boundary and margins, support vectors and slacks, the pair in its box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.ledger import Teller
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.contours import contours
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Segments, Texts
from dmlib.pictures.motion import at_last, path, thin, thinned_note, with_before, xy
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    coarse_surfaces,
    held_note,
    query_handle,
    region_panel,
    shade_of,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, step_panel
from dmlib.problem import Problem, Query

MOST_FRAMES = 34
RINGS = 2500  # support vectors drawn in all frames together
COARSE = 20  # pixels along each side of the image of the decision values in a frame
GRID = 2 * COARSE + 1  # places along each side at which they are computed: every second one is the middle of a pixel
FINE, MOST_VALUES = 91, 1_000_000  # places along each side in the last frame; kernel values that are spent on them
EXACT = 1e-11  # share of the numbers added up below which a difference of two sums is none
SMALL, LARGE = 7.0, 12.0  # radius of the ring of a support vector, by its multiplier
BEYOND = 3.0  # of the longer side of the box: what is farther away need not be drawn
MOST_SLACKS = 150
WALKS = 8  # steps of Newton's method to the edge of the margin
NUDGE = 1e-4  # share of the panel by which a place is moved to find the slope there
CLOSE = 0.02  # how near to the edge, in margins, is there


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    # the steps that are drawn, and the one before each in the run
    steps: list[SVCStep]
    before: list[SVCStep]
    at: Ints  # (n_frames,): their numbers in the run

    @property
    def kernel(self) -> Kernel:
        """The kernel, the same in all steps."""
        kernel = self.steps[0].kernel
        assert kernel is not None
        return kernel

    @cached_property
    def samples(self) -> Ints:
        """The sample that each multiplier belongs to."""
        return self.problem.trained[self.steps[0].rows]

    @cached_property
    def places(self) -> Floats:
        """Where the rows of the multipliers are drawn."""
        return self.problem.points[self.samples]

    @cached_property
    def signed(self) -> Floats:
        """The signed multipliers, shape (n_frames, m)."""
        return np.array([step.sign * step.alpha for step in self.steps])


def svm_scene(run: Run) -> Scene:
    """Draw the steps of a support vector machine for two classes.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.SVC` or :class:`dmlib.classification.NuSVC`; class 1 is y = +1.

    Returns
    -------
    Scene
        One frame for the start, each step (of very many, every few), and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SVC
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 4.0, 5.0], "c": ["no", "no", "yes", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True, positive="yes")
    >>> scene = svm_scene(Run.of(problem, SVC(kernel="linear")))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'pair', 'done']
    """
    problem, trace, query = run.problem, run.trace, run.query
    if not trace.steps:
        return data_scene(problem, trace.reason)
    ended = trace.steps[-1].phase == "done"
    model, surface = (run.fitted, run.surface) if ended else (run.model, None)
    at = shown(trace.steps)
    pairs = with_before(trace.steps, at)
    steps = [step for step, _ in pairs]
    picture = Picture(problem, steps, [before for _, before in pairs], at)
    teller = Teller(problem, model, steps[0], query)
    frames = Deferred(teller.frame, picture.steps, picture.before)
    panel = region_panel(problem)
    values = _decision_values(picture, panel, GRID)
    n_support = max(int(np.count_nonzero(steps[-1].alpha)), 1)
    size = int(np.clip((MOST_VALUES / n_support) ** 0.5, GRID, FINE))
    last = _decision_values(replace(picture, steps=steps[-1:]), panel, size)
    marks = [
        *_images(picture, values, surface, panel),
        *_lines(picture, values, last, panel),
        *_slacks(picture, panel),
        _rings(picture),
        class_points(problem),
        *_pair(picture),
        *_box_marks(picture),
        *path(np.column_stack([at, [step.objective for step in steps]]), range(1, len(at) + 1), panel="objective"),
    ]
    objective = step_panel(
        "objective",
        "W",
        len(trace.steps) - 1,
        [s.objective for s in trace.steps],
        "Dual objective after each step",
        0.08,
    )
    return Scene(
        (panel, _box_panel(picture), objective),
        marks,
        frames,
        _notes(picture, query),
        (query_handle(query),),
        (*class_legend(problem), Key("ring around a row: support vector, larger with α", symbol=0, hollow=True)),
    )


def shown(steps: Sequence[SVCStep]) -> Ints:
    """Return the numbers of the steps that are drawn: fewer where each has many rings."""
    widest = max(int((step.alpha > 0).sum()) for step in steps[:: max(len(steps) // 20, 1)])
    return thin(len(steps), int(np.clip(RINGS // max(widest, 1), 12, MOST_FRAMES)))


# --- the plane --------------------------------------------------------------------------------------------------------


def _decision_values(picture: Picture, panel: Panel, size: int) -> Deferred[Floats]:
    """Return the decision value at each place of a grid in each frame, shape (n_frames, size, size)."""
    x, y = _grid(panel, size)
    used = np.flatnonzero(picture.signed.any(axis=0))

    @cache
    def kernel() -> Floats:
        return picture.kernel(picture.problem.plane.lift_grid(x, y), picture.problem.X[picture.samples[used]])

    def values(signed: Floats, step: SVCStep) -> Floats:
        return (kernel() @ signed[used] + step.b).reshape(size, size)

    return Deferred(values, list(picture.signed), picture.steps)


def _grid(panel: Panel, size: int) -> tuple[Floats, Floats]:
    return np.linspace(panel.x.low, panel.x.high, size), np.linspace(panel.y.low, panel.y.high, size)


def _images(picture: Picture, values: Sequence[Floats], surface: Raster | None, panel: Panel) -> list[Raster]:
    """Return the decision values of every frame as a coarse image, and the fine one of the last.

    At a start where they all are 0, no place is of a class.
    """
    none = np.empty(0, np.uint8)
    middles = Deferred(lambda frame: frame[-2::-2, 1::2], values)  # from the top

    def sure(frame: Floats, step: SVCStep) -> Any:
        edge = step.margin if step.margin > 0 else np.inf
        return shade_of(np.clip(np.abs(frame) / edge, 0.0, 1.0)) if frame.any() else none

    winner = Deferred(lambda frame: (frame >= 0).astype(np.uint8) if frame.any() else none, middles)
    return coarse_surfaces(winner, Deferred(sure, middles, picture.steps), COARSE, surface, panel)


def _lines(picture: Picture, values: Sequence[Floats], last: Sequence[Floats], panel: Panel) -> list[Line]:
    """Draw where the decision value is 0 and where it is on the edges of the margin; in the last frame, finer."""
    noise, final = _noise(picture), len(picture.steps) - 1

    def line(side: int, frame: int) -> Floats:
        margin = picture.steps[frame].margin
        level = side * (margin if margin > 0 else np.nan) if side else 0.0
        return _level_line(last[-1] if frame == final else values[frame], level, noise[frame], panel)

    lines = []
    for side, color in ((-1, 0), (1, 1), (0, "ink")):
        xs, ys = xy(Deferred(partial(line, side), range(final + 1)))
        lines.append(Line(x=xs, y=ys, color=color, width=1.5 if side else 2.5, dash=bool(side)))
    return lines


def _level_line(values: Floats, level: float, noise: float, panel: Panel) -> Floats:
    """Return where values have a level; a plateau at the level has no line."""
    above = values - level
    above[np.abs(above) < noise] = 0.0
    return contours(above, *_grid(panel, len(values)), 0.0 * level)


def _noise(picture: Picture) -> Floats:
    """Return how exact the decision values of each frame are: they are sums that can cancel."""
    largest = float(np.abs(picture.kernel.diagonal(picture.problem.X[picture.samples])).max())
    sums = np.abs(picture.signed).sum(axis=1) * largest
    return np.array([EXACT * (total + abs(step.b)) for total, step in zip(sums, picture.steps, strict=True)])


def _rings(picture: Picture) -> Points:
    """Draw a ring around each support vector, as large as its multiplier."""
    used = [np.flatnonzero(step.alpha) for step in picture.steps]
    shares = [step.alpha[some] / _largest(picture) for step, some in zip(picture.steps, used, strict=True)]
    x, y = xy(picture.places[some] for some in used)
    size = PerFrame([SMALL + (LARGE - SMALL) * np.sqrt(share) for share in shares])
    return Points(x=x, y=y, size=size, color=[NO_CLASS], symbol=[0], hollow=[1])


def _largest(picture: Picture) -> float:
    """Return the multiplier that has the largest ring and the end of the box: the bound, unless none comes near it."""
    reached = float(max(step.alpha.max() for step in (*picture.steps, *picture.before)))
    bound = float(picture.steps[0].bound.max())
    return bound if reached > bound / 4 or reached == 0 else 1.15 * reached


def _pair(picture: Picture) -> list[Mark]:
    """Mark the rows whose multipliers move."""
    pairs = [[] if step.move is None else [step.move.i, step.move.j] for step in picture.steps]
    colors = [(step.sign[pair] > 0).astype(np.uint8) for step, pair in zip(picture.steps, pairs, strict=True)]
    x, y = xy(picture.places[pair] if pair else None for pair in pairs)
    return [
        Points(x=x, y=y, color=PerFrame(colors), emphasis=True),
        Texts(x=x, y=y, text=["α_i", "α_j"], dy=-18.0),
    ]


def _slacks(picture: Picture, panel: Panel) -> list[Segments]:
    """Draw, in the last frame, how far the rows inside the margin are from its edge."""
    last = picture.steps[-1]
    if last.phase != "done" or not picture.problem.plane.exact or last.margin <= 0:
        return []
    inside = np.flatnonzero(last.alpha >= last.bound)[:MOST_SLACKS]
    start = picture.places[inside]
    end = _to_edge(picture, start, last.sign[inside], panel)
    found = np.isfinite(end).all(axis=1)
    n_frames = len(picture.steps)
    x0, y0, x1, y1 = (at_last(place[found, axis], n_frames) for place in (start, end) for axis in (0, 1))
    colors = at_last((last.sign[inside][found] > 0).astype(np.uint8), n_frames)
    return [Segments(x0=x0, y0=y0, x1=x1, y1=y1, color=colors, width=1.2)]


def _to_edge(picture: Picture, start: Floats, sign: Floats, panel: Panel) -> Floats:
    """Return where the steepest way from each place meets the edge of its class's margin; NaN if it does not."""
    last, lift = picture.steps[-1], picture.problem.plane.lift
    used = np.flatnonzero(last.alpha)
    rows, weights = picture.problem.X[picture.samples[used]], picture.signed[-1, used]

    def value(places: Floats) -> Floats:
        result: Floats = picture.kernel(lift(places), rows) @ weights + last.b
        return result

    target = sign * last.margin
    width = panel.size
    small = width * NUDGE
    nudges = np.array([[0, 0], [small[0], 0], [-small[0], 0], [0, small[1]], [0, -small[1]]])
    place = start.copy()
    with np.errstate(all="ignore"):
        for _ in range(WALKS):
            here, right, left, up, down = value(np.vstack([place + nudge for nudge in nudges])).reshape(5, -1)
            slope = np.column_stack([right - left, up - down]) / (2 * small)
            step = (target - here)[:, None] * slope / (slope**2).sum(axis=1)[:, None]
            place = place + np.clip(step, -width / 8, width / 8)
        there = np.abs(value(place) - target) < CLOSE * last.margin
    near = (np.abs(place - start) < width / 2).all(axis=1)
    return np.where((there & near)[:, None], place, np.nan)


# --- beside it --------------------------------------------------------------------------------------------------------


def _box_panel(picture: Picture) -> Panel:
    top = _largest(picture)
    ends = (-0.1 * top, 1.12 * top)
    return Panel("box", Axis("α of i", *ends), Axis("α of j", *ends), title="SMO step in the box constraint", side=True)


def _box_marks(picture: Picture) -> list[Mark]:
    """Draw the pair's multipliers: the line that they must stay on, where they were, wanted to go, and went."""
    far = BEYOND * _largest(picture)  # what is farther is cut off outside of the panel
    line, was, went, top_of = ([np.empty((0, 2)) for _ in picture.steps] for _ in range(4))
    for frame, (step, before) in enumerate(zip(picture.steps, picture.before, strict=True)):
        if step.move is None:
            if frame:  # at the answer the last step of a pair stays
                for channel in (line, was, went, top_of):
                    channel[frame] = channel[frame - 1]
            continue
        pair = [step.move.i, step.move.j]
        old = before.alpha[pair]
        # Along the line, the second gains as much as the first: for rows of one class, as much as that loses.
        way = np.array([-1.0 if step.sign[pair[0]] == step.sign[pair[1]] else 1.0, 1.0])
        wanted = -step.sign[pair[1]] * step.move.wanted
        line[frame] = old + np.clip([[end - old[1]] for end in step.box], -far, far) * way
        top_of[frame] = old[None, :] + np.clip(wanted, -far, far) * way
        was[frame], went[frame] = old[None, :], step.alpha[None, pair]
    top = min(float(picture.steps[0].bound.max()), far)
    square = np.array([[0, 0], [top, 0], [top, top], [0, top], [0, 0]])
    where: dict[str, Any] = {"panel": "box"}
    x, y = zip(*(xy(places) for places in (line, was, went, top_of)), strict=True)
    return [
        Line(x=square[:, 0], y=square[:, 1], color="muted", width=1.5, **where),
        Line(x=x[0], y=y[0], color="ink", width=1.5, **where),
        Segments(x0=x[1], y0=y[1], x1=x[3], y1=y[3], width=1.0, **where),
        Segments(x0=x[1], y0=y[1], x1=x[2], y1=y[2], width=2.5, color=[0], arrow=True, **where),
        Points(x=x[1], y=y[1], color=[NO_CLASS], symbol=[0], hollow=[1], **where),
        Points(x=x[2], y=y[2], color=[0], symbol=[0], **where),
    ]


def _notes(picture: Picture, query: Query | None) -> tuple[str, ...]:
    problem = picture.problem
    notes = [*problem.notes, *held_note(problem), *thinned_note(picture.at)]
    if query is None:
        notes.append("Click a row or any place in the plane to see its decision value computed.")
    return tuple(notes)
