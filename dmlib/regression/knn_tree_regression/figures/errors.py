"""The error by the number of neighbours or leaves: of the training rows, and in cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone
from sklearn.model_selection import KFold

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.regression.knn_tree_regression.algorithm import DecisionTreeRegressor
from dmlib.regression.knn_tree_regression.model_tree import ModelTree
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor
from dmlib.regression.knn_tree_regression.tree import Grown
from dmlib.trace import look

N_SPLITS = 10
MOST = 40  # neighbours or leaves


@dataclass(frozen=True)
class ErrorData:
    """Mean squared errors by size.

    Attributes
    ----------
    what : str
        What is counted: "neighbours" or "leaves".
    training : ndarray of shape (n_sizes,)
        Of the rows that were learned from, for the sizes 1, 2, ...
    validation : ndarray of shape (n_folds, n_sizes)
        Of the rows of each fold that were left out.
    others : dict of str to float
        Errors in cross-validation that hang on no size.
    now : int
        The size of the run.
    """

    what: str
    training: Floats
    validation: Floats
    others: dict[str, float]
    now: int


def error_data(run: Run, progress: Callable[[Any], None]) -> ErrorData:
    """Cross-validate all sizes on the training rows of a run.

    Raises
    ------
    ValueError
        If there are fewer than six rows.
    """
    learned, model = run.problem.training, run.model
    X, y = np.asarray(learned.X, float), np.asarray(learned.y, float)
    if len(X) < 6:
        raise ValueError("Cross-validation needs at least 6 rows here.")
    folds = list(KFold(min(N_SPLITS, len(X) // 2), shuffle=True, random_state=run.seed).split(X))
    near = isinstance(model, KNeighborsRegressor)
    sizes = min(MOST, *(len(train) for train, _ in folds))
    found = list(engine.map(partial(fold_errors, X, y, model, sizes), folds, progress=progress))
    everything = np.arange(len(X))
    training = _by_size(model, X, y, (everything, everything), sizes)
    others = {"least squares": float(np.mean([line for _, line, _ in found]))}
    if not near:
        others["model tree"] = float(np.mean([lines for _, _, lines in found]))
    now = model.n_neighbors if near else run.fitted.n_leaves_
    what = "neighbours" if near else "leaves"
    return ErrorData(what, training, np.array([errors for errors, _, _ in found]), others, now)


def fold_errors(
    X: Floats, y: Floats, model: Any, sizes: int, fold: tuple[Any, Any]
) -> tuple[Floats, float, float]:
    """Return the errors of a fold by size, that of least squares, and that of a model tree: a task."""
    train, test = fold
    design = np.column_stack([np.ones(len(X)), X])
    line = design[test] @ np.linalg.lstsq(design[train], y[train], rcond=1e-10)[0]
    tree = clone(model) if isinstance(model, ModelTree) else ModelTree()
    lines = (
        np.nan
        if isinstance(model, KNeighborsRegressor)
        else _error(y[test], tree.fit(X[train], y[train]).predict(X[test]))
    )
    return _by_size(model, X, y, fold, sizes), _error(y[test], line), lines


def _error(y: Floats, predicted: Floats) -> float:
    return float(((y - predicted) ** 2).mean())


def _by_size(model: Any, X: Floats, y: Floats, fold: tuple[Any, Any], sizes: int) -> Floats:
    """Return the errors of neighbours, or of a tree of constants as it grows: best first, a leaf at a time."""
    train, test = fold
    look()
    if isinstance(model, KNeighborsRegressor):
        near = clone(model).set_params(n_neighbors=1).fit(X[train], y[train])
        distances, neighbors = near.kneighbors(X[test], min(sizes, len(train)))
        targets = y[train][neighbors]
        return np.array(
            [
                _error(y[test], near.means(distances[:, :k], targets[:, :k]))
                for k in range(1, sizes + 1)
            ]
        )
    tree = DecisionTreeRegressor(
        min_samples_leaf=model.min_samples_leaf, max_leaf_nodes=max(sizes, 2)
    )
    if isinstance(model, DecisionTreeRegressor):
        tree = clone(model).set_params(max_leaf_nodes=max(sizes, 2), ccp_alpha=0.0)
    grown, errors = Grown(), []
    for step in tree.steps(X[train], y[train]):
        grown.add(step)
        if step.phase != "done":
            errors.append(_error(y[test], grown.predict(X[test])))
    return np.array(errors + errors[-1:] * (sizes - len(errors)))[:sizes]


def plot_errors(data: ErrorData) -> go.Figure:
    """Draw the errors over the size."""
    x, mean = np.arange(1, len(data.training) + 1), data.validation.mean(axis=0)
    figure = go.Figure()
    for name, errors, color, dash in (
        ("training", data.training, MUTED, "dot"),
        ("cross-validated", mean, ACCENT, "solid"),
    ):
        hover = f"%{{x}} {data.what}<br>{name}: %{{y:.4g}}<extra></extra>"
        figure.add_scatter(
            x=x,
            y=errors,
            name=name,
            mode="lines+markers",
            line={"color": color, "dash": dash},
            marker={"size": 5},
            hovertemplate=hover,
        )
    for (name, error), dash in zip(data.others.items(), ("dash", "longdashdot"), strict=False):
        figure.add_scatter(
            x=x[[0, -1]],
            y=[error, error],
            name=name,
            mode="lines",
            line={"color": MUTED, "dash": dash},
        )
    figure.add_vline(x=data.now, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text=data.what, dtick=5)
    figure.update_yaxes(title_text="mean squared error", rangemode="tozero")
    best = int(mean.argmin()) + 1
    one = data.what[:-1] if data.what == "neighbours" else "leaf"
    title = (
        f"Smallest cross-validated error: {mean.min():.4g}, with {best}"
        f" {data.what if best > 1 else one}."
    )
    return finish(
        figure,
        title,
        f"{len(data.validation)} folds. Dotted: current value, {data.now}.",
        340,
        legend=True,
    )
