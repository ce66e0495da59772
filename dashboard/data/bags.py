"""Sets to be compared: market baskets, the rows of a table as such, and texts as bags of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dashboard.data.container import DATA
from dashboard.data.library import library, load_code
from dashboard.data.table_baskets import FILE, TABLE, TableBaskets
from dashboard.data.texts import Texts
from dashboard.form import Form
from dashboard.settings import Settings
from dmlib.datasets import LIBRARY, Strings
from dmlib.params import Choice
from dmlib.problem import prepare_bags, words_of

TEXTS = "texts"


@dataclass(frozen=True)
class Bags(TableBaskets):
    """Market baskets, tables as such, and texts.

    Parameters
    ----------
    tf_idf : bool
        Whether items that are in many bags count less.
    """

    tf_idf: bool = False

    advice: ClassVar[str] = "Choose fewer or smaller baskets, or fewer texts."

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        return {**super().sources, TEXTS: "Texts"}

    def with_file(self, settings: Settings) -> tuple[str, Settings]:
        """Return the reader of a file that is dropped, and the settings that show it."""
        if self._source(settings) == TEXTS:
            return Texts.reader, settings.with_text("data", FILE)
        return super().with_file(settings)

    def from_source(self, source: str, form: Form) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them."""
        if source != TEXTS:
            return super().from_source(source, form)
        titles = {name: entry.title for name, entry in LIBRARY.items() if entry.kind == "strings"}
        titles[FILE] = "Texts of your own"
        default = "state_of_the_union"
        name = form.control(
            "data", Choice(tuple(titles)), default, label="Texts", names=titles, parts=DATA
        )
        if name == FILE:
            return Texts().from_source("upload", form)
        return library(name), load_code("data", name)

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Count the items of the baskets, or the words of the texts."""
        is_text = isinstance(data, Strings)
        if is_text:
            bags: list[list[str]] = list(map(words_of, data.texts))
            problem = prepare_bags(
                bags, names=data.names, called="text", groups=data.classes, tf_idf=self.tf_idf
            )
            arguments = (
                "list(map(words_of, data.texts)), names=data.names, called='text',"
                " groups=data.classes"
            )
        else:
            problem = prepare_bags([sorted(bag) for bag in data.transactions], tf_idf=self.tf_idf)
            arguments = "[sorted(bag) for bag in data.transactions]"
        arguments += ", tf_idf=True" if self.tf_idf else ""
        notes = tuple(note.text for note in data.notes if note.kind == TABLE)
        imports = "prepare_bags, words_of" if is_text else "prepare_bags"
        call = f"prepare_bags({arguments})"
        code = f"from dmlib.problem import {imports}\n\nproblem = {call}\nX = problem.data\n"
        return replace(problem, notes=(*notes, *problem.notes)), code
