"""k nearest neighbours as a picture: the nearest points, their votes, and the error against k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.knn.algorithm import KNeighborsClassifier, NeighborStep
from dmlib.classification.knn.error_curve import ErrorCurve, ErrorCurveData, error_curve_data
from dmlib.classification.knn.ledger import Narrator
from dmlib.classification.knn.pebls import PEBLS
from dmlib.classification.knn.pebls_scene import pebls_scene
from dmlib.classification.nearest import MAX_DIMENSIONS
from dmlib.classification.query_scene import with_steps_of_run
from dmlib.params import Flag
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.marks import Line, Mark, Points, Segments
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, line_through, points_at, segments_between
from dmlib.pictures.plane import view_note
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, story
from dmlib.pictures.words import count, num
from dmlib.problem import Problem, Query

MAX_JOINS = 40  # frames in which neighbours join; of more neighbours several join at once
MAX_LINKS = 60  # neighbours that a line leads to
NEIGHBOR = 7.0  # radius of a neighbour, in pixels
PRUNED = 0.25  # opacity of rows that need not be measured
N_CORNERS = 65  # of the outline of a neighbourhood
MAX_RATIO = 500  # of the ranges of the two columns, for an outline that still looks like one
NEIGHBORHOOD = Key("neighbourhood", kind="line")
MAX_POWERS = 15_000  # rows times columns whose powers are computed for each pixel

OPTIONS = {"pruning": Option(Flag(), False)}
"""Whether the first frames show which rows the triangle inequality prunes."""


def knn_scene(run: Run[Problem, Any]) -> Scene:
    """Draw how the neighbours of a place or sample decide its class.

    Parameters
    ----------
    run : Run
        Of :class:`dmlib.classification.KNeighborsClassifier` or
        :class:`dmlib.classification.PEBLS`; see
        :data:`OPTIONS`.

    Returns
    -------
    Scene
        What is measured, a frame for each neighbour that joins (of many, several at once), and the
        vote.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 0.0], "c": list("xxy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = knn_scene(Run.of(problem, KNeighborsClassifier(3), query=problem.query((1.0, 0.5))))
    >>> [frame.phase for frame in scene.frames]
    ['measure', 'join', 'join', 'join', 'vote']
    """
    if isinstance(run.model, PEBLS):
        return pebls_scene(run)
    problem, model, query = run.problem, run.fitted, run.current_query
    k = model.n_neighbors
    curve = errors(run).curve
    steps, thinned_note = _grouped_steps(run)
    narrator = Narrator(problem, model, query, steps[-1], curve)
    unit = unit_outline(problem, model)
    error_panel = _error_panel(curve, k)
    curves = _curves(curve)
    view = view_note(problem, "the nearest rows may not look nearest")

    def draw(moment: Moment) -> Drawing:
        step: NeighborStep = moment.step
        marks = (
            run.surface,
            *_outlines(problem, query, unit, step, steps),
            _links(problem, query, step),
            _rows(problem, step, steps[-1]),
            _neighbors(problem, step),
            *_pivot(problem, step, steps),
            class_rects("votes", model.classes_, step.votes),
            *curves,
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    scene = story(
        run,
        draw,
        panels=(region_panel(problem), _vote_panel(problem, model, steps[-1]), error_panel),
        steps=steps,
        numbers=range(len(steps)),
        legend=class_legend(problem, *([] if unit is None else [NEIGHBORHOOD])),
        handles=(query_handle(query), Handle("k", "error", "k", "x", float(k))),
        notes=(*held_note(problem), *view, *thinned_note),
    )
    # The run begins with what is stored; "bound" and "measure" follow.
    early = {"bound": 1, "measure": 2}
    numbers = [early.get(step.phase, 2 + len(step.neighbors)) for step in steps]
    numbers[-1] += 1
    return with_steps_of_run(scene, run, numbers)


def errors(run: Run[Problem, Any]) -> ErrorCurveData:
    """Return the error for each k, computed once for a run.

    Raises
    ------
    ValueError
        If the method has no k.
    """
    if isinstance(run.model, PEBLS):
        raise ValueError(
            "PEBLS always uses one exemplar; choose the method k nearest neighbours to vary k."
        )
    data: ErrorCurveData = run.once("errors", lambda: error_curve_data(run.problem, run.fitted))
    return data


def too_many(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return why a run cannot be drawn; an empty text if it can."""
    return too_many_neighbors(n_samples, n_features, params) or too_many_powers(
        n_samples, n_features, params
    )


def too_many_neighbors(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return why there are too few training rows for k neighbours; an empty text if there are not.

    Without k in the parameters, one neighbour is needed.

    Examples
    --------
    >>> too_many_neighbors(4, 2, {"n_neighbors": 5})
    'Of 4 training rows, 5 cannot be neighbours; choose k = 4 or less, or hold out fewer rows.'
    """
    k = int(params.get("n_neighbors", 1))
    if k <= n_samples:
        return ""
    problem = f"Of {count(n_samples, 'training row', 'training rows')}, {k} cannot be neighbours"
    return f"{problem}; choose k = {n_samples} or less, or hold out fewer rows."


def too_many_powers(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return why the regions of an order p would take too long; an empty text if they do not.

    In many columns all rows are measured, and a power costs far more than a product.

    Examples
    --------
    >>> too_many_powers(1258, 64, {"metric": "minkowski", "p": 10.0})[:57]
    'Powers of 10 of 64 columns and 1258 rows take too long to'
    >>> too_many_powers(1258, 64, {"metric": "minkowski", "p": 2.0})
    ''
    """
    p = float(params.get("p", 2.0))
    has_powers = params.get("metric") == "minkowski" and p not in (1.0, 2.0, np.inf)
    is_large = n_features > MAX_DIMENSIONS and n_samples * n_features > MAX_POWERS
    if not has_powers or not is_large:
        return ""
    return (
        f"Powers of {num(p)} of {n_features} columns and {n_samples} rows take too long "
        f"to draw the regions; choose p = 1, 2 or ∞, or at most {MAX_DIMENSIONS} columns."
    )


def _grouped_steps(
    run: Run[Problem, KNeighborsClassifier],
) -> tuple[list[NeighborStep], tuple[str, ...]]:
    """Return the steps of one classification, and a note if many neighbours join at once."""
    model = run.fitted
    row = run.problem.table(run.current_query.x[None])
    steps = list(model.explain_steps(row))
    numbers, note = frames_by_phase(steps, {("join",): MAX_JOINS})
    steps = [steps[i] for i in numbers]
    if chosen(run, OPTIONS)["pruning"]:
        return steps, note
    sorted_distances, rows = model.kneighbors(row, model.n_samples_fit_)
    distances = np.empty(model.n_samples_fit_)
    distances[rows[0]] = sorted_distances[0]
    return [replace(step, distances=distances) for step in steps if step.phase != "bound"], note


# --- marks ----------------------------------------------------------------------------------------


def _rows(problem: Problem, step: NeighborStep, last: NeighborStep) -> Points:
    """Return the rows; once distances are measured, pruned rows are faint."""
    if step.phase == "bound":
        return class_points(problem, opacity=np.ones(1))
    opacity = np.ones(len(problem.X))
    opacity[problem.trained[np.isnan(last.distances)]] = PRUNED
    return class_points(problem, opacity=opacity)


def _neighbors(problem: Problem, step: NeighborStep) -> Points:
    """Return the neighbours, larger than the other rows."""
    rows = problem.trained[step.neighbors]
    return points_at(problem.points[rows], color=np.asarray(problem.y)[rows], size=[NEIGHBOR])


def _links(problem: Problem, query: Query, step: NeighborStep) -> Segments:
    """Return a line from the query to each neighbour."""
    rows = problem.trained[step.neighbors[:MAX_LINKS]]
    colors = np.asarray(problem.y)[rows]
    return segments_between([query.place], problem.points[rows], color=colors, width=2.0)


def _pivot(
    problem: Problem, step: NeighborStep, steps: Sequence[NeighborStep]
) -> tuple[Points, ...]:
    """Return the pivot, visible while its distances are in use; no mark in a run without bounds."""
    if steps[0].phase != "bound":
        return ()
    rows = problem.trained[[step.pivot] if step.phase in ("bound", "measure") else []]
    colors = np.asarray(problem.y)[rows]
    return (points_at(problem.points[rows], color=colors, labels=["pivot"], emphasis=True),)


def unit_outline(problem: Problem, model: KNeighborsClassifier) -> Floats | None:
    """Return the places at distance 1 from the origin, shape (N_CORNERS, 2).

    Parameters
    ----------
    problem : Problem
        The data.
    model : KNeighborsClassifier
        Fitted to them.

    Returns
    -------
    ndarray or None
        None where the plane does not show all that the distance counts, or in units that differ too
        much.
    """
    is_flat = problem.plane.exact and not problem.categories and len(problem.features) == 2
    if not is_flat or model.metric == "cosine":
        return None
    ranges = np.ptp(problem.points, axis=0)
    if ranges.max() > MAX_RATIO * ranges.min() > 0:
        return None
    angle = np.linspace(0, 2 * np.pi, N_CORNERS)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * (float(ranges.max()) or 1.0)
    directions = problem.plane.lift(circle) - problem.plane.lift([(0.0, 0.0)])
    measure = model.metric_.coordinates
    lengths = model.metric_.between(measure(np.zeros((1, 2))), measure(directions))[0]
    corners: Floats = problem.plane.project(problem.plane.base + directions / lengths[:, None])
    return corners


def _outlines(
    problem: Problem,
    query: Query,
    unit: Floats | None,
    step: NeighborStep,
    steps: Sequence[NeighborStep],
) -> list[Line]:
    """Return the outline of the neighbourhood; with bounds also the ring that is measured."""
    if unit is None:
        return []
    radius = _radius(step)
    outline = np.asarray(query.place) + radius * unit if radius else NOWHERE
    lines = [line_through(outline, width=1.5)]
    if steps[0].phase == "bound":
        ring = _ring(problem, unit, steps) if step.phase == "measure" else NOWHERE
        lines.append(line_through(ring, width=1.5, dash=True))
    return lines


def _radius(step: NeighborStep) -> float:
    """Return the distance of the last neighbour so far; 0 where there is none."""
    return float(step.distances[step.neighbors[-1]]) if len(step.neighbors) else 0.0


def _ring(problem: Problem, unit: Floats, steps: Sequence[NeighborStep]) -> Floats:
    """Return both outlines around the pivot between which the neighbours lie."""
    distance = steps[0].pivot_distance
    reach = _radius(steps[-1])
    center = problem.points[problem.trained[steps[0].pivot]]
    outer = center + (distance + reach) * unit
    inner = center + max(distance - reach, 0.0) * unit
    return np.vstack([outer, np.full((1, 2), np.nan), inner])


# --- panels ---------------------------------------------------------------------------------------


def _vote_panel(problem: Problem, model: KNeighborsClassifier, last: NeighborStep) -> Panel:
    uniform = model.weights == "uniform"
    label = {"uniform": "votes", "distance": "votes, Σ 1 / d"}.get(
        str(model.weights), "votes, Σ 1 / d²"
    )
    axis = Axis(label, 0.0, float(last.votes.max()) * 1.08 or 1.0, integer=uniform)
    return class_panel("votes", problem.classes, axis, "Votes")


def _error_panel(curve: ErrorCurve, k: int) -> Panel:
    curves = [curve.train, curve.leave_one_out]
    if curve.test is not None:
        curves.append(curve.test)
    top = float(np.nanmax(curves, initial=0.0))
    right = max(int(curve.n_neighbors[-1]), k)
    return Panel(
        "error",
        Axis("neighbours, k", 0.0, right + 1.0, integer=True),
        Axis("error", 0.0, top * 1.15 or 1.0),
        "Error against k",
        side=True,
    )


def _curves(curve: ErrorCurve) -> list[Mark]:
    """Return the errors on training rows, left out one by one, and on test rows."""
    ks = curve.n_neighbors.astype(float)
    lines: list[Mark] = [
        Line(panel="error", x=ks, y=curve.train, color="muted", label="training"),
        Line(
            panel="error", x=ks, y=curve.leave_one_out, width=1.5, dash=True, label="leave-one-out"
        ),
    ]
    if curve.test is not None:
        lines.append(Line(panel="error", x=ks, y=curve.test, color="accent", label="test"))
    return lines
