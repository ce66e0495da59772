"""Bias and variance as a picture: a bundle of curves around their mean, and the parts of the error by complexity."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evaluation.bias_variance.algorithm import SQUARED, BiasVariance, BiasVarianceStep
from dmlib.evaluation.bias_variance.ledger import Teller
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import when
from dmlib.pictures.plane import data_points, data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds

ALONE, TOGETHER = 6, 10  # training sets that come one by one, and how many come together after them
MOST_CURVES = 100  # that are drawn
CUT = 4.0  # bars end at so many times the smallest error
NOISE, BIAS, VARIANCE = NO_CLASS, 1, 0  # their colours
REACH = 0.35  # of the range of the curve: what runs further away is not in view


def bias_variance_scene(run: Run) -> Scene:
    """Draw the simulation.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 0.0, 2.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> scene = bias_variance_scene(Run.of(problem, BiasVariance(n_sets=4, truth="sine", random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['truth', 'sample', 'sample', 'sample', 'sample', 'mean', 'variance', 'complexity', 'done']
    """
    problem, trace = run.problem, run.trace
    samples = [step for step in trace.steps if step.phase == "sample"]
    if not samples:
        return data_scene(problem, trace.reason)
    n = len(samples)
    kept = [i for i in range(n) if i < ALONE or i == n - 1 or (i + 1) % TOGETHER == 0]
    steps = [trace.steps[0], *(samples[i] for i in kept), *trace.steps[1 + n :]]
    teller = Teller(run.model, trace.steps[0], problem, run.selected)
    curves, marks = _curves(run, steps, samples)
    panels, all_marks = [curves], marks
    handles: list[Handle] = []
    last: BiasVarianceStep = steps[-1]
    if len(last.levels):
        stack, bars, handles = _stack(run.model, steps)
        along, lines = _along(run, steps)
        panels, all_marks = [curves, stack, along], [*marks, *bars, *lines]
    return Scene(
        panels,
        all_marks,
        Deferred(teller.frame, steps),
        (*problem.notes, *_notes(run, n)),
        handles,
        (
            Key("training rows and curves"),
            Key("mean curve, variance", VARIANCE),
            Key("true curve, bias", BIAS),
            Key("noise", NOISE, symbol=1),
        ),
    )


def _notes(run: Run, n: int) -> tuple[str, ...]:
    notes = []
    if n > MOST_CURVES:
        notes.append(f"{MOST_CURVES} of {n} curves are drawn; the numbers are of all.")
    return tuple(notes)


def _curves(run: Run, steps: list[BiasVarianceStep], samples: list[BiasVarianceStep]) -> tuple[Panel, list[Mark]]:
    """Return the bundle: a curve for each training set, the true one and, in the end, the mean."""
    model, start = run.model, steps[0]
    x, truth = start.places, start.truth
    squared = model.loss == SQUARED
    known = np.asarray(run.problem.y, float)
    heights = np.concatenate([truth, known, *(step.y for step in samples[:20])]) if squared else np.array([-0.15, 1.15])
    low, high = bounds(heights, 0.05)
    reach = REACH * (high - low)

    def near(values: Floats) -> Floats:
        return np.clip(values, low - reach, high + reach)

    index = np.array([step.index if step.index >= 0 else len(samples) * (step.phase != "truth") for step in steps])
    if not squared:
        known = (known > (known.min() + known.max()) / 2).astype(float)
    marks: list[Mark] = [
        replace(
            data_points(run.problem, size=[2.5], opacity=[0.35]),
            x=run.problem.X[:, run.model.column - 1],
            y=near(known),
        )
    ]
    drawn = samples[:: max(1, -(-len(samples) // MOST_CURVES))]
    chunks = [drawn[i : i + 1] for i in range(min(ALONE, len(drawn)))]
    chunks += [drawn[i : i + TOGETHER] for i in range(ALONE, len(drawn), TOGETHER)]
    for chunk in chunks:
        along = np.concatenate([np.append(x, np.nan) for _ in chunk])
        up = np.concatenate([np.append(near(np.asarray(step.curve)), np.nan) for step in chunk])
        there = [step.phase != "truth" and i >= chunk[-1].index for i, step in zip(index, steps, strict=True)]
        marks.append(Line(panel="data", x=when(there, along), y=when(there, up), color="muted", width=0.7, of=""))
    sets = [step if step.phase == "sample" else None for step in steps]
    nothing = np.empty(0)
    points = {
        "x": PerFrame([nothing if step is None else step.x for step in sets]),
        "y": PerFrame([nothing if step is None else near(np.asarray(step.y)) for step in sets]),
    }
    marks.append(Points(panel="data", x=points["x"], y=points["y"], color=[NO_CLASS], size=[3.5], of=""))
    now = PerFrame([nothing if step is None else x for step in sets])
    marks.append(
        Line(
            panel="data", x=now, y=PerFrame([nothing if s is None else near(np.asarray(s.curve)) for s in sets]), of=""
        )
    )
    after = [len(step.mean_curve) > 0 for step in steps]
    mean = steps[-1].mean_curve if after[-1] else nothing
    marks.append(
        Line(
            panel="data",
            x=when(after, x[: len(mean)]),
            y=when(after, near(np.asarray(mean))),
            color=VARIANCE,
            width=4.0,
            of="",
        )
    )
    marks.append(Line(panel="data", x=x, y=truth, color=BIAS, width=3.0, dash=True, of=""))
    label = run.problem.target if squared else f"P({run.problem.target} above the middle)"
    title = f"{len(samples)} training sets, {len(samples)} curves"
    column = run.model.column - 1
    across = Axis(run.problem.features[column], *bounds(np.append(run.problem.X[:, column], x[[0, -1]]), 0.02))
    return Panel("data", across, Axis(label, low, high), title), marks


def _stack(model: BiasVariance, steps: list[BiasVarianceStep]) -> tuple[Panel, list[Mark], list[Handle]]:
    """Return bias, variance and noise on each other for every complexity, and the error of the training rows."""
    last, family = steps[-1], model.family
    levels = np.asarray(last.levels)
    step, whole = levels[1] - levels[0], not (levels % 1).any()
    noise, bias, variance = (np.asarray(part) for part in (last.noises, last.biases, last.variances))
    top = max(CUT * float(last.errors.min()), 1.15 * float(last.train_errors.max()) if model.loss != SQUARED else 0.0)
    top = min(top, 1.1 * float((noise + bias + np.maximum(variance, 0)).max())) or 1.0
    bottom = 1.1 * min(0.0, float(variance.min()))
    after = [s.phase in ("complexity", "done") for s in steps]
    alone = [s.phase == "variance" for s in steps]
    mine = np.arange(len(levels)) == model.level
    marks: list[Mark] = []
    floor = np.zeros(len(levels))
    for part, color, opacity in ((noise, NOISE, 0.45), (bias, BIAS, 0.85), (variance, VARIANCE, 0.85)):
        foot, head = floor, floor + part
        if (part < 0).any():  # where variance helps, it is drawn below zero
            foot, head = np.where(part < 0, part, floor), np.where(part < 0, 0.0, head)
        x0, x1 = levels - 0.4 * step, levels + 0.4 * step
        y0, y1 = np.clip(foot, bottom, top), np.clip(head, bottom, top)

        def rows(values: Floats) -> PerFrame:
            return PerFrame(
                [values if now else values[mine] if one else values[:0] for now, one in zip(after, alone, strict=True)]
            )

        marks.append(
            Rects(
                panel="stack",
                x0=rows(x0),
                x1=rows(x1),
                y0=rows(y0),
                y1=rows(y1),
                color=[color],
                opacity=[opacity],
                numbers=rows(levels) if whole else None,
                of=family.label if whole else "",
            )
        )
        floor = floor + np.maximum(part, 0)
    train = np.clip(last.train_errors, bottom, top)
    marks.append(Line(panel="stack", x=when(after, levels), y=when(after, train), dash=True, width=2.5, of=""))
    edge = 0.7 * step
    axis = Axis(
        f"{family.label} ({'simple to the right' if family.falling else 'complex to the right'})",
        levels[0] - edge,
        levels[-1] + edge,
        integer=bool(step == 1),
    )
    label = "mean squared error" if model.loss == SQUARED else "error rate"
    panel = Panel("stack", axis, Axis(label, bottom, top), "Parts of the error; dashed: training rows")
    value = float(levels[model.level])
    return panel, marks, [Handle(family.parameter, "stack", f"{family.label} {value:g}", "x", value)]


def _along(run: Run, steps: list[BiasVarianceStep]) -> tuple[Panel, list[Mark]]:
    """Return bias and variance along x."""
    last = steps[-1]
    x = np.asarray(last.places)
    parts: tuple[tuple[Any, int], ...] = ((last.bias_at, BIAS), (last.variance_at, VARIANCE))
    both = np.concatenate([np.asarray(part) for part, _ in parts])
    top = float(np.quantile(both, 0.97)) * 1.3 or 1.0
    low = min(0.0, float(both.min())) * 1.1
    marks: list[Mark] = []
    for part, color in parts:
        there = [len(step.bias_at if color == BIAS else step.variance_at) > 0 for step in steps]
        up = np.clip(np.asarray(part), low, 1.2 * top)
        marks.append(Line(panel="along", x=when(there, x), y=when(there, up), color=color, width=2.5, of=""))
    title = "Bias² and variance along x" if run.model.loss == SQUARED else "Bias and variance along x"
    return Panel(
        "along", Axis(run.problem.features[run.model.column - 1], x[0], x[-1]), Axis("", low, top), title, side=True
    ), marks
