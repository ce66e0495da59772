"""Logistic regression as a picture: lines of equal probability in the plane, the path on the likelihood, every sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dmlib.classification.ascent import LogisticRegressionStep
from dmlib.classification.likelihood import Likelihood
from dmlib.classification.logistic_regression import LogisticRegression
from dmlib.classification.separation import held_at_zero, separated
from dmlib.problem import Problem, Query
from dmlib.scene import (
    Axis,
    Frame,
    Handle,
    Line,
    Mark,
    Panel,
    PerFrame,
    Points,
    Raster,
    Scene,
    bounds,
)
from dmlib.scenes.centers import Blocks, count, num
from dmlib.scenes.data import data_scene
from dmlib.scenes.likelihood_surface import Surface, surface_marks, surface_of, surface_panel
from dmlib.scenes.logistic_ledger import (
    MOST_ROWS,
    answer_blocks,
    coefficient_table,
    deviance_blocks,
    group_block,
    hessian_block,
    objective_formula,
    query_blocks,
    step_blocks,
    weighted_errors,
)
from dmlib.scenes.probability import probability_images, probability_lines
from dmlib.scenes.regions import (
    class_legend,
    class_points,
    error_table,
    held_note,
    query_handle,
    region_panel,
)
from dmlib.trace import Trace

Floats = NDArray[np.float64]

MOST_FRAMES = 40
MOST_STEPS = 4000
CURVE = 80  # vertices of the curve of a single column
RING = 7.5  # radius of the ring around a row of the batch
SMALLEST, WIDEST = 2.0, 13.0  # radius of a group of no case, and what the largest has more


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share.

    Attributes
    ----------
    problem : Problem
        The data.
    model : LogisticRegression
        Fitted.
    likelihood : Likelihood
        The objective on the training samples.
    steps : list of LogisticRegressionStep
        Those that are drawn.
    at : ndarray of shape (n_frames,)
        Their numbers in the run.
    names : list of str
        The terms, the intercept first.
    constant : int
        Whether there is an intercept: 1 or 0.
    """

    problem: Problem
    model: LogisticRegression
    likelihood: Likelihood
    steps: list[LogisticRegressionStep]
    at: NDArray[np.intp]
    names: list[str]
    constant: int

    @property
    def path(self) -> Floats:
        """The coefficients of each frame, shape (n_frames, n_terms)."""
        return np.array([step.coef[0] for step in self.steps])

    @property
    def single(self) -> bool:
        """Whether the one column with a coefficient lies across, so that the probability can be drawn over it."""
        return len(self.names) - self.constant == 1 and bool(self.problem.plane.basis[0, 0])

    def in_plane(self, coef: Floats) -> tuple[float, Floats]:
        """Return the score at (0, 0) of the plane and its slopes along the two axes."""
        slopes, plane = coef[self.constant :], self.problem.plane
        start = float(coef[0]) if self.constant else 0.0
        return start + float(slopes @ plane.base[: len(slopes)]), plane.basis[:, : len(slopes)] @ slopes


def logistic_regression_scene(
    problem: Problem,
    trace: Trace,
    model: LogisticRegression,
    surface: Raster | None = None,
    query: Query | None = None,
    *,
    beside: str = "slopes",
) -> Scene:
    """Draw the steps of a logistic regression of two classes.

    Parameters
    ----------
    problem : Problem
        The data; class 1 is the one whose probability is modelled.
    trace : Trace
        Steps of :class:`dmlib.classification.LogisticRegression` on ``problem.training``.
    model : LogisticRegression
        The same, fitted.
    surface : Raster, optional
        Its decision regions, for the last frame.
    query : Query, optional
        The place whose probability is written out.
    beside : {"slopes", "intercept", "height"}
        The small picture: the likelihood over the coefficients of the two columns that are shown, or over the intercept
        and the first of them; or its height after each step, which is also drawn where there is one coefficient only.

    Returns
    -------
    Scene
        One frame for the start, each step (of very many, every so many-th), and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.trace import run
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "c": ["no", "yes", "no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True, positive="yes")
    >>> model = LogisticRegression(max_iter=1).fit(problem.X, problem.y)
    >>> scene = logistic_regression_scene(problem, run(model, problem.X, problem.y), model)
    >>> [frame.phase for frame in scene.frames]
    ['start', 'newton', 'done']
    """
    if not trace.steps:
        return data_scene(problem, trace.reason)
    learned = problem.training
    at = np.unique(np.linspace(0, len(trace.steps) - 1, MOST_FRAMES).round().astype(int))
    constant = int(model.fit_intercept)
    names = [*(["intercept"] if constant else []), *features_of(problem, model)]
    likelihood = model.likelihood(learned.data, np.asarray(learned.y))
    steps = [trace.steps[i] for i in at]
    picture = Picture(problem, model, likelihood, steps, at, names, constant)
    before = [trace.steps[max(i - 1, 0)] for i in at]
    frames = [_frame(picture, step, last, query) for step, last in zip(steps, before, strict=True)]
    panel = _curve_panel(picture) if picture.single else region_panel(problem)
    draw = _single_marks if picture.single else _plane_marks
    marks = draw(picture, panel, surface)
    if (terms := _terms(picture, beside)) is None:
        small = _height_panel(picture)
        marks += _height_marks(picture)
    else:
        shape = surface_of(likelihood, picture.path, terms, bool(constant))
        small = surface_panel(shape, names, _title(picture, shape))
        marks += surface_marks(shape, small, picture.path, len(steps))
    notes, handles = _notes(picture, trace), (_handle(picture, query),)
    return Scene((panel, small), marks, frames, notes, handles, class_legend(problem))


def features_of(problem: Problem, model: LogisticRegression) -> tuple[str, ...]:
    """Return the names of the columns that have a coefficient."""
    return problem.features[: len(problem.features) - int(model.grouped)]


def too_many_steps(n_samples: int, n_features: int, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses more steps than can be kept; an empty one if there are few enough.

    Examples
    --------
    >>> too_many_steps(320, 2, {"solver": "sgd", "max_iter": 500, "batch_size": 32})
    '500 epochs of 10 batches are 5000 steps, and at most 4000 can be shown; choose fewer epochs or larger batches.'
    """
    iterations = int(params["max_iter"])
    if params["solver"] == "newton":
        return ""
    batches = -(-n_samples // int(params["batch_size"])) if params["solver"] == "sgd" else 1
    if iterations * batches <= MOST_STEPS:
        return ""
    most = f"and at most {MOST_STEPS} can be shown; choose fewer"
    if params["solver"] == "gd":
        return f"{iterations} iterations are too many steps, {most}."
    return (
        f"{iterations} epochs of {batches} batches are {iterations * batches} steps, {most} epochs or larger batches."
    )


def _terms(picture: Picture, beside: str) -> tuple[int, int] | None:
    """Return the two coefficients over which the likelihood is drawn; None if it is not."""
    if beside == "height":
        return None
    n_slopes = len(picture.names) - picture.constant
    shown = np.abs(picture.problem.plane.basis[:, :n_slopes]).argmax(axis=1) + picture.constant
    first, second = int(shown[0]), int(shown[1])
    if n_slopes > 1 and first == second:
        second = next(j for j in range(picture.constant, len(picture.names)) if j != first)
    if n_slopes > 1 and (beside == "slopes" or not picture.constant):
        return first, second
    return (0, first) if picture.constant else None


def _title(picture: Picture, shape: Surface) -> str:
    what = "Log-likelihood" if np.isinf(picture.model.C) else "Log-likelihood − penalty"
    return what + (", mean score held" if shape.pinned else "")


# --- the plane --------------------------------------------------------------------------------------------------------


def _plane_marks(picture: Picture, panel: Panel, surface: Raster | None) -> list[Mark]:
    """Draw the probability, its lines, and the rows."""
    fits = [picture.in_plane(step.coef[0]) for step in picture.steps]
    rows = _rows(picture, panel)
    return [*probability_images(fits, panel, surface), *probability_lines(fits, panel), rows, *_batch(picture, rows)]


def _rows(picture: Picture, panel: Panel) -> Points:
    """Return the rows; groups are as large as they are, and beside each other."""
    problem = picture.problem
    if not picture.model.grouped:
        return class_points(problem)
    counts = problem.X[:, -1]
    points = class_points(problem, size=SMALLEST + WIDEST * np.sqrt(counts / max(float(counts.max()), 1e-300)))
    side = np.where(np.asarray(problem.y) == 1, 0.03, -0.03) * (panel.x.high - panel.x.low)
    return replace(points, x=np.clip(np.asarray(points.x) + side, panel.x.low, panel.x.high))


def _batch(picture: Picture, rows: Points) -> list[Mark]:
    """Return rings around the rows of each batch."""
    if all(step.rows is None for step in picture.steps):
        return []
    problem = picture.problem
    learned = np.arange(len(problem.X)) if problem.test is None else np.flatnonzero(~problem.test)
    chosen = [learned[[] if step.rows is None else step.rows] for step in picture.steps]
    x, y, codes = (np.asarray(values) for values in (rows.x, rows.y, problem.y))
    return [
        Points(
            x=PerFrame([x[some] for some in chosen]),
            y=PerFrame([y[some] for some in chosen]),
            color=PerFrame([codes[some] for some in chosen]),
            size=[RING],
            hollow=PerFrame([np.ones(len(some)) for some in chosen]),
        )
    ]


# --- a single column --------------------------------------------------------------------------------------------------


def _curve_panel(picture: Picture) -> Panel:
    """Return the panel of one column and the probability over it."""
    x = region_panel(picture.problem).x
    return Panel("data", x, Axis(f"P({picture.problem.classes[1]})", -0.08, 1.08))


def _single_marks(picture: Picture, panel: Panel, surface: Raster | None) -> list[Mark]:
    """Draw the probability as a curve over the column; rows lie at 0 and 1."""
    x = np.linspace(panel.x.low, panel.x.high, CURVE)
    fits = [picture.in_plane(step.coef[0]) for step in picture.steps]
    curves = PerFrame([expit(start + slopes[0] * x) for start, slopes in fits])
    middle = Line(x=[panel.x.low, panel.x.high], y=[0.5, 0.5], color="muted", width=1.0, dash=True)
    codes = np.zeros(len(picture.problem.X)) if picture.problem.y is None else picture.problem.y
    rows = replace(_rows(picture, panel), y=np.asarray(codes, float))
    return [middle, Line(x=x, y=curves, color="accent", width=2.5, tween=True), rows, *_batch(picture, rows)]


def _handle(picture: Picture, query: Query | None) -> Handle:
    """Return the handle of what is asked about; over a single column it is on the last curve."""
    handle = query_handle(query)
    if picture.single and query is not None:
        start, slopes = picture.in_plane(picture.steps[-1].coef[0])
        return replace(handle, y=float(expit(start + slopes[0] * query.place[0])))
    return handle


# --- the height -------------------------------------------------------------------------------------------------------


def _heights(picture: Picture) -> Floats:
    return np.array([step.objective for step in picture.steps])


def _height_panel(picture: Picture) -> Panel:
    title = "Log-likelihood" if np.isinf(picture.model.C) else "Log-likelihood − penalty"
    last = max(int(picture.at[-1]), 1)
    steps = Axis("step", -0.02 * last, 1.02 * last, integer=True)
    return Panel(
        "height", steps, Axis("", *bounds(_heights(picture), 0.1)), title=f"{title} after each step", side=True
    )


def _height_marks(picture: Picture) -> list[Mark]:
    x, y = picture.at.astype(float), _heights(picture)
    n = range(1, len(x) + 1)
    where: dict[str, Any] = {"panel": "height"}
    return [
        Line(x=PerFrame([x[:i] for i in n]), y=PerFrame([y[:i] for i in n]), color="accent", **where),
        Points(x=PerFrame([x[i - 1 : i] for i in n]), y=PerFrame([y[i - 1 : i] for i in n]), color=[0], **where),
    ]


# --- words ------------------------------------------------------------------------------------------------------------


def _frame(
    picture: Picture, step: LogisticRegressionStep, before: LogisticRegressionStep, query: Query | None
) -> Frame:
    if step.phase == "start":
        caption, ledger = _start(picture, step)
    elif step.phase == "done":
        caption, ledger = _done(picture, step)
    else:
        caption = _step_caption(picture, step, before)
        ledger = step_blocks(picture.names, step, before, picture.likelihood.total, picture.constant)
        ledger.append(objective_formula(step, picture.model.C))
    if query is not None:
        asked = query_blocks(picture.problem, query, picture.names, step.coef[0], picture.constant)
        ledger = [*asked, *ledger]
    return Frame(caption, ledger, step.phase)


def _start(picture: Picture, step: LogisticRegressionStep) -> tuple[str, Blocks]:
    total = picture.likelihood.total
    caption = "Start: all coefficients are 0, so every probability is 0.5."
    ledger: Blocks = [
        coefficient_table(picture.names, "The start", β=step.coef[0], g=step.gradient[0]),
        objective_formula(step, picture.model.C),
    ]
    if not step.coef.any():
        caption = f"{caption[:-1]}, and the log-likelihood is {num(total)} · ln 0.5 = {num(step.log_likelihood)}."
    return caption, ledger


def _step_caption(picture: Picture, step: LogisticRegressionStep, before: LogisticRegressionStep) -> str:
    what = "log-likelihood" if np.isinf(picture.model.C) else "penalised log-likelihood"
    old, new = num(before.objective), num(step.objective)
    change = f"the {what} {'falls' if step.objective < before.objective else 'rises'} from {old} to {new}"
    if old == new:
        change = f"the {what} stays {new}"
    if step.phase == "batch" and step.rows is not None:
        learned = picture.problem.training
        rows = ", ".join(str(learned.rows[i] + 1) for i in sorted(step.rows)[:MOST_ROWS])
        more = f" and {len(step.rows) - MOST_ROWS} more" if len(step.rows) > MOST_ROWS else ""
        return f"Epoch {step.iteration}: a step along the gradient over {_rows_word(step)} {rows}{more}; {change}."
    kind = "Newton" if step.phase == "newton" else "Gradient"
    halved = {0: "", 1: " (halved once, since it overshot)"}.get(
        step.halvings, f" (halved {step.halvings} times, since it overshot)"
    )
    return f"{kind} step {step.iteration}{halved}: {change}."


def _rows_word(step: LogisticRegressionStep) -> str:
    return "row" if step.rows is not None and len(step.rows) == 1 else "rows"


def _done(picture: Picture, step: LogisticRegressionStep) -> tuple[str, Blocks]:
    model, names = picture.model, picture.names
    free = bool(np.isinf(model.C))
    words = ("epoch", "epochs") if model.solver == "sgd" else ("iteration", "iterations")
    held = held_at_zero([names[j + picture.constant] for j in step.aliased])
    told = [] if step.separation is None else separated(step.separation, free)
    reason = [step.reason] if not (free and told) else []
    caption = " ".join([f"Done after {count(step.iteration, *words)}.", *reason, *held, *told])
    n_slopes = len(names) - picture.constant - len(step.aliased)
    ledger = [
        *answer_blocks(names, step, model.C),
        *deviance_blocks(step, model.null_deviance_, n_slopes if free else 0),
        *group_block(names, picture.likelihood, step.coef[0], picture.constant),
        weighted_errors(picture.problem, model) if model.grouped else error_table(picture.problem, model),
    ]
    if step.hessian is not None:
        ledger.append(replace_title(hessian_block(names, step.hessian)))
    return caption, ledger


def replace_title(block: Any) -> Any:
    """Return the Hessian under the title that it has at the end."""
    return replace(block, title="Hessian H") if hasattr(block, "title") else block


def _notes(picture: Picture, trace: Trace) -> tuple[str, ...]:
    problem = picture.problem
    notes = [*problem.notes, *held_note(_without_counts(problem) if picture.model.grouped else problem)]
    if len(picture.at) < len(trace.steps):
        notes.append(f"{len(picture.at)} of {len(trace.steps)} steps are shown.")
    if picture.model.grouped:
        notes.append(f"The column {problem.features[-1]} says how often each row counts; the symbols are as large.")
    return tuple(notes)


def _without_counts(problem: Problem) -> Problem:
    plane = problem.plane
    base, basis = plane.base[:-1], plane.basis[:, :-1]
    return replace(
        problem, features=problem.features[:-1], plane=replace(plane, base=base, basis=basis, exact=len(base) < 3)
    )
