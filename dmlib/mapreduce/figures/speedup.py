"""The makespan by the number of workers, with and without a combiner, against the ideal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import LinesProblem

MAX_WORKERS = 12


@dataclass(frozen=True)
class SpeedupData:
    """The makespan on 1, 2, ... workers.

    Attributes
    ----------
    with_combiner, without : ndarray of shape (n,)
        Seconds.
    moved_with, moved_without : int
        Bytes that cross the network on the number of workers on the screen.
    """

    with_combiner: NDArray[np.float64]
    without: NDArray[np.float64]
    moved_with: int
    moved_without: int


def speedup_data(run: Run[LinesProblem, Any]) -> SpeedupData:
    """Schedule the job of a run on 1 to 12 workers, none of which dies."""
    seconds: list[NDArray[np.float64]] = []
    moved: list[int] = []
    for combiner in (True, False):
        model = clone(run.model).set_params(combiner=combiner, failure=None)
        model.fit(*run.problem.arguments)
        schedules = [model.scheduled(model.history_, n) for n in range(1, MAX_WORKERS + 1)]
        seconds.append(np.array([schedule[-1].end for schedule in schedules]))
        moved.append(sum(attempt.n_bytes for attempt in model.attempts_))
    return SpeedupData(seconds[0], seconds[1], moved[0], moved[1])


def speedup(run: Run[LinesProblem, Any]) -> go.Figure:
    """Draw the makespan against the number of workers."""
    data, workers = speedup_data(run), np.arange(1, MAX_WORKERS + 1)
    figure = go.Figure()
    for name, seconds in (("with combiner", data.with_combiner), ("without", data.without)):
        figure.add_scatter(
            x=workers,
            y=seconds,
            name=name,
            mode="lines+markers",
            hovertemplate=f"%{{x}} workers, {name}: %{{y:.4g}} s<extra></extra>",
        )
    ideal = data.without[0] / workers
    figure.add_scatter(
        x=workers, y=ideal, name="ideal", mode="lines", line={"dash": "dot", "color": MUTED}
    )
    figure.add_vline(x=run.model.n_workers, line={"dash": "dot", "width": 1, "color": MUTED})
    figure.update_xaxes(title="workers", dtick=1)
    figure.update_yaxes(title="makespan, s", rangemode="tozero")
    n_bytes, n_without = data.moved_with, data.moved_without
    title = f"{n_bytes} bytes cross the network with a combiner, {n_without} without"
    ideal_time = "Ideal: one worker's time without a combiner, divided by the workers"
    return finish(figure, title, f"{ideal_time}. One worker moves no data.", 340, legend=True)
