"""The common parts of the docstrings of all jobs, as scipy.stats does for its distributions."""

from __future__ import annotations

from typing import TypeVar

Class = TypeVar("Class", bound=type)

PARAMETERS = """n_splits : int, default=6
        The number of splits of the lines, and so of map tasks; never more than lines.
    n_reducers : int, default=3
        The number of reduce tasks. Each key belongs to one of them.
    combiner : bool, default=True
        Whether a mapper adds the values of equal keys before it sends them.
    partitioner : {"hash", "range"}, default="hash"
        The assignment of keys to reducers: by their CRC-32 modulo the number of reducers, or by the
        place of their first letter in the alphabet.
    n_workers : int, default=3
        The number of workers of the cluster. Each does one task at a time.
    speed : float, default=1000.0
        The pairs that a worker handles in a second.
    bandwidth : float, default=2000.0
        The bytes that a worker receives in a second.
    slowdown : float, default=1.0
        The factor by which the first worker is slower than the others.
    speculation : bool, default=False
        Whether an idle worker repeats a running task, if it would be ready before.
    failure : int or None, default=None
        The time at which the last worker dies, in percent of the makespan without that; None:
        never."""

ATTRIBUTES = """result_ : dict of str to float or tuple
        The output of the reducers.
    keys_ : list of str
        Its keys in alphabetical order.
    values_ : ndarray of shape (n_keys,) or (n_keys, n_places)
        Their values.
    total_ : float
        The sum of all of them: a checksum.
    n_keys_, n_emitted_, n_shuffled_ : int
        The number of keys of the result, of pairs that the mappers emitted, and of those that they
        sent.
    makespan_ : float
        The seconds that the job takes on its cluster.
    n_bytes_ : int
        The bytes that are moved over the network.
    history_ : tuple of Round
        The records of all tasks.
    attempts_ : tuple of Attempt
        The schedule of the tasks on the workers."""

NOTES = """The tasks really run, on :mod:`dmlib.engine`. Pairs and bytes are counted, a pair as the
    line "key, tabulator, value" in UTF-8. The schedule is computed from these counts, ``speed`` and
    ``bandwidth``, so that it is the same on every machine: a task takes 0.1 s and 1 / ``speed`` for
    each line or pair that it reads or emits (for each emitted pair twice with a combiner), and a
    transfer takes its bytes / ``bandwidth``."""

REFERENCES = """J. Dean and S. Ghemawat (2004), MapReduce: simplified data processing on large
    clusters. OSDI."""


def documented(job: Class) -> Class:
    """Put the common parts into the docstring of a job."""
    parts = {"parameters": PARAMETERS, "attributes": ATTRIBUTES}
    parts |= {"notes": NOTES, "references": REFERENCES}
    job.__doc__ = (job.__doc__ or "") % parts
    return job
