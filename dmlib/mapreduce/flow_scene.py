"""The data of a MapReduce job: splits, pairs and results in the lanes of the workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.mapreduce.base import MapReduceStep
from dmlib.mapreduce.ledger import size
from dmlib.mapreduce.states import State
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import points_at
from dmlib.pictures.scene import Axis, Panel

MAP, SHUFFLE, REDUCE = 0, 1, 2  # colours
STAGES = ("input", "mapped", "pairs", "sent", "reduced")
INPUT, MAPPED, PAIRS, SENT, REDUCED = range(5)  # stages
SPREAD = 0.32  # of a lane, up and down
Places = NDArray[np.float64]


def lane_axis(n_workers: int) -> Axis:
    """Return the axis of the workers, the first on top."""
    return Axis("worker", -0.6, n_workers - 0.4, ticks=[str(w + 1) for w in range(n_workers)][::-1])


class Flow:
    """The splits, the pairs for each reducer, and the results.

    Parameters
    ----------
    plan : MapReduceStep
        The first step, which has the tasks of all rounds.
    n_workers : int
        The number of workers.
    """

    def __init__(self, plan: MapReduceStep, n_workers: int) -> None:
        self.n_workers = n_workers
        stages = Axis("stage", -0.5, 4.5, ticks=STAGES)
        self.panel = Panel("data", stages, lane_axis(n_workers), "Location of the data")
        maps = plan.rounds[0].maps
        self.n_splits, self.n_reducers = len(maps), len(plan.rounds[0].reduces)
        self._sent = [
            np.array([task.sent_bytes for task in number.maps], float) for number in plan.rounds
        ]
        self._keys = [
            np.array([task.n_keys for task in number.reduces], float) for number in plan.rounds
        ]
        splits, reducers = range(1, self.n_splits + 1), range(1, self.n_reducers + 1)
        sizes = [f"{task.n_lines} lines, {size(task.n_bytes)}" for task in maps]
        self._split_labels = [f"split {m}: {text}" for m, text in enumerate(sizes, start=1)]
        self._copy_labels = [f"second attempt at split {m}" for m in splits]
        self._pair_labels = [
            f"pairs of map task {m} for reducer {r}" for m in splits for r in reducers
        ]
        self._reducer_labels = [f"reducer {r}" for r in reducers]

    def marks(self, _step: MapReduceStep, state: State) -> list[Mark]:
        """Return the data of a state."""
        splits, results = self._split_places(state), self._result_places(state)
        copies, pairs = self._copy_places(state), self._pair_places(state)
        pair_sizes, result_sizes = _radii(self._sent[state.round]), _radii(self._keys[state.round])
        return [
            self._dead_lane(state.dead),
            self._borders(),
            _points("split", splits, MAP, self._split_labels, size=[7.0]),
            _points("split", copies, MAP, self._copy_labels, size=[7.0], hollow=True),
            _points("pairs", pairs, SHUFFLE, self._pair_labels, size=pair_sizes),
            _points("reducer", results, REDUCE, self._reducer_labels, size=result_sizes),
            _names(splits, "", 0.13),
            _names(results, "r", 0.2),
        ]

    def _lane(self, worker: int) -> int:
        """Return the height of a worker: the first is on top."""
        return self.n_workers - 1 - worker

    def _dead_lane(self, worker: int | None) -> Rects:
        y = np.array([] if worker is None else [self._lane(worker)], float)
        return Rects(
            x0=np.full(len(y), -0.5),
            x1=np.full(len(y), 4.5),
            y0=y - 0.5,
            y1=y + 0.5,
            color=np.full(len(y), NO_CLASS, np.uint8),
            opacity=[0.3],
            of="",
        )

    def _borders(self) -> Line:
        """Return the lines between the workers."""
        heights = np.arange(1, self.n_workers) - 0.5
        x = np.tile([-0.5, 4.5, np.nan], len(heights))
        return Line(x=x, y=np.repeat(heights, 3), color="muted", width=0.5, of="")

    def _split_places(self, state: State) -> Places:
        """Return the place of each split: in the input, or at its worker."""
        places = np.column_stack(
            [np.full(self.n_splits, float(INPUT)), _spread(self.n_splits, self.n_workers)]
        )
        reading = {a.task: a.worker for a in state.running if a.kind == "map" and not a.backup}
        for m, worker in (reading | state.mapped).items():
            places[m] = MAPPED, self._lane(worker) + SPREAD * _offset(m, self.n_splits)
        return places

    def _copy_places(self, state: State) -> Places:
        """Return the places of second attempts at splits; NaN where there is none."""
        places = np.full((self.n_splits, 2), np.nan)
        for a in state.running:
            if a.kind == "map" and a.backup:
                height = self._lane(a.worker) + SPREAD * _offset(a.task, self.n_splits)
                places[a.task] = MAPPED, height
        return places

    def _pair_places(self, state: State) -> Places:
        """Return the places of the pairs of each map task for each reducer, or NaN."""
        n_splits, n_reducers = self.n_splits, self.n_reducers
        places = np.full((n_splits, n_reducers, 2), np.nan)
        for m, worker in state.mapped.items():
            places[m] = PAIRS, self._lane(worker)
        for (m, r), worker in state.sent.items():
            places[m, r] = SENT, self._lane(worker)
        n = n_splits * n_reducers
        offsets = np.array([_offset(i, n) for i in range(n)])
        places[..., 1] += SPREAD * offsets.reshape(n_splits, n_reducers)
        places[..., 0] += 0.25 * (np.arange(n_reducers) / max(n_reducers - 1, 1) - 0.5)
        places[self._sent[state.round] == 0] = np.nan
        places[:, list(state.reduced)] = np.nan
        return places.reshape(-1, 2)

    def _result_places(self, state: State) -> Places:
        """Return the places of the reducers that have ended; NaN before."""
        places = np.full((self.n_reducers, 2), np.nan)
        for r, worker in state.reduced.items():
            places[r] = REDUCED, self._lane(worker) + SPREAD * _offset(r, self.n_reducers)
        return places


def _points(
    of: str, places: Places, color: int, labels: Sequence[str], *, size: Any, hollow: bool = False
) -> Points:
    n = len(places)
    return points_at(
        places,
        color=np.full(n, color, np.uint8),
        hollow=np.full(n, hollow, np.uint8),
        size=size,
        labels=labels,
        numbers=np.arange(n) + 1,
        of=of,
    )


def _names(places: Places, letter: str, gap: float) -> Texts:
    """Return the numbers of splits or reducers beside them."""
    x, y = places.T
    text = [f"{letter}{i + 1}" for i in range(len(places))]
    return Texts(x=x + gap, y=y, text=text, anchor="start", dy=4, of="")


def _spread(n: int, n_workers: int) -> Places:
    """Return heights from top to bottom."""
    if n == 1:
        return np.array([(n_workers - 1) / 2])
    return np.linspace(n_workers - 1 + SPREAD, -SPREAD, n)


def _offset(i: int, n: int) -> float:
    """Return a height in a lane from 1, the first, to −1."""
    return 1 - 2 * i / (n - 1) if n > 1 else 0.0


def _radii(amounts: Places) -> Places:
    """Return radii in pixels, whose discs have areas like the amounts."""
    flat = amounts.ravel()
    radii: Places = 2.0 + 7.0 * np.sqrt(flat / max(flat.max(initial=0.0), 1.0))
    return radii
