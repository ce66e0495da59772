"""The columns of a table: which are used, as what, how they are scaled, and which are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from dashboard.form import Form
from dmlib.datasets import LIBRARY, Table
from dmlib.params import Choice, Integer
from dmlib.problem import MAX_CLASSES, Holes, Scaling, codes_of

MAX_FEATURES = 16  # columns of an own file that are used before the reader chooses
MAX_NAME = 40  # letters of a row's name in a tooltip
MAX_CODES = 10  # whole numbers that may stand for classes
SAMPLES = (1000, 5000)  # between the usual sample and the largest one
MIN_ROWS = 2
MAX_SMALL = 6  # a table of so few columns, some of them nominal, is used whole


def choose_holes(
    form: Form, table: Table, features: tuple[str, ...], parts: tuple[str, ...]
) -> Holes:
    """Let the reader choose what becomes of rows with missing values, if there are any."""
    if not table.frame[list(features)].isna().any(axis=None):
        return "drop"
    holes: Holes = form.control(
        "holes",
        Choice(("drop", "fill")),
        "drop",
        label="Rows with missing values",
        parts=parts,
        names={"drop": "leave out", "fill": "fill with the mean"},
        help_text=(
            "Imputing the mean keeps the rows, but underestimates the variance of their columns."
        ),
    )
    return holes


def choose_rows(form: Form, table: Table, usual: int, limit: int) -> int:
    """Let the reader choose how many rows of a large table are used; return their number.

    A link can ask for fewer than the usual number, as a round of practice does.
    """
    n_rows = len(table.frame)
    largest = min(n_rows, max(usual, limit))
    smaller = form.peek(f"{table.name}.rows", Integer(MIN_ROWS, max(n_rows, MIN_ROWS)), usual)
    if min(usual, smaller) >= n_rows:
        return n_rows
    usual = min(usual, n_rows)
    numbers = {usual, *(n for n in SAMPLES if usual < n < largest), largest}
    numbers |= {smaller} if smaller < usual else set()
    names = {str(n): f"all {n:,}" if n == n_rows else f"{n:,}" for n in sorted(numbers)}
    chosen = str(usual)
    if len(names) > 1:
        chosen = form.control(
            f"{table.name}.rows",
            Choice(tuple(names)),
            chosen,
            label="Rows used",
            names=names,
            parts=("data", "rows"),
            help_text="A random sample, drawn with the seed. A larger one makes a run slower.",
        )
    if n_rows > largest and form.is_visible("data", "rows"):
        form.caption(
            f"Every row is drawn and every step is kept, so this page takes at most {largest:,} of"
            f" the {n_rows:,} rows."
        )
    return int(chosen)


def choose_scaling(form: Form, parts: tuple[str, ...], default: str) -> Scaling:
    """Let the reader choose how columns are scaled."""
    help_text = (
        "A column with large numbers dominates every distance and every variance. "
        "z-score: mean 0 and standard deviation 1. min-max: from 0 to 1."
    )
    spec = Choice(get_args(Scaling))
    scaling: Scaling = form.control(
        "scaling", spec, default, label="Scaling", parts=parts, help_text=help_text
    )
    return scaling


def choose_classes(form: Form, table: Table) -> str:
    """Let the reader choose the column of the classes."""
    options = tuple(name for name in table.comparable if table.kinds[name] != "numeric")
    options = options or tuple(name for name in table.numeric if _is_code(table.frame[name]))
    if not options:
        raise ValueError(
            "This page needs a class, and this table has none: all its columns are numeric. "
            "Numbers are predicted on the pages under Regression. "
            "Choose another data set, or give a column the type nominal."
        )
    default = table.target if table.target in options else options[-1]
    if len(options) == 1:
        return default
    return str(
        form.control(
            f"{table.name}.target",
            Choice(options),
            default,
            label="Class",
            parts=("data", "target"),
        )
    )


def choose_number(form: Form, table: Table) -> str:
    """Let the reader choose the column of the numbers that are predicted."""
    options = table.numeric
    if len(options) < 2:
        raise ValueError(
            "This page predicts a number from other columns, and this table has too few numeric"
            " columns. Classes are predicted on the pages under Classification. Choose another data"
            " set, or give a column the type numeric."
        )
    entry = LIBRARY.get(table.name)
    preferred = (entry.response if entry else None, table.target)
    default = next((name for name in preferred if name in options), options[-1])
    return str(
        form.control(
            f"{table.name}.response",
            Choice(options),
            default,
            label="Response",
            parts=("data", "target"),
        )
    )


def _is_code(column: Any) -> bool:
    """Return whether a column of numbers may be one of classes: a few whole numbers that repeat."""
    filled = column.dropna()
    n_values = filled.nunique()
    return 1 < n_values <= min(MAX_CODES, len(filled) // 2) and bool(
        (filled == filled.round()).all()
    )


def choose_known(form: Form, table: Table, source: str) -> str | None:
    """Let the reader name a column of known groups in an own file; it is only compared with."""
    names = [name for name in table.nominal if 1 < table.frame[name].nunique() <= MAX_CLASSES]
    if source != "upload" or not names:
        return None
    titles = {"": "none", **{str(i): name for i, name in enumerate(names, 1)}}
    label, parts = "Known classes, only to compare with", ("data", "target")
    chosen = form.control(
        f"{table.name}.known", Choice(tuple(titles)), "", label=label, names=titles, parts=parts
    )
    return titles[chosen] if chosen else None


def choose_positive(form: Form, table: Table, target: str) -> str | None:
    """Let the reader choose the class that is told from the others; None if there is no choice."""
    codes, names = codes_of(table.frame[target])
    if not 1 < len(names) <= MAX_CLASSES:
        return None
    default = names[np.bincount(codes[codes >= 0]).argmin()] if len(names) > 2 else names[1]
    label, parts = "Positive class", ("data", "target")
    return str(
        form.control(f"{table.name}.positive", Choice(names), default, label=label, parts=parts)
    )


def choose_features(
    form: Form,
    table: Table,
    usable: tuple[str, ...],
    parts: tuple[str, ...],
    opening: Sequence[str],
    *,
    all_columns: bool,
    among: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Let the reader choose the columns that are used; at first those in ``opening``.

    If there are some in ``among``, the first ones are among these.
    """
    entry, among = LIBRARY.get(table.name), among or usable
    look = entry.features if entry and not all_columns else ()
    first = tuple(name for name in opening or look if name in among)
    mixed = [name for name in among if _is_usual(table, name)]
    small = any(table.kinds[name] != "numeric" for name in mixed) and len(mixed) <= MAX_SMALL
    default = tuple(mixed) if small else first or tuple((mixed or among)[:MAX_FEATURES])
    return form.choices(
        f"{table.name}.features",
        "Columns used",
        usable,
        default,
        parts=(*parts, "features"),
        help_text="All chosen columns count, also those that the picture does not show.",
    )


def _is_usual(table: Table, name: str) -> bool:
    """Return whether a column is used at first: neither a name of rows nor to be ignored."""
    return table.roles.get(name) != "ignore" and not _is_name(table, name)


def _is_name(table: Table, name: str) -> bool:
    """Return whether a nominal column only names the rows."""
    return (
        table.kinds[name] == "nominal"
        and len(table.frame) > 2
        and table.frame[name].nunique() > 0.9 * len(table.frame)
    )


def _is_code_of_rows(table: Table, name: str) -> bool:
    return table.kinds[name] == "id" and not is_numeric_dtype(table.frame[name])


def choose_row_names(form: Form, table: Table, source: str, target: str | None) -> str | None:
    """Return the column that names the rows, if any; the reader chooses it for an own file."""
    usual = next((name for name in table.kinds if name != target and _is_name(table, name)), None)
    if source != "upload":
        return usual
    columns = [
        name for name, kind in table.kinds.items() if name == usual or kind in ("id", "text")
    ]
    if not columns:
        return None
    usual = usual or next((name for name in columns if _is_code_of_rows(table, name)), None)
    titles = {"": "none", **{str(i): name for i, name in enumerate(columns, 1)}}
    default = str(columns.index(usual) + 1) if usual else ""
    spec, parts = Choice(tuple(titles)), ("data", "types")
    chosen = form.control(
        f"{table.name}.names", spec, default, label="Row names", names=titles, parts=parts
    )
    return titles[chosen] if chosen else None


def word(value: Any) -> str:
    """Return a cell that names a row, short enough for a tooltip."""
    return "" if pd.isna(value) else str(value)[:MAX_NAME]


def choose_view(
    form: Form,
    name: str,
    features: tuple[str, ...],
    numeric: bool,
    parts: tuple[str, ...],
    default: str,
) -> tuple[str, str] | Literal["pca"] | None:
    """Return the plane that is shown: of two columns there is only one."""
    if len(features) <= 2:
        return None
    names = {"columns": "Two columns"} | ({"pca": "Principal components"} if numeric else {})
    kind = "columns"
    if len(names) > 1:
        default = default if default in names else kind
        kind = form.control(
            f"{name}.view", Choice(tuple(names)), default, label="View", names=names, parts=parts
        )
    if kind == "pca":
        return "pca"
    across = form.control(
        f"{name}.across", Choice(features), features[0], label="Across", parts=parts
    )
    remaining = tuple(feature for feature in features if feature != across)
    return across, form.control(
        f"{name}.up", Choice(remaining), remaining[0], label="Up", parts=parts
    )
