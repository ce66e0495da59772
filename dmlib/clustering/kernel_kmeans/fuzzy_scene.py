"""Fuzzy c-means as a picture: shared rows in the plane, and memberships as stacked bars."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.clustering.centers_scene import center_points, moves, numbered, rings
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans, FuzzyCMeansStep, memberships
from dmlib.clustering.kernel_kmeans.fuzzy_ledger import Narrator, focus_row
from dmlib.clustering.regions_scene import SIZE, cluster_regions, shaded, wider
from dmlib.clustering.shares_scene import MANY, shared_rows
from dmlib.clustering.sse_scene import ObjectiveCurve
from dmlib.evenly import evenly
from dmlib.pictures.marks import Raster, Rects
from dmlib.pictures.places import NOWHERE
from dmlib.pictures.plane import data_panel, pixel_rows
from dmlib.pictures.regions import held_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_FRAMES = 32
MAX_BARS = 100
MAX_KEYS = 8  # clusters that the legend names
RING = 9.5
BAR = 0.85  # opacity
NOTE = "The area of a mark shows the memberships: inside the largest, around it the second."


@needs_steps
def fuzzy_scene(run: Run[Problem, FuzzyCMeans]) -> Scene:
    """Draw a run of fuzzy c-means: a frame a step, of very many some."""
    problem, steps = run.problem, run.trace.steps
    k, final = len(steps[-1].centers), steps[-1].memberships
    clusters, centers = numbered("cluster", k), numbered("centre", k)
    panel = data_panel(problem)
    regions = _regions(problem, run.model.m, wider(panel))
    bars = [] if final is None else [MembershipBars(problem, final)]
    curve = ObjectiveCurve(steps, label="Objective")
    narrator = Narrator(problem, run.model.m, run.selected)

    def draw(moment: Moment) -> Drawing:
        step: FuzzyCMeansStep = moment.step
        row = focus_row(step, run.selected)
        focus = NOWHERE if row is None else problem.points[[row]]
        old, new = (problem.plane.project(_chosen(each.centers)) for each in (moment.before, step))
        marks = (
            regions(step.centers),
            rings(focus, RING, of=""),
            *shared_rows(problem, step.memberships, clusters, of=""),
            moves(old, new, step.phase == "update"),
            center_points(new, centers, of=""),
            *(each.rects(step.memberships) for each in bars),
            *curve.marks(moment.so_far),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, *(each.panel() for each in bars), curve.panel),
        fold=curve.half_steps(),
        legend=tuple(Key(name, j) for j, name in enumerate(clusters[:MAX_KEYS])),
        notes=(*held_note(problem), *([NOTE] if len(problem.X) <= MANY else [])),
        max_frames=MAX_FRAMES,
    )


def _regions(problem: Problem, m: float, panel: Panel) -> Callable[[Floats], Raster]:
    """Return the cluster with the largest membership of each place; certainty is the shade."""
    rows = pixel_rows(problem, panel, SIZE)

    def image(centers: Floats) -> tuple[Bytes, Bytes]:
        squares = [((rows - center) ** 2).sum(axis=1) for center in _chosen(centers)]
        return shaded(memberships(np.column_stack(squares), m), 1.0)

    return cluster_regions(image, panel)


def _chosen(centers: Floats) -> Floats:
    """Return the centres that have been chosen."""
    return centers[np.isfinite(centers[:, 0])]


class MembershipBars:
    """The memberships of the rows as stacked bars, in the order of the final clusters.

    Parameters
    ----------
    problem : Problem
        The data.
    final : ndarray of shape (n_samples, n_clusters)
        The memberships at the end.
    """

    def __init__(self, problem: Problem, final: Floats) -> None:
        order = np.lexsort((-final.max(axis=1), final.argmax(axis=1)))
        self._order = order = order[evenly(len(order), MAX_BARS)]
        self._n_samples, self._k = final.shape
        self._numbers = np.tile(problem.rows[order] + 1, self._k)

    def panel(self) -> Panel:
        """Return the panel of the bars."""
        n = len(self._order)
        title = "Memberships of the rows, by cluster"
        if n < self._n_samples:
            title += f" ({n} of {self._n_samples} rows)"
        x = Axis("rows, ordered by cluster", 0.5, n + 0.5)
        return Panel("memberships", x, Axis("membership", 0.0, 1.0), title)

    def rects(self, shares: Floats | None) -> Rects:
        """Return the bars of memberships, cluster after cluster."""
        n = len(self._order)
        rows = np.zeros((0, self._k)) if shares is None else shares[self._order]
        ends = np.cumsum(rows, axis=1)
        middles = np.tile(np.arange(len(rows)), self._k) + 0.5
        return Rects(
            panel="memberships",
            x0=middles,
            x1=middles + 1,
            y0=(ends - rows).T.ravel(),
            y1=ends.T.ravel(),
            color=np.repeat(np.arange(self._k), n),
            opacity=[BAR],
            numbers=self._numbers,
        )
