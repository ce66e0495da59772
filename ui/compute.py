"""Run algorithms within a budget; keep the last few traces in the session, and let the reader stop a long one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dmlib.trace import Trace, run
from ui.technique import Run

DEADLINE = 5.0  # seconds
MAX_STEPS = 5000
KEPT = 2  # traces of a session
PATIENCE = 0.4  # seconds of silence before progress is shown
TRACES, LONG, RUNNING, LAST = "traces", "run.long", "run.running", "run.last"


def digest(estimator: Any, X: Any, y: Any = None) -> str:
    """Return a key for a run: the class with its module, every parameter, every byte of the data."""
    sha = hashlib.sha256()
    for part in _arrays(X, y):
        sha.update(repr((part.shape, part.dtype.str)).encode() + np.ascontiguousarray(part).tobytes())
    sha.update(f"{type(estimator).__module__}.{type(estimator).__qualname__}".encode())
    for name, value in sorted(estimator.get_params(deep=False).items()):
        content = (
            value.tobytes() + repr(value.shape).encode() if isinstance(value, np.ndarray) else repr(value).encode()
        )
        sha.update(name.encode() + b"=" + content + b";")
    return sha.hexdigest()


def _arrays(X: Any, y: Any) -> Iterator[Any]:
    """Yield data as arrays of numbers; names of columns and categories as the bytes of their texts."""
    if isinstance(X, pd.DataFrame):
        for name, column in X.items():
            nominal = isinstance(column.dtype, pd.CategoricalDtype)
            texts = [str(name), *map(str, column.cat.categories)] if nominal else [str(name)]
            yield np.frombuffer(repr(texts).encode(), np.uint8)
            yield column.cat.codes.to_numpy() if nominal else column.to_numpy(float)
    else:
        yield X
    if y is not None:
        yield y


def trace_of(estimator: Any, X: Any, y: Any = None) -> Trace:
    """Return the trace of an algorithm on data, from this session's last few if it is there.

    A run that is not done in a moment is left to :func:`finish_long_run`, in a new run of the whole page.

    Raises
    ------
    ValueError
        What the algorithm says about its parameters and data.
    """
    key = digest(estimator, X, y)
    traces = _traces()
    if key not in traces:
        trace = run(estimator, X, y, deadline=PATIENCE, max_steps=MAX_STEPS)
        if not trace.complete and len(trace.steps) < MAX_STEPS:
            st.session_state[LONG] = (key, estimator, X, y)
            st.rerun()
        _keep(key, trace)
    return traces[key]


def finish_long_run(slot: Any) -> None:
    """Do the run that :func:`trace_of` has put off, with its progress and a button that stops it in ``slot``.

    The button belongs to the whole page: what belongs to a fragment has to wait for the run in hand.
    """
    if LONG not in st.session_state:
        return
    key, estimator, X, y = st.session_state.pop(LONG)
    box = slot.container(horizontal=True, vertical_alignment="center")
    box.button("Stop", key="stop", on_click=_stop, icon=":material/stop_circle:")
    message = box.empty()

    def progress(steps: Sequence[Any]) -> None:
        st.session_state[RUNNING] = (key, steps)
        message.caption(f"Running: {len(steps)} steps so far. The run stops by itself after {DEADLINE:g} seconds.")

    _keep(key, run(estimator, X, y, deadline=DEADLINE, max_steps=MAX_STEPS, progress=progress))
    slot.empty()


def _stop() -> None:
    """Keep the steps that a running algorithm has made so far as its trace; a callback."""
    key, steps = st.session_state.pop(RUNNING, ("", ()))
    _keep(key, Trace(tuple(steps), False, f"You stopped the run at step {len(steps)}.", 0.0))


def _traces() -> dict[str, Trace]:
    traces: dict[str, Trace] = st.session_state.setdefault(TRACES, {})
    return traces


def _keep(key: str, trace: Trace) -> None:
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
