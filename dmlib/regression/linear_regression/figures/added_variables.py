"""Added-variable plots: the part of each term that the other terms do not explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.figures.absolute import refuse_other

MAX_TERMS = 6


@dataclass(frozen=True)
class AddedVariable:
    """The residuals of the target and of a term on all other terms."""

    name: str  # the term
    # (n_samples,): residuals of the term and of the target
    x: Floats
    y: Floats
    slope: float  # of the line through them: the term's coefficient in the whole model


def added_variables_data(data: LeastSquares, names: Any) -> list[AddedVariable]:
    """Return the added-variable plots of the first terms.

    Examples
    --------
    >>> Z = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]])
    >>> data = LeastSquares.of(Z, Z @ [2.0, -1.0], True)
    >>> [round(part.slope, 6) for part in added_variables_data(data, ["a", "b"])]
    [2.0, -1.0]
    """
    plots = []
    for j, name in enumerate(names[:MAX_TERMS]):
        other_terms = np.delete(data.C, j, axis=1)
        term_and_target = np.column_stack([data.C[:, j], data.t])
        if other_terms.size:
            coef = np.linalg.lstsq(other_terms, term_and_target, rcond=None)[0]
            term_and_target = term_and_target - other_terms @ coef
        x, y = term_and_target.T
        size = float(x @ x)
        is_explained = size <= 1e-18 * float(data.C[:, j] @ data.C[:, j])
        slope = np.nan if is_explained else float(x @ y) / size
        plots.append(AddedVariable(name, x, y, slope))
    return plots


def added_variables(run: Run[Problem, LinearRegression]) -> go.Figure:
    """Draw one small plot for each term."""
    refuse_other(run)
    model, learned = run.fitted, run.problem.training
    names = model.term_names(run.problem.features)
    parts = added_variables_data(model.least_squares(learned.data, np.asarray(learned.y)), names)
    columns = min(len(parts), 2)
    rows = -(-len(parts) // columns)
    titles = [f"{plain(part.name)}: b = {part.slope:.4g}" for part in parts]
    figure = make_subplots(rows, columns, subplot_titles=titles, vertical_spacing=0.3 / rows)
    labels = [plain(label) for label in learned.labels]
    for i, part in enumerate(parts):
        place = {"row": i // columns + 1, "col": i % columns + 1}
        marker = {"size": 6, "color": ACCENT, "opacity": 0.7}
        figure.add_scatter(
            x=part.x,
            y=part.y,
            mode="markers",
            marker=marker,
            customdata=learned.rows + 1,
            text=labels,
            hovertemplate="%{text}<extra></extra>",
            **place,
        )
        ends = np.array([part.x.min(), part.x.max()])
        figure.add_scatter(
            x=ends,
            y=part.slope * ends,
            mode="lines",
            line={"color": MUTED},
            hoverinfo="skip",
            **place,
        )
    figure.update_annotations(font_size=13)
    title = "What each term explains beyond the others."
    if len(model.terms_) > MAX_TERMS:
        title += f" The first {MAX_TERMS} of {len(model.terms_)} terms."
    note = (
        "Across and up: residuals of the term and of the target on all other terms; the slope is"
        " its coefficient."
    )
    return finish(figure, title, note, 90 + 250 * rows)
