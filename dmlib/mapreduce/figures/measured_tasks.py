"""The task stream of the engine as it was measured: which worker did which map task, and when."""

from __future__ import annotations

from functools import partial

import plotly.graph_objects as go

from dmlib import engine
from dmlib.engine import Task
from dmlib.mapreduce.base import lines_of
from dmlib.mapreduce.execution import map_task, splits
from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count


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
    workers = list(
        dict.fromkeys(task.worker for task in tasks)
    )  # whose names are the operator's affair
    figure = go.Figure(
        go.Bar(
            orientation="h",
            y=[f"worker {workers.index(task.worker) + 1}" for task in tasks],
            base=[1e3 * (task.start - start) for task in tasks],
            x=[1e3 * (task.end - task.start) for task in tasks],
            text=[str(task.index + 1) for task in tasks],
            marker={"color": ACCENT, "line": {"width": 1}},
            hovertemplate="map task %{text}: %{x:.3g} ms<extra></extra>",
        )
    )
    figure.update_xaxes(title="milliseconds, as measured")
    figure.update_yaxes(automargin=True, autorange="reversed")
    took = 1e3 * (max(task.end for task in tasks) - start)
    title = (
        f"{len(tasks)} map tasks took {took:.3g} ms on {count(len(workers), 'worker', 'workers')}"
        " of the engine"
    )
    stay = (
        " Tasks this short run locally, as a transfer would take longer."
        if len(workers) == 1
        else ""
    )
    note = f"Measured now, and different each time.{stay}"
    return finish(figure, title, note, 120 + 40 * len(workers), barmode="overlay")
