"""The lattice of item sets: a column for each size, edges from candidates to their subsets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.association.apriori.passes import AprioriStep
from dmlib.association.apriori.shots import Shot
from dmlib.association.bitsets import Sets
from dmlib.association.itemsets import maximal_and_closed
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments, Texts
from dmlib.pictures.places import points_at, segments_between, visible_where
from dmlib.pictures.scene import Axis, Key, Panel

MAX_IN_LEVEL, MAX_LEVELS = 14, 4
"""So many item sets of one size, and so many sizes, are drawn."""

FREQUENT, INFREQUENT = 0, 1
CLOSED, MAXIMAL = 2, 3  # the classes whose symbols they have at the end
CROSS = 4  # the class whose symbol is a cross
ROOM = 60  # characters that fit side by side
LEFT = 0.3  # of the width of a size, for each size: room for the names of items
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


class Lattice:
    """The candidates of a run as nodes.

    Parameters
    ----------
    names : sequence of str
        The items.
    n_baskets : int
        The number of baskets.
    shots : sequence of Shot
        The run, frame by frame.
    """

    def __init__(self, names: Sequence[str], n_baskets: int, shots: Sequence[Shot]) -> None:
        self.names, self.shots = names, shots
        self.steps = list({shot.number: shot.step for shot in shots}.values())
        levels = _levels(self.steps)
        self.n_candidates = sum(map(len, levels.values()))
        self.n_levels = min(max(levels, default=1), MAX_LEVELS)
        sizes = [size for size in sorted(levels) if size <= MAX_LEVELS]
        self.nodes = [node for size in sizes for node in _top(levels[size])]
        self.number = {node: i for i, node in enumerate(self.nodes)}
        columns = np.array([len(node) for node in self.nodes], int)
        heights = [1 - (np.arange(n) + 0.5) / n for n in np.bincount(columns, minlength=2) if n]
        self.places = np.column_stack([columns, np.concatenate(heights)])
        self.first, self.decided, self.state = self._history()
        self.edges, self.broken_edges = self._edges()
        self.end_symbols = self._end_symbols()
        self.labels = [", ".join(self.names[j] for j in node) for node in self.nodes]
        self.texts = [self._short(node) for node in self.nodes]
        support = [levels[len(node)][node] / n_baskets for node in self.nodes]
        pairs = zip(self.texts, support, strict=True)
        self.counted_texts = [f"{text}  {share:.2g}" for text, share in pairs]

    def numbers(self, sets: Sets) -> list[int | None]:
        """Return the numbers of item sets as nodes, from 1; None for those that are not drawn."""
        nodes = map(self.number.get, map(tuple, sets.tolist()))
        return [None if node is None else node + 1 for node in nodes]

    def panel(self) -> Panel:
        """Return the panel."""
        left = 1 - LEFT * self.n_levels  # room for names
        sizes = ["", *(str(size) for size in range(1, self.n_levels + 1))]
        x = Axis("items in the set", left, self.n_levels + 0.7, ticks=sizes)
        return Panel("lattice", x, Axis("", 0.0, 1.15), title="Lattice of item sets")

    def note(self) -> tuple[str, ...]:
        """Return what is left out."""
        if len(self.nodes) == self.n_candidates:
            return ()
        part = f"The lattice shows {len(self.nodes)} of {self.n_candidates} candidates"
        rule = f"of each size up to {MAX_LEVELS} the {MAX_IN_LEVEL} with the highest support"
        return (f"{part}: {rule}.",)

    def marks(self, frame: int) -> tuple[Mark, ...]:
        """Return edges, nodes and their names in a frame, and the candidate that is counted."""
        visible = np.where(self.first <= frame, 1.0, np.nan)[:, None]
        is_edge = self.first[self.edges[:, 1]] <= frame
        is_broken = self.decided[self.broken_edges[:, 1]] <= frame
        return (
            self._lines(self.edges[is_edge], NO_CLASS),
            self._lines(self.broken_edges[is_broken], INFREQUENT),
            self._points(self.places * visible, frame),
            *self._texts(frame),
            self._ring(self.shots[frame]),
        )

    def _history(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint8]]:
        """Return for each node its first frame, that in which it is decided, and how."""
        first = np.full(len(self.nodes), len(self.shots))  # never
        decided = first.copy()
        state = np.full(len(self.nodes), NO_CLASS, np.uint8)
        for frame, shot in reversed(list(enumerate(self.shots))):
            step = shot.step
            for row, candidate in enumerate(map(tuple, step.candidates.tolist())):
                node = self.number.get(candidate)
                if node is None:
                    continue
                first[node] = frame
                if step.phase == "prune" and step.missing[row] >= 0:
                    decided[node] = frame
                if step.phase == "count" and row < shot.n_counted(shot.number, len(step.counts)):
                    decided[node] = frame
                    state[node] = FREQUENT if step.frequent[row] else INFREQUENT
        return first, decided, state

    def _edges(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the edges from subsets to supersets, and those for which a superset is pruned."""
        edges: list[tuple[int, int]] = []
        for i, node in enumerate(self.nodes):
            subsets = (node[:j] + node[j + 1 :] for j in range(len(node)))
            edges += [(self.number[subset], i) for subset in subsets if subset in self.number]
        pairs = np.array(edges, np.intp).reshape(-1, 2)
        subset, superset = self.state[pairs].T
        broken = (subset != FREQUENT) & (superset == NO_CLASS)
        return pairs[~broken], pairs[broken]

    def _end_symbols(self) -> NDArray[np.uint8]:
        """Return the symbols of the nodes at the end: closed and maximal sets have their own."""
        counted = [step for step in self.steps if step.phase == "count"]
        sets = [step.candidates[step.frequent] for step in counted]
        counts = [step.counts[step.frequent] for step in counted]
        symbols = np.where(self.state == NO_CLASS, CROSS, self.state).astype(np.uint8)
        if self.steps[-1].phase != "done":
            return symbols
        is_maximal, is_closed = maximal_and_closed(sets, counts, len(self.names))
        nodes = [self.number.get(tuple(items)) for level in sets for items in level.tolist()]
        for flags, symbol in ((is_closed, CLOSED), (is_maximal, MAXIMAL)):
            symbols[[node for node in compress(nodes, flags) if node is not None]] = symbol
        return symbols

    def _points(self, places: Floats, frame: int) -> Points:
        is_decided = self.decided <= frame
        symbols = np.where(self.state == NO_CLASS, CROSS, self.state)
        if frame == len(self.shots) - 1:
            symbols = self.end_symbols
        return points_at(
            places,
            panel="lattice",
            size=[NODE],
            color=np.where(is_decided, self.state, NO_CLASS).astype(np.uint8),
            symbol=np.where(is_decided, symbols, 0).astype(np.uint8),
            hollow=(~is_decided | (self.state == INFREQUENT)).astype(np.uint8),
            labels=self.labels,
            numbers=np.arange(len(self.nodes)) + 1,
            of="item set",
        )

    def _texts(self, frame: int) -> list[Mark]:
        """Return the names of the nodes, with the support once it is counted.

        Those of single items are left of them, where no edge is; the others above.
        """
        is_counted = (self.decided <= frame) & (self.state != NO_CLASS)
        is_named = (self.first <= frame) & ~is_counted
        style: dict[str, Any] = {"panel": "lattice", "halo": True, "of": ""}
        x, y = self.places.T
        is_item = x == 1
        sides: list[tuple[NDArray[np.bool_], str, float, float]] = [
            (is_item, "end", -0.03 * self.n_levels, 0.0),
            (~is_item, "middle", 0.0, -13.0),
        ]
        return [
            visible_where(
                nodes & side, Texts(x=x + dx, y=y, text=texts, anchor=anchor, dy=dy, **style)
            )
            for nodes, texts in ((is_named, self.texts), (is_counted, self.counted_texts))
            for side, anchor, dx, dy in sides
        ]

    def _short(self, node: Items) -> str:
        """Return the names of a node's items, shortened to fit; of "age=adult", the value."""
        room = ROOM // self.n_levels - 1
        names = [self.names[j].rpartition("=")[2] for j in node]
        letters = room
        if len(" ".join(names)) > room:
            letters = max(1, (room + 1) // len(node) - 1)
        return " ".join(name[:letters] for name in names)

    def _lines(self, edges: NDArray[np.intp], color: int) -> Segments:
        starts, ends = self.places[edges[:, 0]], self.places[edges[:, 1]]
        colors = np.full(len(edges), color, np.uint8)
        return segments_between(starts, ends, panel="lattice", color=colors, width=1.0)

    def _ring(self, shot: Shot) -> Points:
        """Return a ring around the candidate that is counted."""
        node = None if shot.items is None else self.number.get(tuple(shot.items.tolist()))
        nodes = np.array([] if node is None else [node], np.intp)
        return points_at(
            self.places[nodes],
            panel="lattice",
            size=[NODE + 3],
            color=[NO_CLASS],
            symbol=[0],
            hollow=[1],
            emphasis=True,
            numbers=nodes + 1,
            of="item set",
        )


def _levels(steps: Sequence[AprioriStep]) -> dict[int, dict[Items, int]]:
    """Return the candidates of each size with their counts: -1 for those that are pruned."""
    levels: dict[int, dict[Items, int]] = {}
    for step in steps:
        if step.phase == "prune":
            pruned = map(tuple, step.candidates[step.missing >= 0].tolist())
            levels.setdefault(step.level, {}).update(dict.fromkeys(pruned, -1))
        if step.phase == "count":
            counts = zip(map(tuple, step.candidates.tolist()), step.counts.tolist(), strict=True)
            levels.setdefault(step.level, {}).update(counts)
    return levels


def _top(counts: dict[Items, int]) -> list[Items]:
    """Return the item sets that are drawn of a size: those with the highest counts, sorted."""
    return sorted(sorted(counts, key=lambda items: (-counts[items], items))[:MAX_IN_LEVEL])
