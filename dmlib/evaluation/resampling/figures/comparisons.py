"""The difference of two models, and the best of many models on one test set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy import stats

from dmlib.evaluation.models import title_of
from dmlib.evaluation.resampling.base import Resampling
from dmlib.evaluation.resampling.leakage import tuning
from dmlib.evaluation.resampling.ledger import Rivals
from dmlib.evaluation.resampling.scene import rivals
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

N_MODELS = (1, 2, 5, 10, 20, 50, 100, 200)


def two_models(run: Run[Problem, Resampling]) -> go.Figure:
    """Draw the difference of two models with its confidence intervals."""
    comparison = rivals(run)
    if comparison is None:
        raise ValueError("Choose another model to compare with, in the settings of the picture.")
    if isinstance(comparison, str):
        raise ValueError(comparison)
    return plot_two_models(comparison, title_of(run.model.model))


def plot_two_models(comparison: Rivals, name: str) -> go.Figure:
    """Draw the mean difference of the errors with two confidence intervals of 95 %."""
    figure = go.Figure()
    tests = (("paired t", comparison.paired), ("corrected t", comparison.corrected))
    for i, (label, test) in enumerate(tests):
        reach = test.error * stats.t.ppf(0.975, test.df) if test.df else np.nan
        figure.add_scatter(
            x=[test.difference],
            y=[i],
            mode="markers",
            error_x={"array": [reach], "thickness": 3},
            marker={"size": 12, "symbol": ("circle", "square")[i], "color": ACCENT},
            hovertemplate=(
                f"{label}: {test.difference:.4g} ± {reach:.3g}, p ="
                f" {test.p_value:.3g}<extra></extra>"
            ),
        )
    figure.add_vline(x=0, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_yaxes(
        zeroline=False, tickvals=[0, 1], ticktext=["paired t", "corrected t"], range=[1.6, -0.6]
    )
    figure.update_xaxes(title_text=f"error of {name} less that of {comparison.name}")
    p, uncorrected = comparison.corrected.p_value, comparison.paired.p_value
    title = f"Corrected for shared training rows, p = {p:.2g}; uncorrected {uncorrected:.2g}."
    if np.isnan(p):
        title = "The difference is the same in all splits: nothing varies, so t is not defined."
    note = (
        "Intervals of 95 %. Left of 0 the first model is better. Uncorrected, the interval is too"
        " short."
    )
    if comparison.rows is not None:
        note += f" McNemar, row by row: p = {comparison.rows.p_value:.2g}."
    finish(figure, title, note, 260)
    return figure.update_layout(margin={"l": 100})


@dataclass(frozen=True, eq=False)
class TuningData:
    """The best of random models on one test set."""

    n_test: int  # rows of the test set
    n_models: tuple[int, ...]
    mean: NDArray[np.float64]  # error rate of the best, on the test set
    low: NDArray[np.float64]  # its 5 % quantile
    high: NDArray[np.float64]  # its 95 % quantile


def tuning_data(n_test: int, seed: int = 0) -> TuningData:
    """Choose the best of 1, 2, ... random models on a test set.

    Examples
    --------
    >>> tuning_data(20).mean[0].round(1)
    np.float64(0.5)
    """
    best = tuning(n_test, N_MODELS, random_state=seed)
    low, high = np.quantile(best, [0.05, 0.95], axis=1)
    return TuningData(n_test, N_MODELS, best.mean(axis=1), low, high)


def optimism_of_tuning(run: Run[Problem, Resampling]) -> go.Figure:
    """Draw the error of the best of many models on the test set that chose it."""
    return plot_tuning(tuning_data(len(run.fitted.splits_[0].test), run.seed))


def plot_tuning(data: TuningData) -> go.Figure:
    """Draw the error of the best model on the test set, and its true error."""
    figure = go.Figure()
    figure.add_scatter(
        x=data.n_models,
        y=data.mean,
        mode="lines+markers",
        line={"color": ACCENT, "width": 3},
        error_y={"array": data.high - data.mean, "arrayminus": data.mean - data.low},
        hovertemplate="best of %{x} models: %{y:.3f}<extra></extra>",
    )
    figure.add_hline(y=0.5, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(
        title_text="models tried on the same test set", type="log", tickvals=list(data.n_models)
    )
    figure.update_yaxes(title_text="error rate of the best", range=[0, 0.7])
    title = (
        f"The best of 100 random models misclassifies {percent(data.mean[6])} of {data.n_test} test"
        " rows."
    )
    note = (
        "The true error of each is 0.5 (dotted). Bars: 5 to 95 % of 500 repetitions. Nested folds"
        " avoid it."
    )
    return finish(figure, title, note, 320)
