"""The scene of whichever variant of k-means made the trace."""

from __future__ import annotations

from dmlib.clustering.bisecting_kmeans import BisectingKMeansStep
from dmlib.problem import Problem
from dmlib.scene import Scene
from dmlib.scenes.bisecting_kmeans import bisecting_scene
from dmlib.scenes.data import data_scene
from dmlib.scenes.xmeans import xmeans_scene
from dmlib.trace import Trace


def kmeans_variants_scene(problem: Problem, trace: Trace, *, selected: int | None = None) -> Scene:
    """Draw bisecting k-means or X-means.

    Parameters
    ----------
    problem : Problem
        The data.
    trace : Trace
        Steps of :class:`dmlib.clustering.BisectingKMeans` or :class:`dmlib.clustering.XMeans`.
    selected : int, optional
        The sample whose distances are written out.

    Returns
    -------
    Scene
        One frame per step; without a step, the data alone.
    """
    if not trace.steps:
        return data_scene(problem, trace.reason)
    bisecting = isinstance(trace.steps[0], BisectingKMeansStep)
    return (bisecting_scene if bisecting else xmeans_scene)(problem, trace, selected=selected)
