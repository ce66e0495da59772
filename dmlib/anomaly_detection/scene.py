"""A detector of anomalies as a picture: rows, what their score is made of, and the threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.anomaly_detection.detector import Detector, DetectorStep
from dmlib.anomaly_detection.fences import BoxPlotFences
from dmlib.anomaly_detection.fences_scene import fence_marks
from dmlib.anomaly_detection.followed_ledger import drawn_rows
from dmlib.anomaly_detection.isolation_forest import IsolationForest
from dmlib.anomaly_detection.isolation_scene import cut_marks
from dmlib.anomaly_detection.known import known_anomalies
from dmlib.anomaly_detection.ledger import Narrator
from dmlib.anomaly_detection.mahalanobis import MahalanobisDistance
from dmlib.anomaly_detection.mahalanobis_scene import ellipse_marks
from dmlib.anomaly_detection.neighbors_scene import neighbor_marks
from dmlib.anomaly_detection.ranking_scene import Ranking, ceiling
from dmlib.arrays import Floats
from dmlib.clustering.regions_scene import wider
from dmlib.pictures.contours import contours
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.plane import data_panel, data_points, pixel_rows, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, frames_by_phase, needs_steps, story
from dmlib.problem import Problem

MARKED, TRIANGLE = 1, 2  # the colour of marked rows, the symbol of known anomalies
DOT = 1.0  # radius in pixels of the data's own marks, on which the rows are drawn as they look
SMALL, LARGE = 3.0, 8.0  # radius of the lowest and of the highest score
ROUGH, FINE = (
    48,
    90,
)  # pixels of the sides of the image of scores, while a control moves and at rest
MAX_FRAMES: dict[tuple[str, ...], int] = {("quartiles",): 20, ("cut",): 30, ("score",): 80}

MethodMarks = Callable[[Moment], Sequence[Mark]]


@needs_steps
def anomaly_detection_scene(run: Run[Problem, Detector[Any]]) -> Scene:
    """Draw a run of a detector of anomalies.

    Parameters
    ----------
    run : Run
        Steps of a detector of :mod:`dmlib.anomaly_detection`.

    Returns
    -------
    Scene
        A frame for what is learned of all rows, for each score, and for the marks; of very many,
        some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.anomaly_detection import KthNeighborDistance
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0], "b": [0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = anomaly_detection_scene(Run.of(problem, KthNeighborDistance(1)))
    >>> [frame.phase for frame in scene.frames]
    ['score', 'score', 'score', 'mark']
    """
    problem, steps = run.problem, run.trace.steps
    panel, dots = data_panel(problem), data_points(problem, size=[DOT])
    known = known_of(run)
    symbols = symbols_of(problem, known)
    ranking = Ranking(run, symbols)
    narrator = Narrator(run, known)
    image = wider(wider(panel))  # what is seen of it depends on the screen
    method_marks = _method_marks(run, image)
    plain = points_at(problem.points, color=[NO_CLASS], symbol=symbols, size=[SMALL])

    @cache
    def field() -> tuple[Raster, Mark]:
        return _field(run, image)

    empty = _no_field(run, image)

    def draw(moment: Moment) -> Drawing:
        step: DetectorStep = moment.step
        is_marked = step.phase == "mark"
        rows = drawn_rows(run, moment)
        marks = (
            *(field() if is_marked and empty else empty),
            *method_marks(moment),
            dots,
            _marked_points(problem, step, symbols) if is_marked else plain,
            points_at(problem.points[rows], color=[NO_CLASS], emphasis=True, size=[6.0], of=""),
            *ranking.marks(step, rows),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    numbers, note = frames_by_phase(steps, MAX_FRAMES)
    return story(
        run,
        draw,
        panels=(panel, ranking.panel),
        legend=_legend(known),
        handles=(ranking.handle(),),
        notes=(*view_note(problem, "a marked row may lie among the others", "Scores"), *note),
        numbers=numbers,
    )


def known_of(run: Run[Problem, Any]) -> NDArray[np.bool_] | None:
    """Return which rows are known anomalies; None where nothing is known."""
    return known_anomalies(run.problem.y, run.model.anomaly_class)


def symbols_of(problem: Problem, is_known: NDArray[np.bool_] | None) -> NDArray[np.uint8]:
    """Return the symbol of each row: a triangle for known anomalies, a disc for the others."""
    mask = np.zeros(len(problem.X), bool) if is_known is None else is_known
    return np.where(mask, TRIANGLE, 0).astype(np.uint8)


def _method_marks(run: Run[Problem, Any], panel: Panel) -> MethodMarks:
    """Return what draws how the method of a run finds its scores."""
    model = run.model
    if isinstance(model, BoxPlotFences):
        return fence_marks(run, panel)
    if isinstance(model, MahalanobisDistance):
        return ellipse_marks(run)
    if isinstance(model, IsolationForest):
        return cut_marks(run, panel)
    return neighbor_marks(run, panel)


def _marked_points(problem: Problem, step: DetectorStep, symbols: NDArray[np.uint8]) -> Points:
    """Return the rows, the larger the higher their score, the marked ones in a colour."""
    marked = np.zeros(len(problem.X), bool) if step.anomalies is None else step.anomalies
    return points_at(
        problem.points,
        color=np.where(marked, MARKED, NO_CLASS).astype(np.uint8),
        symbol=symbols,
        size=SMALL + (LARGE - SMALL) * shares(step.scores, step.scores),
    )


def shares(scores: Floats, of_rows: Floats) -> Floats:
    """Return where scores lie between the lowest and the highest of rows, from 0 to 1.

    Examples
    --------
    >>> shares(np.array([0.0, 2.0, 9.0]), np.array([1.0, 2.0, 3.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    low, high = float(np.nanmin(of_rows)), ceiling(of_rows)
    return np.clip((scores - low) / (high - low), 0.0, 1.0) if high > low else 0.0 * scores


def _no_field(run: Run[Problem, Any], panel: Panel) -> tuple[Mark, ...]:
    """Return an image and an outline that are nowhere; nothing where the plane lacks columns."""
    if not run.problem.plane.exact or not run.trace.complete:
        return ()
    size = _size(run)
    empty = np.empty(0, np.uint8)
    raster = Raster(pixels=empty, width=size, height=size, extent=panel.extent, ramp=True)
    return raster, line_through(NOWHERE, color="accent", of="")


def _size(run: Run[Problem, Any]) -> int:
    return ROUGH if run.moving else FINE


def _field(run: Run[Problem, Any], panel: Panel) -> tuple[Raster, Mark]:
    """Return the image of the scores of all places, and the line where they are the threshold."""
    size = _size(run)
    places = pixel_rows(run.problem, panel, size)
    scores = run.fitted.anomaly_score(places)
    shades = 255 * shares(scores, run.fitted.scores_)
    x, y = (
        axis.low + (axis.high - axis.low) * (np.arange(size) + 0.5) / size
        for axis in (panel.x, panel.y)
    )
    outline = NOWHERE
    if not isinstance(run.model, BoxPlotFences):  # whose fences are drawn
        outline = contours(scores.reshape(size, size)[::-1], x, y, run.fitted.threshold_)
    raster = Raster(
        pixels=shades.astype(np.uint8), width=size, height=size, extent=panel.extent, ramp=True
    )
    return raster, line_through(outline, color="accent", of="")


def _legend(is_known: NDArray[np.bool_] | None) -> tuple[Key, ...]:
    keys = (Key("marked", MARKED, 0), Key("not marked", NO_CLASS, 0))
    if is_known is None:
        return (*keys, Key("threshold", 0, kind="line"))
    return (*keys, Key("known anomaly", NO_CLASS, TRIANGLE), Key("threshold", 0, kind="line"))
