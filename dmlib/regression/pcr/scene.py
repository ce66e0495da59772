"""Regression by components as a picture: predictions come to the diagonal as components are taken in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, needs_steps, story
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import ComponentStep
from dmlib.regression.pcr.ledger import Narrator
from dmlib.squares import deviations

MAX_COLUMNS, MAX_NAMES = 16, 8  # bars of coefficients, and those up to which they are named
GUTTER = 0.5  # room for the names left of the bars, as a share of the bars' own
MIN_FRAMES, MAX_PLACES = 6, 20_000  # frames; rows times frames
COLUMNS, TARGET = 0, 1  # colours of what a component explains of the columns, and of the target
SHARE = Axis("share", 0.0, 1.02)
FAINT = 0.25  # opacity of components that are not taken in
LEGEND = (Key("variance of the columns", COLUMNS), Key("variance of the target", TARGET))
NOTE = (
    "On the line, observed and predicted numbers are equal; strokes beside the bars are least"
    " squares."
)


@needs_steps
def pcr_scene(run: Run) -> Scene:
    """Draw predictions against observed numbers, one component a step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import PrincipalComponentRegression
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [1.0, 0.0, 2.0], "y": [0.0, 1.0, 3.0]})
    >>> problem = prepare(frame, ["a", "b"], target="y", numeric_target=True)
    >>> [frame.phase for frame in pcr_scene(Run.of(problem, PrincipalComponentRegression(2))).frames]
    ['centre', 'component', 'component', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    X, y = np.asarray(problem.training.X, float), np.asarray(problem.training.y, float)
    least_squares = np.asarray(np.linalg.lstsq(deviations(X), deviations(y), rcond=1e-10)[0], float)
    model = clone(run.model).set_params(n_components=max(MAX_COLUMNS, steps[-1].n))
    plots = (
        _predictions(problem, steps[-1]),
        _shares(list(model.steps(X, y)), steps[-1].n),
        _coefficients(problem, steps, least_squares),
    )
    narrator = Narrator(problem, least_squares, float((deviations(y) ** 2).sum()), run.selected)

    def draw(now: Moment) -> Drawing:
        marks = [mark for plot in plots for mark in plot.marks(now)]
        return Drawing(marks, *narrator.tell(now), now.step.phase)

    return story(
        run,
        draw,
        panels=[plot.panel for plot in plots],
        notes=(NOTE,),
        handles=[handle for plot in plots for handle in plot.handles],
        legend=LEGEND,
        max_frames=max(MIN_FRAMES, MAX_PLACES // len(problem.X)),
    )


def _predictions(problem: Problem, last: ComponentStep) -> Plot:
    """Return the rows by their predicted and observed numbers, with the residuals as distances to the line."""
    y = np.asarray(problem.y, float)
    axis = Axis(
        f"predicted {problem.target}", *bounds(np.concatenate([y, _predicted(problem, last)]))
    )
    panel = Panel("data", axis, Axis(f"observed {problem.target}", axis.low, axis.high), equal=True)
    ends = [axis.low, axis.high]
    diagonal = Line(x=ends, y=ends, color="accent", width=2.0)
    is_test = np.zeros(len(y), bool) if problem.test is None else problem.test
    rows = Points(
        x=y,
        y=y,
        color=np.full(len(y), NO_CLASS, np.uint8),
        symbol=np.zeros(len(y), np.uint8),
        hollow=is_test.astype(np.uint8),
        labels=problem.labels,
        data=True,
        tween=True,
    )

    def marks(now: Moment) -> list[Mark]:
        x = np.clip(_predicted(problem, now.step), axis.low, axis.high)
        residuals = Segments(x0=x, y0=y, x1=x, y1=x, width=1.0, tween=True, of="")
        return [diagonal, residuals, replace(rows, x=x)]

    return Plot(panel, marks)


def _predicted(problem: Problem, step: ComponentStep) -> Floats:
    return np.asarray(problem.X @ step.coef + step.intercept)


def _shares(steps: Sequence[ComponentStep], last: int) -> Plot:
    """Return what each component explains of the columns' variance and of the target's; the handle sets the last."""
    components, total = [step for step in steps if step.phase == "component"], steps[0].sse
    n = np.arange(1.0, len(components) + 1)
    of_columns = np.diff([0.0, *(step.share for step in components)])
    of_target = [step.slope * step.product / total if total > 0 else 0.0 for step in components]
    panel = Panel(
        "shares", Axis("component", 0.4, len(n) + 0.6, integer=True), SHARE, "Components", side=True
    )
    bars = [
        Rects(
            panel="shares",
            x0=n + left,
            x1=n + left + 0.4,
            y0=np.zeros(len(n)),
            y1=np.asarray(shares),
            color=np.full(len(n), color, np.uint8),
            of="component",
            numbers=n,
        )
        for left, color, shares in ((-0.4, COLUMNS, of_columns), (0.0, TARGET, of_target))
    ]

    def marks(now: Moment) -> list[Mark]:
        opacity = np.where(n <= now.step.n, 1.0, FAINT)
        return [replace(bar, opacity=opacity) for bar in bars]

    return Plot(
        panel, marks, [Handle("n_components", "shares", "the last component", "x", float(last))]
    )


def _coefficients(problem: Problem, steps: Sequence[ComponentStep], least_squares: Floats) -> Plot:
    """Return the coefficients, in standard deviations of the columns, beside those of least squares."""
    n = min(len(least_squares), MAX_COLUMNS)
    spread = problem.training.X.std(axis=0)[:n]
    y, free = np.arange(n, dtype=float)[::-1], least_squares[:n] * spread
    names = tuple(problem.features[:n])
    ends = bounds([0.0, *free, *np.concatenate([step.coef[:n] * spread for step in steps])], 0.12)
    panel = _coefficient_panel(ends, names)
    bars = Rects(
        panel="sizes",
        x0=np.zeros(n),
        x1=free,
        y0=y - 0.32,
        y1=y + 0.32,
        tween=True,
        numbers=np.arange(n) + 1,
        of="column",
        color=np.zeros(n, np.uint8),
    )
    fixed = [_strokes(free, y), *_names(panel, y, names)]

    def marks(now: Moment) -> list[Mark]:
        return [replace(bars, x1=now.step.coef[:n] * spread), *fixed]

    return Plot(panel, marks)


def _strokes(x: Floats, y: Floats) -> Segments:
    """Return the coefficients of least squares as strokes beside the bars."""
    numbers = np.arange(len(x)) + 1
    return Segments(
        panel="sizes", x0=x, x1=x, y0=y - 0.42, y1=y + 0.42, width=2.0, numbers=numbers, of="column"
    )


def _names(panel: Panel, y: Floats, names: Sequence[str]) -> list[Mark]:
    """Return the names of the columns left of the bars, unless they are many."""
    if len(names) > MAX_NAMES:
        return []
    x = [panel.x.low] * len(names)
    return [Texts(panel="sizes", x=x, y=y, text=names, anchor="start", dy=4.0, halo=True)]


def _coefficient_panel(ends: tuple[float, float], names: Sequence[str]) -> Panel:
    """Return the panel of the bars, with room for few names."""
    low, high = ends
    gutter = GUTTER * (high - low) if len(names) <= MAX_NAMES else 0.0
    up = Axis("", -0.6, len(names) - 0.4, ticks=names[::-1])
    return Panel("sizes", Axis("b · s", low - gutter, high), up, "Coefficients", side=True)
