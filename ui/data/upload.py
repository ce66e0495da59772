"""The reader's own file: choose it, see what was read of it, and decide what was guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dmlib.datasets import MESSY, Table, TableError, messy_file
from dmlib.datasets.reading.formats import ENDINGS
from dmlib.params import Choice
from dmlib.spreadsheet import to_csv
from ui.controls import control
from ui.links import shown
from ui.memory import forget_older_files
from ui.reading import end_reading, read_file
from ui.text import literal

KEY = "upload"
DECIDED = "file.decided"  # in the session: the file, and the options that the reader chose for it
PREVIEW = 200  # rows
MOST_NOTES = 100
GUESS = "find out"
ENCODINGS = {
    "": GUESS,
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252, Western",
    "utf-16": "UTF-16",
    "cp1250": "Windows-1250, Central European",
    "cp1251": "Windows-1251, Cyrillic",
    "cp932": "Shift-JIS, Japanese",
    "gb18030": "GB 18030, Chinese",
    "cp949": "CP 949, Korean",
}
DELIMITERS = {
    "": GUESS,
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "vertical bar",
    " ": "white space",
    "  ": "two blanks or more",
    ":": "colon",
    "||": "two vertical bars",
}
HEADERS = {"": GUESS, "yes": "names", "two": "names, as does the second", "no": "values"}
HEADER_VALUES = {"": None, "yes": True, "two": 2, "no": False}
DAYS = {"": GUESS, "day": "the first of February", "month": "the second of January"}
DAY_VALUES = {"": None, "day": True, "month": False}
DECIMALS = {"": GUESS, ".": "point", ",": "comma"}


@dataclass(frozen=True)
class Sample:
    """A messy file of the library, in the place of one that is uploaded."""

    name: str

    @property
    def file_id(self) -> str:
        """What tells it from other files."""
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


def upload() -> tuple[Table, str]:
    """Show the uploader and return the table and the code that reads it.

    Raises
    ------
    ValueError
        If there is no file yet, or it cannot be read; the sentence says what to do.
    """
    _choose()
    kept: Upload | None = st.session_state.get(KEY)
    if kept is None:
        raise ValueError(
            "Choose a file: one table, with or without a header line. A link never contains a file;"
            " who opens a link to a run on a file needs the same file."
        )
    if kept.table is None:
        raise ValueError(kept.refusal)
    return kept.table, _code(kept)


def _choose() -> None:
    """Take a file of the reader, or else a messy one of the library, and read it if it is another than before."""
    file: Any = _uploader() if shown("data") else None
    if file is not None:
        forget_older_files(file.file_id)
    else:
        titles = {"": "none", **MESSY}
        spec = Choice(tuple(titles))
        sample = control(
            "sample", spec, "", label="Or try a messy one", names=titles, parts=("data",)
        )
        file = Sample(sample) if sample else None
    kept: Upload | None = st.session_state.get(KEY)
    if file is None and kept is not None and isinstance(kept.file, Sample):
        del st.session_state[KEY]
    if file is None:
        end_reading()
    else:
        file_id, options = st.session_state.get(DECIDED, ("", {}))
        options = options if file_id == file.file_id else {}
        if kept is None or kept.file.file_id != file.file_id or kept.options != options:
            _read(file, options)
    if (
        KEY in st.session_state
        and shown("data")
        and st.button("What was read", key="file.what", width="stretch")
    ):
        _what_was_read()


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


def _read(file: Any, options: Mapping[str, Any]) -> None:
    """Read a file once, and forget the one before with all that was chosen for it."""
    arguments = {"options": dict(options)} if options else {}
    try:
        upload = Upload(file, options, read_file("read_table", file, arguments))
    except TableError as error:
        upload = Upload(file, options, None, str(error))
    for key in [key for key in st.session_state if str(key).startswith("upload.")]:
        del st.session_state[key]
    st.session_state[KEY] = upload


def _code(kept: Upload) -> str:
    options = f", options={dict(kept.options)!r}" if kept.options else ""
    if isinstance(kept.file, Sample):
        name = repr(kept.file.name)
        imports = "from dmlib.datasets import messy_file, read_table"
        return f"{imports}\n\ntable = read_table(messy_file({name}), {name}{options})\n"
    name = kept.file.name.rsplit("/", 1)[-1]  # never a path
    return (
        "from pathlib import Path\n\nfrom dmlib.datasets import read_table\n\n"
        f"path = Path({name!r})\ntable = read_table(path.read_bytes(), path.name{options})\n"
    )


@st.dialog("What was read", width="large", icon=":material/table_view:")
def _what_was_read() -> None:
    kept: Upload = st.session_state[KEY]
    if kept.table is None:
        st.warning(literal(kept.refusal))
    else:
        _preview(kept.table)
    with st.expander("Decide what was guessed", expanded=kept.table is None):
        _decisions(kept)
    if kept.table is not None:
        _downloads(kept.table, kept)


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
    notes = [f"- {literal(note.text)}" for note in table.notes[:MOST_NOTES]]
    if len(table.notes) > MOST_NOTES:
        notes.append(f"- and {len(table.notes) - MOST_NOTES} more")
    st.markdown("\n".join(notes) or "Nothing had to be guessed or repaired.")


def _whole_days(column: Any) -> bool:
    return bool((column.dropna() == column.dropna().dt.normalize()).all())


def _decisions(kept: Upload) -> None:
    """Let the reader overrule what was found out, and read the file again."""
    options = kept.options
    with st.form("file.options", border=False):
        left, right = st.columns(2)
        encoding = _select(left, "Encoding", ENCODINGS, options.get("encoding"))
        delimiter = _select(right, "Separated by", DELIMITERS, options.get("delimiter"))
        header = _select(
            left, "The first row holds", HEADERS, _key(HEADER_VALUES, options.get("header"))
        )
        decimal = _select(right, "Decimal mark", DECIMALS, options.get("decimal"))
        skip = _rows(left, "Lines above the table", options.get("skip"))
        skip_footer = _rows(
            right, "Rows below the table", options.get("skip_footer"), "Remarks and sums."
        )
        below = _rows(
            left,
            "Rows below the names",
            options.get("below_header"),
            "Units, questions of a survey, points possible.",
        )
        day_first = _select(right, "1/2/2024 is", DAYS, _key(DAY_VALUES, options.get("day_first")))
        missing = left.text_input(
            "Marks of missing values",
            " ".join(options.get("missing", ())),
            placeholder=GUESS,
            max_chars=200,
            help="Separated by blanks, for example: ? -999. An empty cell is always missing.",
        )
        sheet = right.text_input(
            "Sheet of a workbook", options.get("sheet", ""), placeholder="the first that is filled"
        )
        block = _rows(
            left,
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
            st.session_state[DECIDED] = (kept.file.file_id, options)
            st.rerun()


def _select(place: Any, label: str, options: Mapping[str, str], given: Any) -> str:
    values = list(options)
    chosen: str = place.selectbox(
        label, values, values.index(given or ""), format_func=options.__getitem__
    )
    return chosen


def _key(values: Mapping[str, Any], given: Any) -> str:
    return next(key for key, value in values.items() if value == given)


def _rows(place: Any, label: str, given: int | None, what: str = "") -> int | None:
    """Let the reader say how many rows are left out; nothing means that they are found out."""
    number: int | None = place.number_input(
        label,
        0,
        10_000,
        given,
        placeholder=GUESS,
        help=f"{what} Empty: they are found out.".strip(),
    )
    return number


def _downloads(table: Table, kept: Upload) -> None:
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
        code = _code(kept) + 'table.frame.to_csv("cleaned.csv", index=False)\n'
        st.download_button(
            "The cleaning as Python code", code, "cleaning.py", "text/x-python", on_click="ignore"
        )
