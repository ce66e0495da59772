"""The panel of the FP-tree: nodes that are counted up, the header table, and the links from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.nodes_scene import (
    LETTERS,
    PlacedTree,
    Word,
    Words,
    largest,
    layout_of,
    node_text,
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

MAX_LINKED = 20  # nodes up to which the links of all items are drawn, not of one item only
MARGIN = 0.06  # share of the panel's width to the right of the last node
HEADER = 0.3  # share of the panel's width that the header table has
TEXT_GAP = 0.028  # distance of a label from its node, as a share of the panel's width


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
        layout = layout_of(self.tree, self.nodes)
        n_columns = max(layout.width, 2.0)
        self.width = n_columns / (1 - HEADER - MARGIN)
        self.x0 = n_columns - 0.5 + MARGIN * self.width - self.width
        self.height = layout.height
        self.placed = PlacedTree(
            "tree",
            self.tree,
            names,
            {node: (layout.x[node], -layout.depth[node]) for node in self.nodes},
            {node: layout.room[node] * LETTERS / self.width - 2 for node in self.nodes},
            TEXT_GAP * self.width,
        )
        counts = replay.counts(numbers)[:, self.nodes]
        self.counts = dict(zip(numbers, counts, strict=True))
        self.entries = self._entries()
        self.header = Words("tree", self.entries.values()).mark
        self.edges = self.placed.edges(self.nodes[1:])
        self.circles = self._circles()
        self.targets = self._targets()
        self.words = Words("tree", self._all_words(counts))

    def panel(self) -> Panel:
        """Return the panel: the root on top, the header table on the left."""
        x = Axis("", self.x0, self.x0 + self.width)
        y = Axis("", -self.height - 0.5, 0.45)
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
            self._links(step, counts),
            visible_where(is_present[1:], self.edges),
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

    def _entries(self) -> dict[int, Word]:
        """Return the header table: where each item stands with the number of its baskets."""
        step = self.replay.steps[0]
        order = step.items[:MAX_ITEMS]
        heights = (np.arange(len(order)) + 0.7) / max(len(order), 1) * (self.height + 0.4)
        x, entries = self.x0 + 0.03 * self.width, {}
        for item, height in zip(order, heights.tolist(), strict=True):
            text = node_text(self.names[item], int(step.counts[item]), HEADER * LETTERS - 2)
            entries[item] = Word(x, -height, text)
        return entries

    def _links(self, step: FPGrowthStep, counts: NDArray[np.intp]) -> Line:
        """Return the dashed links from the header table through the nodes of each item."""
        present = {node for node, n in zip(self.nodes, counts, strict=True) if n}
        is_small = len(self.nodes) - 1 <= MAX_LINKED
        vertices: list[tuple[float, float]] = []
        for item, entry in self.entries.items():
            start = (entry.x + (len(entry.text) + 1) / LETTERS * self.width, entry.y)
            nodes = [node for node in self.tree.links.get(item, ()) if node in present]
            if nodes and (is_small or item in step.pattern[-1:]):
                vertices += [start, *self.placed.at(nodes).tolist(), (np.nan, np.nan)]
        return line_through(vertices, panel="tree", color="muted", width=1.0, dash=True)
