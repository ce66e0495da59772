"""Training and cross-validated errors by the number of neighbours, leaves or trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from sklearn.base import clone
from sklearn.model_selection import KFold

from dmlib import engine
from dmlib.arrays import Floats, take
from dmlib.classification.columns import Columns
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.algorithm import DecisionTreeRegressor
from dmlib.regression.knn_tree_regression.chaid_tree import CHAIDRegressor
from dmlib.regression.knn_tree_regression.forest import AveragedRegressor
from dmlib.regression.knn_tree_regression.model_tree import ModelTree
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor
from dmlib.regression.knn_tree_regression.tree import Grown
from dmlib.trace import look

N_SPLITS = 10
MAX_SIZE = 40  # neighbours, leaves or trees
DASHES = ("dash", "longdashdot", "dashdot")  # of the lines of baselines
SINGULAR = {"neighbours": "neighbour", "leaves": "leaf", "trees": "tree"}


@dataclass(frozen=True)
class ErrorData:
    """Mean squared errors by size.

    Attributes
    ----------
    unit : str
        "neighbours", "leaves" or "trees".
    training : ndarray of shape (n_sizes,)
        Errors of the training rows, for the sizes 1, 2, ...
    validation : ndarray of shape (n_folds, n_sizes)
        Errors of the test rows of each fold.
    baselines : dict of str to float
        Cross-validated errors that depend on no size.
    current : int
        The size of the run.
    """

    unit: str
    training: Floats
    validation: Floats
    baselines: dict[str, float]
    current: int


def error_data(run: Run[Problem, Any], progress: Callable[[Any], None]) -> ErrorData:
    """Cross-validate all sizes on the training rows of a run.

    Raises
    ------
    ValueError
        If there are fewer than six rows.
    """
    learned, model = run.problem.training, run.model
    X, y = learned.data, np.asarray(learned.y, float)
    if len(X) < 6:
        raise ValueError("Cross-validation needs at least 6 rows here.")
    folds = list(KFold(min(N_SPLITS, len(X) // 2), shuffle=True, random_state=run.seed).split(X))
    unit, current = _size_of(run)
    n_sizes = min(MAX_SIZE, *(len(train) for train, _ in folds))
    task = partial(fold_errors, X, y, model, n_sizes)
    by_fold = list(engine.map(task, folds, progress=progress))
    everything = np.arange(len(X))
    return ErrorData(
        unit=unit,
        training=_by_size(model, X, y, (everything, everything), n_sizes),
        validation=np.array([errors for errors, _ in by_fold]),
        baselines={
            name: float(np.mean([baselines[name] for _, baselines in by_fold]))
            for name in by_fold[0][1]
        },
        current=current,
    )


def _size_of(run: Run[Problem, Any]) -> tuple[str, int]:
    """Return the unit in which a model is measured, and its size."""
    if isinstance(run.model, KNeighborsRegressor):
        return "neighbours", run.model.n_neighbors
    if isinstance(run.model, AveragedRegressor):
        return "trees", run.model.n_estimators
    return "leaves", run.fitted.n_leaves_


def fold_errors(
    X: Any, y: Floats, model: Any, n_sizes: int, fold: tuple[Any, Any]
) -> tuple[Floats, dict[str, float]]:
    """Return the errors of a fold by size, and those of the baselines: a task."""
    train, test = fold
    if isinstance(X, pd.DataFrame) or np.isnan(X).any():  # lines need numbers
        return _by_size(model, X, y, fold, n_sizes), {}
    design = np.column_stack([np.ones(len(X)), X])
    line = design[test] @ np.linalg.lstsq(design[train], y[train], rcond=1e-10)[0]
    baselines = {"least squares": _error(y[test], line)}
    if not isinstance(model, KNeighborsRegressor):
        tree = clone(model) if isinstance(model, ModelTree) else ModelTree()
        predicted = tree.fit(X[train], y[train]).predict(X[test])
        baselines["model tree"] = _error(y[test], predicted)
    if isinstance(model, CHAIDRegressor):
        predicted = clone(model).fit(X[train], y[train]).predict(X[test])
        baselines["CHAID"] = _error(y[test], predicted)
    return _by_size(model, X, y, fold, n_sizes), baselines


def _error(y: Floats, predicted: Floats) -> float:
    return float(((y - predicted) ** 2).mean())


def _by_size(model: Any, X: Any, y: Floats, fold: tuple[Any, Any], n_sizes: int) -> Floats:
    """Return the errors of 1, 2, ... neighbours or trees, or of a tree with as many leaves."""
    train, test = fold
    look()
    if isinstance(model, KNeighborsRegressor):
        knn = clone(model).set_params(n_neighbors=1).fit(X[train], y[train])
        distances, neighbors = knn.kneighbors(X[test], min(n_sizes, len(train)))
        targets = y[train][neighbors]
        means = (knn.means(distances[:, :k], targets[:, :k]) for k in range(1, n_sizes + 1))
        return np.array([_error(y[test], predicted) for predicted in means])
    if isinstance(model, AveragedRegressor):
        forest = clone(model).set_params(n_estimators=n_sizes).fit(take(X, train), y[train])
        return np.array([_error(y[test], each) for each in forest.staged_predict(take(X, test))])
    tree = DecisionTreeRegressor(min_samples_leaf=model.min_samples_leaf)
    if isinstance(model, DecisionTreeRegressor):
        tree = clone(model).set_params(ccp_alpha=0.0)
    tree.set_params(max_leaf_nodes=max(n_sizes, 2))
    grown = Grown()
    errors, new_rows = [], Columns.read(X)[1][test]
    for step in tree.steps(take(X, train), y[train]):
        grown.add(step)
        if step.phase != "done":
            errors.append(_error(y[test], grown.predict(new_rows)))
    return np.array(errors + errors[-1:] * (n_sizes - len(errors)))[:n_sizes]


def plot_errors(data: ErrorData) -> go.Figure:
    """Draw the errors over the size."""
    x = np.arange(1, len(data.training) + 1)
    mean = data.validation.mean(axis=0)
    figure = go.Figure()
    for name, errors, color, dash in (
        ("training", data.training, MUTED, "dot"),
        ("cross-validated", mean, ACCENT, "solid"),
    ):
        hover = f"%{{x}} {data.unit}<br>{name}: %{{y:.4g}}<extra></extra>"
        figure.add_scatter(
            x=x,
            y=errors,
            name=name,
            mode="lines+markers",
            line={"color": color, "dash": dash},
            marker={"size": 5},
            hovertemplate=hover,
        )
    for (name, error), dash in zip(
        data.baselines.items(), ("dash", "longdashdot", "dashdot"), strict=False
    ):
        figure.add_scatter(
            x=x[[0, -1]],
            y=[error, error],
            name=name,
            mode="lines",
            line={"color": MUTED, "dash": dash},
        )
    figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text=data.unit, dtick=5)
    figure.update_yaxes(title_text="mean squared error", rangemode="tozero")
    best = int(mean.argmin()) + 1
    size = count(best, SINGULAR[data.unit], data.unit)
    title = f"Smallest cross-validated error: {mean.min():.4g}, with {size}."
    note = f"{len(data.validation)} folds. Dotted: current value, {data.current}."
    return finish(figure, title, note, 340, legend=True)
