"""The reader's own file: choose it, see what was read of it, and decide what was guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.data.guesses import (
    DAY_VALUES,
    DAYS,
    DECIMALS,
    DELIMITERS,
    ENCODINGS,
    GUESS,
    HEADER_VALUES,
    HEADERS,
)
from dashboard.form import NO_FILE, Form, TableAndCode
from dashboard.text import literal
from dmlib.datasets import MESSY, Table, TableError, messy_file
from dmlib.datasets.reading.formats import ENDINGS
from dmlib.params import Choice
from dmlib.spreadsheet import to_csv
from ui.reading import end_reading, read_file
from ui.session import current_session
from ui.streamlit_private.uploads import forget_older_files

PREVIEW = 200  # rows
MAX_NOTES = 100
MAX_NOTES_OF_OTHERS = 20


@dataclass(frozen=True)
class Sample:
    """A messy file of the library, in the place of one that is uploaded."""

    name: str

    @property
    def file_id(self) -> str:
        """The name, which no other sample has."""
        return self.name

    def getvalue(self) -> bytes:
        """Return its content."""
        return messy_file(self.name)


@dataclass(frozen=True, eq=False)
class Upload:
    """A file of this session and what was read of it.

    Attributes
    ----------
    file : UploadedFile or Sample
        The file, in memory.
    options : mapping of str to object
        What the reader decided.
    table : Table or None
        What was read; None if it could not be.
    refusal : str
        Why not, and what to do.
    """

    file: Any
    options: Mapping[str, Any]
    table: Table | None
    refusal: str = ""


@dataclass(frozen=True, eq=False)
class ReadFile:
    """Other data than a table that were read of a file.

    Attributes
    ----------
    key : tuple
        The file, and how it was read.
    data : object
        What was read; None if it could not be.
    error : TableError or None
        Why not, and what to do.
    """

    key: tuple[Any, ...]
    data: Any
    error: TableError | None = None


def upload(form: Form) -> TableAndCode:
    """Show the uploader; return the table and the code that reads it.

    Raises
    ------
    ValueError
        If there is no file yet, or it cannot be read; the sentence says what to do.
    """
    _choose(form)
    current = current_session().upload
    if current is None:
        raise ValueError(NO_FILE)
    if current.table is None:
        raise ValueError(current.refusal)
    return current.table, _code(current)


def _choose(form: Form) -> None:
    """Take a file of the visitor, or a messy one of the library; read it if it is new."""
    session = current_session()
    file: Any = _uploader() if form.is_visible("data") else None
    if file is not None:
        forget_older_files(file.file_id)
    else:
        titles = {"": "none", **MESSY}
        sample = form.control(
            "sample",
            Choice(tuple(titles)),
            "",
            label="Or try a messy one",
            names=titles,
            parts=("data",),
        )
        file = Sample(sample) if sample else None
    if file is None:
        if session.upload is not None and isinstance(session.upload.file, Sample):
            session.upload = None
        end_reading()
    else:
        file_id, options = session.file_options
        _read_once(form, file, options if file_id == file.file_id else {})
    is_visible = session.upload is not None and form.is_visible("data")
    if is_visible and st.button("What was read", key="file.what", width="stretch"):
        _what_was_read()


def _read_once(form: Form, file: Any, options: Mapping[str, Any]) -> None:
    """Read a file, unless it has been read so; forget what was chosen for the one before."""
    session = current_session()
    current = session.upload
    if current and (current.file.file_id, current.options) == (file.file_id, options):
        return
    arguments = {"options": dict(options)} if options else {}
    try:
        session.upload = Upload(file, options, read_file("read_table", file, arguments))
    except TableError as error:
        session.upload = Upload(file, options, None, str(error))
    if current is not None:
        names = [name for name in form.settings.texts if name.startswith("upload.")]
        form.settings = form.settings.without(*names)


def read_other_file(
    form: Form,
    reader: str,
    content: str,
    endings: tuple[str, ...],
    decide: Callable[[str], Mapping[str, Any]],
) -> tuple[Any, str]:
    """Show an uploader of other data than tables; return the data and the code that reads them."""
    session, file = current_session(), None
    if form.is_visible("data"):
        kinds = [ending.lstrip(".") for ending in endings]
        file = st.file_uploader(content, type=kinds, key=f"file.{reader.removeprefix('read_')}")
    if file is None:
        session.file = None
        raise ValueError(f"Choose a file. {content}. A link never contains a file.")
    forget_older_files(file.file_id)
    notes = st.container()  # what was read stands above what can be decided of it
    options = decide(file.file_id)
    key = (file.file_id, options)
    if session.file is None or session.file.key != key:
        try:
            session.file = ReadFile(key, read_file(reader, file, options))
        except TableError as error:
            session.file = ReadFile(key, None, error)
    if session.file.error is not None:
        raise session.file.error
    data = session.file.data
    if data.notes and form.is_visible("data"):
        texts = [f"- {literal(note.text)}" for note in data.notes[:MAX_NOTES_OF_OTHERS]]
        notes.markdown("\n".join(texts))
    name = file.name.rsplit("/", 1)[-1]  # never a path
    arguments = "".join(f", {argument}={value!r}" for argument, value in options.items())
    code = (
        f"from pathlib import Path\n\nfrom dmlib.datasets import {reader}\n\n"
        f"path = Path({name!r})\ndata = {reader}(path.read_bytes(), path.name{arguments})\n"
    )
    return data, code


def _uploader() -> Any:
    return st.file_uploader(
        "A table: CSV, Excel, OpenDocument, Parquet, JSON or ARFF",
        type=[ending.lstrip(".") for ending in ENDINGS],
        key="file",
        help=(
            "The file stays in this session and goes with it. Nobody else sees it, and no link"
            " contains it."
        ),
    )


def _code(current: Upload) -> str:
    options = f", options={dict(current.options)!r}" if current.options else ""
    if isinstance(current.file, Sample):
        name = repr(current.file.name)
        imports = "from dmlib.datasets import messy_file, read_table"
        return f"{imports}\n\ntable = read_table(messy_file({name}), {name}{options})\n"
    name = current.file.name.rsplit("/", 1)[-1]  # never a path
    return (
        "from pathlib import Path\n\nfrom dmlib.datasets import read_table\n\n"
        f"path = Path({name!r})\ntable = read_table(path.read_bytes(), path.name{options})\n"
    )


@st.dialog("What was read", width="large", icon=":material/table_view:")
def _what_was_read() -> None:
    current = current_session().upload
    assert current is not None
    if current.table is None:
        st.warning(literal(current.refusal))
    else:
        _preview(current.table)
    with st.expander("Decide what was guessed", expanded=current.table is None):
        _decisions(current)
    if current.table is not None:
        _downloads(current.table, current)


def _preview(table: Table) -> None:
    frame = table.frame
    st.caption(
        f"{len(frame):,} rows and {frame.shape[1]:,} columns; the first {min(PREVIEW, len(frame))}"
        " rows:"
    )
    days = {
        name: st.column_config.DateColumn()
        for name, kind in table.kinds.items()
        if kind == "date" and _whole_days(frame[name])
    }
    st.dataframe(frame.head(PREVIEW), height=240, hide_index=True, column_config=days)
    notes = [f"- {literal(note.text)}" for note in table.notes[:MAX_NOTES]]
    if len(table.notes) > MAX_NOTES:
        notes.append(f"- and {len(table.notes) - MAX_NOTES} more")
    st.markdown("\n".join(notes) or "Nothing had to be guessed or repaired.")


def _whole_days(column: Any) -> bool:
    return bool((column.dropna() == column.dropna().dt.normalize()).all())


def _decisions(current: Upload) -> None:
    """Let the reader overrule what was found out, and read the file again."""
    options = current.options
    with st.form("file.options", border=False):
        left_column, right_column = st.columns(2)
        encoding = _select(left_column, "Encoding", ENCODINGS, options.get("encoding"))
        delimiter = _select(right_column, "Separated by", DELIMITERS, options.get("delimiter"))
        header = _select(
            left_column, "The first row holds", HEADERS, _key(HEADER_VALUES, options.get("header"))
        )
        decimal = _select(right_column, "Decimal mark", DECIMALS, options.get("decimal"))
        skip = _rows(left_column, "Lines above the table", options.get("skip"))
        skip_footer = _rows(
            right_column, "Rows below the table", options.get("skip_footer"), "Remarks and sums."
        )
        below = _rows(
            left_column,
            "Rows below the names",
            options.get("below_header"),
            "Units, questions of a survey, points possible.",
        )
        day_first = _select(
            right_column, "1/2/2024 is", DAYS, _key(DAY_VALUES, options.get("day_first"))
        )
        missing = left_column.text_input(
            "Marks of missing values",
            " ".join(options.get("missing", ())),
            placeholder=GUESS,
            max_chars=200,
            help="Separated by blanks, for example: ? -999. An empty cell is always missing.",
        )
        sheet = right_column.text_input(
            "Sheet of a workbook", options.get("sheet", ""), placeholder="the first that is filled"
        )
        block = _rows(
            left_column,
            "Table, of several beside each other",
            options.get("block"),
            "0: all of them as one.",
        )
        if st.form_submit_button("Read the file again", type="primary"):
            decided = {
                "encoding": encoding,
                "delimiter": delimiter,
                "header": HEADER_VALUES[header],
                "below_header": below,
                "block": block,
                "decimal": decimal,
                "day_first": DAY_VALUES[day_first],
                "skip": skip,
                "skip_footer": skip_footer,
                "missing": tuple(missing.split()) or None,
                "sheet": sheet,
            }
            options = {name: value for name, value in decided.items() if value not in (None, "")}
            current_session().file_options = current.file.file_id, options
            st.rerun()


def _select(place: Any, label: str, options: Mapping[str, str], value: Any) -> str:
    values = list(options)
    chosen: str = place.selectbox(
        label, values, values.index(value or ""), format_func=options.__getitem__
    )
    return chosen


def _key(values: Mapping[str, Any], option_value: Any) -> str:
    return next(key for key, value in values.items() if value == option_value)


def _rows(place: Any, label: str, value: int | None, explanation: str = "") -> int | None:
    """Let the reader say how many rows are left out; nothing means that they are found out."""
    number: int | None = place.number_input(
        label,
        0,
        10_000,
        value,
        placeholder=GUESS,
        help=f"{explanation} Empty: they are found out.".strip(),
    )
    return number


def _downloads(table: Table, current: Upload) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Cleaned table (CSV)",
            lambda: to_csv(table.frame),
            "cleaned.csv",
            "text/csv",
            on_click="ignore",
        )
        if len(table.repairs):
            st.download_button(
                f"What was left out or changed, {len(table.repairs):,} in all (CSV)",
                lambda: to_csv(table.repairs),
                "repairs.csv",
                "text/csv",
                on_click="ignore",
            )
        code = _code(current) + 'table.frame.to_csv("cleaned.csv", index=False)\n'
        st.download_button(
            "The cleaning as Python code", code, "cleaning.py", "text/x-python", on_click="ignore"
        )
