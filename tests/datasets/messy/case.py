"""A case of the catalogue, and the well-behaved table from which most cases are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

HEAD = ("height", "weight", "age", "group")
ROWS = (
    ("171.2", "64.1", "23", "A"),
    ("180.3", "79.4", "31", "B"),
    ("165.8", "58.7", "27", "C"),
    ("176.9", "70.25", "44", "A"),
    ("159.4", "51.3", "19", "B"),
    ("188.1", "88.6", "36", "C"),
    ("169.7", "66.9", "52", "A"),
    ("174.5", "73.2", "29", "B"),
    ("182.6", "81.15", "41", "C"),
    ("163.3", "55.8", "33", "A"),
    ("177.7", "75.5", "26", "B"),
    ("168.4", "62.6", "38", "C"),
)
KINDS = {"height": "numeric", "weight": "numeric", "age": "numeric", "group": "nominal"}
LONG = "a_word_so_long_that_some_thousand_rows_are_a_large_file_" * 4
"""What makes a file so large that it is read in another way, with few rows."""

N_LONG = 12_000
"""Rows that do so."""

CORNERS = {(0, "height"): 171.2, (11, "weight"): 62.6, (4, "age"): 19, (11, "group"): "C"}


@dataclass(frozen=True)
class Loads:
    """A file that is read.

    Attributes
    ----------
    shape : tuple of int
        Rows and columns.
    names : sequence of str, optional
        The names of all columns.
    kinds : mapping of str to str
        The kinds of some of the columns.
    cells : mapping of (int, str) to object
        Some cells, by row and column; None where the value is missing.
    notes : str
        The kinds of all notes that have to be there, with blanks between them.
    silent : bool
        Whether there must be no other note.
    """

    shape: tuple[int, int]
    names: tuple[str, ...] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[tuple[int, str], Any] = field(default_factory=dict)
    notes: str = ""
    silent: bool = False


@dataclass(frozen=True)
class Refused:
    """A file that is refused, for a reason, in a sentence in which some words come."""

    reason: str
    words: str = ""


@dataclass(frozen=True)
class Case:
    """A bad or odd file and what becomes of it."""

    id: str
    make: Callable[[], bytes] | str | bytes
    expected: Loads | Refused
    name: str = "data.csv"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        content = self.make() if callable(self.make) else self.make
        return content.encode() if isinstance(content, str) else content


def people(delimiter: str = ",", end: str = "\n", rows: tuple[tuple[str, ...], ...] = ROWS) -> str:
    """Return the well-behaved table as text."""
    return "".join(delimiter.join(row) + end for row in (HEAD, *rows))


def column(texts: list[str], name: str = "x", delimiter: str = ";") -> str:
    """Return a table of words and given texts, quoted where they hold the delimiter."""
    quoted = ['"' + text.replace('"', '""') + '"' if delimiter in text else text for text in texts]
    return f"k{delimiter}{name}\n" + "".join(
        f"u{i % 4}{delimiter}{text}\n" for i, text in enumerate(quoted)
    )


def unchanged(notes: str = "", *, silent: bool = False, n_rows: int = 12) -> Loads:
    """Expect the well-behaved table as it is."""
    cells = CORNERS if n_rows == 12 else {}
    return Loads((n_rows, 4), HEAD, KINDS, cells, notes, silent)


def values(*numbers: Any, notes: str = "", kind: str = "numeric", name: str = "x") -> Loads:
    """Expect a table of `column`, with these values."""
    cells = {(i, name): number for i, number in enumerate(numbers)}
    return Loads((len(numbers), 2), ("k", name), {name: kind}, cells, notes)
