"""Which columns an ensemble uses: by impurity, and by what goes wrong when a column is shuffled."""

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
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run

NOISE = "random numbers"
MOST_COLUMNS = 20


@dataclass(frozen=True)
class ImportanceData:
    """Both importances of the columns and of one more, which holds random numbers; the largest of the second first."""

    columns: tuple[str, ...]
    impurity: Floats  # (n_columns,): they sum to 1 over all columns
    permutation: Floats  # (n_columns,): by how much the out-of-bag accuracy falls
    n_all: int  # how many columns there are
    noise: tuple[float, float]  # both of the random numbers


def out_of_bag_permutation(model: Any, X: Any, y: Any, random_state: Any = None) -> Floats:
    """Return by how much the accuracy of the classifiers, on the rows left out of each, falls if a column is shuffled.

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


def _accuracies(model: Any, X: Any, codes: NDArray[np.intp], outside: NDArray[np.bool_]) -> Floats:
    """Return the accuracy of each classifier on the rows left out, shape (n_judged,), of those that have any."""
    found = [
        float((shares[some].argmax(axis=1) == codes[some]).mean())
        for shares, some in zip(model.each_predict_proba(X), outside, strict=True)
        if some.any()
    ]
    return np.array(found or [0.0])


def _shuffled(X: Any, column: int, rng: Any) -> Any:
    """Return a table in which the values of one column have changed rows."""
    order, out = rng.permutation(len(X)), X.copy()
    if hasattr(X, "iloc"):
        out.isetitem(column, X.iloc[order, column].array)
    else:
        out[:, column] = X[order, column]
    return out


def importance_data(run: Run) -> ImportanceData:
    """Fit the ensemble of a run again, with one more column of random numbers, and measure all columns twice.

    Examples
    --------
    >>> from dmlib.classification import RandomForestClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": np.arange(20.0), "b": np.zeros(20), "c": list("xy" * 2) + list("x" * 6 + "y" * 10)})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> data = importance_data(Run.of(problem, RandomForestClassifier(20, random_state=0)))
    >>> data.columns
    ('a', 'b', 'random numbers')
    """
    learned = run.problem.training
    frame = pd.DataFrame(learned.data).copy()
    frame.columns = list(run.problem.features)
    y = np.asarray(learned.y)
    frame.insert(
        frame.shape[1],
        NOISE,
        np.random.RandomState(run.seed).random_sample(len(frame)),
        allow_duplicates=True,
    )
    X: Any = frame if hasattr(learned.data, "columns") else frame.to_numpy()
    model = clone(run.model).fit(X, y)
    impurity, permutation = (
        model.feature_importances_,
        out_of_bag_permutation(model, X, y, run.seed),
    )
    order = np.argsort(-permutation, kind="stable")
    some = order[: MOST_COLUMNS - 1] if len(order) > MOST_COLUMNS else order
    if frame.shape[1] - 1 not in some:
        some = np.append(some, frame.shape[1] - 1)
    noise = float(impurity[-1]), float(permutation[-1])
    names = tuple(str(frame.columns[j]) for j in some)
    return ImportanceData(names, impurity[some], permutation[some], len(order), noise)


def importance(run: Run) -> go.Figure:
    """Draw both importances of the columns of a run."""
    return plot_importance(importance_data(run))


def plot_importance(data: ImportanceData) -> go.Figure:
    """Draw both importances of each column as bars."""
    figure, places = go.Figure(), np.arange(len(data.columns))
    for name, values, color in (
        ("impurity", data.impurity, MUTED),
        ("permutation", data.permutation, ACCENT),
    ):
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
    told = f"{by_permutation:.1%}".replace("-", "−")
    title = (
        f"Random numbers get {by_impurity:.0%} of the importance by impurity; shuffling them costs"
        f" {told}."
    )
    some = (
        "" if len(data.columns) == data.n_all else f" {len(data.columns)} of {data.n_all} columns."
    )
    note = (
        "Grey: mean decrease of impurity, which favours columns with many values, even random"
        f" ones. Blue: fall of the out-of-bag accuracy when the column is shuffled.{some}"
    )
    return finish(figure, title, note, 90 + 34 * len(data.columns))
