"""Recurrent networks as a picture: answers, units unrolled in time, the error and its reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.neural.curve_scene import curve_plot
from dmlib.neural.rnn.answers_scene import Answers, forecast, probabilities, sums
from dmlib.neural.rnn.ledger import Narrator, measure_of
from dmlib.neural.rnn.network import RecurrentNetwork, RecurrentStep
from dmlib.neural.rnn.sequence_view import SequenceView
from dmlib.neural.rnn.unrolled_scene import TITLES, reach, step_handle, unrolled
from dmlib.params import Choice, Integer
from dmlib.pictures.marks import Line
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Scene, bounds
from dmlib.pictures.story import Fold, Plot, draw_plots, needs_steps, story
from dmlib.problem.sequences import SequencesProblem

MAX_FRAMES = 120
OPTIONS = {
    "look": Option(Integer(1, 500, shown=(1, 60)), 10),
    "sequence": Option(Integer(1, 200, shown=(1, 15)), 1),
    "signal": Option(Choice(tuple(TITLES)), "c"),
}


@needs_steps
def rnn_scene(run: Run[SequencesProblem, RecurrentNetwork]) -> Scene:
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
    view = SequenceView.of(run.model, problem.arguments, options)
    signal = options["signal"] if options["signal"] in run.model.cell.shows else "h"
    answers, legend = _answers(view, problem, symbols)
    plots = (
        answers,
        unrolled(view, signal, symbols),
        _error_plot(view, run.trace.steps),
        reach(view),
    )
    narrator = Narrator(view, symbols)

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        fold=Fold.count_of("start", "epoch"),
        legend=legend,
        handles=(step_handle(view),),
        max_frames=MAX_FRAMES,
    )


def _answers(view: SequenceView, problem: Any, symbols: tuple[str, ...]) -> Answers:
    if view.task.is_series:
        return forecast(view, problem)
    if symbols:
        return probabilities(view, symbols)
    task = view.task
    return sums(view, float((task.Y[..., 0] * task.mask).sum() / task.mask.sum()))


def _error_plot(view: SequenceView, steps: tuple[RecurrentStep, ...]) -> Plot:
    """Return the test error of each epoch, beside that of the naive answer."""
    epochs = [step for step in steps if step.phase in ("start", "epoch")]
    errors = np.array([step.test_error for step in epochs])
    naive = epochs[0].naive_error
    last = max(len(epochs) - 1, 1)
    highest = 3 * max(naive, float(np.median(errors)))
    low, high = bounds([0.0, naive, *np.minimum(errors, highest)], 0.08)
    y_axis = Axis(f"test {measure_of(view)}", max(low, 0.0), high)
    style: dict[str, Any] = {"color": "muted", "width": 1.5, "dash": True, "label": "naive"}
    level = Line(panel="error", x=[0, last], y=[naive, naive], **style)
    places = np.column_stack([np.arange(len(errors)), errors])
    return curve_plot("error", places, "epoch", y_axis, "Test error", background=[level])
