"""Scenes of how a query is classified, whose frames are counted by the steps of the run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene


def with_steps_of_run(scene: Scene, run: Run[Any, Any], numbers: Iterable[int]) -> Scene:
    """Return a scene whose frames have the steps of the run that do the same for the typical row.

    A run classifies the typical row, its scene another one in as many steps: questions, which
    count the steps of the run, are then asked before the right frames.

    Parameters
    ----------
    scene : Scene
        How the query is classified.
    run : Run
        The run.
    numbers : iterable of int
        For each frame, the number of the step of the run.
    """
    steps = run.trace.steps
    return replace(scene, steps=[steps[number] for number in numbers if number < len(steps)])
