"""The ROC curves of several models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.scores import COLUMN, MODELS, ZERO_R, Floats, model_name
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""How each model's line is drawn, so that colour is not all that tells them apart."""


@dataclass(frozen=True)
class RocModelsData:
    """ROC curves of models."""

    names: tuple[str, ...]  # the models that could be run
    curves: tuple[tuple[Floats, Floats], ...]  # for each, its false and true positive rates
    aucs: tuple[float, ...]  # for each, the area under the curve
    current: str  # the model on the screen
    refused: tuple[str, ...]  # the models that cannot use these data


def roc_models_data(sweep: ThresholdSweep, X: Any, y: Any) -> RocModelsData:
    """Sweep every model on the same rows and the same folds.

    Parameters
    ----------
    sweep : ThresholdSweep
        The sweep on the screen; folds and seed are its own.
    X, y : array-like
        The rows and their classes.

    Returns
    -------
    RocModelsData
        One curve for each model; for ZeroR, whose curve is the diagonal, and for the column if it is on the screen.

    Examples
    --------
    >>> X, y = [[i / 10, i % 3] for i in range(20)], [0] * 8 + [1, 0, 1, 0] + [1] * 8
    >>> data = roc_models_data(ThresholdSweep("knn", folds=4, random_state=0), X, y)
    >>> data.names
    ('naive_bayes', 'logistic_regression', 'decision_tree', 'knn', 'svm')
    """
    current = model_name(sweep.model)
    found, refused = {}, []
    for name in MODELS:
        if name in (COLUMN, ZERO_R) and name != current:
            continue
        try:
            found[name] = clone(sweep).set_params(model=sweep.model if name == current else name).fit(X, y)
        except ValueError:
            refused.append(name)
    return RocModelsData(
        tuple(found),
        tuple((fitted.fpr_, fitted.tpr_) for fitted in found.values()),
        tuple(fitted.auc_ for fitted in found.values()),
        current,
        tuple(refused),
    )


def roc_models(run: Run) -> go.Figure:
    """Draw other models on the same rows."""
    return plot_roc_models(roc_models_data(run.model, *run.problem.training.arguments))


def plot_roc_models(data: RocModelsData) -> go.Figure:
    """Draw the curves over each other; the one on the screen is thick."""
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": MUTED, "width": 1, "dash": "dot"}, hoverinfo="skip"
    )
    for i, (name, (fpr, tpr), auc) in enumerate(zip(data.names, data.curves, data.aucs, strict=True)):
        label = f"{name.replace('_', ' ')}, AUC {auc:.3f}"
        figure.add_scatter(
            x=fpr.round(4),
            y=tpr.round(4),
            name=label,
            mode="lines",
            line={"width": 4 if name == data.current else 2, "dash": DASHES[i % len(DASHES)]},
            hovertemplate=f"{label}<br>FPR %{{x:.3f}}, TPR %{{y:.3f}}<extra></extra>",
        )
    figure.update_xaxes(title_text="false positive rate", range=[-0.02, 1.02], constrain="domain")
    figure.update_yaxes(title_text="true positive rate", range=[-0.02, 1.02], scaleanchor="x")
    finish(figure, _title(data), _note(data), 460)
    return figure.update_layout(showlegend=True, legend={"x": 0.98, "y": 0.03, "xanchor": "right", "yanchor": "bottom"})


def _title(data: RocModelsData) -> str:
    best = max(range(len(data.aucs)), key=data.aucs.__getitem__)
    return f"The largest area, {data.aucs[best]:.3f}, is that of {data.names[best].replace('_', ' ')}."


def _note(data: RocModelsData) -> str:
    note = "Same rows, same folds, the other models with their defaults. Where curves cross, costs and prior decide."
    if data.refused:
        note += f" Cannot use these data: {', '.join(name.replace('_', ' ') for name in data.refused)}."
    return note
