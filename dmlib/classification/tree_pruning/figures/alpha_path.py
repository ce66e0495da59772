"""The alpha path: training, test and cross-validated error of all its trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.arrays import Floats, take
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.pruning import simplest
from dmlib.classification.tree_pruning.sizes import sizes_of
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.cost_complexity import PruningPath

MAX_LABELS = 14  # trees that are labelled below the axis


@dataclass(frozen=True)
class AlphaPathData:
    """The path, the test errors along it, and the tree that is chosen."""

    path: PruningPath
    test: Floats | None  # (n_trees,); None without test rows
    chosen: int  # the smallest tree within ``standard_errors`` of the smallest error
    standard_errors: float
    n_folds: int


def alpha_path_data(run: Run[Problem, PrunedTreeClassifier]) -> AlphaPathData:
    """Return the cost-complexity path of the grown tree of a run, with test errors.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = alpha_path_data(Run.of(problem, PrunedTreeClassifier(validation_fraction=0.0)))
    >>> data.path.n_leaves.tolist(), data.chosen
    ([2, 1], 0)
    """
    model, (X, y) = run.fitted, run.problem.training.arguments
    rows, path = model.growing_rows_, model.path_
    if path is None:
        path = clone(run.model).pruning_path(model.grown_, take(X, rows), np.asarray(y)[rows])
    test = sizes_of(run.problem, model, run.trace.steps[-1:]).test
    return AlphaPathData(
        path,
        test,
        simplest(path, model.standard_errors),
        model.standard_errors,
        min(model.cv, len(rows)),
    )


def alpha_path(run: Run[Problem, PrunedTreeClassifier]) -> go.Figure:
    """Draw the alpha path of a run."""
    return plot_alpha_path(alpha_path_data(run))


def plot_alpha_path(data: AlphaPathData) -> go.Figure:
    """Draw the errors tree by tree, with the best tree and the chosen one."""
    path, figure = data.path, go.Figure()
    x = np.arange(len(path.alphas))
    hover = np.column_stack([path.n_leaves, path.alphas])
    limit = float(path.cv_errors[path.best] + data.standard_errors * path.cv_spread[path.best])
    figure.add_hline(y=limit, line={"dash": "dash", "width": 1, "color": MUTED})
    words = "%{customdata[0]} leaves from α = %{customdata[1]:.4g}<br>"
    for name, errors, dash in (("training", path.errors, "solid"), ("test", data.test, "dot")):
        if errors is not None:
            figure.add_scatter(
                x=x,
                y=errors,
                name=name,
                mode="lines+markers",
                customdata=hover,
                line={"color": MUTED, "dash": dash},
                marker={"color": MUTED, "size": 6},
                hovertemplate=f"{words}{name} error %{{y:.1%}}<extra></extra>",
            )
    sizes, symbols = np.full(len(x), 6), np.full(len(x), "circle", object)
    sizes[[data.chosen, path.best]] = 13
    symbols[data.chosen] = "diamond"
    symbols[path.best] = "star"
    figure.add_scatter(
        x=x,
        y=path.cv_errors,
        name="cross-validation",
        mode="lines+markers",
        customdata=hover,
        error_y={"array": path.cv_spread, "thickness": 1, "width": 3},
        line={"color": ACCENT},
        marker={"color": ACCENT, "size": sizes, "symbol": symbols},
        hovertemplate=f"{words}error in cross-validation %{{y:.1%}}<extra></extra>",
    )
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
    best, chosen = (
        count(int(path.n_leaves[i]), "leaf", "leaves") for i in (path.best, data.chosen)
    )
    unit = "standard error" if data.standard_errors == 1 else "standard errors"
    within = f"{data.standard_errors:g} {unit}"
    title = f"CV error: smallest with {best}; within {within} with {chosen}."
    test = " Dotted: test error." if data.test is not None else ""
    note = (
        f"{data.n_folds} folds. Grey: training error.{test} Star: smallest error. Diamond: smallest"
        " below the line."
    )
    return finish(figure, title, note, 380).update_layout(margin_b=76, showlegend=False)
