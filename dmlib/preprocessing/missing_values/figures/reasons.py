"""Tests of why values are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import MCARReport, mcar_report
from dmlib.preprocessing.missing_values.algorithm import Imputer
from dmlib.problem import Problem

MAX_TESTS = 20
LEVEL = 0.05
MIN_P = 1e-12  # smaller p-values are drawn as this


def reasons_data(run: Run[Problem, Imputer]) -> MCARReport:
    """Test whether the values of a run are missing completely at random.

    Raises
    ------
    ValueError
        If no value is missing.
    """
    if not np.isnan(run.problem.X).any():
        raise ValueError(
            "No value of the chosen columns is missing. Choose another data set, or more columns."
        )
    report: MCARReport = run.once("missing_values.report", lambda: mcar_report(_named(run)))
    return report


def _named(run: Run[Problem, Imputer]) -> pd.DataFrame:
    """Return the rows with the names of their columns, which an array of numbers has not."""
    data = run.problem.data
    if isinstance(data, pd.DataFrame):
        return data
    return pd.DataFrame(data, columns=list(run.problem.features))


def reasons(run: Run[Problem, Imputer]) -> go.Figure:
    """Draw the p-values of the t and chi-squared tests; the title has Little's."""
    report = reasons_data(run)
    tests = report.tests.dropna().sort_values("p_value", kind="stable")
    first = tests.head(MAX_TESTS)[::-1]
    pairs = zip(first["missing"], first["other"], strict=True)
    labels = [f"{plain(missing)} missing | {plain(column)}" for missing, column in pairs]
    values = first[["test", "statistic", "p_value"]].to_numpy()
    signs = {"t": "t", "chi-squared": "χ²"}
    texts = [f"{signs[test]} = {s:.3g}, p = {p:.2g}" for test, s, p in values]
    strength = -np.log10(np.maximum(first["p_value"].to_numpy(float), MIN_P))
    figure = go.Figure(
        go.Bar(
            x=strength,
            y=labels,
            orientation="h",
            marker_color=[ACCENT if p < LEVEL else MUTED for p in first["p_value"]],
            text=texts,
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    figure.add_vline(x=-np.log10(LEVEL), line={"width": 1, "dash": "dash", "color": MUTED})
    if np.isnan(report.p_value):
        title = "Little's test needs two columns of numbers and several patterns of missing values."
    else:
        verdict = "MCAR is rejected" if report.p_value < LEVEL else "MCAR is not rejected"
        numbers = f"d² = {report.statistic:.4g}, {report.dof:g} df, p = {report.p_value:.2g}"
        title = f"Little: {numbers}: {verdict}."
    by_chance = f"about {len(tests) * LEVEL:.2g} fall below it by chance"
    note = (
        "Each bar compares another column of rows with and without the value:"
        " Welch's t for numbers, χ² for names."
        f" Dashed: p = 0.05. Of {len(tests)} tests, {by_chance}."
        " None can tell whether the missing value itself was the reason (MNAR)."
    )
    figure.update_xaxes(title_text="−log₁₀ p")
    return finish(figure, title, note, 26 * len(first) + 60).update_layout(margin_l=190)
