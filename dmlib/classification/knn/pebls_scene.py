"""PEBLS as a picture: the weights of stored rows, and the nearest exemplar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.knn.pebls import PEBLS, ExemplarStep
from dmlib.classification.knn.pebls_ledger import Narrator
from dmlib.classification.query_scene import with_steps_of_run
from dmlib.pictures.marks import Points, Rects, Segments
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.problem import Problem, Query

MAX_BARS = 5  # stored rows whose distances are drawn: as many as there is room for their numbers
MAX_LISTED = 8  # and listed
EXEMPLAR = 7.0  # radius of the nearest exemplar, in pixels
MIN_SIZE = 3.0  # radius of a row with weight 1
MAX_SIZE = 9.0


def pebls_scene(run: Run[Problem, PEBLS]) -> Scene:
    """Draw how PEBLS learns, and how it classifies a place or sample.

    Parameters
    ----------
    run : Run
        Of :class:`dmlib.classification.PEBLS`.

    Returns
    -------
    Scene
        A frame for the values of each column, for the weights, the distances, their products, and
        the answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PEBLS
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": list("uuvv"), "b": list("stst"), "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = pebls_scene(Run.of(problem, PEBLS(), query=problem.query(sample=0)))
    >>> [frame.phase for frame in scene.frames]
    ['compare', 'compare', 'weigh', 'measure', 'multiply', 'choose']
    """
    problem, model, query = run.problem, run.fitted, run.current_query
    row = problem.table(query.x[None])
    steps = list(model.explain_steps(row))
    nearest = _nearest(steps[-1])
    narrator = Narrator(problem, model, query, model.terms(row), nearest)
    rows_of_bars = nearest[:MAX_BARS]

    def draw(moment: Moment) -> Drawing:
        step: ExemplarStep = moment.step
        marks = (
            run.surface,
            *_exemplar(problem, query, step),
            _rows(problem, step),
            _bars(problem, step, rows_of_bars),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    scene = story(
        run,
        draw,
        panels=(region_panel(problem), _bar_panel(problem, steps, rows_of_bars)),
        steps=steps,
        numbers=range(len(steps)),
        legend=class_legend(problem),
        handles=(query_handle(query),),
        notes=(*held_note(problem), *_numeric_note(problem)),
    )
    return with_steps_of_run(scene, run, range(len(steps)))


def _nearest(last: ExemplarStep) -> NDArray[np.intp]:
    """Return the nearest stored rows, the exemplar first."""
    exemplar = int(last.nearest or 0)
    order = last.distances.argsort(kind="stable")
    return np.append(exemplar, order[order != exemplar])[:MAX_LISTED].astype(np.intp)


def _numeric_note(problem: Problem) -> tuple[str, ...]:
    if len(problem.categories) == len(problem.features):
        return ()
    note = (
        "PEBLS is made for nominal columns: a numeric one adds the difference divided by its range."
    )
    return (note,)


def _rows(problem: Problem, step: ExemplarStep) -> Points:
    """Return the rows; in "weigh", the area of a stored row is its weight."""
    if step.phase != "weigh":
        return class_points(problem, size=np.full(1, MIN_SIZE + 1))
    sizes = np.full(len(problem.X), MIN_SIZE)
    sizes[problem.trained] = np.minimum(MIN_SIZE * np.sqrt(step.weights), MAX_SIZE)
    return class_points(problem, size=sizes)


def _exemplar(problem: Problem, query: Query, step: ExemplarStep) -> tuple[Segments, Points]:
    """Return the nearest exemplar, and the line to it."""
    rows = problem.trained[[] if step.nearest is None else [step.nearest]]
    places = problem.points[rows]
    colors = np.asarray(problem.y)[rows]
    return (
        segments_between([query.place], places, color=colors, width=2.0),
        points_at(places, color=colors, size=[EXEMPLAR]),
    )


def _bar_panel(problem: Problem, steps: Sequence[ExemplarStep], nearest: NDArray[np.intp]) -> Panel:
    measured = [step for step in steps if np.isfinite(step.distances).all()]
    top = max(float(step.distances[nearest].max()) for step in measured)
    numbers = problem.rows[problem.trained[nearest[::-1]]] + 1
    return Panel(
        "exemplars",
        Axis("distance", 0.0, top * 1.08 or 1.0),
        Axis("row", -0.5, len(nearest) - 0.5, ticks=tuple(map(str, numbers))),
        "The nearest stored rows",
        side=True,
    )


def _bars(problem: Problem, step: ExemplarStep, nearest: NDArray[np.intp]) -> Rects:
    """Return the distances of the nearest stored rows, the exemplar on top."""
    middle = np.arange(len(nearest))[::-1].astype(float)
    return Rects(
        panel="exemplars",
        x0=np.zeros(len(nearest)),
        x1=np.nan_to_num(step.distances[nearest]),
        y0=middle - 0.35,
        y1=middle + 0.35,
        color=np.asarray(problem.y)[problem.trained[nearest]].astype(np.uint8),
    )
