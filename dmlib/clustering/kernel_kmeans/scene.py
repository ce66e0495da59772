"""The scenes of kernel k-means and of fuzzy c-means."""

from __future__ import annotations

from typing import Any

from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans
from dmlib.clustering.kernel_kmeans.fuzzy_scene import fuzzy_scene
from dmlib.clustering.kernel_kmeans.kernel_scene import kernel_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import Problem


def kernel_kmeans_scene(run: Run[Problem, Any]) -> Scene:
    """Draw a run of kernel k-means, or of fuzzy c-means.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import FuzzyCMeans, KernelKMeans
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = kernel_kmeans_scene(Run.of(problem, KernelKMeans(init=[0, 0, 1, 1])))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'assign', 'update', 'assign', 'done']
    >>> scene = kernel_kmeans_scene(Run.of(problem, FuzzyCMeans(2, max_iter=1)))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'seed', 'assign', 'update', 'done']
    """
    return fuzzy_scene(run) if isinstance(run.model, FuzzyCMeans) else kernel_scene(run)
