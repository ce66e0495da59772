"""Kernel k-means as a picture: curved clusters in the plane of the data, and the same rows in feature space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.cached import cached_property
from dmlib.clustering.kernel_kmeans.feature_space import FeatureSpace, kernel_of, to_centers
from dmlib.clustering.kernel_kmeans.kernel_ledger import KernelTeller, asked_row
from dmlib.clustering.kernel_kmeans.kernel_lloyd import KernelKMeansStep
from dmlib.clustering.regions_scene import SIZE, cluster_regions, shaded
from dmlib.clustering.sse_scene import sse_marks, sse_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Channel, Mark, PerFrame, Points
from dmlib.pictures.motion import displacements, moves, with_before, xy
from dmlib.pictures.plane import data_points, data_scene, pixel_rows
from dmlib.pictures.regions import held_note, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.trace import look

SMALL, LARGEST = 4.5, 11.0  # radius in pixels of a row, and of the most probable seed
RING = 9.0
MOST_KEYS = 8


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # not fitted
    steps: Sequence[KernelKMeansStep]  # of the restart that is shown
    space: FeatureSpace
    places: Floats  # (n_samples, 2): the rows in the plane of the feature space
    selected: int | None

    @cached_property
    def pairs(self) -> list[tuple[KernelKMeansStep, KernelKMeansStep]]:
        """Each step with the one before it."""
        return with_before(self.steps)

    @cached_property
    def asked(self) -> list[int | None]:
        """The row of each step whose distances are written out."""
        return [asked_row(step, before, self.selected) for step, before in self.pairs]

    @cached_property
    def colors(self) -> PerFrame:
        """The clusters of the rows."""
        nobody = np.array([NO_CLASS], np.uint8)
        return PerFrame([nobody if s.labels is None else (s.labels % NO_CLASS).astype(np.uint8) for s in self.steps])

    @cached_property
    def names(self) -> list[str]:
        """What the legend calls the clusters."""
        return [f"cluster {j + 1}" for j in range(max(step.centers.shape[1] for step in self.steps))]

    @cached_property
    def centers(self) -> list[Floats]:
        """The places of the centres: the mean of points lies at the mean of their places."""
        return [step.centers.T @ self.places for step in self.steps]


def kernel_scene(run: Run) -> Scene:
    """Draw one restart of kernel k-means: a frame a step."""
    problem, trace, restart = run.problem, run.trace, run.restart
    if not trace.steps:
        return data_scene(problem, trace.reason)
    steps: list[KernelKMeansStep] = [step for step in trace.steps if step.phase != "best"]
    shown = trace.steps[-1].restart if restart is None else restart
    mine = [step for step in steps if step.restart == shown]
    space = run.once("feature space", lambda: run.model.feature_space(problem.X))
    places, shares = run.once("feature plane", space.plane)
    picture = Picture(problem, run.model, mine, space, places, run.selected)
    teller = KernelTeller(problem, space, run.model.init, run.model.weighting == "degree", run.selected)
    panel = region_panel(problem)
    return Scene(
        (panel, _feature_panel(picture, shares), sse_panel(steps)),
        (*_regions(picture, panel), *_data_marks(picture), *_feature_marks(picture), *sse_marks(steps, mine, shown)),
        Deferred(lambda pair: teller.frame(*pair), picture.pairs),
        (*problem.notes, *held_note(problem), _note(shares)),
        legend=tuple(Key(name, j) for j, name in enumerate(picture.names[:MOST_KEYS])),
    )


def _note(shares: Floats) -> str:
    held = f"{100 * float(shares.sum()):.3g}% of the rows' spread"
    told = "Ring: the row whose distances are written out."
    return f"The two directions of the feature space hold {held}; distances count all of it. {told}"


# --- the plane of the data --------------------------------------------------------------------------------------------


def _regions(picture: Picture, panel: Panel) -> Sequence[Mark]:
    """Return the cluster of each place by the centres of each step; the farther ahead, the stronger."""
    model, problem = picture.model, picture.problem
    kernel = kernel_of(model.kernel, problem.X, model.gamma, model.degree, model.coef0)
    degrees = picture.space.weights if model.weighting == "degree" else None
    values: list[Floats] = []

    def image(centers: Floats) -> tuple[Bytes, Bytes]:
        look()
        if not values:  # of all places with all rows: once, and only if an image is asked for
            values.append(kernel(pixel_rows(problem, panel, SIZE), problem.X))
        _, cross = to_centers(values[0], np.zeros(len(values[0])), centers, degrees)
        within = np.einsum("ij,ij->j", centers, picture.space.K @ centers)
        return shaded(np.nan_to_num(2 * cross - within))

    return cluster_regions(image, [step.centers for step in picture.steps], panel)


def _data_marks(picture: Picture) -> list[Mark]:
    problem = picture.problem
    chosen = [_chosen(step) for step in picture.steps]
    x, y = xy(problem.points[rows] for rows in chosen)
    codes = PerFrame([np.arange(len(rows), dtype=np.uint8) for rows in chosen])
    return [
        _ring(picture, problem.points, "data"),
        data_points(problem, color=picture.colors, size=PerFrame(_sizes(picture.steps)), classes=picture.names),
        Points(x=x, y=y, color=codes, emphasis=True, of=""),
    ]


def _chosen(step: KernelKMeansStep) -> NDArray[np.intp]:
    """Return the rows that are centres: while rows are drawn."""
    return step.centers.argmax(axis=0) if step.labels is None else np.empty(0, np.intp)


def _sizes(steps: Sequence[KernelKMeansStep]) -> list[Any]:
    """Return the radii: while k-means++ draws, the area of a row is its probability."""
    normal = np.array([SMALL])
    return [
        normal if s.nearest is None else 1.5 + LARGEST * np.sqrt(s.nearest / max(s.nearest.max(), 1e-300))
        for s in steps
    ]


# --- the feature space ------------------------------------------------------------------------------------------------


def _feature_panel(picture: Picture, shares: Floats) -> Panel:
    x, y = (bounds(column) for column in picture.places.T)
    labels = [f"direction {i + 1} ({100 * share:.3g}% of the spread)" for i, share in enumerate(shares)]
    return Panel("feature", Axis(labels[0], *x), Axis(labels[1], *y), title="Feature space of the kernel")


def _feature_marks(picture: Picture) -> list[Mark]:
    places, k = picture.places, len(picture.names)
    xs, ys = xy(picture.centers)
    codes = PerFrame([np.arange(len(each), dtype=np.uint8) for each in picture.centers])
    x, y = places.T
    numbers = picture.problem.rows + 1
    updates = [step.phase == "update" for step in picture.steps]
    return [
        _ring(picture, places, "feature"),
        Points(panel="feature", x=x, y=y, color=picture.colors, size=[SMALL], numbers=numbers, opacity=[0.8]),
        _rays(picture),
        displacements(picture.centers, updates, panel="feature", width=2.5),
        Points(
            panel="feature", x=xs, y=ys, color=codes, labels=[f"centre {j + 1}" for j in range(k)], emphasis=True,
            tween=True, of="",
        ),
    ]  # fmt: skip


def _rays(picture: Picture) -> Mark:
    """Return the lines from the row that is written out to all centres."""
    pairs = list(zip(picture.asked, picture.centers, strict=True))
    starts = [None if row is None else picture.places[[row] * len(centers)] for row, centers in pairs]
    ends = [None if row is None else centers for row, centers in pairs]
    return moves(starts, ends, arrow=False, panel="feature", width=1.0)


def _ring(picture: Picture, places: Floats, panel: str) -> Points:
    """Return a ring around the row that is written out."""
    x, y = xy(None if row is None else places[[row]] for row in picture.asked)
    channel: Channel = [NO_CLASS]
    return Points(panel=panel, x=x, y=y, color=channel, symbol=[0], hollow=[1], size=[RING], of="")
