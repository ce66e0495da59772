"""Restarts compared: how the SSE falls in each, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.kmeans.kcentroids import KCentroids
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.trace import Trace


@dataclass(frozen=True)
class RestartsData:
    """The SSE of each restart."""

    curves: tuple[NDArray[np.float64], ...]  # for each restart, the SSE after each half-step
    # (n_restarts,): the SSE at its end; NaN for a restart that was stopped
    finals: NDArray[np.float64]
    best: int | None  # the first restart with the smallest; None if none has ended
    objective: str = "SSE"


def restarts_data(trace: Trace[KMeans]) -> RestartsData:
    """Collect the SSE of each restart from a trace of k-means.

    Parameters
    ----------
    trace : Trace
        Steps of :class:`dmlib.clustering.KMeans`.

    Returns
    -------
    RestartsData
        One curve for each restart.

    Examples
    --------
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.trace import run
    >>> model = KMeans(2, n_init=3, random_state=0)
    >>> data = restarts_data(run(model, [[0.0], [1.0], [10.0], [11.0]]))
    >>> data.finals.tolist(), data.best
    ([1.0, 1.0, 1.0], 0)
    """
    n_restarts = max(step.restart for step in trace.steps) + 1
    curves: list[list[float]] = [[] for _ in range(n_restarts)]
    finals = np.full(n_restarts, np.nan)
    for step in trace.steps:
        if step.phase in ("assign", "update"):
            curves[step.restart].append(step.inertia)
        elif step.phase == "done":
            finals[step.restart] = step.inertia
    best = int(np.nanargmin(finals)) if np.isfinite(finals).any() else None
    objective = "sum of distances" if isinstance(trace.model, KCentroids) else "SSE"
    return RestartsData(tuple(map(np.array, curves)), finals, best, objective)


def restarts(run: Run[Problem, KMeans]) -> go.Figure:
    """Draw the restarts of a run."""
    return plot_restarts(restarts_data(run.trace))


def plot_restarts(data: RestartsData) -> go.Figure:
    """Draw the curves, the best on top, and below them the final SSE of each restart."""
    figure = make_subplots(rows=2, cols=1, row_heights=[0.6, 0.4], vertical_spacing=0.2)
    other_restarts = [restart for restart in range(len(data.curves)) if restart != data.best]
    best = [] if data.best is None else [data.best]
    for restarts, color, width, size, symbol in (
        (other_restarts, MUTED, 1.2, 9, "circle"),
        (best, ACCENT, 3.5, 15, "star"),
    ):
        x, y, number = _joined(data, restarts)
        figure.add_scatter(
            x=x,
            y=y,
            customdata=number,
            mode="lines",
            line={"width": width, "color": color},
            hovertemplate="restart %{customdata}, half-step %{x}<br>%{y:.6g}<extra></extra>",
            row=1,
            col=1,
        )
        figure.add_scatter(
            x=[restart + 1 for restart in restarts],
            y=data.finals[restarts],
            mode="markers",
            marker={"size": size, "color": color, "symbol": symbol},
            hovertemplate="restart %{x}<br>%{y:.6g} at the end<extra></extra>",
            row=2,
            col=1,
        )
    n = len(data.finals)
    figure.update_xaxes(title_text="half-step", tickformat="d", row=1, col=1)
    figure.update_xaxes(
        title_text="restart", dtick=_tick(n), tick0=0, range=[0.4, n + 0.6], row=2, col=1
    )
    figure.update_yaxes(title_text=data.objective, row=1, col=1)
    figure.update_yaxes(title_text=f"final {data.objective}", row=2, col=1)
    return finish(figure, _title(data), _note(data), 440)


def _joined(data: RestartsData, restarts: Sequence[int]) -> tuple[Any, Any, Any]:
    """Return the curves of some restarts as one line with gaps: half-step, SSE and restart."""
    curves = [np.append(data.curves[restart], np.nan) for restart in restarts]
    if not curves:
        return [], [], []
    half_steps = np.concatenate([np.arange(1, len(curve) + 1) for curve in curves])
    numbers = np.repeat(np.add(restarts, 1), [len(curve) for curve in curves])
    heights = np.concatenate(curves).astype(np.float32)
    return half_steps.astype(np.int32), heights, numbers.astype(np.int32)


def _tick(n: int) -> int:
    return next(tick for tick in (1, 2, 5, 10, 20, 50) if n / tick <= 20)


def _title(data: RestartsData) -> str:
    ended = data.finals[np.isfinite(data.finals)]
    if not ended.size:
        return "No restart has ended."
    if len(data.finals) == 1:
        result = f"One restart, with the {data.objective} {ended[0]:.6g}."
        return f"{result} Set Restarts above 1 to compare several."
    reach = int(np.isclose(ended, ended.min(), rtol=1e-9, atol=0).sum())
    times = "once" if reach == 1 else f"{reach} times"
    smallest = f"The smallest {data.objective}, {ended.min():.6g}"
    return f"{smallest}, was reached {times} in {len(ended)} restarts."


def _note(data: RestartsData) -> str:
    stopped = int(np.isnan(data.finals).sum())
    if data.best is None or stopped:
        return f"{stopped} of {len(data.finals)} restarts did not end."
    if len(data.finals) == 1:
        return ""
    largest = f"The largest is {np.nanmax(data.finals):.6g}."
    return f"{largest} Thick line and star: restart {data.best + 1}, the first of the best."
