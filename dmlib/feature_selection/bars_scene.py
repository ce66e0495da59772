"""Columns as bars: scores of a filter, variance explained beside probes, weights of a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evenly import jitter
from dmlib.feature_selection.bars_ledger import FilterNarrator, ProbeNarrator, WeightNarrator
from dmlib.feature_selection.filter_selector import FilterStep
from dmlib.feature_selection.filters import METHODS
from dmlib.feature_selection.l0_svm import L0SVMStep
from dmlib.feature_selection.probe import ProbeStep
from dmlib.feature_selection.rows_scene import (
    Fit,
    FittedRows,
    PairRows,
    TargetRows,
    row_values,
    shown_step,
)
from dmlib.feature_selection.scores import Subset
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, step_panel
from dmlib.pictures.story import Drawing, Fold, Moment, story
from dmlib.problem import Problem

CHOSEN, UNCHOSEN, PROBE = 0, 1, 2  # colours
MAX_NAMED = 32  # columns up to which the axis names each
MAX_LETTERS = 8  # of a name on the axis; longer ones stand at the bars
KEYS = (Key("selected", CHOSEN, 0), Key("other columns", UNCHOSEN, 0))


def filter_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the score of each column as a bar, and then the best."""
    problem, steps = run.problem, run.trace.steps
    values = [np.nan_to_num(step.scores) for step in steps]
    bars = Bars(problem, METHODS[run.model.score_func], values)
    narrator, rows, last = FilterNarrator(run), TargetRows(problem), steps[-1]
    best = int(np.argmax(last.scores))
    cut = _cut(last, bars.panel.y)

    def draw(moment: Moment) -> Drawing:
        step: FilterStep = moment.step
        column = shown_step(problem, steps, step).column
        marks = (
            *bars.marks(values[moment.index], step.support, is_last=moment.is_last),
            *(visible_if(step.ranking is not None, line) for line in cut),
            *rows.marks(best if column is None else column),
        )
        caption, ledger = narrator.caption_and_ledger(step)
        return Drawing(marks, caption, [*ledger, *_selected_row(run)], step.phase)

    return story(run, draw, panels=(bars.panel, rows.panel), legend=KEYS)


def _cut(step: FilterStep, axis: Axis) -> list[Line]:
    """Return the line at the lowest score of the selected columns, where not all are."""
    if not step.support.any() or step.support.all():
        return []
    score = float(step.scores[step.support].min())
    ends = [axis.low, axis.high]
    return [Line(x=[score, score], y=ends, color="accent", width=1.5, dash=True)]


def probe_scene(run: Run[Problem, Any]) -> Scene:
    """Draw how much each column would explain of the residual variance, and the probes below."""
    problem, steps = run.problem, run.trace.steps
    p, narrator = len(problem.features), ProbeNarrator(run)
    fold = Fold({}, _gains_when_selected)
    pairs = zip(steps, fold.over(steps), strict=True)
    gains = [_explained(step, selected, p) for step, selected in pairs]
    top = [float(np.nanmax(step.gains[p:], initial=0.0)) for step in steps]
    bars = Bars(problem, "share of the variance explained", gains, ("probes", max(top)))
    fit = Fit(problem)
    rows = FittedRows(fit)
    explained = np.array([step.explained for step in steps])
    curve = step_panel("explained", "R²", len(steps) - 1, [0.0, 1.0], "Explained so far", 0.05)

    def draw(moment: Moment) -> Drawing:
        step: ProbeStep = moment.step
        marks = (
            *bars.marks(gains[moment.index], step.support, is_last=moment.is_last),
            *_probes(step.gains[p:], p, top[moment.index], bars.panel.y),
            _curve("explained", explained[: moment.index + 1]),
            *rows.marks(_subset(shown_step(problem, steps, step))),
        )
        caption, ledger = narrator.caption_and_ledger(step)
        if run.selected is not None:
            ledger = [*ledger, *fit.row(_subset(step), run.selected)]
        return Drawing(marks, caption, ledger, step.phase)

    return story(
        run,
        draw,
        panels=(bars.panel, curve, rows.panel),
        legend=(*KEYS, Key("probe", PROBE, 0)),
        notes=("The line is the best probe: a column must explain more.",),
    )


def _gains_when_selected(gains: Mapping[int, float], step: ProbeStep) -> dict[int, float]:
    """Return how much each selected column explained when it was selected."""
    if step.phase != "add" or step.moved is None:
        return dict(gains)
    return {**gains, step.moved: float(step.gains[step.moved])}


def _explained(step: ProbeStep, selected: Mapping[int, float], p: int) -> Floats:
    """Return how much each column explains, or did when it was selected."""
    gains: Floats = np.nan_to_num(step.gains[:p])
    gains[list(selected)] = list(selected.values())
    return gains


def _subset(step: ProbeStep) -> Subset:
    return tuple(np.flatnonzero(step.support).tolist())


def _probes(gains: Floats, p: int, best: float, axis: Axis) -> tuple[Points, Line]:
    """Return the probes on their line, and the line of the best."""
    n, ends = len(gains), [axis.low, axis.high]
    dots = Points(
        x=np.nan_to_num(gains),
        y=jitter(n, 0.5),
        color=[PROBE],
        size=[4.0],
        symbol=[0],
        labels=[f"probe {i + 1}" for i in range(n)],
        numbers=p + 1 + np.arange(n),
        of="column",
    )
    line = Line(x=[best, best], y=ends, color="accent", width=1.5, dash=True)
    return dots, line


def weights_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the weight of each standardised column from machine to machine."""
    problem, steps = run.problem, run.trace.steps
    sizes = [weight(step) for step in steps]
    bars = Bars(problem, "size of the weight", sizes, colors=(NO_CLASS, NO_CLASS))
    n_columns = np.array([step.support.sum() for step in steps])
    heights = [0, len(problem.features)]
    curve = step_panel("left", "columns", len(steps) - 1, heights, "Columns left", 0.05)
    rows, narrator = PairRows(problem, "Rows: two largest weights"), WeightNarrator(run)

    def draw(moment: Moment) -> Drawing:
        step: L0SVMStep = moment.step
        pair = _two_largest(weight(shown_step(problem, steps, step)))
        marks = (
            *bars.marks(sizes[moment.index], step.support, is_last=moment.is_last),
            _curve("left", n_columns[: moment.index + 1]),
            *rows.marks(pair),
        )
        caption, ledger = narrator.caption_and_ledger(step, moment.before)
        return Drawing(marks, caption, [*ledger, *_selected_row(run)], step.phase)

    return story(
        run,
        draw,
        panels=(bars.panel, curve, rows.panel),
        legend=tuple(Key(name, code) for code, name in enumerate(problem.classes)),
        notes=("Weights are those of standardised columns.",),
    )


def weight(step: L0SVMStep) -> Floats:
    """Return the size of the weight of each standardised column: its scale times the weight."""
    scale = step.scale if step.phase == "train" else step.before
    sizes: Floats = np.sqrt((step.weights**2).mean(axis=0)) * scale
    return sizes if step.phase == "train" else np.where(step.support, sizes, 0.0)


def _two_largest(values: Floats) -> tuple[int, int | None]:
    order = np.argsort(-values, kind="stable")
    return int(order[0]), int(order[1]) if len(order) > 1 else None


def _curve(panel: str, values: NDArray[np.generic]) -> Line:
    """Return a curve over the steps."""
    return Line(panel=panel, x=np.arange(len(values)), y=values, color="accent", width=2.0)


def _selected_row(run: Run[Problem, Any]) -> Blocks:
    if run.selected is None:
        return []
    return [row_values(run.problem, run.selected, range(len(run.problem.features)))]


class Bars:
    """A bar for each column, the first on top.

    Parameters
    ----------
    problem : Problem
        The data.
    label : str
        The name of the values.
    values : sequence of ndarray of shape (n_features,)
        The values at each step.
    below : tuple of (str, float), optional
        The name of a line below the bars, and the largest value on it.
    colors : tuple of int
        The colours of selected columns and of the others.
    """

    def __init__(
        self,
        problem: Problem,
        label: str,
        values: Sequence[Floats],
        below: tuple[str, float] | None = None,
        colors: tuple[int, int] = (CHOSEN, UNCHOSEN),
    ) -> None:
        self.names, self.colors, self.last = problem.features, colors, values[-1]
        p = len(self.names)
        self.has_names = p <= MAX_NAMED
        self.is_long = self.has_names and max(map(len, self.names)) > MAX_LETTERS
        ticks = names_on_axis(self.names)
        start = 0.0
        if below:  # an axis of categories counts from 0: the columns stand one higher
            start, ticks = 1.0, (below[0], *ticks)
        low, high = self._range(values, below[1] if below else 0.0)
        self.size = high - low
        room = 0.34 if self.is_long else 0.14
        x = Axis(label, low - 0.02 * self.size, high + room * self.size)
        name = "" if self.is_long else "column"
        self.panel = Panel("data", x, Axis(name, -0.6, p - 0.4 + start, ticks=ticks))
        self.y = np.arange(p - 1, -1, -1.0) + start

    @staticmethod
    def _range(values: Sequence[Floats], top: float) -> tuple[float, float]:
        low = min(float(min(each.min() for each in values)), 0.0)
        high = max(float(max(each.max() for each in values)), top)
        return low, high if high > low else low + 1.0

    def marks(
        self, values: Floats, selected: NDArray[np.bool_], *, is_last: bool
    ) -> tuple[Mark, ...]:
        """Return the bars, with long names beside them, or at the end with the values."""
        chosen, unchosen = self.colors
        bars = Rects(
            x0=np.zeros(len(values)),
            x1=values,
            y0=self.y - 0.36,
            y1=self.y + 0.36,
            color=np.where(selected, chosen, unchosen).astype(np.uint8),
            opacity=[0.75],
            numbers=np.arange(len(values)) + 1,
            of="column",
        )
        if not self.has_names:
            return (bars,)
        if self.is_long:  # the axis would cut them
            return bars, self._texts(values, self.names)
        texts = [f"{value:.3g}".replace("-", "−") for value in self.last]
        return bars, visible_if(is_last, self._texts(values, texts))

    def _texts(self, values: Floats, texts: Sequence[str]) -> Texts:
        ends = np.maximum(values, 0.0) + 0.02 * self.size
        return Texts(x=ends, y=self.y, text=list(texts), anchor="start", dy=1.0, of="")


def names_on_axis(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns from below, of many every fourth from above.

    Examples
    --------
    >>> names_on_axis(["a", "b", "c"])
    ('c', 'b', 'a')
    """
    stride = 1 if len(names) <= MAX_NAMED else 4
    return tuple(name if i % stride == 0 else "" for i, name in enumerate(names))[::-1]
