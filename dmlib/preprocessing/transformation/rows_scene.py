"""Rows that are drawn into a sample, and rows that become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import moves, thin, thinned_note, with_before
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.preprocessing.transformation.ledger import group_blocks, group_caption, sample_blocks, sample_caption
from dmlib.preprocessing.transformation.sampling import SampleStep, taken
from dmlib.problem import Problem

MOST_FRAMES = 60
MOST_PLACES = 30_000  # rows times frames
FAINT, CLEAR = 0.25, 1.0


def _codes(problem: Problem) -> NDArray[np.uint8]:
    if problem.y is None or not problem.classes:
        return np.full(len(problem.X), NO_CLASS, np.uint8)
    return np.asarray(problem.y, np.uint8)


def _other(problem: Problem) -> int:
    """Return the colour of what is no class: that after the last class."""
    return len(problem.classes) if problem.classes and problem.y is not None else 0


def sample_scene(run: Run) -> Scene:
    """Draw the steps of a sampler."""
    problem, steps, model = run.problem, run.trace.steps, run.model
    most = max(6, min(MOST_FRAMES, MOST_PLACES // len(problem.X)))
    grown = [i for i, step in enumerate(steps) if step.phase == "grow"]
    shown = np.unique(np.append(thin(len(steps), most), grown).astype(np.intp))
    pairs = with_before(steps, shown)
    chosen = [taken(steps[: i + 1]) for i in shown]

    def frame(pair: tuple[SampleStep, SampleStep], rows: Any) -> Frame:
        blocks = sample_blocks(problem, model, pair[0], rows, run.selected)
        return Frame(sample_caption(problem, model, *pair), blocks, pair[0].phase)

    n = len(problem.X)
    inside = [np.bincount(rows, minlength=n) for rows in chosen]
    opacity = PerFrame([np.where(times > 0, CLEAR, FAINT) for times in inside])
    size = PerFrame([np.where(times > 0, np.minimum(4.0 + times, 9.0), 2.5) for times in inside])
    now = [[step.row] if step.row >= 0 else [] for step, _ in pairs]
    x, y = problem.points.T
    ring = Points(x=PerFrame([x[i] for i in now]), y=PerFrame([y[i] for i in now]), color=[NO_CLASS], size=[8.0],
                  hollow=PerFrame([[1] * len(i) for i in now]), emphasis=True, of="")  # fmt: skip
    marks: list[Mark] = [data_points(problem, color=_codes(problem), opacity=opacity, size=size), ring]
    panels = [data_panel(problem, equal=False)]
    if problem.classes and problem.y is not None:
        shares, bars = _shares(problem, chosen)
        panels.append(shares)
        marks += bars
    means, lines = _errors(problem, steps, shown) if model.strategy == "progressive" else _means(problem, steps, shown)
    panels.append(means)
    marks += lines
    legend = [Key("all rows"), Key("sample", _other(problem))] if problem.classes else []
    notes = (*problem.notes, *thinned_note(shown))
    return Scene(panels, marks, Deferred(frame, pairs, chosen), notes, (), legend)


def _shares(problem: Problem, chosen: Sequence[Any]) -> tuple[Panel, list[Mark]]:
    """Return the shares of the classes, of all rows and of the sample."""
    k = len(problem.classes)
    at = np.arange(k, dtype=float)
    of_all = np.bincount(problem.y, minlength=k) / len(problem.X)  # type: ignore[arg-type]
    of_some = [np.bincount(problem.y[rows], minlength=k) / max(len(rows), 1) for rows in chosen]  # type: ignore[index]
    top = max(1.15 * float(of_all.max()), 1.05 * float(of_some[-1].max()))
    panel = Panel(
        "shares", Axis("", -0.6, k - 0.4, ticks=problem.classes), Axis("share", 0.0, top), "Classes", side=True
    )
    none = np.zeros(k)
    marks: list[Mark] = [
        Rects(panel="shares", x0=at - 0.38, x1=at, y0=none, y1=of_all, color=[NO_CLASS], of=""),
        Rects(panel="shares", x0=at, x1=at + 0.38, y0=none, y1=PerFrame([np.minimum(each, top) for each in of_some]),
              color=[_other(problem)], tween=True, of=""),
    ]  # fmt: skip
    return panel, marks


def _means(problem: Problem, steps: Sequence[SampleStep], shown: Any) -> tuple[Panel, list[Mark]]:
    """Return the mean of the first column in the sample as it grows or changes, and that of all rows."""
    x, told, total = problem.X[:, 0], [], 0.0
    there: dict[int, int] = {}
    for step in steps:
        if step.slot >= 0:
            total += float(x[step.row]) - (float(x[there[step.slot]]) if step.slot in there else 0.0)
            there[step.slot] = step.row
        told.append(total / len(there) if there else float("nan"))
    means, truth = np.array(told), float(x.mean())
    known = means[np.isfinite(means)]
    spread = 2.5 * float(x.std()) / max(np.sqrt(len(there)), 1.0) or 1.0
    low, high = bounds(
        np.append(np.clip(known, truth - 3 * spread, truth + 3 * spread), [truth - spread, truth + spread])
    )
    across = Axis("step", -0.02 * len(steps), 1.02 * len(steps), integer=True)
    panel = Panel("means", across, Axis("", low, high), f"Mean of {problem.features[0]}", side=True)
    places = np.arange(len(steps), dtype=float)
    y = np.clip(means, low - (high - low), high + (high - low))
    now = PerFrame([places[: i + 1] for i in shown])
    marks: list[Mark] = [
        Line(panel="means", x=[0.0, float(len(steps))], y=[truth, truth], color="muted", width=1.5, dash=True, of=""),
        Line(panel="means", x=now, y=PerFrame([y[: i + 1] for i in shown]), color=_other(problem), of=""),
    ]
    return panel, marks


def _errors(problem: Problem, steps: Sequence[SampleStep], shown: Any) -> tuple[Panel, list[Mark]]:
    """Return the error of a progressive sample by its size."""
    grown = [(i, step) for i, step in enumerate(steps) if step.phase == "grow"]
    sizes = np.array([float(step.n_rows) for _, step in grown])
    errors = np.array([step.error for _, step in grown])
    panel = Panel("means", Axis("rows", 0.0, 1.08 * sizes[-1]), Axis("error", 0.0, 1.15 * float(errors.max()) or 1.0),
                  "The error falls, then stays", side=True)  # fmt: skip
    reached = [sum(i <= at for i, _ in grown) for at in shown]
    x, y = PerFrame([sizes[:k] for k in reached]), PerFrame([errors[:k] for k in reached])
    marks: list[Mark] = [
        Line(panel="means", x=x, y=y, color=_other(problem), of=""),
        Points(panel="means", x=x, y=y, color=[_other(problem)], size=[4.0], of=""),
    ]
    return panel, marks


def groups_scene(run: Run) -> Scene:
    """Draw the steps of an aggregator."""
    problem, steps, model = run.problem, run.trace.steps, run.fitted
    most = max(6, min(MOST_FRAMES, MOST_PLACES // len(problem.X)))
    shown = thin(len(steps), most)
    pairs = with_before(steps, shown)
    x, y = problem.points.T
    labels = model.labels_
    k = model.n_rows_
    sizes = np.bincount(labels, minlength=k)
    places = np.column_stack([np.bincount(labels, axis, minlength=k) / sizes for axis in (x, y)])

    def frame(pair: Any) -> Frame:
        group = None if run.selected is None else int(labels[run.selected])
        return Frame(group_caption(*pair), group_blocks(problem, pair[0], group, run.selected), pair[0].phase)

    numbers = [step.n_rows for step, _ in pairs]
    gone = [np.where(labels < n, FAINT, CLEAR) for n in numbers]
    rows = [step.rows for step, _ in pairs]
    starts = [np.column_stack([x[each], y[each]]) for each in rows]
    ways = moves(
        starts, [places[labels[each]] for each in rows], arrow=False, color=[_other(problem)], width=1.2, of=""
    )
    centres = Points(
        x=PerFrame([places[:n, 0] for n in numbers]), y=PerFrame([places[:n, 1] for n in numbers]),
        color=[_other(problem)], size=[5.0], emphasis=True, of="",
    )  # fmt: skip
    points = data_points(problem, color=_codes(problem), opacity=PerFrame(gone), size=[3.0])
    lost = np.array([step.loss for step in steps])
    across = Axis("groups", 0.0, 1.02 * max(k, 1), integer=True)
    panel = Panel("lost", across, Axis("share", 0.0, 1.0), "Variance lost within groups", side=True)
    at = np.array([float(step.n_rows) for step in steps])
    line = Line(
        panel="lost", x=PerFrame([at[: i + 1] for i in shown]), y=PerFrame([lost[: i + 1] for i in shown]), of=""
    )
    notes = (*problem.notes, *thinned_note(shown))
    legend = [Key("representative of a group", _other(problem))]
    panels = (data_panel(problem, equal=False), panel)
    return Scene(panels, (points, ways, centres, line), Deferred(frame, pairs), notes, (), legend)
