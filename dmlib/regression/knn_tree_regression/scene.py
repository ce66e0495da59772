"""The step function beside the line: one neighbourhood, split, pruning step or tree a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import needs_steps
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.forest import AveragedRegressor
from dmlib.regression.knn_tree_regression.forest_scene import forest_scene
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor
from dmlib.regression.knn_tree_regression.neighbors_scene import neighbors_scene
from dmlib.regression.knn_tree_regression.trees_scene import tree_scene

MIN_FRAMES, MAX_FRAMES = 8, 60
MAX_PLACES = 12_000  # rows times frames


@needs_steps
def knn_tree_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of k-NN, of a tree or of an ensemble of trees.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 5.0, 7.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> scene = knn_tree_scene(Run.of(problem, DecisionTreeRegressor(max_leaf_nodes=2)))
    >>> [frame.phase for frame in scene.frames]
    ['root', 'split', 'done']
    """
    max_frames = int(np.clip(MAX_PLACES // len(run.problem.X), MIN_FRAMES, MAX_FRAMES))
    scene = tree_scene
    if isinstance(run.model, KNeighborsRegressor):
        scene = neighbors_scene
    elif isinstance(run.model, AveragedRegressor):
        scene = forest_scene
    return scene(run, max_frames)
