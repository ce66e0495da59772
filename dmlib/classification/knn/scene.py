"""k nearest neighbours as a picture: what is measured, who joins, who wins; and the error against k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.knn.algorithm import KNeighborsClassifier, NeighborStep
from dmlib.classification.knn.error_curve import ErrorCurve, ErrorCurveData, error_curve_data
from dmlib.classification.knn.ledger import Teller
from dmlib.classification.knn.pebls import PEBLS
from dmlib.classification.knn.pebls_scene import pebls_scene
from dmlib.classification.nearest import MOST_DIMENSIONS
from dmlib.params import Flag
from dmlib.pictures.bars import class_bars
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import rays, thin, thinned_note, with_before, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import view_note
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.pictures.words import count, num
from dmlib.problem import Problem, Query

MOST_JOINS = 40  # frames in which neighbours join; of more neighbours several join at once
MOST_LINES = 60  # neighbours that a line leads to
JOINED = 7.0  # radius of a neighbour, in pixels
PRUNED = 0.25  # opacity of rows that need not be measured
TURN = 65  # places on the outline of a neighbourhood
MOST_RATIO = 500  # of the ranges of the two columns, for an outline that still looks like one
MOST_POWERS = 15_000  # rows times columns whose powers are computed for each pixel


OPTIONS = {"pruning": Option(Flag(), False)}
"""Whether the first frames show which rows need not be measured, by the triangle inequality."""


def knn_scene(run: Run) -> Scene:
    """Draw how the neighbours of a place or sample decide its class.

    Parameters
    ----------
    run : Run
        Of :class:`dmlib.classification.KNeighborsClassifier` or :class:`dmlib.classification.PEBLS`; see
        :data:`OPTIONS`.

    Returns
    -------
    Scene
        What is measured, a frame for each neighbour that joins (of many, several at once), and the vote.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0], "b": [0.0, 1.0, 0.0, 9.0], "c": ["x", "x", "y", "y"]})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = knn_scene(Run.of(problem, KNeighborsClassifier(3), query=problem.query((1.0, 0.5))))
    >>> [frame.phase for frame in scene.frames]
    ['measure', 'join', 'join', 'join', 'vote']
    """
    if isinstance(run.model, PEBLS):
        return pebls_scene(run)
    problem, model, query, pruning = run.problem, run.fitted, run.asked, chosen(run, OPTIONS)["pruning"]
    curve = errors(run).curve
    steps, thinned = _shown(list(model.explain_steps(problem.table(query.x[None]))))
    if not pruning:
        steps = _all_measured(problem, model, query, steps)
    teller = Teller(problem, model, query, steps[-1], curve)
    frames = Deferred(lambda pair: teller.frame(*pair), with_before(steps))
    vote_panel, votes = _votes(problem, model, steps)
    panels = (region_panel(problem), vote_panel, _error_panel(curve, model.n_neighbors))
    marks = (
        run.surface,
        *_outlines(problem, model, query, steps, pruning),
        _links(problem, query, steps),
        _samples(problem, steps),
        _joined(problem, steps),
        *([_pivot(problem, steps)] if pruning else []),
        votes,
        *_curves(curve, panels[2], model.n_neighbors),
    )
    handles = (query_handle(query), Handle("k", "error", "k", "x", float(model.n_neighbors)))
    notes = (
        *problem.notes,
        *held_note(problem),
        *view_note(problem, "the nearest rows may not look nearest"),
        *thinned,
    )
    return Scene(panels, marks, frames, notes, handles, class_legend(problem))


def errors(run: Run) -> ErrorCurveData:
    """Return the error against k, measured once.

    Raises
    ------
    ValueError
        If the method has no k.
    """
    if isinstance(run.model, PEBLS):
        raise ValueError("PEBLS always uses one exemplar; choose the method k nearest neighbours to vary k.")
    data: ErrorCurveData = run.once("errors", lambda: error_curve_data(run.problem, run.fitted))
    return data


def too_many(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses a run that cannot be drawn; an empty one if it can."""
    return too_many_neighbors(n_samples, n_features, params) or too_many_powers(n_samples, n_features, params)


def too_many_neighbors(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses more neighbours than there are training rows; an empty one if there are enough.

    Parameters without a number of neighbours ask for one.

    Examples
    --------
    >>> too_many_neighbors(4, 2, {"n_neighbors": 5})
    'Of 4 training rows, 5 cannot be neighbours; choose k = 4 or less, or hold out fewer rows.'
    """
    k = int(params.get("n_neighbors", 1))
    if k <= n_samples:
        return ""
    few = f"Of {count(n_samples, 'training row', 'training rows')}, {k} cannot be neighbours"
    return f"{few}; choose k = {n_samples} or less, or hold out fewer rows."


def too_many_powers(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses an order p for which the plane would take long; an empty one if it does not.

    In many columns all rows are measured, and a power costs far more than a product.

    Examples
    --------
    >>> too_many_powers(1258, 64, {"metric": "minkowski", "p": 10.0})[:57]
    'Powers of 10 of 64 columns and 1258 rows take too long to'
    >>> too_many_powers(1258, 64, {"metric": "minkowski", "p": 2.0})
    ''
    """
    p = float(params.get("p", 2.0))
    plain = params.get("metric") != "minkowski" or p in (1.0, 2.0, np.inf)
    if plain or n_features <= MOST_DIMENSIONS or n_samples * n_features <= MOST_POWERS:
        return ""
    return (
        f"Powers of {num(p)} of {n_features} columns and {n_samples} rows take too long to draw the regions; "
        f"choose p = 1, 2 or ∞, or at most {MOST_DIMENSIONS} columns."
    )


def _shown(steps: Sequence[NeighborStep]) -> tuple[list[NeighborStep], tuple[str, ...]]:
    """Return the steps, and a note where so many neighbours join that several do at once."""
    joins = [step for step in steps if step.phase == "join"]
    kept = thin(len(joins), MOST_JOINS)
    return [*steps[:2], *(joins[i] for i in kept), steps[-1]], thinned_note(kept)


def _all_measured(
    problem: Problem, model: KNeighborsClassifier, query: Query, steps: Sequence[NeighborStep]
) -> list[NeighborStep]:
    """Return the steps without the bounds, as if every distance had been measured."""
    away, rows = model.kneighbors(problem.table(query.x[None]), len(steps[0].distances))
    distances = np.empty(len(steps[0].distances))
    distances[rows[0]] = away[0]
    return [replace(step, distances=distances) for step in steps if step.phase != "bound"]


# --- marks ------------------------------------------------------------------------------------------------------------


def _samples(problem: Problem, steps: Sequence[NeighborStep]) -> Points:
    """Return the samples: from the measuring on, those that were pruned are faint."""
    faint, plain = np.ones(len(problem.X)), np.array([1.0])
    faint[problem.trained[np.isnan(steps[-1].distances)]] = PRUNED
    return class_points(problem, opacity=PerFrame([plain if step.phase == "bound" else faint for step in steps]))


def _joined(problem: Problem, steps: Sequence[NeighborStep]) -> Points:
    """Return the neighbours, larger than the other samples."""
    rows = [problem.trained[step.neighbors] for step in steps]
    x, y = xy(problem.points[i] for i in rows)
    return Points(x=x, y=y, color=PerFrame([np.asarray(problem.y)[i] for i in rows]), size=[JOINED])


def _links(problem: Problem, query: Query, steps: Sequence[NeighborStep]) -> Segments:
    """Return a line from the place that is asked about to each neighbour."""
    points = np.vstack([problem.points, query.place])
    ends = [problem.trained[step.neighbors[:MOST_LINES]] for step in steps]
    color = PerFrame([np.asarray(problem.y)[rows] for rows in ends])
    return rays(points, [(len(points) - 1, rows) for rows in ends], color=color, width=2.0)


def _outlines(
    problem: Problem, model: KNeighborsClassifier, query: Query, steps: Sequence[NeighborStep], pruning: bool
) -> list[Line]:
    """Return the outline of the neighbourhood as it grows, and of pruning the ring that had to be measured.

    They can be drawn where the picture shows all that the distance counts, in units that do not differ too much.
    """
    if not problem.plane.exact or problem.categories or len(problem.features) != 2 or model.metric == "cosine":
        return []
    low, high = sorted(np.ptp(problem.points, axis=0))
    if high > MOST_RATIO * low > 0:
        return []
    angle = np.linspace(0, 2 * np.pi, TURN)
    ways = problem.plane.lift(np.column_stack([np.cos(angle), np.sin(angle)]) * _span(problem))
    ways = ways - problem.plane.lift([(0.0, 0.0)])
    measure = model.metric_.coordinates
    lengths = model.metric_.between(measure(np.zeros((1, 2))), measure(ways))[0]
    unit = problem.plane.project(problem.plane.base + ways / lengths[:, None])

    def outline(place: Any, radius: float) -> Floats:
        around: Floats = np.asarray(place) + radius * unit
        return around

    nothing = np.empty((0, 2))
    reach = [float(s.distances[s.neighbors[-1]]) if len(s.neighbors) else 0.0 for s in steps]
    x, y = xy(outline(query.place, radius) if radius else nothing for radius in reach)
    grown = Line(x=x, y=y, color="ink", width=1.5)
    if not pruning:
        return [grown]
    pivot, far = steps[0].pivot, steps[0].pivot_distance
    place, last = problem.points[problem.trained][pivot], reach[-1]
    gap = np.full((1, 2), np.nan)
    ring = np.vstack([outline(place, far + last), gap, outline(place, max(far - last, 0.0))])
    rings = [ring if step.phase == "measure" else nothing for step in steps]
    x, y = xy(rings)
    return [grown, Line(x=x, y=y, color="ink", width=1.5, dash=True)]


def _span(problem: Problem) -> float:
    """Return a length of the size of the data, so that distances keep their digits."""
    return float(np.ptp(problem.points, axis=0).max()) or 1.0


def _pivot(problem: Problem, steps: Sequence[NeighborStep]) -> Points:
    """Return the pivot, while its distances are in use."""
    pivot = problem.trained[[steps[0].pivot]]
    rows = [pivot if step.phase in ("bound", "measure") else pivot[:0] for step in steps]
    x, y = xy(problem.points[i] for i in rows)
    color = PerFrame([np.asarray(problem.y)[i] for i in rows])
    return Points(x=x, y=y, color=color, labels=["pivot"], emphasis=True)


def _votes(problem: Problem, model: KNeighborsClassifier, steps: Sequence[NeighborStep]) -> tuple[Panel, Rects]:
    uniform = model.weights == "uniform"
    y = Axis("votes" if uniform else "votes, Σ 1 / d", 0.0, float(steps[-1].votes.max()) * 1.08 or 1.0, integer=uniform)
    return class_bars("votes", problem.classes, model.classes_, [step.votes for step in steps], y, "Votes")


def _error_panel(curve: ErrorCurve, k: int) -> Panel:
    every = [curve.train, curve.leave_one_out, *([] if curve.test is None else [curve.test])]
    top = max(float(np.nanmax(errors)) if np.isfinite(errors).any() else 0.0 for errors in every)
    right = max(int(curve.n_neighbors[-1]), k)
    return Panel(
        "error",
        Axis("neighbours, k", 0.0, right + 1.0, integer=True),
        Axis("error", 0.0, top * 1.6 or 1.0),  # above the curves there is room for their names
        "Error against k",
        side=True,
    )


def _curves(curve: ErrorCurve, panel: Panel, k: int) -> list[Line | Texts]:
    """Return the curves, and their names beside the line that stands at k."""
    ks = curve.n_neighbors.astype(float)
    names = ["grey train" if curve.test is None else "grey train, blue test", "dashed leave-one-out"]
    here = k / panel.x.high
    right = here < 0.45
    x = np.full(2, panel.x.high * (here + 0.12 if right else here - 0.03))  # beside the line's own name
    y = panel.y.high * np.array([0.92, 0.76])
    lines: list[Line | Texts] = [
        Texts(panel="error", x=x, y=y, text=names, anchor="start" if right else "end"),
        Line(panel="error", x=ks, y=curve.train, color="muted"),
        Line(panel="error", x=ks, y=curve.leave_one_out, color="ink", width=1.5, dash=True),
    ]
    return lines if curve.test is None else [*lines, Line(panel="error", x=ks, y=curve.test, color="accent")]
