"""The data panel: library, generators, drawn points, an own file; then columns, scaling and the plane to look at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
import streamlit as st

from dmlib.datasets import GENERATORS, LIBRARY, Table, drawn, encode_points, load, make
from dmlib.datasets.catalogue import Entry
from dmlib.datasets.drawn import DRAW_BOX
from dmlib.datasets.table import Kind
from dmlib.params import Choice, Integer, Number, defaults
from dmlib.problem import MOST_CLASSES, Holes, Problem, Scaling, codes_of, prepare
from ui.catalogue import CATALOGUE
from ui.controls import control, control_group, peek, section
from ui.drawing import drawn_points
from ui.links import hidden, keep
from ui.technique import Technique
from ui.text import literal
from ui.upload import upload

SOURCES = {"library": "Library", "generator": "Generate", "draw": "Draw", "upload": "File"}
SEED = Integer(0, 9999)
TEST = Number(0.0, 0.9, shown=(0.0, 0.5), step=0.05)
MOST_FEATURES = 16  # columns of an own file that are used before the reader chooses
LONGEST_NAME = 40  # letters of a row's name in a tooltip
MOST_TYPED = 60  # columns whose types can be changed
FEW_CODES = 10  # whole numbers that may stand for classes
FEW_FEATURES = 6  # a table of so few columns, some of them nominal, is used whole
WHY = {"date": "it holds dates", "text": "it holds texts", "id": "it only names or counts the rows"}
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
    table_code : str
        Its beginning, that makes ``table``.
    """

    table: Table | None
    problem: Problem | None
    refusal: str
    source: str
    code: str = ""
    table_code: str = ""


@st.cache_resource(max_entries=32, show_spinner=False)
def _library(name: str) -> Any:
    return load(name)


@st.cache_resource(max_entries=4, show_spinner=False, scope="session")
def _generated(name: str, seed: int, params: tuple[tuple[str, Any], ...]) -> Table:
    return make(name, random_state=seed, **dict(params))


def tables(technique: Technique) -> tuple[str, ...]:
    """Return the names of the library's tables that a technique can use: numbers to look at, classes to learn."""

    def fits(entry: Entry) -> bool:
        usable = entry.kind == "table" and (technique.nominal or bool(entry.features))
        return usable and (not technique.labelled or (entry.target is not None and not entry.numeric_target))

    return tuple(name for name, entry in LIBRARY.items() if fits(entry))


def data_panel(technique: Technique) -> Chosen:
    """Show the panel and return what was chosen, ready for a technique."""
    spec, start = Choice(tuple(SOURCES)), technique.start
    source = control("source", spec, start.get("source", "library"), label="Data", names=SOURCES, parts=WHOLE)
    try:
        table, code = _table(source, technique)
        table, code = _with_kinds(table, code)
        return _columns(table, code, source, technique)
    except ValueError as error:
        return Chosen(None, None, str(error), source)


def _table(source: str, technique: Technique) -> tuple[Table, str]:
    """Return the table and the code that makes it."""
    start = technique.start
    if source == "generator":
        return _generator(start.get("generator", "blobs"))
    if source == "draw":
        points = drawn_points()
        if len(points) < 2:
            raise ValueError("Draw at least two points: click on the picture.")
        if not technique.plane and hidden().isdisjoint({"data", "about"}):
            st.caption("The points as they were drawn on another page. They can be moved there.")
        text = encode_points(points)
        return drawn(points), (
            f"from dmlib.datasets import decode_points, drawn\n\ntable = drawn(decode_points({text!r}))\n"
        )
    if source == "upload":
        return upload()
    spec = Choice(tables(technique))
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
    box, parts = section("Settings of the generator", "generator.settings.open", COLUMNS)
    with box:
        params = control_group(name, generator.function, generator.params, function_defaults, {}, parts=parts)
    seed = peek("seed", SEED, 0)
    table = _generated(name, seed, tuple(params.items()))
    changed = "".join(f", {key}={value!r}" for key, value in params.items() if value != function_defaults[key])
    return table, f"from dmlib.datasets import make\n\ntable = make({name!r}, random_state={seed}{changed})\n"


def _with_kinds(table: Table, code: str) -> tuple[Table, str]:
    """Apply the kinds that the reader gave to columns, in the table and in the code that makes it."""
    spec = Choice(get_args(Kind))
    keys = {name: f"{table.name}.kind.{i}" for i, name in enumerate(table.kinds)}
    if hidden().isdisjoint(TYPES):
        with st.popover("Column types", on_change="rerun", key=f"{table.name}.kinds", width="stretch") as popover:
            if popover.open:
                for name, key in list(keys.items())[:MOST_TYPED]:
                    control(key, spec, table.kinds[name], label=literal(name), parts=TYPES)
                if len(keys) > MOST_TYPED:
                    st.caption(f"The other {len(keys) - MOST_TYPED} columns keep the types that were found.")
    kinds = {name: peek(key, spec, table.kinds[name]) for name, key in keys.items()}
    changed = {name: kind for name, kind in kinds.items() if kind != table.kinds[name]}
    return table.with_kinds(changed), code + (f"table = table.with_kinds({changed!r})\n" if changed else "")


def _columns(table: Table, code: str, source: str, technique: Technique) -> Chosen:
    """Let the reader choose class, columns, scaling and view, and prepare the problem."""
    target = _target(table) if technique.labelled else table.target or _known(table, source)
    positive = _positive(table, target) if technique.binary and target else None
    usable = _usable(table, target, technique)
    seed = peek("seed", SEED, 0)
    how: dict[str, Any] = {"scaling": _scaling(COLUMNS)} if technique.weighs_columns else {}
    box, parts = section(
        "Columns, scaling and view" if technique.plane else "Columns and scaling", "columns.open", COLUMNS
    )
    with box:
        features = _features(table, usable, parts, whole=technique.whole_table)
        if not technique.weighs_columns:
            how["scaling"] = _scaling(parts)
        how["holes"] = "keep" if technique.holes else _holes(table, features, parts)
        if technique.labelled:
            how |= {"target": target, "labelled": True, "positive": positive, "random_state": seed}
            how["test_size"] = control(
                "test", TEST, float(technique.start.get("test", "0.3")), label="Held out for the test", parts=parts,
                help_text="This share of each class is not learned from; it is drawn hollow.",
            )  # fmt: skip
        view = _view(table.name, features, set(features) <= set(table.numeric), parts) if technique.plane else None
    frame, notes = table.frame, _notes(table, source)
    if source == "upload" and len(features) < len(usable):
        notes.append(f"{len(features)} of {len(usable):,} usable columns are used; the list of columns has the others.")
    notes += [f"The column {name!r} is left out: {WHY[kind]}." for name, kind in table.kinds.items() if kind in WHY]
    table_code = code
    code += "frame = table.frame\n"
    if len(frame) > technique.max_rows:
        notes.append(f"{technique.max_rows} of {len(frame)} rows are used, drawn at random with seed {seed}.")
        frame = frame.sample(technique.max_rows, random_state=seed).sort_index()
        code += f"frame = frame.sample({technique.max_rows}, random_state={seed}).sort_index()\n"
    problem = prepare(frame, features, **({"view": view, "target": target} | how))
    low, high = map(float, DRAW_BOX)
    whole = source == "draw" and how["scaling"] == "none" and len(features) == 2
    window = (low, high, low, high) if whole else None
    names = _row_names(table, source, target)
    words = tuple(map(_word, frame[names].iloc[problem.rows])) if names else ()
    problem = replace(problem, notes=(*notes, *problem.notes), window=window, names=words)
    arguments = ", ".join(f"{name}={value!r}" for name, value in how.items() if value not in (None, 0.0, "drop"))
    code += f"\nfrom dmlib.problem import prepare\n\nproblem = prepare(frame, {list(features)!r}, {arguments})\n"
    numbers = "X = problem.data\n" if technique.nominal else "X = problem.X\n"
    code += "X, y = problem.training.data, problem.training.y\n" if technique.labelled else numbers
    return Chosen(table, problem, "", source, code, table_code)


def _notes(table: Table, source: str) -> list[str]:
    """Return the notes on a table; the many on a file are shown where it was chosen."""
    if source != "upload" or not table.notes:
        return [note.text for note in table.notes]
    things = "1 thing" if len(table.notes) == 1 else f"{len(table.notes)} things"
    return [f"Reading the file, {things} had to be guessed or repaired: see “What was read”."]


def _usable(table: Table, target: str | None, technique: Technique) -> tuple[str, ...]:
    """Return the columns that a technique can use."""
    usable = tuple(name for name in table.comparable if name != target or not technique.labelled)
    if not technique.nominal:
        usable = tuple(name for name in table.numeric if name in usable)
    if not usable:
        raise ValueError(
            f"This page needs numbers, and this table has only nominal columns ({', '.join(table.kinds)}). "
            f"Choose another data set, or a page that can use them: {', '.join(_for_nominal())}."
        )
    return usable


def _holes(table: Table, features: tuple[str, ...], parts: tuple[str, ...]) -> Holes:
    """Let the reader choose what becomes of rows with missing values, if there are any."""
    if not table.frame[list(features)].isna().any(axis=None):
        return "drop"
    holes: Holes = control(
        "holes", Choice(("drop", "fill")), "drop", label="Rows with missing values", parts=parts,
        names={"drop": "leave out", "fill": "fill with the mean"},
        help_text="Filling keeps the rows, and makes their columns look less spread than they are.",
    )  # fmt: skip
    return holes


def _scaling(parts: tuple[str, ...]) -> Scaling:
    """Let the reader choose how columns are scaled."""
    help_text = (
        "A column with large numbers dominates every distance and every variance. "
        "z-score: mean 0 and standard deviation 1. min-max: from 0 to 1."
    )
    spec = Choice(get_args(Scaling))
    scaling: Scaling = control("scaling", spec, "none", label="Scaling", parts=parts, help_text=help_text)
    return scaling


def _target(table: Table) -> str:
    """Let the reader choose the column of the classes."""
    options = tuple(name for name in table.comparable if table.kinds[name] != "numeric")
    options = options or tuple(name for name in table.numeric if _is_code(table.frame[name]))
    if not options:
        raise ValueError(
            "This page learns classes, and this table has none: all its columns are numeric. "
            "Choose another data set, or give a column the type nominal."
        )
    default = table.target if table.target in options else options[-1]
    if len(options) == 1:
        return default
    return str(control(f"{table.name}.target", Choice(options), default, label="Class", parts=("data", "target")))


def _is_code(column: Any) -> bool:
    """Return whether a column of numbers may well be one of classes: a few whole numbers that come again and again."""
    known = column.dropna()
    n_values = known.nunique()
    return 1 < n_values <= min(FEW_CODES, len(known) // 2) and bool((known == known.round()).all())


def _known(table: Table, source: str) -> str | None:
    """Let the reader name a column of known groups in an own file; it is only compared with."""
    names = [name for name in table.nominal if 1 < table.frame[name].nunique() <= MOST_CLASSES]
    if source != "upload" or not names:
        return None
    titles = {"": "none", **{str(i): name for i, name in enumerate(names, 1)}}
    label, parts = "Known groups, only to compare with", ("data", "target")
    chosen = control(f"{table.name}.known", Choice(tuple(titles)), "", label=label, names=titles, parts=parts)
    return titles[chosen] if chosen else None


def _positive(table: Table, target: str) -> str | None:
    """Let the reader choose the class that is told from the others; None if there is no choice."""
    codes, names = codes_of(table.frame[target])
    if not 1 < len(names) <= MOST_CLASSES:
        return None
    default = names[np.bincount(codes[codes >= 0]).argmin()] if len(names) > 2 else names[1]
    label, parts = "Class to tell from the rest", ("data", "target")
    return str(control(f"{table.name}.positive", Choice(names), default, label=label, parts=parts))


def _for_nominal() -> list[str]:
    return [entry.title for entry in CATALOGUE.values() if entry.nominal]


def _features(table: Table, usable: tuple[str, ...], parts: tuple[str, ...], *, whole: bool) -> tuple[str, ...]:
    entry = LIBRARY.get(table.name)
    first = tuple(name for name in (entry.features if entry else ()) if name in usable)
    mixed = [name for name in usable if not _is_name(table, name)]
    small = any(table.kinds[name] != "numeric" for name in mixed) and len(mixed) <= FEW_FEATURES
    first = first if not whole else ()
    default = tuple(mixed) if small else first or tuple((mixed or usable)[:MOST_FEATURES])
    key = f"{table.name}.features"
    if key not in st.session_state:
        asked = [name for name in st.query_params.get_all(key) if name in usable]
        st.session_state[key] = asked or list(default)
    st.session_state[key] = [name for name in st.session_state[key] if name in usable]
    if hidden().isdisjoint({*parts, "features"}):
        st.multiselect(
            "Columns that the algorithm uses",
            usable,
            key=key,
            persist_state="session",
            help="All chosen columns count, also those that the picture does not show.",
        )
    chosen = tuple(st.session_state[key])
    keep(key, None if chosen == default else list(chosen))
    return chosen


def _is_name(table: Table, name: str) -> bool:
    """Return whether a nominal column only names the rows."""
    return (
        table.kinds[name] == "nominal" and len(table.frame) > 2 and table.frame[name].nunique() > 0.9 * len(table.frame)
    )


def _row_names(table: Table, source: str, target: str | None) -> str | None:
    """Return the column that names the rows, if there is one; the reader chooses it for an own file."""
    usual = next((name for name in table.kinds if name != target and _is_name(table, name)), None)
    if source != "upload":
        return usual
    columns = [name for name, kind in table.kinds.items() if name == usual or kind in ("id", "text")]
    if not columns:
        return None
    titles = {"": "none", **{str(i): name for i, name in enumerate(columns, 1)}}
    default = str(columns.index(usual) + 1) if usual else ""
    spec, parts = Choice(tuple(titles)), ("data", "types")
    chosen = control(f"{table.name}.names", spec, default, label="Names of the rows", names=titles, parts=parts)
    return titles[chosen] if chosen else None


def _word(value: Any) -> str:
    return "" if pd.isna(value) else str(value)[:LONGEST_NAME]


def _view(
    name: str, features: tuple[str, ...], numeric: bool, parts: tuple[str, ...]
) -> tuple[str, str] | Literal["pca"] | None:
    """Return the plane that is shown: of two columns there is only one."""
    if len(features) <= 2:
        return None
    names = {"columns": "Two columns"} | ({"pca": "Principal components"} if numeric else {})
    kind = "columns"
    if len(names) > 1:
        kind = control(f"{name}.view", Choice(tuple(names)), "columns", label="View", names=names, parts=parts)
    if kind == "pca":
        return "pca"
    across = control(f"{name}.across", Choice(features), features[0], label="Across", parts=parts)
    rest = tuple(feature for feature in features if feature != across)
    return across, control(f"{name}.up", Choice(rest), rest[0], label="Up", parts=parts)
