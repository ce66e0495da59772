"""The error by the number of columns, in training and in cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.feature_selection.figures.of_columns import of_columns
from dmlib.feature_selection.filter_selector import FilterSelector
from dmlib.feature_selection.model_score import ModelScore
from dmlib.feature_selection.regressor_search import RegressorSearch
from dmlib.feature_selection.scores import LeastSquaresScore, Score, Subset
from dmlib.feature_selection.subset_search import Search
from dmlib.feature_selection.wrapper_search import WrapperSearch, classifier_score
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

FOLDS = 10


@dataclass(frozen=True)
class BySize:
    """The error of the sets that a selector takes, smallest first.

    Attributes
    ----------
    sizes : tuple of int
        How many columns each set has.
    training : ndarray of shape (n_sizes,)
        The errors in training; NaN for classes.
    validated : ndarray of shape (n_sizes,)
        The errors in cross-validation.
    error : ndarray of shape (n_sizes,)
        Their standard errors over the folds.
    chosen : int
        The size of the run's set.
    classes : bool
        Whether the target has classes.
    """

    sizes: tuple[int, ...]
    training: Floats
    validated: Floats
    error: Floats
    chosen: int
    classes: bool


def by_size_data(run: Run[Problem, Any]) -> BySize:
    """Score the sets of all sizes on the way of a run's selector."""
    training, numbers = run.problem.training, run.problem.numeric_target
    X, y = np.asarray(training.X), np.asarray(training.y)
    sets = _sets(run, X, y)
    score: Score
    trained: list[float] = []
    if isinstance(run.model, RegressorSearch):
        score = ModelScore(X, y, run.model.regressor, numbers=True, cv=FOLDS, seed=run.seed)
        score.compare(sets)
        trained = [score.training(subset) for subset in sets]
    elif numbers:
        score = least_squares = LeastSquaresScore(X, y, "cv", FOLDS, run.seed)
        trained = [least_squares.sse(subset) / least_squares.n for subset in sets]
    else:
        wrapper = run.model if isinstance(run.model, WrapperSearch) else WrapperSearch()
        score = classifier_score(wrapper, X, y, FOLDS, run.seed)
        score.compare(sets)
    parts = np.array([score.parts(subset) for subset in sets])
    value = np.array([score(subset) for subset in sets])
    n_folds = parts.shape[1]
    spread = parts.std(axis=1, ddof=1) * n_folds**0.5 / len(X)
    chosen = int(run.fitted.support_.sum())
    if not numbers:
        value, trained = 1 - value, [np.nan] * len(sets)
    return BySize(tuple(map(len, sets)), np.array(trained), value, spread, chosen, not numbers)


def _sets(run: Run[Problem, Any], X: Any, y: Any) -> list[Subset]:
    model, p = run.model, X.shape[1]
    if isinstance(model, Search):
        if model.search == "best":
            return list(run.fitted.subsets_)
        params = {"n_features_to_select": p, "search": "forward"}
        if model.search == "backward":
            params = {"n_features_to_select": 1, "search": "backward"}
        return sorted(clone(model).set_params(**params).fit(X, y).subsets_, key=len)
    fitted = run.fitted
    if isinstance(model, FilterSelector):
        order = np.argsort(fitted.ranking_)
    else:
        ranked = [j for j in getattr(fitted, "taken_", getattr(fitted, "chosen_", ())) if j < p]
        weights = getattr(fitted, "scale_", np.zeros(p))
        unranked = [j for j in np.argsort(-weights, kind="stable") if j not in ranked]
        order = np.array([*ranked, *unranked])
    return [tuple(sorted(order[:k].tolist())) for k in range(p + 1)]


@of_columns
def by_size(run: Run[Problem, Any]) -> go.Figure:
    """Draw the errors of a run's sets by their size."""
    return plot_by_size(by_size_data(run))


def plot_by_size(data: BySize) -> go.Figure:
    """Draw training and cross-validated errors, with one standard error, and the chosen size."""
    figure, name = go.Figure(), "error rate" if data.classes else "mean squared error"
    if not data.classes:
        figure.add_scatter(
            x=data.sizes,
            y=data.training,
            mode="lines+markers",
            line={"color": MUTED, "dash": "dot"},
            hovertemplate="%{x} columns: training %{y:.4g}<extra></extra>",
        )
    figure.add_scatter(
        x=data.sizes,
        y=data.validated,
        error_y={"array": data.error, "thickness": 1},
        mode="lines+markers",
        line={"color": ACCENT},
        hovertemplate="%{x} columns: cross-validated %{y:.4g}<extra></extra>",
    )
    figure.add_vline(x=data.chosen, line={"dash": "dot", "width": 1.5, "color": MUTED})
    figure.update_xaxes(
        title_text="columns in the set", dtick=max(1, len(data.sizes) // 12), showgrid=False
    )
    figure.update_yaxes(title_text=name, rangemode="tozero")
    best = data.sizes[int(data.validated.argmin())]
    title = (
        f"The cross-validated {name} is smallest with {best} column{'s' * (best != 1)};"
        f" {data.chosen} selected."
    )
    grey = "" if data.classes else "Grey: training error, which never rises. "
    note = (
        f"{grey}Blue: {FOLDS} folds, one standard error; the sets were chosen with these rows, so"
        " it is optimistic."
    )
    return finish(figure, title, note, 340)
