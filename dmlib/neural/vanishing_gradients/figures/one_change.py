"""The same network with one change at a time: which of them makes it learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run

CHANGES: dict[str, dict[str, Any]] = {
    "tanh units": {"activation": "tanh"},
    "relu units": {"activation": "relu"},
    "relu units and He's start": {"activation": "relu", "init": "he"},
    "He's start": {"init": "he"},
    "batch normalisation": {"batch_norm": True},
    "one hidden layer": {"n_hidden_layers": 1},
    "ten times the learning rate": {"learning_rate": 10.0},
}


@dataclass(frozen=True)
class Change:
    """What one change does: its name, the training error, and the gradient of layer 1 for that of the output."""

    name: str
    error: float
    ratio: float


def one_change_data(run: Run, progress: Callable[[Change], None] = lambda _: None) -> list[Change]:
    """Return the network as it is, and with each change that is none yet; ``progress`` is told each of them."""
    X, y = run.problem.training.arguments
    found = [_change("as it is", run.fitted, X, y)]
    progress(found[0])
    for name, params in CHANGES.items():
        change = {
            key: run.model.learning_rate * value if key == "learning_rate" else value
            for key, value in params.items()
        }
        if all(getattr(run.model, key) == value for key, value in change.items()):
            continue
        model = type(run.model)(**(run.model.get_params() | change))
        found.append(_change(name, model.fit_from(list(model.steps(X, y)), X, y), X, y))
        progress(found[-1])
    return found


def _change(name: str, model: Any, X: Any, y: Any) -> Change:
    return Change(name, float((model.predict(X) != y).mean()), float(model.gradient_ratio_))


def plot_one_change(changes: list[Change]) -> go.Figure:
    """Draw a bar for each change, with the ratio of gradients below its name."""
    names = [
        f"{change.name}<br><span style='font-size:12px'>gradient ratio {change.ratio:.1e}</span>"
        for change in changes
    ]
    texts = [f"{change.error:.1%}" for change in changes]
    colors = [MUTED if i == 0 else ACCENT for i in range(len(changes))]
    figure = go.Figure(
        go.Bar(
            x=[change.error for change in changes],
            y=names,
            orientation="h",
            text=texts,
            textposition="auto",
            marker={"color": colors},
            hovertext=[change.name for change in changes],
            hovertemplate="%{hovertext}: %{x:.4g}<extra></extra>",
        )
    )
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(
        title="training error", range=[0, max(0.01, *(1.15 * change.error for change in changes))]
    )
    best = min(changes[1:], key=lambda change: change.error, default=changes[0])
    title = (
        f"One change: with {best.name}, the training error is {np.round(100 * best.error, 2):g} %"
    )
    return finish(
        figure,
        title,
        "The ratio is the gradient of layer 1 for that of the output, at the start.",
        420,
    )
