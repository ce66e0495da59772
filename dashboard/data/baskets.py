"""Market baskets: from the library, a generator, ticked by hand, or from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from dashboard.data.container import Container
from dashboard.data.fields import MAX_LETTERS, MAX_OPTIONS, Field, choice_field
from dashboard.data.guesses import DELIMITERS, GUESS
from dashboard.data.kind import Chosen
from dashboard.form import Form
from dmlib.datasets import decode_baskets, drawn_baskets, encode_baskets
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn.baskets import MAX_BASKETS
from dmlib.datasets.drawn.points import class_name
from dmlib.datasets.reading.baskets import WORDS
from dmlib.problem import prepare_baskets

TICKS = "ticks"
FIRST = [[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 1, 0], [0, 0, 1, 1]]
"""The baskets that somebody finds who begins to tick."""

DECISIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "form": ("The file holds", {GUESS: None, **{words: form for form, words in WORDS.items()}}),
    "numbered": (
        "The first field is",
        {GUESS: None, "the name of the basket": True, "an item": False},
    ),
    "header": ("The first row holds", {GUESS: None, "names": True, "items": False}),
    "delimiter": ("Separated by", {words: mark or None for mark, words in DELIMITERS.items()}),
}
"""What can be decided of a file: label and choices with the values of the reader's option."""


@dataclass(frozen=True)
class Baskets(Container):
    """Market baskets."""

    kind: ClassVar[DataKind] = "baskets"
    advice: ClassVar[str] = "Choose fewer baskets and items, or a larger support."
    accepts: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".tsv", ".basket", ".xlsx", ".ods")
    content: ClassVar[str] = (
        "Baskets: one on each line with its items, one item on each line behind its basket, one"
        " column for each item, or several items in a cell"
    )
    reader: ClassVar[str] = "read_baskets"

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Write the baskets as a matrix of truth values."""
        code = (
            "from dmlib.problem import prepare_baskets\n\n"
            "problem = prepare_baskets(data.transactions)\nX = problem.data\n"
        )
        return prepare_baskets(data.transactions), code

    def fields(self, chosen: Chosen) -> Sequence[Field]:
        """Return the field of the items, the most frequent of them."""
        if chosen.table is None:
            return []
        counts = Counter(chain.from_iterable(sorted(each) for each in chosen.table.transactions))
        items = [item for item, _ in counts.most_common() if len(item) <= MAX_LETTERS]
        return [choice_field("items", sorted(items[:MAX_OPTIONS]), several=True)] if items else []

    def decided(self, form: Form, file_id: str) -> Mapping[str, Any]:
        """Let the reader decide what was found out of a file."""
        with form.expander("Decide what was guessed"):
            options = {
                name: values[form.select(f"baskets.{name}.{file_id}", label, list(values))]
                for name, (label, values) in DECISIONS.items()
            }
        decisions = {name: value for name, value in options.items() if value is not None}
        return {"options": decisions} if decisions else {}

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Let the reader tick which item lies in which basket."""
        usual = np.array(FIRST, bool)
        ticks = form.value(TICKS, decode_baskets, usual)
        names = [class_name(j) for j in range(ticks.shape[1])]
        table = form.tick(pd.DataFrame(ticks, columns=names))
        ticks = table.fillna(value=False).to_numpy(bool)[:MAX_BASKETS]
        if not len(ticks):
            raise ValueError("There is no basket. Add a row to the table and tick its items.")
        text = encode_baskets(ticks)
        form.remember(TICKS, *([] if np.array_equal(ticks, usual) else [text]))
        code = (
            "from dmlib.datasets import decode_baskets, drawn_baskets\n\n"
            f"data = drawn_baskets(decode_baskets({text!r}))\n"
        )
        return drawn_baskets(ticks), code
