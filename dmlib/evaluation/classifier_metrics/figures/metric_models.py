"""The measures of several models on the same rows, and of ZeroR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.models_figures import (
    finish_rows,
    fitted_models,
    model_label,
    plot_rows,
    refusal,
)
from dmlib.evaluation.scores import COLUMN, MODELS, model_name
from dmlib.pictures.run import Run
from dmlib.problem import Problem

ATTRIBUTES = {
    "accuracy": "accuracy_",
    "balanced accuracy": "balanced_accuracy_",
    "kappa": "kappa_",
    "cost per row": "expected_cost_",
}
"""The measures of the figure, and the fitted attributes that hold them."""


@dataclass(frozen=True)
class MetricModelsData:
    """Measures of models."""

    names: tuple[str, ...]  # the models that could be run; the current one first, ZeroR last
    values: dict[
        str, tuple[float, ...]
    ]  # for each measure in ``ATTRIBUTES``, its value for each model
    refused: tuple[str, ...]  # the models that cannot use these data


def metric_models_data(report: ClassifierReport, X: Any, y: Any) -> MetricModelsData:
    """Measure each model on the same rows and folds.

    Folds, seed, threshold and costs are those of the report; the column is measured only if it is
    the report's own model.

    Examples
    --------
    >>> X, y = [[i / 10, i % 3] for i in range(20)], [0] * 6 + [1, 0, 1, 0] + [1] * 10
    >>> data = metric_models_data(ClassifierReport("knn", folds=4, random_state=0), X, y)
    >>> data.names
    ('knn', 'naive_bayes', 'logistic_regression', 'decision_tree', 'svm', 'zero_r')
    >>> data.values["kappa"][-1]
    0.0
    """
    current = model_name(report.model)
    names = [
        name for name in sorted(MODELS, key=current.__ne__) if name == current or name != COLUMN
    ]
    reports, refused = fitted_models(report, names, X, y)
    values = {
        title: tuple(getattr(fitted, attribute) for fitted in reports.values())
        for title, attribute in ATTRIBUTES.items()
    }
    return MetricModelsData(tuple(reports), values, refused)


def metric_models(run: Run[Problem, ClassifierReport]) -> go.Figure:
    """Draw other models on the same rows."""
    return plot_metric_models(metric_models_data(run.model, *run.problem.training.arguments))


def plot_metric_models(data: MetricModelsData) -> go.Figure:
    """Draw a row for each model with a symbol for each measure, the current model at the top."""
    measures = dict(data.values)
    costs = measures.pop("cost per row")
    labels = list(map(model_label, data.names))
    names = [f"{label}, {cost:.3g}" for label, cost in zip(labels, costs, strict=True)]
    figure = plot_rows(names, measures, labels).update_xaxes(title_text="measure")
    kappas = data.values["kappa"]
    best = int(np.argmax(kappas))
    title = f"The largest kappa, {kappas[best]:.3f}, is that of {labels[best]}."
    note = (
        "Beside each name: the cost per row. Same rows, folds, threshold and costs; other models"
        " with their defaults."
    )
    height = 130 + 32 * len(names)
    return finish_rows(figure, title, note + refusal(data.refused), height, margin=180)
