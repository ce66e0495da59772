"""Run algorithms within a budget; keep the last few traces in the session, and let the reader stop a long one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dmlib.trace import Trace, run

DEADLINE = 5.0  # seconds
MAX_STEPS = 5000
KEPT = 2  # traces of a session
PATIENCE = 0.4  # seconds of silence before progress is shown
TRACES, LONG, RUNNING = "traces", "run.long", "run.running"


def digest(estimator: Any, X: Any) -> str:
    """Return a key for a run: the class with its module, every parameter, every byte of the data."""
    sha = hashlib.sha256(np.ascontiguousarray(X).tobytes())
    sha.update(repr(X.shape).encode())
    sha.update(f"{type(estimator).__module__}.{type(estimator).__qualname__}".encode())
    for name, value in sorted(estimator.get_params(deep=False).items()):
        content = (
            value.tobytes() + repr(value.shape).encode() if isinstance(value, np.ndarray) else repr(value).encode()
        )
        sha.update(name.encode() + b"=" + content + b";")
    return sha.hexdigest()


def trace_of(estimator: Any, X: Any) -> Trace:
    """Return the trace of an algorithm on data, from this session's last few if it is there.

    A run that is not done in a moment is left to :func:`finish_long_run`, in a new run of the whole page.

    Raises
    ------
    ValueError
        What the algorithm says about its parameters and data.
    """
    key = digest(estimator, X)
    traces = _traces()
    if key not in traces:
        trace = run(estimator, X, deadline=PATIENCE, max_steps=MAX_STEPS)
        if not trace.complete and len(trace.steps) < MAX_STEPS:
            st.session_state[LONG] = (key, estimator, X)
            st.rerun()
        _keep(key, trace)
    return traces[key]


def finish_long_run(slot: Any) -> None:
    """Do the run that :func:`trace_of` has put off, with its progress and a button that stops it in ``slot``.

    The button belongs to the whole page: what belongs to a fragment has to wait for the run in hand.
    """
    if LONG not in st.session_state:
        return
    key, estimator, X = st.session_state.pop(LONG)
    box = slot.container(horizontal=True, vertical_alignment="center")
    box.button("Stop", key="stop", on_click=_stop, icon=":material/stop_circle:")
    message = box.empty()

    def progress(steps: Sequence[Any]) -> None:
        st.session_state[RUNNING] = (key, steps)
        message.caption(f"Running: {len(steps)} steps so far. The run stops by itself after {DEADLINE:g} seconds.")

    _keep(key, run(estimator, X, deadline=DEADLINE, max_steps=MAX_STEPS, progress=progress))
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
