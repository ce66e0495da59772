"""Tabs below the stage: figures, the check against the library, the lesson."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.courses import Stop
from dashboard.outputs import sample_table
from dashboard.runs import ANSWER, COMPARISON, SWEEP, answering
from dashboard.technique import Figure, Report, Sweep, Technique
from dashboard.text import literal
from dashboard.tools.ask import POINT
from dashboard.view import View
from dmlib.comparison import Incomparable, called, compare
from dmlib.outputs import CLUSTER
from dmlib.pictures.run import AnyRun
from dmlib.problem import with_names
from dmlib.trace import OutOfTime
from ui.leaderboard import TITLE as COMPARE_ALL
from ui.leaderboard import has_leaderboard, show_leaderboard
from ui.lesson import LESSON, show_lesson
from ui.missing_row import missing_row_report
from ui.overview import cleaning_report, columns_report
from ui.related import related
from ui.session import set_widget_value, widget_value
from ui.sheet import sheet
from ui.spectrum import spectrum_report
from ui.sweep import show_sweep
from ui.take_along import TITLE as TAKE_ALONG
from ui.take_along import take_along
from ui.widgets import WidgetForm, apply_change
from ui.work import work_of_session

REPORTS: Mapping[str, Callable[[AnyRun, WidgetForm], None]] = {
    "cleaning": cleaning_report,
    "columns": columns_report,
    "missing row": missing_row_report,
    "spectrum": spectrum_report,
}
"""Tabs of texts, tables and controls, by the names that pages give them."""
NO_ANSWER = "The run was stopped early, so there is no answer to show here."


def below(view: View, form: WidgetForm, stop: Stop | None) -> None:
    """Let the reader choose what to see below the stage; only that is computed.

    Below it is the way on to other pages, in a course from its ``stop``.
    """
    technique, data = view.technique, view.data
    titles = tabs(technique)
    key = f"{technique.slug}.tab"
    if widget_value(key) not in titles:
        set_widget_value(key, LESSON)
    # Buttons instead of tabs: Streamlit's tabs are measured and drawn anew at every change, which a
    # reader can feel.
    title = st.segmented_control(
        "Below the picture", titles, key=key, required=True, label_visibility="collapsed"
    )
    try:
        figure = next((each for each in technique.figures if each.title == title), None)
        seconds = SWEEP if isinstance(figure, Sweep) else ANSWER
        seconds = COMPARISON if title == COMPARE_ALL else seconds
        with answering("What this tab shows", data.kind.advice, seconds), work_of_session():
            if title is None or title == LESSON:
                show_lesson(technique.slug, stop)
            else:
                _tab(title, view, form)
    except (
        ValueError,
        OutOfTime,
    ) as error:  # all rows of a table may have what those of the picture have not
        st.warning(literal(with_names(str(error), data.problem)))
    if title != LESSON:
        related(technique.slug, stop)


def tabs(technique: Technique) -> list[str]:
    """Return the titles of what can be seen below the stage."""
    compares = [COMPARE_ALL] if has_leaderboard(technique.slug) else []
    hands_on = [TAKE_ALONG] if technique.prepared else []
    return [
        LESSON,
        *(figure.title for figure in technique.figures),
        *compares,
        *hands_on,
        "Checked against",
        "Data",
    ]


def _tab(title: str, view: View, form: WidgetForm) -> None:
    technique, run = view.technique, view.run
    if run is None:
        st.caption("Nothing was run.")
    elif title == "Checked against":
        _check(technique, run)
    elif title == "Data":
        _data(view, run)
    elif title == COMPARE_ALL:
        show_leaderboard(view, run)
    elif title == TAKE_ALONG and not run.trace.complete:
        st.caption(NO_ANSWER)
    elif title == TAKE_ALONG:
        take_along(view, run)
    else:
        figure = next(figure for figure in technique.figures if figure.title == title)
        _figure(figure, technique, run, form)


def _figure(plot: Figure, technique: Technique, run: AnyRun, form: WidgetForm) -> None:
    if isinstance(plot, Report):
        REPORTS[plot.name](run, form)
        return
    if isinstance(plot, Sweep):
        show_sweep(plot, run)
        return
    if not run.trace.complete:
        # Without a limit, the fit that a figure needs could take far longer than the run that was
        # stopped.
        st.caption(NO_ANSWER)
        return
    try:
        figure = plot.figure(run)
    except ValueError as error:
        st.warning(str(error))
        return
    key = f"{technique.slug}.plot"
    shared: dict[str, Any] = {"config": {"displayModeBar": False}, "alt": plot.help or plot.title}
    if plot.rows:
        key += ".rows"
        shared["on_select"] = lambda: _take_row(key)
    st.plotly_chart(figure, key=key, **shared)
    if plot.help:
        st.caption(plot.help)


def _take_row(key: str) -> None:
    """Select the row of a point that was clicked; of many points, none."""
    rows = {str(point.get("customdata")) for point in widget_value(key).selection.points}
    if len(rows) == 1 and (row := rows.pop()).isdecimal():
        apply_change(lambda settings: settings.with_text(POINT, row))


def _check(technique: Technique, run: AnyRun) -> None:
    """Say that it agrees, or where it differs and by how much, or why it cannot be compared."""
    if not run.trace.complete:
        st.caption(NO_ANSWER)
        return
    try:
        reference = technique.check.answer(run)
    except Incomparable as reason:
        st.info(literal(f"Not comparable: {reason}"), icon=":material/info:")
        return
    attributes = [name for name in technique.check.compare if hasattr(run.fitted, name)]
    rows = compare(run.fitted, reference, attributes, run.problem.data)
    different = [row for row in rows if not row.agrees]
    largest = max((row.difference for row in rows), default=0.0)
    if different:
        names = ", ".join(
            f"{row.attribute} by {row.difference:.3g} at {list(row.where)}" for row in different
        )
        st.warning(literal(f"Differs: {names}."), icon=":material/difference:")
    else:
        st.success(f"Agrees: the largest difference is {largest:.2g}.", icon=":material/check:")
    st.caption(f"Computed now, on these data and with these parameters, by {called(reference)}.")
    table = [
        (row.attribute, _short(row.ours), _short(row.theirs), f"{row.difference:.3g}")
        for row in rows
    ]
    st.table(pd.DataFrame(table, columns=["attribute", "dmlib", "library", "largest difference"]))


def _short(array: Any) -> str:
    return f"{array.item():.10g}" if array.ndim == 0 else f"array {array.shape}"


def _data(view: View, run: AnyRun) -> None:
    frame = sample_table(view) if run.trace.complete else view.data.kind.listing(run.problem)
    alt = "The data that the algorithm got, with its answer"
    sheet(frame, f"{view.technique.slug}_data.csv", height=360, alt=alt)
    if CLUSTER in frame and (frame[CLUSTER] == 0).any():
        st.caption("Cluster 0 is noise.")
