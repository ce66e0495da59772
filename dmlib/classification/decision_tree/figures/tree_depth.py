"""The error of a decision tree against its depth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.classification import DecisionTreeClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.regions import misclassified
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem


@dataclass(frozen=True)
class TreeDepthData:
    """A tree pruned to each depth."""

    n_leaves: NDArray[np.intp]  # (n_depths,): the number of leaves, from depth 0 on
    train: NDArray[np.float64]  # (n_depths,): the training error
    test: NDArray[np.float64] | None  # (n_depths,): the test error
    current: int  # the current depth


def tree_depth_data(problem: Problem, model: DecisionTreeClassifier) -> TreeDepthData:
    """Return the errors of an unlimited tree by depth.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 8.0, 7.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = tree_depth_data(problem, DecisionTreeClassifier().fit(problem.X, problem.y))
    >>> data.n_leaves.tolist(), data.train.round(2).tolist()
    ([1, 2], [0.5, 0.0])
    """
    training, testing = problem.training, problem.testing
    unlimited = {
        "max_depth": None,
        "max_leaf_nodes": None,
        "pruning": "cost_complexity",
        "ccp_alpha": 0.0,
    }
    grown = (
        clone(model)
        .set_params(choices=None, **unlimited)
        .fit(training.data, np.asarray(training.y))
    )
    deepest = grown.tree_
    n_leaves, train, test = [], [], []
    for depth in range(deepest.max_depth + 1):
        grown.tree_ = deepest.pruned(deepest.depths >= depth)
        n_leaves.append(grown.get_n_leaves())
        train.append(_error(grown, training))
        if testing is not None:
            test.append(_error(grown, testing))
    return TreeDepthData(
        np.array(n_leaves), np.array(train), np.array(test) if test else None, model.get_depth()
    )


def _error(model: DecisionTreeClassifier, part: Problem) -> float:
    size, n_wrong = misclassified(model, part, model.predict(part.data))
    return n_wrong / size


def tree_depth(run: Run[Problem, DecisionTreeClassifier]) -> go.Figure:
    """Draw the error against the depth."""
    return plot_tree_depth(tree_depth_data(run.problem, run.fitted))


def plot_tree_depth(data: TreeDepthData) -> go.Figure:
    """Draw the errors over the depth."""
    figure, depths = go.Figure(), np.arange(len(data.train))
    lines = [("training", data.train, MUTED)]
    if data.test is not None:
        lines.append(("test", data.test, ACCENT))
    for name, errors, color in lines:
        figure.add_scatter(
            x=depths,
            y=errors,
            name=name,
            mode="lines+markers",
            customdata=data.n_leaves,
            line={"color": color},
            marker={"color": color, "size": 7},
            hovertemplate=(
                f"depth %{{x}}, %{{customdata}} leaves<br>{name} error %{{y:.1%}}<extra></extra>"
            ),
        )
        figure.add_annotation(
            x=depths[-1], y=errors[-1], text=name, xanchor="left", xshift=8, showarrow=False
        )
    figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="depth", dtick=1 if len(depths) < 20 else None, showgrid=False)
    figure.update_xaxes(range=[-0.3, max(len(depths) - 1, 1) * 1.15 + 0.2])
    figure.update_yaxes(title_text="error", tickformat=".0%", rangemode="tozero")
    return finish(
        figure,
        _title(data),
        f"Dotted: the current depth, {data.current}. Levels add leaves; hover.",
        340,
    )


def _title(data: TreeDepthData) -> str:
    last = f"{percent(data.train[-1])} of the training rows at depth {len(data.train) - 1}"
    if data.test is None:
        return f"The training error falls to {last}; hold rows out to see the test error."
    best = int(data.test.argmin())
    return (
        f"The training error falls to {last}; the test error is smallest,"
        f" {percent(data.test[best])}, at depth {best}."
    )
