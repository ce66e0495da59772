"""The criteria that compare splits: their curves, and the trees that they grow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict

from dmlib.arrays import Floats
from dmlib.classification import DecisionTreeClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.regions import misclassified
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.split_ledger import SCORES

SHARES = np.linspace(0, 1, 101)
ROWS = 100  # in each half: by factorials and permutations more rows make another curve
NAMES = {name: score for name, score in SCORES.items() if name not in ("chaid", "quest")}
FOLDS = 5
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "3px,3px", "9px,3px")


@dataclass(frozen=True)
class Grown:
    """The tree of one criterion."""

    criterion: str
    n_leaves: int
    error: float  # on test rows; without any, in cross-validation


@dataclass(frozen=True)
class SplitCriteriaData:
    """Scores of a symmetric split, and the trees of all criteria that suit the data."""

    curves: tuple[tuple[tuple[str, ...], Floats], ...]  # the criteria of one curve, and the curve
    trees: tuple[Grown, ...]  # with the smallest error first
    current: str  # the criterion in use
    held_out: bool  # whether there are test rows


def criterion_curves() -> tuple[tuple[tuple[str, ...], Floats], ...]:
    """Return the score of a split of two equally frequent classes into two halves.

    It runs from 0, where both halves are mixed alike, to 1, where each is pure; its argument is the
    share of the first class in the first half. Criteria with the same curve stand together.

    Examples
    --------
    >>> [" ".join(names) for names, _ in criterion_curves()][:5]
    ['gini chi2 twoing', 'entropy gain_ratio g2', 'error ks auc', 'distance', 'ort']
    """
    halves = ROWS * np.array([[SHARES, 1 - SHARES], [1 - SHARES, SHARES]])
    curves: list[tuple[tuple[str, ...], Floats]] = []
    for name in NAMES:
        score = CRITERIA[name].score(halves, 0.0)
        curve = (score - score.min()) / np.ptp(score)
        for i, (names, known) in enumerate(curves):
            if np.allclose(curve, known):
                curves[i] = (*names, name), known
                break
        else:
            curves.append(((name,), curve))
    return tuple(curves)


def split_criteria_data(
    problem: Problem, model: DecisionTreeClassifier, random_state: int = 0
) -> SplitCriteriaData:
    """Grow a tree by each criterion that suits the classes and the splits."""
    training, testing = problem.training, problem.testing
    y = np.asarray(training.y)
    folds = KFold(min(FOLDS, max(2, len(y))), shuffle=True, random_state=random_state)
    trees = []
    for name in NAMES:
        tree = clone(model).set_params(criterion=name, choices=None)
        try:
            tree.fit(training.data, y)
        except ValueError:  # more classes or branches than the criterion takes
            continue
        if testing is not None:
            size, n_wrong = misclassified(tree, testing, tree.predict(testing.data))
        else:
            predicted = cross_val_predict(clone(tree), training.data, y, cv=folds)
            size, n_wrong = misclassified(tree, training, predicted)
        trees.append(Grown(name, tree.get_n_leaves(), n_wrong / size))
    trees.sort(key=lambda grown: (grown.error, grown.n_leaves))
    return SplitCriteriaData(criterion_curves(), tuple(trees), model.criterion, testing is not None)


def split_criteria(run: Run[Problem, DecisionTreeClassifier]) -> go.Figure:
    """Draw the criteria of a run."""
    return plot_split_criteria(split_criteria_data(run.problem, run.fitted, run.seed))


def plot_split_criteria(data: SplitCriteriaData) -> go.Figure:
    """Draw the curves of the criteria, and below the errors of their trees."""
    figure = make_subplots(rows=2, cols=1, vertical_spacing=0.2, row_heights=[0.5, 0.5])
    for (names, curve), dash in zip(data.curves, DASHES, strict=True):
        label = ", ".join(NAMES[name] for name in names)
        current = data.current in names
        figure.add_scatter(
            x=SHARES,
            y=curve,
            name=label,
            mode="lines",
            line={"dash": dash, "width": 3 if current else 2, "color": ACCENT if current else None},
            hovertemplate=f"{label}: %{{y:.3f}} at %{{x:.0%}}<extra></extra>",
            row=1,
            col=1,
        )
    figure.add_scatter(
        x=[grown.error for grown in data.trees],
        y=[NAMES[grown.criterion] for grown in data.trees],
        text=[f" {grown.n_leaves} leaves" for grown in data.trees],
        mode="markers+text",
        textposition="middle right",
        marker={
            "size": 10,
            "color": [ACCENT if grown.criterion == data.current else MUTED for grown in data.trees],
        },
        hovertemplate="%{y}: error %{x:.1%},%{text}<extra></extra>",
        showlegend=False,
        row=2,
        col=1,
    )
    largest = max((grown.error for grown in data.trees), default=0.0)
    figure.update_xaxes(tickformat=".0%")
    figure.update_xaxes(title_text="share of the first class in the first half", row=1, col=1)
    figure.update_yaxes(title_text="score / that of pure halves", row=1, col=1)
    error = "test error" if data.held_out else "error in cross-validation"
    figure.update_xaxes(title_text=error, range=[0, 1.3 * largest + 0.02], row=2, col=1)
    figure.update_yaxes(autorange="reversed", row=2, col=1)
    finish(figure, _title(data), _note(data), 760, legend=True)
    return figure.update_layout(legend_y=-0.12)


def _title(data: SplitCriteriaData) -> str:
    if not data.trees:
        return "No criterion suits these classes and splits."
    best, worst = data.trees[0], data.trees[-1]
    return (
        f"Trees by {len(data.trees)} criteria have errors from {percent(best.error)}"
        f" ({NAMES[best.criterion]}) to {percent(worst.error)}"
        f" ({NAMES[worst.criterion]})."
    )


def _note(data: SplitCriteriaData) -> str:
    several = "; ".join(
        ", ".join(NAMES[name] for name in names) for names, _ in data.curves if len(names) > 1
    )
    return (
        "Above: two classes, equally frequent, are split into two equal halves. There "
        f"some criteria are the same curve: {several}."
    )
