"""Reading a table from a file: its format, its text, its rows, its columns, and repairs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pandas as pd

from dmlib.datasets.reading.arff import read_arff
from dmlib.datasets.reading.bulk import read_bulk
from dmlib.datasets.reading.cells import Cells
from dmlib.datasets.reading.columns import numeric_kind, typed_column
from dmlib.datasets.reading.decimals import Mark, decimal_mark_of_file
from dmlib.datasets.reading.delimited import read_delimited
from dmlib.datasets.reading.formats import identify
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.parquet import read_parquet
from dmlib.datasets.reading.progress import report
from dmlib.datasets.reading.quality import row_notes
from dmlib.datasets.reading.records import read_json
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.svmlight import is_svmlight, read_svmlight
from dmlib.datasets.reading.workbook import read_workbook
from dmlib.datasets.table import Kind, Note, Table, TableError


def read_table(
    data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None
) -> Table:
    r"""Read a table from the bytes of a file.

    CSV and its kin (tabs, semicolons, vertical bars, white space), workbooks (.xlsx, .xls, .ods),
    Parquet, JSON records, ARFF and LIBSVM's rows, plain or as the only file of a gzip or zip
    archive. What is not given is found out: format, encoding, separator, where the table starts and
    ends, names, missing values, decimal marks, units, and the kind of each column.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent; it is shown, and its ending is compared with the content.
        It is never used as a path.
    options : ReadOptions or mapping, optional
        What is decided and not found out.

    Returns
    -------
    Table
        The typed columns. What was guessed, converted and repaired is in ``notes``; rows and cells
        that were left out or changed are in ``repairs``.

    Raises
    ------
    TableError
        If the file is no such table, or over a limit. ``reason`` is a fixed word, the message a
        sentence for people.
    ValueError
        If an option is none.

    Notes
    -----
    Time and memory are linear in the size of the file. Limits are checked before the memory is
    spent.

    Examples
    --------
    >>> table = read_table(b"height;group\n1,80;A\n1,75;B\n", "people.csv")
    >>> table.frame["height"].tolist()
    [1.8, 1.75]
    >>> [note.kind for note in table.notes]
    ['delimiter', 'decimal_comma']
    >>> data = b"height;group\n1,80;A\n1,75;B\n"
    >>> read_table(data, "people.csv", options={"decimal": "."}).nominal
    ('height', 'group')
    """
    options, repairs = ReadOptions.of(options), Repairs()
    content = identify(data, name, options.limits)
    cells, comma, kinds_of_file, notes = _cells(content.data, content.format, options, repairs)
    if not len(cells.lines):
        raise TableError(
            "no_rows", "The file has a header but no rows below it. Choose a file with data."
        )
    unknown = sorted({*options.kinds, *options.roles} - set(cells.names))
    if unknown:
        raise ValueError(f"There is no column {unknown[0]!r}.")
    declared = {**kinds_of_file, **cells.kinds, **options.kinds}
    roles = options.roles or cells.roles
    decimal = cache(partial(decimal_mark_of_file, cells, is_text=content.format == "text"))
    frame, kinds, column_notes = _typed(
        cells, replace(options, kinds=declared), repairs, comma, decimal
    )
    table = Table(
        frame,
        kinds,
        name="upload",
        title=re.split(r"[\\/]", name)[-1][:100] or "Your file",
        description="A file that you brought.",
        target=next((column for column, role in roles.items() if role == "target"), None),
        source="Your file.",
        licence="Yours.",
        notes=(*content.notes, *notes, *column_notes, *row_notes(frame, kinds)),
        roles=roles,
        repairs=repairs.frame,
    )
    return table.with_kinds(declared)


def _cells(
    data: bytes, form: str, options: ReadOptions, repairs: Repairs
) -> tuple[Cells, bool, Mapping[str, Kind], list[Note]]:
    """Return the cells, whether commas separate them, declared kinds, and notes."""
    if form == "workbook":
        cells, notes = read_workbook(data, options, repairs)
        return cells, True, {}, notes
    if form == "parquet":
        cells, notes = read_parquet(data, options.limits)
        return cells, True, {}, notes
    if form == "json":
        cells, notes = read_json(data, options)
        return cells, True, {}, notes
    if form == "arff":
        cells, declared, notes = read_arff(data, options, repairs)
        return cells, True, declared, notes
    if options.delimiter is None and is_svmlight(data):
        cells, declared, notes = read_svmlight(data, options.limits)
        return cells, True, declared, notes
    cells, comma, notes = read_bulk(data, options, repairs) or read_delimited(
        data, options, repairs
    )
    return cells, comma, {}, notes


def _typed(
    cells: Cells,
    options: ReadOptions,
    repairs: Repairs,
    comma: bool,
    decimal: Callable[[], Mark | None],
) -> tuple[pd.DataFrame, dict[str, Kind], list[Note]]:
    """Return the columns with their kinds, and notes."""
    series: dict[str, Any] = {}
    kinds: dict[str, Kind] = {}
    notes: list[Note] = []
    for i, (name, column) in enumerate(zip(cells.names, cells.columns, strict=True)):
        report(f"column {i + 1:,} of {len(cells.names):,}")
        if i in cells.numbers:
            values = pd.Series(cells.numbers[i], copy=False)
            kinds[name], column_notes = numeric_kind(values, name)
        else:
            values, kinds[name], column_notes = typed_column(
                column, name, cells.lines, options, repairs, comma, decimal
            )
        series[name] = values
        notes += column_notes
    return pd.DataFrame(series, copy=False), kinds, notes
