"""The measures of several models on the same rows, and of ZeroR, which knows nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.models_figures import finish_rows, fitted_models, plot_rows, refusal, spoken
from dmlib.evaluation.scores import COLUMN, MODELS, model_name
from dmlib.pictures.run import Run

SHOWN = {
    "accuracy": "accuracy_",
    "balanced accuracy": "balanced_accuracy_",
    "kappa": "kappa_",
    "cost per row": "expected_cost_",
}
"""The measures that are drawn, and the attributes that hold them."""


@dataclass(frozen=True)
class MetricModelsData:
    """Measures of models."""

    names: tuple[str, ...]  # the models that could be run; the one on the screen first, ZeroR last
    values: dict[str, tuple[float, ...]]  # for each measure in ``SHOWN``, its value for each model
    refused: tuple[str, ...]  # the models that cannot use these data


def metric_models_data(report: ClassifierReport, X: Any, y: Any) -> MetricModelsData:
    """Measure every model on the same rows and the same folds.

    Folds, seed, threshold and costs are those of the report; the column is measured only if it is
    on the screen.

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
    fitted, refused = fitted_models(report, names, X, y)
    values = {
        title: tuple(getattr(one, name) for one in fitted.values()) for title, name in SHOWN.items()
    }
    return MetricModelsData(tuple(fitted), values, refused)


def metric_models(run: Run) -> go.Figure:
    """Draw other models on the same rows."""
    return plot_metric_models(metric_models_data(run.model, *run.problem.training.arguments))


def plot_metric_models(data: MetricModelsData) -> go.Figure:
    """Draw a line with a symbol for each measure for each model, the one on the screen at the top."""
    measures = dict(data.values)
    costs, spoken_names = measures.pop("cost per row"), list(map(spoken, data.names))
    names = [f"{name}, {cost:.3g}" for name, cost in zip(spoken_names, costs, strict=True)]
    figure = plot_rows(names, measures, spoken_names).update_xaxes(title_text="measure")
    kappas = data.values["kappa"]
    best = int(np.argmax(kappas))
    title = f"The largest kappa, {kappas[best]:.3f}, is that of {spoken_names[best]}."
    note = (
        "Beside each name: the cost per row. Same rows, folds, threshold and costs; other models"
        " with their defaults."
    )
    return finish_rows(figure, title, note + refusal(data.refused), 130 + 32 * len(names), left=180)
