"""A MapReduce job on a few short lines: each pair is a box with its words, from line to sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.execution import MAX_PAIRS, MapTask, value_text
from dmlib.mapreduce.flow_scene import MAP, REDUCE, SHUFFLE
from dmlib.mapreduce.states import State
from dmlib.pictures.marks import Mark, Rects, Segments, Texts
from dmlib.pictures.places import segments_between, visible_where
from dmlib.pictures.scene import Axis, Panel

MAX_ROWS = 26  # boxes, one below the other
MAX_SPLIT, MAX_PAIR = 30, 14  # characters
HALF_WIDTH, HALF_HEIGHT = 0.4, 0.4  # of a box
TASK_HALF_WIDTH = 0.47
WAITING, RUNNING = 0.08, 0.2  # opacity of a task


@dataclass(frozen=True)
class Box:
    """A pair in a column: its map task and reducer, its height, and the pairs it was made of."""

    key: str
    value: str
    task: int
    reducer: int
    y: float
    sources: tuple[int, ...] = ()  # in the column before


class Words:
    """Lines, pairs, sums of the combiners, pairs at their reducers, and results.

    Parameters
    ----------
    plan : MapReduceStep
        The first step, which has the tasks.
    lines : sequence of str
        The input.
    combiner : bool
        Whether pairs with the same key are added before they leave their mapper.
    """

    def __init__(self, plan: MapReduceStep, lines: Sequence[str], combiner: bool) -> None:
        (self._round,) = plan.rounds
        self._lines = lines
        maps, reduces = self._round.maps, self._round.reduces
        self._n_reducers = len(reduces)
        n_rows = [max(task.n_emitted, task.n_lines) for task in maps]
        self._height = sum(n_rows) + len(n_rows) - 1.0
        self._splits = _below_each_other(n_rows, self._height)
        self._inboxes = _below_each_other([max(task.n_pairs, 1) for task in reduces], self._height)
        self._columns = {"map": self._emitted()}
        if combiner:
            self._columns["combine"] = self._combined()
        self._columns["shuffle"] = self._received([*self._columns.values()][-1])
        self._columns["reduce"] = self._results()
        ticks = [*self._columns]
        ticks.insert(-2, "")  # room for the lines from mappers to reducers
        self._places = {name: ticks.index(name) for name in self._columns}
        across = Axis("phase", -0.6, len(ticks) - 0.4, ticks=ticks)
        self.panel = Panel("data", across, Axis("", -0.3, self._height + 1.0, ticks=[""]))

    @staticmethod
    def fit(plan: MapReduceStep, lines: Sequence[str]) -> bool:
        """Return whether all pairs of a job can be read in one picture."""
        maps = plan.rounds[0].maps
        texts = (f"({key}, {value_text(value)})" for task in maps for _, key, value in task.emitted)
        return (
            len(plan.rounds) == 1
            and all(len(_split_text(task, lines)) <= MAX_SPLIT for task in maps)
            and all(task.n_emitted <= MAX_PAIRS for task in maps)
            and sum(max(task.n_emitted, task.n_lines) + 1 for task in maps) <= MAX_ROWS
            and len(plan.rounds[0].reduces) <= len(maps) + 3
            and all(len(text) <= MAX_PAIR for text in texts)
        )

    # --- the columns ------------------------------------------------------------------------------

    def _emitted(self) -> list[Box]:
        reducer_of = {key: r for task in self._round.maps for key, _, r in task.partition}
        return [
            Box(key, value_text(value), m, reducer_of[key], self._splits[m][1] - i - 0.5)
            for m, task in enumerate(self._round.maps)
            for i, (_, key, value) in enumerate(task.emitted)
        ]

    def _combined(self) -> list[Box]:
        """Return the sums of each map task, by their reducers, amid the pairs that they sum up."""
        boxes = []
        for m, task in enumerate(self._round.maps):
            sums = {key: value_text(value) for key, value, _ in task.combined}
            reducers = {key: r for key, _, r in task.partition}
            first = sum(self._splits[m]) / 2 + (len(sums) - 1) / 2
            for i, key in enumerate(sorted(sums, key=lambda key: (reducers[key], key))):
                sources = tuple(
                    j
                    for j, box in enumerate(self._columns["map"])
                    if (box.task, box.key) == (m, key)
                )
                boxes.append(Box(key, sums[key], m, reducers[key], first - i, sources))
        return boxes

    def _received(self, leaving: Sequence[Box]) -> list[Box]:
        """Return the pairs at their reducers, by their keys."""
        boxes = []
        for r, (_, top) in enumerate(self._inboxes):
            inbox = [(box.key, j) for j, box in enumerate(leaving) if box.reducer == r]
            for i, (key, j) in enumerate(sorted(inbox)):
                boxes.append(Box(key, leaving[j].value, leaving[j].task, r, top - i - 0.5, (j,)))
        return boxes

    def _results(self) -> list[Box]:
        boxes = []
        received = enumerate(self._columns["shuffle"])
        for key, group in groupby(received, key=lambda numbered: numbered[1].key):
            sources, pairs = zip(*group, strict=True)
            if key in self._round.result:
                total, y = value_text(self._round.result[key]), (pairs[0].y + pairs[-1].y) / 2
                boxes.append(Box(key, total, pairs[0].task, pairs[0].reducer, y, sources))
        return boxes

    # --- marks ------------------------------------------------------------------------------------

    def marks(self, step: MapReduceStep, state: State) -> list[Mark]:
        """Return the boxes of a state."""
        marks: list[Mark] = [*self._tasks(state), self._names()]
        before = None
        for name, boxes in self._columns.items():
            visible = [_is_shown(name, box, step, state) for box in boxes]
            if before is not None:
                marks.append(self._links(before, name, visible))
            marks += self._boxes(name, visible)
            before = name
        return marks

    def _tasks(self, state: State) -> Iterator[Rects]:
        """Yield a surface behind each map task, and behind each reducer."""
        running: set[tuple[str, int]] = {(a.kind, a.task) for a in state.running}
        last_of_mapper = self._places["shuffle"] - 2
        yield _surfaces("map", self._splits, 0, last_of_mapper, running, MAP, "split")
        shuffle, reduce = self._places["shuffle"], self._places["reduce"]
        yield _surfaces("reduce", self._inboxes, shuffle, reduce, running, REDUCE, "reducer")

    def _names(self) -> Texts:
        """Return the lines of each split, and the numbers of reducers, above their surfaces."""
        names = [
            (-TASK_HALF_WIDTH, top, f"split {m + 1}: {_split_text(task, self._lines)}")
            for m, (task, (_, top)) in enumerate(zip(self._round.maps, self._splits, strict=True))
        ]
        left = self._places["shuffle"] - TASK_HALF_WIDTH
        names += [(left, top, f"reducer {r}") for r, (_, top) in enumerate(self._inboxes, start=1)]
        x, y, text = zip(*names, strict=True)
        return Texts(x=x, y=np.add(y, 0.45), text=text, anchor="start", of="")

    def _links(self, before: str, name: str, visible: Sequence[bool]) -> Segments:
        """Return a line from each pair to what was made of it."""
        pairs = [(j, box) for box in self._columns[name] for j in box.sources]
        mask = [
            is_visible
            for box, is_visible in zip(self._columns[name], visible, strict=True)
            for _ in box.sources
        ]
        start, end = self._places[before] + HALF_WIDTH, self._places[name] - HALF_WIDTH
        links = segments_between(
            [(start, self._columns[before][j].y) for j, _ in pairs],
            [(end, box.y) for _, box in pairs],
            width=1.0,
            of="",
        )
        return visible_where(mask, links)

    def _boxes(self, name: str, visible: Sequence[bool]) -> tuple[Rects, Texts]:
        """Return the pairs of a column."""
        boxes, x = self._columns[name], self._places[name]
        y = np.array([box.y for box in boxes])
        is_result = name == "reduce"
        numbers = [
            box.reducer + 1 if is_result else box.task * self._n_reducers + box.reducer + 1
            for box in boxes
        ]
        rects = Rects(
            x0=np.full(len(y), x - HALF_WIDTH),
            x1=np.full(len(y), x + HALF_WIDTH),
            y0=y - HALF_HEIGHT,
            y1=y + HALF_HEIGHT,
            color=np.full(len(y), REDUCE if is_result else SHUFFLE, np.uint8),
            opacity=[0.35],
            numbers=numbers,
            of="reducer" if is_result else "pairs",
        )
        text = [f"({box.key}, {box.value})" for box in boxes]
        texts = Texts(x=np.full(len(y), float(x)), y=y, text=text, of="")
        return visible_where(visible, rects), visible_where(visible, texts)


def _split_text(task: MapTask, lines: Sequence[str]) -> str:
    return " / ".join(lines[task.first : task.first + task.n_lines])


def _below_each_other(n_rows: Sequence[int], height: float) -> list[tuple[float, float]]:
    """Return bottom and top of tasks with so many boxes, which share a height."""
    gap = (height - sum(n_rows)) / max(len(n_rows) - 1, 1)
    tops = [height - sum(n_rows[:i]) - gap * i for i in range(len(n_rows))]
    return [(top - n, top) for top, n in zip(tops, n_rows, strict=True)]


def _is_shown(column: str, box: Box, step: MapReduceStep, state: State) -> bool:
    is_mapped = box.task in state.mapped
    if column == "map":
        return is_mapped
    if column == "combine":
        task = step.attempt.task if step.attempt is not None else None
        return is_mapped and not (step.phase == "map" and box.task == task)
    if column == "shuffle":
        return (box.task, box.reducer) in state.sent or box.reducer in state.reduced
    return box.reducer in state.reduced


def _surfaces(
    kind: str,
    ends: Sequence[tuple[float, float]],
    first: float,
    last: float,
    running: set[tuple[str, int]],
    color: int,
    of: str,
) -> Rects:
    y0, y1 = np.array(ends).T
    opacity = [RUNNING if (kind, i) in running else WAITING for i in range(len(ends))]
    return Rects(
        x0=np.full(len(y0), first - TASK_HALF_WIDTH),
        x1=np.full(len(y0), last + TASK_HALF_WIDTH),
        y0=y0,
        y1=y1,
        color=np.full(len(y0), color, np.uint8),
        opacity=opacity,
        numbers=np.arange(len(y0)) + 1,
        of=of,
    )
