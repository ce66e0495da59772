"""Samples of rows: their classes, and the mean or the error as the sample grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.preprocessing.transformation.ledger import sample_blocks, sample_caption
from dmlib.preprocessing.transformation.rows_scene import (
    CLEAR,
    FAINT,
    class_colors,
    max_frames,
    sample_color,
)
from dmlib.preprocessing.transformation.sampling import Rows, SampleStep, sampled_rows
from dmlib.problem import Problem


def sample_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of a sampler."""
    problem, steps, model = run.problem, run.trace.steps, run.model
    plots = []
    if problem.classes and problem.y is not None:
        plots.append(_shares_plot(problem, steps))
    is_progressive = model.strategy == "progressive"
    plots.append(_errors_plot(problem, steps) if is_progressive else _means_plot(problem, steps))

    def draw(moment: Moment) -> Drawing:
        step: SampleStep = moment.step
        sample = sampled_rows(steps[: moment.index + 1])
        marks = (
            _rows(problem, sample),
            _ring(problem, step.row),
            *(mark for plot in plots for mark in plot.marks(moment)),
        )
        blocks = sample_blocks(problem, model, step, sample, run.selected)
        return Drawing(marks, sample_caption(problem, model, step), blocks, step.phase)

    return story(
        run,
        draw,
        panels=[data_panel(problem, equal=False), *(plot.panel for plot in plots)],
        also=[i for i, step in enumerate(steps) if step.phase == "grow"],
        legend=[Key("all rows"), Key("sample", sample_color(problem))] if problem.classes else [],
        max_frames=max_frames(problem),
    )


def _rows(problem: Problem, sample: Rows) -> Points:
    """Return all rows; those of the sample are larger, the more often they are in it."""
    times = np.bincount(sample, minlength=len(problem.X))
    return data_points(
        problem,
        color=class_colors(problem),
        opacity=np.where(times > 0, CLEAR, FAINT),
        size=np.where(times > 0, np.minimum(4.0 + times, 9.0), 2.5),
    )


def _ring(problem: Problem, row: int) -> Points:
    place = problem.points[[row] if row >= 0 else []]
    return points_at(place, color=[NO_CLASS], size=[8.0], hollow=[1], emphasis=True, of="")


def _shares_plot(problem: Problem, steps: Sequence[SampleStep]) -> Plot:
    """Return the shares of the classes, of all rows and of the sample."""
    middle = np.arange(len(problem.classes), dtype=float)
    of_all = _class_shares(problem, np.arange(len(problem.X)))
    top = max(1.15 * of_all.max(), 1.05 * _class_shares(problem, sampled_rows(steps)).max())
    across = Axis("", -0.6, len(middle) - 0.4, ticks=problem.classes)
    all_rows = _share_bars(middle - 0.38, of_all, NO_CLASS)

    def marks(moment: Moment) -> list[Mark]:
        shares = _class_shares(problem, sampled_rows(steps[: moment.index + 1]))
        heights = np.minimum(shares, top)
        return [all_rows, _share_bars(middle, heights, sample_color(problem))]

    return Plot(Panel("shares", across, Axis("share", 0.0, top), "Classes", side=True), marks)


def _class_shares(problem: Problem, rows: Rows) -> Floats:
    codes = np.asarray(problem.y)[rows]
    return np.bincount(codes, minlength=len(problem.classes)) / max(len(rows), 1)


def _share_bars(x: Floats, shares: Floats, color: int, *, tween: bool = False) -> Rects:
    return Rects(
        panel="shares",
        x0=x,
        x1=x + 0.38,
        y0=np.zeros(len(x)),
        y1=shares,
        color=[color],
        tween=tween,
        of="",
    )


def _means_plot(problem: Problem, steps: Sequence[SampleStep]) -> Plot:
    """Return the mean of the first column in the sample, and that of all rows."""
    x = problem.X[:, 0]
    mean, means = float(x.mean()), _sample_means(x, steps)
    n_slots = len({step.slot for step in steps if step.slot >= 0})
    spread = 2.5 * float(x.std()) / max(np.sqrt(n_slots), 1.0) or 1.0
    in_view = np.clip(means[np.isfinite(means)], mean - 3 * spread, mean + 3 * spread)
    low, high = bounds([*in_view, mean - spread, mean + spread])
    n = len(steps)
    across = Axis("step", -0.02 * n, 1.02 * n, integer=True)
    panel = Panel("means", across, Axis("", low, high), f"Mean of {problem.features[0]}", side=True)
    places = np.column_stack([np.arange(n), np.clip(means, 2 * low - high, 2 * high - low)])
    ends = [(0.0, mean), (float(n), mean)]
    mean_line = line_through(ends, panel="means", color="muted", width=1.5, dash=True, of="")

    def marks(moment: Moment) -> list[Mark]:
        path, color = places[: moment.index + 1], sample_color(problem)
        return [mean_line, line_through(path, panel="means", color=color, of="")]

    return Plot(panel, marks)


def _sample_means(x: Floats, steps: Sequence[SampleStep]) -> Floats:
    """Return the mean of the sample after each step; NaN while it is empty."""
    means, values, total = [], dict[int, float](), 0.0
    for step in steps:
        if step.slot >= 0:
            total += float(x[step.row]) - values.get(step.slot, 0.0)
            values[step.slot] = float(x[step.row])
        means.append(total / len(values) if values else np.nan)
    return np.array(means)


def _errors_plot(problem: Problem, steps: Sequence[SampleStep]) -> Plot:
    """Return the error of a progressive sample by its size."""
    numbers = np.array([i for i, step in enumerate(steps) if step.phase == "grow"])
    places = np.array([(steps[i].n_rows, steps[i].error) for i in numbers], float)
    across = Axis("rows", 0.0, 1.08 * places[-1, 0])
    up = Axis("error", 0.0, 1.15 * float(places[:, 1].max()) or 1.0)
    panel = Panel("means", across, up, "The error falls, then stays", side=True)
    color = sample_color(problem)

    def marks(moment: Moment) -> list[Mark]:
        grown = places[numbers <= moment.index]
        return [
            line_through(grown, panel="means", color=color, of=""),
            points_at(grown, panel="means", color=[color], size=[4.0], of=""),
        ]

    return Plot(panel, marks)
