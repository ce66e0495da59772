"""Market baskets, or rows of a table as baskets: numbers by intervals, names as column=value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dashboard.data.baskets import Baskets
from dashboard.data.container import COLUMNS, DATA
from dashboard.data.fields import Field
from dashboard.data.kind import Chosen
from dashboard.data.library import library, load_code
from dashboard.form import Form, TableAndCode
from dashboard.settings import Settings
from dmlib.association import table_items
from dmlib.datasets import LIBRARY
from dmlib.datasets import Baskets as TypedBaskets
from dmlib.datasets.table import Note
from dmlib.params import Choice, Integer

TABLE, FILE = "table", "file"
RULES = {"equal_frequency": "equal frequency", "natural": "equal width", "sturges": "Sturges' rule"}


@dataclass(frozen=True)
class TableBaskets(Baskets):
    """Market baskets, and tables as such."""

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        return {**super().sources, TABLE: "Table"}

    def with_file(self, settings: Settings) -> tuple[str, Settings]:
        """Return the reader of a file that is dropped, and the settings that show it."""
        if self._source(settings) == TABLE:
            return "read_table", settings.without("sample").with_text("data", FILE)
        return super().with_file(settings)

    def fields(self, chosen: Chosen) -> Sequence[Field]:
        """Return the field of the items; none where they are made of a table."""
        return [] if chosen.source == TABLE else super().fields(chosen)

    def _source(self, settings: Settings) -> str:
        return settings.text("source") or self.start.get("source", "library")

    def from_source(self, source: str, form: Form) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them."""
        return _rows(form) if source == TABLE else super().from_source(source, form)

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Write the baskets as a matrix of truth values, with notes on what was done to a table."""
        problem, code = super().prepare(data, form)
        notes = tuple(note.text for note in data.notes if note.kind == TABLE)
        return replace(problem, notes=(*notes, *problem.notes)), code


def _rows(form: Form) -> tuple[Any, str]:
    titles = {name: entry.title for name, entry in LIBRARY.items() if entry.kind == TABLE}
    titles[FILE] = "A table of your own"
    name = form.control(
        "data", Choice(tuple(titles)), "iris", label="Table", names=titles, parts=DATA
    )
    rule = form.control(
        "rule",
        Choice(tuple(RULES)),
        "equal_frequency",
        label="Intervals",
        names=RULES,
        parts=COLUMNS,
    )
    bins = 3
    if rule != "sturges":
        bins = form.control("bins", Integer(2, 10), 3, label="Intervals a column", parts=COLUMNS)
    table, code = _table(name, form)
    items = table_items(table.frame, table.kinds, bins=bins, rule=rule)
    notes = tuple(Note(TABLE, text) for text in items.notes)
    baskets = TypedBaskets(items.transactions, name=table.name, title=table.title, notes=notes)
    code += (
        "\nfrom dmlib.association import table_items\n\n"
        f"data = table_items(table.frame, table.kinds, bins={bins}, rule={rule!r})\n"
    )
    return baskets, code


def _table(name: str, form: Form) -> TableAndCode:
    return form.table_file() if name == FILE else (library(name), load_code("table", name))
