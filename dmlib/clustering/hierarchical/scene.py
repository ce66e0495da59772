"""Hierarchical clustering as a picture."""

from __future__ import annotations

from typing import Any

from dmlib.clustering.hierarchical.agglomerative_scene import agglomerative_scene
from dmlib.clustering.hierarchical.divisive import DivisiveClustering
from dmlib.clustering.hierarchical.divisive_scene import divisive_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import Problem


def hierarchical_scene(run: Run[Problem, Any]) -> Scene:
    """Draw agglomerative or divisive clustering.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0], "b": [0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = hierarchical_scene(Run.of(problem, DivisiveClustering(2)))
    >>> scene.frames[1].caption
    'Split 1: row 3 is farthest from the others on average (4.5) and starts the splinter group.'
    """
    is_divisive = isinstance(run.model, DivisiveClustering)
    return divisive_scene(run) if is_divisive else agglomerative_scene(run)
