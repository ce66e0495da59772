"""One row with a hole, and its prediction by each treatment of missing values."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.text import literal
from dmlib.classification.tree_variants.figures.missing_values import NAMES
from dmlib.classification.tree_variants.hole_ledger import Holes
from dmlib.classification.tree_variants.missing import MECHANISMS
from dmlib.pictures.run import AnyRun
from ui.widgets import WidgetForm

LABELS = {
    "MCAR": "MCAR: completely at random",
    "MAR": "MAR: more often where the last column is large",
}
LARGEST = 0.6


def missing_row_report(run: AnyRun, _form: WidgetForm) -> None:
    """Let the reader make holes and choose a row with one, and show its predictions."""
    first, second = st.columns(2)
    mechanisms = MECHANISMS if len(run.problem.features) > 1 else MECHANISMS[:1]
    mechanism = first.radio(
        "Holes",
        mechanisms,
        key="tree_variants.mechanism",
        format_func=LABELS.__getitem__,
        persist_state="session",
    )
    share = second.slider(
        "Share of holes",
        0.05,
        LARGEST,
        0.2,
        0.05,
        key="tree_variants.share",
        persist_state="session",
    )
    table = Holes.in_run(run, share, mechanism)
    rows = table.with_holes.tolist()
    n_incomplete = int(table.train.isna().any(axis=1).sum())
    training = f"{n_incomplete} of {len(table.train)} training rows"
    st.caption(f"{training} and {len(rows)} of {len(table.test)} rows to predict have a hole.")
    if not rows:
        st.info("No row to predict has a hole. Raise the share of holes.")
        return
    row = st.selectbox(
        "Row with a hole",
        rows,
        format_func=lambda i: f"row {table.numbers[i]}",
        key="tree_variants.hole",
    )
    values = table.test.iloc[row]
    st.markdown(
        literal("; ".join(f"{name} = {_value_text(value)}" for name, value in values.items()))
    )
    predictions = table.predictions(row)
    columns = ["way", "at the first test", "the leaves that it comes to", "predicted", "true class"]
    cells = [
        (NAMES[each.treatment], each.at_root, each.arithmetic, each.predicted, each.truth)
        for each in predictions
    ]
    st.table(pd.DataFrame(cells, columns=columns).set_index("way").map(literal))


def _value_text(value: Any) -> str:
    if pd.isna(value):
        return "missing"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
