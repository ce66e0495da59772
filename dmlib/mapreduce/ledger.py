"""The arithmetic of MapReduce: which pairs, to which reducer and why, how many bytes, and how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.execution import PARTITIONERS, MapTask, ReduceTask, Round, written
from dmlib.mapreduce.jobs import Value
from dmlib.mapreduce.simulation import SLOW, STARTUP, Attempt
from dmlib.pictures.ledger import MAX_LINES, Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num

MAX_TERMS = 8  # values of a sum that are written out


def size(n_bytes: float) -> str:
    """Return bytes for a caption.

    Examples
    --------
    >>> size(512), size(29145), size(2.5e6)
    ('512 bytes', '29.1 kB', '2.5 MB')
    """
    for unit, name in ((1e6, "MB"), (1e3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.3g} {name}"
    return count(round(n_bytes), "byte", "bytes")


class Narrator:
    """Captions and ledgers of a MapReduce job.

    Parameters
    ----------
    model : MapReduceJob
        The job.
    lines : sequence of str
        Its input.
    plan : MapReduceStep
        The first step, which has the tasks and the schedule of all.
    """

    def __init__(self, model: Any, lines: Sequence[str], plan: MapReduceStep) -> None:
        self.model, self.lines, self.plan = model, lines, plan

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        phases: dict[str, Callable[[MapReduceStep], tuple[str, Blocks]]] = {
            "split": self._split,
            "map": self._map,
            "combine": self._combine,
            "shuffle": self._shuffle,
            "reduce": self._reduce,
            "fail": self._fail,
            "lost": self._lost,
            "backup": self._backup,
            "done": self._done,
        }
        return phases[now.step.phase](now.step)

    def _split(self, step: MapReduceStep) -> tuple[str, Blocks]:
        maps = step.rounds[0].maps
        rows = [(i + 1, task.first + 1, task.n_lines, task.n_bytes) for i, task in enumerate(maps)]
        lines = count(len(self.lines), "line is", "lines are")
        workers = count(self.model.n_workers, "worker", "workers")
        table = short_table(
            ("split", "first line", "lines", "bytes"), rows, "The input", by="split"
        )
        return f"{lines} cut into {count(len(maps), 'split', 'splits')} for {workers}.", [table]

    # --- mappers ----------------------------------------------------------------------------------

    def _map(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt, task = _of(step), self._map_task(step)
        rows = [(line + 1, key, written(value)) for line, key, value in task.emitted]
        pairs = count(task.n_emitted, "pair", "pairs")
        cut = f" (the first {len(rows)} of {task.n_emitted})" if len(rows) < task.n_emitted else ""
        blocks: Blocks = [
            LedgerTable(
                ("line", "key", "value"), rows, f"Emitted pairs{cut}", **self._pairs(step, rows, 1)
            ),
            Formula(f"{pairs} as lines of text: {task.emitted_bytes} bytes"),
            self._seconds(attempt, f"{task.n_lines} + " + "2 × " * self._combines, task.n_emitted),
        ]
        if not self._combines:
            blocks.append(self._partition(task))
        attempt_name = f"{_name(attempt)}, a second attempt," if attempt.backup else _name(attempt)
        lines = count(task.n_lines, "line becomes", "lines become")
        end = f"{attempt_name} ends on worker {attempt.worker + 1}"
        return f"{end}: {lines} {pairs} ({size(task.emitted_bytes)}).", blocks

    def _combine(self, step: MapReduceStep) -> tuple[str, Blocks]:
        task = self._map_task(step)
        rows = [(key, n, written(total)) for key, total, n in task.combined]
        keys = count(task.n_combined, "pair", "pairs")
        title = _cut("Added in the mapper", task.n_combined)
        table = short_table(("key", "pairs", "sum"), rows, title, **self._pairs(step, rows, 0))
        share = task.combined_bytes / max(task.emitted_bytes, 1)
        added = f"{task.n_emitted} pairs become {keys}, {share:.0%} of the bytes"
        caption = f"The combiner of map task {_of(step).task + 1} adds equal keys: {added}."
        saved = Formula(f"{task.combined_bytes} / {task.emitted_bytes} bytes = {num(share)}")
        return caption, [table, saved, self._partition(task)]

    def _partition(self, task: MapTask) -> LedgerTable:
        n = self.model.n_reducers
        if self.model.partitioner == "hash":
            head, law = "crc32(key)", f"crc32(key) mod {n}"
            rows = [
                (key, str(code), f"{code} mod {n} = {r}", r + 1) for key, code, r in task.partition
            ]
        else:
            head, law = "letter", f"letter × {n} div 26"
            rows = [
                (key, str(code), f"{code} × {n} div 26 = {r}", r + 1)
                for key, code, r in task.partition
            ]
        return short_table(
            ("key", head, law, "reducer"), rows, "Partitioning: the reducer of a key", by="reducer"
        )

    def _reducer(self, key: str) -> int:
        return PARTITIONERS[self.model.partitioner](key, self.model.n_reducers)[1]

    def _pairs(
        self, step: MapReduceStep, rows: Sequence[Sequence[Any]], column: int
    ) -> dict[str, Any]:
        """Return that rows are about the pairs of a map task that go to the reducers of their keys."""
        first = _of(step).task * self.model.n_reducers + 1
        return {"by": "pairs", "numbers": [first + self._reducer(row[column]) for row in rows]}

    def _seconds(self, attempt: Attempt, before: str, n: int) -> Formula:
        model = self.model
        slow = model.slowdown if attempt.worker == SLOW else 1.0
        factor = f" × {num(slow)}" if slow != 1 else ""
        work = f"({num(STARTUP)} + ({before}{n}) / {num(model.speed)}){factor}"
        span = f"from {num(attempt.start)} s to {num(attempt.end)} s"
        return Formula(f"{work} = {num(attempt.end - attempt.start)} s, {span}")

    def _round(self, step: MapReduceStep) -> Round:
        return self.plan.rounds[_of(step).round]

    def _map_task(self, step: MapReduceStep) -> MapTask:
        return self._round(step).maps[_of(step).task]

    @property
    def _combines(self) -> bool:
        return bool(self.model.combiner)

    # --- shuffle and reducers ---------------------------------------------------------------------

    def _shuffle(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt, task = _of(step), self._map_task(step)
        r, n = attempt.reducer, int(task.sent[attempt.reducer])
        n_bytes = int(task.sent_bytes[r])
        rows = [
            (i + 1, int(a), int(b))
            for i, (a, b) in enumerate(zip(task.sent, task.sent_bytes, strict=True))
        ]
        title = f"Pairs sent by map task {attempt.task + 1}"
        numbers = [attempt.task * len(rows) + row[0] for row in rows]
        table = short_table(
            ("reducer", "pairs", "bytes"), rows, title, [r], by="pairs", numbers=numbers
        )
        pairs = f"{count(n, 'pair', 'pairs')} of map task {attempt.task + 1} ({size(n_bytes)})"
        if attempt.source == attempt.worker:
            return f"Reducer {r + 1} finds {pairs} on its own worker {attempt.worker + 1}.", [table]
        rate = self.model.bandwidth
        seconds = Formula(f"{n_bytes} bytes / {num(rate)} bytes a second = {num(n_bytes / rate)} s")
        way = f"from worker {attempt.source + 1} to worker {attempt.worker + 1}"
        return f"{pairs} move {way}, to reducer {r + 1}.", [table, seconds]

    def _reduce(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt, task = _of(step), self._round(step).reduces[_of(step).task]
        groups = [_group(*group) for group in task.groups]
        table = short_table(("key", "values", "result"), groups, _cut("Groups", task.n_keys))
        keys = count(task.n_keys, "key", "keys")
        pairs = count(task.n_pairs, "pair", "pairs")
        caption = (
            f"Reducer {attempt.task + 1} ends on worker {attempt.worker + 1}: {pairs} of {keys} are"
            " reduced."
        )
        seconds = self._seconds(attempt, f"{task.n_pairs} + ", task.n_keys)
        return caption, [table, seconds, *_skew(self._round(step).reduces)]

    # --- accidents --------------------------------------------------------------------------------

    def _fail(self, step: MapReduceStep) -> tuple[str, Blocks]:
        dead, time = _of(step).worker, step.time
        maps = [a for a in self.plan.schedule if a.kind == "map"]
        completed = {(a.round, a.task) for a in maps if a.end <= time and a.worker == dead}
        later = [a for a in maps if a.start >= time and not a.backup]
        rows = [(a.task + 1, a.worker + 1, a.end) for a in later if (a.round, a.task) in completed]
        head, title = (
            ("map task", "again on worker", "ready at, s"),
            "Tasks completed, lost and repeated",
        )
        table = short_table(head, rows, title, by="split", numbers=[row[0] for row in rows])
        caption = (
            f"Worker {dead + 1} dies after {time:.4g} s, and the pairs that only it had are lost."
        )
        return caption, [table] if rows else []

    def _lost(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt = _of(step)
        spent = f"{attempt.end - attempt.start:.3g} s"
        if attempt.kind == "shuffle":
            return f"A transfer to reducer {attempt.reducer + 1} breaks off after {spent}.", []
        return (
            f"{_name(attempt)} is lost with worker {attempt.worker + 1}, after {spent} of work.",
            [],
        )

    def _backup(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt = _of(step)
        spent = attempt.end - attempt.start
        caption = (
            f"Worker {attempt.worker + 1} stops {_name(attempt).lower()}: another attempt was ready"
            " before."
        )
        return caption, [
            Formula(f"{num(attempt.end)} − {num(attempt.start)} = {num(spent)} s of redundant work")
        ]

    # --- the end ----------------------------------------------------------------------------------

    def _done(self, step: MapReduceStep) -> tuple[str, Blocks]:
        rows = [_sums(self.plan, number) for number in range(len(self.plan.rounds))]
        result = self.plan.rounds[-1].result
        largest = _largest(result)
        numbers = [self._reducer(key) + 1 for key, _ in largest]
        emitted, sent, moved = np.sum([row[2:5] for row in rows], axis=0).tolist()
        work = sum(a.end - a.start for a in self.plan.schedule if a.kind in {"map", "reduce"})
        transfer = sum(a.end - a.start for a in self.plan.schedule if a.kind == "shuffle")
        head = (
            "round",
            "does",
            "bytes emitted",
            "bytes sent",
            "bytes moved",
            "computing, s",
            "moving, s",
        )
        n_workers = self.model.n_workers
        busy = work / (n_workers * step.time)
        keys = count(len(result), "key", "keys")
        volumes = f"{size(sent)} are sent and {size(moved)} cross the network"
        if self._combines:
            volumes += f"; {size(emitted)} are emitted"
        return f"Done after {step.time:.4g} s: {keys}, {volumes}.", [
            LedgerTable(head, rows, "Communication and computation"),
            Formula(
                f"communication / computation = {num(transfer)} / {num(work)} ="
                f" {num(transfer / work)}"
            ),
            Formula(
                f"utilisation of the workers: {num(work)} / ({n_workers} × {num(step.time)}) ="
                f" {num(busy)}"
            ),
            short_table(
                ("key", "result"),
                largest,
                _cut("Result", len(result)),
                by="reducer",
                numbers=numbers,
            ),
        ]


def _sums(plan: MapReduceStep, number: int) -> tuple[int, str, int, int, int, float, float]:
    """Return what a round has emitted, sent and moved, in bytes, and the seconds of its work and of its transfers."""
    tasks = plan.rounds[number]
    attempts = [a for a in plan.schedule if a.round == number]
    return (
        number + 1,
        tasks.name,
        sum(task.emitted_bytes for task in tasks.maps),
        int(sum(task.sent_bytes.sum() for task in tasks.maps)),
        sum(a.n_bytes for a in attempts),
        sum(a.end - a.start for a in attempts if a.kind in {"map", "reduce"}),
        sum(a.end - a.start for a in attempts if a.kind == "shuffle"),
    )


def _skew(reduces: Sequence[ReduceTask]) -> Blocks:
    n = [task.n_pairs for task in reduces]
    mean = sum(n) / len(n)
    return (
        [Formula(f"skew: largest / mean = {max(n)} / {num(mean)} = {num(max(n) / mean)}")]
        if mean
        else []
    )


def _largest(result: Mapping[str, Value]) -> list[tuple[str, str]]:
    def order(pair: tuple[str, Value]) -> tuple[float, str]:
        key, value = pair
        return (0.0 if isinstance(value, tuple) else -value, key)

    return [(key, written(value)) for key, value in sorted(result.items(), key=order)[:MAX_LINES]]


def _group(key: str, values: Sequence[Value], result: Value | None) -> tuple[str, str, str]:
    return (
        key,
        abridged([written(value) for value in values], MAX_TERMS),
        "none" if result is None else written(result),
    )


def _name(attempt: Attempt) -> str:
    return f"{'Map task' if attempt.kind == 'map' else 'Reducer'} {attempt.task + 1}"


def _of(step: MapReduceStep) -> Attempt:
    assert step.attempt is not None
    return step.attempt


def _cut(title: str, n: int) -> str:
    return f"{title} (the largest {MAX_LINES} of {n})" if n > MAX_LINES else title
