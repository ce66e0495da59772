"""What classifiers gain or lose when numbers become intervals, and what intervals tell of the class."""

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
from dmlib.preprocessing.discretisation.algorithm import STRATEGIES, Discretizer, information
from dmlib.trace import look

N_SPLITS = 5
MOST_ROWS = 1000
AS_THEY_ARE = "numbers as they are"


@dataclass(frozen=True)
class Gains:
    """Errors in cross-validation by what is made of the numbers.

    Attributes
    ----------
    bayes, tree : dict of str to ndarray of shape (n_folds,)
        Shares of wrong test rows of naive Bayes and of a decision tree.
    """

    bayes: dict[str, Floats]
    tree: dict[str, Floats]


def gain_data(run: Run, progress: Callable[[Any], None]) -> Gains:
    """Cross-validate both classifiers on numbers and on intervals that each fold cuts anew.

    Raises
    ------
    ValueError
        If there are no classes, or one has fewer than two rows.
    """
    problem = run.problem
    if problem.y is None or not problem.classes:
        raise ValueError("The errors of classifiers need classes. Choose a table with classes.")
    some = evenly(len(problem.X), MOST_ROWS)
    numeric = [j for j in range(len(problem.features)) if j not in problem.categories]
    if not numeric:
        raise ValueError(
            "Only numbers are cut into intervals, and all these columns hold names. Choose a column"
            " of numbers."
        )
    X, y = problem.X[some][:, numeric], np.unique(problem.y[some], return_inverse=True)[1]
    fewest = int(np.bincount(y).min())
    if fewest < 2 or y.max() < 1:
        raise ValueError("Cross-validation needs at least two classes with two rows each.")
    folds = StratifiedKFold(min(N_SPLITS, fewest), shuffle=True, random_state=run.seed).split(X, y)
    n_bins = getattr(run.model, "n_bins", 4)
    found = list(engine.map(_Task(X, y, n_bins), list(folds), progress=progress))
    names = [AS_THEY_ARE, *STRATEGIES.values()]
    errors = np.array(found)  # folds, ways, classifiers
    return Gains(*({name: errors[:, i, c] for i, name in enumerate(names)} for c in (0, 1)))


@dataclass(frozen=True)
class _Task:
    X: Floats
    y: NDArray[np.intp]
    n_bins: int

    def __call__(self, fold: tuple[Any, Any]) -> list[tuple[float, float]]:
        """Return the errors of both classifiers on one fold for each way."""
        train, test = fold
        told = [self._errors(GaussianNB(), self.X[train], self.X[test], fold)]
        for strategy in STRATEGIES:
            look()
            cut = Discretizer(strategy, n_bins=self.n_bins).fit(self.X[train], self.y[train])
            most = [len(cuts) + 1 for cuts in cut.cuts_]
            bayes = CategoricalNB(min_categories=np.array(most))
            told.append(
                self._errors(bayes, cut.transform(self.X[train]), cut.transform(self.X[test]), fold)
            )
        return told

    def _errors(
        self, bayes: Any, train: Floats, test: Floats, fold: tuple[Any, Any]
    ) -> tuple[float, float]:
        tree = DecisionTreeClassifier(random_state=0)
        said = [model.fit(train, self.y[fold[0]]).predict(test) for model in (bayes, tree)]
        return float((said[0] != self.y[fold[1]]).mean()), float(
            (said[1] != self.y[fold[1]]).mean()
        )


def plot_gains(data: Gains) -> go.Figure:
    """Draw the errors as bars, those of numbers as lines."""
    figure = go.Figure()
    names = list(data.bayes)[::-1]
    for code, (title, errors) in enumerate(
        (("naive Bayes", data.bayes), ("decision tree", data.tree))
    ):
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
    raw, least = (100 * float(data.bayes[name].mean()) for name in (AS_THEY_ARE, best))
    besides = "" if best == AS_THEY_ARE else f", and {raw:.1f} % with {AS_THEY_ARE}"
    title = f"Naive Bayes has the smallest error with {best}: {least:.1f} %{besides}."
    finish(figure, title, f"{len(data.bayes[best])} folds, each cut by its training rows.", 480)
    return figure.update_layout(
        barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.2}, margin_l=210
    )


def told(run: Run) -> go.Figure:
    """Draw how many bits the intervals of each column tell of the class."""
    problem = run.problem
    if problem.y is None or not problem.classes:
        raise ValueError("Mutual information needs classes.")
    figure = go.Figure()
    names = problem.features[:12][::-1]
    for code, strategy in enumerate(("width", "frequency", "entropy")):
        cut = Discretizer(strategy, n_bins=getattr(run.model, "n_bins", 4)).fit(
            problem.X, problem.y
        )
        codes = cut.transform(problem.X)
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
    finish(
        figure,
        "Mutual information of intervals and class.",
        "More intervals have more of it.",
        140 + 44 * len(names),
    )
    return figure.update_layout(
        barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.2}, margin_l=190
    )
