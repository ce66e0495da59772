"""Figures that compare models or classes: a row for each, a symbol for each measure."""

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
    """Fit an evaluation with each model; its own keeps its settings, all others have the defaults.

    Returns
    -------
    fitted : dict of str to object
        The evaluations by the name of the model.
    refused : tuple of str
        The models that cannot use these data.
    """
    current = model_name(evaluation.model)
    fitted = {}
    refused = []
    for name in names:
        model = evaluation.model if name == current else name
        try:
            fitted[name] = clone(evaluation).set_params(model=model).fit(X, y)
        except ValueError:
            refused.append(name)
    return fitted, tuple(refused)


def model_label(model: str) -> str:
    """Return the name of a model in a figure.

    Examples
    --------
    >>> model_label("zero_r"), model_label("naive_bayes")
    ('ZeroR', 'naive bayes')
    """
    return "ZeroR" if model == ZERO_R else model.replace("_", " ")


def refusal(models: Sequence[str]) -> str:
    """Return the sentence on the models that cannot use the data; empty if all can."""
    return f" Cannot use these data: {', '.join(map(model_label, models))}." if models else ""


def plot_rows(
    names: Sequence[str], measures: Mapping[str, ArrayLike], hover: Sequence[str]
) -> go.Figure:
    """Draw a row for each name, in it a symbol for each measure."""
    figure = go.Figure()
    rows = list(range(len(names)))
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


def finish_rows(figure: go.Figure, title: str, note: str, height: int, margin: int) -> go.Figure:
    """Give a figure of rows its title, a legend below, and a margin for the names in pixels."""
    legend = {"orientation": "h", "x": 0, "y": -60 / height, "yanchor": "top"}
    finish(figure, title, note, height)
    return figure.update_layout(showlegend=True, margin={"l": margin, "b": 90}, legend=legend)
