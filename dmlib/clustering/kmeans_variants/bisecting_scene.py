"""Bisecting k-means as a picture: the cluster that is cut, every trial cut, and the SSE that each would leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dmlib.clustering.centers_ledger import MOST_COLUMNS, center_table, sum_of_parts
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeansStep as Step
from dmlib.clustering.kmeans_variants.cuts_scene import Look, curve_marks, cuts_scene, look_at_trial
from dmlib.pictures.ledger import MOST_LINES, Blocks, Formula, LedgerTable, class_table
from dmlib.pictures.marks import Mark, Points
from dmlib.pictures.motion import xy
from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.words import count, num
from dmlib.problem import Problem


def bisecting_scene(run: Run) -> Scene:
    """Draw bisecting k-means, one frame per step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import BisectingKMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = bisecting_scene(Run.of(problem, BisectingKMeans(2, random_state=0)))
    >>> for frame in scene.frames:
    ...     print(frame.caption)
    Start: all 4 rows are one cluster; its SSE is 82.
    Cluster 1 is cut next: it has the largest SSE and the most rows.
    Trial 1: 2-means cuts cluster 1 into 2 and 2 rows; the SSE would fall from 82 to 1.
    The cut is kept: the SSE falls from 82 to 1, with 2 clusters.
    Done: 2 clusters with the SSE 1.
    """
    problem, steps = run.problem, run.trace.steps
    if not steps:
        return data_scene(problem, run.trace.reason)
    looks = [_look(step, steps[max(i - 1, 0)]) for i, step in enumerate(steps)]
    cuts = {i: _cut(step, step) for i, step in enumerate(steps) if step.phase == "trial"}
    told = [_tell(problem, steps, i, cuts) for i in range(len(steps))]
    return cuts_scene(run, looks, told, _sse_panel(steps), _sse_marks(steps, cuts))


def _look(step: Step, before: Step) -> Look:
    # A row never crosses an earlier cut, so Voronoi cells would not be true here.
    if step.phase == "trial":
        return look_at_trial(step)
    if step.phase == "split" and step.cluster is not None and step.child_centers is not None:
        arrows = np.repeat(before.centers[[step.cluster]], 2, axis=0), step.child_centers
        return Look(step.centers, step.labels, arrows=arrows)
    focus = (step.cluster,) if step.phase == "choose" and step.cluster is not None else ()
    return Look(step.centers, step.labels, focus)


@dataclass(frozen=True)
class _Cut:
    """The numbers of one cut: who is cut, into what, and the SSE of the whole before and after."""

    trial: int
    cluster: int
    sizes: tuple[int, ...]
    parts: tuple[float, ...]
    before: float
    parent: float

    @property
    def after(self) -> float:
        return self.before - self.parent + sum(self.parts)

    @property
    def arithmetic(self) -> Formula:
        parts = " + ".join(map(num, self.parts))
        return Formula(f"SSE: {num(self.before)} − {num(self.parent)} + ({parts}) = {num(self.after)}")


def _cut(step: Step, before: Step) -> _Cut:
    """Return the numbers of a trial or split; ``before`` is a step before the cluster was divided."""
    cluster, trial = cast(int, step.cluster), cast(int, step.trial)
    counts = np.bincount(cast(Any, step.child_labels) + 1, minlength=3)[1:]
    parts = tuple(map(float, cast(Any, step.child_inertias)))
    sizes = tuple(map(int, counts))
    return _Cut(trial + 1, cluster + 1, sizes, parts, before.inertia, float(before.inertias[cluster]))


def _trials(cuts: Mapping[int, _Cut], i: int) -> list[_Cut]:
    """Return the last trial cuts of the cluster in hand, up to step ``i``, which is one."""
    return [cuts[j] for j in range(max(i - cuts[i].trial, i - MOST_LINES) + 1, i + 1)]


def _sse_panel(steps: Sequence[Step]) -> Panel:
    most = max(len(step.centers) + (step.phase == "trial") for step in steps)
    return Panel(
        "sse",
        Axis("clusters", 0.5, max(most, 2) + 0.5, integer=True),
        Axis("SSE", 0.0, steps[0].inertia * 1.06 or 1.0),
        title="SSE after each cut",
        side=True,
    )


def _sse_marks(steps: Sequence[Step], cuts: Mapping[int, _Cut]) -> list[Mark]:
    curves: list[list[tuple[float, float]]] = []
    tried: list[list[tuple[float, float]]] = []
    for i, step in enumerate(steps):
        kept = curves[-1] if curves else []
        point = (len(step.centers), step.inertia)
        curves.append(kept if kept and kept[-1][0] == point[0] else [*kept, point])
        tried.append([*tried[-1], (len(step.centers) + 1, cuts[i].after)] if i in cuts else [])
    x, y = xy(np.array(points, float).reshape(-1, 2) for points in tried)
    return [*curve_marks("sse", curves, [-1] * len(curves)), Points(panel="sse", x=x, y=y, opacity=[0.6])]


def _tell(problem: Problem, steps: Sequence[Step], i: int, cuts: Mapping[int, _Cut]) -> tuple[str, Blocks]:
    step = steps[i]
    if step.phase == "start":
        n = int(step.counts[0])
        caption = f"Start: all {n} rows are one cluster; its SSE is {num(step.inertia)}."
        return caption, [center_table(problem, step.centers, "Its centre, the mean of all rows")]
    if step.phase == "choose":
        return _choose(step), [_clusters(step, "Which cluster is cut?")]
    if step.phase == "trial":
        return _trial(problem, step, _trials(cuts, i))
    if step.phase == "split":
        return _split(step, steps[i - 1])
    end = f"Done: {count(len(step.centers), 'cluster', 'clusters')} with the SSE {num(step.inertia)}."
    return end, [
        _clusters(step, "Clusters"),
        sum_of_parts(step.inertias, step.inertia),
        center_table(problem, step.centers, "Centres"),
    ]


def _clusters(step: Step, title: str) -> LedgerTable:
    rows = [(int(n), float(sse)) for n, sse in zip(step.counts, step.inertias, strict=True)]
    return class_table(("rows", "SSE"), rows, title, () if step.cluster is None else (step.cluster,))


def _choose(step: Step) -> str:
    j = step.cluster or 0
    reasons = [
        *(["the largest SSE"] if step.inertias[j] == step.inertias.max() else []),
        *(["the most rows"] if step.counts[j] == step.counts.max() else []),
    ]
    if not reasons:
        return f"Cluster {j + 1} is cut next: the rows of those before it are all equal."
    return f"Cluster {j + 1} is cut next: it has {' and '.join(reasons)}."


def _trial(problem: Problem, step: Step, cuts: Sequence[_Cut]) -> tuple[str, Blocks]:
    cut = cuts[-1]
    caption = (
        f"Trial {cut.trial}: 2-means cuts cluster {cut.cluster} into {cut.sizes[0]} and {cut.sizes[1]} rows; "
        f"the SSE would fall from {num(cut.before)} to {num(cut.after)}."
    )
    rows = [
        (c.trial, " + ".join(map(str, c.sizes)), " + ".join(f"{part:.5g}" for part in c.parts), sum(c.parts))
        for c in cuts
    ]
    best = min(range(len(cuts)), key=lambda i: rows[i][-1])
    shown = problem.features[:MOST_COLUMNS]
    centers = [
        [number, *map(float, center[: len(shown)])]
        for number, center in zip((cut.cluster, len(step.centers) + 1), cast(Any, step.child_centers), strict=True)
    ]
    title = f"Trial cuts of cluster {cut.cluster}: the smallest sum wins"
    return caption, [
        LedgerTable(("trial", "rows", "SSE of the parts", "sum"), rows, title, [best]),
        cut.arithmetic,
        LedgerTable(("centre", *shown), centers, "Centres of the two parts"),
    ]


def _split(step: Step, before: Step) -> tuple[str, Blocks]:
    cut, n_trials = _cut(step, before), cast(int, before.trial) + 1
    which = "The cut is" if n_trials == 1 else f"Trial {cut.trial} of {n_trials} has the smallest SSE and is"
    fall = f"the SSE falls from {num(cut.before)} to {num(cut.after)}"
    return f"{which} kept: {fall}, with {len(step.centers)} clusters.", [
        cut.arithmetic,
        _clusters(step, "After the cut"),
        sum_of_parts(step.inertias, step.inertia),
    ]
