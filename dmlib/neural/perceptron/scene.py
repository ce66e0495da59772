"""The perceptron as a picture: the boundary that mistakes turn, and the mistakes of each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.ledger import Narrator
from dmlib.neural.perceptron.neuron import MAX_ROW_STEPS, LinearUnit, NeuronStep
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points
from dmlib.pictures.places import NOWHERE, line_through, path_until, points_at, segments_between
from dmlib.pictures.plane import across
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    query_handle,
    region_panel,
    shade_of,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, needs_steps, story
from dmlib.problem import Problem

COARSE = 24  # pixels along each side of the image of a step
ARROW = 0.25  # of the panel: the longest weight vector
RING = 9.0  # radius in pixels of the ring around the row
RING_OF_MISTAKE = 12.0


@needs_steps
def perceptron_scene(run: Run[Problem, LinearUnit]) -> Scene:
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
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> scene = perceptron_scene(Run.of(problem, Perceptron(max_iter=1)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'update', 'update', 'epoch', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    narrator = Narrator(run)
    plane = WeightPlane(problem, region_panel(problem), run.model.fit_intercept)
    longest = plane.longest([step.weights for step in steps])
    has_memory = run.model.keep != "last"
    surface = run.surface if steps[-1].phase == "done" else None
    rows, costs = class_points(problem), _epoch_costs(steps)

    def draw(moment: Moment) -> Drawing:
        step: NeuronStep = moment.step
        is_fitted = moment.is_last and surface is not None
        image = None if is_fitted else plane.image(step.decision_weights)
        marks = (
            *step_surfaces(image, COARSE, surface, plane.panel),
            plane.boundary_before(step, moment.before),
            *plane.boundaries(step, has_memory),
            plane.arrow(step.weights, longest),
            _ring(problem, step),
            rows,
            *path_until(costs, moment.so_far, panel="epochs"),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plane.panel, _epoch_panel(costs, isinstance(run.model, Adaline))),
        fold=Fold.count_of("epoch"),
        legend=class_legend(problem, Key("weights w", kind="line")),
        handles=(query_handle(run.query),),
        notes=(*held_note(problem), *_rows_note(steps)),
    )


def _rows_note(steps: Sequence[NeuronStep]) -> tuple[str, ...]:
    n_rows = sum(step.row is not None for step in steps)
    if n_rows != MAX_ROW_STEPS:
        return ()
    return (f"The first {n_rows} rows are a step each; after them, each epoch is one.",)


@dataclass(frozen=True)
class WeightPlane:
    """Weights in the data plane: regions, boundary, and the vector across it.

    Attributes
    ----------
    problem : Problem
        The data.
    panel : Panel
        The panel of their plane.
    has_intercept : bool
        Whether the first weight is that of the constant term.
    """

    problem: Problem
    panel: Panel
    has_intercept: bool

    def _slopes(self, weights: Floats) -> Floats:
        """Return the slopes of the sum along the two axes."""
        slopes: Floats = self.problem.plane.basis @ weights[int(self.has_intercept) :]
        return slopes

    def _origin(self, weights: Floats) -> float:
        """Return the sum at the plane's (0, 0)."""
        intercept = float(weights[0]) if self.has_intercept else 0.0
        return intercept + float(weights[int(self.has_intercept) :] @ self.problem.plane.base)

    def longest(self, weights: Sequence[Floats]) -> float:
        """Return the length of the longest weight vector, as a part of the panel."""
        slopes = np.array([self._slopes(w) for w in weights])
        return float((np.abs(slopes) / self.panel.size).max()) or 1.0

    def image(self, weights: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the class and the opacity of each pixel; weights of 0 have no image."""
        if not weights.any():
            return np.empty(0, np.uint8), np.empty(0, np.uint8)
        x, y = (_pixel_middles(axis) for axis in (self.panel.x, self.panel.y))
        slopes = self._slopes(weights)
        score = self._origin(weights) + slopes[0] * x[None, :] + slopes[1] * y[::-1, None]
        return (score > 0).astype(np.uint8).ravel(), shade_of(np.clip(np.abs(score), 0, 1)).ravel()

    def boundary(self, weights: Floats) -> Floats:
        """Return the ends of the boundary in the panel, shape (2, 2), or none outside of it."""
        ends = across(self._origin(weights), self._slopes(weights), 0.0, self.panel)
        return NOWHERE if np.isnan(ends).any() else ends

    def boundary_before(self, step: NeuronStep, before: NeuronStep) -> Line:
        """Return the boundary that an update has turned."""
        ends = self.boundary(before.weights) if step.phase == "update" else NOWHERE
        return line_through(ends, color="muted", width=1.5, dash=True)

    def boundaries(self, step: NeuronStep, has_memory: bool) -> tuple[Line, ...]:
        """Return the boundary; with a memory, also that of the weights for predictions."""
        ends = self.boundary(step.weights)
        if not has_memory:
            return (line_through(ends, width=2.5),)
        return (
            line_through(ends, color="muted", width=1.5),
            line_through(self.boundary(step.decision_weights), width=2.5),
        )

    def arrow(self, weights: Floats, longest: float) -> Mark:
        """Return the weight vector, from the middle of the boundary."""
        ends = self.boundary(weights)
        foot = ends.mean(axis=0, keepdims=True) if len(ends) else NOWHERE
        tip = foot + ARROW * self._slopes(weights) / longest
        return segments_between(foot, tip, arrow=True, width=2.5, numbers=[1], of="weights")


def _pixel_middles(axis: Axis) -> Floats:
    middles: Floats = axis.low + (axis.high - axis.low) * (np.arange(COARSE) + 0.5) / COARSE
    return middles


def _ring(problem: Problem, step: NeuronStep) -> Points:
    """Return the ring around the row of a step, in the colour of its class if it is a mistake."""
    is_mistake = step.sign * step.score <= 0
    return points_at(
        NOWHERE if step.row is None else problem.points[problem.trained][step.row],
        color=[int(step.sign > 0) if is_mistake else NO_CLASS],
        size=[RING_OF_MISTAKE if is_mistake else RING],
        symbol=[0],
        opacity=[0.9],
        of="",
    )


def _epoch_costs(steps: Sequence[NeuronStep]) -> Floats:
    """Return the number and the cost of each epoch, shape (n_epochs, 2)."""
    costs = [(step.epoch, step.cost) for step in steps if step.phase == "epoch"]
    return np.array(costs, float).reshape(-1, 2)


def _epoch_panel(costs: Floats, is_adaline: bool) -> Panel:
    """Return the panel of the mistakes, or the mean squared error, of each epoch."""
    last = max(len(costs), 1)
    first = 0.5 if last == 1 else 1 - 0.02 * last
    label, title = "mistakes", "Mistakes of each epoch"
    if is_adaline:
        label, title = "error", "Mean squared error of each epoch"
    return Panel(
        "epochs",
        Axis("epoch", first, 1.02 * last, integer=True),
        Axis(label, *bounds([0.0, *costs[:, 1]], 0.1), integer=not is_adaline),
        title=title,
        side=True,
    )
