"""Retrieval: a row that the components do not know, and its nearest rows by their scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.decomposition.pca.algorithm import PCA
from dmlib.decomposition.pixels import pixel_grid
from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

N_NEAREST = 4
MAX_COLUMNS = 40  # of a strip
AS_IS, TURNED = "as it is", "upside down"


@dataclass(frozen=True)
class Answer:
    """The rows that are nearest to one row by their scores, and how far it is from the space."""

    query: Floats  # (n_features,): the row, in the units of the table
    rebuilt: Floats  # (n_features,): what its scores give back
    away: float  # norm of what is left: the distance from the space of the components
    nearest: NDArray[np.intp]  # the samples with the nearest scores
    distances: Floats  # of their scores


@dataclass(frozen=True)
class RetrievalData:
    """The answers for a row, and the same upside down where it is a picture."""

    n_components: int
    number: int  # of the row in the table, from 1
    answers: Mapping[str, Answer]
    farthest: float  # of the rows that were learned from, from the space of the components
    rows: Floats  # (n_samples, n_features): in the units of the table
    labels: tuple[str, ...]  # of all samples: row and class
    grid: tuple[int, int] | None  # height and width of the pictures that the rows are


def retrieval_data(model: PCA, problem: Problem, sample: int) -> RetrievalData:
    """Leave a row out, find the components of the others, and its nearest rows by their scores.

    Raises
    ------
    ValueError
        If there are fewer than three rows.

    References
    ----------
    M. Turk and A. Pentland (1991), Eigenfaces for recognition. Journal of Cognitive Neuroscience 3.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 2.0, 4.0, 5.0], "b": 0.0, "c": 0.0}), ["a", "b"])
    >>> answer = retrieval_data(PCA(1), problem, 3).answers["as it is"]
    >>> answer.nearest.tolist(), answer.distances.tolist(), answer.away
    ([2, 1, 0], [1.0, 3.0, 5.0], 0.0)
    """
    X, n = problem.X, len(problem.X)
    if n < 3:
        raise ValueError("One row is left out, and one alone has no components. Choose more rows.")
    training = np.delete(np.arange(n), sample)
    wanted = n - 1 if model.n_components is None else model.n_components
    fitted = clone(model).set_params(n_components=min(wanted, n - 1, X.shape[1])).fit(X[training])
    grid = pixel_grid(problem.features)
    queries = {AS_IS: X[sample]}
    if grid:
        queries[TURNED] = _upside_down(problem, X[sample], grid)
    scores = fitted.transform(X[training])
    residuals = X[training] - fitted.inverse_transform(scores)
    return RetrievalData(
        n_components=fitted.n_components_,
        number=int(problem.rows[sample]) + 1,
        answers={
            name: _answer(fitted, problem, x, training, scores) for name, x in queries.items()
        },
        farthest=max(_norm(each, X) for each in residuals),
        rows=problem.unscaled(X),
        labels=tuple(_label(problem, i) for i in range(n)),
        grid=grid,
    )


def _upside_down(problem: Problem, x: Floats, grid: tuple[int, int]) -> Floats:
    turned = problem.unscaled(x).reshape(grid)[::-1].ravel()
    if problem.shift is None or problem.unit is None:
        return turned
    scaled: Floats = (turned - problem.shift) / problem.unit
    return scaled


def _answer(
    fitted: PCA, problem: Problem, x: Floats, training: NDArray[np.intp], scores: Floats
) -> Answer:
    own = fitted.transform(x[None])
    rebuilt = fitted.inverse_transform(own)[0]
    distances = np.linalg.norm(scores - own, axis=1)
    order = np.argsort(distances, kind="stable")[:N_NEAREST]
    return Answer(
        query=problem.unscaled(x),
        rebuilt=problem.unscaled(rebuilt),
        away=_norm(x - rebuilt, problem.X),
        nearest=training[order],
        distances=distances[order],
    )


def _norm(residual: Floats, X: Floats) -> float:
    """Return the norm of what is left, 0 if it is the rounding of such rows."""
    norm = float(np.linalg.norm(residual))
    return norm if norm > 1e-12 * float(np.abs(X).max()) * len(residual) else 0.0


def _label(problem: Problem, sample: int) -> str:
    row = f"row {problem.rows[sample] + 1}"
    if problem.y is None or not problem.classes or problem.y[sample] < 0:
        return row
    return f"{row}<br>{plain(problem.classes[problem.y[sample]])}"


def nearest_rows(run: Run[Problem, PCA]) -> go.Figure:
    """Draw the nearest rows of the selected one, or of the first."""
    return plot_retrieval(retrieval_data(run.model, run.problem, run.selected or 0))


def plot_retrieval(data: RetrievalData) -> go.Figure:
    """Draw a row, what its scores give back, and its nearest rows, each with its distance.

    Rows that are no pictures are strips, one cell for each column, from its smallest value to its
    largest.
    """
    figure = make_subplots(rows=len(data.answers), cols=1, vertical_spacing=0.3)
    for i, answer in enumerate(data.answers.values(), start=1):
        _draw(figure, i, answer, data)
    first = data.answers[AS_IS]
    nearest = data.labels[first.nearest[0]].replace("<br>", ", ")
    scores = count(data.n_components, "score", "scores")
    title = f"Row {data.number} is left out, and found by {scores}: the nearest is {nearest}."
    note = (
        "Below each row: the distance of its scores. Below what is rebuilt: the distance from the"
        f" space of the components, at most {num4(data.farthest)} for the rows that they are from."
    )
    if data.grid:
        note += " And upside down: is it a picture of that kind at all?"
    return finish(figure, title, note, 190 * len(data.answers) + 20)


def _draw(figure: go.Figure, line: int, answer: Answer, data: RetrievalData) -> None:
    """Draw the pictures of one answer beside each other."""
    n_columns = len(answer.query) if data.grid else min(len(answer.query), MAX_COLUMNS)
    height, width = data.grid or (n_columns, 1)
    low: Any = 0.0 if data.grid else data.rows.min(axis=0)
    spread = np.asarray(data.rows.max() if data.grid else np.ptp(data.rows, axis=0))
    pictures = np.vstack([answer.query, answer.rebuilt, data.rows[answer.nearest]])
    shades = ((pictures - low) / np.where(spread > 0, spread, 1.0))[:, :n_columns]
    mosaic = np.full((height, len(shades) * (width + 1) - 1), np.nan)
    for j, picture in enumerate(shades):
        x = j * (width + 1)
        mosaic[:, x : x + width] = picture.reshape(height, width)
    scale = {"zmin": 0, "zmax": 1, "colorscale": "Greys", "showscale": False}
    figure.add_heatmap(z=mosaic, **scale, hoverinfo="skip", connectgaps=False, row=line, col=1)
    name = f"row {data.number}"
    if line > 1:
        name += "<br>upside<br>down"
    neighbours = zip(answer.nearest, answer.distances, strict=True)
    figure.update_xaxes(
        tickvals=[j * (width + 1) + (width - 1) / 2 for j in range(len(shades))],
        ticktext=[
            name,
            f"rebuilt<br>{num4(answer.away)}",
            *(f"{data.labels[i]}<br>{num4(distance)}" for i, distance in neighbours),
        ],
        tickangle=0,
        ticks="",
        showgrid=False,
        zeroline=False,
        constrain="domain",
        row=line,
        col=1,
    )
    anchor = {"scaleanchor": f"x{line if line > 1 else ''}", "constrain": "domain"}
    figure.update_yaxes(
        autorange="reversed",
        showticklabels=False,
        ticks="",
        showgrid=False,
        zeroline=False,
        **(anchor if data.grid else {}),
        row=line,
        col=1,
    )
