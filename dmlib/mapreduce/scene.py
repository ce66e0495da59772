"""MapReduce as a picture: splits go to workers, their pairs to the reducers; the schedule of the tasks grows below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.execution import MapTask
from dmlib.mapreduce.ledger import Ledger, size
from dmlib.mapreduce.simulation import Attempt
from dmlib.pictures.data.texts import texts_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Texts
from dmlib.pictures.motion import per_frame, thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene

MAP, SHUFFLE, REDUCE = 0, 1, 2
COLORS = {"map": MAP, "shuffle": SHUFFLE, "reduce": REDUCE}
LEGEND = (
    Key("split, map task", MAP),
    Key("pairs, transfer", SHUFFLE),
    Key("reducer", REDUCE),
    Key("lost or redundant", NO_CLASS),
)
INPUT, MAPPED, PAIRS, SENT, REDUCED = range(5)
STAGES = ("input", "mapped", "pairs", "sent", "reduced")
SPREAD = 0.32  # of a lane, up and down
Places = NDArray[np.float64]


@dataclass
class State:
    """Where everything is after some steps: the numbers of workers, by tasks."""

    running: list[Attempt] = field(default_factory=list)
    mapped: dict[int, int] = field(default_factory=dict)
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    reduced: dict[int, int] = field(default_factory=dict)
    dead: int | None = None
    round: int = 0


def states(steps: Sequence[MapReduceStep]) -> list[State]:
    """Return where everything is after each step."""
    found, now = [], State()
    for step in steps:
        if step.attempt is not None and step.attempt.round != now.round:
            now = State(dead=now.dead)
        now = State([], dict(now.mapped), dict(now.sent), dict(now.reduced), now.dead, now.round)
        if step.attempt is not None:
            now.round = step.attempt.round
            _apply(now, step.attempt, steps[0].schedule)
        if step.phase != "done":
            upper_first = [a for a in steps[0].schedule if a.start <= step.time < a.end]
            now.running = [a for a in upper_first if a.kind in {"map", "reduce"} and a.round == now.round]
        found.append(now)
    return found


def _apply(now: State, ended: Attempt, schedule: Sequence[Attempt]) -> None:
    """Take over what has ended."""
    if ended.kind == "fail":
        now.dead = ended.worker
        here = [a for a in schedule if a.kind == "map" and a.round == ended.round]
        again = {a.task for a in here if a.start >= ended.end}  # somebody still needs the pairs of these
        now.sent = {pair: worker for pair, worker in now.sent.items() if worker != ended.worker}
        now.mapped = {m: worker for m, worker in now.mapped.items() if worker != ended.worker or m not in again}
    elif ended.outcome != "done":
        return
    elif ended.kind == "map":
        now.mapped[ended.task] = ended.worker
    elif ended.kind == "shuffle":
        now.sent[ended.task, ended.reducer] = ended.worker
    else:
        now.reduced[ended.task] = ended.worker


def mapreduce_scene(run: Run) -> Scene:
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
    >>> scene = mapreduce_scene(Run.of(prepare_texts(["to be", "or not"]), WordCountJob(n_splits=1, n_reducers=1)))
    >>> [frame.phase for frame in scene.frames]
    ['split', 'map', 'combine', 'shuffle', 'reduce', 'done']
    """
    steps, problem, model = run.trace.steps, run.problem, run.model
    if not steps:
        alone = texts_scene(problem)
        return Scene(alone.panels, alone.marks, (Frame(run.trace.reason),), alone.notes)
    shown = thin(len(steps))
    every = states(steps)
    kept, there = [steps[i] for i in shown], [every[i] for i in shown]
    ledger, plan = Ledger(model, problem.texts, steps[0]), steps[0]
    marks = (
        *_lanes(there, model.n_workers),
        *_flow(plan, there, model.n_workers),
        *_schedule(plan, kept, model.n_workers),
        *_loads(plan, there, model.n_reducers),
        *_volumes(plan, kept, there),
    )
    frames = [Frame(*ledger.told(step), phase=step.phase) for step in kept]
    panels = (
        Panel("data", Axis("stage", -0.5, 4.5, ticks=STAGES), _lane_axis(model.n_workers), "Location of the data"),
        _schedule_panel(plan, model.n_workers),
        _loads_panel(plan, model.n_reducers),
        _volumes_panel(plan),
    )
    return Scene(panels, marks, frames, (*problem.notes, *thinned_note(shown)), legend=LEGEND)


def _lane_axis(n_workers: int) -> Axis:
    return Axis("worker", -0.6, n_workers - 0.4, ticks=[str(w + 1) for w in range(n_workers)][::-1])


def _lane(worker: int, n_workers: int) -> int:
    """Return the height of a worker: the first is on top."""
    return n_workers - 1 - worker


# --- where the data are -----------------------------------------------------------------------------------------------


def _lanes(there: Sequence[State], n_workers: int) -> tuple[Mark, ...]:
    """Return lines between the workers, and the lane of one that is dead."""
    x0, y0, x1, y1 = (
        PerFrame([[] if now.dead is None else [end(_lane(now.dead, n_workers))] for now in there])
        for end in (lambda y: -0.5, lambda y: y - 0.5, lambda y: 4.5, lambda y: y + 0.5)
    )
    dead = PerFrame([np.full(int(now.dead is not None), NO_CLASS, np.uint8) for now in there])
    edges = np.arange(1, n_workers) - 0.5
    x = np.tile([-0.5, 4.5, np.nan], len(edges))
    y = np.repeat(edges, 3)
    return (
        Rects(x0=x0, x1=x1, y0=y0, y1=y1, color=dead, opacity=[0.3], of=""),
        Line(x=x, y=y, color="muted", width=0.5, of=""),
    )


def _flow(plan: MapReduceStep, there: Sequence[State], n_workers: int) -> tuple[Mark, ...]:
    """Return the splits, the pairs for each reducer, and the results, wherever they are."""
    n_splits, n_reducers = len(plan.rounds[0].maps), len(plan.rounds[0].reduces)
    sent = [np.array([task.sent_bytes for task in each.maps], float) for each in plan.rounds]
    keys = [np.array([task.n_keys for task in each.reduces], float) for each in plan.rounds]
    splits = [_split_places(now, n_splits, n_workers) for now in there]
    copies = [_copy_places(now, n_splits, n_workers) for now in there]
    pairs = [_pair_places(now, sent[now.round], n_workers) for now in there]
    results = [_result_places(now, n_reducers, n_workers) for now in there]
    pair_sizes, result_sizes = ([_radii(amounts[now.round]) for now in there] for amounts in (sent, keys))
    labels = [
        f"split {m + 1}: {task.n_lines} lines, {size(task.n_bytes)}" for m, task in enumerate(plan.rounds[0].maps)
    ]
    ways = [f"pairs of map task {m + 1} for reducer {r + 1}" for m in range(n_splits) for r in range(n_reducers)]
    return (
        _points("split", splits, MAP, labels, size=[7.0]),
        _points(
            "split", copies, MAP, [f"second attempt at split {m + 1}" for m in range(n_splits)], size=[7.0], hollow=True
        ),
        _points("pairs", pairs, SHUFFLE, ways, size=per_frame(np.array(pair_sizes))),
        _points(
            "reducer",
            results,
            REDUCE,
            [f"reducer {r + 1}" for r in range(n_reducers)],
            size=per_frame(np.array(result_sizes)),
        ),
        *_numbers(splits, results),
    )


def _points(
    of: str, places: Sequence[Places], color: int, labels: Sequence[str], *, size: Any, hollow: bool = False
) -> Points:
    array = np.array(places)
    n = array.shape[1]
    return Points(
        x=per_frame(array[..., 0]),
        y=per_frame(array[..., 1]),
        color=np.full(n, color, np.uint8),
        hollow=np.full(n, hollow, np.uint8),
        size=size,
        labels=labels,
        tween=True,
        numbers=np.arange(n) + 1,
        of=of,
    )


def _numbers(splits: Sequence[Places], results: Sequence[Places]) -> tuple[Mark, ...]:
    """Return the numbers of splits and reducers beside them."""
    found = []
    for places, letter, gap in ((splits, "", 0.13), (results, "r", 0.2)):
        array = np.array(places)
        text = [f"{letter}{i + 1}" for i in range(array.shape[1])]
        x, y = per_frame(array[..., 0] + gap), per_frame(array[..., 1])
        found.append(Texts(x=x, y=y, text=text, anchor="start", dy=4, tween=True, of=""))
    return tuple(found)


def _split_places(now: State, n_splits: int, n_workers: int) -> Places:
    """Return the place of each split: in the input, or at the worker that reads it or has read it."""
    places = np.column_stack([np.full(n_splits, float(INPUT)), _spread(n_splits, n_workers)])
    at = now.mapped | {
        a.task: a.worker for a in now.running if a.kind == "map" and a.task not in now.mapped and not a.backup
    }
    for m, worker in at.items():
        places[m] = MAPPED, _lane(worker, n_workers) + SPREAD * _offset(m, n_splits)
    return places


def _copy_places(now: State, n_splits: int, n_workers: int) -> Places:
    """Return the places of second attempts at splits; NaN where there is none."""
    places = np.full((n_splits, 2), np.nan)
    for a in now.running:
        if a.kind == "map" and a.backup:
            places[a.task] = MAPPED, _lane(a.worker, n_workers) + SPREAD * _offset(a.task, n_splits)
    return places


def _pair_places(now: State, sent: Places, n_workers: int) -> Places:
    """Return the places of the pairs of each map task for each reducer; NaN before and after."""
    n_splits, n_reducers = sent.shape
    places = np.full((n_splits, n_reducers, 2), np.nan)
    for m, worker in now.mapped.items():
        for r in range(n_reducers):
            places[m, r] = PAIRS, _lane(worker, n_workers)
    for (m, r), worker in now.sent.items():
        places[m, r] = SENT, _lane(worker, n_workers)
    shift = np.array(
        [_offset(m * n_reducers + r, n_splits * n_reducers) for m in range(n_splits) for r in range(n_reducers)]
    )
    places[..., 1] += SPREAD * shift.reshape(n_splits, n_reducers)
    places[..., 0] += 0.25 * (np.arange(n_reducers) / max(n_reducers - 1, 1) - 0.5)
    places[sent == 0] = np.nan
    for r in now.reduced:
        places[:, r] = np.nan
    return places.reshape(-1, 2)


def _result_places(now: State, n_reducers: int, n_workers: int) -> Places:
    """Return the places of the reducers that have ended; NaN before."""
    places = np.full((n_reducers, 2), np.nan)
    for r, worker in now.reduced.items():
        places[r] = REDUCED, _lane(worker, n_workers) + SPREAD * _offset(r, n_reducers)
    return places


def _spread(n: int, n_workers: int) -> Places:
    """Return heights from top to bottom."""
    return np.linspace(n_workers - 1 + SPREAD, -SPREAD, n) if n > 1 else np.array([(n_workers - 1) / 2])


def _offset(i: int, n: int) -> float:
    """Return a height in a lane from 1, the first, to −1."""
    return 1 - 2 * i / (n - 1) if n > 1 else 0.0


def _radii(amounts: Places) -> Places:
    """Return radii whose discs are as large as the amounts, in pixels."""
    flat = amounts.ravel()
    radii: Places = 2.0 + 7.0 * np.sqrt(flat / max(flat.max(initial=0.0), 1.0))
    return radii


# --- when, and how much -----------------------------------------------------------------------------------------------


def _schedule_panel(plan: MapReduceStep, n_workers: int) -> Panel:
    end = plan.schedule[-1].end
    return Panel("schedule", Axis("seconds", 0.0, 1.02 * end), _lane_axis(n_workers), "Schedule of the tasks")


def _schedule(plan: MapReduceStep, kept: Sequence[MapReduceStep], n_workers: int) -> tuple[Mark, ...]:
    """Return bars of the tasks above bars of what a worker receives, as far as time has come; and the time."""
    bars = [a for a in plan.schedule if a.end > a.start]
    start, end = (np.array([getattr(a, name) for a in bars]) for name in ("start", "end"))
    now = np.array([step.time for step in kept])
    upper_first = start <= now[:, None] - 1e-12
    lane = np.array([_lane(a.worker, n_workers) for a in bars], float)
    moving = np.array([a.kind == "shuffle" for a in bars], bool)
    kinds = np.array([COLORS[a.kind] for a in bars], np.uint8)
    failed = np.array([a.outcome != "done" for a in bars], bool)
    color = np.where(failed & (end <= now[:, None]), np.uint8(NO_CLASS), kinds)
    tasks = [i for i, a in enumerate(bars) if a.kind != "shuffle"]
    names = [f"{'r' if bars[i].kind == 'reduce' else ''}{bars[i].task + 1}" for i in tasks]
    middle = np.where(upper_first, (start + np.minimum(end, now[:, None])) / 2, np.nan)[:, tasks]
    return (
        Rects(
            panel="schedule",
            x0=per_frame(np.where(upper_first, start, np.nan)),
            x1=per_frame(np.where(upper_first, np.minimum(end, now[:, None]), np.nan)),
            y0=np.where(moving, lane - 0.38, lane - 0.12),
            y1=np.where(moving, lane - 0.16, lane + 0.38),
            color=per_frame(color),
            opacity=[0.75],
            numbers=[a.task + 1 if a.kind == "map" else 0 for a in bars],
            of="split",
        ),
        Texts(panel="schedule", x=per_frame(middle), y=lane[tasks] + 0.13, text=names, dy=4, of=""),
        Line(
            panel="schedule",
            x=per_frame(np.repeat(now[:, None], 2, axis=1)),
            y=[-0.6, n_workers - 0.4],
            color="muted",
            width=1.0,
            of="",
        ),
    )


def _loads_panel(plan: MapReduceStep, n_reducers: int) -> Panel:
    most = max(max(task.n_pairs for task in each.reduces) for each in plan.rounds)
    x = Axis("reducer", 0.4, n_reducers + 0.6, integer=True)
    return Panel("loads", x, Axis("pairs", 0.0, 1.1 * max(most, 1), integer=True), "Pairs by reducer: skew", side=True)


def _loads(plan: MapReduceStep, there: Sequence[State], n_reducers: int) -> tuple[Mark, ...]:
    """Return bars of the pairs that each reducer has got, before those that it will get."""
    due = np.array([[task.n_pairs for task in plan.rounds[now.round].reduces] for now in there], float)
    got = np.zeros_like(due)
    for i, now in enumerate(there):
        for m, r in now.sent:
            got[i, r] += plan.rounds[now.round].maps[m].sent[r]
        for r in now.reduced:
            got[i, r] = due[i, r]
    return tuple(_bars("loads", heights, color, "reducer") for heights, color in ((due, NO_CLASS), (got, REDUCE)))


def _volumes_panel(plan: MapReduceStep) -> Panel:
    rows = _volumes_of(plan, [task for each in plan.rounds for task in each.maps], np.inf)
    x = Axis("pairs", 0.4, 3.6, ticks=("", "emitted", "sent", "moved"))
    return Panel("volumes", x, Axis("bytes", 0.0, 1.1 * max(*rows, 1.0)), "Communication", side=True)


def _volumes(plan: MapReduceStep, kept: Sequence[MapReduceStep], there: Sequence[State]) -> tuple[Mark, ...]:
    """Return bars of the bytes so far: emitted by the mappers, sent by them, moved over the network."""
    heights = []
    for step, now in zip(kept, there, strict=True):
        before = [task for each in plan.rounds[: now.round] for task in each.maps]
        mapped = [plan.rounds[now.round].maps[m] for m in sorted(now.mapped)]
        heights.append(_volumes_of(plan, before + mapped, step.time))
    return (_bars("volumes", np.array(heights), SHUFFLE),)


def _volumes_of(plan: MapReduceStep, tasks: Sequence[MapTask], time: float) -> tuple[float, float, float]:
    return (
        float(sum(task.emitted_bytes for task in tasks)),
        float(sum(task.sent_bytes.sum() for task in tasks)),
        float(sum(a.n_bytes for a in plan.schedule if a.end <= time)),
    )


def _bars(panel: str, heights: Places, color: int, of: str = "") -> Rects:
    x = np.arange(1, heights.shape[1] + 1, dtype=float)
    colors = np.full(len(x), color, np.uint8)
    return Rects(
        panel=panel, x0=x - 0.4, x1=x + 0.4, y0=0 * x, y1=per_frame(heights), color=colors, opacity=[0.7],
        numbers=x, of=of,
    )  # fmt: skip
