"""Regression by components as a picture: predictions come to the diagonal as components are taken in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import ComponentStep
from dmlib.regression.pcr.ledger import Teller
from dmlib.squares import deviations

MOST_COLUMNS, FEW_NAMES = 16, 8  # bars of coefficients, and those up to which they are named
GUTTER = 0.5  # room for the names left of the bars, as a share of the bars' own
MOST_PLACES = 20_000  # rows times frames
HELD, EXPLAINED = 0, 1  # colours of what a component holds of the columns and explains of the target
SHARE = Axis("share", 0.0, 1.02)
FAINT = 0.25  # opacity of components that are not taken in


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
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return heights_scene(problem)
    learned = problem.training
    X, y = np.asarray(learned.X, float), np.asarray(learned.y, float)
    free = np.asarray(np.linalg.lstsq(deviations(X), deviations(y), rcond=1e-10)[0], float)
    shown = thin(len(trace.steps), max(6, MOST_PLACES // len(problem.X)))
    pairs = with_before(trace.steps, shown)
    teller = Teller(problem, free, float((deviations(y) ** 2).sum()), run.selected)
    every = list(clone(run.model).set_params(n_components=max(MOST_COLUMNS, trace.steps[-1].n)).steps(X, y))
    picture = _Picture(problem, [step for step, _ in pairs], every, free)
    large, marks = picture.rows()
    shares, share_marks = picture.shares()
    sizes, size_marks = picture.sizes()
    legend = (Key("variance of the columns", HELD), Key("variance of the target", EXPLAINED))
    return Scene(
        (large, shares, sizes),
        (*marks, *share_marks, *size_marks),
        Deferred(teller.frame, pairs),
        (
            *problem.notes,
            "On the line, observed and predicted numbers are equal; strokes beside the bars are least squares.",
            *thinned_note(shown),
        ),
        [Handle("n_components", "shares", "the last component", "x", float(trace.steps[-1].n))],
        legend,
    )


class _Picture:
    """The panels and marks of a run.

    Parameters
    ----------
    problem : Problem
        The table.
    steps : sequence of ComponentStep
        Those that are shown.
    every : sequence of ComponentStep
        Those of all components, taken in or not.
    free : ndarray of shape (n_features,)
        The coefficients of least squares.
    """

    def __init__(
        self, problem: Problem, steps: Sequence[ComponentStep], every: Sequence[ComponentStep], free: Floats
    ) -> None:
        self.problem, self.steps, self.free = problem, steps, free
        self.components = [step for step in every if step.phase == "component"]
        self.total = every[0].sse

    def rows(self) -> tuple[Panel, list[Mark]]:
        """Return the rows by their predicted and observed numbers, with the residuals as distances to the line."""
        problem = self.problem
        y = np.asarray(problem.y, float)
        fitted = [problem.X @ step.coef + step.intercept for step in self.steps]
        axis = Axis(f"predicted {problem.target}", *bounds(np.concatenate([y, fitted[-1]])))
        panel = Panel("data", axis, Axis(f"observed {problem.target}", axis.low, axis.high), equal=True)
        x = PerFrame([np.clip(values, axis.low, axis.high) for values in fitted])
        hollow = np.zeros(len(y), np.uint8) if problem.test is None else problem.test.astype(np.uint8)
        marks: list[Mark] = [
            Line(x=[axis.low, axis.high], y=[axis.low, axis.high], color="accent", width=2.0),
            Segments(x0=x, y0=y, x1=x, y1=x, width=1.0, tween=True, of=""),
            Points(x=x, y=y, color=np.full(len(y), NO_CLASS, np.uint8), symbol=np.zeros(len(y), np.uint8),
                   hollow=hollow, labels=problem.labels, data=True, tween=True),
        ]  # fmt: skip
        return panel, marks

    def shares(self) -> tuple[Panel, list[Mark]]:
        """Return what each component holds of the columns' variance and explains of the target's."""
        n = np.arange(1.0, len(self.components) + 1)
        held = np.diff([0.0, *(step.share for step in self.components)])
        explained = [step.slope * step.product / self.total if self.total > 0 else 0.0 for step in self.components]
        panel = Panel("shares", Axis("component", 0.4, len(n) + 0.6, integer=True), SHARE, "Components", side=True)
        marks: list[Mark] = []
        for left, color, values in ((-0.4, HELD, held), (0.0, EXPLAINED, np.array(explained))):
            taken = [np.where(n <= step.n, 1.0, FAINT) for step in self.steps]
            marks.append(
                Rects(panel="shares", x0=n + left, x1=n + left + 0.4, y0=np.zeros(len(n)), y1=values,
                      color=np.full(len(n), color, np.uint8), opacity=PerFrame(taken), of="component", numbers=n)
            )  # fmt: skip
        return panel, marks

    def sizes(self) -> tuple[Panel, list[Mark]]:
        """Return the coefficients, in standard deviations of the columns, beside those of least squares."""
        shown = min(len(self.free), MOST_COLUMNS)
        spread = self.problem.training.X.std(axis=0)[:shown]
        y = np.arange(shown, dtype=float)[::-1]
        free = self.free[:shown] * spread
        each = [step.coef[:shown] * spread for step in self.steps]
        names = tuple(self.problem.features[:shown][::-1])
        low, high = bounds([0.0, *free, *np.concatenate(each)], 0.12)
        gutter = GUTTER * (high - low) if shown <= FEW_NAMES else 0.0
        panel = Panel(
            "sizes", Axis("b · s", low - gutter, high),
            Axis("", -0.6, shown - 0.4, ticks=names), "Coefficients", side=True,
        )  # fmt: skip
        number: dict[str, Any] = {"numbers": np.arange(1, shown + 1), "of": "column"}
        bars = Rects(
            panel="sizes", x0=np.zeros(shown), x1=PerFrame(each), y0=y - 0.32, y1=y + 0.32, tween=True, **number,
            color=np.zeros(shown, np.uint8),
        )  # fmt: skip
        strokes = Segments(panel="sizes", x0=free, x1=free, y0=y - 0.42, y1=y + 0.42, width=2.0, **number)
        named = Texts(panel="sizes", x=[panel.x.low] * shown, y=y, text=names[::-1], anchor="start", dy=4.0, halo=True)
        return panel, [bars, strokes, *([named] if shown <= FEW_NAMES else [])]
