"""Score and probability: the logistic curve, and the observed class fractions along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

N_GROUPS = 10
MAX_DISTINCT = 16  # distinct scores that are a group each


@dataclass(frozen=True)
class ScoreCurveData:
    """Rows along the score, and groups of neighbours among them."""

    score: Floats  # (n_samples,): the linear score of each training row
    y: NDArray[np.intp]  # (n_samples,): 1 for the class whose probability is modelled
    center: Floats  # (n_groups,): the mean score of each group
    cases: Floats  # (n_groups,): its number of cases
    # (n_groups,): the mean probability in the group, and the observed share of class 1
    expected: Floats
    observed: Floats
    positive: str  # the name of class 1


def score_curve_data(problem: Problem, model: LogisticRegression) -> ScoreCurveData:
    """Divide the training rows by their score into about ten groups of similar size.

    Rows with the same score stay together; up to 16 distinct scores are a group each.
    """
    training = problem.training
    score = model.decision_function(training.data)
    y = np.asarray(training.y)
    counts = training.X[:, -1] if model.grouped else np.ones(len(y))
    counted = counts > 0
    distinct, place = np.unique(score[counted].round(12), return_inverse=True)
    group = np.arange(len(distinct))
    if len(distinct) > MAX_DISTINCT:
        weight = np.bincount(place, counts[counted])
        quantile = (np.cumsum(weight) - weight / 2) / weight.sum()
        group = np.minimum(quantile * N_GROUPS, N_GROUPS - 1).astype(int)
        group = np.unique(group, return_inverse=True)[1]
    of_row = group[place]
    cases = np.bincount(of_row, counts[counted]).astype(np.float64)

    def mean(values: Floats) -> Floats:
        sums = np.bincount(of_row, counts[counted] * values[counted])
        return np.asarray(sums / cases)

    return ScoreCurveData(
        score, y, mean(score), cases, mean(expit(score)), mean(y.astype(float)), problem.classes[1]
    )


def score_curve(run: Run[Problem, LogisticRegression]) -> go.Figure:
    """Draw the observed and the fitted class fractions along the score."""
    return plot_score_curve(score_curve_data(run.problem, run.fitted))


def plot_score_curve(data: ScoreCurveData) -> go.Figure:
    """Draw the logistic curve, the rows at 0 and 1, and the observed share of each group."""
    reach = max(4.0, min(30.0, float(np.abs(data.score).max()) * 1.05))
    x = np.linspace(-reach, reach, 121)
    figure = go.Figure()
    figure.add_scatter(
        x=x, y=expit(x), mode="lines", line={"color": MUTED, "width": 2}, hoverinfo="skip"
    )
    figure.add_scatter(
        x=data.score,
        y=data.y,
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 10, "color": MUTED},
        hovertemplate="score %{x:.4g}<extra></extra>",
    )
    figure.add_scatter(
        x=data.center,
        y=data.observed,
        mode="markers",
        marker={"size": 8 + 14 * np.sqrt(data.cases / data.cases.max()), "color": ACCENT},
        customdata=np.column_stack([data.cases, data.expected]),
        hovertemplate=(
            "%{customdata[0]:.6g} cases<br>observed "
            "%{y:.4f}<br>fitted %{customdata[1]:.4f}<extra></extra>"
        ),
    )
    figure.update_xaxes(title_text="score η", range=[-reach, reach])
    figure.update_yaxes(
        title_text=f"fraction and probability of {plain(data.positive)}", range=[-0.05, 1.05]
    )
    worst = int(np.abs(data.observed - data.expected).argmax())
    title = (
        f"Of {len(data.center)} groups, the one farthest from the curve has the fraction "
        f"{data.observed[worst]:.3f} where {data.expected[worst]:.3f} is fitted."
    )
    return finish(
        figure, title, "Discs: groups of rows with neighbouring scores. Ticks: the rows.", 360
    )
