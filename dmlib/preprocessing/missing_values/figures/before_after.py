"""The columns with holes, before and after they are filled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import bin_edges
from dmlib.preprocessing.missing_values.scene import filled_codes

MOST = 8
TURN = 20  # degrees of labels


@dataclass(frozen=True)
class Filled:
    """One column before and after."""

    name: str  # the column
    places: NDArray[np.float64]  # the middles of the bars
    labels: tuple[str, ...]  # of categories; empty for numbers
    known: NDArray[np.float64]  # rows with a known value in each bin
    filled: NDArray[np.float64]  # rows whose value was put there
    spread: tuple[float, float]  # the standard deviation before and after; NaN for names


def before_after_data(run: Run) -> tuple[Filled, ...]:
    """Count the known and the filled values of the first eight columns with holes.

    Raises
    ------
    ValueError
        If no value is missing.
    """
    X, after, problem = run.problem.X, filled_codes(run), run.problem
    told = []
    for j in np.flatnonzero(np.isnan(X).any(axis=0))[:MOST]:
        kept = ~np.isnan(after[:, j])
        gone, names = np.isnan(X[:, j]), problem.categories.get(int(j), ())
        new = after[kept & gone, j]
        old = X[kept & ~gone, j]
        if names:
            labels = (*names, "missing") if (new >= len(names)).any() else tuple(names)
            edges = np.arange(len(labels) + 1) - 0.5
        else:
            labels, edges = (), bin_edges(after[:, j], "natural", 20)
        known, put = (np.histogram(part, edges)[0].astype(float) for part in (old, new))
        before = X[~gone, j]
        pair = [
            float("nan") if names or len(x) < 2 else float(x.std(ddof=1))
            for x in (before, after[kept, j])
        ]
        told.append(
            Filled(
                problem.features[j],
                (edges[1:] + edges[:-1]) / 2,
                labels,
                known,
                put,
                (pair[0], pair[1]),
            )
        )
    if not told:
        raise ValueError(
            "No value of the chosen columns is missing. Choose another data set, or more columns."
        )
    return tuple(told)


def before_after(run: Run) -> go.Figure:
    """Draw the bars of known values, and on top of them those that were filled."""
    data = before_after_data(run)
    down = -(-len(data) // 2)
    names = [plain(each.name) for each in data]
    titles = [
        (
            name
            if np.isnan(each.spread[0])
            else f"{name}: s {each.spread[0]:.4g} → {each.spread[1]:.4g}"
        )
        for name, each in zip(names, data, strict=True)
    ]
    figure = make_subplots(
        down, 2, subplot_titles=titles, vertical_spacing=0.32 / down, horizontal_spacing=0.1
    )
    for i, each in enumerate(data):
        place = {"row": i // 2 + 1, "col": i % 2 + 1}
        x = [plain(label) for label in each.labels] or each.places
        for label, heights, color in (
            ("known", each.known, MUTED),
            ("filled", each.filled, ACCENT),
        ):
            figure.add_bar(
                x=x, y=heights, name=label, marker_color=color, hovertemplate="%{x}: %{y}", **place
            )
    if run.model.strategy == "drop":
        note = (
            "Grey: known values of the rows that are left; the title has the spread of all known"
            " values before."
        )
    else:
        note = "Grey: known values. Blue: imputed values. s is the standard deviation."
    figure.update_xaxes(tickangle=TURN)
    return finish(
        figure,
        "The columns with missing values, before and after.",
        note,
        210 * down,
        barmode="stack",
    )
