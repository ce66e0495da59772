"""The schedule of a MapReduce job: the tasks and transfers of each worker, up to a time."""

from __future__ import annotations

import numpy as np

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.flow_scene import MAP, REDUCE, SHUFFLE, lane_axis
from dmlib.mapreduce.simulation import Attempt
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Rects, Texts
from dmlib.pictures.places import line_through, visible_where
from dmlib.pictures.scene import Axis, Panel

COLORS = {"map": MAP, "shuffle": SHUFFLE, "reduce": REDUCE}
ROUNDING = 1e-12  # of a time


class Schedule:
    """Bars of the tasks of each worker, above bars of its transfers.

    Parameters
    ----------
    plan : MapReduceStep
        The first step, which has the schedule.
    n_workers : int
        The number of workers.
    side : bool
        Whether it is small, beside a large picture of the data.
    """

    def __init__(self, plan: MapReduceStep, n_workers: int, *, side: bool) -> None:
        self.n_workers = n_workers
        self._attempts = [a for a in plan.schedule if a.end > a.start]
        self._start = np.array([a.start for a in self._attempts])
        self._end = np.array([a.end for a in self._attempts])
        self._lanes = np.array([n_workers - 1 - a.worker for a in self._attempts], float)
        self._is_task = np.array([a.kind != "shuffle" for a in self._attempts], bool)
        self._colors = np.array([COLORS[a.kind] for a in self._attempts], np.uint8)
        self._is_redundant = np.array([a.outcome != "done" for a in self._attempts], bool)
        self._names = [_name(a) for a in self._attempts if a.kind != "shuffle"]
        self._splits = [a.task + 1 if a.kind == "map" else 0 for a in self._attempts]
        across = Axis("seconds", 0.0, 1.02 * plan.schedule[-1].end)
        title = "Schedule" if side else "Schedule of the tasks"
        self.panel = Panel("schedule", across, lane_axis(n_workers), title, side=side)

    def marks(self, time: float) -> list[Mark]:
        """Return the schedule up to a time, and the time."""
        has_begun = self._start <= time - ROUNDING
        end = np.minimum(self._end, time)
        tasks = self._is_task
        middles = ((self._start + end) / 2)[tasks]
        names = Texts(
            panel="schedule", x=middles, y=self._lanes[tasks] + 0.13, text=self._names, dy=4, of=""
        )
        return [
            visible_where(has_begun, self._bars(end, time)),
            visible_where(has_begun[tasks], names),
            self._time_line(time),
        ]

    def _bars(self, end: np.ndarray, time: float) -> Rects:
        is_over = self._is_redundant & (self._end <= time)
        return Rects(
            panel="schedule",
            x0=self._start,
            x1=end,
            y0=self._lanes + np.where(self._is_task, -0.12, -0.38),
            y1=self._lanes + np.where(self._is_task, 0.38, -0.16),
            color=np.where(is_over, np.uint8(NO_CLASS), self._colors),
            opacity=[0.75],
            numbers=self._splits,
            of="split",
        )

    def _time_line(self, time: float) -> Line:
        ends = [(time, -0.6), (time, self.n_workers - 0.4)]
        return line_through(ends, panel="schedule", color="muted", width=1.0, of="")


def _name(attempt: Attempt) -> str:
    return f"r{attempt.task + 1}" if attempt.kind == "reduce" else str(attempt.task + 1)
