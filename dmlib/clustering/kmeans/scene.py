"""k-means as a picture: rows and centres in the plane, the SSE beside it, the arithmetic of every half-step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.clustering.centers_ledger import cell_sites, plane_note
from dmlib.clustering.kmeans.algorithm import KMeansStep
from dmlib.clustering.lloyd_ledger import lloyd_frames
from dmlib.clustering.sse_scene import sse_marks, sse_panel
from dmlib.pictures.marks import NO_CLASS, Cells, PerFrame, Points
from dmlib.pictures.motion import displacements, xy
from dmlib.pictures.plane import data_panel, data_points, data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import Problem

LARGEST = 11.0  # radius in pixels of the most probable seed


def kmeans_scene(run: Run) -> Scene:
    """Draw one restart of k-means.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.KMeans`.

    Returns
    -------
    Scene
        One frame per seed, assignment and update, and one for the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = kmeans_scene(Run.of(problem, KMeans(2, init=problem.X[:2], tol=0)))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'seed', 'assign', 'update', 'assign', 'update', 'assign', 'done']
    """
    problem, trace, selected, restart = run.problem, run.trace, run.selected, run.restart
    if not trace.steps:
        return data_scene(problem, trace.reason)
    steps: list[KMeansStep] = [step for step in trace.steps if step.phase != "best"]
    shown = trace.steps[-1].restart if restart is None else restart
    mine = [step for step in steps if step.restart == shown]
    places = [problem.plane.project(step.centers) for step in mine]
    frames = lloyd_frames(problem, mine, selected)
    return Scene(
        (data_panel(problem, np.vstack(places)), sse_panel(steps)),
        (*_data_marks(problem, mine, places), *sse_marks(steps, mine, shown)),
        frames,
        (*problem.notes, *plane_note(problem)),
    )


def _data_marks(problem: Problem, steps: Sequence[KMeansStep], places: Sequence[Any]) -> tuple[Any, ...]:
    k = len(places[0])
    names = [f"cluster {j + 1}" for j in range(k)]
    none = np.array([NO_CLASS], np.uint8)
    colors = PerFrame([none if step.labels is None else step.labels for step in steps])
    xs, ys = xy(places)
    marks: list[Any] = []
    if cell_sites(problem):
        marks.append(Cells(x=xs, y=ys, tween=True))
    marks.append(data_points(problem, color=colors, size=PerFrame(_sizes(steps)), classes=names))
    marks.append(displacements(places, [step.phase == "update" for step in steps]))
    labels = [f"centre {j + 1}" for j in range(k)]
    marks.append(Points(x=xs, y=ys, color=np.arange(k), labels=labels, emphasis=True, tween=True))
    return tuple(marks)


def _sizes(steps: Sequence[KMeansStep]) -> list[Any]:
    """Return the radii: while k-means++ draws, the area of a row is its probability."""
    normal = np.array([4.5])
    return [
        normal if s.distances is None else 1.5 + LARGEST * np.sqrt(s.distances / max(s.distances.max(), 1e-300))
        for s in steps
    ]
