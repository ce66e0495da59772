"""The result of a job as a table."""

from __future__ import annotations

import plotly.graph_objects as go

from dmlib.mapreduce.execution import PARTITIONERS, written
from dmlib.pictures.figures.style import CLEAR, MUTED, finish, plain
from dmlib.pictures.run import Run

MOST_KEYS = 200


def result_table(run: Run) -> go.Figure:
    """Draw the keys with the largest values, and the reducer that each is from."""
    model = run.fitted
    if not model.result_:
        raise ValueError("The result is empty. Lower min_support.")
    order = sorted(model.result_, key=lambda key: (-_height(model.result_[key]), key))[:MOST_KEYS]
    assign = PARTITIONERS[model.partitioner]
    columns = {
        "key": [plain(key) for key in order],
        "value": [plain(written(model.result_[key])) for key in order],
        "reducer": [assign(key, model.n_reducers)[1] + 1 for key in order],
    }
    table = go.Table(
        columnwidth=[3, 3, 1],
        header={"values": list(columns), "align": "left", "fill_color": CLEAR, "line_color": MUTED},
        cells={
            "values": list(columns.values()),
            "align": "left",
            "fill_color": CLEAR,
            "line_color": MUTED,
        },
    )
    cut = f"The {MOST_KEYS} with the largest values. " if model.n_keys_ > MOST_KEYS else ""
    note = f"{cut}The reducer of a key depends on the key alone."
    return finish(
        go.Figure(table), f"{model.n_keys_} keys from {model.n_emitted_} pairs", note, 420
    )


def _height(value: float | tuple[float, ...]) -> float:
    return 0.0 if isinstance(value, tuple) else value
