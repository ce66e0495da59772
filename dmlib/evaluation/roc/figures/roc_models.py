"""The ROC curves of several models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.models_figures import fitted_models, model_label, refusal
from dmlib.evaluation.scores import COLUMN, MODELS, ZERO_R, model_name
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""The dashes of the models, which do not differ by colour only."""


@dataclass(frozen=True)
class RocModelsData:
    """ROC curves of models."""

    names: tuple[str, ...]  # the models that could be run
    curves: tuple[tuple[Floats, Floats], ...]  # for each, its false and true positive rates
    aucs: tuple[float, ...]  # for each, the area under the curve
    current: str  # the model on the screen
    refused: tuple[str, ...]  # the models that cannot use these data


def roc_models_data(sweep: ThresholdSweep, X: Any, y: Any) -> RocModelsData:
    """Sweep each model on the same rows and folds.

    Folds and seed are those of the sweep. ZeroR, whose curve is the diagonal, and the column are
    included only if they are the sweep's own model.

    Examples
    --------
    >>> X, y = [[i / 10, i % 3] for i in range(20)], [0] * 8 + [1, 0, 1, 0] + [1] * 8
    >>> data = roc_models_data(ThresholdSweep("knn", folds=4, random_state=0), X, y)
    >>> data.names
    ('naive_bayes', 'logistic_regression', 'decision_tree', 'knn', 'svm')
    """
    current = model_name(sweep.model)
    names = [name for name in MODELS if name == current or name not in (COLUMN, ZERO_R)]
    sweeps, refused = fitted_models(sweep, names, X, y)
    return RocModelsData(
        names=tuple(sweeps),
        curves=tuple((fitted.fpr_, fitted.tpr_) for fitted in sweeps.values()),
        aucs=tuple(fitted.auc_ for fitted in sweeps.values()),
        current=current,
        refused=refused,
    )


def roc_models(run: Run[Problem, ThresholdSweep]) -> go.Figure:
    """Draw other models on the same rows."""
    return plot_roc_models(roc_models_data(run.model, *run.problem.training.arguments))


def plot_roc_models(data: RocModelsData) -> go.Figure:
    """Draw the curves of all models; that of the current model is thick."""
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"color": MUTED, "width": 1, "dash": "dot"},
        hoverinfo="skip",
    )
    for i, (name, (fpr, tpr), auc) in enumerate(
        zip(data.names, data.curves, data.aucs, strict=True)
    ):
        label = f"{model_label(name)}, AUC {auc:.3f}"
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
    best = int(np.argmax(data.aucs))
    title = f"The largest area, {data.aucs[best]:.3f}, is that of {model_label(data.names[best])}."
    note = (
        "Same rows, same folds, the other models with their defaults. Where curves cross, costs and"
        " prior decide."
    )
    finish(figure, title, note + refusal(data.refused), 460)
    return figure.update_layout(
        showlegend=True, legend={"x": 0.98, "y": 0.03, "xanchor": "right", "yanchor": "bottom"}
    )
