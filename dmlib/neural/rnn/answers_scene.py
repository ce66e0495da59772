"""Answers of a network: the forecast of a series, the probabilities of the next symbol, or sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.neural.rnn.sequence_view import SequenceView
from dmlib.neural.rnn.unrolled_scene import numbers_at
from dmlib.pictures.data.series import series_panel
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster
from dmlib.pictures.scene import Axis, Key, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.problem import SeriesProblem

# The colours of one-step predictions, of the forecast, and of an exogenous input:
PREDICTED, FORECAST, INPUT = 0, 1, 2
OUTSIDE = 2.0  # heights of the panel beyond which a forecast is not followed
Answers = tuple[Plot, tuple[Key, ...]]


def forecast(view: SequenceView, problem: SeriesProblem) -> Answers:
    """Return a series with its one-step predictions, its forecast and the naive one."""
    task, times, values = view.task, problem.times[0], problem.values[0]
    n_training = len(values) - len(task.held_out[0])
    panel = series_panel(SeriesProblem(problem.names[:1], (values,), (times,), problem.time))
    low = panel.y.low - OUTSIDE * panel.size[1]
    high = panel.y.high + OUTSIDE * panel.size[1]
    last = values[n_training - 1]
    still_marks = [*_exogenous_input(problem, panel), *_series(problem, panel, n_training)]
    naive = Line(
        x=times[[n_training - 1, -1]],
        y=[last, last],
        color="muted",
        width=2.0,
        dash=True,
        label="naive",
    )

    def predictions(step: RecurrentStep) -> Line:
        y = np.clip(task.shift + task.unit * view.signals(step)[0][:, 0], low, high)
        return Line(x=times[1:n_training], y=y, color=PREDICTED, width=1.75)

    def future(step: RecurrentStep) -> Line:
        y = np.clip(np.append(last, view.model.forecast(step.weights, task)), low, high)
        return Line(x=times[n_training - 1 :], y=y, color=FORECAST, width=2.75, label="forecast")

    def marks(moment: Moment) -> list[Mark]:
        return [*still_marks, predictions(moment.step), naive, future(moment.step)]

    return Plot(panel, marks), _series_legend(problem)


def _series_legend(problem: SeriesProblem) -> tuple[Key, ...]:
    keys = (
        Key("training set", NO_CLASS, 0),
        Key("held out", NO_CLASS, 0, hollow=True),
        Key("one step ahead", PREDICTED, kind="line"),
        Key("forecast", FORECAST, kind="line"),
    )
    if len(problem.values) == 1:
        return keys
    return (*keys, Key(f"{problem.names[1]} (known, scaled)", INPUT, kind="line"))


def _series(problem: SeriesProblem, panel: Panel, n_training: int) -> list[Mark]:
    """Return the values, held-out ones hollow, and the line at which these begin."""
    times, values = problem.times[0], problem.values[0]
    edge = (times[n_training - 1] + times[n_training]) / 2
    ends = [panel.y.low, panel.y.high]
    points = Points(
        x=times,
        y=values,
        color=np.full(len(values), NO_CLASS),
        symbol=[0],
        hollow=(np.arange(len(values)) >= n_training).astype(np.uint8),
        size=[3.0],
        labels=problem.labels[: len(values)],
        data=True,
        numbers=np.arange(1, len(values) + 1),
    )
    return [Line(x=[edge, edge], y=ends, color="muted", width=1.0, dash=True), points]


def _exogenous_input(problem: SeriesProblem, panel: Panel) -> list[Line]:
    """Return the exogenous input, if there is one, in the lower part of the panel."""
    if len(problem.values) == 1:
        return []
    values = problem.values[1]
    low, high = float(values.min()), float(values.max())
    share = (values - low) / (high - low) if high > low else np.zeros(len(values))
    heights = panel.y.low + panel.size[1] * (0.02 + 0.16 * share)
    return [Line(x=problem.times[0], y=heights, color=INPUT, width=1.5)]


def probabilities(view: SequenceView, symbols: Sequence[str]) -> Answers:
    """Return the probability of each symbol as the next one, after each step of a sequence."""
    n_steps, n_symbols = int(view.mask.sum()), len(symbols)
    read = [_visible(symbols[int(x.argmax())]) for x in view.inputs[0, :n_steps]]
    panel = Panel(
        "data",
        Axis("after the symbol", -0.5, n_steps - 0.5, ticks=read),
        Axis("next symbol", -0.5, n_symbols - 0.5, ticks=[_visible(symbol) for symbol in symbols]),
    )
    numbers = numbers_at(view.t, n_symbols, n_steps)
    truth = _next_symbols(view, symbols, read)

    def image(step: RecurrentStep) -> Raster:
        shares = view.signals(step)[0][:n_steps].T[::-1]
        return Raster(
            pixels=(255 * shares).astype(np.uint8).ravel(),
            width=n_steps,
            height=n_symbols,
            extent=panel.extent,
            ramp=True,
            opacity=0.9,
            crisp=True,
            numbers=numbers,
            of="symbol",
        )

    legend = (Key("the symbol that comes next", FORECAST, 0, hollow=True),)
    return Plot(panel, lambda moment: [image(moment.step), truth]), legend


def _next_symbols(view: SequenceView, symbols: Sequence[str], read: Sequence[str]) -> Points:
    """Return the symbols that come next."""
    n_steps = len(read)
    codes = view.targets[0, :n_steps].argmax(axis=1)
    pairs = zip(codes, read, strict=True)
    return Points(
        x=np.arange(n_steps),
        y=codes,
        color=np.full(n_steps, FORECAST),
        symbol=[0],
        hollow=np.ones(n_steps, np.uint8),
        size=[6.0],
        labels=[f"{_visible(symbols[code])} comes after {symbol}" for code, symbol in pairs],
        data=True,
    )


def sums(view: SequenceView, naive: float) -> Answers:
    """Return the answers to held-out sequences over the true ones, with the diagonal."""
    X, Y, mask = view.task.held_out
    rows = np.arange(len(X))
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    truth: Floats = Y[rows, last, 0]
    low, high = bounds(truth, 0.1)
    panel = Panel("data", Axis("true sum", low, high), Axis("answer", low - 0.2, high + 0.2))
    is_selected = rows == view.sequence
    color, size = np.where(is_selected, FORECAST, PREDICTED), np.where(is_selected, 7.0, 4.5)
    labels = [f"sequence {i + 1}: sum {y:.4g}" for i, y in enumerate(truth)]
    diagonal = Line(x=[low, high], y=[low, high], color="muted", width=1.5)
    level = Line(x=[low, high], y=[naive, naive], color="muted", width=1.5, dash=True)

    def points(step: RecurrentStep) -> Points:
        answers = view.model.answers(step.weights, X)[0][rows, last, 0]
        return Points(
            x=truth,
            y=np.clip(answers, low - 2, high + 2),
            color=color,
            size=size,
            symbol=[0],
            data=True,
            labels=labels,
        )

    legend = (Key("held-out sequence", PREDICTED, 0), Key("the sequence shown", FORECAST, 0))
    return Plot(panel, lambda moment: [diagonal, level, points(moment.step)]), legend


def _visible(symbol: str) -> str:
    return "␣" if symbol == " " else symbol
