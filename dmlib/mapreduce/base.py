"""What all MapReduce jobs have in common: they run for real, and their schedule on a cluster is told step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.mapreduce.execution import Round, rounds
from dmlib.mapreduce.jobs import Job, Line, Value
from dmlib.mapreduce.simulation import Attempt, Cluster, simulate
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params


@dataclass(frozen=True)
class MapReduceStep:
    """What ends at a moment of the schedule.

    Attributes
    ----------
    phase : {"split", "map", "combine", "shuffle", "reduce", "backup", "fail", "lost", "done"}
        What happens: the input is cut, a task or a transfer ends, a worker dies, the job is done.
    time : float
        Seconds since the start.
    attempt : Attempt or None
        What ends.
    schedule : tuple of Attempt
        The whole schedule, in the first step.
    rounds : tuple of Round
        What all tasks have done, in the first step.
    n_keys, n_emitted, n_shuffled : int or None
        At the end: the keys of the result, the pairs that the mappers emitted, and those that left
        them.
    makespan : float or None
        At the end: the seconds that the job takes.
    """

    phase: str
    time: float
    attempt: Attempt | None = None
    schedule: tuple[Attempt, ...] = ()
    rounds: tuple[Round, ...] = ()
    n_keys: int | None = None
    n_emitted: int | None = None
    n_shuffled: int | None = None
    makespan: float | None = None


class _MapReduce(BaseEstimator):
    """A job; it is for those who derive from it."""

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
        """Learn what ``fit`` would from the steps on the same lines, without running the job again."""
        plan, *_, end = steps
        result = plan.rounds[-1].result
        self.keys_ = sorted(result)
        self.result_: dict[str, Value] = {key: result[key] for key in self.keys_}
        self.values_: NDArray[np.float64] = np.array(
            [self.result_[key] for key in self.keys_], float
        )
        self.total_ = float(self.values_.sum())
        self.n_keys_, self.n_emitted_, self.n_shuffled_ = end.n_keys, end.n_emitted, end.n_shuffled
        self.makespan_ = end.makespan
        self.n_bytes_ = sum(attempt.n_bytes for attempt in plan.schedule)
        self.history_, self.attempts_ = plan.rounds, plan.schedule
        return self

    def steps(self, X: Iterable[str], y: Iterable[Any] | None = None) -> Iterator[MapReduceStep]:
        """Run the job, and yield what ends on its cluster, in the order of time."""
        check_params(self.PARAMS, self.get_params())
        if self.failure is not None and self.n_workers == 1:
            raise ValueError(
                "The only worker fails, and no worker is left for its tasks. Choose two workers or"
                " more."
            )
        lines = lines_of(X, y)
        how = {
            name: getattr(self, name)
            for name in ("n_splits", "n_reducers", "combiner", "partitioner")
        }
        done = tuple(rounds(self._job(lines), lines, **how))
        yield from self._told(done, self.scheduled(done))

    def scheduled(self, done: Sequence[Round], n_workers: int | None = None) -> tuple[Attempt, ...]:
        """Return the schedule of what was done, on other numbers of workers too."""
        workers = n_workers or self.n_workers
        cluster = Cluster(workers, self.speed, self.bandwidth, self.slowdown, self.speculation)
        schedule = simulate(done, cluster, combiner=self.combiner)
        if self.failure is None or workers == 1:
            return schedule
        when = self.failure / 100 * schedule[-1].end
        failing = Cluster(
            workers, self.speed, self.bandwidth, self.slowdown, self.speculation, when
        )
        return simulate(done, failing, combiner=self.combiner)

    def _job(self, lines: Sequence[Line]) -> Job:
        raise NotImplementedError

    def _told(
        self, done: tuple[Round, ...], schedule: tuple[Attempt, ...]
    ) -> Iterator[MapReduceStep]:
        yield MapReduceStep("split", 0.0, None, schedule, done)
        for attempt in schedule:
            for phase in self._phases(attempt):
                yield MapReduceStep(phase, attempt.end, attempt)
        maps, end = [task for each in done for task in each.maps], schedule[-1].end
        n_emitted, n_shuffled = (
            sum(task.n_emitted for task in maps),
            int(sum(task.sent.sum() for task in maps)),
        )
        yield MapReduceStep(
            "done", end, None, (), (), len(done[-1].result), n_emitted, n_shuffled, end
        )

    def _phases(self, attempt: Attempt) -> tuple[str, ...]:
        if attempt.outcome == "lost":
            return ("lost",)
        if attempt.outcome == "stopped":
            return ("backup",)
        return ("map", "combine") if attempt.kind == "map" and self.combiner else (attempt.kind,)

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
