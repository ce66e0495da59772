"""The ranks that all detectors give to the rows that one of them puts first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.anomaly_detection import (
    BoxPlotFences,
    IsolationForest,
    KthNeighborDistance,
    LocalOutlierFactor,
    MahalanobisDistance,
)
from dmlib.arrays import Ints
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import num
from dmlib.problem import Problem

N_FIRST = 5  # rows that each method puts first
DETECTORS: dict[str, type[Any]] = {
    "LOF": LocalOutlierFactor,
    "k-th neighbour": KthNeighborDistance,
    "Isolation forest": IsolationForest,
    "Mahalanobis": MahalanobisDistance,
    "Fences": BoxPlotFences,
}


@dataclass(frozen=True)
class RankingsData:
    """Ranks by several detectors."""

    names: tuple[str, ...]  # of the detectors
    rows: Ints  # (n_rows,): numbers from 1 of the rows that one of them puts first
    ranks: NDArray[np.intp]  # (n_rows, n_detectors), from 1
    aucs: tuple[float | None, ...]  # of each detector, where anomalies are known


def rankings_data(run: Run[Problem, Any]) -> RankingsData:
    """Rank the rows by every detector: that of the run with its settings, the others as they open.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.5, 30.0]}), ["a"])
    >>> data = rankings_data(Run.of(problem, KthNeighborDistance(1)))
    >>> data.ranks[data.rows == 5].tolist()
    [[5, 1, 1, 1, 1]]
    """
    params = {"anomaly_class": run.model.anomaly_class, "random_state": run.seed}
    fitted = [
        run.fitted
        if isinstance(run.model, detector)
        else _detector(detector, params).fit(run.problem.X, run.problem.y)
        for detector in DETECTORS.values()
    ]
    orders = [np.argsort(-model.scores_, kind="stable") for model in fitted]
    ranks = np.column_stack([np.argsort(order) for order in orders]) + 1
    rows = np.unique([order[:N_FIRST] for order in orders])
    rows = rows[np.argsort(np.median(ranks[rows], axis=1), kind="stable")]
    return RankingsData(
        names=tuple(DETECTORS),
        rows=run.problem.rows[rows] + 1,
        ranks=ranks[rows],
        aucs=tuple(model.auc_ for model in fitted),
    )


def _detector(algorithm: Any, params: dict[str, Any]) -> Any:
    """Return a detector with those of the parameters that it has."""
    model = algorithm()
    return model.set_params(**{name: params[name] for name in params.keys() & model.get_params()})


def plot_rankings(data: RankingsData) -> go.Figure:
    """Draw a column for each detector, and in each cell the rank of a row."""
    labels = [
        name if auc is None else f"{name}<br>AUC {num(auc, 3)}"
        for name, auc in zip(data.names, data.aucs, strict=True)
    ]
    figure = go.Figure(
        go.Heatmap(
            z=np.log(data.ranks),
            x=labels,
            y=[f"row {row}" for row in data.rows],
            text=data.ranks,
            texttemplate="%{text}",
            hovertemplate="%{y}, %{x}: rank %{text}<extra></extra>",
            colorscale="Blues_r",
            showscale=False,
        )
    )
    figure.update_yaxes(autorange="reversed")
    n_agreed = int((data.ranks <= N_FIRST).all(axis=1).sum())
    title = f"{n_agreed} of {len(data.rows)} rows are among the first {N_FIRST} of every method"
    note = "Rank 1 is the highest score; all rows are listed that a method puts among the first."
    return finish(figure, title, note, 26 * len(data.rows) + 60)


def rankings(run: Run[Problem, Any]) -> go.Figure:
    """Draw the ranks by every detector."""
    return plot_rankings(rankings_data(run))
