"""Transformations as pictures: columns before and after, rows that are drawn, rows that become one."""

from __future__ import annotations

from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.preprocessing.transformation.algorithm import Rescaler
from dmlib.preprocessing.transformation.columns_scene import OPTIONS, columns_scene
from dmlib.preprocessing.transformation.rows_scene import groups_scene, sample_scene
from dmlib.preprocessing.transformation.sampling import Sampler

__all__ = ["OPTIONS", "transformation_scene"]


def transformation_scene(run: Run) -> Scene:
    """Draw the steps of a scaler, a sampler or an aggregator.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0]}), ["a"])
    >>> [frame.phase for frame in transformation_scene(Run.of(problem, Rescaler("min_max"))).frames]
    ['measure', 'scale', 'done']
    """
    if not run.trace.steps:
        return data_scene(run.problem, run.trace.reason)
    if isinstance(run.model, Rescaler):
        return columns_scene(run)
    return sample_scene(run) if isinstance(run.model, Sampler) else groups_scene(run)
