"""Kernel k-means as a picture: clusters in the plane of the data, and in feature space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.clustering.centers_scene import center_points, moves, numbered, rings
from dmlib.clustering.kernel_kmeans.algorithm import KernelKMeans
from dmlib.clustering.kernel_kmeans.feature_space import FeatureSpace, kernel_of, to_centers
from dmlib.clustering.kernel_kmeans.kernel_ledger import Narrator, focus_row
from dmlib.clustering.kernel_kmeans.kernel_lloyd import KernelKMeansStep
from dmlib.clustering.regions_scene import SIZE, cluster_regions, shaded, wider
from dmlib.clustering.sse_scene import ObjectiveCurve, shown_restart
from dmlib.pictures.marks import NO_CLASS, Points, Raster
from dmlib.pictures.places import NOWHERE, points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points, pixel_rows
from dmlib.pictures.regions import held_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.pictures.words import percent
from dmlib.problem import Problem
from dmlib.trace import look

SMALL, LARGEST = 4.5, 11.0  # radius in pixels of a row, and of the most probable seed
RING = 9.0
MAX_KEYS = 8


@needs_steps
def kernel_scene(run: Run[Problem, KernelKMeans]) -> Scene:
    """Draw one restart of kernel k-means: a frame a step."""
    problem, model = run.problem, run.model
    restart, steps = shown_restart(run)
    space = run.once("feature space", lambda: model.feature_space(problem.X))
    places, shares = run.once("feature plane", space.plane)
    k = max(step.centers.shape[1] for step in steps)
    names = numbered("cluster", k)
    panel = data_panel(problem)
    regions = _regions(problem, model, space, wider(panel))
    narrator = Narrator(problem, space, model.init, model.weighting == "degree", run.selected)
    curve = ObjectiveCurve(run.trace.steps, restart)

    def draw(moment: Moment) -> Drawing:
        step: KernelKMeansStep = moment.step
        row = focus_row(step, moment.before, run.selected)
        rows = [] if row is None else [row]
        old, new = moment.before.centers.T @ places, step.centers.T @ places
        marks = (
            regions(step.centers),
            rings(problem.points[rows], RING, of=""),
            *_data_marks(problem, step, names),
            rings(places[rows], RING, panel="feature", of=""),
            points_at(
                places,
                panel="feature",
                color=_colors(step),
                size=[SMALL],
                numbers=problem.rows + 1,
                opacity=[0.8],
            ),
            segments_between(places[rows], new if rows else NOWHERE, panel="feature", width=1.0),
            moves(old, new, step.phase == "update", panel="feature", width=2.5),
            center_points(new, numbered("centre", k), panel="feature", of=""),
            *curve.marks(moment.so_far),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, _feature_panel(places, shares), curve.panel),
        steps=steps,
        fold=curve.half_steps(),
        legend=tuple(Key(name, j) for j, name in enumerate(names[:MAX_KEYS])),
        notes=(*held_note(problem), _note(shares)),
        max_frames=len(steps),
    )


def _note(shares: Floats) -> str:
    share = f"{percent(float(shares.sum()))} of the rows' spread"
    ring = "Ring: the row whose distances are written out."
    return (
        f"The two directions of the feature space hold {share}; distances count all of it. {ring}"
    )


def _colors(step: KernelKMeansStep) -> NDArray[np.uint8]:
    if step.labels is None:
        return np.array([NO_CLASS], np.uint8)
    return (step.labels % NO_CLASS).astype(np.uint8)


# --- the plane of the data ------------------------------------------------------------------------


def _regions(
    problem: Problem, model: KernelKMeans, space: FeatureSpace, panel: Panel
) -> Callable[[Floats], Raster]:
    """Return the cluster of each place by the centres of a step; its lead is the shade."""
    kernel = kernel_of(model.kernel, problem.X, model.gamma, model.degree, model.coef0)
    degrees = space.weights if model.weighting == "degree" else None

    @lru_cache(1)
    def pixel_values() -> Floats:
        """Return the kernel of all places with all rows."""
        return kernel(pixel_rows(problem, panel, SIZE), problem.X)

    def image(centers: Floats) -> tuple[Bytes, Bytes]:
        look()
        values = pixel_values()
        _, cross = to_centers(values, np.zeros(len(values)), centers, degrees)
        within = np.einsum("ij,ij->j", centers, space.K @ centers)
        return shaded(np.nan_to_num(2 * cross - within))

    return cluster_regions(image, panel)


def _data_marks(
    problem: Problem, step: KernelKMeansStep, names: Sequence[str]
) -> tuple[Points, Points]:
    """Return the rows by cluster, and while rows are drawn, those that are centres."""
    size = np.array([SMALL])
    if step.nearest is not None:  # while k-means++ draws, the area of a row is its probability
        size = 1.5 + LARGEST * np.sqrt(step.nearest / max(step.nearest.max(), 1e-300))
    seeds = step.centers.argmax(axis=0) if step.labels is None else np.empty(0, np.intp)
    return (
        data_points(problem, color=_colors(step), size=size, classes=names),
        points_at(problem.points[seeds], color=np.arange(len(seeds)), emphasis=True, of=""),
    )


# --- the feature space ----------------------------------------------------------------------------


def _feature_panel(places: Floats, shares: Floats) -> Panel:
    x, y = (
        Axis(f"direction {i + 1} ({percent(share)})", *bounds(column))
        for i, (share, column) in enumerate(zip(shares, places.T, strict=True))
    )
    return Panel("feature", x, y, title="Feature space of the kernel")
