"""MapReduce as a picture: the data from split to result, and the schedule of the workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.execution import MapTask
from dmlib.mapreduce.flow_scene import MAP, REDUCE, SHUFFLE, Flow
from dmlib.mapreduce.ledger import Narrator
from dmlib.mapreduce.schedule_scene import Schedule
from dmlib.mapreduce.states import State, states
from dmlib.mapreduce.words_scene import Words
from dmlib.pictures.marks import NO_CLASS, Rects
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import LinesProblem

LEGEND = (
    Key("split, map task", MAP),
    Key("pairs, transfer", SHUFFLE),
    Key("reducer", REDUCE),
    Key("lost or redundant", NO_CLASS),
)


@needs_steps
def mapreduce_scene(run: Run[LinesProblem, Any]) -> Scene:
    """Draw a run of a MapReduce job.

    Parameters
    ----------
    run : Run
        Steps of a job of :mod:`dmlib.mapreduce` on lines.

    Returns
    -------
    Scene
        One frame for each task and transfer that ends (of many, for every few).

    Examples
    --------
    >>> from dmlib.mapreduce import WordCountJob
    >>> from dmlib.problem import prepare_texts
    >>> problem = prepare_texts(["to be", "or not"])
    >>> scene = mapreduce_scene(Run.of(problem, WordCountJob(n_splits=1, n_reducers=1)))
    >>> [frame.phase for frame in scene.frames]
    ['split', 'map', 'combine', 'shuffle', 'reduce', 'done']
    """
    steps, n_workers = run.trace.steps, run.model.n_workers
    plan = steps[0]
    state_after = states(steps)
    lines = run.problem.texts
    readable = Words.fit(plan, lines)
    data = Words(plan, lines, run.model.combiner) if readable else Flow(plan, n_workers)
    schedule = Schedule(plan, n_workers, side=readable)
    narrator = Narrator(run.model, lines, plan)

    def draw(moment: Moment) -> Drawing:
        step, state = moment.step, state_after[moment.index]
        marks = (
            *data.marks(step, state),
            *schedule.marks(step.time),
            *_loads(plan, state),
            _volumes(plan, step, state),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(data.panel, schedule.panel, _loads_panel(plan), _volumes_panel(plan)),
        legend=LEGEND,
    )


def _loads_panel(plan: MapReduceStep) -> Panel:
    top = max(task.n_pairs for number in plan.rounds for task in number.reduces)
    across = Axis("reducer", 0.4, len(plan.rounds[0].reduces) + 0.6, integer=True)
    up = Axis("pairs", 0.0, 1.1 * max(top, 1), integer=True)
    return Panel("loads", across, up, "Skew", side=True)


def _loads(plan: MapReduceStep, state: State) -> tuple[Rects, Rects]:
    """Return bars of all pairs of each reducer, and of those that it has received."""
    tasks = plan.rounds[state.round]
    totals = [task.n_pairs for task in tasks.reduces]
    received = [0.0] * len(totals)
    for m, r in state.sent:
        received[r] += tasks.maps[m].sent[r]
    for r in state.reduced:
        received[r] = totals[r]
    return _bars("loads", totals, NO_CLASS, "reducer"), _bars("loads", received, REDUCE, "reducer")


def _volumes_panel(plan: MapReduceStep) -> Panel:
    heights = _volumes_of(plan, [task for number in plan.rounds for task in number.maps], np.inf)
    across = Axis("pairs", 0.4, 3.6, ticks=("", "emitted", "sent", "moved"))
    up = Axis("bytes", 0.0, 1.1 * max(*heights, 1.0))
    return Panel("volumes", across, up, "Communication", side=True)


def _volumes(plan: MapReduceStep, step: MapReduceStep, state: State) -> Rects:
    """Return bars of the bytes so far: emitted, sent, and moved over the network."""
    tasks = [task for number in plan.rounds[: state.round] for task in number.maps]
    tasks += [plan.rounds[state.round].maps[m] for m in sorted(state.mapped)]
    return _bars("volumes", _volumes_of(plan, tasks, step.time), SHUFFLE)


def _volumes_of(
    plan: MapReduceStep, tasks: Sequence[MapTask], time: float
) -> tuple[float, float, float]:
    return (
        float(sum(task.emitted_bytes for task in tasks)),
        float(sum(task.sent_bytes.sum() for task in tasks)),
        float(sum(a.n_bytes for a in plan.schedule if a.end <= time)),
    )


def _bars(panel: str, heights: Sequence[float], color: int, of: str = "") -> Rects:
    x = np.arange(1, len(heights) + 1, dtype=float)
    return Rects(
        panel=panel,
        x0=x - 0.4,
        x1=x + 0.4,
        y0=0 * x,
        y1=np.asarray(heights, float),
        color=np.full(len(x), color, np.uint8),
        opacity=[0.7],
        numbers=x,
        of=of,
    )
