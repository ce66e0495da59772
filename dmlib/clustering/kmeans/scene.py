"""k-means as a picture: rows and centres in the plane, and the SSE after each half-step."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import cell_sites, plane_note
from dmlib.clustering.centers_scene import center_points, moves, numbered, paths, voronoi_cells
from dmlib.clustering.kmeans.algorithm import KMeans, KMeansStep
from dmlib.clustering.kmeans.centroids_ledger import centroids_ledger
from dmlib.clustering.kmeans.kcentroids import KCentroids
from dmlib.clustering.lloyd_ledger import lloyd_ledger
from dmlib.clustering.sse_scene import ObjectiveCurve, shown_restart
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.places import NOWHERE
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

MAX_PLACES = 20_000  # of paths in all frames together; beyond, only the last frame has them
LARGEST_RADIUS = 11.0  # radius in pixels of the most probable seed


@needs_steps
def kmeans_scene(run: Run[Problem, KMeans]) -> Scene:
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
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = kmeans_scene(Run.of(problem, KMeans(2, init=problem.X[:2], tol=0)))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'seed', 'assign', 'update', 'assign', 'update', 'assign', 'done']
    """
    problem, model = run.problem, run.model
    restart, steps = shown_restart(run)
    is_euclidean = not isinstance(model, KCentroids)
    centers = [problem.plane.project(at_scale(step.centers, problem, model)) for step in steps]
    curve = ObjectiveCurve(run.trace.steps, restart, "SSE" if is_euclidean else "Sum of distances")
    has_cells = is_euclidean and cell_sites(problem)
    has_all_paths = len(steps) ** 2 * len(centers[-1]) <= MAX_PLACES

    def draw(moment: Moment) -> Drawing:
        step: KMeansStep = moment.step
        places, places_before = centers[moment.index], centers[max(moment.index - 1, 0)]
        marks = (
            *([voronoi_cells(places)] if has_cells else []),
            _rows(problem, step),
            *paths(centers[: moment.index + 1] if has_all_paths or moment.is_last else [NOWHERE]),
            moves(places_before, places, step.phase == "update"),
            center_points(places, numbered("centre", len(places))),
            *curve.marks(moment.so_far),
        )
        if isinstance(model, KCentroids):
            ledger = centroids_ledger(problem, model, step, moment.before, run.selected)
        else:
            ledger = lloyd_ledger(problem, step, moment.before, run.selected)
        return Drawing(marks, *ledger, step.phase)

    return story(
        run,
        draw,
        panels=(data_panel(problem, *centers), curve.panel),
        steps=steps,
        fold=curve.half_steps(),
        legend=(Key("initial centre", hollow=True),),
        notes=(*plane_note(problem), *_direction_notes(problem, model)),
        max_frames=len(steps),
    )


def at_scale(centers: Floats, problem: Problem, model: KMeans) -> Floats:
    """Return the centres where they are drawn: those of length 1 at the scale of the rows."""
    metric = model.metric if isinstance(model, KCentroids) else ""
    if metric == "cosine":
        return float(np.linalg.norm(problem.X, axis=1).mean()) * centers
    if metric == "correlation":
        spreads = np.sqrt(problem.X.shape[1]) * problem.X.std(axis=1)
        return float(problem.X.mean()) + float(spreads.mean()) * centers
    return centers


def _direction_notes(problem: Problem, model: KMeans) -> tuple[str, ...]:
    metric = model.metric if isinstance(model, KCentroids) else ""
    if metric == "cosine":
        return ("Centres are directions from the origin, drawn at the mean length of the rows.",)
    if metric != "correlation":
        return ()
    note = "Centres are shapes of rows, drawn at their mean level and mean spread."
    if problem.X.shape[1] > 2:
        return (note,)
    return (note, "With two columns a row can only rise or fall: every correlation is 1 or −1.")


def _rows(problem: Problem, step: KMeansStep) -> Points:
    """Return the rows by cluster; while k-means++ draws, the area of a row is its probability."""
    color = np.array([NO_CLASS], np.uint8) if step.labels is None else step.labels
    radius = np.array([4.5])
    if step.distances is not None:
        share = step.distances / max(step.distances.max(), np.finfo(float).tiny)
        radius = 1.5 + LARGEST_RADIUS * np.sqrt(share)
    names = numbered("cluster", len(step.centers))
    return data_points(problem, color=color, size=radius, classes=names)
