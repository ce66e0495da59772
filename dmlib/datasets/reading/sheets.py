"""Write the cells of a workbook as lines of JSON: a program of its own, started by `workbook`.

The reader of workbooks is written in Rust. A damaged file can make it ask for memory that no machine has, which ends
the whole process; here it ends this one. It imports nothing of dmlib, so that it starts in a moment.

Usage: ``python -P sheets.py N_ROWS N_COLUMNS N_CELLS < workbook``. The first line holds the names of the sheets, those
that are hidden last. Then come, for each, a line with its name, the row it starts in, its height and its width, and
its rows, unless it is larger than the limits. An object instead of a list tells what is wrong.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

MEMORY = 2**31  # bytes
SECONDS = 60  # of computing
_SPARSE = 2_000_000
_CELL = 6  # bytes that a cell takes in an .xls file at least


def lines(data: bytes, n_rows: int, n_columns: int, n_cells: int) -> Iterator[Any]:
    """Yield what is written, line by line."""
    import python_calamine as calamine

    try:
        with calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            hidden = {each.name for each in book.sheets_metadata if each.visible != calamine.SheetVisibleEnum.Visible}
            names = sorted(book.sheet_names, key=hidden.__contains__)
            yield names
            for name in names:
                sheet = book.get_sheet_by_name(name)
                yield [name, sheet.start[0] if sheet.start else 0, sheet.height, sheet.width]
                area = sheet.height * sheet.width
                sparse = data.startswith(b"\xd0\xcf") and area > max(_SPARSE, 20 * len(data) / _CELL)
                if sparse or sheet.height > n_rows + 1 or sheet.width > n_columns or area > n_cells:
                    return
                yield from ([_text(cell) for cell in row] for row in sheet.to_python())
    except calamine.PasswordError:
        yield {"wrong": "password"}
    except calamine.CalamineError as error:
        yield {"wrong": str(error)}


def _text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    return str(cell)


def _limit() -> None:
    """Bound memory and time, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        allowed = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if allowed == resource.RLIM_INFINITY else min(most, allowed), allowed))


if __name__ == "__main__":
    _limit()
    for line in lines(sys.stdin.buffer.read(), *map(int, sys.argv[1:])):
        sys.stdout.write(json.dumps(line) + "\n")
