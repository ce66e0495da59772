"""Column importances of an ensemble: by impurity and by permutation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.classification.base_learners import check_trees
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

NOISE = "random numbers"
MAX_COLUMNS = 20


@dataclass(frozen=True)
class ImportanceData:
    """Both importances of the columns and of random numbers, by falling permutation importance."""

    columns: tuple[str, ...]
    impurity: Floats  # (n_columns,): they sum to 1 over all columns
    permutation: Floats  # (n_columns,): the decrease of the out-of-bag accuracy
    n_all: int  # the number of columns
    noise: tuple[float, float]  # both of the random numbers


def out_of_bag_permutation(
    model: VotingClassifier, X: Any, y: Any, random_state: Any = None
) -> Floats:
    """Return the decrease of the out-of-bag accuracy if a column is shuffled.

    Parameters
    ----------
    model : BaggingClassifier or RandomForestClassifier
        Fitted to ``X, y``.
    X : ndarray or DataFrame of shape (n_samples, n_features)
        The rows.
    y : array-like of shape (n_samples,)
        Their classes.
    random_state : int, RandomState or None
        The seed of the shuffling.

    Returns
    -------
    ndarray of shape (n_features,)
        The mean over the classifiers (Breiman, 2001); 0 where no rows are left out.

    Examples
    --------
    >>> from dmlib.classification import BaggingClassifier
    >>> X, y = np.arange(40.0).reshape(20, 2) * [1, 0], np.repeat([0, 1], 10)
    >>> model = BaggingClassifier(random_state=0).fit(X, y)
    >>> falls = out_of_bag_permutation(model, X, y, 0)
    >>> bool(falls[0] > 0.2), float(falls[1])
    (True, 0.0)
    """
    rng = check_random_state(random_state)
    codes = np.searchsorted(model.classes_, np.asarray(y))
    outside = np.array(
        [np.bincount(bag, minlength=len(codes)) == 0 for bag in model.estimators_samples_]
    )
    n_columns = model.n_features_in_
    right = _accuracies(model, X, codes, outside)
    shuffled = (_shuffled(X, j, rng) for j in range(n_columns))
    return np.array(
        [np.mean(right - _accuracies(model, table, codes, outside)) for table in shuffled]
    )


def _accuracies(
    model: VotingClassifier, X: Any, codes: NDArray[np.intp], outside: NDArray[np.bool_]
) -> Floats:
    """Return the out-of-bag accuracy of each classifier that has rows out of bag."""
    accuracies = [
        float((shares[rows].argmax(axis=1) == codes[rows]).mean())
        for shares, rows in zip(model.each_predict_proba(X), outside, strict=True)
        if rows.any()
    ]
    return np.array(accuracies or [0.0])


def _shuffled(X: Any, column: int, rng: Any) -> Any:
    """Return a table in which one column is shuffled."""
    order, out = rng.permutation(len(X)), X.copy()
    if hasattr(X, "iloc"):
        out.isetitem(column, X.iloc[order, column].array)
    else:
        out[:, column] = X[order, column]
    return out


def importance_data(run: Run[Problem, VotingClassifier]) -> ImportanceData:
    """Return both importances, of the ensemble of a run with a column of random numbers.

    Examples
    --------
    >>> from dmlib.classification import RandomForestClassifier
    >>> from dmlib.problem import prepare
    >>> classes = list("xyxy" + "x" * 6 + "y" * 10)
    >>> frame = pd.DataFrame({"a": np.arange(20.0), "b": np.zeros(20), "c": classes})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> data = importance_data(Run.of(problem, RandomForestClassifier(20, random_state=0)))
    >>> data.columns
    ('a', 'b', 'random numbers')
    """
    check_trees(run.model)
    training = run.problem.training
    frame = pd.DataFrame(training.data).copy()
    frame.columns = list(run.problem.features)
    y = np.asarray(training.y)
    noise_column = np.random.RandomState(run.seed).random_sample(len(frame))
    frame.insert(frame.shape[1], NOISE, noise_column, allow_duplicates=True)
    X: Any = frame if hasattr(training.data, "columns") else frame.to_numpy()
    model = clone(run.model).fit(X, y)
    impurity = model.feature_importances_
    permutation = out_of_bag_permutation(model, X, y, run.seed)
    order = np.argsort(-permutation, kind="stable")
    columns = order[: MAX_COLUMNS - 1] if len(order) > MAX_COLUMNS else order
    if frame.shape[1] - 1 not in columns:
        columns = np.append(columns, frame.shape[1] - 1)
    noise = float(impurity[-1]), float(permutation[-1])
    names = tuple(str(frame.columns[j]) for j in columns)
    return ImportanceData(names, impurity[columns], permutation[columns], len(order), noise)


def importance(run: Run[Problem, VotingClassifier]) -> go.Figure:
    """Draw both importances of the columns of a run."""
    return plot_importance(importance_data(run))


def plot_importance(data: ImportanceData) -> go.Figure:
    """Draw both importances of each column as bars."""
    figure, places = go.Figure(), np.arange(len(data.columns))
    bars = (("impurity", data.impurity, MUTED), ("permutation", data.permutation, ACCENT))
    for name, values, color in bars:
        figure.add_bar(
            x=values,
            y=places,
            orientation="h",
            name=name,
            marker={"color": color},
            hovertemplate=f"%{{x:.3f}}<extra>{name}</extra>",
        )
    figure.update_yaxes(
        tickvals=places,
        ticktext=[plain(name) for name in data.columns],
        autorange="reversed",
        automargin=True,
    )
    figure.update_xaxes(title_text="importance", rangemode="tozero")
    by_impurity, by_permutation = data.noise
    cost = percent(by_permutation).replace("-", "−")
    title = (
        f"Random numbers get {percent(by_impurity)} of the importance by impurity; shuffling them"
        f" costs {cost}."
    )
    n_columns = len(data.columns)
    extent = "" if n_columns == data.n_all else f" {n_columns} of {data.n_all} columns."
    note = (
        "Grey: mean decrease of impurity, which favours columns with many values, even random"
        f" ones. Blue: fall of the out-of-bag accuracy when the column is shuffled.{extent}"
    )
    return finish(figure, title, note, 90 + 34 * len(data.columns))
