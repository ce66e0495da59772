"""What a network answers: the forecast of a series, the probabilities of the next symbol, or sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.neural.rnn.look import Look
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.neural.rnn.unrolled_scene import numbers_at
from dmlib.pictures.data.series import series_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster
from dmlib.pictures.scene import Axis, Key, Panel, bounds
from dmlib.problem import SeriesProblem

SEEN, FORECAST, KNOWN = 0, 1, 2  # colours of what is said one step ahead, of the forecast, and of a further input
OUTSIDE = 2.0  # heights of the panel beyond which a forecast is not followed
Answers = tuple[Panel, list[Mark], tuple[Key, ...]]


def forecast(look: Look, problem: SeriesProblem, steps: Sequence[RecurrentStep]) -> Answers:
    """Return a series, what the network says one step ahead, its forecast and the naive one."""
    task, (times, values) = look.task, (problem.times[0], problem.values[0])
    n_learned = len(values) - len(task.held[0])
    panel = series_panel(SeriesProblem(problem.names[:1], (values,), (times,), problem.time))
    low, high = panel.y.low - OUTSIDE * panel.size[1], panel.y.high + OUTSIDE * panel.size[1]

    def ahead(step: RecurrentStep) -> Any:
        return np.clip(task.shift + task.unit * look.signals(step)[0][:, 0], low, high)

    def on(step: RecurrentStep) -> Any:
        found = look.model.continued(step.weights, task)
        return np.clip(np.append(values[n_learned - 1], found), low, high)

    held = np.arange(len(values)) >= n_learned
    points = Points(
        x=times, y=values, color=np.full(len(values), NO_CLASS), symbol=[0], hollow=held.astype(np.uint8), size=[3.0],
        labels=problem.labels[: len(values)], data=True,
    )  # fmt: skip
    edge = (times[n_learned - 1] + times[n_learned]) / 2
    marks: list[Mark] = [
        Line(x=[edge, edge], y=[panel.y.low, panel.y.high], color="muted", width=1.0, dash=True),
        points,
        Line(x=times[1:n_learned], y=PerFrame(Deferred(ahead, list(steps))), color=SEEN, width=1.75, tween=True),
        Line(x=times[[n_learned - 1, -1]], y=[values[n_learned - 1]] * 2, color="muted", width=2.0, dash=True),
        Line(x=times[n_learned - 1 :], y=PerFrame(Deferred(on, list(steps))), color=FORECAST, width=2.75, tween=True),
    ]
    legend = (
        Key("training set", NO_CLASS, 0), Key("held out", NO_CLASS, 0, hollow=True), Key("one step ahead", SEEN),
        Key("forecast", FORECAST),
    )  # fmt: skip
    if len(problem.values) == 1:
        return panel, marks, legend
    further = Line(x=times, y=_scaled(problem.values[1], panel), color=KNOWN, width=1.5)
    return panel, [further, *marks], (*legend, Key(f"{problem.names[1]} (known, scaled)", KNOWN))


def _scaled(known: Any, panel: Panel) -> Any:
    """Return further inputs in the lower part of a panel."""
    low, high = float(known.min()), float(known.max())
    share = (known - low) / (high - low) if high > low else np.zeros(len(known))
    return panel.y.low + panel.size[1] * (0.02 + 0.16 * share)


def probabilities(look: Look, symbols: Sequence[str], steps: Sequence[RecurrentStep]) -> Answers:
    """Return the probability of each symbol as the next one, after each step of a sequence."""
    n_steps, n = int(look.mask.sum()), len(symbols)
    came = [_visible(symbols[int(x.argmax())]) for x in look.inputs[0, :n_steps]]
    x = Axis("after the symbol", -0.5, n_steps - 0.5, ticks=came)
    panel = Panel("data", x, Axis("next symbol", -0.5, n - 0.5, ticks=[_visible(s) for s in symbols]))

    def pixels(step: RecurrentStep) -> Any:
        return (255 * look.signals(step)[0][:n_steps].T[::-1]).astype(np.uint8).ravel()

    image = Raster(
        pixels=PerFrame(Deferred(pixels, list(steps))),
        width=n_steps,
        height=n,
        extent=panel.extent,
        ramp=True,
        opacity=0.9,
        crisp=True,
        numbers=numbers_at(look.t, n, n_steps),
        of="symbol",
    )
    codes = look.targets[0, :n_steps].argmax(axis=1)
    labels = [f"{_visible(symbols[code])} comes after {was}" for code, was in zip(codes, came, strict=True)]
    truth = Points(
        x=np.arange(n_steps), y=codes, color=np.full(n_steps, FORECAST), symbol=[0], hollow=np.ones(n_steps, np.uint8),
        size=[6.0], labels=labels, data=True,
    )  # fmt: skip
    return panel, [image, truth], (Key("the symbol that comes next", FORECAST, 0, hollow=True),)


def sums(look: Look, steps: Sequence[RecurrentStep], naive: float) -> Answers:
    """Return the answers to held-out sequences over the true ones; exact ones are on the diagonal."""
    X, Y, mask = look.task.held
    rows, last = np.arange(len(X)), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    truth = Y[rows, last, 0]
    low, high = bounds(truth, 0.1)
    panel = Panel("data", Axis("true sum", low, high), Axis("answer", low - 0.2, high + 0.2))

    def said(step: RecurrentStep) -> Any:
        answers = look.model.answers(step.weights, X)[0]
        return np.clip(answers[rows, last, 0], low - 2, high + 2)

    points = Points(
        x=truth, y=PerFrame(Deferred(said, list(steps))), color=np.where(rows == look.sequence, FORECAST, SEEN),
        size=np.where(rows == look.sequence, 7.0, 4.5), symbol=[0], tween=True, data=True,
        labels=[f"sequence {i + 1}: sum {y:.4g}" for i, y in enumerate(truth)],
    )  # fmt: skip
    marks: list[Mark] = [
        Line(x=[low, high], y=[low, high], color="muted", width=1.5),
        Line(x=[low, high], y=[naive, naive], color="muted", width=1.5, dash=True),
        points,
    ]
    return panel, marks, (Key("held-out sequence", SEEN, 0), Key("the sequence shown", FORECAST, 0))


def _visible(symbol: str) -> str:
    return "␣" if symbol == " " else symbol
