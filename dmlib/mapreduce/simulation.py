"""When each task of a job runs on which worker: a model of a cluster, and its schedule of the real tasks.

The tasks, their pairs and their bytes are those of a real run. Their durations follow from these
counts and from two speeds, so that the same link shows the same schedule on every machine.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

from dmlib.mapreduce.execution import Round
from dmlib.trace import look

STARTUP = 0.1
"""Seconds that a worker needs to begin a task."""

SLOW = 0
"""The number of the worker that can be slow; the one that can fail is the last."""


@dataclass(frozen=True)
class Cluster:
    """Some workers, which do one task at a time, and the network between them.

    Attributes
    ----------
    n_workers : int
        How many there are.
    speed : float
        Pairs that a worker handles in a second.
    bandwidth : float
        Bytes that a worker receives in a second.
    slowdown : float
        How many times slower the first worker is.
    speculation : bool
        Whether an idle worker does a running task once more, if it would be ready before.
    failure : float or None
        When the last worker dies, in seconds; None: never.
    """

    n_workers: int
    speed: float
    bandwidth: float
    slowdown: float = 1.0
    speculation: bool = False
    failure: float | None = None


@dataclass(frozen=True)
class Attempt:
    """One attempt at a task, or one transfer of the shuffle.

    Attributes
    ----------
    kind : {"map", "shuffle", "reduce", "fail"}
        What it is; a worker that fails is written down too.
    round : int
        The round, from 0.
    task : int
        The split or the reducer; of a transfer, the split that it comes from; -1 of a failure.
    reducer : int
        Where a transfer goes; otherwise -1.
    worker, source : int
        Who does or receives it; from whom a transfer comes, otherwise -1.
    start, end : float
        In seconds.
    outcome : {"done", "lost", "stopped"}
        Lost with a worker, or stopped since another attempt was ready before.
    backup : bool
        Whether it is a speculative second attempt.
    n_bytes : int
        What a transfer moves over the network, 0 within a worker.
    """

    kind: Literal["map", "shuffle", "reduce", "fail"]
    round: int
    task: int
    worker: int
    start: float
    end: float
    reducer: int = -1
    source: int = -1
    outcome: Literal["done", "lost", "stopped"] = "done"
    backup: bool = False
    n_bytes: int = 0


def simulate(rounds: Sequence[Round], cluster: Cluster, *, combiner: bool) -> tuple[Attempt, ...]:
    """Schedule the tasks of a job on a cluster.

    Map tasks begin in the order of their splits wherever a worker is idle. Their pairs are fetched
    by the workers of the reducers as soon as they are there, one after the other; a reducer begins
    when it has all. A round begins when the one before is over. With a worker, its running tasks
    and its finished pairs that somebody still needs are lost and done again elsewhere.

    Parameters
    ----------
    rounds : sequence of Round
        What was done.
    cluster : Cluster
        On what.
    combiner : bool
        Whether the mappers combine, which costs them a second look at each pair.

    Returns
    -------
    tuple of Attempt
        In the order of their ends.

    References
    ----------
    J. Dean and S. Ghemawat (2004), MapReduce, sections 3.3 and 3.6.
    M. Zaharia et al. (2008), Improving MapReduce performance in heterogeneous environments: the
    task that would end last is done once more.
    """
    alive, now, attempts = list(range(cluster.n_workers)), 0.0, list[Attempt]()
    for number, done in enumerate(rounds):
        schedule = _Schedule(number, done, cluster, combiner, alive, now)
        now = schedule.run()
        attempts += schedule.attempts
    order = sorted(range(len(attempts)), key=lambda i: (attempts[i].end, i))
    return tuple(attempts[i] for i in order)


class _Schedule:
    """The schedule of one round; ``alive`` is shared by all."""

    def __init__(
        self,
        number: int,
        done: Round,
        cluster: Cluster,
        combiner: bool,
        alive: list[int],
        start: float,
    ) -> None:
        self.number, self.round, self.cluster, self.alive, self.now = (
            number,
            done,
            cluster,
            alive,
            start,
        )
        self.map_work = [
            task.n_lines + task.n_emitted * (2 if combiner else 1) for task in done.maps
        ]
        self.reduce_work = [task.n_pairs + task.n_keys for task in done.reduces]
        self.attempts: list[Attempt] = []
        self.running: dict[int, Attempt] = {}  # worker: what it does, with the end to come
        self.waiting = deque(range(len(done.maps)))
        self.at: dict[int, int] = {}  # map task that is done: where its pairs are
        self.home = [alive[r % len(alive)] for r in range(len(done.reduces))]
        self.got: list[set[int]] = [set() for _ in done.reduces]
        self.reduced: set[int] = set()
        self.queues: dict[int, deque[tuple[int, int]]] = {worker: deque() for worker in alive}
        self.receiving: dict[int, Attempt] = {}  # worker: the transfer in hand
        self.events: list[
            Any
        ] = []  # when, a number that settles ties, and what ends: None stands for the failure
        self.order = count()

    def run(self) -> float:
        """Run the round; return when it ends."""
        failure, last = self.cluster.failure, self.cluster.n_workers - 1
        if failure is not None and last in self.alive:
            heapq.heappush(self.events, (max(failure, self.now), -1, None))
        self._assign()
        while len(self.reduced) < len(self.round.reduces):
            look()
            event: tuple[float, int, Any] = heapq.heappop(self.events)
            self.now, _, ended = event
            if ended is None:
                self._fail(last)
            elif ended in self.running.values():
                self._task_ends(ended)
            elif ended in self.receiving.values():
                self._transfer_ends(ended)
            self._assign()
        for attempt in list(self.running.values()):
            self._end(attempt, "stopped")
        return self.now

    # --- tasks ------------------------------------------------------------------------------------

    def _assign(self) -> None:
        for worker in self.alive:
            if worker not in self.running and (attempt := self._next(worker)) is not None:
                self.running[worker] = attempt
                heapq.heappush(self.events, (attempt.end, next(self.order), attempt))

    def _next(self, worker: int) -> Attempt | None:
        """Return what an idle worker begins."""
        if self.waiting:
            return self._attempt("map", self.waiting.popleft(), worker)
        at_work = {attempt.task for attempt in self.running.values() if attempt.kind == "reduce"}
        for r, home in enumerate(self.home):
            if (
                home == worker
                and r not in self.reduced | at_work
                and len(self.got[r]) == len(self.round.maps)
            ):
                return self._attempt("reduce", r, worker)
        return self._backup(worker) if self.cluster.speculation else None

    def _backup(self, worker: int) -> Attempt | None:
        """Return a second attempt at the task that would end last, if it would end before."""
        tasks = [(attempt.kind, attempt.task) for attempt in self.running.values()]
        alone = [a for a in self.running.values() if tasks.count((a.kind, a.task)) == 1]
        for slow in sorted(alone, key=lambda attempt: -attempt.end):
            again = replace(self._attempt(slow.kind, slow.task, worker), backup=True)
            if again.end < slow.end - 1e-9:
                return again
        return None

    def _attempt(self, kind: Any, task: int, worker: int) -> Attempt:
        work = (self.map_work if kind == "map" else self.reduce_work)[task]
        seconds = STARTUP + work / self.cluster.speed
        seconds *= self.cluster.slowdown if worker == SLOW else 1.0
        if (
            kind == "reduce" and worker != self.home[task]
        ):  # it has to fetch what the other has already
            seconds += self.round.reduces[task].n_bytes / self.cluster.bandwidth
        return Attempt(kind, self.number, task, worker, self.now, self.now + seconds)

    def _task_ends(self, attempt: Attempt) -> None:
        self._end(attempt, "done")
        for other in [
            a for a in self.running.values() if (a.kind, a.task) == (attempt.kind, attempt.task)
        ]:
            self._end(other, "stopped")
        if attempt.kind == "reduce":
            self.reduced.add(attempt.task)
            return
        self.at[attempt.task] = attempt.worker
        for r in range(len(self.home)):
            self._send(attempt.task, r)

    def _end(self, attempt: Attempt, outcome: Any) -> None:
        del self.running[attempt.worker]
        self.attempts.append(replace(attempt, end=self.now, outcome=outcome))

    # --- the shuffle ------------------------------------------------------------------------------

    def _send(self, task: int, r: int) -> None:
        """Let the pairs of a map task go to a reducer; within a worker they are there at once."""
        if r in self.reduced or task in self.got[r]:
            return
        source, worker, size = self.at[task], self.home[r], int(self.round.maps[task].sent_bytes[r])
        if source != worker and size:
            self.queues[worker].append((task, r))
            self._receive(worker)
            return
        self.got[r].add(task)
        if size:
            self.attempts.append(
                Attempt("shuffle", self.number, task, worker, self.now, self.now, r, source)
            )

    def _receive(self, worker: int) -> None:
        """Begin the next transfer to a worker, if it receives nothing."""
        if worker in self.receiving or not self.queues[worker]:
            return
        task, r = self.queues[worker].popleft()
        size = int(self.round.maps[task].sent_bytes[r])
        end = self.now + size / self.cluster.bandwidth
        transfer = Attempt(
            "shuffle", self.number, task, worker, self.now, end, r, self.at[task], n_bytes=size
        )
        self.receiving[worker] = transfer
        heapq.heappush(self.events, (end, next(self.order), transfer))

    def _transfer_ends(self, transfer: Attempt, outcome: Any = "done") -> None:
        worker = transfer.worker
        del self.receiving[worker]
        self.attempts.append(replace(transfer, end=self.now, outcome=outcome))
        if outcome == "done":
            self.got[transfer.reducer].add(transfer.task)
        if worker in self.alive:
            self._receive(worker)

    # --- a worker dies ----------------------------------------------------------------------------

    def _fail(self, worker: int) -> None:
        self.alive.remove(worker)
        self.attempts.append(Attempt("fail", self.number, -1, worker, self.now, self.now))
        lost = self.running.get(worker)
        if lost is not None:
            self._end(lost, "lost")
            if lost.kind == "map" and all(
                (a.kind, a.task) != ("map", lost.task) for a in self.running.values()
            ):
                self.waiting.append(lost.task)
        self._lose_transfers(worker)
        moved = self._rehome(worker)
        gone = sorted(task for task, at in self.at.items() if at == worker)
        needed = [task for task in gone if any(self._needs(r, task) for r in range(len(self.home)))]
        for task in gone:
            del self.at[task]
        self.waiting.extend(needed)
        for r in moved:
            for task in sorted(self.at):
                self._send(task, r)

    def _needs(self, r: int, task: int) -> bool:
        return r not in self.reduced and task not in self.got[r]

    def _lose_transfers(self, worker: int) -> None:
        """Drop what was to come from a worker, or to go to it."""
        from_it = {task for task, at in self.at.items() if at == worker}
        for receiver, queue in self.queues.items():
            kept = [pair for pair in queue if pair[0] not in from_it and receiver != worker]
            queue.clear()
            queue.extend(kept)
        for transfer in list(self.receiving.values()):
            if worker in (transfer.worker, transfer.source):
                self._transfer_ends(transfer, "lost")

    def _rehome(self, worker: int) -> list[int]:
        """Give the unfinished reducers of a worker to others; return those that have to fetch their pairs again."""
        moved = []
        for r, home in enumerate(self.home):
            if home != worker or r in self.reduced:
                continue
            second = [a.worker for a in self.running.values() if (a.kind, a.task) == ("reduce", r)]
            self.home[r] = (
                second[0] if second else min(self.alive, key=lambda w: (self.home.count(w), w))
            )
            if not second:
                self.got[r] = set()
                moved.append(r)
        return moved
