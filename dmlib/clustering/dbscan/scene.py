"""DBSCAN as a picture: the neighbourhood of a row, the seed list, and the k-distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.kernels import Kernel
from dmlib.clustering.centers_scene import rings
from dmlib.clustering.dbscan.algorithm import DBSCAN, DBSCANStep
from dmlib.clustering.dbscan.ledger import Narrator, Visits
from dmlib.clustering.density_scene import (
    BALLS,
    CROSS,
    DOT,
    MAX_FRAMES,
    cluster_colors,
    disc_note,
    labelled_points,
    reach_marks,
)
from dmlib.clustering.kernel_distance import ball_of
from dmlib.clustering.neighbors import Neighbors
from dmlib.pictures.marks import NO_CLASS, Line, Points, Segments
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.pictures.words import num
from dmlib.problem import Problem

SEED_RING, CONTESTED_RING = 7.5, 9.0  # radius in pixels
MAX_LINES = 30  # to the nearest rows of a neighbourhood
LINES_NOTE = (
    "A neighbourhood by this distance is no disc: lines lead to its nearest rows,"
    f" {MAX_LINES} at most."
)
LEGEND = (
    Key("core point", 0),
    Key("border point", 0, hollow=True),
    Key("noise", NO_CLASS, CROSS),
    Key("unvisited", NO_CLASS),
    Key("on the seed list", NO_CLASS, hollow=True),
)


def dbscan_scene(run: Run[Problem, DBSCAN]) -> Scene:
    """Draw a run of DBSCAN.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.DBSCAN`.

    Returns
    -------
    Scene
        One frame for each neighbourhood, and one for the end; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import DBSCAN
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = dbscan_scene(Run.of(problem, DBSCAN(1.0, min_samples=3)))
    >>> [frame.phase for frame in scene.frames]
    ['visit', 'visit', 'expand', 'visit', 'done']
    """
    problem, model = run.problem, run.model
    points = problem.points
    distance = model.distance(problem.X)
    kernel = distance if isinstance(distance, Kernel) else None
    metric, radius = (kernel and ball_of(kernel, model.eps)) or (model.metric, model.eps)
    has_ball = metric in BALLS
    neighbors = Neighbors(problem.X, metric=distance)
    curve = KDistances(neighbors, len(points), model.eps, model.min_samples)
    example = curve.typical_row if run.selected is None else run.selected
    narrator = Narrator(
        problem,
        neighbors,
        curve.distances,
        model.eps,
        model.min_samples,
        run.selected,
        example,
        kernel,
    )
    panel, dots = data_panel(problem), data_points(problem, size=[DOT])

    def draw(moment: Moment) -> Drawing:
        step: DBSCANStep = moment.step
        visited: Visits = moment.so_far
        rows = np.array([example if step.row is None else step.row], np.intp)
        labels = step.labels[rows] if step.row is None else np.array([step.cluster])
        color = int(cluster_colors(labels)[0])
        is_border = visited.rows & ~visited.core & (step.labels >= 0)
        new = step.joined[step.joined != step.row]
        marks = (
            *reach_marks(problem, panel, metric, rows, radius, color),
            *([] if has_ball else [_nearest(problem, neighbors, rows, model.eps)]),
            rings(points[step.seeds], SEED_RING),
            _contested(problem, step),
            segments_between(points[rows], points[new[: len(new) * len(rows)]], arrow=True),
            dots,
            labelled_points(problem, step.labels, is_border),
            points_at(
                points[rows],
                color=cluster_colors(step.labels[rows]),
                hollow=(~visited.core[rows]).astype(np.uint8),
                emphasis=True,
                size=[8.0],
            ),
            curve.line(),
            curve.point(rows),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, curve.panel()),
        fold=narrator.visits,
        legend=(*LEGEND, Key("ε-neighbourhood", kind="area" if has_ball else "line")),
        handles=(curve.handle(),),
        notes=disc_note(problem) if has_ball else (LINES_NOTE,),
        also=[max(len(run.trace.steps) - 2, 0)],
        max_frames=MAX_FRAMES,
    )


def _nearest(
    problem: Problem, neighbors: Neighbors, rows: NDArray[np.intp], eps: float
) -> Segments:
    """Return lines from a row to the nearest of its neighbourhood, where that is no ball."""
    near = np.empty(0, np.intp)
    if rows.size:
        near, distances = neighbors.within(int(rows[0]), eps)
        near = near[np.argsort(distances, kind="stable")]
        near = near[near != rows[0]][:MAX_LINES]
    return segments_between(problem.points[rows], problem.points[near], width=1.0, of="")


def _contested(problem: Problem, step: DBSCANStep) -> Points:
    """Return, at the end, rings around contested border points in other clusters' colours."""
    pairs = [
        (row, cluster)
        for row, clusters in step.contested
        for cluster in clusters
        if cluster != step.labels[row]
    ]
    rows = np.array([row for row, _ in pairs], np.intp)
    colors = np.array([cluster % NO_CLASS for _, cluster in pairs], np.uint8)
    return points_at(problem.points[rows], size=[CONTESTED_RING], color=colors, hollow=[1])


class KDistances:
    """The sorted distance of each row to its k-th neighbour: a good eps is where the curve bends.

    Parameters
    ----------
    neighbors : Neighbors
        The rows.
    n_samples : int
        Their number.
    eps : float
        The radius.
    min_samples : int
        The number of rows that make a core point; k is one less, since the row itself counts.
    """

    def __init__(self, neighbors: Neighbors, n_samples: int, eps: float, min_samples: int) -> None:
        self.eps, self.k = eps, min_samples - 1
        self.distances = np.full(n_samples, np.inf)
        if min_samples <= n_samples:
            self.distances = neighbors.kth(min_samples)
        self._rank = np.argsort(np.argsort(-self.distances, kind="stable"), kind="stable") + 1
        finite = self.distances[np.isfinite(self.distances)]
        highest = float(finite.max(initial=0.0))
        self._top = 1.06 * (min(max(highest, eps), 2 * highest) or eps or 1.0)

    @property
    def typical_row(self) -> int:
        """The row in the middle of the order."""
        return int(np.argsort(self._rank)[len(self._rank) // 2])

    def panel(self) -> Panel:
        """Return the panel of the sorted distances."""
        return Panel(
            "distances",
            Axis("rows, sorted by this distance", 0.0, len(self.distances) + 1.0, integer=True),
            Axis(f"{self.k}-distance", 0.0, self._top),
            title=f"{self.k}-distances: drag the line" if self.k else "Every row is a core point",
            side=True,
        )

    def handle(self) -> Handle:
        """Return the line that sets eps."""
        return Handle(
            "eps", "distances", f"eps = {num(self.eps)}", "y", None, min(self.eps, self._top)
        )

    def line(self) -> Line:
        """Return the curve."""
        heights = -np.sort(-self.distances[np.isfinite(self.distances)])
        return Line(panel="distances", x=np.arange(1, len(heights) + 1), y=heights, color="accent")

    def point(self, rows: NDArray[np.intp]) -> Points:
        """Return the places of rows on the curve."""
        finite = rows[np.isfinite(self.distances[rows])]
        return Points(
            panel="distances",
            x=self._rank[finite],
            y=self.distances[finite],
            color=[NO_CLASS],
            emphasis=True,
            size=[5.0],
        )
