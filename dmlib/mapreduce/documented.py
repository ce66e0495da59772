"""What the docstrings of all jobs share, written once, as scipy.stats does for its distributions."""

from __future__ import annotations

from typing import TypeVar

Class = TypeVar("Class", bound=type)

PARAMETERS = """n_splits : int, default=6
        The number of splits that the lines are cut into, and so of map tasks; never more than lines.
    n_reducers : int, default=3
        The number of reduce tasks. Each key belongs to one of them.
    combiner : bool, default=True
        Whether a mapper adds the values of equal keys before it sends them.
    partitioner : {"hash", "range"}, default="hash"
        What decides which reducer gets a key: its CRC-32 modulo the number of reducers, or the place of its first
        letter in the alphabet.
    n_workers : int, default=3
        The number of workers of the cluster. Each does one task at a time.
    speed : float, default=1000.0
        How many pairs a worker handles in a second.
    bandwidth : float, default=2000.0
        How many bytes a worker receives in a second.
    slowdown : float, default=1.0
        How many times slower the first worker is than the others.
    speculation : bool, default=False
        Whether an idle worker does a running task once more, if it would be ready before.
    failure : int or None, default=None
        When the last worker dies, in percent of the time that the job takes without that; None: never."""

ATTRIBUTES = """result_ : dict of str to float or tuple
        What the reducers found.
    keys_ : list of str
        Its keys in alphabetical order.
    values_ : ndarray of shape (n_keys,) or (n_keys, n_places)
        Their values.
    total_ : float
        The sum of all of them: a checksum.
    n_keys_, n_emitted_, n_shuffled_ : int
        The number of keys of the result, of pairs that the mappers emitted, and of those that left the mappers.
    makespan_ : float
        The seconds that the job takes on its cluster.
    n_bytes_ : int
        The bytes that are moved over the network.
    history_ : tuple of Round
        What each task has read, emitted and sent.
    attempts_ : tuple of Attempt
        Which task ran when on which worker."""

NOTES = """The tasks run for real, on :mod:`dmlib.engine`. Pairs and bytes are counted, a pair as the line "key,
    tabulator, value" in UTF-8. When a task runs on which worker is computed from these counts, ``speed`` and
    ``bandwidth``, so that the schedule is the same on every machine: a task takes 0.1 s and 1 / ``speed`` for each line
    or pair that it reads or emits (for each emitted pair once more with a combiner), and a transfer takes its bytes /
    ``bandwidth``."""

REFERENCES = """J. Dean and S. Ghemawat (2004), MapReduce: simplified data processing on large clusters. OSDI."""


def documented(job: Class) -> Class:
    """Put what all jobs share into the docstring of one."""
    shared = {
        "parameters": PARAMETERS,
        "attributes": ATTRIBUTES,
        "notes": NOTES,
        "references": REFERENCES,
    }
    job.__doc__ = (job.__doc__ or "") % shared
    return job
