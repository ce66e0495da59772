"""The spectrum kernel of typed strings: the matrix, and the arithmetic of a pair."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.text import literal
from dmlib.classification import spectrum_kernel
from dmlib.classification.kernel_matrices.spectrum import k_mers
from dmlib.pictures.run import AnyRun
from ui.sheet import sheet
from ui.widgets import WidgetForm

EXAMPLE = "downtown\nknown\nunknown\ntownhall\nhallway"
MAX_STRINGS, MAX_LENGTH = 12, 200  # strings, and characters of each
MAX_K = 6


def spectrum_report(run: AnyRun, _form: WidgetForm) -> None:
    """Show the kernel of strings by their k-mers, which needs no table of numbers."""
    st.caption(
        "A kernel needs no vectors: the spectrum kernel of strings counts how often each piece of k"
        " characters (k-mer) is in both strings, and adds up the products."
    )
    text = st.text_area(
        "Strings, one in a line", EXAMPLE, key="kernels.strings", persist_state="session"
    )
    k = st.slider(
        "Length k of the pieces", 1, MAX_K, 3, key="kernels.length", persist_state="session"
    )
    strings = [line.strip()[:MAX_LENGTH] for line in text.splitlines() if line.strip()][
        :MAX_STRINGS
    ]
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
    left_column, right_column = st.columns(2)
    choices = list(range(len(strings)))
    options: dict[str, Any] = {"format_func": names.__getitem__, "persist_state": "session"}
    i = left_column.selectbox("First string", choices, 0, key="kernels.first_string", **options)
    j = right_column.selectbox("Second string", choices, 1, key="kernels.second_string", **options)
    _arithmetic(strings[i], strings[j], k)


def _arithmetic(first: str, second: str, k: int) -> None:
    """Write out the kernel of two strings."""
    st.caption(literal(f"{first} and {second}"))
    first_counts, second_counts = k_mers(first, k), k_mers(second, k)
    shared = [piece for piece in first_counts if piece in second_counts]
    pieces = list(dict.fromkeys([*shared, *first_counts, *second_counts]))
    rows = [
        (
            piece,
            first_counts[piece],
            second_counts[piece],
            first_counts[piece] * second_counts[piece],
        )
        for piece in pieces
    ]
    frame = pd.DataFrame(rows, columns=["k-mer", "in the first", "in the second", "product"])
    sheet(frame, "k-mers.csv", hide_index=True)
    terms = " + ".join(f"{first_counts[piece]} · {second_counts[piece]}" for piece in shared) or "0"
    st.markdown(literal(f"k = {terms} = {sum(row[-1] for row in rows)}"))
