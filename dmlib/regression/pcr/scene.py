"""Regression on components as a picture: predictions, variance explained and coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Moment, Plot, draw_plots, needs_steps, story
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import ComponentStep
from dmlib.regression.pcr.ledger import Narrator
from dmlib.squares import deviations

MAX_BARS = 16  # of coefficients
MAX_NAMES = 8  # bars up to which they are named
GUTTER = 0.5  # room for the names left of the bars, as a fraction of the bars' own
MIN_FRAMES = 6
MAX_PLACES = 20_000  # rows times frames
COLUMNS, TARGET = 0, 1  # colours of the explained variance of the columns, and of the target
FAINT = 0.25  # opacity of components that are not used yet
LEGEND = (
    Key("variance of the columns", COLUMNS, kind="area"),
    Key("variance of the target", TARGET, kind="area"),
    Key("least squares", kind="line"),
)
NOTE = "On the line, observed and predicted numbers are equal."


@needs_steps
def pcr_scene(run: Run[Problem, Any]) -> Scene:
    """Draw predictions against observed numbers, one component a step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import PrincipalComponentRegression
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [1.0, 0.0, 2.0], "y": [0.0, 1.0, 3.0]})
    >>> problem = prepare(frame, ["a", "b"], target="y", numeric_target=True)
    >>> scene = pcr_scene(Run.of(problem, PrincipalComponentRegression(2)))
    >>> [frame.phase for frame in scene.frames]
    ['centre', 'component', 'component', 'done']
    """
    problem = run.problem
    steps: Sequence[ComponentStep] = run.trace.steps
    X = np.asarray(problem.training.X, float)
    y = np.asarray(problem.training.y, float)
    least_squares = np.asarray(np.linalg.lstsq(deviations(X), deviations(y), rcond=1e-10)[0], float)
    model = clone(run.model).set_params(n_components=max(MAX_BARS, steps[-1].n))
    plots = (
        _predictions(problem, steps[-1]),
        _shares(list(model.steps(X, y)), steps[-1].n),
        _coefficients(problem, steps, least_squares),
    )
    narrator = Narrator(problem, least_squares, float((deviations(y) ** 2).sum()), run.selected)

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        notes=(NOTE,),
        handles=[handle for plot in plots for handle in plot.handles],
        legend=LEGEND,
        max_frames=max(MIN_FRAMES, MAX_PLACES // len(problem.X)),
    )


def _predictions(problem: Problem, last: ComponentStep) -> Plot:
    """Return observed against predicted numbers, with the residuals as distances to the line."""
    y = np.asarray(problem.y, float)
    ends = bounds(np.concatenate([y, _predicted(problem, last)]))
    across = Axis(f"predicted {problem.target}", *ends)
    panel = Panel("data", across, Axis(f"observed {problem.target}", *ends), equal=True)
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
        numbers=problem.rows + 1,
    )

    def marks(moment: Moment) -> list[Mark]:
        x = np.clip(_predicted(problem, moment.step), *ends)
        residuals = Segments(x0=x, y0=y, x1=x, y1=x, width=1.0, of="")
        return [diagonal, residuals, replace(rows, x=x)]

    return Plot(panel, marks)


def _predicted(problem: Problem, step: ComponentStep) -> Floats:
    return np.asarray(problem.X @ step.coef + step.intercept)


def _shares(steps: Sequence[ComponentStep], last: int) -> Plot:
    """Return the variance of columns and target that each component explains."""
    components = [step for step in steps if step.phase == "component"]
    n = np.arange(1.0, len(components) + 1)
    of_columns = np.diff([0.0, *(step.share for step in components)])
    explained = np.array([step.slope * step.product for step in components])
    total = steps[0].sse
    of_target = explained / total if total > 0 else np.zeros(len(n))
    across = Axis("component", 0.4, len(n) + 0.6, integer=True)
    panel = Panel("shares", across, Axis("share", 0.0, 1.02), "Components", side=True)
    bars = [
        Rects(
            panel="shares",
            x0=n + offset,
            x1=n + offset + 0.4,
            y0=np.zeros(len(n)),
            y1=shares,
            color=np.full(len(n), color, np.uint8),
            of="component",
            numbers=n,
        )
        for offset, color, shares in ((-0.4, COLUMNS, of_columns), (0.0, TARGET, of_target))
    ]
    handle = Handle("n_components", "shares", f"{last} components", "x", float(last))

    def marks(moment: Moment) -> list[Mark]:
        opacity = np.where(n <= moment.step.n, 1.0, FAINT)
        return [replace(bar, opacity=opacity) for bar in bars]

    return Plot(panel, marks, [handle])


def _coefficients(problem: Problem, steps: Sequence[ComponentStep], least_squares: Floats) -> Plot:
    """Return the coefficients times the columns' standard deviations, beside least squares."""
    n = min(len(least_squares), MAX_BARS)
    spread = problem.training.X.std(axis=0)[:n]
    goals = least_squares[:n] * spread
    names = tuple(problem.features[:n])
    ends = bounds([0.0, *goals, *np.concatenate([step.coef[:n] * spread for step in steps])], 0.12)
    panel = _coefficient_panel(ends, names)
    y = np.arange(n, dtype=float)[::-1]
    numbers = np.arange(n) + 1
    bars = Rects(
        panel="sizes",
        x0=np.zeros(n),
        x1=goals,
        y0=y - 0.32,
        y1=y + 0.32,
        numbers=numbers,
        of="column",
        color=np.zeros(n, np.uint8),
    )
    strokes = Segments(
        panel="sizes",
        x0=goals,
        x1=goals,
        y0=y - 0.42,
        y1=y + 0.42,
        width=2.0,
        numbers=numbers,
        of="column",
    )
    fixed: list[Mark] = [strokes]
    if n <= MAX_NAMES:
        x = [panel.x.low] * n
        fixed.append(Texts(panel="sizes", x=x, y=y, text=names, anchor="start", halo=True))

    def marks(moment: Moment) -> list[Mark]:
        return [replace(bars, x1=moment.step.coef[:n] * spread), *fixed]

    return Plot(panel, marks)


def _coefficient_panel(ends: tuple[float, float], names: Sequence[str]) -> Panel:
    """Return the panel of the bars, with room for few names."""
    low, high = ends
    gutter = GUTTER * (high - low) if len(names) <= MAX_NAMES else 0.0
    up = Axis("", -0.8, len(names) - 0.4, ticks=names[::-1])
    return Panel("sizes", Axis("b · s", low - gutter, high), up, "Coefficients", side=True)
