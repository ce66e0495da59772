"""k-medoids as a picture: rows joined to their medoids, swaps as arrows, the total deviation after each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.clustering.centers_ledger import cell_sites
from dmlib.clustering.kmedoids.clara import CLARAStep
from dmlib.clustering.kmedoids.ledger import medoids_frame, sample_frame
from dmlib.clustering.kmedoids.mixed import Gower, measure_of
from dmlib.clustering.kmedoids.search import KMedoidsStep
from dmlib.pictures.marks import NO_CLASS, Cells, Line, Mark, PerFrame, Points, Segments
from dmlib.pictures.motion import moves, path, thin, thinned_note, xy
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.problem import Problem

MOST_LINES = 1000  # rows that are joined to their medoids
MEDOID, SAMPLED = 10.0, 8.0  # radius in pixels

Step = KMedoidsStep | CLARAStep


def kmedoids_scene(run: Run) -> Scene:
    """Draw a run of k-medoids.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.KMedoids`.

    Returns
    -------
    Scene
        One frame for each step; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMedoids
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]}), ["a", "b"])
    >>> [frame.phase for frame in kmedoids_scene(Run.of(problem, KMedoids(2))).frames]
    ['build', 'build', 'evaluate', 'done']
    """
    problem, trace = run.problem, run.trace
    steps: Sequence[Any] = trace.steps
    if not steps:
        return data_scene(problem, trace.reason)
    metric = measure_of(run.model.metric, problem.X, problem.categories)
    shown = thin(len(steps))
    mine = [steps[i] for i in shown]
    if run.model.method == "clara":
        frames = [sample_frame(problem, steps[i], steps[max(i - 1, 0)], metric, run.selected) for i in shown]
        marks = _data_marks(problem, mine, metric, (_sample(problem, mine),))
    else:
        frames = [medoids_frame(problem, steps, i, metric, run.selected) for i in shown]
        marks = [*_data_marks(problem, mine, metric), _arrows(problem, mine)]
    notes = view_note(problem, "the nearest medoid may not look nearest")
    panel = replace(data_panel(problem), equal=False) if isinstance(metric, Gower) else data_panel(problem)
    return Scene(
        (panel, _total_panel(steps)),
        (*marks, *_total_marks(steps, shown)),
        frames,
        (*problem.notes, *notes, *thinned_note(shown)),
    )


def _data_marks(problem: Problem, steps: Sequence[Step], metric: Any, below: Sequence[Mark] = ()) -> list[Mark]:
    points = problem.points
    k = max(len(step.medoids) for step in steps)
    colors = PerFrame([step.labels % NO_CLASS for step in steps])
    xs, ys = xy(points[step.medoids] for step in steps)
    marks: list[Mark] = []
    if cell_sites(problem) and metric == "euclidean":
        marks.append(Cells(x=xs, y=ys))
    if len(points) <= MOST_LINES:
        x1, y1 = xy(points[step.medoids[step.labels]] for step in steps)
        x0, y0 = points.T
        marks.append(Segments(x0=x0, y0=y0, x1=x1, y1=y1, color=colors, width=1.0, numbers=problem.rows + 1))
    marks.extend(below)
    marks.append(data_points(problem, color=colors, classes=[f"cluster {j + 1}" for j in range(k)]))
    medoids = [np.arange(len(step.medoids)) % NO_CLASS for step in steps]
    labels = [f"medoid {j + 1}" for j in range(k)]
    marks.append(Points(x=xs, y=ys, color=PerFrame(medoids), labels=labels, emphasis=True, size=[MEDOID], tween=True))
    return marks


def _arrows(problem: Problem, steps: Sequence[KMedoidsStep]) -> Segments:
    """Return the arrows from the medoids that go, or would go, to the rows that take their place."""
    starts, ends = [], []
    for step in steps:
        old, new = np.empty(0, np.intp), np.empty(0, np.intp)
        if step.phase == "evaluate" and step.candidates and step.candidates[0].change < 0:
            best = step.candidates[0]
            old, new = step.medoids[[best.out]], np.array([best.row])
        elif step.phase == "swap" and step.before is not None and step.chosen is not None:
            old, new = step.before, step.medoids[[step.chosen.out]]
        elif step.before is not None:
            moved = step.before != step.medoids
            old, new = step.before[moved], step.medoids[moved]
        starts.append(problem.points[old])
        ends.append(problem.points[new])
    return moves(starts, ends, width=3.0)


def _sample(problem: Problem, steps: Sequence[CLARAStep]) -> Points:
    """Return rings around the rows of each sample."""
    x, y = xy(problem.points[step.sample] for step in steps)
    return Points(x=x, y=y, color=[NO_CLASS], symbol=[0], hollow=[1], size=[SAMPLED])


def _total_panel(steps: Sequence[Step]) -> Panel:
    return Panel(
        "total",
        Axis("step", 0.5, max(len(steps), 2) + 0.5, integer=True),
        Axis("total deviation", 0.0, 1.06 * max(step.total for step in steps) or 1.0),
        title="Total deviation after each step",
        side=True,
    )


def _total_marks(steps: Sequence[Step], shown: Any) -> tuple[Line, Points]:
    curve = np.column_stack([np.arange(len(steps)) + 1, [step.total for step in steps]])
    return path(curve, shown + 1, panel="total")
