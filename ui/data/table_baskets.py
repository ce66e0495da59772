"""Market baskets, or the rows of any table as baskets: numbers by intervals, names as column=value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dmlib.association import table_items
from dmlib.datasets import LIBRARY
from dmlib.datasets import Baskets as TypedBaskets
from dmlib.datasets import Table as TypedTable
from dmlib.datasets.table import Note
from dmlib.params import Choice, Integer
from ui.controls import control
from ui.data.baskets import Baskets
from ui.data.library import library
from ui.data.upload import upload

TABLE, FILE = "table", "file"
RULES = {"equal_frequency": "equal frequency", "natural": "equal width", "sturges": "Sturges' rule"}
WHOLE, HOW = ("data",), ("data", "columns")


@dataclass(frozen=True)
class TableBaskets(Baskets):
    """Market baskets, and tables as such."""

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        return {**super().sources, TABLE: "Table"}

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them."""
        return self._rows() if source == TABLE else super().from_source(source)

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Write the baskets as a matrix of truth values; what was done to a table is told below the picture."""
        problem, code = super().prepare(data)
        told = tuple(note.text for note in data.notes if note.kind == TABLE)
        return replace(problem, notes=(*told, *problem.notes)), code

    def _rows(self) -> tuple[Any, str]:
        titles = {name: entry.title for name, entry in LIBRARY.items() if entry.kind == TABLE}
        titles[FILE] = "A table of your own"
        name = control(
            "data", Choice(tuple(titles)), "iris", label="Table", names=titles, parts=WHOLE
        )
        rule = control(
            "rule",
            Choice(tuple(RULES)),
            "equal_frequency",
            label="Intervals",
            names=RULES,
            parts=HOW,
        )
        bins = (
            control("bins", Integer(2, 10), 3, label="Intervals a column", parts=HOW)
            if rule != "sturges"
            else 3
        )
        table, code = self._table(name)
        made = table_items(table.frame, table.kinds, bins=bins, rule=rule)
        notes = tuple(Note(TABLE, text) for text in made.notes)
        baskets = TypedBaskets(made.transactions, name=table.name, title=table.title, notes=notes)
        return baskets, (
            f"{code}\nfrom dmlib.association import table_items\n\n"
            f"data = table_items(table.frame, table.kinds, bins={bins}, rule={rule!r})\n"
        )

    def _table(self, name: str) -> tuple[TypedTable, str]:
        if name == FILE:
            return upload()
        table: Any = library(name)
        return table, f"from dmlib.datasets import load\n\ntable = load({name!r})\n"
