"""Transformations as pictures: columns before and after, a new column, samples, groups."""

from __future__ import annotations

from typing import Any

from dmlib.params import Choice, Number
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import needs_steps
from dmlib.preprocessing.transformation.algorithm import METHODS, Rescaler
from dmlib.preprocessing.transformation.columns_scene import OPTIONS, columns_scene
from dmlib.preprocessing.transformation.formula_scene import formula_scene
from dmlib.preprocessing.transformation.formula_transformer import FormulaTransformer
from dmlib.preprocessing.transformation.groups_scene import groups_scene
from dmlib.preprocessing.transformation.sample_scene import sample_scene
from dmlib.preprocessing.transformation.sampling import Sampler
from dmlib.problem import Problem

__all__ = ["COST", "OPTIONS", "SCALE", "SCALES", "USUAL", "transformation_scene"]

USUAL = "usual"
SCALES = {USUAL: "as all columns"} | dict(METHODS)
SCALE = Choice(tuple(SCALES))
"""The scales that a column can have of its own."""
COST = Number(0.01, 1000.0, shown=(0.1, 100.0), log=True)
"""The cost of a row of a class."""


@needs_steps
def transformation_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of a scaler, a formula, a sampler or an aggregator.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 5.0]}), ["a"])
    >>> scene = transformation_scene(Run.of(problem, Rescaler("min_max")))
    >>> [frame.phase for frame in scene.frames]
    ['measure', 'scale', 'done']
    """
    if isinstance(run.model, Rescaler):
        return columns_scene(run)
    if isinstance(run.model, FormulaTransformer):
        return formula_scene(run)
    return sample_scene(run) if isinstance(run.model, Sampler) else groups_scene(run)
