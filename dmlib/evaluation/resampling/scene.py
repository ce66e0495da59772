"""Resampling as a picture: the rows, a strip that shows who trains and who tests, and the errors split by split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.evaluation.models import CLASSIFIERS, REGRESSORS, SPOKEN, name_of
from dmlib.evaluation.resampling.algorithm import ResamplingStep
from dmlib.evaluation.resampling.ledger import Rivals, Teller, rivals_blocks
from dmlib.evaluation.resampling.splitting import BOOTSTRAPS, GROUPED, NESTED, REPEATED, STRATIFIED, Split
from dmlib.evaluation.resampling.testing import corrected_resampled_t, mcnemar, paired_t
from dmlib.params import Choice
from dmlib.pictures.data.heights import heights_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Segments, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_points, data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.pictures.words import num4
from dmlib.problem import Problem

NONE = "none"
OPTIONS = {
    "rival": Option(Choice((NONE, *CLASSIFIERS)), "zero_r"),
    "rival_number": Option(Choice((NONE, *REGRESSORS)), "mean"),
}
"""The model that is compared on the same splits."""
NAMES = {NONE: "none", **SPOKEN}
MOST_COLUMNS, MOST_SPLITS = 300, 40  # of the strip
PALE, FULL = 70, 255  # how strong the colour of a row is that trains, and that tests
TRAIN, TEST = 3.5, 5.5  # radius in pixels
RING, CROSS = 3, 4  # the symbols of what is wrong, and of a prediction
MOST_FRAMES = 120
MOST_PLACES = 40_000  # rows times frames


def resampling_scene(run: Run) -> Scene:
    """Draw the splits, one after the other.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ClassifierResampling
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 10.0, 11.0], "c": list("uuuvvv")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> scene = resampling_scene(Run.of(problem, ClassifierResampling(folds=3, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['split', 'fold', 'fold', 'fold', 'training', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    shown = thin(len(trace.steps), int(np.clip(MOST_PLACES // max(len(problem.X), 1), 8, MOST_FRAMES)))
    steps: list[ResamplingStep] = [trace.steps[i] for i in shown]
    folds = tuple(step for step in trace.steps if step.phase == "fold")
    drawn = Drawn(problem, run.model, trace.steps[0].splits, folds, steps)
    inner = tuple(min(step.inner) for step in trace.steps if step.phase == "inner")
    teller = Teller(problem, run.model, folds, run.selected, inner)

    def frame(step: ResamplingStep) -> Frame:
        told = teller.frame(step)
        return Frame(told.caption, [*told.ledger, *(_compared(run) if step.phase == "done" else [])], told.phase)

    data, data_marks = _data(drawn)
    strip, strip_marks = _strip(drawn)
    errors, error_marks = _errors(drawn)
    return Scene(
        (data, strip, errors),
        (*data_marks, *strip_marks, *error_marks),
        Deferred(frame, steps),
        (*problem.notes, *_fewer(drawn), *thinned_note(shown)),
        legend=_legend(problem, run.model),
    )


@dataclass(frozen=True)
class Drawn:
    """What the panels are drawn from."""

    problem: Problem
    model: Any
    splits: Sequence[Split]
    folds: tuple[ResamplingStep, ...]
    steps: Sequence[ResamplingStep]  # those that have a frame

    @property
    def reached(self) -> NDArray[np.intp]:
        """How many splits are tested in each frame."""
        return np.array(
            [
                step.index + (step.phase == "fold") if step.index >= 0 else 0 if step.phase == "split" else 10**9
                for step in self.steps
            ]
        )

    @property
    def color(self) -> NDArray[np.uint8]:
        """The colour of each row that is learned from."""
        y = np.asarray(self.problem.y)[self.problem.trained]
        return np.zeros(len(y), np.uint8) if self.model.NUMBERS else (y % NO_CLASS).astype(np.uint8)


def _fewer(drawn: Drawn) -> tuple[str, ...]:
    asked, n = drawn.model.folds, len(drawn.splits)
    if drawn.model.scheme not in (STRATIFIED, NESTED) or drawn.model.NUMBERS or n == asked:
        return ()
    return (f"A class has only {n} rows, so there are {n} folds.",)


def _legend(problem: Problem, model: Any) -> tuple[Key, ...]:
    if model.NUMBERS:
        return Key("trains", 0), Key("tests", 0, hollow=True)
    classes = tuple(Key(str(name), code) for code, name in enumerate(problem.classes[:6]))
    return (
        *classes,
        Key("trains"),
        Key("tests", hollow=True),
        Key("misclassified in the test", symbol=RING, hollow=True),
    )


# --- the rows ---------------------------------------------------------------------------------------------------------


def _data(drawn: Drawn) -> tuple[Panel, list[Mark]]:
    """Return the rows: those that test are hollow, those that are wrong have a ring, numbers their residuals."""
    problem, learned = drawn.problem, drawn.problem.trained
    n = len(problem.X)
    panel = heights_panel(problem) if problem.numeric_target else data_scene(problem, "").panels[0]
    hollow, size = [], []
    for step in drawn.steps:
        tests, radius = np.zeros(n, np.uint8), np.full(n, TRAIN)
        if step.split is not None:
            times = np.bincount(step.split.train, minlength=len(learned))
            radius[learned] = np.where(times > 0, TRAIN * np.sqrt(times), 0.8)
            tests[learned[step.split.test]] = 1
            radius[learned[step.split.test]] = TEST
        hollow.append(tests)
        size.append(radius)
    color = np.zeros(n, np.uint8) if drawn.model.NUMBERS else (np.asarray(problem.y) % NO_CLASS).astype(np.uint8)
    points = data_points(
        problem, color=color, hollow=PerFrame(hollow), size=PerFrame(size), classes=problem.classes, opacity=[0.85]
    )
    return panel, [*_residuals(drawn), *_rings(drawn), points]


def _rings(drawn: Drawn) -> list[Mark]:
    """Return the rings of rows that are predicted wrongly; in the end of all that ever were."""
    if drawn.model.NUMBERS:
        return []
    learned, places, rows = drawn.problem.trained, drawn.problem.points, []
    ever = np.unique(np.concatenate([_wrong(fold) for fold in drawn.folds] or [np.empty(0, np.intp)]))
    for step in drawn.steps:
        here = _wrong(step) if step.phase == "fold" else ever if step.phase == "done" else ever[:0]
        rows.append(places[learned[here]])
    return [
        Points(
            x=PerFrame([p[:, 0] for p in rows]), y=PerFrame([p[:, 1] for p in rows]), color=[NO_CLASS],
            symbol=[RING], hollow=[1], size=[8.0], of="",
        )
    ]  # fmt: skip


def _wrong(step: ResamplingStep) -> NDArray[np.intp]:
    assert step.split is not None
    return step.split.test[np.asarray(step.losses) > 0]


def _residuals(drawn: Drawn) -> list[Mark]:
    """Return the lines from the predictions to the numbers of the rows that test."""
    if not drawn.model.NUMBERS or not drawn.problem.upright:
        return []
    learned, places = drawn.problem.trained, drawn.problem.points
    ends, starts = [], []
    for step in drawn.steps:
        at = places[learned[step.split.test]] if step.phase == "fold" and step.split else places[:0]
        said = np.asarray(step.predicted, float) if step.phase == "fold" else np.empty(0)
        ends.append(at)
        starts.append(np.column_stack([at[:, 0], np.clip(said, *bounds(places[:, 1], 0.3))]))
    x0, y0 = (PerFrame([p[:, j] for p in starts]) for j in (0, 1))
    y1 = PerFrame([p[:, 1] for p in ends])
    return [
        Segments(x0=x0, x1=x0, y0=y0, y1=y1, width=2.0, of=""),
        Points(x=x0, y=y0, color=[1], symbol=[CROSS], size=[4.0], of=""),
    ]


# --- the strip --------------------------------------------------------------------------------------------------------


def _strip(drawn: Drawn) -> tuple[Panel, list[Mark]]:
    """Return a line of cells for each split: strong where a row tests, pale where it trains, empty where neither."""
    learned = drawn.problem.trained
    y = np.asarray(drawn.problem.y)[learned]
    order = np.arange(len(y)) if drawn.model.scheme == GROUPED else np.argsort(y, kind="stable")
    columns = order[thin(len(order), MOST_COLUMNS)]
    lines = thin(len(drawn.splits), MOST_SPLITS)
    shade = np.zeros((len(lines), len(columns)), np.uint8)
    for i, line in enumerate(lines):
        split = drawn.splits[line]
        times = np.bincount(split.train, minlength=len(y))
        tests = np.zeros(len(y), bool)
        tests[split.test] = True
        strength = np.where(tests, FULL, np.minimum(PALE * times // (1 + (drawn.model.scheme in BOOTSTRAPS)), 140))
        shade[i] = strength[columns]
    k, n = shade.shape
    pixels = np.broadcast_to(drawn.color[columns], shade.shape)
    raster = Raster(
        panel="strip", pixels=pixels.ravel().astype(np.uint8), shade=shade.ravel(), width=n, height=k,
        extent=(0.0, float(n), -float(k), 0.0), opacity=0.95, crisp=True,
    )  # fmt: skip
    at = [np.flatnonzero(lines == step.index) if step.index >= 0 else lines[:0] for step in drawn.steps]
    box = [np.array([0.0, n, n, 0.0, 0.0]) if len(i) else np.empty(0) for i in at]
    high = [(-float(i[0]) - np.array([0.0, 0.0, 1.0, 1.0, 0.0])) if len(i) else np.empty(0) for i in at]
    names = [j for j in range(k) if k <= 12 or j % -(-k // 12) == 0]
    texts = Texts(
        panel="strip", x=np.full(len(names), -0.012 * n), y=-np.array(names) - 0.5,
        text=[str(int(lines[j]) + 1) for j in names], anchor="end", dy=4.0, of="",
    )  # fmt: skip
    by = "row" if drawn.model.scheme == GROUPED else "row, by target" if drawn.model.NUMBERS else "row, by class"
    some = f" ({n} of {len(y)})" if n < len(y) else ""
    title = "Strong: test; pale: training"
    x = Axis(by + some, -(0.05 if k < 10 else 0.1) * n, float(n), integer=True)  # room for the numbers of the splits
    panel = Panel("strip", x, Axis("split", -float(k), 0.0, ticks=[""]), title)
    return panel, [raster, Line(panel="strip", x=PerFrame(box), y=PerFrame(high), width=2.5), texts]


# --- the errors -------------------------------------------------------------------------------------------------------


def _errors(drawn: Drawn) -> tuple[Panel, list[Mark]]:
    """Return the error of each split, their mean so far, the training error and the estimate."""
    errors = np.array([fold.error for fold in drawn.folds])
    means = np.array([fold.mean for fold in drawn.folds])
    number = np.arange(1, len(errors) + 1)
    ends = drawn.steps[-1]
    training = ends.error if ends.phase in ("training", "combine", "done") else np.nan
    reached = np.minimum(drawn.reached, len(errors))
    k = max(len(drawn.splits), 1)
    span = np.array([0.5, k + 0.5])
    after = [step.phase in ("training", "combine", "done") for step in drawn.steps]
    final = [step.phase == "done" for step in drawn.steps]

    def level(value: float, there: list[bool], **more: Any) -> Line:
        x, y = (PerFrame([row if now else row[:0] for now in there]) for row in (span, np.full(2, value)))
        return Line(panel="errors", x=x, y=y, **more)

    x, y = (PerFrame([values[:m] for m in reached]) for values in (number, errors))
    marks: list[Mark] = [
        Points(panel="errors", color=[0], size=[4.0 if k <= 60 else 2.5], numbers=number, of="split", x=x, y=y),
        Line(
            panel="errors", x=x, y=PerFrame([means[:m] for m in reached]), color="muted", width=2.0, of=""
        ),
    ]  # fmt: skip
    heights = np.append(errors, 0.0)
    if np.isfinite(training):
        marks.append(level(training, after, color="muted", dash=True))
        heights = np.append(heights, training)
    if ends.phase == "done":
        marks.append(level(ends.estimate, final, color="accent", width=3.0))
        heights = np.append(heights, ends.estimate)
        told = [f"estimate {num4(ends.estimate)}", f"training {num4(training)}"]
        levels = np.array([ends.estimate, training])
        left = _under(errors[: (k + 1) // 2], levels) < _under(errors[k // 2 :], levels)
        marks.append(
            Texts(
                panel="errors", x=np.full(2, 0.6 if left else k + 0.4), y=levels, anchor="start" if left else "end",
                text=told, dy=-7.0, halo=True, of="",
            )
        )  # fmt: skip
    low, high = bounds(heights, 0.3)  # a level at the top has its name above it
    label = "mean squared error" if drawn.model.NUMBERS else "error rate"
    low = min(0.0, low) if heights.min() < 0 else -0.03 * high
    panel = Panel("errors", Axis("split", 0.4, k + 0.6, integer=True), Axis(label, low, high), "Errors", side=True)
    return panel, marks


def _under(errors: Floats, levels: Floats) -> int:
    """Return how many points are where the names of two levels are written, above them."""
    above = errors[:, None] - levels
    return int(((above >= 0) & (above < 0.25 * max(float(errors.max()), *levels))).sum())


# --- another model ----------------------------------------------------------------------------------------------------


def rivals(run: Run) -> Rivals | str | None:
    """Return the comparison with another model on the same splits, or the sentence with which that is refused."""
    options = chosen(run, OPTIONS)
    name = options["rival_number" if run.model.NUMBERS else "rival"]
    if name in (NONE, name_of(run.model.model)) or not run.trace.complete:
        return None

    def compare() -> Rivals | str:
        model = clone(run.model).set_params(model=name)
        X, y = run.problem.training.arguments
        try:
            steps = list(model.steps(X, y))
        except ValueError as error:
            return str(error)
        mine = [step for step in run.trace.steps if step.phase == "fold"]
        other = [step for step in steps if step.phase == "fold"]
        first, second = (np.array([step.error for step in each]) for each in (mine, other))
        ratio = float(np.mean([len(step.split.test) / len(step.split.train) for step in mine if step.split]))
        once = run.model.scheme not in (*BOOTSTRAPS, REPEATED) and not run.model.NUMBERS
        rows = mcnemar(*(np.concatenate([step.losses for step in each]) > 0 for each in (mine, other)))
        estimates = (run.trace.steps[-1].estimate, steps[-1].estimate)
        return Rivals(
            SPOKEN[name], estimates, paired_t(first, second), corrected_resampled_t(first, second, ratio),
            rows if once else None, ratio,
        )  # fmt: skip

    found: Rivals | str = run.once(f"rival {name}", compare)
    return found


def _compared(run: Run) -> Blocks:
    found = rivals(run)
    if found is None:
        return []
    return [Formula(found)] if isinstance(found, str) else rivals_blocks(found, run.model.model)
