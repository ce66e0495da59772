"""The perceptron as a picture: the boundary that mistakes turn, and the mistakes of each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.epochs_scene import (
    COARSE,
    epoch_costs,
    epoch_panel,
    pixel_middles,
    ring,
    rows_note,
    sums_boundary,
    sums_image,
)
from dmlib.neural.perceptron.kernel import KernelPerceptron
from dmlib.neural.perceptron.kernel_scene import kernel_scene
from dmlib.neural.perceptron.ledger import Narrator
from dmlib.neural.perceptron.neuron import LinearUnit, NeuronStep
from dmlib.neural.perceptron.voted import majority
from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.places import NOWHERE, line_through, path_until, segments_between
from dmlib.pictures.plane import across
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    query_handle,
    region_panel,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, needs_steps, story
from dmlib.problem import Problem

ARROW = 0.25  # of the panel: the longest weight vector


@needs_steps
def perceptron_scene(run: Run[Problem, LinearUnit]) -> Scene:
    """Draw the steps of a perceptron, of one with a kernel, or of Adaline.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Perceptron`, :class:`dmlib.neural.VotedPerceptron`,
        :class:`dmlib.neural.KernelPerceptron` or :class:`dmlib.neural.Adaline`.

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
    if isinstance(run.model, KernelPerceptron):
        return kernel_scene(run)
    problem, steps = run.problem, run.trace.steps
    narrator = Narrator(run)
    plane = WeightPlane(problem, region_panel(problem), run.model)
    longest = plane.longest([step.weights for step in steps])
    has_memory = run.model.keep != "last"
    surface = run.surface if steps[-1].phase == "done" else None
    rows, costs = class_points(problem), epoch_costs(steps)

    def draw(moment: Moment) -> Drawing:
        step: NeuronStep = moment.step
        is_fitted = moment.is_last and surface is not None
        sums = plane.sums(step)
        image = None if is_fitted else sums_image(sums)
        marks = (
            *step_surfaces(image, COARSE, surface, plane.panel),
            *plane.boundaries(moment, sums, has_memory),
            plane.arrow(step.weights, longest),
            ring(problem, step),
            rows,
            *path_until(costs, moment.so_far, panel="epochs"),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plane.panel, epoch_panel(costs, isinstance(run.model, Adaline))),
        fold=Fold.count_of("epoch"),
        legend=class_legend(problem, Key("weights w", kind="line")),
        handles=(query_handle(run.query),),
        notes=(*held_note(problem), *rows_note(steps)),
    )


@dataclass(frozen=True)
class WeightPlane:
    """Weights in the data plane: regions, boundary, and the vector across it.

    Attributes
    ----------
    problem : Problem
        The data.
    panel : Panel
        The panel of their plane.
    model : LinearUnit
        The unit.
    """

    problem: Problem
    panel: Panel
    model: LinearUnit

    def _slopes(self, weights: Floats) -> Floats:
        """Return the slopes of the sum along the two axes."""
        slopes: Floats = self.problem.plane.basis @ weights[int(self.model.fit_intercept) :]
        return slopes

    def _origin(self, weights: Floats) -> float:
        """Return the sum at the plane's (0, 0)."""
        n = int(self.model.fit_intercept)
        return float(weights[:n].sum() + weights[n:] @ self.problem.plane.base)

    def longest(self, weights: Sequence[Floats]) -> float:
        """Return the length of the longest weight vector, as a part of the panel."""
        slopes = np.array([self._slopes(w) for w in weights])
        return float((np.abs(slopes) / self.panel.size).max()) or 1.0

    def sums(self, step: NeuronStep) -> Floats:
        """Return the sums, or the majorities of the votes, of the pixels from the bottom up."""
        x, y = (pixel_middles(axis) for axis in (self.panel.x, self.panel.y))
        if (ballot := step.ballot) is not None:
            Z = self.model.terms(np.asarray(self.problem.plane.lift_grid(x, y), float))
            sums = majority(Z, ballot.vectors, ballot.votes).reshape(COARSE, COARSE)
        else:
            slopes = self._slopes(step.decision_weights)
            sums = self._origin(step.decision_weights) + slopes[0] * x + slopes[1] * y[:, None]
        return sums

    def boundary(self, weights: Floats) -> Floats:
        """Return the ends of the boundary in the panel, shape (2, 2), or none outside of it."""
        ends = across(self._origin(weights), self._slopes(weights), 0.0, self.panel)
        return NOWHERE if np.isnan(ends).any() else ends

    def boundaries(self, moment: Moment, sums: Floats, has_memory: bool) -> tuple[Line, ...]:
        """Return the boundary that an update has turned, the new one, and that of predictions."""
        step: NeuronStep = moment.step
        is_update, ends = step.phase == "update", self.boundary(step.weights)
        before = self.boundary(moment.before.weights) if is_update else NOWHERE
        turned = line_through(before, color="muted", width=1.5, dash=True)
        if not has_memory:
            return turned, line_through(ends, width=2.5)
        decision = self.boundary(step.decision_weights)
        if step.ballot is not None:
            decision = sums_boundary(sums, self.panel)
        last = line_through(ends, color="muted", width=1.5, label="last weights")
        return turned, last, line_through(decision, width=2.5, label=self.model.keep)

    def arrow(self, weights: Floats, longest: float) -> Mark:
        """Return the weight vector, from the middle of the boundary."""
        ends = self.boundary(weights)
        foot = ends.mean(axis=0, keepdims=True) if len(ends) else NOWHERE
        tip = foot + ARROW * self._slopes(weights) / longest
        return segments_between(foot, tip, arrow=True, width=2.5, numbers=[1], of="weights")
