"""The tab that compares all techniques of one kind on the data of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.entrants import Entrant, benchmark_of, compared_rows, entrants, sample_note, targets
from dashboard.leaderboard import Leaderboard
from dashboard.pairs import rival_link
from dashboard.runs import digest
from dashboard.text import literal
from dashboard.view import View
from dmlib import engine
from dmlib.evaluation.benchmark import Benchmark, Scores
from dmlib.pictures.run import AnyRun
from dmlib.problem import Problem, with_names
from dmlib.spreadsheet import to_csv
from ui.session import current_session, widget_value

TITLE = "Compare all"
NAME = "leaderboard"
TOGETHER = 3  # techniques after which the table is drawn again: each time it is sent as a whole
LINE_HEIGHT, MAX_HEIGHT = 66, 640  # pixels; in lower lines texts are not wrapped
WIDTHS = {"Error": 75, "±": 70, "RMSE": 75, "R²": 65}
"""Of columns whose head is narrower than their numbers, in pixels."""
HINT = "A click on a row opens its page on these data, with this run pinned beside it."
NEW_ROWS = "The best of many looks better than it is: on new rows expect a larger error."
NO_BEST = (
    "Clusters have no error, so there is no best: each measure prefers clusters of its own kind."
)
TEST_NOTE = (
    "Differences of the means over the same folds; p is that of the corrected resampled t test"
    " (Nadeau and Bengio 2003). Of many p, a few are small by chance."
)
Entries = Sequence[tuple[Entrant, Scores]]


def has_leaderboard(slug: str) -> bool:
    """Return whether what a page finds is what others find too."""
    return bool(targets(slug))


def show_leaderboard(view: View, run: AnyRun) -> None:
    """Show all techniques that find the same on these data, each as soon as it is done."""
    page = view.page
    slug, seed = page.technique.slug, page.form.seed
    rows = compared_rows(run.problem, seed)
    benchmark = benchmark_of(rows, targets(slug)[page.method], seed)
    st.caption(f"{sample_note(run.problem, rows, run.table)} {HINT}")
    progress, slot, colors = st.empty(), st.empty(), _colors()
    progress.progress(0.0, "Techniques …")  # they may have to be imported first
    rivals = [*entrants(page.technique, page.method, run.model, rows, seed)]
    board = Leaderboard(rows, benchmark, ())
    for i, entries in enumerate(_entries(rivals, benchmark, rows, progress)):
        board = Leaderboard(rows, benchmark, entries)
        if entries and (i < TOGETHER or i % TOGETHER == 0):
            _table(slot, board, board.table(colors))
    frame, key = board.table(colors), f"{slug}.{NAME}"
    link = rival_link(view)
    _table(slot, board, frame, key=key, on_select=lambda: _open(key, board, link))
    st.download_button(
        "This table (CSV)",
        lambda: to_csv(frame.drop(columns="Picture")),
        f"{slug}_{NAME}.csv",
        "text/csv",
        on_click="ignore",
    )
    _meaning(board)


def _entries(
    rivals: Sequence[Entrant], benchmark: Benchmark, rows: Problem, progress: Any
) -> Iterator[Entries]:
    """Yield the techniques that are done with their scores, anew each time that one more is."""
    memory = current_session().memory
    target = np.zeros(0) if rows.y is None else rows.y
    keys = [digest(each.model, rows.data, target, rows.points, benchmark.seed) for each in rivals]

    def done() -> Entries:
        all_scores = [
            Scores(reason=rival.refusal) if rival.refusal else memory.scores.get(key)
            for rival, key in zip(rivals, keys, strict=True)
        ]
        pairs = zip(rivals, all_scores, strict=True)
        return [(rival, scores) for rival, scores in pairs if scores is not None]

    entries = done()
    yield entries
    pending = [
        (rival.model, key)
        for rival, key in zip(rivals, keys, strict=True)
        if not rival.refusal and key not in memory.scores
    ]
    if not pending:
        progress.empty()
    if not pending or _is_stopped(progress):
        return
    models, new_keys = zip(*pending, strict=True)
    bar = _bar(progress)
    bar(len(entries), len(rivals))
    for key, scores in zip(new_keys, engine.map(benchmark.score, models), strict=True):
        memory.keep_scores(key, replace(scores, reason=with_names(scores.reason, rows)))
        entries = done()
        bar(len(entries), len(rivals))
        yield entries
    progress.empty()


def _is_stopped(progress: Any) -> bool:
    """Return whether the visitor has stopped it; then offer to go on."""
    stopped = current_session().stopped_sweeps
    if NAME not in stopped:
        return False
    with progress.container(horizontal=True, vertical_alignment="center"):
        st.caption("Stopped.", width="content")
        st.button("Go on", key=f"{NAME}.start", on_click=stopped.discard, args=(NAME,))
    return True


def _bar(progress: Any) -> Callable[[int, int], None]:
    """Show how far it is, with a button that stops it; return what moves the bar."""
    with progress.container():
        bar = st.progress(0.0)
        st.button(
            "Stop",
            key=f"{NAME}.stop",
            on_click=current_session().stopped_sweeps.add,
            args=(NAME,),
            icon=":material/stop_circle:",
        )

    def show(n: int, total: int) -> None:
        bar.progress(n / total, f"{n} of {total} techniques")

    return show


def _table(slot: Any, board: Leaderboard, frame: pd.DataFrame, **options: Any) -> None:
    """Draw the table; with ``on_select`` a click on a row does something."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    numbers = {
        name: number(format=column.format, help=column.help, width=WIDTHS.get(name))
        for name, column in board.columns.items()
    }
    if "on_select" in options:
        options["selection_mode"] = "single-cell"
    slot.dataframe(
        frame,
        hide_index=True,
        row_height=LINE_HEIGHT,
        height=min(LINE_HEIGHT * (len(frame) + 1), MAX_HEIGHT),
        placeholder="",
        alt="Techniques on the same data, with their scores",
        column_config={
            "Picture": st.column_config.ImageColumn(" ", width=105),
            "Technique": text(width=170),
            **numbers,
            "Note": text(width=240),
            "Fit": number(width=75, format="%.1f ms", help="Work on one fit to all rows."),
            "Parameters": number(
                format="localized", help="Numbers that the fitted model has; 0s do not count."
            ),
            "Parameters are": text(width=125),
            "It assumes": text(width=240),
        },
        **options,
    )


def _meaning(board: Leaderboard) -> None:
    """Say what the differences mean: by tests, where there are folds."""
    if board.loss is None:
        st.caption(NO_BEST)
        return
    if verdict := board.verdict():
        st.markdown(literal(verdict))
    frame = board.differences()
    if len(frame) > 1:
        is_share = board.loss == "error"
        difference = st.column_config.NumberColumn(format="%+.1f points" if is_share else "%+.3g")
        st.dataframe(
            frame,
            hide_index=True,
            placeholder="",
            alt="Differences of the techniques on the same folds, with tests",
            column_config={
                name: st.column_config.NumberColumn(format="%.2f")
                if name.startswith("p,")
                else difference
                for name in frame.columns[1:]
            },
        )
    st.caption(f"{TEST_NOTE} {NEW_ROWS}")


def _colors() -> Sequence[str]:
    """Return the colours of classes in the theme that the visitor has."""
    theme = "dark" if st.context.theme.type == "dark" else "light"
    colors: Sequence[str] = st.get_option(f"theme.{theme}.chartCategoricalColors")
    return colors


def _open(key: str, board: Leaderboard, link: Mapping[str, str | list[str]]) -> None:
    """Open the page of the row that was clicked, beside the run of this page; a callback."""
    cells = widget_value(key).selection.cells
    entrant = board.ranked[cells[0][0]][0] if cells else None
    if entrant is None or entrant.is_own:
        return
    session = current_session()
    # What its controls were set to on an earlier visit is no part of the comparison.
    earlier = [name for name in session.settings.texts if name.startswith(f"{entrant.slug}.")]
    session.settings = session.settings.without(*earlier)
    session.next_page = entrant.slug, {**link, **entrant.settings}
