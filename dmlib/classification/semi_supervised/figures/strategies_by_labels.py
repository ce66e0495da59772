"""Which label to ask for: the error of each query strategy after each query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats, Ints
from dmlib.classification import ActiveLearner
from dmlib.classification.semi_supervised.active_learning import STRATEGIES
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

N_QUERIES = 30
N_STARTS = 8  # random choices of the labelled rows
N_STRATEGY_TASKS = N_STARTS * len(STRATEGIES)
MAX_ROWS = 200


@dataclass(frozen=True)
class StrategiesByLabelsData:
    """Mean errors after each query."""

    queries: Ints
    errors: Mapping[str, Floats]  # by strategy, shape (n_queries + 1,)


def strategies_by_labels_data(
    run: Run[Problem, Any], progress: Callable[[Any], None] | None = None
) -> StrategiesByLabelsData:
    """Ask for labels by each strategy, from several random starts.

    Of a large table some rows are used.

    Raises
    ------
    ValueError
        If no label is hidden.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 10.0, 11.0], "c": list("xxxyyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = strategies_by_labels_data(Run.of(problem, ActiveLearner(n_labeled=1)))
    >>> data.queries.tolist(), data.errors["random"].tolist()
    ([0, 1, 2, 3, 4], [0.0, 0.0, 0.0, 0.0, 0.0])
    """
    X, y = run.problem.training.arguments
    part = slice(None, None, -(-len(X) // MAX_ROWS))
    X, y = X[part], y[part]
    names = ("estimator", "n_neighbors", "n_labeled")
    base = {name: getattr(run.model, name) for name in names if hasattr(run.model, "estimator")}
    model = ActiveLearner(**base, n_queries=N_QUERIES)
    if not base or not model.n_labeled:
        model.set_params(n_labeled=max(1, run.model.n_labeled or 1))
    if not model.set_params(random_state=0).start(y).hidden.any():
        raise ValueError("Every row has a label, so there is none to ask for.")
    tasks = list(product(STRATEGIES, range(N_STARTS)))
    curves = list(engine.map(partial(_curve, model, X, y), tasks, progress=progress))
    means = np.array(curves).reshape(len(STRATEGIES), N_STARTS, -1).mean(axis=1)
    queries = np.arange(means.shape[1])
    return StrategiesByLabelsData(queries, dict(zip(STRATEGIES, means, strict=True)))


def _curve(model: ActiveLearner, X: Floats, y: Ints, task: tuple[str, int]) -> list[float]:
    """Return the error after each query: a task."""
    strategy, seed = task
    asking = clone(model).set_params(strategy=strategy, random_state=seed)
    steps = [step for step in asking.steps(X, y) if step.phase != "done"]
    return [float(step.error[0] / step.error[1]) for step in steps]


def plot_strategies_by_labels(data: StrategiesByLabelsData) -> go.Figure:
    """Draw a line for each strategy; strategies that agree lie on each other."""
    figure = go.Figure()
    for name, errors in data.errors.items():
        label = name.replace("_", " ")
        figure.add_scatter(
            x=data.queries,
            y=errors,
            mode="lines",
            name=label,
            line={"dash": {"random": "dash", "margin": "dot"}.get(name, "solid")},
            hovertemplate=f"%{{x}} queries<br>{label} %{{y:.1%}}<extra></extra>",
        )
    figure.update_xaxes(title_text="queries")
    figure.update_yaxes(title_text="error", tickformat=".0%", rangemode="tozero")
    means = {name: float(errors.mean()) for name, errors in data.errors.items()}
    asked = {name: mean for name, mean in means.items() if name != "random"}
    best = min(asked, key=lambda name: asked[name])
    title = (
        f"Mean error over {data.queries[-1]} queries: {best.replace('_', ' ')} "
        f"{percent(means[best])}, random order {percent(means['random'])}."
    )
    note = (
        f"Means over {N_STARTS} random choices of the first labels; the error is that of all rows "
        "without a label at the start."
    )
    return finish(figure, title, note, 340, legend=True)
