"""The columns with holes, before and after they are filled."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.preprocessing import bin_edges
from dmlib.preprocessing.missing_values.algorithm import Imputer
from dmlib.preprocessing.missing_values.scene import filled_codes
from dmlib.problem import Problem

MAX_COLUMNS = 8
LABEL_ANGLE = 20  # degrees


@dataclass(frozen=True)
class Filled:
    """One column before and after."""

    name: str  # the column
    places: NDArray[np.float64]  # the middles of the bars
    labels: tuple[str, ...]  # of categories; empty for numbers
    known: NDArray[np.float64]  # rows with a known value in each bin
    filled: NDArray[np.float64]  # rows with an imputed value
    spread: tuple[float, float]  # the standard deviation before and after; NaN for names


def before_after_data(run: Run[Problem, Imputer]) -> tuple[Filled, ...]:
    """Count the known and the filled values of the first eight columns with holes.

    Raises
    ------
    ValueError
        If no value is missing.
    """
    X, after, problem = run.problem.X, filled_codes(run), run.problem
    incomplete = np.flatnonzero(np.isnan(X).any(axis=0)).tolist()
    if not incomplete:
        raise ValueError(
            "No value of the chosen columns is missing. Choose another data set, or more columns."
        )
    names = problem.categories
    return tuple(
        _filled(problem.features[j], X[:, j], after[:, j], names.get(j, ()))
        for j in incomplete[:MAX_COLUMNS]
    )


def _filled(name: str, before: Floats, after: Floats, names: tuple[str, ...]) -> Filled:
    is_hole, is_in = np.isnan(before), ~np.isnan(after)
    new = after[is_in & is_hole]
    labels: tuple[str, ...] = ()
    spread = (float("nan"), float("nan"))
    if names:
        labels = (*names, "missing") if (new >= len(names)).any() else tuple(names)
        edges = np.arange(len(labels) + 1) - 0.5
    else:
        edges = bin_edges(after, "natural", 20)
        spread = (_deviation(before[~is_hole]), _deviation(after[is_in]))
    return Filled(
        name=name,
        places=(edges[1:] + edges[:-1]) / 2,
        labels=labels,
        known=np.histogram(before[is_in & ~is_hole], edges)[0].astype(float),
        filled=np.histogram(new, edges)[0].astype(float),
        spread=spread,
    )


def _deviation(x: Floats) -> float:
    return float(x.std(ddof=1)) if len(x) > 1 else float("nan")


def before_after(run: Run[Problem, Imputer]) -> go.Figure:
    """Draw the bars of known values, and on top of them those that were filled."""
    data = before_after_data(run)
    n_rows = ceil(len(data) / 2)
    figure = make_subplots(
        n_rows,
        2,
        subplot_titles=[_title(column) for column in data],
        vertical_spacing=0.32 / n_rows,
        horizontal_spacing=0.1,
    )
    for i, column in enumerate(data):
        place = {"row": i // 2 + 1, "col": i % 2 + 1}
        x = [plain(label) for label in column.labels] or column.places
        tooltip = "%{x}: %{y}"
        bars = {"name": "known", "marker_color": MUTED, "hovertemplate": tooltip}
        figure.add_bar(x=x, y=column.known, **bars, **place)
        bars = {"name": "filled", "marker_color": ACCENT, "hovertemplate": tooltip}
        figure.add_bar(x=x, y=column.filled, **bars, **place)
    note = "Grey: known values. Blue: imputed values. s is the standard deviation."
    if run.model.strategy == "drop":
        note = (
            "Grey: known values of the rows that are left;"
            " the title has the spread of all known values before."
        )
    figure.update_xaxes(tickangle=LABEL_ANGLE)
    title = "The columns with missing values, before and after."
    return finish(figure, title, note, 210 * n_rows, barmode="stack")


def _title(column: Filled) -> str:
    name, (before, after) = plain(column.name), column.spread
    return name if np.isnan(before) else f"{name}: s {before:.4g} → {after:.4g}"
