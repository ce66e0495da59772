"""The first look at the data of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dmlib.pictures.data.baskets import bags_scene, baskets_scene
from dmlib.pictures.data.graph import graph_scene
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.data.image import image_scene
from dmlib.pictures.data.network import network_scene
from dmlib.pictures.data.patterns import patterns_scene
from dmlib.pictures.data.sequences import sequences_scene
from dmlib.pictures.data.series import series_scene
from dmlib.pictures.data.surface import surface_scene
from dmlib.pictures.data.texts import texts_scene
from dmlib.pictures.plane import data_scene
from dmlib.pictures.scene import Scene
from dmlib.problem import (
    AnyProblem,
    BagsProblem,
    BasketsProblem,
    DigitsProblem,
    GraphProblem,
    ImageProblem,
    LinesProblem,
    LossProblem,
    NetworkProblem,
    PatternsProblem,
    Problem,
    SeriesProblem,
    SurfaceProblem,
    TextsProblem,
)
from dmlib.problem.sequences import SequencesProblem


def table_scene(problem: Problem) -> Scene:
    """Return the points of a table: with their heights, in their classes, or plain."""
    if problem.numeric_target:
        return heights_scene(problem)
    classes = f" in {len(problem.classes)} classes" if problem.classes else ""
    return data_scene(problem, f"{len(problem.X)} points{classes}.")


SCENES: Mapping[type, Callable[[Any], Scene]] = {
    Problem: table_scene,
    BasketsProblem: baskets_scene,
    BagsProblem: bags_scene,
    GraphProblem: graph_scene,
    SeriesProblem: series_scene,
    TextsProblem: texts_scene,
    LinesProblem: texts_scene,
    ImageProblem: image_scene,
    DigitsProblem: image_scene,
    SurfaceProblem: surface_scene,
    LossProblem: surface_scene,
    PatternsProblem: patterns_scene,
    NetworkProblem: network_scene,
    SequencesProblem: sequences_scene,
}


def first_scene(problem: AnyProblem) -> Scene:
    """Return the data alone, in one frame, whatever kind they are.

    Parameters
    ----------
    problem : Problem, BasketsProblem, GraphProblem, ...
        Data of any kind; the classes are the keys of ``SCENES``.

    Returns
    -------
    Scene
        One frame, whose caption says how much there is.

    Examples
    --------
    >>> from dmlib.problem import prepare_series
    >>> first_scene(prepare_series([[1.0, 2.0, 4.0]], ["flow"])).frames[0].caption
    'One series: flow (3 values).'
    """
    return SCENES[type(problem)](problem)
