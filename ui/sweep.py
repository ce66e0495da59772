"""Tabs of heavy sweeps: a bar shows how far they are, and they can be stopped and begun again."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.technique import Sweep
from dmlib.pictures.run import AnyRun
from ui.session import current_session


def show_sweep(sweep: Sweep, run: AnyRun) -> None:
    """Show the figure of a sweep, computed once for a run."""
    name = f"sweep.{sweep.title}"
    if name not in run.made and not _compute(sweep, name, run):
        return
    try:
        figure = sweep.plot(run.made[name])
    except ValueError as error:
        st.warning(str(error))
        return
    st.plotly_chart(
        figure, key=f"{name}.plot", config={"displayModeBar": False}, alt=sweep.help or sweep.title
    )
    if sweep.help:
        st.caption(sweep.help)


def _compute(sweep: Sweep, name: str, run: AnyRun) -> bool:
    """Compute the data of a sweep with its progress; return whether they are there."""
    if name in current_session().stopped_sweeps:
        st.caption("Stopped.")
        st.button("Start again", key=f"{name}.start", on_click=_start, args=(name,))
        return False
    text = f"{sweep.title}: {{}} of {sweep.n_tasks} tasks"
    bar, place = st.progress(0.0, text.format(0)), st.empty()
    place.button(
        "Stop", key=f"{name}.stop", on_click=_stop, args=(name,), icon=":material/stop_circle:"
    )
    n_done = 0

    def progress(_task: Any) -> None:
        nonlocal n_done
        n_done += 1
        bar.progress(min(n_done / sweep.n_tasks, 1.0), text.format(n_done))

    try:
        run.made[name] = sweep.compute(run, progress)
    except ValueError as error:
        st.warning(str(error))
        return False
    bar.empty()
    place.empty()
    return True


def _start(name: str) -> None:
    """Let a sweep begin anew; a callback."""
    current_session().stopped_sweeps.discard(name)


def _stop(name: str) -> None:
    """Remember that a sweep was stopped; a callback."""
    current_session().stopped_sweeps.add(name)
