"""Run algorithms within a budget; keep the last few traces in the session, and let the reader stop a long one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import streamlit as st
from sklearn.base import clone

from dmlib.engine import brief
from dmlib.estimator import SupportsDraft, SupportsShortening
from dmlib.pictures.run import Run
from dmlib.trace import MB, Clock, OutOfTime, Running, Trace, limited, thread_clock
from ui.work import work_of_session

# Seconds are those in which this visitor's own thread was at work: a busy server stops nobody's
# run, it only slows it.
DEADLINE = 2.0  # for a run
ANSWER = 2.0  # for what is made of it: the fitted model and its picture
SWEEP = 20.0  # for many runs, which show how far they are and can be stopped
MAX_STEPS = 5000
MAX_BYTES = 192 * MB  # of the steps of a run
KEPT = 2  # traces of a session
MOMENT = 0.2  # seconds of work on a longer run, from which one is cut while its length moves
PATIENCE = 0.4  # seconds of work in silence before progress is shown
READING = 4.0  # for reading data that are no table, and making them ready
CLOCK: Callable[[], Clock] = thread_clock
"""Makes the clock of a run; tests hold it."""
DRAWING = "The run has ended. Its picture is drawn …"
TRACES, LONG, RUNNING, LAST, LONGER = "traces", "run.long", "run.running", "run.last", "run.longer"


def digest(estimator: Any, *arguments: Any) -> str:
    """Return a key for a run: the class with its module, every parameter, every byte of the data."""
    sha = hashlib.sha256()
    for part in (array for argument in arguments for array in _arrays(argument)):
        sha.update(
            repr((part.shape, part.dtype.str)).encode() + np.ascontiguousarray(part).tobytes()
        )
    sha.update(f"{type(estimator).__module__}.{type(estimator).__qualname__}".encode())
    for name, value in sorted(estimator.get_params(deep=False).items()):
        content = (
            value.tobytes() + repr(value.shape).encode()
            if isinstance(value, np.ndarray)
            else repr(value).encode()
        )
        sha.update(name.encode() + b"=" + content + b";")
    return sha.hexdigest()


def _arrays(data: Any) -> Iterator[Any]:
    """Yield data as arrays of numbers; names, texts and graphs as the bytes of their texts."""
    if isinstance(data, pd.DataFrame):
        for name, column in data.items():
            nominal = isinstance(column.dtype, pd.CategoricalDtype)
            texts = (
                [str(name), column.cat.ordered, *map(str, column.cat.categories)]
                if nominal
                else [str(name)]
            )
            yield np.frombuffer(repr(texts).encode(), np.uint8)
            yield column.cat.codes.to_numpy() if nominal else column.to_numpy(float)
    elif isinstance(data, nx.Graph):
        parts = (data.is_directed(), list(data.nodes(data=True)), list(data.edges(data=True)))
        yield np.frombuffer(repr(parts).encode(), np.uint8)
    elif isinstance(data, np.ndarray):
        yield data
    else:
        yield np.frombuffer(repr(data).encode(), np.uint8)


def trace_of(estimator: Any, *arguments: Any, moving: str | None = None) -> tuple[str, Trace]:
    """Return the key and the trace of an algorithm on data, from this session's last few if it is there.

    A run that is not done in a moment is left to :func:`finish_long_run`, in a new run of the whole
    page. While a parameter of this name is ``moving`` (a handle has the empty name), an algorithm
    that has a draft is run as that (docs/decisions/0024).

    Raises
    ------
    ValueError
        What the algorithm says about its parameters and data.
    """
    key = digest(estimator, *arguments)
    traces = _traces()
    if moving is None:
        st.session_state[LONGER] = Longer()  # at rest nothing is held for a drag
    elif (
        isinstance(estimator, SupportsShortening)
        and moving == estimator.LENGTH
        and key not in traces
    ):
        _shorten(key, estimator, arguments)
    if (
        moving is not None
        and key not in traces
        and (lowered := _draft(estimator, moving, *arguments))
    ):
        estimator = clone(estimator).set_params(**lowered)
        key = digest(estimator, *arguments)
    if key not in traces:
        with brief():
            trace = _begin(estimator, arguments).go(PATIENCE, clock=CLOCK())
        if not trace.complete and trace.seconds > PATIENCE:
            st.session_state[LONG] = (key, trace.rest or _begin(estimator, arguments))
            st.rerun()
        _keep(key, trace)
    found = traces[key]
    if isinstance(found, str):
        raise ValueError(found)
    return key, found


def _draft(estimator: Any, moving: str, *arguments: Any) -> dict[str, Any]:
    """Return the parameters that an algorithm lowers for a draft; most have none, being fast enough.

    What moves is not lowered: its picture would stand still.
    """
    if not isinstance(estimator, SupportsDraft):
        return {}
    return {
        name: value
        for name, value in estimator.draft(*arguments).items()
        if value != getattr(estimator, name) and name != moving
    }


@dataclass(eq=False, repr=False)
class Longer:
    """The run that those are cut from whose length moves: it goes on where it stood (docs/decisions/0024)."""

    key: str = ""
    running: Running | None = None
    lock: Lock = field(default_factory=Lock)


def _shorten(key: str, estimator: Any, arguments: tuple[Any, ...]) -> None:
    """Keep the trace of an estimator as a part of a longer run, if that comes so far in a moment.

    Each value of the slider would else learn anew from the start.
    """
    longer: Longer | None = st.session_state.get(LONGER)
    if longer is None or not longer.lock.acquire(blocking=False):
        return
    try:
        length = estimator.LENGTH
        longest = clone(estimator).set_params(**{length: estimator.PARAMS[length].high})
        of = digest(longest, *arguments)
        if longer.running is None or longer.key != of:
            longer.key, longer.running = of, _begin(longest, arguments)
        running, longer.running = (
            longer.running,
            None,
        )  # steps that end in the middle cannot be gone on with
        clock = CLOCK()
        end = clock() + MOMENT

        def enough(steps: Sequence[Any]) -> tuple[Any, ...] | None:
            found: tuple[Any, ...] | None = estimator.shortened(steps, *arguments)
            return () if found is None and clock() > end else found

        with brief(), limited(PATIENCE, "", clock):
            steps = running.reach(enough)
        if steps is not None:
            longer.running = running
        if steps:
            _keep(key, Trace(estimator, steps, True, "", 0.0))
    except OutOfTime:
        pass
    finally:
        longer.lock.release()


def finish_long_run(slot: Any) -> None:
    """Go on with the run that was put off or continued, with its progress and a button that stops it in ``slot``.

    The button belongs to the whole page: what belongs to a fragment has to wait for the run in
    hand. At the end ``slot`` says that the picture is drawn, which may take as long; the page
    empties it.
    """
    if LONG not in st.session_state:
        return
    key, running = st.session_state.pop(LONG)
    deadline = DEADLINE * (1 + running.seconds // DEADLINE)
    box = slot.container(horizontal=True, vertical_alignment="center")
    box.button("Stop", key="stop", on_click=_stop, icon=":material/stop_circle:")
    message = box.empty()
    st.session_state[RUNNING] = (
        key,
        running,
    )  # who stops it before its first progress has its steps too

    def progress(steps: Sequence[Any]) -> None:
        message.caption(
            f"Running: {len(steps)} steps so far. The run stops by itself after {deadline:g}"
            " seconds."
        )

    try:
        with brief(), work_of_session():
            _keep(key, running.go(deadline, progress=progress, clock=CLOCK()))
    except (
        ValueError
    ) as error:  # what is refused late is refused as what is refused at once, by who asked
        _keep(key, str(error))
    st.session_state.pop(RUNNING, None)
    slot.caption(DRAWING)


def go_on_with(key: str) -> None:
    """Let the page continue a run that was stopped; a callback."""
    trace = _traces().get(key)
    if isinstance(trace, Trace) and trace.rest is not None:
        st.session_state[LONG] = (key, trace.rest)


def _begin(estimator: Any, arguments: tuple[Any, ...]) -> Running:
    return Running(estimator, *arguments, max_steps=MAX_STEPS, max_bytes=MAX_BYTES)


@contextmanager
def answering(what: str, less: str, seconds: float = ANSWER) -> Iterator[None]:
    """Bound what is made of a run or for it.

    ``what`` begins the sentence that says that it was too much, and ``less`` says what to choose
    instead.
    """
    sentence = f"{what} takes more than {seconds:g} seconds here. {less}"
    with brief() if seconds <= ANSWER else nullcontext(), limited(seconds, sentence, CLOCK()):
        yield


def _stop() -> None:
    """Keep the steps that a running algorithm has made so far as its trace; a callback."""
    key, running = st.session_state.pop(RUNNING, ("", None))
    if running is not None:
        _keep(key, running.trace(f"You stopped the run at step {len(running.steps)}."))


def _traces() -> dict[str, Trace | str]:
    """Return the last few traces; instead of one that was refused late, why."""
    traces: dict[str, Trace | str] = st.session_state.setdefault(TRACES, {})
    return traces


def _keep(key: str, trace: Trace | str) -> None:
    traces = _traces()
    traces[key] = trace
    for old in list(traces)[:-KEPT]:
        del traces[old]


def again(run: Run, key: str) -> Run:
    """Let a run keep what the session's last one has fitted and drawn, if only what is asked of it has changed."""
    last_key, last = st.session_state.get(LAST, ("", run))
    if last_key == key:
        run.take_over(last)
    st.session_state[LAST] = (key, run)
    return run
