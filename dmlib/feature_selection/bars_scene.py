"""Columns as bars: the scores of a filter, what columns explain beside probes, the weights of the zero-norm machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.bars_ledger import FilterLedger, ProbeLedger, WeightLedger
from dmlib.feature_selection.filter_selector import FilterStep
from dmlib.feature_selection.filters import METHODS
from dmlib.feature_selection.l0_svm import L0SVMStep
from dmlib.feature_selection.probe import ProbeStep
from dmlib.feature_selection.rows_scene import Fit, columns_against_target, fitted_rows, pairs_of_columns, row_values
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Texts
from dmlib.pictures.motion import thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, step_panel
from dmlib.problem import Problem

CHOSEN, OTHER, PROBE = 0, 1, 2  # colours
NAMED_AXIS = 32
LONGEST_TICK = 8  # letters of a name that the axis shows whole; longer ones stand at the bars
KEYS = (Key("selected", CHOSEN, 0), Key("other columns", OTHER, 0))


def filter_scene(run: Run) -> Scene:
    """Draw the score of each column as a bar, and then the best."""
    problem, trace = run.problem, run.trace
    at = thin(len(trace.steps))
    steps: list[FilterStep] = [trace.steps[i] for i in at]
    ledger = FilterLedger(run)
    values = [np.nan_to_num(step.scores) for step in steps]
    panel, bars = _bars(problem, METHODS[run.model.score_func], values, [step.support for step in steps])
    last = steps[-1]
    marks = [*bars]
    if last.support.any() and not last.support.all():
        cut = float(last.scores[last.support].min())
        there = [[cut, cut] if step.ranking is not None else [] for step in steps]
        ends = [[panel.y.low, panel.y.high] if each else [] for each in there]
        marks.append(Line(x=PerFrame(there), y=PerFrame(ends), color="accent", width=1.5, dash=True))
    best = int(np.argmax(last.scores))
    rows = columns_against_target(problem, [best if step.column is None else step.column for step in steps])
    frames = Deferred(lambda step: ledger.frame(step, _row(run)), steps)
    notes = (*problem.notes, *thinned_note(at))
    return Scene((panel, rows.panel), (*marks, *rows.marks), frames, notes, (), KEYS)


def probe_scene(run: Run) -> Scene:
    """Draw what each column would explain of what is left, and the probes on the line below them."""
    problem, trace = run.problem, run.trace
    p = len(problem.features)
    at = thin(len(trace.steps))
    steps: list[ProbeStep] = [trace.steps[i] for i in at]
    ledger = ProbeLedger(run)
    gains = [step.gains for step in steps]
    values = [_when_taken(steps[: i + 1], p) for i in range(len(steps))]
    top = [float(np.nanmax(each[p:], initial=0.0)) for each in gains]
    supports = [step.support for step in steps]
    panel, bars = _bars(problem, "share of the variance explained", values, supports, ("probes", max(top)))
    height = 0.5 * (np.arange(1, len(gains[0]) - p + 1) * 0.61803398875 % 1 - 0.5)
    dots = Points(
        x=PerFrame([np.nan_to_num(each[p:]) for each in gains]), y=height, color=[PROBE], size=[4.0], symbol=[0],
        labels=[f"probe {i + 1}" for i in range(len(height))], tween=True,
        numbers=p + 1 + np.arange(len(height)), of="column",
    )  # fmt: skip
    line = Line(
        x=PerFrame([[each, each] for each in top]), y=[panel.y.low, panel.y.high], color="accent", width=1.5, dash=True,
        tween=True,
    )  # fmt: skip
    fit = Fit(problem)
    subsets = [tuple(np.flatnonzero(support).tolist()) for support in supports]
    rows = fitted_rows(fit, subsets)
    explained = np.array([step.explained for step in steps])
    curve = step_panel("explained", "R²", len(steps) - 1, [0.0, 1.0], "Explained so far", 0.05)
    reached = Line(
        panel="explained", x=PerFrame([np.arange(i + 1) for i in range(len(steps))]),
        y=PerFrame([explained[: i + 1] for i in range(len(steps))]), color="accent", width=2.0,
    )  # fmt: skip

    def more(subset: tuple[int, ...]) -> Blocks:
        return [] if run.selected is None else fit.row(subset, run.selected)

    frames = Deferred(lambda step, subset: ledger.frame(step, more(subset)), steps, subsets)
    told = "The line is the best probe: a column must explain more."
    notes = (*problem.notes, *thinned_note(at), told)
    keys = (*KEYS, Key("probe", PROBE, 0))
    return Scene((panel, curve, rows.panel), (*bars, dots, line, reached, *rows.marks), frames, notes, (), keys)


def _when_taken(steps: Sequence[ProbeStep], p: int) -> Floats:
    """Return what each column explains, those that were taken when they were."""
    found = np.nan_to_num(steps[-1].gains[:p])
    for step in steps:
        if step.phase == "add" and step.moved is not None:
            found[step.moved] = step.gains[step.moved]
    return found


def weights_scene(run: Run) -> Scene:
    """Draw the weight of each standardised column from machine to machine."""
    problem, trace = run.problem, run.trace
    at = thin(len(trace.steps))
    pairs = with_before(trace.steps, at)
    steps: list[L0SVMStep] = [step for step, _ in pairs]
    ledger = WeightLedger(run)
    values = [weight(step) for step in steps]
    panel, bars = _bars(problem, "size of the weight", values, [step.support for step in steps])
    bars[0] = replace(bars[0], color=[NO_CLASS])  # type: ignore[call-arg]  # colours are those of the classes
    left = np.array([step.support.sum() for step in steps])
    curve = step_panel("left", "columns", len(steps) - 1, [0, len(problem.features)], "Columns left", 0.05)
    line = Line(
        panel="left", x=PerFrame([np.arange(i + 1) for i in range(len(steps))]),
        y=PerFrame([left[: i + 1] for i in range(len(steps))]), color="accent", width=2.0,
    )  # fmt: skip
    pairs_of = [_two_best(each) for each in values]
    rows = pairs_of_columns(problem, pairs_of, "Rows: two largest weights")
    frames = Deferred(lambda now, before: ledger.frame(now, before, _row(run)), steps, [before for _, before in pairs])
    legend = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    notes = (*problem.notes, *thinned_note(at), "Weights are those of standardised columns.")
    return Scene((panel, curve, rows.panel), (*bars, line, *rows.marks), frames, notes, (), legend)


def weight(step: L0SVMStep) -> Floats:
    """Return the size of the weight of each standardised column: scale times weight of the scaled column."""
    scale = step.before if step.phase != "train" else step.scale
    sizes: Floats = np.sqrt((step.weights**2).mean(axis=0)) * scale
    return np.where(step.support, sizes, 0.0) if step.phase != "train" else sizes


def _two_best(values: Floats) -> tuple[int, int | None]:
    order = np.argsort(-values, kind="stable")
    return int(order[0]), int(order[1]) if len(order) > 1 else None


def _row(run: Run) -> Blocks:
    if run.selected is None:
        return []
    return [row_values(run.problem, run.selected, range(len(run.problem.features)))]


def _bars(
    problem: Problem,
    label: str,
    values: Sequence[Floats],
    chosen: Sequence[np.ndarray],
    below: tuple[str, float] | None = None,
) -> tuple[Panel, list[Mark]]:
    """Return a bar for each column, the first on top; ``below`` is what else is on a line, with its largest value."""
    p = len(problem.features)
    every = np.concatenate(values)
    low, high = float(min(every.min(), 0.0)), max(float(every.max()), below[1] if below else 0.0)
    high = high if high > low else low + 1.0
    room = high - low
    y = np.arange(p - 1, -1, -1.0)
    names = tuple(problem.features)[::-1]
    shown = names if p <= NAMED_AXIS else tuple(name if (p - 1 - i) % 4 == 0 else "" for i, name in enumerate(names))
    start = 1.0 if below else 0.0
    long = max(map(len, names)) > LONGEST_TICK and p <= NAMED_AXIS
    x = Axis(label, low - 0.02 * room, high + (0.34 if long else 0.14) * room)
    # an axis of categories counts from 0: with a line below, the columns stand one higher
    axis = Axis("" if long else "column", -0.6, p - 0.4 + start, ticks=(below[0], *shown) if below else shown)
    places = y + start
    bars: list[Mark] = [
        Rects(
            x0=np.zeros(p),
            x1=PerFrame(list(values)),
            y0=places - 0.36,
            y1=places + 0.36,
            color=PerFrame([np.where(mask, CHOSEN, OTHER).astype(np.uint8) for mask in chosen]),
            opacity=[0.75],
            tween=True,
            numbers=np.arange(p) + 1,
            of="column",
        )
    ]
    ends = [np.maximum(each, 0.0) + 0.02 * room for each in values]
    if long:  # the axis would cut them
        bars.append(Texts(x=PerFrame(ends), y=places, text=list(problem.features), anchor="start", dy=1.0, of=""))
    elif p <= NAMED_AXIS:
        nothing = np.empty(0)
        texts = [f"{value:.3g}".replace("-", "−") for value in values[-1]]
        x_last = PerFrame([nothing] * (len(values) - 1) + ends[-1:])
        y_last = PerFrame([nothing] * (len(values) - 1) + [places])
        bars.append(Texts(x=x_last, y=y_last, text=texts, anchor="start", dy=1.0, of=""))
    return Panel("data", x, axis), bars
