"""EM as a picture: rows shared out among ellipses, and the log-likelihood after each half-step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from scipy.special import rel_entr

from dmlib.arrays import Floats
from dmlib.clustering.centers_scene import center_points, moves, numbered
from dmlib.clustering.gaussian_mixture.algorithm import GaussianMixture
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import Mixture
from dmlib.clustering.gaussian_mixture.ledger import Narrator
from dmlib.clustering.shares_scene import MANY, shared_rows
from dmlib.clustering.sse_scene import shown_restart
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import Ellipses, Line, Points
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_KEYS = 8  # components that the legend names
WIDER = 0.25  # share of the rows' width by which ellipses may widen the picture
# Rises of the later half-steps: a first value so far below would make them one flat line
FAR_BELOW = 1000.0


@needs_steps
def gaussian_mixture_scene(run: Run[Problem, GaussianMixture]) -> Scene:
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
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": [0.0, 1.0, 1.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> model = GaussianMixture(2, max_iter=1, random_state=0)
    >>> scene = gaussian_mixture_scene(Run.of(problem, model))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'maximization', 'expectation', 'maximization', 'done']
    """
    problem = run.problem
    _, steps = shown_restart(run)
    means = [_means(problem, step.mixture) for step in steps]
    k = max(map(len, means))
    names = numbered("component", k or 1)
    has_shares = any(step.responsibilities is not None for step in steps)
    is_mixed = has_shares and len(problem.X) <= MANY
    keys = [Key(name, j) for j, name in enumerate(names[: min(k, MAX_KEYS)])]
    curve = LikelihoodCurve(steps)
    narrator = Narrator(problem, curve.heights, run.selected)

    def draw(moment: Moment) -> Drawing:
        step: GaussianMixtureStep = moment.step
        old, new = means[max(moment.index - 1, 0)], means[moment.index]
        rows = [data_points(problem, classes=names)]
        if has_shares:
            rows = shared_rows(problem, step.responsibilities, names)
        marks = (
            *_ellipses(problem, step.mixture, new),
            *rows,
            moves(old, new, step.phase == "maximization" and len(old) > 0),
            center_points(new, numbered("mean of component", k or 1)),
            *curve.marks(moment.index),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(data_panel(problem, *means, _reach(problem, steps[-1].mixture)), curve.panel()),
        steps=steps,
        legend=(*keys, *[Key("around it: the second most probable", hollow=True)] * is_mixed),
        notes=_note(problem),
        max_frames=len(steps),
    )


def _means(problem: Problem, mixture: Mixture | None) -> Floats:
    """Return the means in the plane, shape (k, 2)."""
    return NOWHERE if mixture is None else problem.plane.project(mixture.means)


def _reach(problem: Problem, mixture: Mixture | None) -> Floats:
    """Return the corners of the final ellipses, as far as they are near the rows, shape (2k, 2)."""
    if mixture is None:
        return np.empty((0, 2))
    basis = problem.plane.basis
    variances = np.diagonal(basis @ mixture.matrices() @ basis.T, axis1=1, axis2=2)
    means, half = problem.plane.project(mixture.means), 2 * np.sqrt(np.maximum(variances, 0))
    low, high = problem.points.min(axis=0), problem.points.max(axis=0)
    margin = WIDER * (high - low)
    corners: Floats = np.vstack([means - half, means + half]).clip(low - margin, high + margin)
    return corners


def _ellipses(problem: Problem, mixture: Mixture | None, means: Floats) -> list[Ellipses]:
    """Return the ellipses of two and of one standard deviation around the means."""
    matrices = np.empty((0, 0, 0)) if mixture is None else mixture.matrices()
    rx, ry, angle = ellipses(problem, matrices)
    x, y = means.T
    color = np.arange(len(means))
    return [
        Ellipses(
            x=x, y=y, rx=sigmas * rx, ry=sigmas * ry, angle=angle, color=color, fill=0.1 / sigmas
        )
        for sigmas in (2, 1)
    ]


class LikelihoodCurve:
    """The log-likelihood after each step of a restart; after a maximisation, its lower bound.

    The bound is the log-likelihood of the new parameters less the divergence of the shares from
    those that the next expectation gives: the two touch after each expectation (Neal and Hinton,
    1998).

    Parameters
    ----------
    steps : sequence of GaussianMixtureStep
        The restart.

    Attributes
    ----------
    heights : ndarray of shape (n_steps,)
        The value after each step; NaN or infinite where there is none, or none that could be
        compared with the others.
    """

    def __init__(self, steps: Sequence[GaussianMixtureStep]) -> None:
        pairs = zip(steps, [*steps[1:], steps[-1]], strict=True)
        self.heights = np.array([_height(*pair) for pair in pairs])
        has_value = np.isfinite(self.heights)
        values = _without_far_below(self.heights[has_value])
        self.heights[has_value] = values
        self._places = np.column_stack([np.arange(len(values)) + 1, values])
        self._n_values = has_value.cumsum()

    def panel(self) -> Panel:
        """Return the panel of the curve."""
        x = Axis("half-step", 0.5, 1.03 * max(len(self._places), 2), integer=True)
        y = Axis("log-likelihood", *bounds(self._places[:, 1]))
        return Panel("curve", x, y, "Log-likelihood, its bound", side=True)

    def marks(self, index: int) -> tuple[Line | Points, ...]:
        """Return the curve, faint, and what a step adds to it."""
        n = self._n_values[index]
        return (
            line_through(self._places, panel="curve", color="muted", width=1.5),
            line_through(self._places[max(n - 2, 0) : n], panel="curve", color="accent"),
            points_at(self._places[max(n - 1, 0) : n], panel="curve", color=[0]),
        )


def _height(step: GaussianMixtureStep, following: GaussianMixtureStep) -> float:
    if step.phase != "maximization" or following.phase not in ("expectation", "done"):
        return float(step.log_likelihood)
    shares = cast(Floats, step.responsibilities), cast(Floats, following.responsibilities)
    return following.log_likelihood - float(rel_entr(*shares).sum())


def _without_far_below(curve: Floats) -> Floats:
    """Return a curve with NaN for the heights at its start that are too far below to be compared.

    A component that starts on one row has almost no variance at first, and all other rows almost no
    density.
    """
    if len(curve) <= 3:
        return curve
    later = curve[2:]
    lowest = later.min() - FAR_BELOW * max(float(np.ptp(later)), 1.0)
    return np.where(curve < lowest, np.nan, curve)


def _note(problem: Problem) -> tuple[str, ...]:
    sizes = (
        "The area of a mark shows the responsibilities: "
        "inside the most probable component, around it the second."
    )
    if len(problem.X) > MANY:
        sizes = (
            "Each row has the colour of its most probable component; "
            "click it to see its responsibilities."
        )
    shapes = "Ellipses lie one and two standard deviations from the mean."
    if problem.plane.exact:
        return (sizes, shapes)
    n = len(problem.features)
    return (
        sizes,
        f"{shapes} They are projections from all {n} columns, and may overlap only in this view.",
    )
