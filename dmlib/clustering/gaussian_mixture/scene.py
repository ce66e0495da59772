"""EM as a picture: rows shared out among ellipses, the log-likelihood beside them, the arithmetic of each half-step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from scipy.special import rel_entr

from dmlib.arrays import Floats
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import Mixture
from dmlib.clustering.gaussian_mixture.ledger import mixture_frame
from dmlib.clustering.shares_scene import MANY, share_channels
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import NO_CLASS, Ellipses, Line, PerFrame, Points
from dmlib.pictures.motion import displacements, with_before, xy
from dmlib.pictures.plane import data_panel, data_points, data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.problem import Problem

WIDER = 0.25  # share of the rows' width by which ellipses may widen the picture
FAR_BELOW = 1000.0  # rises of the later half-steps: a first value so far below would make them one flat line


def gaussian_mixture_scene(run: Run) -> Scene:
    """Draw one restart of EM.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.GaussianMixture`.

    Returns
    -------
    Scene
        One frame per step of the restart.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import GaussianMixture
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": [0.0, 1.0, 1.0, 0.0]}), ["a", "b"])
    >>> scene = gaussian_mixture_scene(Run.of(problem, GaussianMixture(2, max_iter=1, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'maximization', 'expectation', 'maximization', 'done']
    """
    problem, trace, restart = run.problem, run.trace, run.restart
    if not trace.steps:
        return data_scene(problem, trace.reason)
    steps: list[GaussianMixtureStep] = [step for step in trace.steps if step.phase != "best"]
    shown = trace.steps[-1].restart if restart is None else restart
    mine = [step for step in steps if step.restart == shown]
    places = [_places(problem, step.mixture) for step in mine]
    heights = _heights(mine)
    frames = Deferred(
        lambda steps, heights: mixture_frame(problem, steps[0], steps[1], heights[::-1], run.selected),
        with_before(mine),
        with_before(heights),
    )
    return Scene(
        (data_panel(problem, np.vstack(places), _reach(problem, mine[-1].mixture)), _curve_panel(heights)),
        (*_data_marks(problem, mine, places), *_curve_marks(heights)),
        frames,
        (*problem.notes, *_note(problem)),
        legend=_legend(mine),
    )


def _places(problem: Problem, mixture: Mixture | None) -> Floats:
    """Return the means in the plane, shape (k, 2)."""
    return np.empty((0, 2)) if mixture is None else problem.plane.project(mixture.means)


def _matrices(mixture: Mixture | None) -> Floats:
    return np.empty((0, 0, 0)) if mixture is None else mixture.matrices()


def _reach(problem: Problem, mixture: Mixture | None) -> Floats:
    """Return the corners of what the final ellipses cover, as far as it is near the rows, shape (2k, 2)."""
    if mixture is None:
        return np.empty((0, 2))
    basis = problem.plane.basis
    variances = np.diagonal(basis @ mixture.matrices() @ basis.T, axis1=1, axis2=2)
    means, half = problem.plane.project(mixture.means), 2 * np.sqrt(np.maximum(variances, 0))
    low, high = problem.points.min(axis=0), problem.points.max(axis=0)
    margin = WIDER * (high - low)
    corners: Floats = np.vstack([means - half, means + half]).clip(low - margin, high + margin)
    return corners


def _data_marks(problem: Problem, steps: Sequence[GaussianMixtureStep], places: Sequence[Floats]) -> list[Any]:
    k = max(len(place) for place in places) or 1
    names = [f"component {j + 1}" for j in range(k)]
    # A maximisation leaves the shares alone, and what is drawn of them is made and sent once.
    drawn = {id(step.responsibilities): share_channels(step.responsibilities) for step in steps}
    channels = [drawn[id(step.responsibilities)] for step in steps]
    first, second, inner, outer = (PerFrame([channel[i] for channel in channels]) for i in range(4))
    shapes = [ellipses(problem, _matrices(step.mixture)) for step in steps]
    xs, ys = xy(places)
    colors = PerFrame([np.arange(len(place)) for place in places])
    neutral = np.array([NO_CLASS], np.uint8)
    x, y = problem.points.T
    marks: list[Any] = [
        Ellipses(
            x=xs,
            y=ys,
            rx=PerFrame([sigmas * shape[0] for shape in shapes]),
            ry=PerFrame([sigmas * shape[1] for shape in shapes]),
            angle=PerFrame([shape[2] for shape in shapes]),
            color=colors,
            fill=0.1 / sigmas,
            tween=True,
        )
        for sigmas in (2, 1)
    ]
    known = any(step.responsibilities is not None for step in steps)
    if known and len(x) <= MANY:
        marks.append(Points(x=x, y=y, color=second, size=outer, opacity=[0.75]))
    marks.append(data_points(problem, color=first if known else neutral, size=inner if known else None, classes=names))
    marks.append(displacements(places, [step.phase == "maximization" for step in steps]))
    labels = [f"mean of {name}" for name in names]
    marks.append(Points(x=xs, y=ys, color=colors, labels=labels, emphasis=True, tween=True))
    return marks


def _heights(steps: Sequence[GaussianMixtureStep]) -> list[float]:
    """Return the log-likelihood after each step; after a maximisation, the bound that it has raised.

    The bound is the log-likelihood of the new parameters less the divergence of the shares from those that the next
    expectation gives: the two touch after each expectation (Neal and Hinton, 1998).
    """
    heights = []
    for step, after in zip(steps, [*steps[1:], steps[-1]], strict=True):
        height = step.log_likelihood
        if step.phase == "maximization" and after.phase in ("expectation", "done"):
            gap = rel_entr(cast(Floats, step.responsibilities), cast(Floats, after.responsibilities)).sum()
            height = after.log_likelihood - float(gap)
        heights.append(float(height))
    return heights


def _curve(heights: Sequence[float]) -> Floats:
    """Return the heights that are known, in order; NaN for those at the start that are too far below to be drawn.

    A component that starts on one row has almost no variance at first, and all other rows almost no density.
    """
    curve = np.array([height for height in heights if np.isfinite(height)])
    if len(curve) > 3:
        later = curve[2:]
        curve[curve < later.min() - FAR_BELOW * max(float(np.ptp(later)), 1.0)] = np.nan
    return curve


def _curve_panel(heights: Sequence[float]) -> Panel:
    curve = _curve(heights)
    x = Axis("half-step", 0.5, max(len(curve), 2) + 0.5, integer=True)
    y = Axis("log-likelihood", *bounds(curve))
    return Panel("curve", x, y, "Log-likelihood, its bound", side=True)


def _curve_marks(heights: Sequence[float]) -> list[Any]:
    """Return the whole curve, faint, and what the step adds to it."""
    y = _curve(heights)
    places = np.column_stack([np.arange(1, len(y) + 1), y])
    reached = np.isfinite(heights).cumsum()
    (step_x, step_y), (end_x, end_y) = (xy(places[max(n - back, 0) : n] for n in reached) for back in (2, 1))
    return [
        Line(panel="curve", x=places[:, 0], y=y, color="muted", width=1.5),
        Line(panel="curve", x=step_x, y=step_y, color="accent"),
        Points(panel="curve", x=end_x, y=end_y, color=[0]),
    ]


def _legend(steps: Sequence[GaussianMixtureStep]) -> tuple[Key, ...]:
    k = max(0 if step.mixture is None else len(step.mixture.weights) for step in steps)
    return tuple(Key(f"component {j + 1}", j) for j in range(min(k, 8)))


def _note(problem: Problem) -> tuple[str, ...]:
    sizes = "The area of a mark shows the responsibilities: inside the most probable component, around it the second."
    if len(problem.X) > MANY:
        sizes = "Each row has the colour of its most probable component; click it to see its responsibilities."
    ellipses = "Ellipses lie one and two standard deviations from the mean."
    if problem.plane.exact:
        return (sizes, ellipses)
    n = len(problem.features)
    return (sizes, f"{ellipses} They are projections from all {n} columns, and may overlap only in this view.")
