"""What the figures that compare models, or classes, share: every model on the same rows, a symbol for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.evaluation.scores import ZERO_R, model_name
from dmlib.pictures.figures.style import SYMBOLS, finish


def fitted_models(
    evaluation: Any, names: Iterable[str], X: Any, y: Any
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Fit an evaluation with one model after the other; its own keeps its settings, the others have their defaults.

    Returns
    -------
    fitted : dict of str to object
        The evaluations by the name of the model.
    refused : tuple of str
        The models that cannot use these data.
    """
    current, fitted, refused = model_name(evaluation.model), {}, []
    for name in names:
        try:
            fitted[name] = (
                clone(evaluation)
                .set_params(model=evaluation.model if name == current else name)
                .fit(X, y)
            )
        except ValueError:
            refused.append(name)
    return fitted, tuple(refused)


def spoken(model: str) -> str:
    """Return what a figure calls a model.

    Examples
    --------
    >>> spoken("zero_r"), spoken("naive_bayes")
    ('ZeroR', 'naive bayes')
    """
    return "ZeroR" if model == ZERO_R else model.replace("_", " ")


def refusal(models: Sequence[str]) -> str:
    """Return the sentence on the models that cannot use the data; nothing if all can."""
    return f" Cannot use these data: {', '.join(map(spoken, models))}." if models else ""


def plot_rows(
    names: Sequence[str], measures: Mapping[str, ArrayLike], hover: Sequence[str]
) -> go.Figure:
    """Draw a row for each name, in it a symbol for each measure."""
    figure, rows = go.Figure(), list(range(len(names)))
    for (title, values), symbol in zip(measures.items(), SYMBOLS, strict=False):
        figure.add_scatter(
            x=np.round(np.asarray(values), 4),
            y=rows,
            name=title,
            mode="markers",
            marker={"size": 12, "symbol": symbol},
            customdata=hover,
            hovertemplate=f"%{{customdata}}<br>{title} %{{x:.3f}}<extra></extra>",
        )
    return figure.update_yaxes(
        tickvals=rows, ticktext=names, range=[len(names) - 0.5, -0.5], zeroline=False
    )


def finish_rows(figure: go.Figure, title: str, note: str, height: int, left: int) -> go.Figure:
    """Give such a figure its title, and a legend below; ``left`` is the room for the names, in pixels."""
    legend = {"orientation": "h", "x": 0, "y": -60 / height, "yanchor": "top"}
    finish(figure, title, note, height)
    return figure.update_layout(showlegend=True, margin={"l": left, "b": 90}, legend=legend)
