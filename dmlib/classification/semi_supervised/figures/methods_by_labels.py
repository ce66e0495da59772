"""Whether rows without a label help: the error of four methods against the number of labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats, Ints
from dmlib.classification import LabelPropagation, LabelSpreading, SelfTrainingClassifier
from dmlib.pictures.figures.style import SYMBOLS, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

NUMBERS = (1, 2, 3, 5, 8, 12)  # labelled rows of each class
N_METHOD_TASKS = 10  # random choices of these rows
MAX_ROWS = 300
ALONE = "base classifier alone"


@dataclass(frozen=True)
class MethodsByLabelsData:
    """Mean errors by the number of labelled rows of each class."""

    numbers: Ints
    errors: Mapping[str, Floats]  # by method, shape (n_numbers,)


def methods_by_labels_data(
    run: Run[Problem, Any], progress: Callable[[Any], None] | None = None
) -> MethodsByLabelsData:
    """Choose labelled rows at random, several times, and measure the error on the others.

    The method of the run has its settings, the others have their defaults. Of a large table some
    rows are used.

    Raises
    ------
    ValueError
        If every class has so few rows that no label can be hidden.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 10.0, 11.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = methods_by_labels_data(Run.of(problem, SelfTrainingClassifier()))
    >>> data.numbers.tolist(), data.errors["self-training"].tolist()
    ([1, 2], [0.0, 0.0])
    """
    X, y = run.problem.training.arguments
    part = slice(None, None, -(-len(X) // MAX_ROWS))
    X, y = X[part], y[part]
    largest = int(np.unique(y, return_counts=True)[1].max())
    numbers = [n for n in NUMBERS if n < largest]
    if not numbers:
        raise ValueError("Every class has a single row, so no label can be hidden.")
    task = partial(_errors, _models(run.model), X, y, numbers)
    table = np.array(list(engine.map(task, range(N_METHOD_TASKS), progress=progress)))
    means = table.mean(axis=0)
    return MethodsByLabelsData(np.array(numbers), dict(zip(_models(run.model), means, strict=True)))


def _models(model: Any) -> dict[str, Any]:
    """Return the methods by name, that of the run with its settings."""
    own = clone(model).set_params(queries=())
    models = {
        "self-training": SelfTrainingClassifier(),
        "label propagation": LabelPropagation(),
        "label spreading": LabelSpreading(),
    }
    models = {name: own if type(each) is type(own) else each for name, each in models.items()}
    base = {name: getattr(model, name) for name in ("estimator",) if hasattr(model, name)}
    if base:
        base["n_neighbors"] = model.n_neighbors
    alone = SelfTrainingClassifier(max_iter=0, **base)
    return {ALONE: alone, **models}


def _errors(
    models: Mapping[str, Any], X: Floats, y: Ints, numbers: list[int], seed: int
) -> list[list[float]]:
    """Return the error of each method, for each number of labels: a task."""
    return [
        [_error(model, X, y, n_labeled=n, random_state=seed) for n in numbers]
        for model in models.values()
    ]


def _error(model: Any, X: Floats, y: Ints, **params: Any) -> float:
    wrong, hidden = clone(model).set_params(**params).fit(X, y).error_
    return float(wrong / hidden)


def plot_methods_by_labels(data: MethodsByLabelsData) -> go.Figure:
    """Draw a line for each method."""
    figure = go.Figure()
    for number, (name, errors) in enumerate(data.errors.items()):
        figure.add_scatter(
            x=data.numbers,
            y=errors,
            mode="lines+markers",
            name=name,
            line={"dash": "dash" if name == ALONE else "solid"},
            marker={"symbol": SYMBOLS[number], "size": 8},
            hovertemplate=f"%{{x}} labels per class<br>{name} %{{y:.1%}}<extra></extra>",
        )
    figure.update_xaxes(title_text="labelled rows per class", tickvals=data.numbers)
    figure.update_yaxes(title_text="error on the others", tickformat=".0%", rangemode="tozero")
    first = {name: float(errors[0]) for name, errors in data.errors.items()}
    best = min(first, key=lambda name: first[name])
    title = (
        f"With {data.numbers[0]} label per class: {ALONE} {percent(first[ALONE])}, "
        f"best {best} {percent(first[best])}."
    )
    note = f"Means over {N_METHOD_TASKS} random choices of the labelled rows."
    return finish(figure, title, note, 340, legend=True)
