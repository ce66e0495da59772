"""How the training rows scatter around what is predicted: leaf by leaf, or neighbourhood by neighbourhood."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor

MOST_LEAVES = 40


def residuals(run: Run) -> go.Figure:
    """Draw the residuals of the training rows by the leaf they fall in; without leaves, by their prediction."""
    if isinstance(run.model, KNeighborsRegressor):
        return _by_prediction(run)
    model, learned = run.fitted, run.problem.training
    places, rest = model.apply(learned.X), np.asarray(learned.y, float) - model.fitted_
    found = np.unique(places)
    figure = go.Figure()
    for leaf in found[:MOST_LEAVES]:
        name = f"{model.tree_.numbers[leaf] + 1}"
        figure.add_box(
            y=rest[places == leaf],
            name=name,
            boxpoints="all",
            jitter=0.4,
            pointpos=0,
            marker={"color": ACCENT, "size": 4},
            line={"width": 1},
        )
    figure.update_xaxes(title_text="leaf, by the number of its node", type="category")
    figure.update_yaxes(title_text="observed − predicted")
    counts = [int((places == leaf).sum()) for leaf in found]
    title = (
        f"{len(found)} {'leaf' if len(found) == 1 else 'leaves'} with {min(counts)} to"
        f" {max(counts)} rows each."
    )
    if len(found) > MOST_LEAVES:
        title += f" The first {MOST_LEAVES} are drawn."
    return finish(
        figure,
        title,
        "From left to right as in the tree. A good leaf is narrow and has enough rows.",
        340,
    )


def _by_prediction(run: Run) -> go.Figure:
    """Draw the residuals over the predictions."""
    model = run.fitted
    rest = model.targets_ - model.fitted_
    hover = "row %{customdata}<br>predicted %{x:.4g}<br>residual %{y:.4g}<extra></extra>"
    figure = go.Figure()
    figure.add_scatter(
        x=model.fitted_,
        y=rest,
        mode="markers",
        marker={"color": ACCENT, "size": 6},
        customdata=run.problem.training.rows + 1,
        hovertemplate=hover,
    )
    figure.add_hline(y=0, line={"color": MUTED, "width": 1})
    figure.update_xaxes(title_text="predicted").update_yaxes(title_text="observed − predicted")
    title = f"The residuals' root mean square is {float(np.sqrt((rest**2).mean())):.4g}."
    return finish(
        figure, title, "Each row is one of its own neighbours: for new rows errors are larger.", 340
    )
