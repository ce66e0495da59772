"""Run algorithms within a budget, and remember the last few traces of a session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pandas as pd
from sklearn.base import clone

from dmlib.durations import in_seconds
from dmlib.engine import brief
from dmlib.estimator import SupportsDraft, SupportsShortening
from dmlib.params import Range
from dmlib.pictures.run import AnyRun
from dmlib.trace import MB, Clock, OutOfTime, Running, Trace, limited, thread_clock

if TYPE_CHECKING:
    from dmlib.evaluation.benchmark import Scores

# Seconds are those in which this visitor's own thread was at work: a busy server stops nobody's
# run, it only slows it.
DEADLINE = 2.0  # for a run
ANSWER = 2.0  # for the fitted model and its picture
SWEEP = 20.0  # for many runs, which show how far they are and can be stopped
COMPARISON = 60.0  # for all techniques on the same data, which do so too
MAX_STEPS = 5000
MAX_BYTES = 192 * MB  # of the steps of a run
MAX_TRACES = 2  # of a session
MAX_RANGES = 8  # algorithms on data, of a session
MAX_SCORES = 100  # techniques that were compared, of a session
MOMENT = 0.2  # seconds of work on a longer run, from which one is cut while its length moves
PATIENCE = 0.4  # seconds of work in silence before progress is shown
READING = 4.0  # for reading data that are no table, and making them ready
CLOCK: Callable[[], Clock] = thread_clock
"""Makes the clock of a run; tests replace it."""


class UnfinishedRun(Exception):  # noqa: N818 -- it is an outcome, no error
    """A run is not done in a moment: whoever asked for it shows its progress.

    Attributes
    ----------
    key : str
        Of the run.
    running : Running
        The run, to be continued.
    """

    def __init__(self, key: str, running: Running[Any]) -> None:
        super().__init__(key)
        self.key, self.running = key, running


@dataclass(eq=False, repr=False)
class LongerRun:
    """The run that those are cut from whose length moves (docs/decisions/0024).

    It goes on where it stood.
    """

    key: str = ""
    running: Running[Any] | None = None
    lock: Lock = field(default_factory=Lock)


@dataclass(eq=False)
class Memory:
    """Results of a session that can be computed again.

    Attributes
    ----------
    traces : dict of str to Trace or str
        The last few traces by their keys; instead of one that was refused late, why.
    ranges : dict of str to mapping
        What algorithms say of data: the ranges of parameters.
    last : tuple of (str, Run) or None
        The key of the last run, and the run.
    longer : LongerRun
        The run that shorter ones are cut from while a parameter moves.
    pinned : tuple of (object, View) or None
        The key of the run that is pinned, and its view.
    scores : dict of str to Scores
        How techniques do on data, by their keys.
    """

    traces: dict[str, Trace[Any] | str] = field(default_factory=dict)
    ranges: dict[str, Mapping[str, Range]] = field(default_factory=dict)
    last: tuple[str, AnyRun] | None = None
    longer: LongerRun = field(default_factory=LongerRun)
    pinned: tuple[object, Any] | None = None
    scores: dict[str, Scores] = field(default_factory=dict)

    def copy(self) -> Memory:
        """Return a memory that can learn without this one; a longer run is the same for both."""
        return replace(self, traces=dict(self.traces), ranges=dict(self.ranges))

    def forget_runs(self) -> None:
        """Forget what can be computed again, for whoever has this memory."""
        self.traces.clear()
        self.scores.clear()
        self.last, self.longer, self.pinned = None, LongerRun(), None

    def keep(self, key: str, trace: Trace[Any] | str) -> None:
        """Remember a trace, and forget the oldest."""
        self.traces[key] = trace
        n_traces = MAX_TRACES - (self.pinned is not None)  # whose run is remembered as well
        for old in list(self.traces)[:-n_traces]:
            del self.traces[old]

    def keep_scores(self, key: str, scores: Scores) -> None:
        """Remember how a technique does, and forget the oldest."""
        self.scores[key] = scores
        for old in list(self.scores)[:-MAX_SCORES]:
            del self.scores[old]

    def ranges_of(
        self, key: str, compute: Callable[[], Mapping[str, Range]]
    ) -> Mapping[str, Range]:
        """Return the ranges of an algorithm on data, computed once; none where it refuses them."""
        if key not in self.ranges:
            try:
                self.ranges[key] = compute()
            except ValueError:
                self.ranges[key] = {}
        for old in list(self.ranges)[:-MAX_RANGES]:
            del self.ranges[old]
        return self.ranges[key]

    def resume(self, run: AnyRun, key: str) -> AnyRun:
        """Let a run take over what the last one has fitted and drawn, if their keys are equal."""
        if self.last is not None and self.last[0] == key:
            run.take_over(self.last[1])
        self.last = key, run
        return run


def digest(estimator: Any, *arguments: Any) -> str:
    """Return a key for a run: a hash of the class, every parameter and every byte of the data."""
    sha = hashlib.sha256()
    for part in (array for argument in arguments for array in _arrays(argument)):
        sha.update(
            repr((part.shape, part.dtype.str)).encode() + np.ascontiguousarray(part).tobytes()
        )
    sha.update(f"{type(estimator).__module__}.{type(estimator).__qualname__}".encode())
    for name, value in sorted(estimator.get_params(deep=False).items()):
        content = repr(value).encode()
        if isinstance(value, np.ndarray):
            content = value.tobytes() + repr(value.shape).encode()
        sha.update(name.encode() + b"=" + content + b";")
    return sha.hexdigest()


def _arrays(data: Any) -> Iterator[Any]:
    """Yield data as arrays of numbers; names, texts and graphs as the bytes of their texts."""
    if isinstance(data, pd.DataFrame):
        for name, column in data.items():
            yield from _column_arrays(str(name), column)
    elif isinstance(data, nx.Graph):
        parts = (data.is_directed(), list(data.nodes(data=True)), list(data.edges(data=True)))
        yield np.frombuffer(repr(parts).encode(), np.uint8)
    elif isinstance(data, np.ndarray):
        yield data
    else:
        yield np.frombuffer(repr(data).encode(), np.uint8)


def _column_arrays(name: str, column: Any) -> Iterator[Any]:
    is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
    texts = [name]
    if is_nominal:
        texts += [column.cat.ordered, *map(str, column.cat.categories)]
    yield np.frombuffer(repr(texts).encode(), np.uint8)
    yield column.cat.codes.to_numpy() if is_nominal else column.to_numpy(float)


def trace_of(
    memory: Memory, estimator: Any, *arguments: Any, moving: str | None = None
) -> tuple[str, Trace[Any]]:
    """Return the key and the trace of an algorithm on data, from the memory if it is there.

    While a parameter of this name is ``moving`` (a handle has the empty name), an algorithm that
    has a draft is run as that (docs/decisions/0024).

    Raises
    ------
    UnfinishedRun
        If the run is not done in a moment.
    ValueError
        What the algorithm says about its parameters and data.
    """
    key = digest(estimator, *arguments)
    if moving is None:
        memory.longer = LongerRun()  # at rest nothing is kept for a drag
    elif (
        isinstance(estimator, SupportsShortening)
        and moving == estimator.LENGTH
        and key not in memory.traces
    ):
        _shorten(memory, key, estimator, arguments)
    if moving is not None and key not in memory.traces:
        lowered = _draft(estimator, moving, *arguments)
        if lowered:
            estimator = clone(estimator).set_params(**lowered)
            key = digest(estimator, *arguments)
    if key not in memory.traces:
        with brief():
            trace = begin(estimator, arguments).go(PATIENCE, clock=CLOCK())
        if not trace.complete and trace.seconds > PATIENCE:
            raise UnfinishedRun(key, trace.rest or begin(estimator, arguments))
        memory.keep(key, trace)
    result = memory.traces[key]
    if isinstance(result, str):
        raise ValueError(result)
    return key, result


def _draft(estimator: Any, moving: str, *arguments: Any) -> dict[str, Any]:
    """Return the parameters that an algorithm lowers for a draft; most need none.

    What moves is not lowered: its picture would stand still.
    """
    if not isinstance(estimator, SupportsDraft):
        return {}
    return {
        name: value
        for name, value in estimator.draft(*arguments).items()
        if value != getattr(estimator, name) and name != moving
    }


def _shorten(memory: Memory, key: str, estimator: Any, arguments: tuple[Any, ...]) -> None:
    """Remember the trace of an estimator as a part of a longer run, if that is soon so far.

    Each value of the slider would else learn anew from the start.
    """
    longer = memory.longer
    if not longer.lock.acquire(blocking=False):
        return
    try:
        length = estimator.LENGTH
        longest = clone(estimator).set_params(**{length: estimator.PARAMS[length].high})
        longest_key = digest(longest, *arguments)
        if longer.running is None or longer.key != longest_key:
            longer.key, longer.running = longest_key, begin(longest, arguments)
        running = longer.running
        longer.running = None  # steps that end in the middle cannot be gone on with
        clock = CLOCK()
        end = clock() + MOMENT

        def enough(steps: Sequence[Any]) -> tuple[Any, ...] | None:
            part: tuple[Any, ...] | None = estimator.shortened(steps, *arguments)
            return () if part is None and clock() > end else part

        with brief(), limited(PATIENCE, "", clock):
            steps = running.reach(enough)
        if steps is not None:
            longer.running = running
        if steps:
            memory.keep(key, Trace(estimator, steps, True, "", 0.0))
    except OutOfTime:
        pass
    finally:
        longer.lock.release()


def begin(estimator: Any, arguments: tuple[Any, ...]) -> Running[Any]:
    """Return the run of an estimator before its first step."""
    return Running(estimator, *arguments, max_steps=MAX_STEPS, max_bytes=MAX_BYTES)


@contextmanager
def answering(subject: str, advice: str, seconds: float = ANSWER) -> Iterator[None]:
    """Bound the time of what is made of a run or for it.

    ``subject`` begins the sentence that says that it was too much, and ``advice`` says what to
    choose instead.
    """
    sentence = f"{subject} takes more than {in_seconds(seconds)} here. {advice}"
    with brief() if seconds <= ANSWER else nullcontext(), limited(seconds, sentence, CLOCK()):
        yield
