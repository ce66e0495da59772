"""Predictions of a network: a confusion matrix, or predicted against observed numbers."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.pictures.figures.confusion_matrix import confusion_data, plot_confusion_matrix
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def predictions(run: Run[Problem, MLPClassifier | MLPRegressor]) -> go.Figure:
    """Draw the confusion matrix or, of numbers, the predicted against the observed ones."""
    if isinstance(run.fitted, MLPClassifier):
        return plot_confusion_matrix(confusion_data(run.problem, run.fitted))
    problem = run.problem
    is_test = np.zeros(len(problem.X), bool) if problem.test is None else problem.test
    predicted = run.fitted.predict(problem.data)
    return plot_predictions(np.asarray(problem.y, float), predicted, is_test, problem.rows + 1)


def plot_predictions(
    y: Floats, predicted: Floats, is_test: NDArray[np.bool_], rows: NDArray[np.intp]
) -> go.Figure:
    """Draw the predicted against the observed number of each row; on the line both are equal."""
    figure = go.Figure()
    errors = []
    parts = ((~is_test, "training", "circle"), (is_test, "test", "circle-open"))
    for in_part, name, symbol in parts:
        if in_part.any():
            errors.append(f"{name} {_rmse(y[in_part], predicted[in_part]):.4g}")
            figure.add_scatter(
                x=y[in_part],
                y=predicted[in_part],
                mode="markers",
                name=name,
                customdata=rows[in_part],
                marker={"symbol": symbol, "size": 9, "color": ACCENT},
                hovertemplate=(
                    "row %{customdata}<br>observed %{x:.4g}<br>predicted %{y:.4g}<extra></extra>"
                ),
            )
    ends = [float(min(y.min(), predicted.min())), float(max(y.max(), predicted.max()))]
    figure.add_scatter(
        x=ends, y=ends, mode="lines", line={"color": MUTED, "dash": "dash"}, showlegend=False
    )
    figure.update_xaxes(title="observed")
    figure.update_yaxes(title="predicted")
    title = f"Root mean squared error: {', '.join(errors)}"
    return finish(figure, title, "On the dashed line, the prediction is exact.", 460)


def _rmse(y: Floats, predicted: Floats) -> float:
    return float(np.sqrt(((y - predicted) ** 2).mean()))
