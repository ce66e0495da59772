"""Market baskets: from the library, a generator, ticked by hand, or from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import streamlit as st

from dmlib.datasets import decode_baskets, drawn_baskets, encode_baskets, read_baskets
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn.baskets import MAX_BASKETS
from dmlib.datasets.drawn.points import class_name
from dmlib.problem import prepare_baskets
from ui.data.container import Container
from ui.links import keep, kept, shown

TICKS = "ticks"
FIRST = [[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 1, 0], [0, 0, 1, 1]]
"""The baskets that somebody finds who begins to tick."""


@dataclass(frozen=True)
class Baskets(Container):
    """Market baskets."""

    kind: ClassVar[DataKind] = "baskets"
    less: ClassVar[str] = "Choose fewer baskets and items, or a larger support."
    accepts: ClassVar[tuple[str, ...]] = (".csv", ".txt", ".tsv", ".basket")
    wanted: ClassVar[str] = "Baskets: one on each line with its items, or one item on each line behind its basket"
    reader: ClassVar[str] = "read_baskets"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Write the baskets as a matrix of truth values."""
        return prepare_baskets(data.transactions), (
            "from dmlib.problem import prepare_baskets\n\nX = prepare_baskets(data.transactions).data\n"
        )

    def read(self, content: bytes, name: str) -> Any:
        """Read baskets from delimited text."""
        return read_baskets(content, name)

    def drawn(self) -> tuple[Any, str]:
        """Let the reader tick which item lies in which basket."""
        usual = np.array(FIRST, bool)
        ticks = kept(TICKS, decode_baskets, usual)
        if shown("data"):
            frame = pd.DataFrame(ticks, columns=[class_name(j) for j in range(ticks.shape[1])])
            edited = st.data_editor(frame, num_rows="dynamic", key="baskets.editor", hide_index=True)
            ticks = edited.fillna(value=False).to_numpy(bool)[:MAX_BASKETS]
            if not len(ticks):
                raise ValueError("There is no basket. Add a row to the table and tick its items.")
        text = encode_baskets(ticks)
        keep(TICKS, None if np.array_equal(ticks, usual) else text)
        return drawn_baskets(ticks), (
            "from dmlib.datasets import decode_baskets, drawn_baskets\n\n"
            f"data = drawn_baskets(decode_baskets({text!r}))\n"
        )
