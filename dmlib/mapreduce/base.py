"""The base of all MapReduce jobs: their run, and its schedule on a cluster, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.mapreduce.execution import Round, rounds
from dmlib.mapreduce.jobs import Job, Line, Value
from dmlib.mapreduce.simulation import Attempt, Cluster, simulate
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params

Phase = Literal["split", "map", "combine", "shuffle", "reduce", "backup", "fail", "lost", "done"]


@dataclass(frozen=True)
class MapReduceStep:
    """The end of a task or a transfer in the schedule.

    Attributes
    ----------
    phase : {"split", "map", "combine", "shuffle", "reduce", "backup", "fail", "lost", "done"}
        The input is cut, a task or a transfer ends, a worker dies, the job is done.
    time : float
        Seconds since the start.
    attempt : Attempt or None
        The task or transfer.
    schedule : tuple of Attempt
        The complete schedule, in the first step.
    rounds : tuple of Round
        The records of all tasks, in the first step.
    n_keys, n_emitted, n_shuffled : int or None
        At the end: the keys of the result, the pairs that the mappers emitted, and those that left
        them.
    makespan : float or None
        At the end: the seconds that the job takes.
    """

    phase: Phase
    time: float
    attempt: Attempt | None = None
    schedule: tuple[Attempt, ...] = ()
    rounds: tuple[Round, ...] = ()
    n_keys: int | None = None
    n_emitted: int | None = None
    n_shuffled: int | None = None
    makespan: float | None = None


class _MapReduce(BaseEstimator):
    """The base of all jobs."""

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_splits": Integer(1, 64, shown=(1, 12)),
        "n_reducers": Integer(1, 32, shown=(1, 6)),
        "combiner": Flag(),
        "partitioner": Choice(("hash", "range")),
        "n_workers": Integer(1, 32, shown=(1, 6)),
        "speed": Number(1.0, 1e9, shown=(100.0, 10_000.0), log=True),
        "bandwidth": Number(1.0, 1e12, shown=(100.0, 1e6), log=True),
        "slowdown": Number(1.0, 100.0, shown=(1.0, 10.0), step=0.5),
        "speculation": Flag(),
        "failure": Integer(1, 99, shown=(5, 95), none="no worker fails"),
    }

    def __init__(
        self,
        *,
        n_splits: int = 6,
        n_reducers: int = 3,
        combiner: bool = True,
        partitioner: str = "hash",
        n_workers: int = 3,
        speed: float = 1000.0,
        bandwidth: float = 2000.0,
        slowdown: float = 1.0,
        speculation: bool = False,
        failure: int | None = None,
    ) -> None:
        self.n_splits = n_splits
        self.n_reducers = n_reducers
        self.combiner = combiner
        self.partitioner = partitioner
        self.n_workers = n_workers
        self.speed = speed
        self.bandwidth = bandwidth
        self.slowdown = slowdown
        self.speculation = speculation
        self.failure = failure

    def fit(self, X: Iterable[str], y: Iterable[Any] | None = None) -> Self:
        """Run the job on lines of text ``X``; ``y`` has their classes, where the job needs them."""
        return self.fit_from(tuple(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: Sequence[MapReduceStep], X: Iterable[str], y: Iterable[Any] | None = None
    ) -> Self:
        """Become fitted as ``fit`` would, from all the steps on the same lines."""
        plan, *_, last = steps
        result = plan.rounds[-1].result
        self.keys_ = sorted(result)
        self.result_: dict[str, Value] = {key: result[key] for key in self.keys_}
        self.values_: NDArray[np.float64] = np.array([*self.result_.values()], float)
        self.total_ = float(self.values_.sum())
        self.n_keys_ = last.n_keys
        self.n_emitted_ = last.n_emitted
        self.n_shuffled_ = last.n_shuffled
        self.makespan_ = last.makespan
        self.n_bytes_ = sum(attempt.n_bytes for attempt in plan.schedule)
        self.history_ = plan.rounds
        self.attempts_ = plan.schedule
        return self

    def steps(self, X: Iterable[str], y: Iterable[Any] | None = None) -> Iterator[MapReduceStep]:
        """Run the job, and yield the ends of its tasks and transfers, in the order of time."""
        check_params(self.PARAMS, self.get_params())
        if self.failure is not None and self.n_workers == 1:
            raise ValueError(
                "The only worker fails, and no worker is left for its tasks. Choose two workers or"
                " more."
            )
        lines = lines_of(X, y)
        history = rounds(
            self._job(lines),
            lines,
            n_splits=self.n_splits,
            n_reducers=self.n_reducers,
            combiner=self.combiner,
            partitioner=self.partitioner,
        )
        yield from self._schedule_steps(tuple(history))

    def scheduled(
        self, history: Sequence[Round], n_workers: int | None = None
    ) -> tuple[Attempt, ...]:
        """Return the schedule of the tasks of all rounds, also for another number of workers."""
        workers = n_workers or self.n_workers
        cluster = Cluster(workers, self.speed, self.bandwidth, self.slowdown, self.speculation)
        schedule = simulate(history, cluster, combiner=self.combiner)
        if self.failure is None or workers == 1:
            return schedule
        failing = replace(cluster, failure=self.failure / 100 * schedule[-1].end)
        return simulate(history, failing, combiner=self.combiner)

    def _job(self, lines: Sequence[Line]) -> Job:
        raise NotImplementedError

    def _schedule_steps(self, history: tuple[Round, ...]) -> Iterator[MapReduceStep]:
        schedule = self.scheduled(history)
        yield MapReduceStep("split", 0.0, schedule=schedule, rounds=history)
        for attempt in schedule:
            for phase in self._phases(attempt):
                yield MapReduceStep(phase, attempt.end, attempt)
        end = schedule[-1].end
        maps = [task for tasks in history for task in tasks.maps]
        yield MapReduceStep(
            "done",
            end,
            n_keys=len(history[-1].result),
            n_emitted=sum(task.n_emitted for task in maps),
            n_shuffled=int(sum(task.sent.sum() for task in maps)),
            makespan=end,
        )

    def _phases(self, attempt: Attempt) -> tuple[Phase, ...]:
        if attempt.outcome == "lost":
            return ("lost",)
        if attempt.outcome == "stopped":
            return ("backup",)
        if attempt.kind == "map" and self.combiner:
            return ("map", "combine")
        return (attempt.kind,)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags


def lines_of(X: Iterable[str], y: Iterable[Any] | None = None) -> list[Line]:
    """Return lines of text with their numbers and classes."""
    texts = [X] if isinstance(X, str) else [str(text) for text in X]
    if not texts:
        raise ValueError("There are no lines. Give at least one.")
    kinds = [""] * len(texts) if y is None else [str(kind) for kind in y]
    if len(kinds) != len(texts):
        raise ValueError(
            f"There are {len(texts)} lines, but {len(kinds)} classes. Give one class for each line."
        )
    return [(i, text, kind) for i, (text, kind) in enumerate(zip(texts, kinds, strict=True))]
