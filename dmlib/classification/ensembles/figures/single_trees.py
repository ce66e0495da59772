"""The errors of single classifiers and of their mean, and the correlation of their votes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

MAX_ROWS = 500  # rows by which the correlations are computed


@dataclass(frozen=True)
class SingleTreesData:
    """The errors of the classifiers, on the test rows or, without any, out of bag."""

    part: str  # "test" or "out-of-bag"
    single: Floats  # (n_estimators,): NaN for one whose bag has every row
    ensemble: float  # the error of the mean
    correlation: float  # the mean correlation of two votes; NaN where that is not defined


def single_trees_data(run: Run[Problem, VotingClassifier]) -> SingleTreesData:
    """Return the errors of the single classifiers of a run, and of the ensemble.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import BaggingClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": np.arange(8.0), "c": list("xxxyxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = single_trees_data(Run.of(problem, BaggingClassifier(n_estimators=4, random_state=0)))
    >>> data.part, len(data.single)
    ('out-of-bag', 4)
    """
    model, testing, training = run.fitted, run.problem.testing, run.problem.training
    part = training if testing is None else testing
    codes = np.searchsorted(model.classes_, np.asarray(part.y))
    shares = np.array(list(model.each_predict_proba(part.data)))
    is_wrong = (shares.argmax(axis=2) != codes).astype(float)
    if testing is None:
        inside = np.array(
            [np.bincount(bag, minlength=len(codes)) > 0 for bag in model.estimators_samples_]
        )
        counts = (~inside).sum(axis=1)
        single = np.where(
            counts > 0, (is_wrong * ~inside).sum(axis=1) / np.maximum(counts, 1), np.nan
        )
        ensemble = run.trace.steps[-1].oob_error(codes)
        return SingleTreesData("out-of-bag", single, ensemble, _correlation(shares))
    has_class = codes < len(model.classes_)
    ensemble = float((shares.mean(axis=0).argmax(axis=1) != codes)[has_class].mean())
    return SingleTreesData(
        "test", is_wrong[:, has_class].mean(axis=1), ensemble, _correlation(shares)
    )


def _correlation(shares: Floats) -> float:
    """Return the mean correlation between the shares of the first class by two classifiers."""
    varied = shares[:, :MAX_ROWS, 0]
    varied = varied[np.ptp(varied, axis=1) > 0]
    if len(varied) < 2:
        return float("nan")
    each = np.corrcoef(varied)
    return float(each[np.triu_indices(len(each), 1)].mean())


def single_trees(run: Run[Problem, VotingClassifier]) -> go.Figure:
    """Draw the errors of the classifiers of a run, and that of their mean."""
    return plot_single_trees(single_trees_data(run))


def plot_single_trees(data: SingleTreesData) -> go.Figure:
    """Draw the error of each classifier as a point, and that of their mean as a line."""
    figure, numbers = go.Figure(), np.arange(1, len(data.single) + 1)
    figure.add_scatter(
        x=numbers,
        y=data.single,
        mode="markers",
        name="one tree",
        marker={"color": MUTED, "size": 8},
        hovertemplate="tree %{x}: %{y:.1%}<extra></extra>",
    )
    if np.isfinite(data.ensemble):
        figure.add_hline(y=data.ensemble, line={"color": ACCENT, "width": 3})
    figure.update_xaxes(title_text="tree", showgrid=False)
    figure.update_yaxes(title_text=f"{data.part} error", tickformat=".0%", rangemode="tozero")
    single = float(np.nanmean(data.single)) if np.isfinite(data.single).any() else float("nan")
    correlation = f" The votes of two trees correlate by {data.correlation:.2f}."
    if np.isnan(data.correlation):
        correlation = ""
    if np.isnan(data.ensemble) or np.isnan(single):
        title = "Every row is in every bag, so that there is no out-of-bag error."
    else:
        average = f"A single tree misclassifies {percent(single)} on average"
        title = f"{average}, the ensemble {percent(data.ensemble)}."
    note = f"Points: single trees. Blue line: the ensemble.{correlation}"
    return finish(figure, title, note.replace("-0.", "−0."), 320)
