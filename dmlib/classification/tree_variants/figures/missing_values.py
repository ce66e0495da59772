"""Test error against the fraction of missing values, for each treatment."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from dmlib.classification.tree_variants.missing import (
    MECHANISMS,
    REPEATS,
    SHARES,
    MissingWays,
    missing_ways,
)
from dmlib.classification.tree_variants.variant import VariantTree
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

NAMES = {
    "fractional": "fractional rows (C4.5)",
    "surrogate": "surrogates (CART)",
    "category": "separate category",
    "impute": "mean or mode",
    "drop": "complete rows only",
}
"""The names of the treatments."""
N_DRAWS = len(MECHANISMS) * len(SHARES) * REPEATS
LOOKS = {
    "fractional": (ACCENT, "solid"),
    "surrogate": (ACCENT, "dot"),
    "category": (MUTED, "solid"),
    "impute": (MUTED, "dot"),
    "drop": (MUTED, "dash"),
}


def missing_values_data(
    run: Run[Problem, VariantTree], progress: Callable[[float], None] = lambda _: None
) -> MissingWays:
    """Compare the treatments on the table of a run; ``progress`` is called after each draw.

    Without test rows the error is that of the training rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import ObliviousTree
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": range(20), "b": range(20), "c": ["x"] * 10 + ["y"] * 10})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> float(missing_values_data(Run.of(problem, ObliviousTree())).errors["MAR", "fractional"][0])
    0.0
    """
    X, y = run.problem.training.arguments
    testing = run.problem.testing
    test = (X, y) if testing is None else testing.arguments
    return missing_ways(X, y, *test, random_state=run.seed, progress=progress)


def plot_missing_values(data: MissingWays) -> go.Figure:
    """Draw the errors against the fraction of missing values, a panel for each mechanism."""
    mechanisms = list(dict.fromkeys(mechanism for mechanism, _ in data.errors))
    figure = go.Figure()
    for i, mechanism in enumerate(mechanisms):
        axis = "" if i == 0 else str(i + 1)
        for treatment, name in NAMES.items():
            color, dash = LOOKS[treatment]
            figure.add_scatter(
                x=data.shares,
                y=data.errors[mechanism, treatment],
                name=name,
                mode="lines+markers",
                xaxis=f"x{axis}",
                yaxis="y",
                line={"color": color, "dash": dash},
                marker={"color": color, "size": 6},
                showlegend=i == 0,
                hovertemplate=f"{mechanism}, {name}<br>%{{x:.1%}} gaps: %{{y:.1%}}<extra></extra>",
            )
        low, high = i / len(mechanisms) + 0.02 * (i > 0), (i + 1) / len(mechanisms) - 0.02
        title = {
            "MCAR": "fraction missing, at random",
            "MAR": "fraction missing, more where the last is high",
        }
        figure.update_layout(
            {
                f"xaxis{axis}": {
                    "domain": [low, high],
                    "tickformat": ".0%",
                    "title": {"text": title[mechanism]},
                }
            }
        )
    figure.update_yaxes(tickformat=".0%", title_text="test error", rangemode="tozero")
    note = (
        "The same cells are missing for all methods, in training and test rows; means of 3 draws."
        " Min. 3 rows per leaf."
    )
    return finish(figure, _title(data), note, 380).update_layout(showlegend=True)


def _title(data: MissingWays) -> str:
    last = {
        treatment: float(np.nan_to_num(data.errors["MCAR", treatment][-1], nan=1.0))
        for treatment in NAMES
    }
    best, worst = min(last, key=last.__getitem__), max(last, key=last.__getitem__)
    return (
        f"With {percent(data.shares[-1])} missing at random, {NAMES[best]} has the smallest error,"
        f" {percent(last[best])}, and {NAMES[worst]} the largest, {percent(last[worst])}."
    )
