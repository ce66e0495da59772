"""What is below the stage: figures, the check against the library, the lesson."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ui.links import keep
from ui.technique import Run, Technique

LESSON = "Lesson"
NO_ANSWER = "The run was stopped early, so there is no answer to show here."
LESSONS = Path(__file__).parent.parent / "assets" / "lessons"


def below(technique: Technique, run: Run | None) -> None:
    """Let the reader choose what to see below the stage; only that is computed."""
    titles = tabs(technique)
    key = f"{technique.slug}.tab"
    if st.session_state.get(key) not in titles:
        st.session_state[key] = LESSON
    # Buttons instead of tabs: Streamlit's tabs are measured and drawn anew at every change, which a reader can feel.
    title = st.segmented_control(
        "Below the picture", titles, key=key, required=True, label_visibility="collapsed", persist_state="session"
    )
    _tab(title or LESSON, technique, run)


def tabs(technique: Technique) -> list[str]:
    """Return the titles of what can be seen below the stage."""
    reports, plots = ([part.title for part in parts] for parts in (technique.reports, technique.plots))
    return [LESSON, *reports, *plots, "Checked against", "Data"]


def _tab(title: str, technique: Technique, run: Run | None) -> None:
    if title == LESSON:
        # The stage's style sheet lays a lesson out only when it comes into view.
        with st.container(key="lesson"):
            st.markdown(lesson(technique.slug), width=760)
    elif run is None:
        st.caption("Nothing was run.")
    elif title == "Checked against":
        _check(technique, run)
    elif title == "Data":
        _data(technique, run)
    elif report := next((report for report in technique.reports if report.title == title), None):
        report.show(run)
    elif not run.trace.complete:
        # Without a limit, the fit that a figure needs could take far longer than the run that was stopped.
        st.caption(NO_ANSWER)
    else:
        plot = next(plot for plot in technique.plots if plot.title == title)
        try:
            figure = plot.figure(run)
        except ValueError as error:
            st.warning(str(error))
            return
        key = f"{technique.slug}.plot"
        shared: dict[str, Any] = {"config": {"displayModeBar": False}, "alt": plot.help or title}
        if plot.rows:
            key += ".rows"
            shared["on_select"] = lambda: _take_row(key)
        st.plotly_chart(figure, key=key, **shared)
        if plot.help:
            st.caption(plot.help)


def _take_row(key: str) -> None:
    """Select the row of a point that was clicked; of many points, none."""
    rows = {str(point.get("customdata")) for point in st.session_state[key].selection.points}
    if len(rows) == 1 and (row := rows.pop()).isdecimal():
        st.session_state["point"] = int(row)
        keep("point", row)


@st.cache_data(max_entries=100, show_spinner=False)
def lesson(slug: str) -> str:
    """Return the text of a lesson."""
    return (LESSONS / f"{slug}.md").read_text(encoding="utf-8")


def compare(ours: Any, theirs: Any, attributes: tuple[str, ...], X: Any) -> pd.DataFrame:
    """Return the largest absolute difference of fitted attributes, one row each; of methods, of their values on X."""
    rows = []
    for name in attributes:
        values = (getattr(model, name) for model in (ours, theirs))
        a, b = (np.asarray(value(X) if callable(value) else value, float) for value in values)
        same = a.shape == b.shape
        difference = float(_gaps(a, b).max(initial=0.0)) if same else float("nan")
        rows.append(
            {"attribute": name, "dmlib": _short(a), "library": _short(b), "largest difference": f"{difference:.3g}"}
        )
    return pd.DataFrame(rows)


def _gaps(a: Any, b: Any) -> Any:
    """Return absolute differences; none where both are infinite alike, or both undefined."""
    with np.errstate(invalid="ignore"):
        return np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))


def _short(array: Any) -> str:
    return f"{array.item():.10g}" if array.ndim == 0 else f"array {array.shape}"


def _check(technique: Technique, run: Run) -> None:
    if not run.trace.complete:
        st.caption(NO_ANSWER)
        return
    reference = technique.reference(run)
    if reference is None:
        st.caption("The library cannot repeat this run exactly: it breaks a tie differently, or has no such method.")
        return
    package = type(reference).__module__.split(".")[0].replace("sklearn", "scikit-learn")
    st.caption(f"Computed now, on these data and with these parameters, by {package}’s {type(reference).__name__}.")
    st.table(compare(run.fitted, reference, technique.compare, run.problem.data))


def _data(technique: Technique, run: Run) -> None:
    problem = run.problem
    frame = pd.DataFrame(problem.data, columns=list(problem.features)).set_index(pd.Index(problem.rows + 1, name="row"))
    if problem.y is not None:
        frame["known class"] = [problem.classes[code] for code in problem.y]
    if problem.test is not None:
        frame["held out"] = problem.test
    if run.trace.complete:
        _add_answer(frame, technique, run)
    st.dataframe(frame, height=360, alt="The data that the algorithm got, with its answer")


def _add_answer(frame: pd.DataFrame, technique: Technique, run: Run) -> None:
    """Add columns with what the algorithm says of each row."""
    problem = run.problem
    if hasattr(run.fitted, "labels_"):
        labels = run.fitted.labels_ if technique.labels is None else technique.labels(run)
        noise = (labels < 0).any()
        frame["cluster"] = ["noise" if code < 0 else str(code + 1) for code in labels] if noise else labels + 1
    if hasattr(run.fitted, "components_") and hasattr(run.fitted, "transform"):
        for j, scores in enumerate(run.fitted.transform(problem.data).T, start=1):
            frame[f"component {j}"] = scores
    if hasattr(run.fitted, "predictions_"):
        frame["predicted"] = _predictions(run)
    elif hasattr(run.fitted, "classes_"):
        frame["predicted"] = [problem.classes[code] for code in run.fitted.predict(problem.data)]


def _predictions(run: Run) -> list[str | None]:
    """Return what an evaluation had each row called; nothing for rows that it learned from or that are held out."""
    problem = run.problem
    codes = np.full(len(problem.X), -1)
    codes[slice(None) if problem.test is None else ~problem.test] = run.fitted.predictions_
    return [problem.classes[code] if code >= 0 else None for code in codes]
