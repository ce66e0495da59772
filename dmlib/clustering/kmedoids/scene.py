"""k-medoids as a picture: rows joined to medoids, swaps as arrows, and the total deviation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.clustering.centers_ledger import cell_sites
from dmlib.clustering.centers_scene import center_points, numbered, rings, voronoi_cells
from dmlib.clustering.kmedoids.algorithm import KMedoids
from dmlib.clustering.kmedoids.clara import CLARAStep
from dmlib.clustering.kmedoids.ledger import Narrator
from dmlib.clustering.kmedoids.medoids import Indices
from dmlib.clustering.kmedoids.mixed import Gower, measure_of
from dmlib.clustering.kmedoids.search import KMedoidsStep
from dmlib.clustering.sse_scene import curve_panel
from dmlib.pictures.marks import NO_CLASS, Points, Segments
from dmlib.pictures.places import path_until, segments_between
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_LINES = 1000  # rows that are joined to their medoids
MEDOID, SAMPLED = 10.0, 8.0  # radius in pixels

Step = KMedoidsStep | CLARAStep


@needs_steps
def kmedoids_scene(run: Run[Problem, KMedoids]) -> Scene:
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
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> [frame.phase for frame in kmedoids_scene(Run.of(problem, KMedoids(2))).frames]
    ['build', 'build', 'evaluate', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    metric = measure_of(run.model.metric, problem.X, problem.categories)
    k = max(len(step.medoids) for step in steps)
    has_cells = metric in ("euclidean", "sqeuclidean") and cell_sites(problem)
    totals = np.column_stack([np.arange(len(steps)) + 1, [step.total for step in steps]])
    narrator = Narrator(problem, steps, metric, run.selected)
    panel = data_panel(problem)
    if isinstance(metric, Gower):
        panel = replace(panel, equal=False)
    top = max(step.total for step in steps)
    title = "Total deviation after each step"
    total_panel = curve_panel("total", "step", len(steps), "total deviation", top, title)

    def draw(moment: Moment) -> Drawing:
        step: Step = moment.step
        medoids = problem.points[step.medoids]
        marks = (
            *([voronoi_cells(medoids)] if has_cells else []),
            *_links(problem, step),
            *_sample(problem, step),
            data_points(problem, color=step.labels % NO_CLASS, classes=numbered("cluster", k)),
            center_points(medoids, numbered("medoid", k), size=[MEDOID]),
            *_arrows(problem, step),
            *path_until(totals, moment.index + 1, panel="total"),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, total_panel),
        notes=view_note(problem, "the nearest medoid may not look nearest"),
    )


def _links(problem: Problem, step: Step) -> tuple[Segments, ...]:
    """Return the segments from rows to their medoids; of very many rows none."""
    if len(problem.points) > MAX_LINES:
        return ()
    ends = problem.points[step.medoids[step.labels]]
    color, numbers = step.labels % NO_CLASS, problem.rows + 1
    return (segments_between(problem.points, ends, color=color, width=1.0, numbers=numbers),)


def _sample(problem: Problem, step: Step) -> tuple[Points, ...]:
    """Return rings around the rows of a sample of CLARA."""
    if not isinstance(step, CLARAStep):
        return ()
    return (rings(problem.points[step.sample], SAMPLED),)


def _arrows(problem: Problem, step: Step) -> tuple[Segments, ...]:
    """Return the arrows from medoids to the rows that replace them, or would."""
    if isinstance(step, CLARAStep):
        return ()
    old, new = _moves(step)
    return (segments_between(problem.points[old], problem.points[new], arrow=True, width=3.0),)


def _moves(step: KMedoidsStep) -> tuple[Indices, Indices]:
    """Return the medoids that are replaced, or would be, and the rows that replace them."""
    if step.phase == "evaluate":
        best = [swap for swap in step.candidates[:1] if swap.change < 0]
        slots = np.array([swap.out for swap in best], np.intp)
        return step.medoids[slots], np.array([swap.row for swap in best], np.intp)
    if step.before is None:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    if step.phase == "swap" and step.chosen is not None:
        return step.before, step.medoids[[step.chosen.out]]
    has_moved = step.before != step.medoids
    return step.before[has_moved], step.medoids[has_moved]
