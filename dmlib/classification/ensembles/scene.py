"""Bagging as a picture: trees join one by one, each with its bag, and the regions of their mean settle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.classification.ensembles.grid_scene import Grid, grid_marks, grid_panel
from dmlib.classification.ensembles.ledger import Teller
from dmlib.classification.tree_regions_scene import leaf_boxes, upright
from dmlib.pictures.bars import class_bars
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Rects, Segments
from dmlib.pictures.motion import path, thin, thinned_note, xy
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    coarse_surfaces,
    held_note,
    image_samples,
    query_handle,
    region_panel,
    shade_of,
    surest,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.problem import Problem, Query

MOST_FRAMES, FEWEST_FRAMES = 101, 9
SIZES = 24_000  # sizes of rows in all frames together
COARSE = 40  # pixels along each side of the image of a step, and of a small picture
USUAL, OUTSIDE, HELD = 4.5, 2.0, 3.5  # radius of a row that was drawn once; of one that was not; of one held out
LARGEST = 10.0
RING = 7.0  # radius of the ring around a row that is misclassified out of bag


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # fitted
    steps: Sequence[EnsembleStep]
    at: Ints  # (n_frames,): the numbers of the steps that are drawn: so many classifiers have joined
    query: Query
    side: int = COARSE  # pixels of a coarse image

    @cached_property
    def shown(self) -> list[EnsembleStep]:
        """The steps that are drawn."""
        return [self.steps[i] for i in self.at]

    @cached_property
    def classes(self) -> Bytes:
        """The codes of the classes of the model among those of the data."""
        return np.asarray(self.model.classes_, np.uint8)

    @cached_property
    def codes(self) -> Ints:
        """The class of each training row, by its place in ``model.classes_``."""
        return np.searchsorted(self.model.classes_, np.asarray(self.problem.training.y))

    @cached_property
    def panel(self) -> Panel:
        """The panel of the plane."""
        return region_panel(self.problem)

    @cached_property
    def coarse(self) -> tuple[Any, Ints]:
        """The samples of a coarse image, and which of them each pixel is."""
        return image_samples(self.problem, self.model, self.side)

    def shares(self) -> Iterator[Floats]:
        """Yield what each classifier says of these samples."""
        samples, _ = self.coarse
        yield from self.model.each_predict_proba(samples)

    @cached_property
    def images(self) -> dict[int, tuple[Bytes, Bytes]]:
        """The class with the largest mean share so far, and how sure it is, as coarse images by step."""
        total: Any = 0.0
        _, pixel = self.coarse
        found, wanted = {0: (np.empty(0, np.uint8),) * 2}, set(self.at.tolist())
        for number, shares in enumerate(self.shares(), start=1):
            total = total + shares
            if number in wanted:
                winner, sure = surest(total / number)
                found[number] = self.classes[winner][pixel], shade_of(sure)[pixel]
        return found

    @cached_property
    def votes(self) -> Floats:
        """What each classifier says of the place that is asked about, shape (n_estimators, n_classes)."""
        return np.concatenate(list(self.model.each_predict_proba(self.problem.table(self.query.x[None]))))

    @cached_property
    def errors(self) -> dict[str, Floats]:
        """The training, out-of-bag and test error after each step, where there is one."""
        found = {
            "training": np.array([step.error(self.codes) for step in self.steps]),
            "out-of-bag": np.array([step.oob_error(self.codes) for step in self.steps]),
        }
        held = self.problem.testing
        if held is not None:
            wrong = [float((said != held.y).mean()) for said in self.model.staged_predict(held.data)]
            found["test"] = np.array([np.nan, *wrong])
        return found


def ensembles_scene(run: Run) -> Scene:
    """Draw the classifiers of bagging or of a random forest as they join.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.BaggingClassifier` or
        :class:`dmlib.classification.RandomForestClassifier`.

    Returns
    -------
    Scene
        One frame for the start and each classifier; of very many rows or classifiers, every few.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import BaggingClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> scene = ensembles_scene(Run.of(problem, BaggingClassifier(n_estimators=2, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'join', 'join']
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    most = int(np.clip(SIZES // len(problem.X), FEWEST_FRAMES, MOST_FRAMES))
    side = COARSE // 2 if run.moving else COARSE
    picture = Picture(problem, run.fitted, trace.steps, thin(len(trace.steps), most), run.asked, side)
    teller = Teller(problem, run.fitted, trace.steps, picture.errors, picture.votes, run.asked)
    grid = Grid(problem, picture.panel, run.fitted.estimators_, run.fitted.estimators_samples_, picture.at)
    said = picture.classes[picture.votes.argmax(axis=1)]
    errors, (vote_panel, votes) = _error_panel(picture), _votes(picture)
    marks: list[Mark] = [
        *_regions(picture, run.surface),
        _rings(picture),
        class_points(problem, size=_sizes(picture)),
        _lines(picture),
        *grid_marks(grid, picture.shares(), picture.coarse[1], picture.classes, said, np.array(run.asked.place)),
        *_errors(picture),
        votes,
    ]
    panels = (picture.panel, grid_panel(grid), errors, vote_panel)
    legend = (
        *class_legend(problem),
        Key("size of a row: times in the last bag", symbol=0),
        Key("ring: misclassified out of bag", symbol=0, hollow=True),
    )
    return Scene(
        panels, marks, Deferred(teller.frame, picture.at.tolist()), _notes(picture), (query_handle(run.asked),), legend
    )


def _notes(picture: Picture) -> tuple[str, ...]:
    problem = picture.problem
    test = "" if "test" not in picture.errors else ", blue the test error"
    curves = f"Error by number of trees: grey is the training error, dashed the out-of-bag error{test}."
    slanted = () if upright(problem.plane) else ("In this view the splits of the trees are not axis-parallel.",)
    alike = len({step.bag.tobytes() for step in picture.steps[1:]}) == 1 and len(picture.steps) > 2
    same = ("All bags are the same: nothing is drawn at random.",) if alike else ()
    return (*problem.notes, *held_note(problem), curves, *slanted, *same, *thinned_note(picture.at))


# --- the plane --------------------------------------------------------------------------------------------------------


def _regions(picture: Picture, last: Raster) -> list[Raster]:
    """Return the class with the largest mean share so far, coarsely, and at the end finely."""
    numbers = picture.at.tolist()
    winner, shade = (Deferred(lambda number, part=part: picture.images[number][part], numbers) for part in (0, 1))
    return coarse_surfaces(winner, shade, picture.side, last, picture.panel)


def _sizes(picture: Picture) -> PerFrame:
    """Return the radius of each row: its area says how often it is in the bag."""

    def radii(step: EnsembleStep) -> Floats:
        size = np.full(len(picture.problem.X), HELD)
        times = np.bincount(step.bag, minlength=len(picture.codes))
        drawn = np.minimum(USUAL * np.sqrt(times), LARGEST)
        size[picture.problem.trained] = np.where(times > 0, drawn, OUTSIDE) if step.phase == "join" else USUAL
        return size

    return PerFrame(Deferred(radii, picture.shown))


def _rings(picture: Picture) -> Points:
    """Return a ring around each row that is misclassified by the classifiers that were trained without it."""

    def wrong(step: EnsembleStep) -> Floats:
        judged = step.left_out > 0
        missed = step.oob_decision_function[judged].argmax(axis=1) != picture.codes[judged]
        places: Floats = picture.problem.points[picture.problem.trained[np.flatnonzero(judged)[missed]]]
        return places

    x, y = xy(Deferred(wrong, picture.shown))
    return Points(x=x, y=y, size=[RING], color=[NO_CLASS], symbol=[0], hollow=[1], of="")


def _lines(picture: Picture) -> Segments:
    """Return the lines of the tree that joined last, where the plane shows them."""
    plain = upright(picture.problem.plane)

    def lines(step: EnsembleStep) -> Floats:
        whole = len(step.columns) == len(picture.problem.features)
        drawn = plain and whole and hasattr(step.estimator, "tree_")
        borders = leaf_boxes(step.estimator.tree_, picture.panel, picture.problem.plane)[1] if drawn else []
        return np.array(borders, float).reshape(-1, 4)

    drawn = Deferred(lines, picture.shown)
    x0, y0, x1, y1 = (PerFrame(Deferred(lambda some, i=i: some[:, i], drawn)) for i in range(4))
    return Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=1.5)


# --- beside it --------------------------------------------------------------------------------------------------------


def _error_panel(picture: Picture) -> Panel:
    last = max(len(picture.steps) - 1, 1)
    values = np.concatenate([*picture.errors.values()])
    top = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    x = Axis("trees", -0.02 * last, 1.02 * last, integer=True)
    return Panel("error", x, Axis("error", 0.0, min(1.05, max(1.15 * top, 0.05))), title="Error by trees", side=True)


def _errors(picture: Picture) -> list[Mark]:
    """Return the errors up to the step."""
    numbers, reached = np.arange(len(picture.steps)), [int(i) + 1 for i in picture.at]
    marks: list[Mark] = []
    for name, how in (("training", {"color": "muted"}), ("out-of-bag", {"color": "ink", "dash": True})):
        x, y = xy(np.column_stack([numbers, picture.errors[name]])[:n] for n in reached)
        marks.append(Line(panel="error", x=x, y=y, **how))
    if "test" in picture.errors:
        marks += path(np.column_stack([numbers, picture.errors["test"]]), reached, panel="error")
    return marks


def _votes(picture: Picture) -> tuple[Panel, Rects]:
    nothing, y = np.zeros(len(picture.classes)), Axis("probability", 0.0, 1.05)
    heights = [picture.votes[:n].mean(axis=0) if n else nothing for n in picture.at.tolist()]
    return class_bars("votes", picture.problem.classes, picture.classes, heights, y, "Votes at the place")
