"""The perceptron as a picture: the boundary turns at each wrong row, and the mistakes are counted epoch by epoch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.ledger import MOST_TERMS, mistake_blocks, query_blocks, row_blocks, weight_table
from dmlib.neural.perceptron.margin import Margin, margin_of
from dmlib.neural.perceptron.neuron import ROWS_SHOWN, NeuronStep
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, LedgerTable
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.motion import moves, path, thin, thinned_note, with_before, xy
from dmlib.pictures.plane import across, data_scene
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    coarse_surfaces,
    error_table,
    held_note,
    query_handle,
    region_panel,
    shade_of,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene, bounds
from dmlib.pictures.words import count, num
from dmlib.problem import Problem, Query

COARSE = 24  # pixels along each side of the image of a frame
ARROW = 0.25  # of the panel: the longest weight vector
RING = 9.0  # radius of the ring around the row
KEPT = {"best": "best so far, in the pocket", "average": "average so far"}


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # the estimator, not fitted
    Z: Floats  # (n_samples, n_terms): the terms of the training rows
    names: list[str]  # the terms, the intercept first
    margin: Margin | None  # None while the run has not ended, and where the bound does not hold
    why_not: str  # there is no bound

    @property
    def constant(self) -> int:
        """How many terms are constant: 1 with an intercept, else 0."""
        return int(self.model.fit_intercept)

    def in_plane(self, weights: Floats) -> tuple[float, Floats]:
        """Return the sum at (0, 0) of the plane and its slopes along the two axes."""
        slopes, plane = weights[self.constant :], self.problem.plane
        start = float(weights[0]) if self.constant else 0.0
        return start + float(slopes @ plane.base), plane.basis @ slopes

    @property
    def numbers(self) -> list[int | None]:
        """The number of the arrow for the terms whose weights it shows; None for the others."""
        return [*[None] * self.constant, *(1 if way.any() else None for way in self.problem.plane.basis.T)]


def perceptron_scene(run: Run) -> Scene:
    """Draw the steps of a perceptron or of Adaline.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Perceptron` or :class:`dmlib.neural.Adaline`.

    Returns
    -------
    Scene
        One frame for the start, each row (later each epoch; of very many, every few), and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import Perceptron
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]}), ["x"], target="c", labelled=True)
    >>> scene = perceptron_scene(Run.of(problem, Perceptron(max_iter=1)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'update', 'update', 'epoch', 'done']
    """
    problem, trace, query = run.problem, run.trace, run.query
    if not trace.steps:
        return data_scene(problem, trace.reason)
    at = thin(len(trace.steps))
    pairs = with_before(trace.steps, at)
    picture = _picture(run)
    frames = Deferred(lambda pair: _frame(picture, run, pair[0], pair[1], query), pairs)
    panel = region_panel(problem)
    side, curve = _epochs(picture, trace.steps, at)
    surface = run.surface if trace.steps[-1].phase == "done" else None
    marks = [*_regions(picture, pairs, panel, surface), *_lines(picture, pairs, panel), *_row(picture, pairs)]
    marks += [class_points(problem), *curve]
    notes = (*problem.notes, *held_note(problem), *_rows_note(trace.steps), *thinned_note(at))
    return Scene((panel, side), marks, frames, notes, (query_handle(query),), class_legend(problem))


def _picture(run: Run) -> Picture:
    problem, model, last = run.problem, run.model, run.trace.steps[-1]
    learned = problem.training
    names = [*(["intercept"] if model.fit_intercept else []), *problem.features]
    margin, why_not = None, ""
    if not isinstance(model, Adaline) and last.phase == "done":
        codes = np.asarray(learned.y, np.intp)
        key = f"margin {model.fit_intercept} {last.converged}"  # whatever the rate
        if key not in problem.made:
            problem.made[key] = margin_of(model, np.asarray(learned.X, float), codes, last.converged)
        margin = problem.made[key]
        if not margin.separable:
            why_not = "no bound, since no line separates the classes"
        elif run.trace.steps[0].weights.any():
            margin, why_not = None, "the bound (R / γ)² holds for initial weights of zero"
        elif np.isnan(margin.bound):
            why_not = "the margin was not computed, or is too narrow for a bound"
    return Picture(problem, model, model.terms(np.asarray(learned.X, float)), names, margin, why_not)


def _rows_note(steps: tuple[NeuronStep, ...]) -> tuple[str, ...]:
    n_rows = sum(step.row is not None for step in steps)
    return (f"The first {n_rows} rows are a step each; after them, each epoch is one.",) * (n_rows == ROWS_SHOWN)


# --- captions ---------------------------------------------------------------------------------------------------------


def _frame(picture: Picture, run: Run, step: NeuronStep, before: NeuronStep, query: Query | None) -> Frame:
    ledger: Blocks = []
    if step.row is not None:
        caption = _row_caption(picture, step)
        ledger += row_blocks(picture.names, picture.Z[step.row], step, before.weights, picture.model)
    else:
        caption = {"start": _start, "epoch": _epoch, "done": _done}[step.phase](picture, step)
        ledger.append(weight_table(picture.names, "Weights", w=step.weights))
    ledger = [
        replace(block, by="weights", numbers=picture.numbers[:MOST_TERMS]) if isinstance(block, LedgerTable) else block
        for block in ledger
    ]
    if not isinstance(picture.model, Adaline):
        ledger += mistake_blocks(step, picture.margin, picture.why_not)
    if step.kept is not step.weights and getattr(picture.model, "keep", "last") != "last":
        ledger.append(weight_table(picture.names, f"Weights that are {KEPT[picture.model.keep]}", w=step.kept))
    if step.phase == "done":
        ledger.append(error_table(picture.problem, run.fitted))
    if query is not None:
        ledger = [*query_blocks(picture.problem, query, picture.names, step.kept, picture.constant), *ledger]
    return Frame(caption, ledger, step.phase)


def _start(picture: Picture, step: NeuronStep) -> str:
    if step.weights.any():
        return "Start: the boundary of the initial weights."
    return "Start: all weights are 0, so there is no boundary yet."


def _row_caption(picture: Picture, step: NeuronStep) -> str:
    row = int(picture.problem.training.rows[step.row or 0]) + 1
    name, sum_ = picture.problem.classes[int(step.sign > 0)], num(step.score)
    if isinstance(picture.model, Adaline):
        return f"Row {row}, epoch {step.epoch}: the sum {sum_} is moved towards {num(step.sign)}, class {name}."
    if step.phase == "right":
        return f"Row {row}, epoch {step.epoch}: the sum {sum_} is on the side of {name}, so the weights stay."
    how = "on the line" if step.score == 0 else "on the wrong side"
    return (
        f"Row {row}, epoch {step.epoch}: {name} is {how}, so η y x is added to the weights; mistake {step.n_mistakes}."
    )


def _epoch(picture: Picture, step: NeuronStep) -> str:
    if isinstance(picture.model, Adaline):
        return f"Epoch {step.epoch} ends: the mean squared error of its rows was {num(step.cost)}."
    return f"Epoch {step.epoch} ends with {count(int(step.cost), 'mistake', 'mistakes')}."


def _done(picture: Picture, step: NeuronStep) -> str:
    epochs, mistakes = count(step.epoch, "epoch", "epochs"), count(step.n_mistakes, "mistake", "mistakes")
    if isinstance(picture.model, Adaline):
        return f"Done after {epochs}. {step.reason}".strip()
    sentences = [f"Done after {epochs} with {mistakes}.", step.reason]
    if step.converged:
        return " ".join(sentences)
    if picture.margin is not None and not picture.margin.separable:
        sentences.append("No line separates these classes, so the perceptron never converges.")
    else:
        sentences.append("A line separates the classes: more epochs will find it.")
    if step.cycle:
        first, again = step.cycle
        since = f"after epoch {first}" if first else "of the start"
        sentences.append(f"The weights after epoch {again} are those {since}: everything repeats.")
    return " ".join(sentences)


# --- the plane --------------------------------------------------------------------------------------------------------

Pairs = list[tuple[NeuronStep, NeuronStep]]


def _regions(picture: Picture, pairs: Pairs, panel: Panel, surface: Raster | None) -> list[Raster]:
    """Return the regions of the kept weights in each frame; the stronger, the larger the sum, up to 1."""
    x, y = (axis.low + (axis.high - axis.low) * (np.arange(COARSE) + 0.5) / COARSE for axis in (panel.x, panel.y))
    nothing = np.empty(0, np.uint8)

    def image(kept: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        if not kept.any():
            return nothing, nothing
        start, slopes = picture.in_plane(kept)
        score = start + slopes[0] * x[None, :] + slopes[1] * y[::-1, None]
        return (score > 0).astype(np.uint8).ravel(), shade_of(np.clip(np.abs(score), 0, 1)).ravel()

    images: dict[bytes, tuple[NDArray[np.uint8], NDArray[np.uint8]]] = {}  # weights that stay have one image

    def found(pair: tuple[NeuronStep, NeuronStep]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        kept = pair[0].kept
        return images.setdefault(key, image(kept)) if (key := kept.tobytes()) not in images else images[key]

    each = Deferred(found, pairs)
    winner, shade = (Deferred(lambda some, k=k: some[k], each) for k in (0, 1))
    return coarse_surfaces(winner, shade, COARSE, surface, panel)


def _lines(picture: Picture, pairs: Pairs, panel: Panel) -> list[Mark]:
    """Draw the boundary, where it was before an update, and the weight vector across it."""
    now = Deferred(lambda pair: across(*picture.in_plane(pair[0].weights), 0.0, panel), pairs)
    turned = Deferred(
        lambda pair: across(*picture.in_plane(pair[1].weights), 0.0, panel) if pair[0].phase == "update" else None,
        pairs,
    )
    keeps = getattr(picture.model, "keep", "last") != "last"
    (x, y), (old_x, old_y) = xy(now), xy(turned)
    marks: list[Mark] = [Line(x=old_x, y=old_y, color="muted", width=1.5, dash=True)]
    marks.append(Line(x=x, y=y, color="muted" if keeps else "ink", width=1.5 if keeps else 2.5, tween=True))
    if keeps:
        kept_x, kept_y = xy(Deferred(lambda pair: across(*picture.in_plane(pair[0].kept), 0.0, panel), pairs))
        marks.append(Line(x=kept_x, y=kept_y, color="ink", width=2.5, tween=True))
    slopes = np.array([step.weights[picture.constant :] for step, _ in pairs]) @ picture.problem.plane.basis.T
    longest = float((np.abs(slopes) / panel.size).max())
    feet = Deferred(lambda line: None if np.isnan(line).any() else line.mean(axis=0)[None], now)
    tips = Deferred(lambda foot, w: None if foot is None else foot + ARROW * w / longest, feet, list(slopes))
    return [*marks, moves(feet, tips, width=2.5, tween=True, numbers=[1], of="weights")]


def _row(picture: Picture, pairs: Pairs) -> list[Mark]:
    """Ring the row whose turn it is, in the colour of its class if it is wrong; the ring lies under the rows."""
    problem = picture.problem
    points = problem.points[problem.trained]
    rows = [None if step.row is None else points[step.row][None] for step, _ in pairs]
    colors = [np.array([] if step.row is None else [_ring_color(step)], np.uint8) for step, _ in pairs]
    x, y = xy(rows)
    sizes = PerFrame([np.array([] if step.row is None else [_ring_size(step)]) for step, _ in pairs])
    return [Points(x=x, y=y, color=PerFrame(colors), size=sizes, symbol=[0], opacity=[0.9], of="")]


def _ring_color(step: NeuronStep) -> int:
    return int(step.sign > 0) if step.sign * step.score <= 0 else NO_CLASS


def _ring_size(step: NeuronStep) -> float:
    return RING + 3 * (step.sign * step.score <= 0)


# --- beside the plane -------------------------------------------------------------------------------------------------


def _epochs(picture: Picture, steps: tuple[NeuronStep, ...], at: NDArray[np.intp]) -> tuple[Panel, list[Mark]]:
    """Return the mistakes, or the mean squared error, epoch by epoch."""
    ends = [(i, step) for i, step in enumerate(steps) if step.phase == "epoch"]
    places = np.array([(step.epoch, step.cost) for _, step in ends], float).reshape(-1, 2)
    reached = np.searchsorted([i for i, _ in ends], at, side="right")
    adaline = isinstance(picture.model, Adaline)
    last = max(len(ends), 1)
    x = Axis("epoch", 0.5 if last == 1 else 1 - 0.02 * last, 1.02 * last, integer=True)
    low, high = bounds([0.0, *places[:, 1]], 0.1)
    label, title = ("error", "Mean squared error of each epoch") if adaline else ("mistakes", "Mistakes of each epoch")
    panel = Panel("epochs", x, Axis(label, low, high, integer=not adaline), title=title, side=True)
    return panel, list(path(places, reached, panel="epochs"))
