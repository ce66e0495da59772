"""The spectrum kernel of strings that the reader writes: the matrix, and the arithmetic of a pair."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dmlib.classification import spectrum_kernel
from dmlib.classification.kernel_matrices.spectrum import k_mers
from dmlib.pictures.run import Run
from ui.sheet import sheet
from ui.text import literal

EXAMPLE = "downtown\nknown\nunknown\ntownhall\nhallway"
MOST, LONGEST = 12, 200  # strings, and characters of each
LONGEST_PIECE = 6


def spectrum_report(run: Run) -> None:
    """Show the kernel of strings by their pieces of k characters, which needs no table of numbers."""
    st.caption(
        "A kernel needs no vectors: the spectrum kernel of strings counts how often each piece of k"
        " characters (k-mer) is in both strings, and adds up the products."
    )
    text = st.text_area(
        "Strings, one in a line", EXAMPLE, key="kernels.strings", persist_state="session"
    )
    k = st.slider(
        "Length k of the pieces", 1, LONGEST_PIECE, 3, key="kernels.length", persist_state="session"
    )
    strings = [line.strip()[:LONGEST] for line in text.splitlines() if line.strip()][:MOST]
    if len(strings) < 2:
        st.info("Write at least two strings, each in a line of its own.")
        return
    names = [f"{number}: {string}" for number, string in enumerate(strings, 1)]
    matrix = spectrum_kernel(strings, k=k)
    picked = sheet(
        pd.DataFrame(matrix.astype(int), names, names),
        "kernel_matrix.csv",
        on_select="rerun",
        selection_mode="single-cell",
        key="kernels.matrix",
    )
    st.caption("Click a cell for its arithmetic, or choose two strings.")
    cells = picked.selection.cells
    if cells and cells[0][1] in names and cells[0][0] < len(names):
        _arithmetic(strings[cells[0][0]], strings[names.index(cells[0][1])], k)
        return
    _pair(names, strings, k)


def _pair(names: list[str], strings: list[str], k: int) -> None:
    """Let the reader choose two strings, and write out their kernel."""
    left, right = st.columns(2)
    choices = list(range(len(strings)))
    shown: dict[str, Any] = {"format_func": names.__getitem__, "persist_state": "session"}
    i = left.selectbox("First string", choices, 0, key="kernels.first_string", **shown)
    j = right.selectbox("Second string", choices, 1, key="kernels.second_string", **shown)
    _arithmetic(strings[i], strings[j], k)


def _arithmetic(first: str, second: str, k: int) -> None:
    """Write out the kernel of two strings."""
    st.caption(literal(f"{first} and {second}"))
    one, other = k_mers(first, k), k_mers(second, k)
    shared = [piece for piece in one if piece in other]
    pieces = list(dict.fromkeys([*shared, *one, *other]))
    rows = [(piece, one[piece], other[piece], one[piece] * other[piece]) for piece in pieces]
    frame = pd.DataFrame(rows, columns=["k-mer", "in the first", "in the second", "product"])
    sheet(frame, "k-mers.csv", hide_index=True)
    terms = " + ".join(f"{one[piece]} · {other[piece]}" for piece in shared) or "0"
    st.markdown(literal(f"k = {terms} = {sum(row[-1] for row in rows)}"))
