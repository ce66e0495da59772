"""Captions and ledgers of MapReduce: pairs, their reducers, bytes and seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.execution import PARTITIONERS, MapTask, ReduceTask, Round, value_text
from dmlib.mapreduce.jobs import Value
from dmlib.mapreduce.simulation import SLOW, STARTUP, Attempt
from dmlib.mapreduce.tree_jobs import LevelCounts, best_columns, gains
from dmlib.pictures.ledger import MAX_LINES, Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, percent

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

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
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
        return phases[moment.step.phase](moment.step)

    def _split(self, step: MapReduceStep) -> tuple[str, Blocks]:
        maps = step.rounds[0].maps
        rows = [(i + 1, task.first + 1, task.n_lines, task.n_bytes) for i, task in enumerate(maps)]
        lines = count(len(self.lines), "line is", "lines are")
        workers = count(self.model.n_workers, "worker", "workers")
        head = ("split", "first line", "lines", "bytes")
        table = short_table(head, rows, "The input", by="split")
        return f"{lines} cut into {count(len(maps), 'split', 'splits')} for {workers}.", [table]

    # --- mappers ----------------------------------------------------------------------------------

    def _map(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt, task = _of(step), self._map_task(step)
        rows = [(line + 1, key, value_text(value)) for line, key, value in task.emitted]
        pairs = count(task.n_emitted, "pair", "pairs")
        title = "Emitted pairs"
        if len(rows) < task.n_emitted:
            title = f"Emitted pairs (the first {len(rows)} of {task.n_emitted})"
        blocks: Blocks = [
            LedgerTable(("line", "key", "value"), rows, title, **self._pairs(step, rows, 1)),
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
        rows = [(key, n, value_text(total)) for key, total, n in task.combined]
        keys = count(task.n_combined, "pair", "pairs")
        title = _cut("Added in the mapper", task.n_combined)
        table = short_table(("key", "pairs", "sum"), rows, title, **self._pairs(step, rows, 0))
        share = task.combined_bytes / max(task.emitted_bytes, 1)
        added = f"{task.n_emitted} pairs become {keys}, {percent(share)} of the bytes"
        caption = f"The combiner of map task {_of(step).task + 1} adds equal keys: {added}."
        saved = Formula(f"{task.combined_bytes} / {task.emitted_bytes} bytes = {num(share)}")
        return caption, [table, saved, self._partition(task)]

    def _partition(self, task: MapTask) -> LedgerTable:
        n = self.model.n_reducers
        code_name, operation = "letter", f"× {n} div 26"
        if self.model.partitioner == "hash":
            code_name, operation = "crc32(key)", f"mod {n}"
        rows = [
            (key, str(code), f"{code} {operation} = {r}", r + 1) for key, code, r in task.partition
        ]
        head = ("key", code_name, f"{code_name} {operation}", "reducer")
        return short_table(head, rows, "Partitioning: the reducer of a key", by="reducer")

    def _reducer(self, key: str) -> int:
        return PARTITIONERS[self.model.partitioner](key, self.model.n_reducers)[1]

    def _pairs(
        self, step: MapReduceStep, rows: Sequence[Sequence[Any]], column: int
    ) -> dict[str, Any]:
        """Return the link of rows to the pairs of a map task for the reducers of their keys."""
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
        columns = zip(task.sent.tolist(), task.sent_bytes.tolist(), strict=True)
        rows = [(i, *amounts) for i, amounts in enumerate(columns, start=1)]
        title = f"Pairs sent by map task {attempt.task + 1}"
        numbers = [attempt.task * len(rows) + row[0] for row in rows]
        head = ("reducer", "pairs", "bytes")
        table = short_table(head, rows, title, [r], by="pairs", numbers=numbers)
        pairs = f"{count(n, 'pair', 'pairs')} of map task {attempt.task + 1} ({size(n_bytes)})"
        if attempt.source == attempt.worker:
            return f"Reducer {r + 1} finds {pairs} on its own worker {attempt.worker + 1}.", [table]
        rate = self.model.bandwidth
        seconds = Formula(f"{n_bytes} bytes / {num(rate)} bytes a second = {num(n_bytes / rate)} s")
        route = f"from worker {attempt.source + 1} to worker {attempt.worker + 1}"
        return f"{pairs} move {route}, to reducer {r + 1}.", [table, seconds]

    def _reduce(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt, task = _of(step), self._round(step).reduces[_of(step).task]
        groups = [_group(*group) for group in task.groups]
        table = short_table(("key", "values", "result"), groups, _cut("Groups", task.n_keys))
        keys = count(task.n_keys, "key", "keys")
        pairs = count(task.n_pairs, "pair", "pairs")
        end = f"Reducer {attempt.task + 1} ends on worker {attempt.worker + 1}"
        caption = f"{end}: {pairs} of {keys} are reduced."
        seconds = self._seconds(attempt, f"{task.n_pairs} + ", task.n_keys)
        return caption, [table, seconds, *_skew(self._round(step).reduces)]

    # --- failures ---------------------------------------------------------------------------------

    def _fail(self, step: MapReduceStep) -> tuple[str, Blocks]:
        dead, time = _of(step).worker, step.time
        maps = [a for a in self.plan.schedule if a.kind == "map"]
        completed = {(a.round, a.task) for a in maps if a.end <= time and a.worker == dead}
        later = [a for a in maps if a.start >= time and not a.backup]
        rows = [(a.task + 1, a.worker + 1, a.end) for a in later if (a.round, a.task) in completed]
        head = ("map task", "again on worker", "ready at, s")
        title = "Tasks completed, lost and repeated"
        table = short_table(head, rows, title, by="split", numbers=[row[0] for row in rows])
        loss = "the pairs that only it had are lost"
        return f"Worker {dead + 1} dies after {time:.4g} s, and {loss}.", [table] if rows else []

    def _lost(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt = _of(step)
        spent = f"{attempt.end - attempt.start:.3g} s"
        if attempt.kind == "shuffle":
            return f"A transfer to reducer {attempt.reducer + 1} breaks off after {spent}.", []
        worker = f"worker {attempt.worker + 1}"
        return f"{_name(attempt)} is lost with {worker}, after {spent} of work.", []

    def _backup(self, step: MapReduceStep) -> tuple[str, Blocks]:
        attempt = _of(step)
        worker, task = f"Worker {attempt.worker + 1}", _name(attempt).lower()
        seconds = f"{num(attempt.end)} − {num(attempt.start)} = {num(attempt.end - attempt.start)}"
        caption = f"{worker} stops {task}: another attempt was ready before."
        return caption, [Formula(f"{seconds} s of redundant work")]

    # --- the end ----------------------------------------------------------------------------------

    def _done(self, step: MapReduceStep) -> tuple[str, Blocks]:
        rows = [_sums(self.plan, number) for number in range(len(self.plan.rounds))]
        result = self.plan.rounds[-1].result
        largest = _largest(result)
        numbers = [self._reducer(key) + 1 for key, _ in largest]
        emitted, sent, moved = np.sum([row[2:5] for row in rows], axis=0).tolist()
        work = sum(a.end - a.start for a in self.plan.schedule if a.kind in {"map", "reduce"})
        transfer = sum(a.end - a.start for a in self.plan.schedule if a.kind == "shuffle")
        volumes_head = ("bytes emitted", "bytes sent", "bytes moved")
        head = ("round", "does", *volumes_head, "computing, s", "moving, s")
        ratio = f"{num(transfer)} / {num(work)} = {num(transfer / work)}"
        n_workers = self.model.n_workers
        share = f"{num(work)} / ({n_workers} × {num(step.time)})"
        utilisation = f"{share} = {num(work / (n_workers * step.time))}"
        title = _cut("Result", len(result))
        keys = count(len(result), "key", "keys")
        volumes = f"{size(sent)} are sent and {size(moved)} cross the network"
        if self._combines:
            volumes += f"; {size(emitted)} are emitted"
        return f"Done after {step.time:.4g} s: {keys}, {volumes}.", [
            LedgerTable(head, rows, "Communication and computation"),
            Formula(f"communication / computation = {ratio}"),
            Formula(f"utilisation of the workers: {utilisation}"),
            *self._splits(),
            short_table(("key", "result"), largest, title, by="reducer", numbers=numbers),
        ]

    def _splits(self) -> Blocks:
        """Return the columns by which the nodes of a tree are split, each with its gain."""
        levels = [part.result for part in self.plan.rounds if part.name == LevelCounts.name]
        rows = [
            (number, node.replace("&", " & "), column, gains(counts)[node][column])
            for number, counts in enumerate(levels, start=1)
            for node, column in best_columns(counts).items()
        ]
        head = ("round", "node", "split by", "gain, bits")
        return [short_table(head, rows, "The largest gain of each node")] if rows else []


def _sums(plan: MapReduceStep, number: int) -> tuple[int, str, int, int, int, float, float]:
    """Return the bytes emitted, sent and moved in a round, and its seconds of work and moves."""
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
    if not mean:
        return []
    return [Formula(f"skew: largest / mean = {max(n)} / {num(mean)} = {num(max(n) / mean)}")]


def _largest(result: Mapping[str, Value]) -> list[tuple[str, str]]:
    def order(pair: tuple[str, Value]) -> tuple[float, str]:
        key, value = pair
        return (0.0 if isinstance(value, tuple) else -value, key)

    return [
        (key, value_text(value)) for key, value in sorted(result.items(), key=order)[:MAX_LINES]
    ]


def _group(key: str, values: Sequence[Value], result: Value | None) -> tuple[str, str, str]:
    terms = abridged([value_text(value) for value in values], MAX_TERMS)
    return key, terms, "none" if result is None else value_text(result)


def _name(attempt: Attempt) -> str:
    return f"{'Map task' if attempt.kind == 'map' else 'Reducer'} {attempt.task + 1}"


def _of(step: MapReduceStep) -> Attempt:
    assert step.attempt is not None
    return step.attempt


def _cut(title: str, n: int) -> str:
    return f"{title} (the largest {MAX_LINES} of {n})" if n > MAX_LINES else title
