"""Patterns: from the library, a generator, drawn cell by cell on the picture, or from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import streamlit as st

from dmlib.datasets import decode_patterns, drawn_patterns, encode_patterns
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.drawn.patterns import LONGEST_SIDE, MAX_DRAWN
from dmlib.problem import prepare_patterns
from ui.data.cells import Bits, cells_of
from ui.data.container import Container
from ui.links import keep, kept, shown

PATTERNS = "patterns"
FIRST = "GGzzzzzz__AA__wYMGDB"
"""The patterns that somebody finds who begins to draw."""


@dataclass(frozen=True)
class Patterns(Container):
    """Patterns of cells that are on or off."""

    kind: ClassVar[DataKind] = "patterns"
    less: ClassVar[str] = "Choose fewer or smaller patterns."
    accepts: ClassVar[tuple[str, ...]] = (".png", ".jpg", ".jpeg", ".txt", ".csv")
    wanted: ClassVar[str] = (
        "An image, drawings of # and . with an empty line between two, or a pattern on each line"
    )
    reader: ClassVar[str] = "read_patterns"

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Write each pattern as a row of zeros and ones."""
        return (
            prepare_patterns(data.patterns, data.names, by_hand=data.name == "drawn"),
            (
                "from dmlib.problem import prepare_patterns\n\nX ="
                " prepare_patterns(data.patterns).data\n"
            ),
        )

    def drawn(self) -> tuple[Any, str]:
        """Return the patterns that were drawn on the stage, with buttons for their number and size."""
        if shown("data"):
            _buttons()
        text = encode_patterns(_drawn())
        return (
            drawn_patterns(_drawn()),
            (
                "from dmlib.datasets import decode_patterns, drawn_patterns\n\n"
                f"data = drawn_patterns(decode_patterns({text!r}))\n"
            ),
        )

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over the cells that were switched on the stage; what the browser sends is not trusted."""
        if message.get("name") != PATTERNS:
            return False
        patterns = cells_of(message.get("cells"), _drawn().shape)
        if patterns is not None:
            _keep(patterns)
        return True


def _drawn() -> Bits:
    patterns: Bits = kept(PATTERNS, decode_patterns, decode_patterns(FIRST))
    return patterns


def _keep(patterns: Bits) -> None:
    text = encode_patterns(patterns)
    st.session_state[PATTERNS] = decode_patterns(text)
    keep(PATTERNS, text)


def _buttons() -> None:
    """Show what changes the number and the size of the drawn patterns, each as a callback."""
    patterns = _drawn()
    n, height, width = patterns.shape
    st.caption(
        "Click or drag over the cells of the patterns in the picture. D, the arrow keys and space"
        " draw too."
    )
    with st.container(horizontal=True):
        _button("Add pattern", _added(patterns), n < MAX_DRAWN)
        _button("Remove last", patterns[:-1], n > 1)
        _button("Clear all", np.zeros_like(patterns), bool(patterns.any()))
    with st.container(horizontal=True):
        _button("Row +", _sized(patterns, height + 1, width), height < LONGEST_SIDE)
        _button("Row −", _sized(patterns, height - 1, width), height > 1)
        _button("Column +", _sized(patterns, height, width + 1), width < LONGEST_SIDE)
        _button("Column −", _sized(patterns, height, width - 1), width > 1)


def _button(label: str, patterns: Bits, possible: bool) -> None:
    st.button(
        label, key=f"patterns.{label}", on_click=_keep, args=(patterns,), disabled=not possible
    )


def _added(patterns: Bits) -> Bits:
    return np.concatenate([patterns, np.zeros_like(patterns[:1])])


def _sized(patterns: Bits, height: int, width: int) -> Bits:
    """Return patterns of another size, cut or with cells that are off."""
    some = patterns[:, :height, :width]
    return np.pad(
        some, [(0, 0), (0, max(height, 0) - some.shape[1]), (0, max(width, 0) - some.shape[2])]
    )
