"""The importance of the columns in boosting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.classification.base_learners import check_trees
from dmlib.pictures.figures.style import ACCENT, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

MAX_COLUMNS = 20


@dataclass(frozen=True)
class ImportanceData:
    """The importance of the columns, the largest first; of many the first 20."""

    columns: tuple[str, ...]
    importance: NDArray[np.float64]  # (n_columns,)
    n_all: int  # the number of columns


def importance_data(
    run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier],
) -> ImportanceData:
    """Return the importance of the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import AdaBoostClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1, 1, 2, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> data = importance_data(Run.of(problem, AdaBoostClassifier()))
    >>> data.columns, data.importance.tolist()
    (('a', 'b'), [1.0, 0.0])
    """
    if isinstance(run.model, AdaBoostClassifier):
        check_trees(run.model)
    values = run.fitted.feature_importances_
    order = np.argsort(-values, kind="stable")[:MAX_COLUMNS]
    return ImportanceData(tuple(run.problem.features[j] for j in order), values[order], len(values))


def importance(run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]) -> go.Figure:
    """Draw the importance of the columns of a run."""
    return plot_importance(importance_data(run))


def plot_importance(data: ImportanceData) -> go.Figure:
    """Draw the importance of the columns as bars."""
    figure = go.Figure()
    places = np.arange(len(data.columns))
    figure.add_bar(
        x=data.importance,
        y=places,
        orientation="h",
        marker={"color": ACCENT},
        hovertemplate="%{x:.3f}<extra></extra>",
    )
    figure.update_yaxes(
        tickvals=places,
        ticktext=[plain(name) for name in data.columns],
        autorange="reversed",
        automargin=True,
    )
    figure.update_xaxes(title_text="importance", rangemode="tozero")
    extent = f" The first {len(data.columns)} of {data.n_all} columns."
    if len(data.columns) == data.n_all:
        extent = ""
    title = f"{plain(data.columns[0])} has {percent(data.importance[0])} of the importance."
    note = (
        "Impurity decrease of its splits, over all trees; the measure favours columns with many"
        f" values.{extent}"
    )
    return finish(figure, title, note, 60 + 26 * len(data.columns))
