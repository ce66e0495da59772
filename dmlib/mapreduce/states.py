"""The workers with the splits, pairs and results after each step of a MapReduce job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.simulation import Attempt


@dataclass(frozen=True)
class State:
    """The workers that have the data after a step.

    Attributes
    ----------
    running : list of Attempt
        The tasks that are running.
    mapped, reduced : dict of int to int
        The worker of each map task and reducer that has ended.
    sent : dict of (int, int) to int
        The worker that has received the pairs of a map task for a reducer.
    dead : int or None
        The worker that has failed.
    round : int
        The round.
    """

    running: list[Attempt] = field(default_factory=list)
    mapped: dict[int, int] = field(default_factory=dict)
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    reduced: dict[int, int] = field(default_factory=dict)
    dead: int | None = None
    round: int = 0


def states(steps: Sequence[MapReduceStep]) -> list[State]:
    """Return the state after each step, of which the first has the schedule of all."""
    follow = partial(_next_state, steps[0].schedule)
    return list(accumulate(steps, follow, initial=State()))[1:]


def _next_state(schedule: Sequence[Attempt], state: State, step: MapReduceStep) -> State:
    attempt = step.attempt
    if attempt is not None:
        if attempt.round != state.round:
            state = State(dead=state.dead, round=attempt.round)
        state = _after(attempt, state, schedule)
    if step.phase == "done":
        return replace(state, running=[])
    tasks = [a for a in schedule if a.kind in {"map", "reduce"} and a.round == state.round]
    return replace(state, running=[a for a in tasks if a.start <= step.time < a.end])


def _after(ended: Attempt, state: State, schedule: Sequence[Attempt]) -> State:
    """Return the state after an attempt has ended."""
    if ended.kind == "fail":
        return _after_failure(ended, state, schedule)
    if ended.outcome != "done":
        return state
    if ended.kind == "map":
        return replace(state, mapped=state.mapped | {ended.task: ended.worker})
    if ended.kind == "shuffle":
        return replace(state, sent=state.sent | {(ended.task, ended.reducer): ended.worker})
    return replace(state, reduced=state.reduced | {ended.task: ended.worker})


def _after_failure(failure: Attempt, state: State, schedule: Sequence[Attempt]) -> State:
    """Return the state without the pairs of a worker, which map tasks produce anew if needed."""
    dead = failure.worker
    maps = [a for a in schedule if a.kind == "map" and a.round == failure.round]
    repeated = {a.task for a in maps if a.start >= failure.end}
    sent = {pair: worker for pair, worker in state.sent.items() if worker != dead}
    mapped = {
        m: worker for m, worker in state.mapped.items() if worker != dead or m not in repeated
    }
    return replace(state, dead=dead, sent=sent, mapped=mapped)
