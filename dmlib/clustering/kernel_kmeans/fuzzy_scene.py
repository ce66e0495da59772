"""Fuzzy c-means as a picture: rows shared out in the plane, and the memberships of all rows as stacked bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeansStep, memberships
from dmlib.clustering.kernel_kmeans.fuzzy_ledger import FuzzyTeller, asked_row
from dmlib.clustering.regions_scene import SIZE, cluster_regions, shaded
from dmlib.clustering.shares_scene import MANY, share_channels
from dmlib.clustering.sse_scene import sse_marks, sse_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Raster, Rects
from dmlib.pictures.motion import displacements, thin, thinned_note, with_before, xy
from dmlib.pictures.plane import data_points, data_scene, pixel_rows
from dmlib.pictures.regions import held_note, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.problem import Problem

MOST_FRAMES, MOST_BARS = 32, 100
RING = 9.5
BAR = 0.85  # opacity
NOTE = "The area of a mark shows the memberships: inside the largest, around it the second."


def fuzzy_scene(run: Run) -> Scene:
    """Draw a run of fuzzy c-means: a frame a step, of very many some."""
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    all_steps: Sequence[FuzzyCMeansStep] = trace.steps
    shown = thin(len(all_steps), MOST_FRAMES)
    pairs = with_before(all_steps, shown.tolist())
    steps = [step for step, _ in pairs]
    teller = FuzzyTeller(problem, run.model.m, run.selected)
    panel = region_panel(problem)
    bars, bar_marks = _bars(problem, steps)
    marks = [*_regions(problem, steps, run.model.m, panel), *_data_marks(problem, steps, run.selected)]
    names = [f"cluster {j + 1}" for j in range(min(len(steps[-1].centers), 8))]
    return Scene(
        (panel, *bars, sse_panel(all_steps, "Objective")),
        (*marks, *bar_marks, *sse_marks(all_steps, steps)),
        Deferred(lambda pair: teller.frame(*pair), pairs),
        (*problem.notes, *held_note(problem), *([NOTE] if len(problem.X) <= MANY else []), *thinned_note(shown)),
        legend=tuple(Key(name, j) for j, name in enumerate(names)),
    )


def _regions(problem: Problem, steps: Sequence[FuzzyCMeansStep], m: float, panel: Panel) -> list[Raster]:
    """Return the cluster with the largest membership of each place; the nearer to 1, the stronger."""
    rows = pixel_rows(problem, panel, SIZE)

    def image(centers: Floats) -> tuple[Bytes, Bytes]:
        known = centers[np.isfinite(centers[:, 0])]
        squares = np.column_stack([((rows - center) ** 2).sum(axis=1) for center in known])
        return shaded(memberships(squares, m), 1.0)

    return cluster_regions(image, [step.centers for step in steps], panel)


def _data_marks(problem: Problem, steps: Sequence[FuzzyCMeansStep], selected: int | None) -> list[Mark]:
    k = len(steps[-1].centers)
    drawn = {id(step.memberships): share_channels(step.memberships) for step in steps}
    channels = [drawn[id(step.memberships)] for step in steps]
    first, second, inner, outer = (PerFrame([channel[i] for channel in channels]) for i in range(4))
    centers = [problem.plane.project(step.centers[np.isfinite(step.centers[:, 0])]) for step in steps]
    updates = [step.phase == "update" for step in steps]
    (x, y), (xs, ys) = problem.points.T, xy(centers)
    asked = [asked_row(step, selected) for step in steps]
    ring_x, ring_y = xy(None if row is None else problem.points[[row]] for row in asked)
    codes = PerFrame([np.arange(len(each), dtype=np.uint8) for each in centers])
    names = [f"cluster {j + 1}" for j in range(k)]
    marks: list[Mark] = [Points(x=ring_x, y=ring_y, color=[NO_CLASS], symbol=[0], hollow=[1], size=[RING], of="")]
    if len(x) <= MANY:
        marks.append(Points(x=x, y=y, color=second, size=outer, opacity=[0.75], of=""))
    marks.append(data_points(problem, color=first, size=inner, classes=names))
    marks.append(displacements(centers, updates))
    labels = [f"centre {j + 1}" for j in range(k)]
    return [*marks, Points(x=xs, y=ys, color=codes, labels=labels, emphasis=True, tween=True, of="")]


def _bars(problem: Problem, steps: Sequence[FuzzyCMeansStep]) -> tuple[list[Panel], list[Mark]]:
    """Return the memberships of the rows as stacked bars, in the order of the final clusters; of many rows some."""
    final = steps[-1].memberships
    if final is None:
        return [], []
    k = final.shape[1]
    order = np.lexsort((-final.max(axis=1), final.argmax(axis=1)))
    if len(order) > MOST_BARS:
        order = order[np.linspace(0, len(order) - 1, MOST_BARS).astype(int)]
    n = len(order)
    left = np.tile(np.arange(n), k) + 0.5
    tops = {id(s.memberships): None if s.memberships is None else _stacked(s.memberships[order]) for s in steps}
    heights = [tops[id(step.memberships)] for step in steps]
    y0, y1, x0, x1 = (
        PerFrame([side[:0] if each is None else side if i > 1 else each[i] for each in heights])
        for i, side in enumerate((left, left, left, left + 1))
    )
    title = "Memberships of the rows, by cluster" + (f" ({n} of {len(final)} rows)" if n < len(final) else "")
    panel = Panel("memberships", Axis("rows, ordered by cluster", 0.5, n + 0.5), Axis("membership", 0.0, 1.0), title)
    color = np.repeat(np.arange(k, dtype=np.uint8), n)
    numbers = np.tile(problem.rows[order] + 1, k)
    rects = Rects(panel="memberships", x0=x0, x1=x1, y0=y0, y1=y1, color=color, opacity=[BAR], numbers=numbers)
    return [panel], [rects]


def _stacked(shares: Floats) -> tuple[Floats, Floats]:
    """Return where the bars begin and end, cluster after cluster."""
    ends = np.cumsum(shares, axis=1)
    return (ends - shares).T.ravel(), ends.T.ravel()
