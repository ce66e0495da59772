"""Where a table comes from: the library, a generator, the reader's hand or file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from pandas import CategoricalDtype

from dashboard.data.container import DATA, SOURCES, choose_from_library, choose_generator
from dashboard.data.library import generated, library, load_code, make_code
from dashboard.data.points import drawn_points
from dashboard.form import Form, TableAndCode
from dashboard.text import literal
from dmlib.datasets import Table, confusion_table, drawn_table, encode_points, generators
from dmlib.datasets.table import Kind as ColumnKind
from dmlib.params import Choice, defaults

MAX_TYPED = 60  # columns whose types can be changed
TYPES = ("data", "types")
MATRIX = "matrix"
FIRST_MATRIX = "cat: 8 1 1\ndog: 2 6 2\nbird: 1 3 36"
MAX_LETTERS = 1000  # of a matrix, or of the order of a column
BELOW = " < "


def choose_source(form: Form, default: str, purpose: str = "") -> str:
    """Let the reader choose where the table comes from; decisions may be typed as a matrix."""
    sources = {**SOURCES, **form.extra_sources}
    if purpose == "decisions":
        sources[MATRIX] = "Confusion matrix"
    source: str = form.control(
        "source", Choice(tuple(sources)), default, label="Source", names=sources, parts=DATA
    )
    return source


def table_from(
    form: Form,
    source: str,
    start: Mapping[str, str],
    names: tuple[str, ...],
    *,
    numeric_target: bool,
    plane: bool,
    purpose: str = "",
) -> TableAndCode:
    """Return the table of a source, and the code that makes it.

    Parameters
    ----------
    form : Form
        The form.
    source : str
        The source.
    start : mapping of str to str
        What the page opens with.
    names : tuple of str
        The tables of the library that the page can use.
    numeric_target : bool
        Whether a number is predicted.
    plane : bool
        Whether the page draws points in a plane.
    purpose : str
        What data are generated for.

    Raises
    ------
    ValueError
        If there is no table; the sentence says what to do.
    """
    if source == "generator":
        return _generated(form, start, numeric_target, purpose)
    if source == MATRIX:
        return _typed_matrix(form)
    if source == "draw":
        return _drawn_table(form, numeric_target, plane)
    if source == "upload":
        return form.table_file()
    if source != "library":
        return form.extra_table(source)
    name = choose_from_library(form, names, start.get("data", "iris"))
    return library(name), load_code("table", name)


def _generated(
    form: Form, start: Mapping[str, str], numeric_target: bool, purpose: str
) -> TableAndCode:
    offered = generators("table", numeric_target=numeric_target, purpose=purpose)
    first = start.get("generator", next(iter(offered)))
    name, params = choose_generator(form, offered, first, start)
    function_defaults = defaults(offered[name].function)
    changed = {key: value for key, value in params.items() if value != function_defaults[key]}
    table = generated(name, form.seed, tuple(params.items()))
    return table, make_code("table", name, form.seed, changed)


def _typed_matrix(form: Form) -> TableAndCode:
    """Let the reader type a confusion matrix, of any number of classes."""
    text = form.text_field(
        MATRIX,
        "A line for each true class",
        FIRST_MATRIX,
        max_chars=MAX_LETTERS,
        several_lines=True,
    )
    if form.is_visible("data", "about"):
        form.caption(
            "After its name, the counts of its predicted classes, in the order of the lines. With"
            " the classifier Column of scores, the matrix has these counts."
        )
    call = f"confusion_table({text!r}, random_state={form.seed})"
    code = f"from dmlib.datasets import confusion_table\n\ntable = {call}\n"
    return confusion_table(text, random_state=form.seed), code


def _drawn_table(form: Form, numeric_target: bool, plane: bool) -> TableAndCode:
    points = drawn_points(form)
    if len(points) < 2:
        raise ValueError("Draw at least two points: click on the picture.")
    if not plane and form.is_visible("data", "about"):
        form.caption("The points as they were drawn on another page. They can be moved there.")
    argument = ", numeric_target=True" if numeric_target else ""
    call = f"drawn_table(decode_points({encode_points(points)!r}){argument})"
    code = f"from dmlib.datasets import decode_points, drawn_table\n\ntable = {call}\n"
    return drawn_table(points, numeric_target=numeric_target), code


def with_column_types(form: Form, table: Table, code: str) -> TableAndCode:
    """Let the reader overrule the types of columns, and the order of the values of ordinal ones.

    Returns
    -------
    table : Table
        The table.
    code : str
        The code that makes it.
    """
    spec = Choice(get_args(ColumnKind))
    keys = {name: f"{table.name}.kind.{i}" for i, name in enumerate(list(table.kinds)[:MAX_TYPED])}
    is_open = False
    if form.is_visible(*TYPES):
        with form.details("Column types", f"{table.name}.kinds") as is_open:
            if is_open:
                _type_controls(form, table, keys, spec)
    types = {name: form.peek(key, spec, table.kinds[name]) for name, key in keys.items()}
    changed = {name: kind for name, kind in types.items() if kind != table.kinds[name]}
    code += f"table = table.with_kinds({changed!r})\n" if changed else ""
    typed = table.with_kinds(changed)
    orders = {}
    for name, key in keys.items():
        usual = _usual_order(typed, name)
        order = form.value(_order_key(key), str, usual)[:MAX_LETTERS] if usual else ""
        if order != usual:
            orders[name] = _levels(order)
    code += f"table = table.with_orders({orders!r})\n" if orders else ""
    return typed.with_orders(orders), code


def _levels(order: str) -> list[str]:
    """Return the values of an order that was typed; a value may begin with a sign itself."""
    sign = BELOW if BELOW in order else BELOW.strip()
    return [level.strip() for level in order.split(sign)]


def _order_key(key: str) -> str:
    """Return where a link has the order of a column, from where it has its type."""
    return ".order.".join(key.rsplit(".kind.", 1))


def _usual_order(table: Table, name: str) -> str:
    """Return the order of the values of an ordinal column of words; "" for any other column."""
    dtype = table.frame[name].dtype
    if table.kinds[name] != "ordinal" or not isinstance(dtype, CategoricalDtype):
        return ""
    return BELOW.join(map(str, dtype.categories))


def _type_controls(form: Form, table: Table, keys: Mapping[str, str], spec: Choice) -> None:
    for name, key in keys.items():
        kind = form.control(key, spec, table.kinds[name], label=literal(name), parts=TYPES)
        usual = _usual_order(table.with_kinds({name: kind}), name) if kind == "ordinal" else ""
        if usual:
            label = f"Order of {literal(name)}"
            form.text_field(_order_key(key), label, usual, max_chars=MAX_LETTERS, parts=TYPES)
    n_others = len(table.kinds) - len(keys)
    if n_others:
        form.caption(f"The other {n_others} columns keep the types that were found.")
