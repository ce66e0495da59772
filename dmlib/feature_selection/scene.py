"""Feature selection as a picture: the search among sets, or the columns one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dmlib.feature_selection.bars_scene import filter_scene, probe_scene, weights_scene
from dmlib.feature_selection.coverage import CoverageSelector
from dmlib.feature_selection.coverage_scene import coverage_scene
from dmlib.feature_selection.filter_selector import FilterSelector
from dmlib.feature_selection.l0_svm import L0SVM
from dmlib.feature_selection.probe import ProbeSelector
from dmlib.feature_selection.search_scene import search_scene
from dmlib.feature_selection.sensor_placement import SensorPlacement
from dmlib.feature_selection.sensor_scene import sensor_scene
from dmlib.params import Flag
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import data_alone
from dmlib.problem import Problem

OPTIONS = {"all": Option(Flag(), True)}
"""Whether the lattice shows the scores of all sets, and which is the best."""

SCENES: dict[type, Callable[[Run[Any, Any]], Scene]] = {
    FilterSelector: filter_scene,
    ProbeSelector: probe_scene,
    L0SVM: weights_scene,
    CoverageSelector: coverage_scene,
    SensorPlacement: sensor_scene,
}


def feature_selection_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of a selector.

    Parameters
    ----------
    run : Run
        Steps of a class of :mod:`dmlib.feature_selection`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for each step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.feature_selection import SubsetSearch
    >>> from dmlib.problem import prepare
    >>> columns = {"a": [1.0, 2, 3, 4, 5], "b": [0.0, 1, 0, 0, 1], "y": [1.0, 2, 3, 4, 6]}
    >>> names = {"target": "y", "labelled": True, "numeric_target": True}
    >>> problem = prepare(pd.DataFrame(columns), ["a", "b"], **names)
    >>> scene = feature_selection_scene(Run.of(problem, SubsetSearch()))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'add', 'add', 'done']
    """
    if not run.trace.steps:
        is_number = getattr(run.problem, "numeric_target", False)  # a graph has no target
        return heights_scene(run.problem) if is_number else data_alone(run)
    if type(run.model) in SCENES:
        return SCENES[type(run.model)](run)
    return search_scene(run, chosen(run, OPTIONS)["all"])
