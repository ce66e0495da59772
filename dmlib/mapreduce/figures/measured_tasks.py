"""The task stream of the engine as it was measured: which worker did which map task, and when."""

from __future__ import annotations

from functools import partial

import plotly.graph_objects as go

from dmlib import engine
from dmlib.engine import Task
from dmlib.mapreduce.base import lines_of
from dmlib.mapreduce.execution import map_task, splits
from dmlib.pictures.figures.style import ACCENT, finish, plain
from dmlib.pictures.run import Run


def measured(run: Run) -> list[Task]:
    """Do the map tasks of the first round once more on the engine; return what it says of each, in their order."""
    model, lines = run.model, lines_of(*run.problem.arguments)
    do = partial(map_task, model._job(lines), model.combiner, model.n_reducers, model.partitioner)
    tasks: list[Task] = []
    for _ in engine.map(do, splits(lines, model.n_splits), progress=tasks.append):
        pass
    return sorted(tasks, key=lambda task: task.index)


def measured_tasks(run: Run) -> go.Figure:
    """Draw the measured tasks as bars; they are other ones each time."""
    tasks = measured(run)
    start = min(task.start for task in tasks)
    figure = go.Figure(
        go.Bar(
            orientation="h",
            y=[plain(task.worker) for task in tasks],
            base=[1e3 * (task.start - start) for task in tasks],
            x=[1e3 * (task.end - task.start) for task in tasks],
            text=[str(task.index + 1) for task in tasks],
            marker={"color": ACCENT, "line": {"width": 1}},
            hovertemplate="map task %{text}: %{x:.3g} ms<extra></extra>",
        )
    )
    figure.update_xaxes(title="milliseconds, as measured")
    figure.update_yaxes(automargin=True, autorange="reversed")
    n_workers = len({task.worker for task in tasks})
    took = 1e3 * (max(task.end for task in tasks) - start)
    title = f"{len(tasks)} map tasks took {took:.3g} ms on {n_workers} worker{'s' * (n_workers > 1)} of the engine"
    note = "Measured now, and different each time. Tasks this short stay where they are: a journey would cost more."
    return finish(figure, title, note, 120 + 40 * n_workers, barmode="overlay")
