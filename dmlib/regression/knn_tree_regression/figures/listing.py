"""The leaves of a tree: what each predicts, and how its rows scatter around that."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import Run
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor

MOST_LEAVES = 40


def leaves(run: Run) -> go.Figure:
    """Draw the residuals of the training rows by the leaf they fall in.

    Raises
    ------
    ValueError
        If the method has no leaves.
    """
    if isinstance(run.model, KNeighborsRegressor):
        raise ValueError("k nearest neighbours has no leaves; choose a tree to see them.")
    model, learned = run.fitted, run.problem.training
    places, rest = model.apply(learned.X), np.asarray(learned.y, float) - model.fitted_
    found = np.unique(places)
    figure = go.Figure()
    for leaf in found[:MOST_LEAVES]:
        name = f"{model.tree_.numbers[leaf] + 1}"
        figure.add_box(y=rest[places == leaf], name=name, boxpoints="all", jitter=0.4, pointpos=0,
                       marker={"color": ACCENT, "size": 4}, line={"width": 1})  # fmt: skip
    figure.update_xaxes(title_text="leaf, by the number of its node", type="category")
    figure.update_yaxes(title_text="observed − predicted")
    counts = [int((places == leaf).sum()) for leaf in found]
    title = f"{len(found)} {'leaf' if len(found) == 1 else 'leaves'} with {min(counts)} to {max(counts)} rows each."
    if len(found) > MOST_LEAVES:
        title += f" The first {MOST_LEAVES} are drawn."
    return finish(figure, title, "From left to right as in the tree. A good leaf is narrow and has enough rows.", 340)
