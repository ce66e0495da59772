"""The lattice of item sets: one column for each size, an edge from each candidate to its subsets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.association.apriori.passes import AprioriStep
from dmlib.association.bitsets import Sets
from dmlib.association.itemsets import maximal_and_closed
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Segments, Texts
from dmlib.pictures.motion import during, per_frame, xy
from dmlib.pictures.scene import Axis, Key, Panel

MOST_IN_LEVEL, MOST_LEVELS = 14, 4
"""So many item sets of one size, and so many sizes, are drawn."""

FREQUENT, INFREQUENT = 0, 1
CLOSED, MAXIMAL = 2, 3  # the classes whose symbols they have at the end
CROSS = 4  # the class whose symbol is a cross
ROOM = 56  # characters that fit side by side
NODE = 6.0  # radius in pixels
LEGEND = (
    Key("frequent", FREQUENT),
    Key("closed", FREQUENT, CLOSED),
    Key("maximal (and closed)", FREQUENT, MAXIMAL),
    Key("infrequent", INFREQUENT, hollow=True),
    Key("pruned", NO_CLASS, CROSS),
    Key("not counted yet", NO_CLASS, 0, hollow=True),
)
Items = tuple[int, ...]
Shot = tuple[int, int | None]
"""A frame: the number of its step, and of the candidate that is counted (None: all of them)."""


class Lattice:
    """The candidates of a run as nodes.

    Parameters
    ----------
    names : sequence of str
        The items.
    steps : sequence of AprioriStep
        The run.
    shots : sequence of (int, int or None)
        Its frames.
    """

    def __init__(self, names: Sequence[str], steps: Sequence[AprioriStep], shots: Sequence[Shot]) -> None:
        self.names, self.steps, self.shots = names, steps, shots
        levels: dict[int, dict[Items, int]] = {}  # the drawn item sets of each size, with their supports
        self.n_candidates = 0
        for step in (step for step in steps if step.phase in {"count", "prune"}):
            chosen = step.missing >= 0 if step.phase == "prune" else np.ones(len(step.candidates), bool)
            counts = step.counts if step.phase == "count" else np.full(len(step.candidates), -1)
            self.n_candidates += int(chosen.sum())
            level = levels.setdefault(step.level, {})
            level.update(zip(map(tuple, step.candidates[chosen].tolist()), counts[chosen].tolist(), strict=True))
        self.n_levels = min(max(levels, default=1), MOST_LEVELS)
        cut = {k: sorted(some, key=lambda s: (-some[s], s))[:MOST_IN_LEVEL] for k, some in levels.items()}
        self.nodes: list[Items] = [s for k in sorted(cut) if k <= MOST_LEVELS for s in sorted(cut[k])]
        self.number = {node: i for i, node in enumerate(self.nodes)}
        self.x = np.array([len(node) for node in self.nodes], float)
        sizes = np.bincount(self.x.astype(int), minlength=2)
        place = np.concatenate([(np.arange(n) + 0.5) / n for n in sizes if n])
        self.y = 1 - place
        self.since, self.decided, self.state = self._history()

    def numbers(self, sets: Sets) -> list[int | None]:
        """Return the numbers of item sets among the nodes, from 1; None for one that is not drawn."""
        found = map(self.number.get, map(tuple, sets.tolist()))
        return [None if node is None else node + 1 for node in found]

    def panel(self) -> Panel:
        """Return the panel."""
        x = Axis("items in the set", 0.7, self.n_levels + 0.9, integer=True)
        return Panel("lattice", x, Axis("", 0.0, 1.04), title="Lattice of item sets")

    def note(self) -> tuple[str, ...]:
        """Return what is left out."""
        if len(self.nodes) == self.n_candidates:
            return ()
        shown = f"The lattice shows {len(self.nodes)} of {self.n_candidates} candidates"
        return (f"{shown}: of each size up to {MOST_LEVELS} the {MOST_IN_LEVEL} with the highest support.",)

    def marks(self) -> tuple[Mark, ...]:
        """Return edges, nodes and their names, frame by frame, and the candidate that is counted."""
        edges, lost = self._edges()
        names = [", ".join(self.names[j] for j in node) for node in self.nodes]
        last = len(self.shots)
        x, beside = (during(self.x + shift, self.since, last, last) for shift in (0.0, 0.015 * self.n_levels))
        return (
            self._segments(edges, NO_CLASS, self.since),
            self._segments(lost, INFREQUENT, self.decided),
            self._points(x, names),
            Texts(
                panel="lattice",
                x=beside,
                y=self.y,
                text=[self._short(node) for node in self.nodes],
                anchor="start",
                dy=-10.0,
            ),
            self._counted(),
        )

    def _short(self, node: Items) -> str:
        """Return the names of a node's items as far as its column has room; of "age=adult", the value."""
        room = ROOM // self.n_levels - 1
        names = [self.names[j].rpartition("=")[2] for j in node]
        each = room if len(" ".join(names)) <= room else max(1, (room + 1) // len(node) - 1)
        return " ".join(name[:each] for name in names)

    def _history(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint8]]:
        """Return for each node the frame in which it comes, that in which it is decided, and how."""
        never = len(self.shots)
        since, decided = np.full(len(self.nodes), never), np.full(len(self.nodes), never)
        state = np.full(len(self.nodes), NO_CLASS, np.uint8)
        for f, (i, at) in reversed(list(enumerate(self.shots))):
            step = self.steps[i]
            for row, candidate in enumerate(map(tuple, step.candidates.tolist())):
                node = self.number.get(candidate)
                if node is None:
                    continue
                since[node] = f
                if step.phase == "prune" and step.missing[row] >= 0:
                    decided[node] = f
                if step.phase == "count" and (at is None or row <= at):
                    decided[node], state[node] = f, FREQUENT if step.frequent[row] else INFREQUENT
        return since, decided, state

    def _points(self, x: PerFrame, labels: Sequence[str]) -> Points:
        frames = np.arange(len(self.shots))[:, None]
        done, pruned = self.decided <= frames, self.state == NO_CLASS
        symbol = np.where(pruned, CROSS, self.state) + np.zeros_like(frames)
        if self.steps[-1].phase == "done":
            symbol[-1] = self._at_the_end(symbol[-1])
        return Points(
            panel="lattice",
            x=x,
            y=self.y,
            size=[NODE],
            color=per_frame(np.where(done, self.state, NO_CLASS).astype(np.uint8)),
            symbol=per_frame(np.where(done, symbol, 0).astype(np.uint8)),
            hollow=per_frame((~done | (self.state == INFREQUENT)).astype(np.uint8)),
            labels=labels,
            numbers=np.arange(len(self.nodes)) + 1,
            of="item set",
        )

    def _at_the_end(self, symbol: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the symbols of the nodes when it is known which frequent item sets are closed and maximal."""
        counted = [step for step in self.steps if step.phase == "count"]
        sets = [step.candidates[step.frequent] for step in counted]
        flags = maximal_and_closed(sets, [step.counts[step.frequent] for step in counted], len(self.names))
        named = [tuple(items) for level in sets for items in level.tolist()]
        maximal, closed = ({s for s, yes in zip(named, some, strict=True) if yes} for some in flags)
        what = [MAXIMAL if node in maximal else CLOSED if node in closed else -1 for node in self.nodes]
        return np.where(np.array(what) < 0, symbol, what)

    def _edges(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the edges from subsets to supersets; those from a subset for whose lack a candidate is pruned."""
        edges: list[tuple[int, int]] = []
        for i, node in enumerate(self.nodes):
            subsets = (node[:j] + node[j + 1 :] for j in range(len(node)))
            edges += [(self.number[subset], i) for subset in subsets if subset in self.number]
        pairs = np.array(edges, np.intp).reshape(-1, 2)
        lost = (self.state[pairs[:, 0]] != FREQUENT) & (self.state[pairs[:, 1]] == NO_CLASS)
        return pairs[~lost], pairs[lost]

    def _segments(self, edges: NDArray[np.intp], color: int, since: NDArray[np.intp]) -> Segments:
        start, end = edges.T
        x0 = during(self.x[start], since[end], len(self.shots), len(self.shots))
        colors = np.full(len(edges), color, np.uint8)
        ends = {"y0": self.y[start], "x1": self.x[end], "y1": self.y[end]}
        return Segments(panel="lattice", x0=x0, **ends, color=colors, width=1.0)

    def _counted(self) -> Points:
        nodes = [
            None if at is None else self.number.get(tuple(self.steps[i].candidates[at].tolist()))
            for i, at in self.shots
        ]
        at = np.stack([self.x, self.y], axis=1)
        x, y = xy(None if node is None else at[node] for node in nodes)
        numbers = PerFrame([[0 if node is None else node + 1] for node in nodes])
        return Points(
            panel="lattice", x=x, y=y, size=[NODE + 3], color=[NO_CLASS], symbol=[0], hollow=[1], emphasis=True,
            numbers=numbers, of="item set",
        )  # fmt: skip
