"""The measured task stream of the engine: the map tasks of each worker."""

from __future__ import annotations

from functools import partial
from typing import Any

import plotly.graph_objects as go

from dmlib import engine
from dmlib.engine import Task
from dmlib.mapreduce.base import lines_of
from dmlib.mapreduce.execution import map_task, splits
from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import LinesProblem


def measured(run: Run[LinesProblem, Any]) -> list[Task]:
    """Do the map tasks of the first round on the engine; return its records in their order."""
    model, lines = run.model, lines_of(*run.problem.arguments)
    do = partial(map_task, model._job(lines), model.combiner, model.n_reducers, model.partitioner)
    tasks: list[Task] = []
    for _ in engine.map(do, splits(lines, model.n_splits), progress=tasks.append):
        pass
    return sorted(tasks, key=lambda task: task.index)


def measured_tasks(run: Run[LinesProblem, Any]) -> go.Figure:
    """Draw the tasks as bars, as they are measured now."""
    tasks = measured(run)
    start = min(task.start for task in tasks)
    workers = list(dict.fromkeys(task.worker for task in tasks))  # the operator's names stay hidden
    bars = go.Bar(
        orientation="h",
        y=[f"worker {workers.index(task.worker) + 1}" for task in tasks],
        base=[1e3 * (task.start - start) for task in tasks],
        x=[1e3 * (task.end - task.start) for task in tasks],
        text=[str(task.index + 1) for task in tasks],
        marker={"color": ACCENT, "line": {"width": 1}},
        hovertemplate="map task %{text}: %{x:.3g} ms<extra></extra>",
    )
    figure = go.Figure(bars)
    figure.update_xaxes(title="milliseconds, as measured")
    figure.update_yaxes(automargin=True, autorange="reversed")
    duration = 1e3 * (max(task.end for task in tasks) - start)
    n_workers = count(len(workers), "worker", "workers")
    title = f"{len(tasks)} map tasks took {duration:.3g} ms on {n_workers} of the engine"
    note = "Measured now, and different each time."
    if len(workers) == 1:
        note += " Tasks this short run locally, as a transfer would take longer."
    return finish(figure, title, note, 120 + 40 * len(workers), barmode="overlay")
