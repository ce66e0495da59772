"""What a network predicts against what is so: a confusion matrix of classes, or a point for each number."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.figures.confusion_matrix import confusion_data, plot_confusion_matrix
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run


def predictions(run: Run) -> go.Figure:
    """Draw the confusion matrix or, of numbers, the predicted against the observed ones."""
    if hasattr(run.fitted, "classes_"):
        return plot_confusion_matrix(confusion_data(run.problem, run.fitted))
    problem = run.problem
    held = np.zeros(len(problem.X), bool) if problem.test is None else problem.test
    return plot_predictions(
        np.asarray(problem.y, float), run.fitted.predict(problem.data), held, problem.rows + 1
    )


def plot_predictions(
    y: Floats, predicted: Floats, held: NDArray[np.bool_], rows: NDArray[np.intp]
) -> go.Figure:
    """Draw each row at its number and at what is predicted; on the line both are the same."""
    figure = go.Figure()
    for some, name, symbol in ((~held, "training", "circle"), (held, "test", "circle-open")):
        if some.any():
            figure.add_scatter(
                x=y[some],
                y=predicted[some],
                mode="markers",
                name=name,
                customdata=rows[some],
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
    rmse = {
        name: _rmse(y[some], predicted[some])
        for name, some in (("training", ~held), ("test", held))
        if some.any()
    }
    told = ", ".join(f"{name} {value:.4g}" for name, value in rmse.items())
    return finish(
        figure,
        f"Root mean squared error: {told}",
        "On the dashed line, the prediction is exact.",
        460,
    )


def _rmse(y: Floats, predicted: Floats) -> float:
    return float(np.sqrt(((y - predicted) ** 2).mean()))
