"""The trees that cost-complexity pruning leaves: training and cross-validated error of each."""

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
MOST_NAMED = 14  # trees whose leaves and alpha are written below the axis


@dataclass(frozen=True)
class PruningPathData:
    """The path, and where on it the picture is."""

    path: PruningPath  # the trees from the largest to the root alone
    current: int | None  # the tree that the alpha in use leaves; None if pruning goes another way
    n_folds: int  # the folds of the cross-validation


def pruning_path_data(
    problem: Problem, model: DecisionTreeClassifier, random_state: int = 0
) -> PruningPathData:
    """Prune the tree of the algorithm's own splits step by step, and judge each tree by cross-validation.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> data = pruning_path_data(prepare(frame, ["a"], target="c", labelled=True), DecisionTreeClassifier())
    >>> data.path.n_leaves.tolist(), data.path.best
    ([2, 1], 0)
    """
    learned = problem.training
    n_folds = min(FOLDS, len(learned.X))
    grown = clone(model).set_params(choices=None)
    path = grown.pruning_path(
        learned.data, np.asarray(learned.y), cv=n_folds, random_state=random_state
    )
    current = None
    if model.pruning != "error_based" and model.choices is None:
        current = int(np.searchsorted(path.alphas, model.ccp_alpha + 1e-12, side="right")) - 1
    return PruningPathData(path, current, n_folds)


def pruning_path(run: Run) -> go.Figure:
    """Draw the trees that are best for some cost of a leaf."""
    return plot_pruning_path(pruning_path_data(run.problem, run.fitted, run.seed))


def plot_pruning_path(data: PruningPathData) -> go.Figure:
    """Draw the errors tree by tree, with the best one and the simplest that is about as good."""
    path = data.path
    x = np.arange(len(path.alphas))
    hover = np.column_stack([path.n_leaves, path.alphas])
    figure = go.Figure()
    limit = float(path.cv_errors[path.best] + path.cv_spread[path.best])
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
        marker={
            "color": ACCENT,
            "size": [13 if i in (path.best, path.simplest) else 6 for i in x],
            "symbol": [
                "star" if i == path.best else "diamond" if i == path.simplest else "circle"
                for i in x
            ],
        },
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
    every = -(-len(x) // MOST_NAMED)
    names = [f"{n}<br>{alpha:.3g}" for n, alpha in zip(path.n_leaves, path.alphas, strict=True)]
    figure.update_xaxes(
        title_text="leaves, and their smallest α",
        tickvals=x[::every],
        ticktext=names[::every],
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
    here = " Dotted: current tree." if data.current is not None else ""
    return (
        f"{data.n_folds} folds. Star: smallest error. Diamond: the smallest tree below the dashed"
        f" line.{here}"
    )
