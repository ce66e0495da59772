"""The panel of the FP-tree: nodes that are counted up, the header table, and the links from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.nodes_scene import (
    PlacedTree,
    Word,
    Words,
    largest,
    node_text,
    rows_of,
)
from dmlib.association.fp_growth.replay import Replay
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Segments
from dmlib.pictures.places import line_through, points_at, visible_where
from dmlib.pictures.scene import Axis, Key, Panel
from dmlib.pictures.story import Moment

RAISED, NEW, CONDITIONAL = 0, 1, 2
LEGEND = (
    Key("count raised", RAISED),
    Key("new node", NEW),
    Key("node of the opened item", CONDITIONAL),
    Key("other nodes", NO_CLASS, 0),
    Key("node links of an item", kind="dash"),
)
MAX_NODES, MAX_ITEMS = 40, 20
"""So many nodes of a tree, and so many items of its header table, are drawn."""

LETTERS = 60  # characters across the panel on a phone
MARGIN = 0.06  # share of the panel's width to the right of the last node
HEADER = 0.3  # share of the panel's width that the header table has at most
TEXT_GAP = 0.02  # distance of a label from its node, as a share of the panel's width


class TreePlot:
    """The FP-tree of a run, as it grows.

    Parameters
    ----------
    names : sequence of str
        The items.
    replay : Replay
        The trees of the run.
    numbers : sequence of int
        The numbers of the steps that have a frame.
    """

    def __init__(self, names: Sequence[str], replay: Replay, numbers: Sequence[int]) -> None:
        self.names, self.replay, self.tree = names, replay, replay.tree
        self.nodes = largest(self.tree, MAX_NODES)
        order = replay.steps[0].items
        drawn = {self.tree.item[node] for node in self.nodes[1:]}
        self.rows = [item for k, item in enumerate(order) if k < MAX_ITEMS or item in drawn]
        self.entries = [self._entry(item) for item in self.rows]
        header = min((max(map(len, self.entries), default=0) + 3) / LETTERS, HEADER)
        rows = rows_of(self.tree, self.nodes, self.rows)
        n_columns = max(rows.width, 2.0)
        self.width = n_columns / (1 - header - MARGIN)
        self.x0 = n_columns - 0.5 + MARGIN * self.width - self.width
        self.placed = PlacedTree(
            "tree",
            self.tree,
            names,
            {node: (rows.x[node], -rows.row[node]) for node in self.nodes},
            {node: -rows.row[node] - 1.0 for node in self.nodes},
            {node: room * LETTERS / self.width - 2 for node, room in rows.room.items()},
            TEXT_GAP * self.width,
        )
        counts = replay.counts(numbers)[:, self.nodes]
        self.counts = dict(zip(numbers, counts, strict=True))
        self.header = Words("tree", map(self._header_word, range(len(self.rows)))).mark
        self.edges = self.placed.edges(self.nodes[1:])
        self.circles = self._circles()
        self.targets = self._targets()
        self.words = Words("tree", self._all_words(counts))

    def panel(self) -> Panel:
        """Return the panel: the root on top, the header table on the left."""
        x = Axis("", self.x0, self.x0 + self.width)
        y = Axis("", -len(self.rows) - 0.5, 0.45)
        return Panel("tree", x, y, "FP-tree with its header table")

    def note(self) -> tuple[str, ...]:
        """Return what is left out."""
        n_drawn, n_nodes = len(self.nodes) - 1, len(self.tree)
        if n_drawn == n_nodes:
            return ()
        return (f"The tree shows {n_drawn} of {n_nodes:,} nodes: those with the largest counts.",)

    def marks(self, moment: Moment) -> tuple[Mark, ...]:
        """Return the marks of a moment."""
        step: FPGrowthStep = moment.step
        counts = self.counts[moment.index]
        is_present = counts > 0
        is_present[0] = True
        raised = self._placed(step.nodes[: step.n_shared])
        new = self._placed(step.nodes[step.n_shared :])
        conditional = self._placed(self.replay.holding(step.pattern) if step.pattern else ())
        return (
            self._links(counts),
            visible_where(np.tile(is_present[1:], 2), self.edges),
            self._paths(conditional or [*raised, *new]),
            visible_where(is_present, self.circles),
            visible_where(is_present[1:], self.targets),
            self._lit(raised, RAISED),
            self._lit(new, NEW),
            self._lit(conditional, CONDITIONAL),
            self.words.at(self._words(counts)),
            self.header,
        )

    def _placed(self, nodes: Iterable[int]) -> list[int]:
        return [node for node in nodes if node in self.placed.place]

    def _paths(self, ends: Sequence[int]) -> Segments:
        """Return the paths from the root to nodes."""
        nodes = {above for node in ends for above in (*self.tree.above(node), node)}
        return self.placed.edges(sorted(nodes), width=4.0)

    def _circles(self) -> Points:
        items = self.placed.items(self.nodes)
        labels = ["root"]
        for item, node in zip(items[1:], self.nodes[1:], strict=True):
            labels.append(f"{self.names[item - 1]}: {self.tree.count[node]} baskets")
        return points_at(
            self.placed.at(self.nodes),
            panel="tree",
            color=np.full(len(items), NO_CLASS, np.uint8),
            symbol=[0],
            size=[5.0],
            hollow=[1] + [0] * (len(items) - 1),
            labels=labels,
            numbers=items,
            of="item",
        )

    def _targets(self) -> Points:
        """Return where the nodes are pointed at: the circles answer to their items."""
        return points_at(
            self.placed.at(self.nodes[1:]),
            panel="tree",
            color=[NO_CLASS],
            size=[7.0],
            opacity=[0.0],
            numbers=self.nodes[1:],
            of="node",
        )

    def _lit(self, nodes: Sequence[int], color: int) -> Points:
        return points_at(
            self.placed.at(nodes),
            panel="tree",
            color=[color],
            size=[7.0],
            emphasis=True,
            numbers=nodes,
            of="node",
        )

    def _words(self, counts: NDArray[np.intp]) -> list[Word]:
        """Return each node's item and count."""
        pairs = zip(self.nodes[1:], counts[1:].tolist(), strict=True)
        return [self.placed.word(node, count) for node, count in pairs if count]

    def _all_words(self, counts: NDArray[np.intp]) -> list[Word]:
        """Return the words of all frames, node by node."""
        words = []
        for node, values in zip(self.nodes[1:], counts.T[1:], strict=True):
            different = np.unique(values[values > 0]).tolist()
            words += [self.placed.word(node, count) for count in different]
        return words

    def _entry(self, item: int) -> str:
        """Return an item of the header table with the number of its baskets."""
        return node_text(
            self.names[item], int(self.replay.steps[0].counts[item]), HEADER * LETTERS - 3
        )

    def _header_word(self, k: int) -> Word:
        return Word(self.x0 + 0.01 * self.width, -1.0 - k, self.entries[k])

    def _links(self, counts: NDArray[np.intp]) -> Line:
        """Return the dashed links from the header table through the nodes of each item."""
        nodes = [node for node, n in zip(self.nodes[1:], counts[1:], strict=True) if n]
        places = self.placed.at(nodes)
        vertices: list[tuple[float, float]] = []
        for k, entry in enumerate(self.entries):
            in_row = np.sort(places[places[:, 1] == -1 - k, 0]).tolist()
            if in_row:
                start = self.x0 + (len(entry) + 2) / LETTERS * self.width
                vertices += [(x, -1.0 - k) for x in (start, *in_row)] + [(np.nan, np.nan)]
        return line_through(vertices, panel="tree", color="muted", width=1.0, dash=True)
