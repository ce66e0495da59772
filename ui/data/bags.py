"""Sets to be compared: market baskets, the rows of any table as such, and texts as bags of words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dmlib.datasets import LIBRARY, Strings
from dmlib.params import Choice
from dmlib.problem import prepare_bags, words_of
from ui.controls import control
from ui.data.container import WHOLE
from ui.data.library import library
from ui.data.table_baskets import FILE, TABLE, TableBaskets
from ui.data.texts import Texts

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

    less: ClassVar[str] = "Choose fewer or smaller baskets, or fewer texts."

    @property
    def sources(self) -> dict[str, str]:
        """Where data of this kind can come from."""
        return {**super().sources, TEXTS: "Texts"}

    def from_source(self, source: str) -> tuple[Any, str]:
        """Return the data of one of the sources, and the code that makes them."""
        if source != TEXTS:
            return super().from_source(source)
        titles = {name: entry.title for name, entry in LIBRARY.items() if entry.kind == "strings"}
        titles[FILE] = "Texts of your own"
        usual = "state_of_the_union"
        name = control(
            "data", Choice(tuple(titles)), usual, label="Texts", names=titles, parts=WHOLE
        )
        if name == FILE:
            return Texts().from_source("upload")
        return library(name), f"from dmlib.datasets import load\n\ndata = load({name!r})\n"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Count the items of the baskets, or the words of the texts; what was done to a table is told below."""
        texts = isinstance(data, Strings)
        more = ", tf_idf=True" if self.tf_idf else ""
        if texts:
            bags: list[list[str]] = list(map(words_of, data.texts))
            names, groups = data.names, data.classes
            problem = prepare_bags(
                bags, names=names, called="text", groups=groups, tf_idf=self.tf_idf
            )
            made = f"list(map(words_of, data.texts)), names=data.names, called='text'{more}"
        else:
            problem = prepare_bags([sorted(bag) for bag in data.transactions], tf_idf=self.tf_idf)
            made = f"[sorted(bag) for bag in data.transactions]{more}"
        told = tuple(note.text for note in data.notes if note.kind == TABLE)
        words = ", words_of" if texts else ""
        return replace(problem, notes=(*told, *problem.notes)), (
            f"from dmlib.problem import prepare_bags{words}\n\nX = prepare_bags({made}).data\n"
        )
