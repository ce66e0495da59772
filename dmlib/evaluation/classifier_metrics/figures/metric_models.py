"""The measures of several models on the same rows, and of ZeroR, which knows nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.scores import COLUMN, MODELS, model_name
from dmlib.pictures.figures.style import SYMBOLS, finish
from dmlib.pictures.run import Run

SHOWN = {
    "accuracy": "accuracy_",
    "balanced accuracy": "balanced_accuracy_",
    "kappa": "kappa_",
    "cost of a row": "expected_cost_",
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

    Parameters
    ----------
    report : ClassifierReport
        The report on the screen; folds, seed, threshold and costs are its own.
    X, y : array-like
        The rows and their classes.

    Returns
    -------
    MetricModelsData
        One value of each measure for each model, and for the column if it is on the screen.

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
    fitted, refused = {}, []
    for name in sorted(MODELS, key=current.__ne__):
        if name == COLUMN != current:
            continue
        try:
            fitted[name] = clone(report).set_params(model=report.model if name == current else name).fit(X, y)
        except ValueError:
            refused.append(name)
    values = {title: tuple(getattr(one, name) for one in fitted.values()) for title, name in SHOWN.items()}
    return MetricModelsData(tuple(fitted), values, tuple(refused))


def metric_models(run: Run) -> go.Figure:
    """Draw other models on the same rows."""
    return plot_metric_models(metric_models_data(run.model, *run.problem.training.arguments))


def plot_metric_models(data: MetricModelsData) -> go.Figure:
    """Draw a line with a symbol for each measure for each model, the one on the screen at the top."""
    figure = go.Figure()
    costs = data.values["cost of a row"]
    names = [f"{_name(name)}, {cost:.3g}" for name, cost in zip(data.names, costs, strict=True)]
    for (title, values), symbol in zip(data.values.items(), SYMBOLS, strict=False):
        if values is costs:
            continue
        figure.add_scatter(
            x=[round(value, 4) for value in values],
            y=list(range(len(names))),
            name=title,
            mode="markers",
            marker={"size": 12, "symbol": symbol},
            customdata=[_name(name) for name in data.names],
            hovertemplate=f"%{{customdata}}<br>{title} %{{x:.3f}}<extra></extra>",
        )
    figure.update_xaxes(title_text="measure")
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, range=[len(names) - 0.5, -0.5], zeroline=False
    )
    height = 130 + 32 * len(names)
    finish(figure, _title(data), _note(data), height)
    legend = {"orientation": "h", "x": 0, "y": -60 / height, "yanchor": "top"}
    return figure.update_layout(showlegend=True, margin={"l": 180, "b": 90}, legend=legend)


def _name(model: str) -> str:
    return "ZeroR" if model == "zero_r" else model.replace("_", " ")


def _title(data: MetricModelsData) -> str:
    kappas = data.values["kappa"]
    best = max(range(len(kappas)), key=kappas.__getitem__)
    return f"The largest kappa, {kappas[best]:.3f}, is that of {_name(data.names[best])}."


def _note(data: MetricModelsData) -> str:
    note = (
        "Beside each name: the cost of a row. Same rows, folds, threshold and costs; other models with their defaults."
    )
    if data.refused:
        note += f" Cannot use these data: {', '.join(map(_name, data.refused))}."
    return note
