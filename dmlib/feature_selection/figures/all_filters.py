"""The ranks of the columns by every filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.feature_selection.figures.of_columns import of_columns
from dmlib.feature_selection.filters import METHODS, UNSUPERVISED, Target, parts_of
from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_COLUMNS = 24


@dataclass(frozen=True)
class FilterRanks:
    """The ranks of the columns by each filter.

    Attributes
    ----------
    columns : tuple of str
        In the order of their mean rank by the filters that see the target.
    methods : tuple of str
        The filters.
    ranks : ndarray of int of shape (n_columns, n_methods)
        From 1.
    scores : ndarray of shape (n_columns, n_methods)
        The scores.
    """

    columns: tuple[str, ...]
    methods: tuple[str, ...]
    ranks: NDArray[np.intp]
    scores: Floats


def filter_ranks(run: Run[Problem, Any]) -> FilterRanks:
    """Score the columns of a run's training rows by every filter."""
    training = run.problem.training
    X = np.asarray(training.X, float)
    target = Target(np.asarray(training.y), classes=not run.problem.numeric_target)
    columns = [[parts["score"] for parts in parts_of(X, target, method)] for method in METHODS]
    scores = np.array(columns).T
    ranks = np.argsort(np.argsort(-scores, axis=0, kind="stable"), axis=0) + 1
    supervised = [i for i, method in enumerate(METHODS) if method not in UNSUPERVISED]
    order = np.argsort(ranks[:, supervised].mean(axis=1), kind="stable")[:MAX_COLUMNS]
    names = tuple(run.problem.features[j] for j in order)
    return FilterRanks(names, tuple(METHODS.values()), ranks[order], scores[order])


@of_columns
def all_filters(run: Run[Problem, Any]) -> go.Figure:
    """Draw the ranks of a run's columns."""
    return plot_filter_ranks(filter_ranks(run))


def plot_filter_ranks(data: FilterRanks) -> go.Figure:
    """Draw a row for each column and a cell for each filter: the darker the better."""
    p = int(data.ranks.max())
    figure = go.Figure(
        go.Heatmap(
            z=data.ranks,
            x=data.methods,
            y=list(range(len(data.columns))),
            text=data.ranks,
            texttemplate="%{text}",
            customdata=data.scores,
            hovertemplate="%{x}: rank %{z}, score %{customdata:.4g}<extra></extra>",
            colorscale=[[0, "#2f7fd0"], [1, "#c9d8ea"]],
            zmin=1,
            zmax=max(p, 2),
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    names = [plain(name) for name in data.columns]
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, autorange="reversed", automargin=True
    )
    figure.update_xaxes(side="bottom", tickangle=-45, automargin=True)
    firsts = {data.columns[int(column.argmin())] for column in data.ranks.T if column.min() == 1}
    title = (
        f"{len(data.methods)} filters put {len(firsts)} different column{'s' * (len(firsts) != 1)}"
        " first."
    )
    note = "Ranks by each filter. The last five are unsupervised."
    return finish(figure, title, note, 150 + 28 * len(names))
