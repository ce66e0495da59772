"""The tasks of a job, done by the engine, and what each of them has read, emitted, combined and sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dmlib import engine
from dmlib.mapreduce.jobs import Job, Line, Pair, Value, add
from dmlib.trace import look

SHOWN = 30  # pairs of a task that its record keeps
Counts = NDArray[np.intp]


@dataclass(frozen=True)
class MapTask:
    """What a map task has done.

    Attributes
    ----------
    first, n_lines, n_bytes : int
        The number of the first line of its split, how many lines it has, and their bytes.
    n_emitted, emitted_bytes : int
        The pairs that were emitted.
    n_combined, combined_bytes : int
        The pairs that the combiner leaves, whether they are sent or not.
    sent, sent_bytes : ndarray of shape (n_reducers,)
        The pairs that go to each reducer.
    emitted : tuple of (int, str, Value)
        The first pairs, with the number of their line.
    combined : tuple of (str, Value, int)
        The first keys that the combiner adds, with their sum and the number of their pairs.
    partition : tuple of (str, int, int)
        The first keys, with their hash (or first byte) and their reducer.
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
    """What a reduce task has done.

    Attributes
    ----------
    n_pairs, n_bytes : int
        What it got.
    n_keys : int
        How many groups these are.
    groups : tuple of (str, tuple of Value, Value or None)
        The first groups that are largest: key, the values that came, and the result.
    """

    n_pairs: int
    n_bytes: int
    n_keys: int
    groups: tuple[tuple[str, tuple[Value, ...], Value | None], ...]


@dataclass(frozen=True)
class Round:
    """A map and a reduce phase, with what lies between them.

    Attributes
    ----------
    name : str
        What it does.
    maps : tuple of MapTask
        One for each split.
    reduces : tuple of ReduceTask
        One for each reducer.
    result : mapping of str to Value
        What the reducers found.
    """

    name: str
    maps: tuple[MapTask, ...]
    reduces: tuple[ReduceTask, ...]
    result: Mapping[str, Value] = field(repr=False)


def size(key: str, value: Value) -> int:
    """Return the bytes of a pair as a line of text: the key, a tabulator, the value, an end of line.

    Examples
    --------
    >>> size("the", 1), size("cluster1", (0.5, 2.0, 1))
    (6, 17)
    """
    return len(f"{key}\t{written(value)}\n".encode())


def written(value: Value) -> str:
    """Return a value as a text.

    Examples
    --------
    >>> written((0.5, 2.0, 1)), written(3)
    ('0.5,2,1', '3')
    """
    return ",".join(map(written, value)) if isinstance(value, tuple) else f"{value:.12g}"


def hashed(key: str, n_reducers: int) -> tuple[int, int]:
    """Return the CRC-32 of a key, and the reducer that it belongs to.

    Examples
    --------
    >>> hashed("the", 3)
    (1011183078, 0)
    """
    code = crc32(key.encode())
    return code, code % n_reducers


def ranged(key: str, n_reducers: int) -> tuple[int, int]:
    """Return the first letter of a key as 0 to 25, and the reducer that this part of the alphabet belongs to.

    What is no letter comes before it.

    Examples
    --------
    >>> ranged("the", 3), ranged("1", 3)
    ((19, 2), (0, 0))
    """
    letter = min(max(ord(key[:1].lower() or "a") - ord("a"), 0), 25)
    return letter, letter * n_reducers // 26


PARTITIONERS: Mapping[str, Callable[[str, int], tuple[int, int]]] = {
    "hash": hashed,
    "range": ranged,
}


def splits(lines: Sequence[Line], n_splits: int) -> list[list[Line]]:
    """Cut lines into splits of nearly the same number of lines; of fewer lines than splits, one each."""
    ends = np.linspace(0, len(lines), min(n_splits, len(lines)) + 1).astype(int).tolist()
    return [list(lines[a:b]) for a, b in pairwise(ends)]


def map_task(
    job: Job, combiner: bool, n_reducers: int, partitioner: str, split: Sequence[Line]
) -> Any:
    """Do a map task; return its record, and the pairs for each reducer."""
    emitted = list(job.map(split))
    groups: dict[str, list[Value]] = {}
    for _, key, value in emitted:
        groups.setdefault(key, []).append(value)
    combined = [(key, add(values)) for key, values in groups.items()]
    assign, sent = PARTITIONERS[partitioner], [[] for _ in range(n_reducers)]  # type: ignore[var-annotated]
    place = {key: assign(key, n_reducers) for key in groups}
    for key, value in combined if combiner else ((key, value) for _, key, value in emitted):
        sent[place[key][1]].append((key, value))
    most = sorted(groups, key=lambda key: -len(groups[key]))[:SHOWN]
    record = MapTask(
        split[0][0],
        len(split),
        sum(len(text.encode()) + 1 for _, text, _ in split),
        len(emitted),
        sum(size(key, value) for _, key, value in emitted),
        len(combined),
        sum(size(key, value) for key, value in combined),
        np.array([len(pairs) for pairs in sent]),
        np.array([sum(size(key, value) for key, value in pairs) for pairs in sent]),
        tuple(emitted[:SHOWN]),
        tuple((key, add(groups[key]), len(groups[key])) for key in most),
        tuple((key, *place[key]) for key in most),
    )
    return record, sent


def reduce_task(job: Job, pairs: Sequence[Pair]) -> tuple[ReduceTask, dict[str, Value]]:
    """Do a reduce task; return its record, and its part of the result."""
    groups: dict[str, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    found: dict[str, Value] = {}
    for key in sorted(groups):
        look()
        if (reduced := job.reduce(key, groups[key])) is not None:
            found[key] = reduced
    largest = sorted(groups, key=lambda key: (-len(groups[key]), key))[:SHOWN]
    shown = tuple((key, tuple(groups[key][:SHOWN]), found.get(key)) for key in largest)
    return ReduceTask(len(pairs), sum(size(*pair) for pair in pairs), len(groups), shown), found


def rounds(
    job: Job,
    lines: Sequence[Line],
    *,
    n_splits: int,
    n_reducers: int,
    combiner: bool,
    partitioner: str,
) -> Iterator[Round]:
    """Run a job on the engine; yield what the tasks of each round have done.

    Parameters
    ----------
    job : Job
        Its functions.
    lines : sequence of Line
        The input.
    n_splits, n_reducers : int
        How many map and reduce tasks there are.
    combiner : bool
        Whether pairs with the same key are added before they leave their mapper.
    partitioner : {"hash", "range"}
        What decides which reducer gets a key.

    Yields
    ------
    Round
        The records of its tasks.
    """
    parts, following, done = splits(lines, n_splits), job, 0
    while following is not None:
        do = partial(map_task, following, combiner, n_reducers, partitioner)
        maps, sent = zip(*engine.map(do, parts), strict=True)
        inboxes = [[pair for boxes in sent for pair in boxes[r]] for r in range(n_reducers)]
        reduces, results = zip(*engine.map(partial(reduce_task, following), inboxes), strict=True)
        result = {key: value for part in results for key, value in part.items()}
        done += 1
        yield Round(following.name, maps, reduces, result)
        following = following.following(result, done)  # type: ignore[assignment]
