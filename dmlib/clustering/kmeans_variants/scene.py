"""The scene of whichever variant of k-means made the trace."""

from __future__ import annotations

from typing import Any

from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeans
from dmlib.clustering.kmeans_variants.bisecting_scene import bisecting_scene
from dmlib.clustering.kmeans_variants.xmeans_scene import xmeans_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import Problem


def kmeans_variants_scene(run: Run[Problem, Any]) -> Scene:
    """Draw bisecting k-means or X-means, one frame per step; without a step, the data alone."""
    return (bisecting_scene if isinstance(run.model, BisectingKMeans) else xmeans_scene)(run)
