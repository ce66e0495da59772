"""Texts and strings: from the library, a generator or a file with one on each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.data.container import Container
from dashboard.data.fields import MAX_TEXT, Field, text_field
from dashboard.data.kind import Chosen
from dashboard.form import Form
from dmlib.datasets.catalogue import DataKind
from dmlib.problem import prepare_texts


@dataclass(frozen=True)
class Texts(Container):
    """Texts, perhaps in classes."""

    kind: ClassVar[DataKind] = "strings"
    advice: ClassVar[str] = "Choose fewer or shorter texts."
    accepts: ClassVar[tuple[str, ...]] = (".txt", ".csv")
    content: ClassVar[str] = "Texts: one on each line"
    reader: ClassVar[str] = "read_strings"

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Give numbers to the classes."""
        problem = prepare_texts(data.texts, names=data.names, classes=data.classes)
        return problem, "X = list(data.texts)\n"

    def fields(self, chosen: Chosen) -> Sequence[Field]:
        """Return the field of a text."""
        return [text_field("text", MAX_TEXT)]
