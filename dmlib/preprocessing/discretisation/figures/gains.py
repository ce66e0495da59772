"""Errors of classifiers on intervals, and mutual information of intervals and class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import class_color, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.preprocessing.discretisation.algorithm import STRATEGIES, Discretizer, information
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.problem import Problem
from dmlib.trace import look

N_SPLITS = 5
MAX_ROWS = 1000
UNCHANGED = "numbers as they are"


@dataclass(frozen=True)
class Gains:
    """Cross-validated errors by the intervals that replace the numbers.

    Attributes
    ----------
    bayes, tree : dict of str to ndarray of shape (n_folds,)
        Misclassification rates of naive Bayes and of a decision tree on the test rows.
    """

    bayes: dict[str, Floats]
    tree: dict[str, Floats]


def gain_data(run: Run[Problem, Discretizer | Binarizer], progress: Callable[[Any], None]) -> Gains:
    """Cross-validate both classifiers on numbers and on intervals that each fold cuts anew.

    Raises
    ------
    ValueError
        If there are no classes, or one has fewer than two rows.
    """
    problem = run.problem
    if problem.y is None or not problem.classes:
        raise ValueError("The errors of classifiers need classes. Choose a table with classes.")
    rows = evenly(len(problem.X), MAX_ROWS)
    numeric = [j for j in range(len(problem.features)) if j not in problem.categories]
    if not numeric:
        raise ValueError(
            "Only numbers are cut into intervals, and all these columns hold names."
            " Choose a column of numbers."
        )
    X, y = problem.X[rows][:, numeric], np.unique(problem.y[rows], return_inverse=True)[1]
    smallest_class = int(np.bincount(y).min())
    if smallest_class < 2 or y.max() < 1:
        raise ValueError("Cross-validation needs at least two classes with two rows each.")
    n_splits = min(N_SPLITS, smallest_class)
    folds = StratifiedKFold(n_splits, shuffle=True, random_state=run.seed).split(X, y)
    task = _Task(X, y, run.model.n_bins)
    errors = np.array(list(engine.map(task, list(folds), progress=progress)))
    bayes, tree = errors.transpose(2, 1, 0)  # of folds, strategies, classifiers
    names = [UNCHANGED, *STRATEGIES.values()]
    return Gains(dict(zip(names, bayes, strict=True)), dict(zip(names, tree, strict=True)))


@dataclass(frozen=True)
class _Task:
    X: Floats
    y: NDArray[np.intp]
    n_bins: int

    def __call__(self, fold: tuple[Any, Any]) -> list[tuple[float, float]]:
        """Return the errors of both classifiers on one fold, on numbers and by each strategy."""
        train, test = fold
        errors = [self._errors(GaussianNB(), self.X, train, test)]
        for strategy in STRATEGIES:
            look()
            model = Discretizer(strategy, n_bins=self.n_bins).fit(self.X[train], self.y[train])
            n_intervals = np.array([len(cuts) + 1 for cuts in model.cuts_])
            bayes = CategoricalNB(min_categories=n_intervals)
            errors.append(self._errors(bayes, model.transform(self.X), train, test))
        return errors

    def _errors(self, bayes: Any, X: Floats, train: Any, test: Any) -> tuple[float, float]:
        tree = DecisionTreeClassifier(random_state=0)
        first, second = (
            float((model.fit(X[train], self.y[train]).predict(X[test]) != self.y[test]).mean())
            for model in (bayes, tree)
        )
        return first, second


def plot_gains(data: Gains) -> go.Figure:
    """Draw the errors as bars, those of numbers as lines."""
    figure = go.Figure()
    names = list(data.bayes)[::-1]
    classifiers = {"naive Bayes": data.bayes, "decision tree": data.tree}
    for code, (title, errors) in enumerate(classifiers.items()):
        figure.add_bar(
            y=names,
            x=[float(errors[name].mean()) for name in names],
            name=title,
            orientation="h",
            marker={"color": class_color(figure, code)},
            hovertemplate=f"{title}, %{{y}}: %{{x:.3f}}<extra></extra>",
        )
    best = min(data.bayes, key=lambda name: float(data.bayes[name].mean()))
    figure.update_xaxes(title_text="cross-validated error", rangemode="tozero")
    title = f"Naive Bayes has the smallest error with {best}: {_percent(data.bayes[best])}"
    if best != UNCHANGED:
        title += f", and {_percent(data.bayes[UNCHANGED])} with {UNCHANGED}"
    title += "."
    finish(figure, title, f"{len(data.bayes[best])} folds, each cut by its training rows.", 480)
    return figure.update_layout(
        barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.2}, margin_l=210
    )


def _percent(errors: Floats) -> str:
    return percent(float(errors.mean()))


def information_by_column(run: Run[Problem, Discretizer | Binarizer]) -> go.Figure:
    """Draw the mutual information of the intervals of each column and the class."""
    problem = run.problem
    if problem.y is None or not problem.classes:
        raise ValueError("Mutual information needs classes.")
    figure = go.Figure()
    names = problem.features[:12][::-1]
    n_bins = run.model.n_bins
    for code, strategy in enumerate(("width", "frequency", "entropy")):
        codes = Discretizer(strategy, n_bins=n_bins).fit_transform(problem.X, problem.y)
        for j in problem.categories:
            codes[:, j] = problem.X[:, j]
        bits = [information(codes[:, problem.features.index(name)], problem.y) for name in names]
        figure.add_bar(
            y=list(names),
            x=bits,
            name=STRATEGIES[strategy],
            orientation="h",
            marker={"color": class_color(figure, code)},
            hovertemplate=f"%{{y}}, {STRATEGIES[strategy]}: %{{x:.3f}} bits<extra></extra>",
        )
    figure.update_xaxes(title_text="bits of mutual information")
    title = "Mutual information of intervals and class."
    finish(figure, title, "More intervals have more of it.", 140 + 44 * len(names))
    return figure.update_layout(
        barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.2}, margin_l=190
    )
