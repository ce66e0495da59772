"""The error of boosting after each round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from dmlib.arrays import Floats
from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

FOLDS = 5
# Rows times rounds times columns, in thousands, beyond which there is no cross-validation
NO_FOLDS = 10_000


@dataclass(frozen=True)
class ErrorByRoundData:
    """The error after each round; of cross-validation and test None where there is none."""

    training: Floats  # (n_rounds,)
    validation: Floats | None  # (n_rounds,): cross-validated; a run that ended has its last value
    test: Floats | None  # (n_rounds,)

    @property
    def best(self) -> int | None:
        """The round with the smallest error in cross-validation, the first of equal ones."""
        return None if self.validation is None else int(self.validation.argmin()) + 1


def error_by_round_data(
    problem: Problem, model: AdaBoostClassifier | GradientBoostingClassifier, random_state: int = 0
) -> ErrorByRoundData:
    """Return training, test and cross-validated error of a fitted model after each round.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import AdaBoostClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> model = AdaBoostClassifier(n_estimators=3).fit(problem.X, problem.y)
    >>> error_by_round_data(problem, model).training.round(2).tolist()
    [0.33, 0.33, 0.0]
    """
    rows, testing = problem.training, problem.testing
    training = _staged(model, rows.data, rows.y)
    test = None if testing is None else _staged(model, testing.data, testing.y)
    y, n = np.asarray(rows.y), len(training)
    n_folds = min(FOLDS, int(np.bincount(y)[np.unique(y)].min()))
    if n_folds < 2 or rows.X.size * n > 1000 * NO_FOLDS:
        return ErrorByRoundData(training, None, test)
    n_wrong = np.zeros(n)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    for fit_rows, validation_rows in folds.split(rows.X, y):
        part = clone(model).fit(rows.table(rows.X[fit_rows]), y[fit_rows])
        errors = _staged(part, rows.table(rows.X[validation_rows]), y[validation_rows])[:n]
        n_wrong += len(validation_rows) * np.append(errors, np.full(n - len(errors), errors[-1]))
    return ErrorByRoundData(training, n_wrong / len(y), test)


def _staged(model: AdaBoostClassifier | GradientBoostingClassifier, X: Any, y: Any) -> Floats:
    return np.array([1 - share for share in model.staged_score(X, y)])


def error_by_round(run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]) -> go.Figure:
    """Draw the errors of a run over the rounds."""
    return plot_error_by_round(error_by_round_data(run.problem, run.fitted, run.seed))


def plot_error_by_round(data: ErrorByRoundData) -> go.Figure:
    """Draw the errors over the rounds."""
    figure, rounds = go.Figure(), np.arange(1, len(data.training) + 1)
    curves = (
        ("training", data.training, MUTED, "solid"),
        ("cross-validation", data.validation, ACCENT, "dash"),
        ("test", data.test, ACCENT, "solid"),
    )
    for name, errors, color, dash in curves:
        if errors is not None:
            figure.add_scatter(
                x=rounds,
                y=errors,
                name=name,
                mode="lines+markers" if len(rounds) < 3 else "lines",
                line={"color": color, "dash": dash, "shape": "hv"},
                hovertemplate=f"round %{{x}}<br>{name} error %{{y:.1%}}<extra></extra>",
            )
    figure.update_xaxes(title_text="round", showgrid=False, rangemode="tozero")
    figure.update_yaxes(title_text="error", tickformat=".0%", rangemode="tozero")
    note = (
        "Grey: training. Blue dashed: cross-validation. Blue: test. More rounds always fit the"
        " training rows better."
    )
    return finish(figure, _title(data), note, 320)


def _title(data: ErrorByRoundData) -> str:
    if data.best is None or data.validation is None:
        return (
            f"After {len(data.training)} rounds the training error is {percent(data.training[-1])}."
        )
    return (
        f"In cross-validation, the error is smallest after {data.best} rounds:"
        f" {percent(data.validation[data.best - 1])}."
    )
