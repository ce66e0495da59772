"""ARFF -> cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dmlib.datasets.reading.cells import Cells
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.header import with_names
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.rows import find_rows
from dmlib.datasets.table import Kind, Note, TableError

_ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(.+)""", re.IGNORECASE
)
_FIELD = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^'",][^,]*)?)\s*(,|$)""")


def read_arff(
    data: bytes, options: ReadOptions, repairs: Repairs
) -> tuple[Cells, dict[str, Kind], list[Note]]:
    """Read Weka's ARFF: names and types in a head, rows of fields below ``@data``.

    Returns
    -------
    cells : Cells
        The cells.
    kinds : dict of str to str
        The kinds that the head declares: nominal, text or date.
    notes : list of Note
        What was repaired.

    Raises
    ------
    TableError
        If the head is damaged, or the rows are sparse.
    """
    text, notes = decode(data, options.encoding)
    data_line = re.search(r"^[^\S\n]*@data[^\n]*\n?", text, re.IGNORECASE | re.MULTILINE)
    head, body = (text[: data_line.start()], text[data_line.end() :]) if data_line else (text, "")
    attributes = [_ATTRIBUTE.match(line.strip()) for line in head.splitlines()]
    names = [re.sub(r"\\(.)", r"\1", each[1].strip("'\"")) for each in attributes if each]
    types = [each[2].strip().lower() for each in attributes if each]
    if not data_line or not names:
        raise TableError(
            "bad_header",
            "The ARFF file lacks its @attribute lines or @data. Save it again from Weka.",
        )
    first = head.count("\n") + 2
    if next(_rows(body, first), None) is None:
        raise TableError("no_rows", "The ARFF file has names but no rows below them.")
    cells, row_notes = find_rows(
        lambda: _rows(body, first), replace(options, skip_footer=0), repairs
    )
    if len(cells.columns) != len(names):
        raise TableError(
            "ragged",
            f"The head names {len(names)} columns and the rows have {len(cells.columns)}. Correct"
            " the file.",
        )
    cells, changed = with_names(cells, names)
    return cells, _declared(cells.names, types), [*notes, *row_notes, *changed]


def _rows(body: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the fields of each row; both kinds of quotes may stand around a field."""
    for number, line in enumerate(body.splitlines(), first):
        text = line.strip()
        if text.startswith("{"):
            raise TableError(
                "unsupported",
                "The ARFF file is sparse, which is not read. Save it as CSV from Weka.",
            )
        if text and not text.startswith("%"):
            yield number, _fields(text, number)


def _fields(text: str, number: int) -> list[str]:
    if "'" not in text and '"' not in text:
        return [field.strip() for field in text.split(",")]
    fields, at = [], 0
    while True:
        match = _FIELD.match(text, at)
        if match is None:
            raise TableError(
                "bad_quotes", f"The quotes are wrong in line {number}. Correct them and try again."
            )
        single, double, bare, end = match.groups()
        quoted = single if single is not None else double
        fields.append((bare or "").strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        if not end:
            return fields
        at = match.end()


def _declared(names: Iterable[str], types: list[str]) -> dict[str, Kind]:
    starts: tuple[tuple[str, Kind], ...] = (("{", "nominal"), ("string", "text"))
    return {
        name: kind
        for name, declared_type in zip(names, types, strict=True)
        for start, kind in starts
        if declared_type.startswith(start)
    }
