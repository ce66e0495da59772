"""Bisecting k-means as a picture: each trial cut, the SSE after it, and the tree of the cuts."""

from __future__ import annotations

from functools import partial

from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeans
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeansStep as Step
from dmlib.clustering.kmeans_variants.bisecting_ledger import PROGRESS, Progress, bisecting_ledger
from dmlib.clustering.kmeans_variants.cuts_scene import (
    Clustering,
    curve_marks,
    cuts_story,
    trial_clustering,
)
from dmlib.clustering.kmeans_variants.split_tree_scene import SplitDendrogram
from dmlib.clustering.sse_scene import curve_panel
from dmlib.pictures.marks import Mark
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import Moment, needs_steps
from dmlib.problem import Problem


@needs_steps
def bisecting_scene(run: Run[Problem, BisectingKMeans]) -> Scene:
    """Draw bisecting k-means, one frame per step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import BisectingKMeans
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = bisecting_scene(Run.of(problem, BisectingKMeans(2, random_state=0)))
    >>> for frame in scene.frames:
    ...     print(frame.caption)
    Start: all 4 rows are one cluster; its SSE is 82.
    Cluster 1 is split next: it has the largest SSE and the most rows.
    Trial 1: 2-means splits cluster 1 into 2 and 2 rows; the SSE would fall from 82 to 1.
    The split is kept: the SSE falls from 82 to 1, with 2 clusters.
    Done: 2 clusters with the SSE 1.
    """
    problem, steps = run.problem, run.trace.steps
    clusterings = list(map(_clustering, steps, [steps[0], *steps[:-1]]))
    n_clusters = max(len(step.centers) + (step.phase == "trial") for step in steps)
    panel = curve_panel(
        "sse", "clusters", n_clusters, "SSE", steps[0].inertia, "SSE after each split"
    )
    tree = SplitDendrogram(steps)
    ledger = partial(bisecting_ledger, problem)

    def side_marks(moment: Moment) -> list[Mark]:
        return [*tree.marks(moment.step), *_sse_marks(moment)]

    return cuts_story(run, clusterings, ledger, [tree.panel(), panel], side_marks, PROGRESS)


def _clustering(step: Step, before: Step) -> Clustering:
    # A row never crosses an earlier cut, so Voronoi cells are true only of the final k-means.
    if step.phase == "trial":
        return trial_clustering(step)
    if "assign" in (step.phase, before.phase):
        arrows = (before.centers, step.centers) if step.phase == "update" else None
        return Clustering(step.centers, step.labels, arrows=arrows, is_nearest=True)
    if step.phase == "split" and step.cluster is not None and step.child_centers is not None:
        arrows = before.centers[[step.cluster]], step.child_centers
        return Clustering(step.centers, step.labels, arrows=arrows)
    focus = (step.cluster,) if step.phase == "choose" and step.cluster is not None else ()
    return Clustering(step.centers, step.labels, focus)


def _sse_marks(moment: Moment) -> list[Mark]:
    """Return the SSE after each cut, and those of the trials of the next, or of k-means."""
    progress: Progress = moment.so_far
    n_clusters = len(moment.step.centers)
    current = (n_clusters, moment.step.inertia)
    refined = [current] if current != progress.curve[-1] else []
    others = [*refined, *((n_clusters + 1, cut.after) for cut in progress.trials)]
    return [*curve_marks("sse", progress.curve, -1), points_at(others, panel="sse", opacity=[0.6])]
