"""Residuals of the training rows by leaf, or by prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.forest import AveragedRegressor
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor

MAX_LEAVES = 40


def residuals(run: Run[Problem, Any]) -> go.Figure:
    """Draw the residuals of the training rows by leaf; without leaves, by prediction."""
    if isinstance(run.model, KNeighborsRegressor | AveragedRegressor):
        return _by_prediction(run)
    model, learned = run.fitted, run.problem.training
    leaf_of_row = model.apply(learned.data)
    residuals = np.asarray(learned.y, float) - model.fitted_
    leaves, n_rows = np.unique(leaf_of_row, return_counts=True)
    figure = go.Figure()
    for leaf in leaves[:MAX_LEAVES]:
        name = f"{model.tree_.numbers[leaf] + 1}"
        figure.add_box(
            y=residuals[leaf_of_row == leaf],
            name=name,
            boxpoints="all",
            jitter=0.4,
            pointpos=0,
            marker={"color": ACCENT, "size": 4},
            line={"width": 1},
        )
    figure.update_xaxes(title_text="leaf, by the number of its node", type="category")
    figure.update_yaxes(title_text="observed − predicted")
    n_leaves = count(len(leaves), "leaf", "leaves")
    title = f"{n_leaves} with {n_rows.min()} to {n_rows.max()} rows each."
    if len(leaves) > MAX_LEAVES:
        title += f" The first {MAX_LEAVES} are drawn."
    note = "From left to right as in the tree. A good leaf is narrow and has enough rows."
    return finish(figure, title, note, 340)


def _by_prediction(run: Run[Problem, Any]) -> go.Figure:
    """Draw the residuals over the predictions."""
    model = run.fitted
    residuals = np.asarray(run.problem.training.y, float) - model.fitted_
    hover = "row %{customdata}<br>predicted %{x:.4g}<br>residual %{y:.4g}<extra></extra>"
    figure = go.Figure()
    figure.add_scatter(
        x=model.fitted_,
        y=residuals,
        mode="markers",
        marker={"color": ACCENT, "size": 6},
        customdata=run.problem.training.rows + 1,
        hovertemplate=hover,
    )
    figure.add_hline(y=0, line={"color": MUTED, "width": 1})
    figure.update_xaxes(title_text="predicted").update_yaxes(title_text="observed − predicted")
    title = f"The residuals' root mean square is {float(np.sqrt((residuals**2).mean())):.4g}."
    note = "Each row is in the bags of most trees: for new rows errors are larger."
    if isinstance(run.model, KNeighborsRegressor):
        note = "Each row is one of its own neighbours: for new rows errors are larger."
    return finish(figure, title, note, 340)
