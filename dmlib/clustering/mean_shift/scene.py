"""Mean shift as a picture: seeds that climb a density, the kernel at one of them, the modes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import cell_sites
from dmlib.clustering.centers_scene import center_points, numbered
from dmlib.clustering.density_scene import (
    CROSS,
    DOT,
    ball_marks,
    cluster_colors,
    cluster_keys,
    disc_note,
    labelled_points,
)
from dmlib.clustering.mean_shift.algorithm import MeanShift, MeanShiftStep
from dmlib.clustering.mean_shift.kernel import Indices, kernel_weights
from dmlib.clustering.mean_shift.ledger import Narrator
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster
from dmlib.pictures.places import NOWHERE, line_through, points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points, pixel_rows
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, needs_steps, story
from dmlib.pictures.words import num
from dmlib.problem import Problem

MAX_SEEDS = 200  # that are drawn
MAX_ROWS = 200  # that are drawn under the kernel
MAX_PLACES = 8000  # of seeds in all frames of the shifts
MAX_MODES = 40  # frames of modes
DENSITY_ROWS = 2_000  # that make the image of the density
PIXELS = 80  # of its sides
REACH = 2.0  # bandwidths beyond the rows, up to which it is drawn
UNLABELLED = -2


@needs_steps
def mean_shift_scene(run: Run[Problem, MeanShift]) -> Scene:
    """Draw a run of mean shift.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.MeanShift`.

    Returns
    -------
    Scene
        One frame for the seeds, each shift, each mode and the labels; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import MeanShift
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = mean_shift_scene(Run.of(problem, MeanShift(bandwidth=2.0)))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'shift', 'shift', 'converge', 'merge', 'merge', 'assign']
    """
    problem, model, steps = run.problem, run.model, run.trace.steps
    last: MeanShiftStep = steps[-1]
    seed = followed_seed(run)
    panel, dots = data_panel(problem), data_points(problem, size=[DOT])
    curve = KernelCurve(problem.X, last.bandwidth, model.kernel)
    narrator = Narrator(problem, model.kernel, seed, run.selected)
    visible = _visible_seeds(len(last.places), seed)
    starts = problem.plane.project(steps[0].places[visible])
    path = problem.plane.project(np.array([step.places[seed] for step in steps]))
    modes = numbered("mode", len(last.cluster_centers))
    density = _density(problem, panel, run)

    def draw(moment: Moment) -> Drawing:
        step: MeanShiftStep = moment.step
        places = problem.plane.project(step.places[visible])
        centers = problem.plane.project(step.cluster_centers)
        around = moment.before.places[[seed]] if step.phase == "shift" else step.places[[seed]]
        if step.phase == "merge":
            around = step.cluster_centers[-1:]
        center = problem.plane.project(around)
        color = NO_CLASS if step.phase != "merge" else (len(centers) - 1) % NO_CLASS
        labels = np.full(len(problem.X), UNLABELLED) if step.labels is None else step.labels
        is_shift = step.phase == "shift"
        marks = (
            *density,
            *ball_marks(problem, panel, "euclidean", center, step.bandwidth, color),
            segments_between(starts, places, width=1.0, of="seed"),
            line_through(path[: moment.index + 1], color="accent", width=2.5, of=""),
            dots,
            labelled_points(problem, labels),
            _seeds(places, step.modes[visible], visible),
            segments_between(
                center if is_shift else NOWHERE,
                path[[moment.index]] if is_shift else NOWHERE,
                arrow=True,
                width=2.5,
                of="",
            ),
            points_at(path[[moment.index]], color=[NO_CLASS], emphasis=True, size=[6.0], of=""),
            center_points(centers, modes, size=[9.0], of="mode"),
            *curve.marks(around),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    max_shifts = max(20, MAX_PLACES // len(visible))
    numbers, note = frames_by_phase(steps, {("shift",): max_shifts, ("merge",): MAX_MODES})
    return story(
        run,
        draw,
        panels=(panel, curve.panel),
        legend=_legend(last),
        handles=(curve.handle(),),
        notes=(*disc_note(problem), *note),
        numbers=numbers,
    )


def followed_seed(run: Run[Problem, MeanShift]) -> int:
    """Return the seed whose kernel is drawn: that of the selected row, or the one that climbs most.

    Of a selected row without a seed of its own it is the nearest one.
    """
    first, last = run.trace.steps[0].places, run.trace.steps[-1].places
    if run.selected is not None:
        distances = cdist(run.problem.X[[run.selected]], first, "sqeuclidean")
        return int(distances.argmin())
    return int(((last - first) ** 2).sum(axis=1).argmax())


def _visible_seeds(n_seeds: int, seed: int) -> Indices:
    chosen = np.linspace(0, n_seeds - 1, min(n_seeds, MAX_SEEDS)).round().astype(np.intp)
    return np.union1d(chosen, [seed])


def _seeds(places: Floats, modes: Indices, numbers: Indices) -> Points:
    """Return the seeds, in the colours of their modes once they have one."""
    colors = cluster_colors(modes)
    return points_at(
        places, color=colors, symbol=[0], hollow=[1], size=[3.5], numbers=numbers + 1, of="seed"
    )


def _legend(last: MeanShiftStep) -> tuple[Key, ...]:
    seed = (Key("seed", hollow=True), Key("path", 0, kind="line"), Key("bandwidth", kind="line"))
    if last.labels is None:
        return seed
    orphan = (Key("orphan", NO_CLASS, CROSS),) if (last.labels < 0).any() else ()
    return (*seed, *cluster_keys(last.labels), *orphan)


def _density(problem: Problem, panel: Panel, run: Run[Problem, MeanShift]) -> tuple[Raster, ...]:
    """Return the image of the density that the seeds climb, where the plane has all columns.

    The flat kernel climbs the density of Epanechnikov's kernel (Comaniciu and Meer, 2002, equation
    20).
    """
    bandwidth = run.trace.steps[-1].bandwidth
    if not cell_sites(problem) or not bandwidth:
        return ()
    wide = _widened(panel, REACH * bandwidth)
    size = min(run.size, PIXELS)
    rows = problem.X[:: -(-len(problem.X) // DENSITY_ROWS)]
    squares = cdist(pixel_rows(problem, wide, size), rows, "sqeuclidean")
    if run.model.kernel == "flat":
        weights = np.maximum(1 - squares / bandwidth**2, 0)
    else:
        weights = kernel_weights(squares, bandwidth, run.model.kernel)
    heights = weights.sum(axis=1)
    shades = 255 * heights / max(heights.max(), np.finfo(float).tiny)
    return (
        Raster(
            pixels=shades.astype(np.uint8),
            width=size,
            height=size,
            extent=(wide.x.low, wide.x.high, wide.y.low, wide.y.high),
            ramp=True,
            opacity=0.5,
        ),
    )


def _widened(panel: Panel, reach: float) -> Panel:
    """Return a panel with a margin, which is seen where one unit is as long on both axes."""
    margin = min(reach, float(panel.size.max()))
    x, y = (
        replace(axis, low=axis.low - margin, high=axis.high + margin) for axis in (panel.x, panel.y)
    )
    return replace(panel, x=x, y=y)


class KernelCurve:
    """The weight of a row by its distance from a place, and the line that sets the bandwidth.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows.
    bandwidth : float
        The bandwidth.
    kernel : {"flat", "gaussian"}
        The kernel.
    """

    def __init__(self, X: Floats, bandwidth: float, kernel: str) -> None:
        self.rows = X[:: -(-len(X) // MAX_ROWS)]
        self.bandwidth = bandwidth
        self.weights = partial(kernel_weights, bandwidth=bandwidth, kernel=kernel)
        # The axis depends on the data alone: it must not move while the line is dragged.
        self.top = float(np.linalg.norm(np.ptp(X, axis=0))) or 2 * bandwidth or 1.0
        self.panel = Panel(
            "kernel",
            Axis("distance from the centre", 0.0, self.top),
            Axis("weight", 0.0, 1.1),
            title="Kernel: drag the bandwidth",
            side=True,
        )
        self._line = self._profile(kernel)

    def _profile(self, kernel: str) -> Line:
        if kernel == "flat" or not self.bandwidth:
            edge = min(self.bandwidth, 2 * self.top)  # beyond the panel it is not seen
            places = [(0.0, 1.0), (edge, 1.0), (edge, 0.0), (max(self.top, edge), 0.0)]
            return line_through(places, panel="kernel", color="accent", of="")
        distances = np.linspace(0.0, self.top, 100)
        heights = self.weights(distances**2)
        return line_through(
            np.column_stack([distances, heights]), panel="kernel", color="accent", of=""
        )

    def handle(self) -> Handle:
        """Return the line that sets the bandwidth."""
        label = f"h = {num(self.bandwidth, 4)}"
        return Handle("bandwidth", "kernel", label, "x", min(self.bandwidth, self.top))

    def marks(self, center: Floats) -> tuple[Mark, ...]:
        """Return the curve, and the rows at their distances from a centre, or from none."""
        squares = cdist(center, self.rows, "sqeuclidean").ravel()
        places = np.column_stack([np.sqrt(squares), self.weights(squares)])
        return (
            self._line,
            points_at(places, panel="kernel", color=[NO_CLASS], symbol=[0], size=[3.0], of=""),
        )
