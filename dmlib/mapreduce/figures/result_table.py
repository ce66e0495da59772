"""The result of a job as a table."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dmlib.mapreduce.execution import PARTITIONERS, value_text
from dmlib.pictures.figures.style import CLEAR, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import LinesProblem

MAX_KEYS = 200


def result_table(run: Run[LinesProblem, Any]) -> go.Figure:
    """Draw the keys with the largest values, and the reducer of each.

    Raises
    ------
    ValueError
        If the result is empty.
    """
    model = run.fitted
    if not model.result_:
        raise ValueError("The result is empty. Lower min_support.")
    order = sorted(model.result_, key=lambda key: (-_height(model.result_[key]), key))[:MAX_KEYS]
    assign = PARTITIONERS[model.partitioner]
    columns = {
        "key": [plain(key) for key in order],
        "value": [plain(value_text(model.result_[key])) for key in order],
        "reducer": [assign(key, model.n_reducers)[1] + 1 for key in order],
    }
    style = {"align": "left", "fill_color": CLEAR, "line_color": MUTED}
    table = go.Table(
        columnwidth=[3, 3, 1],
        header=style | {"values": list(columns)},
        cells=style | {"values": list(columns.values())},
    )
    note = "The reducer of a key depends on the key alone."
    if model.n_keys_ > MAX_KEYS:
        note = f"The {MAX_KEYS} with the largest values. {note}"
    title = f"{model.n_keys_} keys from {model.n_emitted_} pairs"
    return finish(go.Figure(table), title, note, 420)


def _height(value: float | tuple[float, ...]) -> float:
    return 0.0 if isinstance(value, tuple) else value
