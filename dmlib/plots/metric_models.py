"""The measures of several models on the same rows, and of ZeroR, which knows nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.scores import COLUMN, MODELS
from dmlib.plots.style import finish

SHOWN = {
    "accuracy": "accuracy_",
    "balanced accuracy": "balanced_accuracy_",
    "kappa": "kappa_",
    "cost of a row": "expected_cost_",
}
"""The measures that are drawn, and the attributes that hold them."""
PATTERNS = ("", "/", "x", ".")


@dataclass(frozen=True)
class MetricModelsData:
    """Measures of models.

    Attributes
    ----------
    names : tuple of str
        The models that could be run; the one on the screen first, ZeroR last.
    values : dict of str to tuple of float
        For each measure in ``SHOWN``, its value for each model.
    refused : tuple of str
        The models that cannot use these data.
    """

    names: tuple[str, ...]
    values: dict[str, tuple[float, ...]]
    refused: tuple[str, ...]


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
    current = report.model if isinstance(report.model, str) else type(report.model).__name__
    fitted, refused = {}, []
    for name in sorted(MODELS, key=current.__ne__):
        if name == COLUMN != current:
            continue
        try:
            fitted[name] = clone(report).set_params(model=name).fit(X, y)
        except ValueError:
            refused.append(name)
    values = {title: tuple(getattr(one, name) for one in fitted.values()) for title, name in SHOWN.items()}
    return MetricModelsData(tuple(fitted), values, tuple(refused))


def plot_metric_models(data: MetricModelsData) -> go.Figure:
    """Draw a group of bars for each model, the one on the screen at the top."""
    figure = go.Figure()
    names = [_name(name) for name in data.names]
    for (title, values), pattern in zip(data.values.items(), PATTERNS, strict=True):
        figure.add_bar(
            y=names,
            x=[round(value, 4) for value in values],
            name=title,
            orientation="h",
            marker={"pattern": {"shape": pattern}},
            hovertemplate=f"%{{y}}<br>{title} %{{x:.3f}}<extra></extra>",
        )
    figure.update_xaxes(title_text="measure")
    figure.update_yaxes(autorange="reversed", showgrid=False)
    finish(figure, _title(data), _note(data), 120 + 76 * len(names))
    return figure.update_layout(
        showlegend=True,
        barmode="group",
        margin={"l": 130, "b": 100},
        legend={
            "orientation": "h",
            "x": 0,
            "y": -60 / (120 + 76 * len(names)),
            "yanchor": "top",
            "traceorder": "normal",
        },
    )


def _name(model: str) -> str:
    return "ZeroR" if model == "zero_r" else model.replace("_", " ")


def _title(data: MetricModelsData) -> str:
    kappas = data.values["kappa"]
    best = max(range(len(kappas)), key=kappas.__getitem__)
    return f"The largest kappa, {kappas[best]:.3f}, is that of {_name(data.names[best])}."


def _note(data: MetricModelsData) -> str:
    note = "Same rows, same folds, same threshold and costs; each model with its defaults. Costs: less is better."
    if data.refused:
        note += f" Cannot use these data: {', '.join(map(_name, data.refused))}."
    return note
