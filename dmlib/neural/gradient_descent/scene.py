"""Gradient descent as a picture: paths on a map, the surface or the model beside it, and how the heights fall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.gradient_descent.colors import CODES
from dmlib.neural.gradient_descent.ledger import curvature_blocks, move_blocks, stops, walker_blocks
from dmlib.neural.gradient_descent.optimizers.optimizer import Optimizer
from dmlib.neural.gradient_descent.race import DescentStep
from dmlib.neural.gradient_descent.solid_scene import Solid
from dmlib.params import Number
from dmlib.pictures.data.surface import surface_marks, surface_panel, surface_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points
from dmlib.pictures.motion import thin, thinned_note, with_before
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.words import num4
from dmlib.problem import LossProblem, SurfaceProblem

OPTIONS = {"turn": Option(Number(0.0, 355.0, step=5.0), 30.0)}
OUTSIDE = 3.0  # widths of the map beyond which nothing has to be in its place
CURVE = 41  # places along the curve of a logistic model
SMALLEST = 1e-6  # of the range of heights, above the lowest
MOST_CORNERS = 5000  # of all paths together


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    run: Run
    steps: tuple[DescentStep, ...]
    at: list[int]  # the steps that have a frame

    @property
    def problem(self) -> SurfaceProblem:
        """The surface."""
        problem: SurfaceProblem = self.run.problem
        return problem

    @cached_property
    def optimizers(self) -> dict[str, Optimizer]:
        """The optimisers with their rates, by name."""
        found: dict[str, Optimizer] = self.run.model.optimizers(self.problem, self.steps[0].places[0])
        return found

    @cached_property
    def titles(self) -> list[str]:
        """The optimiser of each walker."""
        return [self.run.model.title(i) for i in range(len(self.steps[0].places))]

    @cached_property
    def colors(self) -> NDArray[np.uint8]:
        """The colour of each walker: that of its optimiser."""
        names = list(self.optimizers)
        return np.array([CODES[names[i // self.run.model.n_starts]] for i in range(len(self.titles))], np.uint8)

    @cached_property
    def places(self) -> Floats:
        """Where each walker is after each step, shape (n_walkers, n_steps, 2), not too far outside."""
        x0, x1, y0, y1 = self.problem.domain
        low, high = np.array([x0, y0]), np.array([x1, y1])
        every = np.stack([step.places for step in self.steps], axis=1)
        return np.clip(every, low - OUTSIDE * (high - low), high + OUTSIDE * (high - low))

    @cached_property
    def values(self) -> Floats:
        """The height of each walker after each step, shape (n_walkers, n_steps)."""
        return np.stack([step.values for step in self.steps], axis=1)

    def paths(self, places: Floats, panel: str) -> list[Mark]:
        """Return the path of each walker up to the frame, and the walkers, on places as ``self.places``."""
        marks: list[Mark] = []
        corners = np.union1d(thin(places.shape[1], MOST_CORNERS // len(places)), self.at)
        for code in dict.fromkeys(self.colors.tolist()):
            own = np.pad(places[self.colors == code][:, corners], ((0, 0), (0, 1), (0, 0)), constant_values=np.nan)
            cut = [_Reached(own[..., j], corners) for j in range(2)]
            x, y = (PerFrame(Deferred(each, self.at)) for each in cut)
            marks.append(Line(panel=panel, x=x, y=y, color=code, width=2.5))
        now = [PerFrame(Deferred(lambda i, j=j: places[:, i, j], self.at)) for j in range(2)]
        hollow = PerFrame([self._left(self.steps[i]) for i in self.at])
        walkers = Points(
            panel=panel, x=now[0], y=now[1], color=self.colors, hollow=hollow, size=[6.5], emphasis=True, tween=True,
            labels=self.titles, numbers=np.arange(1, len(self.titles) + 1), of="#",
        )  # fmt: skip
        return [*marks, walkers]

    def _left(self, step: DescentStep) -> NDArray[np.uint8]:
        return np.array([status not in ("moving", "rest") for status in step.status], np.uint8)


class _Reached:
    """Values of some steps, there up to a step: rows of equal length, so that little changes from frame to frame."""

    def __init__(self, values: Floats, steps: NDArray[np.intp]) -> None:
        self.values, self.steps = values, steps

    def __call__(self, step: int) -> Floats:
        shown = np.append(self.steps <= step, False)
        return np.where(shown, self.values, np.nan).ravel()


def gradient_descent_scene(run: Run) -> Scene:
    """Draw the steps of walkers on a surface.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.GradientDescent`.

    Returns
    -------
    Scene
        One frame for the start, each step and the end; of a long run, every few.

    Examples
    --------
    >>> from dmlib.neural import GradientDescent
    >>> from dmlib.problem import prepare_surface
    >>> scene = gradient_descent_scene(Run.of(prepare_surface("x^2 + y^2"), GradientDescent(max_iter=2)))
    >>> [frame.phase for frame in scene.frames], [panel.name for panel in scene.panels]
    (['start', 'step', 'step', 'done'], ['data', 'solid', 'height'])
    """
    problem, steps = run.problem, run.trace.steps
    if not steps:
        return surface_scene(problem)
    at = thin(len(steps)).tolist()
    picture = Picture(run, steps, at)
    beside, marks = _model(picture) if isinstance(problem, LossProblem) else _solid(picture)
    curve, curves = _heights(picture)
    start = steps[0].places[0]
    frames = Deferred(lambda pair: _frame(picture, *pair), with_before(steps, at))
    handle = Handle("init", "data", "start", "point", float(start[0]), float(start[1]))
    ground = surface_marks(problem)
    legend = tuple(Key(optimizer.title, CODES[name]) for name, optimizer in picture.optimizers.items())
    notes = (*problem.notes, *thinned_note(at))
    marks = [*ground, *picture.paths(picture.places, "data"), *marks, *curves]
    return Scene((surface_panel(problem), beside, curve), marks, frames, notes, (handle,), legend)


# --- beside the map ---------------------------------------------------------------------------------------------------


def _solid(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return the surface seen from the side, with the paths on it."""
    turn = float(chosen(picture.run, OPTIONS)["turn"])
    solid = Solid.of(picture.problem, turn, float(picture.values[:, 0].max()))
    return solid.panel(), [solid.net(), *picture.paths(solid.project(picture.places, picture.values), "solid")]


def _model(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return the rows, and what the model of each optimiser says of them."""
    problem: LossProblem = picture.run.problem
    x, y = bounds(problem.x, 0.04), bounds(problem.y, 0.12)
    logistic = problem.loss == "logistic"
    panel = Panel("model", Axis("x", *x), Axis("probability" if logistic else "y", *y), title="The model on its rows")
    batches = [picture.steps[i].batch for i in picture.at]
    color = PerFrame([_lit(len(problem.x), batch) for batch in batches])
    rows = Points(panel="model", x=problem.x, y=problem.y, color=color, symbol=[0], size=[3.0], opacity=[0.75], of="")
    places = np.linspace(*x, CURVE if logistic else 2)
    marks: list[Mark] = [rows]
    for i in range(0, len(picture.titles), picture.run.model.n_starts):
        values = picture.places[i, :, :1] + picture.places[i, :, 1:] * places
        heights = expit(values) if logistic else values
        said = PerFrame([heights[j] for j in picture.at])
        marks.append(Line(panel="model", x=places, y=said, color=int(picture.colors[i]), width=2.5, tween=True))
    return panel, marks


def _lit(n: int, batch: NDArray[np.intp] | None) -> NDArray[np.uint8]:
    """Return the colours of the rows: those of the batch are lit."""
    colors = np.full(n, NO_CLASS, np.uint8)
    if batch is not None:
        colors[batch] = len(CODES)
    return colors


def _heights(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return how high each walker is above the lowest place that is known, by powers of ten."""
    grid = picture.problem.grid(41)[2]
    lowest = min(float(np.nanmin(grid)), float(picture.values.min()))
    span = max(float(picture.values[:, 0].max()) - lowest, 1e-300)
    logs = np.log10(np.maximum(picture.values - lowest, SMALLEST * span))
    last = max(picture.steps[-1].iteration, 1)
    x = Axis("step", -0.02 * last, 1.02 * last, integer=True)
    low, high = bounds(np.minimum(logs, logs[:, :1].max() + 1))
    panel = Panel("height", x, Axis("log₁₀ gap", low, high), title="Gap to the lowest height", side=True)
    iterations = np.array([float(step.iteration) for step in picture.steps])
    places = np.stack([np.broadcast_to(iterations, logs.shape), logs], axis=-1)
    return panel, picture.paths(places, "height")


# --- words ------------------------------------------------------------------------------------------------------------


def _frame(picture: Picture, step: DescentStep, before: DescentStep) -> Frame:
    ledger: Blocks = walker_blocks(picture.titles, step, picture.problem.axes, picture.run.model.tol)
    n_starts, t = picture.run.model.n_starts, step.iteration
    for i, (name, optimizer) in enumerate(picture.optimizers.items()):
        if step.moves and before.status[i * n_starts] == "moving":
            memory = before.moves[i].memory if before.moves else optimizer.start(n_starts)
            place = before.places[i * n_starts]
            move = step.moves[i]
            ledger += move_blocks(name, optimizer, move, (place, memory), t, step.factor, picture.problem.axes)
    ledger += curvature_blocks(picture.problem, step, picture.optimizers)
    return Frame(_caption(picture, step, before), ledger, step.phase)


def _caption(picture: Picture, step: DescentStep, before: DescentStep) -> str:
    if step.phase == "start":
        walkers = "one walker stands" if len(picture.titles) == 1 else f"{len(picture.titles)} walkers stand"
        return f"Start: {walkers} at f = {num4(step.values[0])}, with a slope of {num4(step.norms[0])}."
    said = _standing(picture, step)
    if step.phase == "done":
        left = [i for i, status in enumerate(step.status) if status not in ("moving", "rest")]
        sentences = stops(picture.titles, step, picture.steps[0])
        first = f"Done after {step.iteration} step{'s' * (step.iteration != 1)}: {said}."
        return " ".join([first, *[s for s in sentences if left and "rest" not in s][:1]])
    stopped = stops(picture.titles, step, before)
    batch = f", {len(step.batch)} of {picture.problem.n_rows} rows" if step.batch is not None else ""
    return " ".join([f"Step {step.iteration}{batch}: {said}.", *stopped[:1]])


def _standing(picture: Picture, step: DescentStep) -> str:
    """Say how high the best walkers of up to three optimisers are; of more, of the lowest and the highest."""
    n = picture.run.model.n_starts
    best = {o.title: float(step.values[i * n : (i + 1) * n].min()) for i, o in enumerate(picture.optimizers.values())}
    order = sorted(best, key=lambda title: best[title])
    if len(order) == 1:
        place = ", ".join(num4(z) for z in step.best_place)
        return f"{order[0]} is at ({place}), f = {num4(best[order[0]])}"
    told = order if len(order) <= 3 else [order[0], order[-1]]
    more = "" if len(order) <= 3 else f", the lowest and the highest of {len(order)}"
    return "f = " + ", ".join(f"{num4(best[title])} ({title})" for title in told) + more
