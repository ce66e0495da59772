"""Tabs of heavy sweeps: a bar shows how far they are, and they can be stopped and begun again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dmlib.pictures.run import Run
from ui.technique import Report

Compute = Callable[[Run, Callable[[Any], None]], Any]


def sweep(
    title: str, compute: Compute, plot: Callable[[Any], Any], n_tasks: int, note: str = ""
) -> Report:
    """Return the tab of a sweep.

    Parameters
    ----------
    title : str
        Its name.
    compute : callable
        (run, progress) -> data; ``progress`` is called after each task.
    plot : callable
        Data -> figure.
    n_tasks : int
        How many tasks there are.
    note : str
        What stands below the figure.
    """
    name = f"sweep.{title}"
    stopped = f"{name}.stopped"

    def show(run: Run) -> None:
        if name not in run.made and not _computed(run):
            return
        try:
            figure = plot(run.made[name])
        except ValueError as error:
            st.warning(str(error))
            return
        st.plotly_chart(
            figure, key=f"{name}.plot", config={"displayModeBar": False}, alt=note or title
        )
        if note:
            st.caption(note)

    def _computed(run: Run) -> bool:
        if st.session_state.get(stopped):
            st.caption("Stopped.")
            st.button("Start again", key=f"{name}.start", on_click=_set, args=(stopped, False))
            return False
        bar = st.progress(0.0, f"{title}: 0 of {n_tasks} tasks")
        stop = st.empty()
        stop.button(
            "Stop",
            key=f"{name}.stop",
            on_click=_set,
            args=(stopped, True),
            icon=":material/stop_circle:",
        )
        done = 0

        def progress(task: Any) -> None:
            nonlocal done
            done += 1
            bar.progress(min(done / n_tasks, 1.0), f"{title}: {done} of {n_tasks} tasks")

        try:
            run.made[name] = compute(run, progress)
        except ValueError as error:
            st.warning(str(error))
            return False
        bar.empty()
        stop.empty()
        return True

    return Report(title, show, stopped=True)


def _set(key: str, value: bool) -> None:
    st.session_state[key] = value
