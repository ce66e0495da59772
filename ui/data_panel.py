"""The data panel: library, generators, drawn points, an own file; then columns, scaling and the plane to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import streamlit as st

from dmlib.datasets import GENERATORS, LIBRARY, Table, TableError, drawn, encode_points, load, make, read_table
from dmlib.datasets.drawn import DRAW_BOX
from dmlib.datasets.table import Kind
from dmlib.params import Choice, Integer, defaults
from dmlib.problem import Problem, Scaling, prepare
from ui.controls import control, control_group, peek
from ui.drawing import drawn_points
from ui.links import hidden, keep, shown
from ui.text import literal

SOURCES = {"library": "Library", "generator": "Generate", "draw": "Draw", "upload": "File"}
SEED = Integer(0, 9999)
MOST_FEATURES = 8  # columns of an own file that are used before the reader chooses
WHOLE = ("data",)
TYPES, COLUMNS = ("data", "types"), ("data", "columns")


@dataclass(frozen=True)
class Chosen:
    """What the reader chose.

    Attributes
    ----------
    table : Table or None
        The typed table; None when there is none.
    problem : Problem or None
        What the algorithm gets of it; None when that is impossible.
    refusal : str
        Why it is impossible and what to do.
    source : str
        One of ``SOURCES``.
    code : str
        Python that makes ``X`` from nothing but dmlib (and the reader's own file).
    """

    table: Table | None
    problem: Problem | None
    refusal: str
    source: str
    code: str = ""


@st.cache_resource(max_entries=32, show_spinner=False)
def _library(name: str) -> Any:
    return load(name)


@st.cache_resource(max_entries=4, show_spinner=False, scope="session")
def _generated(name: str, seed: int, params: tuple[tuple[str, Any], ...]) -> Table:
    return make(name, random_state=seed, **dict(params))


def tables() -> tuple[str, ...]:
    """Return the names of the library's tables that have numeric columns to look at."""
    return tuple(name for name, entry in LIBRARY.items() if entry.kind == "table" and entry.features)


def data_panel(start: Mapping[str, str], max_rows: int) -> Chosen:
    """Show the panel and return what was chosen.

    Parameters
    ----------
    start : mapping of str to str
        The data that the page opens with: ``source``, and ``data`` or ``generator``.
    max_rows : int
        Larger tables are sampled.
    """
    spec = Choice(tuple(SOURCES))
    source = control("source", spec, start.get("source", "library"), label="Data", names=SOURCES, parts=WHOLE)
    try:
        table, code = _table(source, start)
        table = _with_kinds(table)
        return _columns(table, code, source, max_rows)
    except ValueError as error:
        return Chosen(None, None, str(error), source)


def _table(source: str, start: Mapping[str, str]) -> tuple[Table, str]:
    """Return the table and the code that makes it."""
    if source == "generator":
        return _generator(start.get("generator", "blobs"))
    if source == "draw":
        points = drawn_points()
        if len(points) < 2:
            raise ValueError("Draw at least two points: click on the picture.")
        text = encode_points(points)
        return drawn(points), (
            f"from dmlib.datasets import decode_points, drawn\n\ntable = drawn(decode_points({text!r}))\n"
        )
    if source == "upload":
        return _upload()
    spec = Choice(tables())
    titles = {name: LIBRARY[name].title for name in spec.options}
    name = control("data", spec, start.get("data", "iris"), label="Data set", names=titles, parts=WHOLE)
    entry = LIBRARY[name]
    if hidden().isdisjoint({"data", "about"}):
        st.caption(
            literal(f"{entry.description} {entry.size}."), help=literal(f"Source: {entry.source} {entry.licence}")
        )
    return _library(name), f"from dmlib.datasets import load\n\ntable = load({name!r})\n"


def _generator(default: str) -> tuple[Table, str]:
    spec = Choice(tuple(GENERATORS))
    titles = {name: generator.title for name, generator in GENERATORS.items() if name in spec.options}
    name = control("generator", spec, default, label="Generator", names=titles, parts=WHOLE)
    generator = GENERATORS[name]
    function_defaults = defaults(generator.function)
    with _expander("Settings of the generator", "columns"):
        params = control_group(name, generator.function, generator.params, function_defaults, {}, parts=COLUMNS)
    seed = peek("seed", SEED, 0)
    table = _generated(name, seed, tuple(params.items()))
    changed = "".join(f", {key}={value!r}" for key, value in params.items() if value != function_defaults[key])
    return table, f"from dmlib.datasets import make\n\ntable = make({name!r}, random_state={seed}{changed})\n"


def _upload() -> tuple[Table, str]:
    if shown("data"):
        file = st.file_uploader(
            "CSV, TSV or Excel",
            type=["csv", "tsv", "txt", "tab", "dat", "xlsx", "xls", "ods"],
            key="file",
            help="The file stays in this session and goes with it. Nobody else sees it, and no link contains it.",
        )
        if file is not None and st.session_state.get("upload", ("",))[0] != file.file_id:
            _keep_upload(file)
    if "upload" not in st.session_state:
        raise ValueError(
            "Choose a file: one table with a header line. A link never contains a file; who opens a link to a run "
            "on a file needs the same file."
        )
    _, name, table = st.session_state["upload"]
    if isinstance(table, str):
        raise ValueError(table)
    code = (
        "from pathlib import Path\n\nfrom dmlib.datasets import read_table\n\n"
        f"path = Path({name!r})\ntable = read_table(path.read_bytes(), path.name)\n"
    )
    return table, code


def _keep_upload(file: Any) -> None:
    """Parse a file once, and forget the one before with all that was chosen for it.

    A file that cannot be read leaves the sentence that says why.
    """
    for key in [key for key in st.session_state if str(key).startswith("upload.")]:
        del st.session_state[key]
    table: Table | str
    try:
        table = replace(read_table(file.getvalue(), file.name), name="upload")
    except TableError as error:
        table = str(error)
    st.session_state["upload"] = (file.file_id, file.name, table)


def _with_kinds(table: Table) -> Table:
    """Apply the kinds that the reader gave to columns."""
    spec = Choice(get_args(Kind))
    keys = {name: f"{table.name}.kind.{i}" for i, name in enumerate(table.kinds)}
    if hidden().isdisjoint(TYPES):
        with st.popover("Column types", on_change="rerun", key=f"{table.name}.kinds", width="stretch") as popover:
            if popover.open:
                for name, key in keys.items():
                    control(key, spec, table.kinds[name], label=literal(name), parts=TYPES)
    kinds = {name: peek(key, spec, table.kinds[name]) for name, key in keys.items()}
    return table.with_kinds({name: kind for name, kind in kinds.items() if kind != table.kinds[name]})


def _columns(table: Table, code: str, source: str, max_rows: int) -> Chosen:
    """Let the reader choose columns, scaling and view, and prepare the problem."""
    if not table.numeric:
        raise ValueError(
            f"This page needs numbers, and this table has only nominal columns ({', '.join(table.kinds)}). "
            "Choose another data set, or give a column the type numeric."
        )
    with _expander("Columns, scaling and view", "columns"):
        features = _features(table)
        scaling = control(
            "scaling", Choice(get_args(Scaling)), "none", label="Scaling", parts=COLUMNS,
            help_text="A column with large numbers dominates every distance. z-score: mean 0 and standard deviation 1. "
            "min-max: from 0 to 1.",
        )  # fmt: skip
        view = _view(table.name, features)
    frame, notes = table.frame, [note.text for note in table.notes]
    code += "frame = table.frame\n"
    if len(frame) > max_rows:
        seed = peek("seed", SEED, 0)
        notes.append(f"{max_rows} of {len(frame)} rows are used, drawn at random with seed {seed}.")
        frame = frame.sample(max_rows, random_state=seed).sort_index()
        code += f"frame = frame.sample({max_rows}, random_state={seed}).sort_index()\n"
    problem = prepare(frame, features, scaling=scaling, view=view, target=table.target)
    low, high = map(float, DRAW_BOX)
    whole = source == "draw" and scaling == "none" and len(features) == 2
    problem = replace(problem, notes=(*notes, *problem.notes), window=(low, high, low, high) if whole else None)
    code += (
        "\nfrom dmlib.problem import prepare\n\n"
        f"problem = prepare(frame, {list(features)!r}, scaling={scaling!r})\nX = problem.X\n"
    )
    return Chosen(table, problem, "", source, code)


def _features(table: Table) -> tuple[str, ...]:
    entry = LIBRARY.get(table.name)
    numeric = table.numeric
    first = tuple(name for name in (entry.features if entry else ()) if name in numeric)
    default = first or numeric[:MOST_FEATURES]
    key = f"{table.name}.features"
    if key not in st.session_state:
        asked = [name for name in st.query_params.get_all(key) if name in numeric]
        st.session_state[key] = asked or list(default)
    st.session_state[key] = [name for name in st.session_state[key] if name in numeric]
    if hidden().isdisjoint({*COLUMNS, "features"}):
        st.multiselect(
            "Columns that the algorithm uses",
            numeric,
            key=key,
            persist_state="session",
            help="All chosen columns count in every distance, also those that the picture does not show.",
        )
    chosen = tuple(st.session_state[key])
    keep(key, None if chosen == default else list(chosen))
    return chosen


def _view(name: str, features: tuple[str, ...]) -> tuple[str, str] | Literal["pca"] | None:
    """Return the plane that is shown: of two columns there is only one."""
    if len(features) <= 2:
        return None
    names = {"columns": "Two columns", "pca": "Principal components"}
    kind = control(f"{name}.view", Choice(tuple(names)), "columns", label="View", names=names, parts=COLUMNS)
    if kind == "pca":
        return "pca"
    across = control(f"{name}.across", Choice(features), features[0], label="Across", parts=COLUMNS)
    rest = tuple(feature for feature in features if feature != across)
    return across, control(f"{name}.up", Choice(rest), rest[0], label="Up", parts=COLUMNS)


def _expander(label: str, name: str) -> Any:
    return st.expander(label) if hidden().isdisjoint({"data", name}) else st.container()
