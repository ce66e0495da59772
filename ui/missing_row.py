"""One row with a hole, and how each way with missing values predicts it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dmlib.classification.tree_variants.figures.missing_values import NAMES
from dmlib.classification.tree_variants.hole_ledger import Holes
from dmlib.classification.tree_variants.missing import MECHANISMS
from dmlib.pictures.run import Run
from ui.text import literal

SAID = {
    "MCAR": "MCAR: completely at random",
    "MAR": "MAR: more often where the last column is large",
}
LARGEST = 0.6


def missing_row_report(run: Run) -> None:
    """Let the reader make holes, choose a row that has one, and see what becomes of it."""
    left, right = st.columns(2)
    mechanisms = MECHANISMS if len(run.problem.features) > 1 else MECHANISMS[:1]
    mechanism = left.radio(
        "Holes",
        mechanisms,
        key="tree_variants.mechanism",
        format_func=SAID.__getitem__,
        persist_state="session",
    )
    share = right.slider(
        "Share of holes",
        0.05,
        LARGEST,
        0.2,
        0.05,
        key="tree_variants.share",
        persist_state="session",
    )
    made = Holes.made(run, share, mechanism)
    some = made.with_holes.tolist()
    gone = int(made.train.isna().any(axis=1).sum())
    st.caption(
        f"{gone} of {len(made.train)} training rows and {len(some)} of {len(made.test)} rows to"
        " predict have a hole."
    )
    if not some:
        st.info("No row to predict has a hole. Raise the share of holes.")
        return
    row = st.selectbox(
        "Row with a hole",
        some,
        format_func=lambda i: f"row {made.numbers[i]}",
        key="tree_variants.hole",
    )
    values = made.test.iloc[row]
    st.markdown(literal("; ".join(f"{name} = {_written(value)}" for name, value in values.items())))
    ways = made.ways(row)
    columns = ["way", "at the first test", "the leaves that it comes to", "predicted", "true class"]
    told = [
        (NAMES[each.way], each.at_root, each.arithmetic, each.predicted, each.truth)
        for each in ways
    ]
    st.table(pd.DataFrame(told, columns=columns).set_index("way").map(literal))


def _written(value: Any) -> str:
    return (
        "missing" if pd.isna(value) else f"{value:.4g}" if isinstance(value, float) else str(value)
    )
