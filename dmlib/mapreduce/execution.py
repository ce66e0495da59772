"""The tasks of a job, done by the engine, and records of their pairs and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dmlib import engine
from dmlib.mapreduce.jobs import Job, Line, Pair, Value, add
from dmlib.trace import look

MAX_PAIRS = 30  # of a task, in its record
Counts = NDArray[np.intp]


@dataclass(frozen=True)
class MapTask:
    """The record of a map task.

    Attributes
    ----------
    first, n_lines, n_bytes : int
        The number of the first line of its split, and the lines and bytes of this.
    n_emitted, emitted_bytes : int
        The emitted pairs.
    n_combined, combined_bytes : int
        The pairs after the combiner, whether they are sent or not.
    sent, sent_bytes : ndarray of shape (n_reducers,)
        The pairs for each reducer.
    emitted : tuple of (int, str, Value)
        The first pairs, with the number of their line.
    combined : tuple of (str, Value, int)
        The keys with the largest groups, with their sum and the number of their pairs.
    partition : tuple of (str, int, int)
        The same keys with their hash (or first letter) and their reducer.
    """

    first: int
    n_lines: int
    n_bytes: int
    n_emitted: int
    emitted_bytes: int
    n_combined: int
    combined_bytes: int
    sent: Counts
    sent_bytes: Counts
    emitted: tuple[tuple[int, str, Value], ...]
    combined: tuple[tuple[str, Value, int], ...]
    partition: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class ReduceTask:
    """The record of a reduce task.

    Attributes
    ----------
    n_pairs, n_bytes : int
        The received pairs.
    n_keys : int
        The number of their groups.
    groups : tuple of (str, tuple of Value, Value or None)
        The largest groups: key, values, and result.
    """

    n_pairs: int
    n_bytes: int
    n_keys: int
    groups: tuple[tuple[str, tuple[Value, ...], Value | None], ...]


@dataclass(frozen=True)
class Round:
    """A map phase and a reduce phase.

    Attributes
    ----------
    name : str
        Its name, a verb.
    maps : tuple of MapTask
        One for each split.
    reduces : tuple of ReduceTask
        One for each reducer.
    result : mapping of str to Value
        The output of the reducers.
    """

    name: str
    maps: tuple[MapTask, ...]
    reduces: tuple[ReduceTask, ...]
    result: Mapping[str, Value] = field(repr=False)


def size(key: str, value: Value) -> int:
    """Return the bytes of a pair as a line of text: key, tabulator, value, end of line.

    Examples
    --------
    >>> size("the", 1), size("cluster1", (0.5, 2.0, 1))
    (6, 17)
    """
    return len(f"{key}\t{value_text(value)}\n".encode())


def value_text(value: Value) -> str:
    """Return a value as a text.

    Examples
    --------
    >>> value_text((0.5, 2.0, 1)), value_text(3)
    ('0.5,2,1', '3')
    """
    return ",".join(map(value_text, value)) if isinstance(value, tuple) else f"{value:.12g}"


def hash_partition(key: str, n_reducers: int) -> tuple[int, int]:
    """Return the CRC-32 of a key, and its reducer.

    Examples
    --------
    >>> hash_partition("the", 3)
    (1011183078, 0)
    """
    code = crc32(key.encode())
    return code, code % n_reducers


def range_partition(key: str, n_reducers: int) -> tuple[int, int]:
    """Return the first letter of a key as 0 to 25, and the reducer of this part of the alphabet.

    Other characters come before the letters.

    Examples
    --------
    >>> range_partition("the", 3), range_partition("1", 3)
    ((19, 2), (0, 0))
    """
    letter = min(max(ord(key[:1].lower() or "a") - ord("a"), 0), 25)
    return letter, letter * n_reducers // 26


PARTITIONERS: Mapping[str, Callable[[str, int], tuple[int, int]]] = {
    "hash": hash_partition,
    "range": range_partition,
}


def splits(lines: Sequence[Line], n_splits: int) -> list[list[Line]]:
    """Cut lines into splits of nearly equal size; of fewer lines than splits, one each."""
    ends = np.linspace(0, len(lines), min(n_splits, len(lines)) + 1).astype(int).tolist()
    return [list(lines[a:b]) for a, b in pairwise(ends)]


def map_task(
    job: Job, combiner: bool, n_reducers: int, partitioner: str, split: Sequence[Line]
) -> tuple[MapTask, list[list[Pair]]]:
    """Do a map task; return its record, and the pairs for each reducer."""
    emitted = list(job.map(split))
    pairs = [(key, value) for _, key, value in emitted]
    groups = _by_key(pairs)
    sums = {key: add(values) for key, values in groups.items()}
    partition = {key: PARTITIONERS[partitioner](key, n_reducers) for key in groups}
    sent: list[list[Pair]] = [[] for _ in range(n_reducers)]
    for key, value in sums.items() if combiner else pairs:
        sent[partition[key][1]].append((key, value))
    largest = sorted(groups, key=lambda key: -len(groups[key]))[:MAX_PAIRS]
    record = MapTask(
        first=split[0][0],
        n_lines=len(split),
        n_bytes=sum(len(text.encode()) + 1 for _, text, _ in split),
        n_emitted=len(pairs),
        emitted_bytes=_total_size(pairs),
        n_combined=len(sums),
        combined_bytes=_total_size(sums.items()),
        sent=np.array([*map(len, sent)]),
        sent_bytes=np.array([*map(_total_size, sent)]),
        emitted=tuple(emitted[:MAX_PAIRS]),
        combined=tuple((key, sums[key], len(groups[key])) for key in largest),
        partition=tuple((key, *partition[key]) for key in largest),
    )
    return record, sent


def reduce_task(job: Job, pairs: Sequence[Pair]) -> tuple[ReduceTask, dict[str, Value]]:
    """Do a reduce task; return its record, and its part of the result."""
    groups = _by_key(pairs)
    result: dict[str, Value] = {}
    for key in sorted(groups):
        look()
        reduced = job.reduce(key, groups[key])
        if reduced is not None:
            result[key] = reduced
    largest = sorted(groups, key=lambda key: (-len(groups[key]), key))[:MAX_PAIRS]
    records = tuple((key, tuple(groups[key][:MAX_PAIRS]), result.get(key)) for key in largest)
    return ReduceTask(len(pairs), _total_size(pairs), len(groups), records), result


def _by_key(pairs: Iterable[Pair]) -> dict[str, list[Value]]:
    groups: dict[str, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def _total_size(pairs: Iterable[Pair]) -> int:
    return sum(size(key, value) for key, value in pairs)


def rounds(
    job: Job,
    lines: Sequence[Line],
    *,
    n_splits: int,
    n_reducers: int,
    combiner: bool,
    partitioner: str,
) -> Iterator[Round]:
    """Run a job on the engine; yield the records of each round.

    Parameters
    ----------
    job : Job
        Its functions.
    lines : sequence of Line
        The input.
    n_splits, n_reducers : int
        The number of map tasks and of reduce tasks.
    combiner : bool
        Whether pairs with the same key are added before they leave their mapper.
    partitioner : {"hash", "range"}
        The assignment of keys to reducers.

    Yields
    ------
    Round
        The records of its tasks.
    """
    parts = splits(lines, n_splits)
    next_job: Job | None = job
    n_rounds = 0
    while next_job is not None:
        do = partial(map_task, next_job, combiner, n_reducers, partitioner)
        maps, sent = zip(*engine.map(do, parts), strict=True)
        inboxes = [[pair for boxes in sent for pair in boxes[r]] for r in range(n_reducers)]
        reduces, results = zip(*engine.map(partial(reduce_task, next_job), inboxes), strict=True)
        result = {key: value for part in results for key, value in part.items()}
        n_rounds += 1
        yield Round(next_job.name, maps, reduces, result)
        next_job = next_job.following(result, n_rounds)
