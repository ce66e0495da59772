"""Run algorithms within a budget; keep the last few traces in the session, and let the reader stop a long one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dmlib.trace import Trace, run

DEADLINE = 5.0  # seconds
MAX_STEPS = 2000
KEPT = 4  # traces of a session
PATIENCE = 0.4  # seconds of silence before progress is shown


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

    Raises
    ------
    ValueError
        What the algorithm says about its parameters and data.
    """
    key = digest(estimator, X)
    traces: dict[str, Trace] = st.session_state.setdefault("traces", {})
    if key not in traces:
        # Not st.cache_resource: its functions must not show widgets, and a long run shows a button that stops it.
        traces[key] = _run(key, estimator, X)
        for old in list(traces)[:-KEPT]:
            del traces[old]
    return traces[key]


def _run(key: str, estimator: Any, X: Any) -> Trace:
    slot = st.empty()
    shown: list[Any] = []

    def progress(steps: Sequence[Any]) -> None:
        st.session_state["running"] = (key, steps)
        if not shown:
            box = slot.container(horizontal=True, vertical_alignment="center")
            box.button("Stop", key="stop", on_click=_stop, icon=":material/stop_circle:")
            shown.append(box.empty())
        shown[0].caption(f"Running: {len(steps)} steps so far. The run stops by itself after {DEADLINE:g} seconds.")

    trace = run(estimator, X, deadline=DEADLINE, max_steps=MAX_STEPS, progress=progress, every=PATIENCE)
    slot.empty()
    return trace


def _stop() -> None:
    """Keep the steps that a running algorithm has made so far as its trace; a callback."""
    key, steps = st.session_state.pop("running", ("", ()))
    reason = f"You stopped the run at step {len(steps)}."
    st.session_state.setdefault("traces", {})[key] = Trace(tuple(steps), False, reason, 0.0)
