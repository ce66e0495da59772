"""Recurrent networks as a picture: what they answer, the units unrolled in time, the error and how far it reaches."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.neural.rnn.answers_scene import Answers, forecast, probabilities, sums
from dmlib.neural.rnn.ledger import Narrator, measure_of
from dmlib.neural.rnn.look import Look
from dmlib.neural.rnn.network import RecurrentStep
from dmlib.neural.rnn.unrolled_scene import TITLES, look_handle, reach, unrolled
from dmlib.params import Choice, Integer
from dmlib.pictures.marks import Line
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import path_until
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, needs_steps, story

MAX_FRAMES = 120
OPTIONS = {
    "look": Option(Integer(1, 500, shown=(1, 60)), 10),
    "sequence": Option(Integer(1, 200, shown=(1, 15)), 1),
    "signal": Option(Choice(tuple(TITLES)), "c"),
}


@needs_steps
def rnn_scene(run: Run) -> Scene:
    """Draw the epochs of a recurrent network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.ElmanNetwork`, :class:`dmlib.neural.LSTM` or
        :class:`dmlib.neural.NARX`.

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
    problem = run.problem
    symbols = getattr(problem, "symbols", ())
    options = chosen(run, OPTIONS)
    look = Look.of(run.model, problem.arguments, options)
    signal = options["signal"] if options["signal"] in run.model.cell.shows else "h"
    answers, legend = _answers(look, problem, symbols)
    plots = (
        answers,
        unrolled(look, signal, symbols),
        _error_plot(look, run.trace.steps),
        reach(look),
    )
    narrator = Narrator(look, symbols)

    def draw(now: Moment) -> Drawing:
        step: RecurrentStep = now.step
        marks = [mark for plot in plots for mark in plot.marks(now)]
        return Drawing(marks, *narrator.tell(now), step.phase)

    return story(
        run,
        draw,
        panels=[plot.panel for plot in plots],
        fold=Fold.count_of("start", "epoch"),
        legend=legend,
        handles=(look_handle(look),),
        max_frames=MAX_FRAMES,
    )


def _answers(look: Look, problem: Any, symbols: tuple[str, ...]) -> Answers:
    if look.task.forecast:
        return forecast(look, problem)
    if symbols:
        return probabilities(look, symbols)
    task = look.task
    return sums(look, float((task.Y[..., 0] * task.mask).sum() / task.mask.sum()))


def _error_plot(look: Look, steps: tuple[RecurrentStep, ...]) -> Plot:
    """Return the test error of each epoch, beside that of the naive answer."""
    epochs = [step for step in steps if step.phase in ("start", "epoch")]
    errors = np.array([step.test_error for step in epochs])
    naive = epochs[0].naive_error
    last = max(len(epochs) - 1, 1)
    highest = 3 * max(naive, float(np.median(errors)))
    low, high = bounds([0.0, naive, *np.minimum(errors, highest)], 0.08)
    panel = Panel(
        "error",
        Axis("epoch", -0.02 * last, 1.02 * last, integer=True),
        Axis(f"test {measure_of(look)}", max(low, 0.0), high),
        title="Test error, dashed: naive",
        side=True,
    )
    level = Line(panel="error", x=[0, last], y=[naive, naive], color="muted", width=1.5, dash=True)
    places = np.column_stack([np.arange(len(errors)), errors])
    return Plot(panel, lambda now: [level, *path_until(places, now.so_far, panel="error")])
