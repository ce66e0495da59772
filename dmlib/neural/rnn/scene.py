"""Recurrent networks as a picture: what they answer, the units unrolled in time, the error and how far it reaches."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.neural.rnn.answers_scene import Answers, forecast, probabilities, sums
from dmlib.neural.rnn.ledger import epoch_blocks, inside_blocks
from dmlib.neural.rnn.look import Look
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.neural.rnn.unrolled_scene import TITLES, look_handle, reach, unrolled
from dmlib.params import Choice, Integer
from dmlib.pictures.data import first_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.motion import path, thin, thinned_note, with_before
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene, bounds
from dmlib.pictures.words import num4

MOST_FRAMES = 120
OPTIONS = {
    "look": Option(Integer(1, 500, shown=(1, 60)), 10),
    "sequence": Option(Integer(1, 200, shown=(1, 15)), 1),
    "signal": Option(Choice(tuple(TITLES)), "c"),
}


def rnn_scene(run: Run) -> Scene:
    """Draw the epochs of a recurrent network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.ElmanNetwork`, :class:`dmlib.neural.LSTM` or :class:`dmlib.neural.NARX`.

    Returns
    -------
    Scene
        One frame for the start, each epoch and the end; of many, every few.

    Examples
    --------
    >>> from dmlib.neural import NARX
    >>> from dmlib.problem import prepare_series
    >>> problem = prepare_series([[0.0, 1.0, 0.0, -1.0] * 8], ["wave"])
    >>> scene = rnn_scene(Run.of(problem, NARX(delays=3, horizon=4, max_iter=2)))
    >>> [frame.phase for frame in scene.frames], [panel.name for panel in scene.panels]
    (['start', 'epoch', 'epoch', 'done'], ['data', 'unrolled', 'error', 'reach'])
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return first_scene(problem)
    at = thin(len(trace.steps), MOST_FRAMES)
    steps = [trace.steps[i] for i in at]
    options = chosen(run, OPTIONS)
    look, symbols = Look.of(run.model, problem.arguments, options), getattr(problem, "symbols", ())
    signal = options["signal"] if options["signal"] in run.model.cell.shows else "h"
    panel, marks, legend = _answers(look, problem, steps, symbols)
    parts = [unrolled(look, steps, signal, symbols), _error(look, trace.steps, at), reach(look, steps)]
    frames = Deferred(lambda pair: _frame(look, symbols, *pair), with_before(trace.steps, at))
    every = [*marks, *(mark for _, some in parts for mark in some)]
    notes = (*problem.notes, *thinned_note(at))
    return Scene((panel, *(each for each, _ in parts)), every, frames, notes, (look_handle(look),), legend)


def _answers(look: Look, problem: Any, steps: list[RecurrentStep], symbols: tuple[str, ...]) -> Answers:
    if look.task.forecast:
        return forecast(look, problem, steps)
    if symbols:
        return probabilities(look, symbols, steps)
    task = look.task
    return sums(look, steps, float((task.Y[..., 0] * task.mask).sum() / task.mask.sum()))


def _error(look: Look, steps: tuple[RecurrentStep, ...], at: Any) -> tuple[Panel, list[Mark]]:
    """Return the error of what is held out epoch by epoch, beside that of the naive answer."""
    measure = "perplexity" if look.task.loss == "log_loss" else "RMSE"
    epochs = [step for step in steps if step.phase in ("start", "epoch")]
    errors = np.array([step.test_error for step in epochs])
    naive = epochs[0].naive_error
    last = max(len(epochs) - 1, 1)
    low, high = bounds([0.0, naive, *np.minimum(errors, 3 * max(naive, float(np.median(errors))))], 0.08)
    x = Axis("epoch", -0.02 * last, 1.02 * last, integer=True)
    panel = Panel(
        "error", x, Axis(f"test {measure}", max(low, 0.0), high), title="Test error, dashed: naive", side=True
    )
    level = Line(panel="error", x=[0, last], y=[naive, naive], color="muted", width=1.5, dash=True)
    places = np.column_stack([np.arange(len(errors)), errors])
    reached = [min(int(i) + 1, len(errors)) for i in at]
    return panel, [level, *path(places, reached, panel="error")]


def _frame(look: Look, symbols: tuple[str, ...], step: RecurrentStep, before: RecurrentStep) -> Frame:
    ledger = [*epoch_blocks(step, before, look), *inside_blocks(step, look, symbols)]
    return Frame(_caption(look, step), ledger, step.phase)


def _caption(look: Look, step: RecurrentStep) -> str:
    measure = "perplexity" if look.task.loss == "log_loss" else "RMSE"
    error, naive = num4(step.test_error), num4(step.naive_error)
    than = "below" if step.test_error < step.naive_error else "not below"
    told = f"test {measure} {error}, {than} the naive {naive}"
    if step.phase == "start":
        return f"Start: random weights, {told}."
    if step.phase == "epoch":
        return f"Epoch {step.n_iter}: training loss {num4(step.loss)}, {told}."
    if step.phase == "diverged":
        return step.reason
    ended = f" {step.reason}" if "grow" in step.reason else ""
    return f"Done after {step.n_iter} epoch{'s' * (step.n_iter != 1)}: {told}.{ended}"
