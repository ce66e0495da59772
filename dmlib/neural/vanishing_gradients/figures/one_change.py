"""The training error of the same network with one change at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.neural.vanishing_gradients.algorithm import DeepMLPClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

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
    """A network with one change."""

    name: str
    error: float  # on the training rows
    ratio: float  # of the gradient of layer 1 to that of the output, at the start


def one_change_data(
    run: Run[Problem, DeepMLPClassifier], progress: Callable[[Change], None] = lambda _: None
) -> list[Change]:
    """Return the network as it is, and with each change; ``progress`` is called with each."""
    X, y = run.problem.training.arguments
    changes = [_change("as it is", run.fitted, X, y)]
    progress(changes[0])
    for name, change in CHANGES.items():
        params = dict(change)
        if "learning_rate" in params:
            params["learning_rate"] *= run.model.learning_rate
        if all(getattr(run.model, key) == value for key, value in params.items()):
            continue
        model = type(run.model)(**(run.model.get_params() | params))
        changes.append(_change(name, model.fit_from(list(model.steps(X, y)), X, y), X, y))
        progress(changes[-1])
    return changes


def _change(name: str, model: DeepMLPClassifier, X: Any, y: Any) -> Change:
    return Change(name, float((model.predict(X) != y).mean()), float(model.gradient_ratio_))


def plot_one_change(changes: list[Change]) -> go.Figure:
    """Draw a bar for each change, with the ratio of gradients below its name."""
    names = [
        f"{change.name}<br><span style='font-size:12px'>gradient ratio {change.ratio:.1e}</span>"
        for change in changes
    ]
    errors = [change.error for change in changes]
    bars = go.Bar(
        x=errors,
        y=names,
        orientation="h",
        text=[percent(error) for error in errors],
        textposition="auto",
        marker={"color": [MUTED, *[ACCENT] * (len(changes) - 1)]},
        hovertext=[change.name for change in changes],
        hovertemplate="%{hovertext}: %{x:.4g}<extra></extra>",
    )
    figure = go.Figure(bars)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(title="training error", range=[0, max(0.01, 1.15 * max(errors))])
    best = min(changes[1:], key=lambda change: change.error, default=changes[0])
    error = f"{np.round(100 * best.error, 2):g} %"
    title = f"One change: with {best.name}, the training error is {error}"
    note = "The ratio is the gradient of layer 1 for that of the output, at the start."
    return finish(figure, title, note, 420)
