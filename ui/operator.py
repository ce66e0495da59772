"""The operator's table: a large one on the server, of which pages show a sample."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from dmlib.datasets import Note
from dmlib.datasets import Table as TypedTable
from dmlib.datasets.table import infer_kinds
from dmlib.engine import Progress, Task
from dmlib.trace import OutOfTime, watched
from ui.sheet import sheet
from ui.streamlit_private.log import logger

VARIABLE = "DMLIB_LARGE_TABLE"
NAME = "operator"
"""Name of the source in a link; it is all that a link says of the table."""
SOURCE = {NAME: "Operator's table"}
SAMPLE, CELLS = 10_000, 2_000_000
INTERVAL = 1.0  # seconds between two looks at a pass that is under way
UNREADABLE = (
    "The operator's table cannot be read; the server's log has the reason. Choose other data."
)
LOG = logger(__name__)


class Pass:
    """Work on the whole table in a thread of its own, once for all visitors.

    Parameters
    ----------
    work : callable
        What is to be done. It is given what to call with the task of each piece of the table that
        was read, and looks up in its loops (:func:`dmlib.trace.look`).
    """

    def __init__(self, work: Callable[[Progress], Any]) -> None:
        self._work = work
        self._thread: threading.Thread | None = None
        self.stopped = False
        self.n_done = 0
        self.result: Any = None
        self.failed = False

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin, unless it is under way or done."""
        if self.running or self.result is not None or self.failed:
            return
        self.stopped, self.n_done = False, 0
        self._thread = threading.Thread(target=self._run, name=VARIABLE, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it after the piece in hand."""
        self.stopped = True

    def wait(self) -> None:
        """Wait until it has ended."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            with watched(self._look):
                self.result = self._work(self._read)
        except OutOfTime:
            pass
        except Exception as error:  # whatever is in the file, the server goes on and says so
            self.failed = True
            LOG.warning("%s: %s", VARIABLE, error)

    def _read(self, _: Task) -> None:
        self.n_done += 1

    def _look(self) -> None:
        if self.stopped:
            raise OutOfTime("The pass was stopped.")


class OperatorTable:
    """The table and the passes over it.

    Parameters
    ----------
    path : str
        What the setting says.
    """

    def __init__(self, path: str) -> None:
        from dmlib.large import open_table, profile

        self.failed = False
        try:
            self.source = open_table(path)
        except ValueError as error:
            self.failed = True
            LOG.warning("%s: %s", VARIABLE, error)
            return
        self.sampling = Pass(self._sample)
        self.profiling = Pass(lambda read: profile(self.source, progress=read))

    @property
    def n_pieces(self) -> int:
        """How many pieces a pass reads."""
        return len(self.source.pieces)

    def _sample(self, _: Progress) -> tuple[TypedTable, str]:
        """Draw the sample; the number of rows is known from then on."""
        from dmlib.large import counted, sample

        self.source = counted(self.source)
        n_columns = len(self.source.columns)
        n = max(1, min(SAMPLE, CELLS // n_columns))
        drawn_sample = sample(self.source, n).reset_index(drop=True)
        LOG.info("%s: %s rows, %s columns.", VARIABLE, f"{self.source.n_rows:,}", n_columns)
        return _typed(drawn_sample, n, self.source.n_rows or 0)


def _typed(frame: pd.DataFrame, n: int, n_rows: int) -> tuple[TypedTable, str]:
    """Return a sample as a table whose columns have kinds, and the code that draws it."""
    code = f"""import os

from dmlib.datasets import Table
from dmlib.datasets.table import infer_kinds
from dmlib.large import sample

# The server has the table; here the variable {VARIABLE} names it.
frame = sample(os.environ["{VARIABLE}"], {n}).reset_index(drop=True)
"""
    for name in [
        name for name in frame if frame[name].dtype == object
    ]:  # lists cannot be compared as they are
        frame = frame.assign(**{name: frame[name].map(str, na_action="ignore")})
        code += f'frame[{name!r}] = frame[{name!r}].map(str, na_action="ignore")\n'
    code += f"table = Table(frame, infer_kinds(frame), name={NAME!r})\n"
    text = (
        f"A sample of {len(frame):,} of {n_rows:,} rows of the operator's table is used, drawn with"
        " seed 0."
    )
    title = "Operator's table, a sample"
    return (
        TypedTable(frame, infer_kinds(frame), NAME, title=title, notes=(Note("sample", text),)),
        code,
    )


def setting() -> str:
    """Return what the setting says; empty without one."""
    return os.environ.get(VARIABLE, "").strip()


@st.cache_resource(max_entries=1, show_spinner=False)
def operator_table(path: str) -> OperatorTable:
    """Return the table that the setting names, opened once for all visitors."""
    return OperatorTable(path)


def prepare() -> None:
    """Begin to draw the sample when the server starts, so that the log has what is wrong."""
    if setting() and not (table := operator_table(setting())).failed:
        table.sampling.start()


def sampled() -> tuple[TypedTable, str]:
    """Return the sample and the code that draws it.

    Raises
    ------
    ValueError
        If the table cannot be read, or has not been read yet; the page comes back by itself when it
        has.
    """
    table = operator_table(setting())
    if table.failed or table.sampling.failed:
        raise ValueError(UNREADABLE)
    table.sampling.start()
    if table.sampling.result is None:
        st.fragment(_wait, run_every=INTERVAL)(table.sampling)
        raise ValueError(
            "The operator's table is being sampled. It is shown here as soon as all of it was read."
        )
    drawn_sample: tuple[TypedTable, str] = table.sampling.result
    return drawn_sample


def _wait(under_way: Pass) -> None:
    """Show the page anew when a pass has ended."""
    if not under_way.running:
        st.rerun()


def whole_table() -> None:
    """Show the profile of the whole table, or how far the pass over it is."""
    table = operator_table(setting())
    profiling = table.profiling
    if not profiling.stopped:
        profiling.start()
    if profiling.failed:
        st.warning(UNREADABLE)
    elif profiling.result is not None:
        _profile(profiling.result)
    elif profiling.running:
        st.fragment(_under_way, run_every=INTERVAL)(table)
    else:
        st.caption("The pass over the whole table was stopped.")
        st.button(
            "Profile the whole table",
            key="operator.start",
            on_click=profiling.start,
            icon=":material/play_arrow:",
        )


def _under_way(table: OperatorTable) -> None:
    """Show how far the pass is, with a button that stops it."""
    profiling = table.profiling
    if not profiling.running:
        st.rerun()
    st.progress(
        profiling.n_done / table.n_pieces,
        f"{profiling.n_done} of {table.n_pieces} parts of the operator's table are read.",
    )
    st.button("Stop", key="operator.stop", on_click=profiling.stop, icon=":material/stop_circle:")


def _profile(profile: Any) -> None:
    st.caption(
        f"The whole table: {profile.n_rows:,} rows and {len(profile.columns):,} columns. Counts,"
        " means, deviations and extremes are exact; a percentile's rank is off by at most"
        f" {100 * profile.rank_error:.2g} %, and the number of different values has the standard"
        " error beside it, where there is one."
    )
    alt = "Counts and statistics of each column of the whole table"
    sheet(profile.frame(), "columns_of_the_whole_table.csv", hide_index=True, alt=alt)
