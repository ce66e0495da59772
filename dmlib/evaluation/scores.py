"""Scores for rows that the model was not trained on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state

from dmlib import engine
from dmlib.arrays import Floats, take
from dmlib.estimator import Learner
from dmlib.params import Choice, Conditions, Integer, Number, Param

Rows = NDArray[np.intp]

COLUMN, ZERO_R = "column", "zero_r"
MODELS = ("naive_bayes", "logistic_regression", "decision_tree", "knn", "svm", ZERO_R, COLUMN)
"""Sources of scores: models of this package by name, ZeroR, and a column that already holds them.

ZeroR uses no column: each class has its fraction of the rows as probability, and the most frequent
one is predicted.
"""

SKIP_MISSING = ("naive_bayes", "decision_tree")
"""The models that take missing values, as ZeroR does."""

NOMINAL = (*SKIP_MISSING, "knn")
"""The models that take nominal columns, as ZeroR does."""

SCORING: dict[str, Param] = {
    "model": Choice(MODELS),
    "scoring": Choice(("cross_validation", "held_out", "training")),
    "folds": Integer(2, 100, shown=(2, 20)),
    "test_size": Number(0.01, 0.99, shown=(0.1, 0.9), step=0.05),
    "column": Integer(1, 10_000, shown=(1, 10)),
}
"""The parameters of all evaluations that need scores."""
APPLIES: Conditions = {
    "folds": ("scoring", ("cross_validation",)),
    "test_size": ("scoring", ("held_out",)),
}
"""Parameters that depend on how scores are computed."""


@dataclass(frozen=True, eq=False)
class ScoreStep:
    """A model is trained on one part of the rows and scores another.

    Attributes
    ----------
    phase : {"score"}
        A fold was scored.
    fold : int
        The number of the fold, from 0.
    n_folds : int
        The number of folds.
    learned : ndarray of shape (n_learned,)
        The rows that the model was trained on; none where a column holds the scores.
    rows : ndarray of shape (n_rows,)
        The rows that it scored.
    scores : ndarray of shape (n_rows, n_classes)
        The support of each row for each class, in the order of the classes.
    kind : {"probability", "decision", "column"}
        The kind of scores: probabilities, values of a decision function, or the numbers of a
        column.
    reason : str
        Why there are fewer folds than were asked for, as a sentence; empty otherwise.
    """

    phase: Literal["score"]
    fold: int
    n_folds: int
    learned: Rows
    rows: Rows
    scores: Floats
    kind: str
    reason: str = ""


def classifiers() -> dict[str, Any]:
    """Return the classes of the models by their names; a column has none.

    Discriminant analysis is not among ``MODELS``: it is used for binary problems of many classes
    only.
    """
    from dmlib.classification import (
        SVC,
        DecisionTreeClassifier,
        KNeighborsClassifier,
        LinearDiscriminantAnalysis,
        LogisticRegression,
        NaiveBayes,
    )

    return {
        "naive_bayes": NaiveBayes,
        "logistic_regression": LogisticRegression,
        "decision_tree": DecisionTreeClassifier,
        "knn": KNeighborsClassifier,
        "svm": SVC,
        "lda_classifier": LinearDiscriminantAnalysis,
        ZERO_R: DummyClassifier,
    }


def classifier(model: Any, random_state: Any = None) -> Any:
    """Return a fresh, unfitted classifier by its name, or a copy of one.

    Examples
    --------
    >>> type(classifier("knn")).__name__
    'KNeighborsClassifier'
    """
    if not isinstance(model, str):
        return clone(model)
    fresh = classifiers()[model]()
    if "random_state" in fresh.get_params():
        fresh.set_params(random_state=random_state)
    return fresh


def model_name(model: Any) -> str:
    """Return the name of a model, whatever its settings; of an unknown one, that of its class.

    Examples
    --------
    >>> from dmlib.classification import KNeighborsClassifier
    >>> model_name("svm"), model_name(KNeighborsClassifier(15))
    ('svm', 'knn')
    """
    if isinstance(model, str):
        return model
    names = {algorithm: name for name, algorithm in classifiers().items()}
    return names.get(type(model), type(model).__name__)


def check_model(model: Any) -> None:
    """Check that a model is a name or a classifier.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if not isinstance(model, Learner) and model not in MODELS:
        raise ValueError(
            f"model must be one of {', '.join(MODELS)}, or a classifier; it was {model!r}."
        )


def skips_missing(model: Any) -> bool:
    """Return whether a model can learn from rows with missing values."""
    if isinstance(model, str):
        return model in (*SKIP_MISSING, ZERO_R)
    return bool(model.__sklearn_tags__().input_tags.allow_nan)


def score_column(X: Any, column: int) -> Floats:
    """Return the numbers in a column, by its number from 1."""
    values = X.iloc[:, column - 1] if isinstance(X, pd.DataFrame) else X[:, column - 1]
    numbers: Floats = np.asarray(values, np.float64)
    return numbers


def column_scores(X: Any, column: int, n_classes: int) -> Floats:
    """Return the scores that a column holds, shape (n_samples, n_classes).

    Of two classes they are those of the second; of more, the column holds the number of the
    predicted class, from 1 in sorted order.

    Raises
    ------
    ValueError
        If it does not.

    Examples
    --------
    >>> column_scores(np.array([[3.0], [1.0]]), 1, 3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    values = score_column(X, column)
    if n_classes <= 2:
        return np.column_stack([-values, values])
    is_predicted: Floats = (values[:, None] == np.arange(1, n_classes + 1)).astype(float)
    if not is_predicted.any(axis=1).all():
        raise ValueError(
            f"A column of scores can tell two classes apart; of {n_classes} it must hold the number"
            f" of the predicted class, from 1 to {n_classes}. Choose a model, or a class with two"
            " values."
        )
    return is_predicted


def check_table(model: Any, X: Any, column: int = 1) -> None:
    """Check that a model can use a table with its nominal columns and missing values.

    Raises
    ------
    ValueError
        If it needs numbers, or cannot skip missing values.
    """
    first = 1  # the number of the first column, where columns have no names
    if isinstance(model, str) and model == COLUMN:
        if column > X.shape[1]:
            raise ValueError(
                f"There is no column {column}: there are {X.shape[1]}. Choose one that holds"
                " scores."
            )
        X = X.iloc[:, [column - 1]] if isinstance(X, pd.DataFrame) else X[:, [column - 1]]
        first = column
    nominal, missing = _nominal_and_missing(X, first)
    if nominal and model_name(model) in {*classifiers(), COLUMN} - {*NOMINAL, ZERO_R}:
        raise ValueError(
            f"This model needs numbers, but the column {nominal[0]!r} is nominal. "
            f"Leave it out, or choose {' or '.join(NOMINAL)}."
        )
    if missing and not skips_missing(model):
        raise ValueError(
            f"Input X contains NaN: the column {missing[0]!r} has missing values, and this model"
            f" cannot skip them. Leave the column out, or choose {' or '.join(SKIP_MISSING)}."
        )


def _nominal_and_missing(X: Any, first: int) -> tuple[list[Any], list[Any]]:
    """Return the columns of a table that are nominal, and those with missing values."""
    if isinstance(X, pd.DataFrame):
        nominal = [name for name in X.columns if not pd.api.types.is_numeric_dtype(X[name])]
        return nominal, list(X.columns[X.isna().any()])
    # A data frame of the array would take longer than many a model.
    return [], [int(first + j) for j in np.flatnonzero(np.isnan(X).any(axis=0))]


def out_of_sample(
    model: Any,
    X: Any,
    y: Rows,
    *,
    scoring: str,
    folds: int,
    test_size: float,
    column: int,
    random_state: Any,
    n_classes: int,
) -> Iterator[ScoreStep]:
    """Score rows with models that were not trained on them.

    Parameters
    ----------
    model : str or classifier
        One of ``MODELS``, or a classifier.
    X : ndarray or DataFrame of shape (n_samples, n_features)
        The rows.
    y : ndarray of shape (n_samples,)
        Codes of their classes, from 0.
    scoring : {"cross_validation", "held_out", "training"}
        Each row by a model trained on the remaining folds; the rows of one part by a model trained
        on the second part; all rows by a model trained on all of them (which is optimistic).
    folds : int
        The number of folds, at most as many as the smallest class has rows.
    test_size : float
        The fraction of each class that is scored.
    column : int
        The number of the column that holds the scores, from 1, if the model is "column".
    random_state : int, RandomState or None
        The seed of folds, parts and the model.
    n_classes : int
        The number of classes.

    Yields
    ------
    ScoreStep
        One for each fold.

    Raises
    ------
    ValueError
        If a class has a single row, or the model refuses the data.
    """
    if isinstance(model, str) and model == COLUMN:
        scores = column_scores(X, column, n_classes)
        yield ScoreStep("score", 0, 1, np.arange(0), np.arange(len(y)), scores, "column")
        return
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    parts, reason = _parts(y, scoring, folds, test_size, seed)
    results = engine.map(partial(_scored, model, seed, X, y, n_classes), parts)
    for i, ((learned, rows), (scores, kind)) in enumerate(zip(parts, results, strict=True)):
        yield ScoreStep("score", i, len(parts), learned, rows, scores, kind, reason)


def _scored(
    model: Any, seed: int, X: Any, y: Rows, n_classes: int, part: tuple[Rows, Rows]
) -> tuple[Floats, str]:
    """Return the scores of test rows by a model that is fitted to training rows: a task."""
    learned, rows = part
    fitted = classifier(model, seed).fit(take(X, learned), y[learned])
    return support(fitted, take(X, rows), n_classes)


def support(model: Any, X: Any, n_classes: int) -> tuple[Floats, str]:
    """Return the scores of a fitted model, shape (n_samples, n_classes), and their kind."""
    scores = np.zeros((len(X), n_classes))
    codes = np.asarray(model.classes_, np.intp)
    if hasattr(model, "predict_proba"):
        scores[:, codes] = model.predict_proba(X)
        return scores, "probability"
    decision = np.asarray(model.decision_function(X), np.float64)
    scores[:, codes] = np.column_stack([-decision, decision]) if decision.ndim == 1 else decision
    return scores, "decision"


def squash(decision: ArrayLike) -> Floats:
    """Return the logistic function of a decision function's values, which is no probability."""
    squashed: Floats = expit(np.asarray(decision, np.float64))
    return squashed


def _parts(
    y: Rows, scoring: str, folds: int, test_size: float, seed: int
) -> tuple[list[tuple[Rows, Rows]], str]:
    everything = np.arange(len(y))
    if scoring == "training":
        return [(everything, everything)], ""
    smallest = int(np.bincount(y)[np.unique(y)].min())
    if smallest < 2:
        raise ValueError(
            "A class has a single row, but at least 2 are needed: one for training and one for the"
            " test. Add rows of this class, leave it out, or score the training rows."
        )
    if scoring == "held_out":
        scored = _held_out(y, test_size, seed)
        return [(everything[~scored], everything[scored])], ""
    n_folds = min(folds, smallest)
    reason = ""
    if n_folds < folds:
        reason = f"A class has only {smallest} rows, so there are {n_folds} folds."
    split = StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(everything, y)
    parts = [(np.asarray(train, np.intp), np.asarray(test, np.intp)) for train, test in split]
    return parts, reason


def _held_out(y: Rows, test_size: float, seed: int) -> NDArray[np.bool_]:
    """Return a mask of the rows to score: a fraction of each class, at least one row, never all."""
    order = np.random.default_rng(seed).permutation(len(y))
    scored = np.zeros(len(y), bool)
    for code in np.unique(y):
        members = order[y[order] == code]
        n_scored = min(max(round(test_size * len(members)), 1), len(members) - 1)
        scored[members[:n_scored]] = True
    return scored
