"""Resampling as a picture: the rows, a strip of the splits, and their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.evaluation.models import CLASSIFIERS, REGRESSORS, TITLES, name_of
from dmlib.evaluation.resampling.algorithm import ResamplingStep
from dmlib.evaluation.resampling.base import Resampling
from dmlib.evaluation.resampling.errors_scene import errors_plot
from dmlib.evaluation.resampling.ledger import Narrator, Rivals, rivals_blocks
from dmlib.evaluation.resampling.splitting import BOOTSTRAPS, NESTED, REPEATED, STRATIFIED
from dmlib.evaluation.resampling.strip_scene import strip_plot
from dmlib.evaluation.resampling.testing import corrected_resampled_t, mcnemar, paired_t
from dmlib.params import Choice
from dmlib.pictures.data.heights import heights_panel
from dmlib.pictures.ledger import Blocks, Formula
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene, bounds
from dmlib.pictures.story import Moment, Plot, draw_plots, needs_steps, story
from dmlib.problem import Problem

NO_RIVAL = "none"
OPTIONS = {
    "rival": Option(Choice((NO_RIVAL, *CLASSIFIERS)), "zero_r"),
    "rival_number": Option(Choice((NO_RIVAL, *REGRESSORS)), "mean"),
}
"""The model that is compared on the same splits."""
NAMES = {NO_RIVAL: "none", **TITLES}
TRAIN, TEST, UNUSED = 3.5, 5.5, 0.8  # radius in pixels
RING, CROSS = 3, 4  # symbols of misclassified rows, and of predictions
MIN_FRAMES, MAX_FRAMES = 8, 120
MAX_PLACES = 40_000  # rows times frames


@needs_steps
def resampling_scene(run: Run[Problem, Resampling]) -> Scene:
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
    problem, model, steps = run.problem, run.model, run.trace.steps
    splits = steps[0].splits
    folds = folds_of(steps)
    plots = (
        _rows_plot(problem, model.NUMBERS, folds),
        strip_plot(problem, model, splits),
        errors_plot(model, len(splits), folds, steps[-1]),
    )
    inner_errors = tuple(min(step.inner) for step in steps if step.phase == "inner")
    narrator = Narrator(problem, model, folds, run.selected, inner_errors)

    def words(moment: Moment) -> tuple[str, Blocks]:
        caption, ledger = narrator.caption_and_ledger(moment)
        return caption, [*ledger, *(_rival_blocks(run) if moment.step.phase == "done" else [])]

    return story(
        run,
        draw_plots(plots, words),
        panels=[plot.panel for plot in plots],
        legend=_legend(problem, model),
        notes=_notes(model, len(splits)),
        max_frames=int(np.clip(MAX_PLACES // max(len(problem.X), 1), MIN_FRAMES, MAX_FRAMES)),
    )


def folds_of(steps: Sequence[ResamplingStep]) -> tuple[ResamplingStep, ...]:
    """Return the steps that test a split."""
    return tuple(step for step in steps if step.phase == "fold")


def _notes(model: Any, n_splits: int) -> tuple[str, ...]:
    if model.scheme not in (STRATIFIED, NESTED) or model.NUMBERS or n_splits == model.folds:
        return ()
    return (f"A class has only {n_splits} rows, so there are {n_splits} folds.",)


def _legend(problem: Problem, model: Any) -> tuple[Key, ...]:
    if model.NUMBERS:
        return Key("training row", 0), Key("test row", 0, hollow=True)
    classes = tuple(Key(str(name), code) for code, name in enumerate(problem.classes[:6]))
    return (
        *classes,
        Key("training row"),
        Key("test row", hollow=True),
        Key("misclassified", symbol=RING, hollow=True),
    )


# --- the rows -------------------------------------------------------------------------------------


def _rows_plot(problem: Problem, is_regression: bool, folds: Sequence[ResamplingStep]) -> Plot:
    """Return the rows: test rows are hollow, errors are rings or residuals."""
    codes = np.zeros(len(problem.X)) if is_regression else np.asarray(problem.y)
    color = (codes % NO_CLASS).astype(np.uint8)
    rows = data_points(problem, color=color, classes=problem.classes, opacity=[0.85])
    misclassified = [_misclassified(fold) for fold in folds]
    ever_wrong = np.unique(np.concatenate([np.empty(0, np.intp), *misclassified]))
    panel = heights_panel(problem) if problem.numeric_target else data_panel(problem)

    def marks(moment: Moment) -> list[Mark]:
        hollow, radii = _roles(problem, moment.step)
        errors = [] if is_regression else [_rings(problem, moment.step, ever_wrong)]
        if is_regression and problem.upright:
            errors = _residuals(problem, moment.step)
        return [*errors, replace(rows, hollow=hollow, size=radii)]

    return Plot(panel, marks)


def _roles(problem: Problem, step: ResamplingStep) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return which rows test, and their radii, by how often each is in the training set."""
    is_test = np.zeros(len(problem.X), np.uint8)
    radii = np.full(len(problem.X), TRAIN)
    if step.split is None:
        return is_test, radii
    learned = problem.trained
    n_times = np.bincount(step.split.train, minlength=len(learned))
    radii[learned] = np.where(n_times > 0, TRAIN * np.sqrt(n_times), UNUSED)
    test = learned[step.split.test]
    is_test[test] = 1
    radii[test] = TEST
    return is_test, radii


def _misclassified(step: ResamplingStep) -> NDArray[np.intp]:
    """Return the test rows of a split that are misclassified."""
    assert step.split is not None
    return step.split.test[np.asarray(step.losses) > 0]


def _rings(problem: Problem, step: ResamplingStep, ever_wrong: NDArray[np.intp]) -> Mark:
    """Return the rings of misclassified test rows, at the end those of all splits."""
    rows = ever_wrong if step.phase == "done" else ever_wrong[:0]
    if step.phase == "fold":
        rows = _misclassified(step)
    places = problem.points[problem.trained[rows]]
    return points_at(places, color=[NO_CLASS], symbol=[RING], hollow=[1], size=[8.0], of="")


def _residuals(problem: Problem, step: ResamplingStep) -> list[Mark]:
    """Return the lines from the predictions to the numbers of the test rows."""
    tested = predicted = NOWHERE
    if step.phase == "fold" and step.split is not None:
        tested = problem.points[problem.trained[step.split.test]]
        heights = np.clip(np.asarray(step.predicted, float), *bounds(problem.points[:, 1], 0.3))
        predicted = np.column_stack([tested[:, 0], heights])
    return [
        segments_between(predicted, tested, width=2.0, of=""),
        points_at(predicted, color=[1], symbol=[CROSS], size=[4.0], of=""),
    ]


# --- a rival --------------------------------------------------------------------------------------


def rivals(run: Run[Problem, Resampling]) -> Rivals | str | None:
    """Return the comparison with a rival on the same splits, or the reason why it is refused."""
    options = chosen(run, OPTIONS)
    name = options["rival_number" if run.model.NUMBERS else "rival"]
    if name in (NO_RIVAL, name_of(run.model.model)) or not run.trace.complete:
        return None
    comparison: Rivals | str = run.once(f"rival {name}", lambda: _compare(run, name))
    return comparison


def _compare(run: Run[Problem, Resampling], name: str) -> Rivals | str:
    model = clone(run.model).set_params(model=name)
    try:
        steps = list(model.steps(*run.problem.training.arguments))
    except ValueError as error:
        return str(error)
    folds, rival_folds = folds_of(run.trace.steps), folds_of(steps)
    errors = [fold.error for fold in folds]
    rival_errors = [fold.error for fold in rival_folds]
    splits = run.trace.steps[0].splits
    ratio = float(np.mean([len(split.test) / len(split.train) for split in splits]))
    rows = None
    if run.model.scheme not in (*BOOTSTRAPS, REPEATED) and not run.model.NUMBERS:
        losses, rival_losses = (
            np.concatenate([fold.losses for fold in each]) for each in (folds, rival_folds)
        )
        rows = mcnemar(losses > 0, rival_losses > 0)
    return Rivals(
        name=TITLES[name],
        estimates=(run.trace.steps[-1].estimate, steps[-1].estimate),
        paired=paired_t(errors, rival_errors),
        corrected=corrected_resampled_t(errors, rival_errors, ratio),
        rows=rows,
        ratio=ratio,
    )


def _rival_blocks(run: Run[Problem, Resampling]) -> Blocks:
    comparison = rivals(run)
    if comparison is None:
        return []
    if isinstance(comparison, str):
        return [Formula(comparison)]
    return rivals_blocks(comparison, run.model.model)
