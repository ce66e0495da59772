"""Boosting as a picture: rows as large as their weight, the tree of the round, the regions of all trees so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.adaboost.adaboost_step import AdaBoostStep
from dmlib.classification.adaboost.gradient_ledger import GradientTeller, busiest
from dmlib.classification.adaboost.gradient_step import GradientBoostingStep
from dmlib.classification.adaboost.ledger import AdaBoostTeller
from dmlib.classification.adaboost.trees_scene import Drawn, strip, strip_panel, tree_lines
from dmlib.classification.tree_regions_scene import upright
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points
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
from dmlib.problem import Problem

Step = AdaBoostStep | GradientBoostingStep

MOST_FRAMES, FEWEST_FRAMES = 60, 9
SIZES = 12000  # sizes of rows in all frames together
COARSE = 40  # pixels along each side of the image of a round
USUAL, SMALL, LARGE = 4.5, 1.5, 15.0  # radius of a row of average weight, and what bounds it
EASED = 0.5  # radii are multiples of it, so that a hardly changed one is not sent again
WIDEST = 9.0  # by how much the radius of a row grows with a residual of 1
HELD = 3.5  # radius of a row that is held out
RING = 3.0  # how much wider the ring of a misclassified row is
MOST_SHARES = 60  # vertices of the curve of the margins


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # fitted
    steps: Sequence[Step]
    at: Ints  # (n_frames,): the numbers of the steps that are drawn

    @cached_property
    def shown(self) -> list[Step]:
        """The steps that are drawn."""
        return [self.steps[i] for i in self.at]

    @cached_property
    def images(self) -> dict[int, tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
        """What all trees so far predict, and how sure they are, as coarse images by the number of a step."""
        wanted = set(self.at.tolist())
        samples, pixel = image_samples(self.problem, self.model, COARSE)
        classes, found = np.asarray(self.model.classes_), {0: (np.empty(0, np.uint8),) * 2}
        for number, shares in enumerate(self.model.staged_predict_proba(samples), start=1):
            if number in wanted or number == 1:
                winner, sure = surest(shares)
                found[number] = classes[winner].astype(np.uint8)[pixel], shade_of(sure)[pixel]
        return found

    def image(self, number: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the image of a step; the last round may not count, and has that of the one before."""
        return self.images[max(i for i in self.images if i <= number)]

    @cached_property
    def codes(self) -> Ints:
        """The class code of each training row, by its place in ``model.classes_``."""
        return np.searchsorted(self.model.classes_, np.asarray(self.problem.training.y))

    @cached_property
    def training(self) -> Floats:
        """The training error after each step."""
        return np.array([float((step.said != self.codes).mean()) for step in self.steps])

    @cached_property
    def test(self) -> Floats | None:
        """The error on the rows that are held out, after each step but the start; a last round may not count."""
        held = self.problem.testing
        if held is None:
            return None
        errors = [float((said != held.y).mean()) for said in self.model.staged_predict(held.data)]
        return np.array([np.nan, *errors, *errors[-1:] * (len(self.steps) - 1 - len(errors))])

    @cached_property
    def sizes(self) -> PerFrame:
        """The radius of each row: its area is its weight, or its residual is its radius."""

        def radii(step: Step) -> Floats:
            if isinstance(step, AdaBoostStep):
                radius = USUAL * np.sqrt(step.before * len(step.before))
            else:
                radius = SMALL + WIDEST * np.abs(step.residuals).max(axis=1, initial=0.0)
            size = np.full(len(self.problem.X), HELD)
            size[self.problem.trained] = np.clip((radius / EASED).round() * EASED, SMALL, LARGE)
            return size

        return PerFrame(Deferred(radii, self.shown))


def adaboost_scene(run: Run) -> Scene:
    """Draw the rounds of AdaBoost, or of gradient boosting.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.AdaBoostClassifier` with trees of the project, or of
        :class:`dmlib.classification.GradientBoostingClassifier`.

    Returns
    -------
    Scene
        One frame for the start and each round; of very many rows or rounds, every few.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import AdaBoostClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> scene = adaboost_scene(Run.of(problem, AdaBoostClassifier(n_estimators=2)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'reweight', 'reweight']
    """
    problem, trace, query = run.problem, run.trace, run.query
    if not trace.complete:
        return data_scene(problem, trace.reason)
    most = int(np.clip(SIZES // len(problem.X), FEWEST_FRAMES, MOST_FRAMES))
    picture = Picture(problem, run.fitted, trace.steps, thin(len(trace.steps), most))
    adaboost = isinstance(trace.steps[0], AdaBoostStep)
    teller = (AdaBoostTeller if adaboost else GradientTeller)(problem, run.fitted, trace.steps, picture.training, query)
    numbers = picture.at.tolist()
    frames = Deferred(teller.frame, numbers)
    panel, plain = region_panel(problem), upright(problem.plane)
    trees = Deferred(lambda number: _drawn(picture, number), numbers)
    below = [_below(picture, number) for number in numbers]
    winner, shade = (Deferred(lambda number, part=part: picture.image(number)[part], numbers) for part in (0, 1))
    errors = _error_panel(picture)
    marks: list[Mark] = [
        *coarse_surfaces(winner, shade, COARSE, run.surface, panel),
        _rings(picture),
        class_points(problem, size=picture.sizes),
        *([tree_lines(problem, panel, trees), *strip(problem, panel, trees, below)] if plain else []),
        *_errors(picture, errors),
        *_margins(picture),
    ]
    panels = (panel, *([strip_panel()] if plain else []), errors, _margin_panel())
    return Scene(
        panels, marks, frames, _notes(picture, plain), (query_handle(query),),
        (*class_legend(problem), *_legend(adaboost)),
    )  # fmt: skip


def _notes(picture: Picture, plain: bool) -> tuple[str, ...]:
    slanted = () if plain else ("In this view the splits of the trees are not axis-parallel.",)
    bound = "" if _bounds(picture) is None else ", dashed the upper bound of the training error"
    test = "" if picture.test is None else ", blue the test error"
    curves = f"Error by round: grey is the training error{test}{bound}."
    return (*picture.problem.notes, *held_note(picture.problem), *slanted, curves, *thinned_note(picture.at))


def _legend(adaboost: bool) -> tuple[Key, ...]:
    size = "its weight" if adaboost else "its residual"
    ring = "misclassified by this tree" if adaboost else "misclassified so far"
    return Key(f"size of a row: {size}", symbol=0), Key(f"ring: {ring}", symbol=0, hollow=True)


# --- the plane --------------------------------------------------------------------------------------------------------


def _rings(picture: Picture) -> Points:
    """Return a ring around each row that this tree misclassifies; by gradient boosting, that all so far do."""
    trained, sizes = picture.problem.trained, picture.sizes.rows

    def wrong(step: Step) -> Ints:
        said = step.predicted if isinstance(step, AdaBoostStep) else step.said
        return trained[said != picture.codes] if len(said) else trained[:0]

    rows = Deferred(wrong, picture.shown)
    x, y = xy(Deferred(lambda some: picture.problem.points[some], rows))
    size = PerFrame(Deferred(lambda radii, some: np.asarray(radii)[some] + RING, sizes, rows))
    return Points(x=x, y=y, size=size, color=[NO_CLASS], symbol=[0], hollow=[1], of="")


def _drawn(picture: Picture, number: int) -> Drawn | None:
    """Return the tree of a step as it is drawn; None at the start."""
    step, classes = picture.steps[number], np.asarray(picture.model.classes_)
    if not number:
        return None
    if isinstance(step, AdaBoostStep):
        tree = step.estimator.tree_
        shares = tree.value[:, 0].max(axis=1)
        n = max(tree.value.shape[2], 2)
        return Drawn(tree, classes[tree.answers].astype(np.uint8), (n * shares - 1) / (n - 1))
    k = busiest(step)
    grown = step.trees[k]
    own, other = (1, 0) if len(step.trees) == 1 else (k, None)
    colors = np.where(grown.values > 0, classes[own], NO_CLASS if other is None else classes[other])
    top = float(np.abs(grown.values[grown.tree.is_leaf]).max()) or 1.0
    return Drawn(grown.tree, colors.astype(np.uint8), np.minimum(np.abs(grown.values) / top, 1.0))


def _below(picture: Picture, number: int) -> tuple[str, str]:
    """Return what is written below the small picture of a tree: its round, and its vote."""
    step = picture.steps[number]
    if not isinstance(step, AdaBoostStep):
        return f"{number}", ""
    return f"{number}", f"{2 * step.alpha:.2g}" if step.kept else "–"


# --- beside it --------------------------------------------------------------------------------------------------------


def _bounds(picture: Picture) -> Floats | None:
    """Return the bound of the training error after each step; None for gradient boosting."""
    bounds = [step.bound for step in picture.steps if isinstance(step, AdaBoostStep)]
    return np.array(bounds) if bounds else None


def _error_panel(picture: Picture) -> Panel:
    bounds, last = _bounds(picture), max(len(picture.steps) - 1, 1)
    curves = [picture.training, *([] if picture.test is None else [picture.test])]
    top = max(float(np.nanmax(curve)) for curve in curves)
    top = min(1.05, max(1.5 * top, 0.1)) if bounds is None else 1.05
    x = Axis("round", -0.02 * last, 1.02 * last, integer=True)
    return Panel("error", x, Axis("error", 0.0, top), title="Error by round", side=True)


def _errors(picture: Picture, panel: Panel) -> list[Mark]:
    """Return the training error, the test error and the bound up to the round."""
    rounds, reached = np.arange(len(picture.steps)), [int(i) + 1 for i in picture.at]
    curves: list[tuple[Floats, dict[str, Any]]] = [(picture.training, {"color": "muted"})]
    bounds = _bounds(picture)
    if bounds is not None:
        curves.append((np.minimum(bounds, panel.y.high), {"color": "ink", "width": 1.5, "dash": True}))
    marks: list[Mark] = []
    for heights, how in curves:
        places = np.column_stack([rounds, heights])
        x, y = xy(Deferred(lambda n, places=places: places[:n], reached))
        marks.append(Line(panel="error", x=x, y=y, **how))
    if picture.test is not None:
        marks += path(np.column_stack([rounds, picture.test]), reached, panel="error")
    return marks


def _margin_panel() -> Panel:
    x, y = Axis("margin", -1.0, 1.0), Axis("fraction of rows", 0.0, 1.0)
    return Panel("margins", x, y, title="Margins", side=True)


def _margins(picture: Picture) -> list[Mark]:
    """Return which share of the rows has at most each margin; left of 0 they are misclassified."""
    n = len(picture.codes)
    places = np.unique(np.linspace(0, n - 1, MOST_SHARES).astype(int))

    def curve(step: Step) -> Floats:
        """Return a staircase."""
        margins = np.sort(step.margins(picture.codes))[places]
        corners = np.column_stack([np.repeat(margins, 2), np.repeat((places + 1) / n, 2)])
        corners[1:, 1], corners[0, 1] = corners[:-1, 1].copy(), 0.0
        return corners

    x, y = xy(Deferred(curve, picture.shown))
    zero = Line(panel="margins", x=[0.0, 0.0], y=[0.0, 1.0], color="muted", width=1.0, dash=True)
    return [zero, Line(panel="margins", x=x, y=y, color="accent")]
