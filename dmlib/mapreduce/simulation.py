"""A model of a cluster, and its schedule of the real tasks of a job.

The tasks, their pairs and their bytes are those of a real run. Their durations follow from these
counts and from two speeds, so that the same link shows the same schedule on every machine.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from dmlib.mapreduce.execution import Round
from dmlib.trace import look

Kind = Literal["map", "shuffle", "reduce", "fail"]
Outcome = Literal["done", "lost", "stopped"]

STARTUP = 0.1
"""Seconds that a worker needs to begin a task."""
SLOW = 0
"""The number of the worker that can be slow; the one that can fail is the last."""


@dataclass(frozen=True)
class Cluster:
    """Workers, which do one task at a time, and the network between them.

    Attributes
    ----------
    n_workers : int
        Their number.
    speed : float
        Pairs that a worker handles in a second.
    bandwidth : float
        Bytes that a worker receives in a second.
    slowdown : float
        The factor by which the first worker is slower.
    speculation : bool
        Whether an idle worker repeats a running task, if it would be ready before.
    failure : float or None
        The time at which the last worker dies, in seconds; None: never.
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
        Its kind; the failure of a worker is an attempt too.
    round : int
        The round, from 0.
    task : int
        The split or the reducer; of a transfer, the split that it comes from; -1 of a failure.
    reducer : int
        The reducer of a transfer; otherwise -1.
    worker, source : int
        The worker that does or receives it; that from which a transfer comes, otherwise -1.
    start, end : float
        In seconds.
    outcome : {"done", "lost", "stopped"}
        Whether it was lost with a worker, or stopped since another attempt was ready before.
    backup : bool
        Whether it is a speculative second attempt.
    n_bytes : int
        The bytes that a transfer moves over the network, 0 within a worker.
    """

    kind: Kind
    round: int
    task: int
    worker: int
    start: float
    end: float
    reducer: int = -1
    source: int = -1
    outcome: Outcome = "done"
    backup: bool = False
    n_bytes: int = 0


def simulate(rounds: Sequence[Round], cluster: Cluster, *, combiner: bool) -> tuple[Attempt, ...]:
    """Schedule the tasks of a job on a cluster.

    Map tasks begin in the order of their splits on idle workers. Their pairs are fetched by the
    workers of the reducers as soon as they are ready, one after the other; a reducer begins when it
    has all. A round begins when the one before is over. With a worker, its running tasks and its
    finished pairs that a reducer still needs are lost and repeated by other workers.

    Parameters
    ----------
    rounds : sequence of Round
        The tasks.
    cluster : Cluster
        The cluster.
    combiner : bool
        Whether the mappers combine, which makes them handle each pair twice.

    Returns
    -------
    tuple of Attempt
        The schedule, in the order of ends.

    References
    ----------
    J. Dean and S. Ghemawat (2004), MapReduce, sections 3.3 and 3.6.
    M. Zaharia et al. (2008), Improving MapReduce performance in heterogeneous environments: the
    task that would end last is done once more.
    """
    alive = list(range(cluster.n_workers))
    attempts: list[Attempt] = []
    time = 0.0
    for number, tasks in enumerate(rounds):
        schedule = _Schedule(number, tasks, cluster, combiner, alive, time)
        time = schedule.run()
        attempts += schedule.attempts
    order = sorted(range(len(attempts)), key=lambda i: (attempts[i].end, i))
    return tuple(attempts[i] for i in order)


class _Schedule:
    """The schedule of one round; ``alive`` is shared by all."""

    def __init__(
        self,
        number: int,
        tasks: Round,
        cluster: Cluster,
        combiner: bool,
        alive: list[int],
        start: float,
    ) -> None:
        self.number = number
        self.round = tasks
        self.cluster = cluster
        self.alive = alive
        self.time = start
        n_passes = 2 if combiner else 1
        self.map_work = [task.n_lines + n_passes * task.n_emitted for task in tasks.maps]
        self.reduce_work = [task.n_pairs + task.n_keys for task in tasks.reduces]
        self.attempts: list[Attempt] = []
        self.running: dict[int, Attempt] = {}  # by worker, with the end to come
        self.waiting = deque(range(len(tasks.maps)))
        self.at: dict[int, int] = {}  # the worker with the pairs of a finished map task
        self.home = [alive[r % len(alive)] for r in range(len(tasks.reduces))]  # of each reducer
        self.received: list[set[int]] = [set() for _ in tasks.reduces]
        self.reduced: set[int] = set()
        self.queues: dict[int, deque[tuple[int, int]]] = {worker: deque() for worker in alive}
        self.receiving: dict[int, Attempt] = {}  # by worker
        # The time, a number that settles ties, and the attempt that ends; None is the failure:
        self.events: list[tuple[float, int, Attempt | None]] = []
        self.order = count()

    def run(self) -> float:
        """Run the round; return the time of its end."""
        failure, last = self.cluster.failure, self.cluster.n_workers - 1
        if failure is not None and last in self.alive:
            heapq.heappush(self.events, (max(failure, self.time), -1, None))
        self._assign()
        while len(self.reduced) < len(self.round.reduces):
            look()
            self.time, _, ended = heapq.heappop(self.events)
            if ended is None:
                self._fail(last)
            elif ended in self.running.values():
                self._task_ends(ended)
            elif ended in self.receiving.values():
                self._transfer_ends(ended)
            self._assign()
        for attempt in list(self.running.values()):
            self._end(attempt, "stopped")
        return self.time

    # --- tasks ------------------------------------------------------------------------------------

    def _assign(self) -> None:
        for worker in self.alive:
            if worker not in self.running and (attempt := self._next(worker)) is not None:
                self.running[worker] = attempt
                heapq.heappush(self.events, (attempt.end, next(self.order), attempt))

    def _next(self, worker: int) -> Attempt | None:
        """Return the attempt that an idle worker begins."""
        if self.waiting:
            return self._attempt("map", self.waiting.popleft(), worker)
        running = {attempt.task for attempt in self.running.values() if attempt.kind == "reduce"}
        for r, home in enumerate(self.home):
            is_ready = len(self.received[r]) == len(self.round.maps)
            if home == worker and is_ready and r not in self.reduced | running:
                return self._attempt("reduce", r, worker)
        return self._backup(worker) if self.cluster.speculation else None

    def _backup(self, worker: int) -> Attempt | None:
        """Return a second attempt at the task that would end last, if it would end before."""
        tasks = Counter((attempt.kind, attempt.task) for attempt in self.running.values())
        single = [a for a in self.running.values() if tasks[a.kind, a.task] == 1]
        for slow in sorted(single, key=lambda attempt: -attempt.end):
            backup = replace(self._attempt(slow.kind, slow.task, worker), backup=True)
            if backup.end < slow.end - 1e-9:
                return backup
        return None

    def _attempt(self, kind: Kind, task: int, worker: int) -> Attempt:
        work = (self.map_work if kind == "map" else self.reduce_work)[task]
        seconds = STARTUP + work / self.cluster.speed
        if worker == SLOW:
            seconds *= self.cluster.slowdown
        if kind == "reduce" and worker != self.home[task]:  # it fetches the pairs of the other
            seconds += self.round.reduces[task].n_bytes / self.cluster.bandwidth
        return Attempt(kind, self.number, task, worker, self.time, self.time + seconds)

    def _task_ends(self, attempt: Attempt) -> None:
        self._end(attempt, "done")
        for running in list(self.running.values()):
            if (running.kind, running.task) == (attempt.kind, attempt.task):
                self._end(running, "stopped")
        if attempt.kind == "reduce":
            self.reduced.add(attempt.task)
            return
        self.at[attempt.task] = attempt.worker
        for r in range(len(self.home)):
            self._send(attempt.task, r)

    def _end(self, attempt: Attempt, outcome: Outcome) -> None:
        del self.running[attempt.worker]
        self.attempts.append(replace(attempt, end=self.time, outcome=outcome))

    # --- the shuffle ------------------------------------------------------------------------------

    def _send(self, task: int, r: int) -> None:
        """Queue the pairs of a map task for a reducer; within a worker they need no transfer."""
        if r in self.reduced or task in self.received[r]:
            return
        source, worker = self.at[task], self.home[r]
        size = int(self.round.maps[task].sent_bytes[r])
        if source != worker and size:
            self.queues[worker].append((task, r))
            self._receive(worker)
            return
        self.received[r].add(task)
        if size:
            time = self.time
            move = Attempt("shuffle", self.number, task, worker, time, time, r, source)
            self.attempts.append(move)

    def _receive(self, worker: int) -> None:
        """Begin the next transfer to a worker, if it receives nothing."""
        if worker in self.receiving or not self.queues[worker]:
            return
        task, r = self.queues[worker].popleft()
        size = int(self.round.maps[task].sent_bytes[r])
        end = self.time + size / self.cluster.bandwidth
        transfer = Attempt(
            "shuffle", self.number, task, worker, self.time, end, r, self.at[task], n_bytes=size
        )
        self.receiving[worker] = transfer
        heapq.heappush(self.events, (end, next(self.order), transfer))

    def _transfer_ends(self, transfer: Attempt, outcome: Outcome = "done") -> None:
        worker = transfer.worker
        del self.receiving[worker]
        self.attempts.append(replace(transfer, end=self.time, outcome=outcome))
        if outcome == "done":
            self.received[transfer.reducer].add(transfer.task)
        if worker in self.alive:
            self._receive(worker)

    # --- a worker dies ----------------------------------------------------------------------------

    def _fail(self, worker: int) -> None:
        self.alive.remove(worker)
        self.attempts.append(Attempt("fail", self.number, -1, worker, self.time, self.time))
        lost = self.running.get(worker)
        if lost is not None:
            self._end(lost, "lost")
            running = {(attempt.kind, attempt.task) for attempt in self.running.values()}
            if lost.kind == "map" and ("map", lost.task) not in running:
                self.waiting.append(lost.task)
        self._lose_transfers(worker)
        moved_reducers = self._rehome(worker)
        lost_tasks = sorted(task for task, at in self.at.items() if at == worker)
        reducers = range(len(self.home))
        for task in lost_tasks:
            del self.at[task]
            if any(self._needs(r, task) for r in reducers):
                self.waiting.append(task)
        for r in moved_reducers:
            for task in sorted(self.at):
                self._send(task, r)

    def _needs(self, r: int, task: int) -> bool:
        return r not in self.reduced and task not in self.received[r]

    def _lose_transfers(self, worker: int) -> None:
        """Drop the transfers from a worker and to it."""
        lost_tasks = {task for task, at in self.at.items() if at == worker}
        for receiver, queue in self.queues.items():
            remaining = [pair for pair in queue if pair[0] not in lost_tasks]
            queue.clear()
            if receiver != worker:
                queue.extend(remaining)
        for transfer in list(self.receiving.values()):
            if worker in (transfer.worker, transfer.source):
                self._transfer_ends(transfer, "lost")

    def _rehome(self, worker: int) -> list[int]:
        """Move the unfinished reducers of a worker; return those that have to fetch their pairs."""
        moved = []
        for r, home in enumerate(self.home):
            if home != worker or r in self.reduced:
                continue
            backups = [a.worker for a in self.running.values() if (a.kind, a.task) == ("reduce", r)]
            if backups:
                self.home[r] = backups[0]
                continue
            self.home[r] = min(self.alive, key=lambda w: (self.home.count(w), w))
            self.received[r] = set()
            moved.append(r)
        return moved
