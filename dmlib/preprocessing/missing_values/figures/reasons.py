"""Tests of why values are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import MCARReport, mcar_report

MOST = 20
LEVEL = 0.05
LEAST = 1e-12  # smaller p-values are drawn as this


def reasons_data(run: Run) -> MCARReport:
    """Test the rows of a run.

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


def _named(run: Run) -> pd.DataFrame:
    """Return the rows with the names of their columns, which an array of numbers has not."""
    data = run.problem.data
    return (
        data
        if isinstance(data, pd.DataFrame)
        else pd.DataFrame(data, columns=list(run.problem.features))
    )


def reasons(run: Run) -> go.Figure:
    """Draw the p-values of the t and chi-squared tests, and tell Little's."""
    report = reasons_data(run)
    tests = report.tests.dropna().sort_values("p_value", kind="stable")
    shown = tests.head(MOST)[::-1]
    labels = [
        f"{plain(m)} missing | {plain(o)}"
        for m, o in zip(shown["missing"], shown["other"], strict=True)
    ]
    strength = -np.log10(np.maximum(shown["p_value"].to_numpy(float), LEAST))
    figure = go.Figure(
        go.Bar(
            x=strength,
            y=labels,
            orientation="h",
            marker_color=[ACCENT if p < LEVEL else MUTED for p in shown["p_value"]],
            text=[
                f"{'t' if test == 't' else 'χ²'} = {s:.3g}, p = {p:.2g}"
                for test, s, p in zip(
                    shown["test"], shown["statistic"], shown["p_value"], strict=True
                )
            ],
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    figure.add_vline(x=-np.log10(LEVEL), line={"width": 1, "dash": "dash", "color": MUTED})
    if np.isnan(report.p_value):
        title = "Little's test needs two columns of numbers and several patterns of missing values."
    else:
        what = "MCAR is rejected" if report.p_value < LEVEL else "MCAR is not rejected"
        title = (
            f"Little: d² = {report.statistic:.4g}, {report.dof:g} df, p = {report.p_value:.2g}:"
            f" {what}."
        )
    note = (
        "Each bar compares another column of rows with and without the value: Welch's t for"
        f" numbers, χ² for names. Dashed: p = 0.05. Of {len(tests)} tests, about"
        f" {len(tests) * LEVEL:.2g} fall below it by chance. None can tell whether the missing"
        " value itself was the reason (MNAR)."
    )
    figure.update_xaxes(title_text="−log₁₀ p")
    return finish(figure, title, note, 26 * len(shown) + 60).update_layout(margin_l=190)
