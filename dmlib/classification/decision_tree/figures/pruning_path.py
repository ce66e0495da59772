"""Training and cross-validated error along the path of cost-complexity pruning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.classification import DecisionTreeClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.trees.cost_complexity import PruningPath

FOLDS = 10
MAX_LABELS = 14  # trees that are labelled below the axis


@dataclass(frozen=True)
class PruningPathData:
    """The path, and the current tree on it."""

    path: PruningPath  # the trees from the largest to the root alone
    current: int | None  # the tree of the current alpha; None if pruning is error-based
    n_folds: int  # the folds of the cross-validation


def pruning_path_data(
    problem: Problem, model: DecisionTreeClassifier, random_state: int = 0
) -> PruningPathData:
    """Return the pruning path of the tree without prescribed splits.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = pruning_path_data(problem, DecisionTreeClassifier())
    >>> data.path.n_leaves.tolist(), data.path.best
    ([2, 1], 0)
    """
    training = problem.training
    n_folds = min(FOLDS, len(training.X))
    grown = clone(model).set_params(choices=None)
    path = grown.pruning_path(
        training.data, np.asarray(training.y), cv=n_folds, random_state=random_state
    )
    current = None
    if model.pruning != "error_based" and model.choices is None:
        current = int(np.searchsorted(path.alphas, model.ccp_alpha + 1e-12, side="right")) - 1
    return PruningPathData(path, current, n_folds)


def pruning_path(run: Run[Problem, DecisionTreeClassifier]) -> go.Figure:
    """Draw the pruning path of a run."""
    return plot_pruning_path(pruning_path_data(run.problem, run.fitted, run.seed))


def plot_pruning_path(data: PruningPathData) -> go.Figure:
    """Draw the errors tree by tree, with the best tree and the simplest of similar error."""
    path = data.path
    x = np.arange(len(path.alphas))
    hover = np.column_stack([path.n_leaves, path.alphas])
    figure = go.Figure()
    limit = float(path.cv_errors[path.best] + path.cv_spread[path.best])
    sizes, symbols = np.full(len(x), 6), np.full(len(x), "circle", object)
    sizes[[path.simplest, path.best]] = 13
    symbols[path.simplest] = "diamond"
    symbols[path.best] = "star"
    figure.add_hline(y=limit, line={"dash": "dash", "width": 1, "color": MUTED})
    figure.add_scatter(
        x=x,
        y=path.errors,
        name="training",
        mode="lines+markers",
        customdata=hover,
        line={"color": MUTED},
        marker={"color": MUTED, "size": 6},
        hovertemplate=(
            "%{customdata[0]} leaves from α = %{customdata[1]:.4g}<br>training error"
            " %{y:.1%}<extra></extra>"
        ),
    )
    figure.add_scatter(
        x=x,
        y=path.cv_errors,
        name="cross-validation",
        mode="lines+markers",
        customdata=hover,
        error_y={"array": path.cv_spread, "thickness": 1, "width": 3},
        line={"color": ACCENT},
        marker={"color": ACCENT, "size": sizes, "symbol": symbols},
        hovertemplate=(
            "%{customdata[0]} leaves from α = %{customdata[1]:.4g}<br>error in cross-validation"
            " %{y:.1%}<extra></extra>"
        ),
    )
    for name, errors in (("training", path.errors), ("cross-validation", path.cv_errors)):
        figure.add_annotation(
            x=0, y=errors[0], text=name, xanchor="left", yanchor="bottom", yshift=4, showarrow=False
        )
    if data.current is not None:
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    label_step = -(-len(x) // MAX_LABELS)
    names = [f"{n}<br>{alpha:.3g}" for n, alpha in zip(path.n_leaves, path.alphas, strict=True)]
    figure.update_xaxes(
        title_text="leaves, and their smallest α",
        tickvals=x[::label_step],
        ticktext=names[::label_step],
        showgrid=False,
        range=[-0.5, len(x) - 0.5],
    )
    figure.update_yaxes(title_text="error", tickformat=".0%", rangemode="tozero")
    figure = finish(figure, _title(path), _note(data), 380)
    return figure.update_layout(margin_b=76)


def _title(path: PruningPath) -> str:
    best, simple = (
        f"{path.n_leaves[i]} leaves (α from {path.alphas[i]:.3g})"
        for i in (path.best, path.simplest)
    )
    if path.best == path.simplest:
        return (
            f"In cross-validation {best} have the smallest error, and no smaller tree is within one"
            " standard error."
        )
    return (
        f"In cross-validation {best} have the smallest error; within one standard error of it are"
        f" {simple}."
    )


def _note(data: PruningPathData) -> str:
    current = " Dotted: current tree." if data.current is not None else ""
    return (
        f"{data.n_folds} folds. Star: smallest error. Diamond: the smallest tree below the dashed"
        f" line.{current}"
    )
