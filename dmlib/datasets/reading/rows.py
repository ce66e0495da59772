"""Rows of fields, from text or from a sheet -> the cells of the table among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from dmlib.datasets.reading.cells import Cells, gather
from dmlib.datasets.reading.layout import COMMENTS, Layout, find_table
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.side_by_side import largest_table
from dmlib.datasets.reading.survey import survey
from dmlib.datasets.table import Note

Rows = Iterable[tuple[int, list[str]]]


def find_rows(
    rows: Callable[[], Rows], options: ReadOptions, repairs: Repairs
) -> tuple[Cells, list[Note]]:
    """Return the rows of the table as cells, the names still on top.

    Parameters
    ----------
    rows : callable
        Yields the place and the fields of each row; called twice, so that nothing is kept before it
        is counted.
    options : ReadOptions
        The limits, and the number of lines above the table, if that is known.
    repairs : Repairs
        Takes the rows that are left out or filled up.
    """
    layout = find_table(survey(rows(), options.limits), options)
    even_rows = _EvenRows(layout, repairs)
    cells = replace(gather(even_rows.even(rows()), layout.width), row_names=layout.row_names)
    cells, tables = largest_table(cells, options, repairs)
    return cells, [*layout.notes, *even_rows.notes(), *tables]


class _EvenRows:
    """The rows of a table, made equally long, and a count of those that were not."""

    def __init__(self, layout: Layout, repairs: Repairs) -> None:
        self.layout, self.repairs = layout, repairs
        self.longer: list[int] = []
        self.n_short = self.n_empty = self.n_comments = 0

    def even(self, rows: Rows) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of equal length: short ones padded, without blank and too long ones."""
        width, first, last = self.layout.width, self.layout.first_line, self.layout.last_line
        for line, row in rows:
            if not first <= line <= last:
                if any(map(str.strip, row)):
                    self.repairs.row(
                        line,
                        " | ".join(row),
                        f"left out: {'above' if line < first else 'below'} the table",
                    )
            elif line == first and self.layout.row_names:
                yield line, ["", *row]
            elif not any(map(str.strip, row)):
                self.n_empty += bool(row)
            elif len(row) != width and row[0].startswith(COMMENTS):
                self.n_comments += 1
                self.repairs.row(line, " | ".join(row), "left out: a comment")
            elif any(map(str.strip, row[width:])):
                self.longer.append(line)
                self.repairs.row(line, " | ".join(row), f"left out: {len(row)} fields, not {width}")
            elif len(row) < width:
                self.n_short += 1
                self.repairs.row(
                    line, " | ".join(row), f"filled up: {len(row)} fields, not {width}"
                )
                yield line, row + [""] * (width - len(row))
            else:
                yield line, row[:width]

    def notes(self) -> list[Note]:
        """Return notes on the rows that were changed or left out."""
        notes = []
        if self.longer:
            rows, are = (
                (f"{len(self.longer)} rows have", "are")
                if len(self.longer) > 1
                else ("1 row has", "is")
            )
            text = (
                f"{rows} more than {self.layout.width} fields and {are} left out (line"
                f" {self.longer[0]})."
            )
            notes.append(Note("bad_lines", text))
        if self.n_short:
            rows, were = (
                (f"{self.n_short} rows were", "their") if self.n_short > 1 else ("1 row was", "its")
            )
            notes.append(Note("padded_rows", f"{rows} too short; {were} last cells are missing."))
        if self.n_comments:
            rows = (
                f"{self.n_comments} comments between the rows are"
                if self.n_comments > 1
                else "1 comment is"
            )
            notes.append(Note("comments", f"{rows} left out."))
        if self.n_empty:
            rows = f"{self.n_empty} empty rows are" if self.n_empty > 1 else "1 empty row is"
            notes.append(Note("empty_row", f"{rows} left out."))
        return notes
