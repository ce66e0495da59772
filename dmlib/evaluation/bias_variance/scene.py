"""Bias and variance as a picture: curves around their mean, and the parts of the error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evaluation.bias_variance.algorithm import SQUARED, BiasVariance, BiasVarianceStep
from dmlib.evaluation.bias_variance.ledger import Narrator
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import points_at, visible_if
from dmlib.pictures.plane import data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Moment, Plot, data_alone, draw_plots, story
from dmlib.pictures.words import upper_first
from dmlib.problem import Problem

N_SINGLE = 6  # training sets that come one by one
GROUP = 10  # training sets that come together after them
MAX_CURVES = 100  # that are drawn
MAX_RATIO = 4.0  # bars end at so many times the smallest error
MAX_HEIGHTS = 20  # training sets whose heights are in view
NOISE, BIAS, VARIANCE = NO_CLASS, 1, 0  # their colours
REACH = 0.35  # heights of the panel beyond which nothing is drawn
LEGEND = (
    Key("curve of a training set", kind="line"),
    Key("mean curve", VARIANCE, kind="line"),
    Key("true curve", BIAS, kind="dash"),
    Key("noise", NOISE, kind="area"),
    Key("bias²", BIAS, kind="area"),
    Key("variance", VARIANCE, kind="area"),
)


def bias_variance_scene(run: Run[Problem, BiasVariance]) -> Scene:
    """Draw the simulation.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 0.0, 2.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> model = BiasVariance(n_sets=4, truth="sine", random_state=0)
    >>> scene = bias_variance_scene(Run.of(problem, model))
    >>> [frame.phase for frame in scene.frames]
    ['truth', 'sample', 'sample', 'sample', 'sample', 'mean', 'variance', 'complexity', 'done']
    """
    steps: Sequence[BiasVarianceStep] = run.trace.steps
    samples = [step for step in steps if step.phase == "sample"]
    if not samples:
        return data_alone(run)
    plots = [_bundle(run, samples)]
    if len(steps[-1].levels):
        plots += [_stack(run.model, steps[-1]), _along(run, steps[-1])]
    narrator = Narrator(run.model, steps[0], run.problem, run.selected)

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        numbers=frame_numbers(len(samples), len(steps)),
        notes=_notes(len(samples)),
        handles=[handle for plot in plots for handle in plot.handles],
        legend=LEGEND,
    )


def frame_numbers(n_samples: int, n_steps: int) -> list[int]:
    """Return the numbers of the steps that have a frame; of many training sets, some.

    Examples
    --------
    >>> frame_numbers(25, 27)
    [0, 1, 2, 3, 4, 5, 6, 10, 20, 25, 26]
    """
    grouped = range(GROUP, n_samples + 1, GROUP)
    sets = sorted({*range(1, min(N_SINGLE, n_samples) + 1), *grouped, n_samples})
    return [0, *sets, *range(n_samples + 1, n_steps)]


def _notes(n_samples: int) -> list[str]:
    if n_samples <= MAX_CURVES:
        return []
    return [f"{MAX_CURVES} of {n_samples} curves are drawn; the numbers are of all."]


# --- curves ---------------------------------------------------------------------------------------


def _bundle(run: Run[Problem, BiasVariance], samples: Sequence[BiasVarianceStep]) -> Plot:
    """Return the bundle: a curve for each training set, the true one and, in the end, the mean."""
    start: BiasVarianceStep = run.trace.steps[0]
    panel = bundle_panel(run, samples)

    def clipped(values: Floats) -> Floats:
        reach = REACH * (panel.y.high - panel.y.low)
        return np.clip(values, panel.y.low - reach, panel.y.high + reach)

    rows = _rows(run, clipped)
    groups = _groups(samples, start.places, clipped)
    truth = Line(x=start.places, y=start.truth, color=BIAS, width=3.0, dash=True, of="")

    def marks(moment: Moment) -> list[Mark]:
        step: BiasVarianceStep = moment.step
        # All training sets are visible after the last one.
        n_sets = len(samples) if step.phase != "truth" and step.index < 0 else step.index + 1
        return [
            rows,
            *(visible_if(n_sets >= n, group) for n, group in groups),
            *_training_set(step, start.places, clipped),
            Line(
                x=start.places[: len(step.mean_curve)],
                y=clipped(np.asarray(step.mean_curve, float)),
                color=VARIANCE,
                width=4.0,
                of="",
            ),
            truth,
        ]

    return Plot(panel, marks)


def bundle_panel(run: Run[Problem, BiasVariance], samples: Sequence[BiasVarianceStep]) -> Panel:
    """Return the panel of the curves, of all rows and of the first training sets."""
    problem = run.problem
    start: BiasVarianceStep = run.trace.steps[0]
    column = run.model.column - 1
    places = np.append(problem.X[:, column], start.places[[0, -1]])
    x = Axis(problem.features[column], *bounds(places, 0.02))
    y = Axis(f"P({problem.target} above the middle)", *bounds([-0.15, 1.15], 0.05))
    if run.model.loss == SQUARED:
        sets = [step.y for step in samples[:MAX_HEIGHTS]]
        heights = np.concatenate([start.truth, np.asarray(problem.y, float), *sets])
        y = Axis(problem.target, *bounds(heights, 0.05))
    n = len(samples)
    return Panel("data", x, y, f"{n} training sets, {n} curves")


def _rows(run: Run[Problem, BiasVariance], clipped: Callable[[Floats], Floats]) -> Points:
    """Return the rows of the table; with the 0/1 loss by whether they lie above the middle."""
    problem = run.problem
    y = np.asarray(problem.y, float)
    if run.model.loss != SQUARED:
        y = (y > (y.min() + y.max()) / 2).astype(float)
    dots = data_points(problem, size=[2.5], opacity=[0.35])
    return replace(dots, x=problem.X[:, run.model.column - 1], y=clipped(y))


def _groups(
    samples: Sequence[BiasVarianceStep], places: Floats, clipped: Callable[[Floats], Floats]
) -> list[tuple[int, Line]]:
    """Return curves in groups that appear together, with the number of the last of each."""
    thinned = samples[:: max(1, -(-len(samples) // MAX_CURVES))]
    cuts = [
        *range(min(N_SINGLE, len(thinned))),
        *range(N_SINGLE, len(thinned), GROUP),
        len(thinned),
    ]
    groups = []
    for first, last in pairwise(cuts):
        curves = [clipped(np.asarray(step.curve)) for step in thinned[first:last]]
        x = np.tile(np.append(places, np.nan), len(curves))
        y = np.concatenate([np.append(curve, np.nan) for curve in curves])
        groups.append(
            (thinned[last - 1].index + 1, Line(x=x, y=y, color="muted", width=0.7, of=""))
        )
    return groups


def _training_set(
    step: BiasVarianceStep, places: Floats, clipped: Callable[[Floats], Floats]
) -> list[Mark]:
    """Return the training set of a step and its curve."""
    y, curve = (clipped(np.asarray(heights, float)) for heights in (step.y, step.curve))
    rows = np.column_stack([step.x, y])
    return [
        points_at(rows, color=[NO_CLASS], size=[3.5], of=""),
        Line(x=places[: len(curve)], y=curve, of=""),
    ]


# --- parts of the error ---------------------------------------------------------------------------


def _stack(model: BiasVariance, last: BiasVarianceStep) -> Plot:
    """Return stacked bars of noise, bias and variance by complexity, and the training error."""
    levels = np.asarray(last.levels)
    panel = _stack_panel(model, last)
    bars = _stacked(model, last, panel.y)
    is_chosen = np.arange(len(levels)) == model.level
    training = np.clip(last.train_errors, panel.y.low, panel.y.high)
    style: dict[str, Any] = {"panel": "stack", "of": ""}
    line = Line(x=levels, y=training, dash=True, width=2.5, label="training", **style)
    cut = levels[last.noises + last.biases + np.maximum(last.variances, 0) > panel.y.high]
    ends = np.full(len(cut), panel.y.high)
    arrows = Texts(x=cut, y=ends, text=["↑"] * len(cut), dy=9.0, halo=True, **style)

    def marks(moment: Moment) -> list[Mark]:
        is_after = moment.step.phase in ("complexity", "done")
        visible = is_chosen if moment.step.phase == "variance" else np.full(len(levels), is_after)
        return [
            *(_part_of(bar, visible) for bar in bars),
            *(visible_if(is_after, mark) for mark in (line, arrows)),
        ]

    level = float(levels[model.level])
    label = f"{model.family.label} {level:g}"
    return Plot(panel, marks, [Handle(model.family.parameter, "stack", label, "x", level)])


def _part_of(bars: Rects, visible: NDArray[np.bool_]) -> Rects:
    """Return those bars that are visible."""
    channels: dict[str, Any] = {
        name: np.asarray(getattr(bars, name))[visible]
        for name in ("x0", "x1", "y0", "y1", "numbers")
        if getattr(bars, name) is not None
    }
    return replace(bars, **channels)


def _stack_panel(model: BiasVariance, last: BiasVarianceStep) -> Panel:
    family = model.family
    levels = np.asarray(last.levels)
    width = float(levels[1] - levels[0])
    ends = levels[0] - 0.7 * width, levels[-1] + 0.7 * width
    label = f"← complexity, {family.label}" if family.falling else f"{family.label}, complexity →"
    x = Axis(label, *ends, integer=width == 1)
    label = "mean squared error" if model.loss == SQUARED else "error rate"
    y = Axis(label, *_stack_ends(model, last))
    return Panel("stack", x, y, "Parts of the error; ↑: cut off")


def _stack_ends(model: BiasVariance, last: BiasVarianceStep) -> tuple[float, float]:
    """Return the ends of the bars' axis; bars of wild complexities are cut."""
    variances = np.asarray(last.variances)
    largest_train = 0.0 if model.loss == SQUARED else 1.15 * float(last.train_errors.max())
    largest = 1.1 * float((last.noises + last.biases + np.maximum(variances, 0)).max())
    top = min(max(MAX_RATIO * float(last.errors.min()), largest_train), largest) or 1.0
    return 1.1 * min(0.0, float(variances.min())), top


def _stacked(model: BiasVariance, last: BiasVarianceStep, axis: Axis) -> list[Rects]:
    """Return stacked bars of noise, bias and variance."""
    levels = np.asarray(last.levels)
    half = 0.4 * (levels[1] - levels[0])
    numbers, of = (None, "") if (levels % 1).any() else (levels, model.family.label)
    bars = []
    floor = np.zeros(len(levels))
    parts = (
        (last.noises, NOISE, 0.45),
        (last.biases, BIAS, 0.85),
        (last.variances, VARIANCE, 0.85),
    )
    for part, color, opacity in parts:
        # Where variance helps, it is drawn below zero.
        bottoms = np.where(part < 0, part, floor)
        tops = np.where(part < 0, 0.0, floor + part)
        bar = Rects(
            panel="stack",
            x0=levels - half,
            x1=levels + half,
            y0=np.clip(bottoms, axis.low, axis.high),
            y1=np.clip(tops, axis.low, axis.high),
            color=[color],
            opacity=[opacity],
            numbers=numbers,
            of=of,
        )
        bars.append(bar)
        floor = floor + np.maximum(part, 0)
    return bars


def _along(run: Run[Problem, BiasVariance], last: BiasVarianceStep) -> Plot:
    """Return bias and variance along x."""
    x = np.asarray(last.places)
    values = np.concatenate([last.bias_at, last.variance_at])
    top = float(np.quantile(values, 0.97)) * 1.3 or 1.0
    low = min(0.0, float(values.min())) * 1.1

    def line(part: Floats, color: int, label: str) -> Line:
        y = np.clip(part, low, 1.2 * top)
        return Line(panel="along", x=x, y=y, color=color, width=2.5, label=label, of="")

    bias = "bias²" if run.model.loss == SQUARED else "bias"
    bias_line = line(last.bias_at, BIAS, bias)
    variance_line = line(last.variance_at, VARIANCE, "variance")

    def marks(moment: Moment) -> list[Mark]:
        return [
            visible_if(len(moment.step.bias_at) > 0, bias_line),
            visible_if(len(moment.step.variance_at) > 0, variance_line),
        ]

    title = f"{upper_first(bias)} and variance along x"
    across = Axis(run.problem.features[run.model.column - 1], x[0], x[-1])
    return Plot(Panel("along", across, Axis("", low, top), title, side=True), marks)
