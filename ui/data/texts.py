"""Texts and strings: from the library, a generator or a file with one on each line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_texts
from ui.data.container import Container


@dataclass(frozen=True)
class Texts(Container):
    """Texts, perhaps in classes."""

    kind: ClassVar[DataKind] = "strings"
    less: ClassVar[str] = "Choose fewer or shorter texts."
    accepts: ClassVar[tuple[str, ...]] = (".txt", ".csv")
    wanted: ClassVar[str] = "Texts: one on each line"
    reader: ClassVar[str] = "read_strings"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Give numbers to the classes."""
        problem = prepare_texts(data.texts, names=data.names, classes=data.classes)
        return problem, "X = list(data.texts)\n"
