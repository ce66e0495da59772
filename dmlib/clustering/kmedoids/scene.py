"""k-medoids as a picture: rows joined to medoids, swaps as arrows, and the total deviation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.clustering.centers_ledger import cell_sites
from dmlib.clustering.kmedoids.clara import CLARAStep
from dmlib.clustering.kmedoids.ledger import Narrator
from dmlib.clustering.kmedoids.medoids import Indices
from dmlib.clustering.kmedoids.mixed import Gower, measure_of
from dmlib.clustering.kmedoids.search import KMedoidsStep
from dmlib.pictures.marks import NO_CLASS, Cells, Mark, Points, Segments
from dmlib.pictures.places import path_until, points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_LINES = 1000  # rows that are joined to their medoids
MEDOID, SAMPLED = 10.0, 8.0  # radius in pixels

Step = KMedoidsStep | CLARAStep


@needs_steps
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
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> [frame.phase for frame in kmedoids_scene(Run.of(problem, KMedoids(2))).frames]
    ['build', 'build', 'evaluate', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    metric = measure_of(run.model.metric, problem.X, problem.categories)
    k = max(len(step.medoids) for step in steps)
    totals = np.column_stack([np.arange(len(steps)) + 1, [step.total for step in steps]])
    narrator = Narrator(problem, steps, metric, run.selected)
    panel = data_panel(problem)

    def draw(moment: Moment) -> Drawing:
        step: Step = moment.step
        marks = (
            *_cells(problem, step, metric),
            *_links(problem, step),
            *_sample(problem, step),
            data_points(
                problem,
                color=step.labels % NO_CLASS,
                classes=[f"cluster {j + 1}" for j in range(k)],
            ),
            points_at(
                problem.points[step.medoids],
                color=np.arange(len(step.medoids)) % NO_CLASS,
                labels=[f"medoid {j + 1}" for j in range(k)],
                emphasis=True,
                size=[MEDOID],
                tween=True,
            ),
            *_arrows(problem, step),
            *path_until(totals, moment.index + 1, panel="total"),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(
            replace(panel, equal=panel.equal and not isinstance(metric, Gower)),
            _total_panel(steps),
        ),
        notes=view_note(problem, "the nearest medoid may not look nearest"),
    )


def _cells(problem: Problem, step: Step, metric: Any) -> tuple[Mark, ...]:
    """Return the Voronoi cells of the medoids, where those in the plane are those of the data."""
    if metric != "euclidean" or not cell_sites(problem):
        return ()
    x, y = problem.points[step.medoids].T
    return (Cells(x=x, y=y),)


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
    places = problem.points[step.sample]
    return (points_at(places, color=[NO_CLASS], symbol=[0], hollow=[1], size=[SAMPLED]),)


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


def _total_panel(steps: Sequence[Step]) -> Panel:
    return Panel(
        "total",
        Axis("step", 0.5, max(len(steps), 2) + 0.5, integer=True),
        Axis("total deviation", 0.0, 1.06 * max(step.total for step in steps) or 1.0),
        title="Total deviation after each step",
        side=True,
    )
