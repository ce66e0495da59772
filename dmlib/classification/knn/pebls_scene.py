"""PEBLS as a picture: how alike the values of a column are, which stored rows are trusted, and which one is nearest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.knn.pebls import ExemplarStep
from dmlib.classification.knn.pebls_ledger import Teller
from dmlib.pictures.marks import PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import xy
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.problem import Problem, Query

MOST_BARS = 5  # stored rows whose distances are drawn: as many as there is room for their numbers
MOST_LISTED = 8  # and listed
CHOSEN = 7.0  # radius of the nearest exemplar, in pixels
LEAST_SIZE, MOST_SIZE = 3.0, 9.0  # radius of a row with weight 1, and the largest


def pebls_scene(run: Run) -> Scene:
    """Draw how PEBLS learns, and how it classifies a place or sample.

    Parameters
    ----------
    run : Run
        Of :class:`dmlib.classification.PEBLS`.

    Returns
    -------
    Scene
        A frame for the values of each column, for the weights, the distances, their products, and the answer.

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
    problem, model, query = run.problem, run.fitted, run.asked
    asked = problem.table(query.x[None])
    steps = list(model.explain_steps(asked))
    last = steps[-1]
    nearest = last.distances.argsort(kind="stable")
    first = int(last.nearest or 0)
    nearest = np.append(first, nearest[nearest != first])[:MOST_LISTED].astype(np.intp)
    stored = problem.trained
    teller = Teller(problem, model, query, model.terms(asked), nearest)
    drawn = nearest[:MOST_BARS]
    panels = (region_panel(problem), _bar_panel(problem, stored[drawn], steps, drawn))
    marks = (
        run.surface,
        *_chosen(problem, query, steps, stored),
        _samples(problem, steps, stored),
        _bars(problem, steps, stored, drawn),
    )
    notes = (*problem.notes, *held_note(problem), *_numeric_note(problem))
    frames = [teller.frame(step) for step in steps]
    return Scene(panels, marks, frames, notes, (query_handle(query),), class_legend(problem))


def _numeric_note(problem: Problem) -> tuple[str, ...]:
    if len(problem.categories) == len(problem.features):
        return ()
    return ("PEBLS is made for nominal columns: a numeric one adds the difference divided by its range.",)


def _samples(problem: Problem, steps: Sequence[ExemplarStep], stored: NDArray[np.intp]) -> Points:
    """Return the samples; once they are weighed, the larger the less a stored row is trusted."""
    usual = np.full(1, LEAST_SIZE + 1)
    weights = steps[-1].weights
    sizes = np.full(len(problem.X), LEAST_SIZE)
    # The area stands for the weight.
    sizes[stored] = np.minimum(LEAST_SIZE * np.sqrt(weights), MOST_SIZE)
    return class_points(problem, size=PerFrame([sizes if step.phase == "weigh" else usual for step in steps]))


def _chosen(
    problem: Problem, query: Query, steps: Sequence[ExemplarStep], stored: NDArray[np.intp]
) -> tuple[Segments, Points]:
    """Return the nearest exemplar, and the line to it."""
    rows = [stored[[] if step.nearest is None else [step.nearest]] for step in steps]
    (x0, y0), (x, y) = xy(np.tile(query.place, (len(i), 1)) for i in rows), xy(problem.points[i] for i in rows)
    color = PerFrame([np.asarray(problem.y)[i] for i in rows])
    line = Segments(x0=x0, y0=y0, x1=x, y1=y, color=color, width=2.0)
    return line, Points(x=x, y=y, color=color, size=[CHOSEN])


def _bar_panel(
    problem: Problem, rows: NDArray[np.intp], steps: Sequence[ExemplarStep], nearest: NDArray[np.intp]
) -> Panel:
    top = max(float(step.distances[nearest].max()) for step in steps if np.isfinite(step.distances).all())
    names = tuple(str(row) for row in problem.rows[rows[::-1]] + 1)
    return Panel(
        "exemplars",
        Axis("distance", 0.0, top * 1.08 or 1.0),
        Axis("row", -0.5, len(rows) - 0.5, ticks=names),
        "The nearest stored rows",
        side=True,
    )


def _bars(
    problem: Problem, steps: Sequence[ExemplarStep], stored: NDArray[np.intp], nearest: NDArray[np.intp]
) -> Rects:
    """Return the distances of the nearest stored rows, the one that is chosen on top."""
    middle = np.arange(len(nearest))[::-1].astype(float)
    ends = PerFrame([np.nan_to_num(step.distances[nearest]) for step in steps])
    color = np.asarray(problem.y)[stored[nearest]].astype(np.uint8)
    y0, y1, start = middle - 0.35, middle + 0.35, np.zeros(len(nearest))
    return Rects(panel="exemplars", x0=start, x1=ends, y0=y0, y1=y1, color=color, tween=True)
