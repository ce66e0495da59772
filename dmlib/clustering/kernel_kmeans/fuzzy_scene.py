"""Fuzzy c-means as a picture: shared rows in the plane, and memberships as stacked bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeansStep, memberships
from dmlib.clustering.kernel_kmeans.fuzzy_ledger import Narrator, focus_row
from dmlib.clustering.regions_scene import SIZE, cluster_regions, shaded
from dmlib.clustering.shares_scene import MANY, share_channels
from dmlib.clustering.sse_scene import ObjectiveCurve
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster, Rects
from dmlib.pictures.places import NOWHERE, points_at, segments_between
from dmlib.pictures.plane import data_points, pixel_rows
from dmlib.pictures.regions import held_note, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_FRAMES, MAX_BARS, MAX_KEYS = 32, 100, 8
RING = 9.5
BAR = 0.85  # opacity
NOTE = "The area of a mark shows the memberships: inside the largest, around it the second."


@needs_steps
def fuzzy_scene(run: Run) -> Scene:
    """Draw a run of fuzzy c-means: a frame a step, of very many some."""
    problem, steps = run.problem, run.trace.steps
    k = len(steps[-1].centers)
    panel = region_panel(problem)
    regions = _regions(problem, run.model.m, panel)
    bars = _bars(problem, steps[-1].memberships)
    curve = ObjectiveCurve(steps, label="Objective")
    narrator = Narrator(problem, run.model.m, run.selected)

    def draw(moment: Moment) -> Drawing:
        step: FuzzyCMeansStep = moment.step
        marks = (
            regions(step.centers),
            _ring(problem, focus_row(step, run.selected)),
            *_rows(problem, step, k),
            *_centers(problem, step, moment.before, k),
            *(each.rects(step.memberships) for each in bars),
            *curve.marks(moment.so_far),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, *(each.panel() for each in bars), curve.panel),
        fold=curve.half_steps(),
        legend=tuple(Key(f"cluster {j + 1}", j) for j in range(min(k, MAX_KEYS))),
        notes=(*held_note(problem), *([NOTE] if len(problem.X) <= MANY else [])),
        max_frames=MAX_FRAMES,
    )


def _regions(problem: Problem, m: float, panel: Panel) -> Callable[[Floats], Raster]:
    """Return the cluster with the largest membership of each place; certainty is the shade."""
    rows = pixel_rows(problem, panel, SIZE)

    def image(centers: Floats) -> tuple[Bytes, Bytes]:
        squares = [((rows - center) ** 2).sum(axis=1) for center in _finite(centers)]
        return shaded(memberships(np.column_stack(squares), m), 1.0)

    return cluster_regions(image, panel)


def _finite(centers: Floats) -> Floats:
    """Return the centres that have been chosen."""
    return centers[np.isfinite(centers[:, 0])]


def _ring(problem: Problem, row: int | None) -> Points:
    """Return a ring around the row whose memberships are written out."""
    places = NOWHERE if row is None else problem.points[[row]]
    return points_at(places, color=[NO_CLASS], symbol=[0], hollow=[1], size=[RING], of="")


def _rows(problem: Problem, step: FuzzyCMeansStep, k: int) -> list[Points]:
    """Return the rows in the colours of their two largest memberships; of many rows, of one."""
    first, second, inner, outer = share_channels(step.memberships)
    names = [f"cluster {j + 1}" for j in range(k)]
    rows = data_points(problem, color=first, size=inner, classes=names)
    if len(problem.points) > MANY:
        return [rows]
    return [points_at(problem.points, color=second, size=outer, opacity=[0.75], of=""), rows]


def _centers(
    problem: Problem, step: FuzzyCMeansStep, before: FuzzyCMeansStep, k: int
) -> tuple[Mark, Mark]:
    """Return the centres, and after an update the arrows to them."""
    old, new = (problem.plane.project(_finite(each.centers)) for each in (before, step))
    has_moved = step.phase == "update"
    return (
        segments_between(old if has_moved else NOWHERE, new if has_moved else NOWHERE, arrow=True),
        points_at(
            new,
            color=np.arange(len(new)),
            labels=[f"centre {j + 1}" for j in range(k)],
            emphasis=True,
            tween=True,
            of="",
        ),
    )


def _bars(problem: Problem, final: Floats | None) -> Sequence[MembershipBars]:
    return [] if final is None else [MembershipBars(problem, final)]


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
        if len(order) > MAX_BARS:
            order = order[np.linspace(0, len(order) - 1, MAX_BARS).astype(int)]
        self._order = order
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
