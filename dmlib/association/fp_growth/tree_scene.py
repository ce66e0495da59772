"""The panel of the FP-tree: nodes that are counted up, the header table, and the links from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree import FPTree
from dmlib.association.fp_growth.words_scene import Word, Words, node_text
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Segments, Texts
from dmlib.pictures.places import line_through, points_at, segments_between, visible_where
from dmlib.pictures.scene import Axis, Key, Panel
from dmlib.pictures.story import Moment
from dmlib.pictures.tree_layout import Layout, layout

RAISED, NEW, OPENED = 0, 1, 2
LEGEND = (
    Key("count raised", RAISED),
    Key("new node", NEW),
    Key("node of the opened item", OPENED),
    Key("other nodes", NO_CLASS, 0),
)
MAX_NODES, MAX_ITEMS = 40, 20
"""So many nodes of a tree, and so many items of its header table, are drawn."""

MAX_LINKED = 20  # nodes up to which the links of all items are drawn, not of the opened item only
LETTERS = 48  # characters across the panel on a small laptop
MARGIN = 0.06  # share of the panel's width to the right of the last node
HEADER = 0.3  # share of the panel's width that the header table has
BESIDE = 0.028  # distance of a label from its node, as a share of the panel's width


def largest(tree: FPTree, max_nodes: int = MAX_NODES) -> list[int]:
    """Return the nodes that are drawn, the root first: those that most baskets go through.

    Examples
    --------
    >>> tree = FPTree()
    >>> _ = tree.insert([1, 2]), tree.insert([3], 4)
    >>> largest(tree, 2)
    [0, 1, 3]
    """
    ranked = sorted(range(1, len(tree) + 1), key=lambda node: (-tree.count[node], node))
    return [0, *sorted(ranked[:max_nodes])]


def placed(tree: FPTree, nodes: Sequence[int]) -> Layout:
    """Return where nodes of a tree are drawn."""
    children: dict[int, list[int]] = {}
    for node in nodes[1:]:
        children.setdefault(tree.parent[node], []).append(node)
    return layout(children)


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
        self.nodes = largest(self.tree)
        self.layout = placed(self.tree, self.nodes)
        counts = replay.counts(numbers)[:, self.nodes]
        self.counts = dict(zip(numbers, counts, strict=True))
        self.width = max(self.layout.width, 2.0) / (1 - HEADER - MARGIN)
        self.left = max(self.layout.width, 2.0) - 0.5 + MARGIN * self.width - self.width
        self.place = {node: (self.layout.x[node], -self.layout.depth[node]) for node in self.nodes}
        self.entries = self._entries()
        self.header = self._header()
        self.edges = self._edges(self.nodes[1:])
        self.circles = self._circles()
        self.words = Words("tree", self._all_words(counts))

    def panel(self) -> Panel:
        """Return the panel: the root on top, the header table on the left."""
        x = Axis("", self.left, self.left + self.width)
        y = Axis("", -self.layout.height - 0.5, 0.45)
        return Panel("tree", x, y, "FP-tree with its header table")

    def note(self) -> tuple[str, ...]:
        """Return what is left out."""
        n_drawn, n_nodes = len(self.nodes) - 1, len(self.tree)
        if n_drawn == n_nodes:
            return ()
        return (f"The tree shows {n_drawn} of {n_nodes:,} nodes: those with the largest counts.",)

    def marks(self, now: Moment) -> tuple[Mark, ...]:
        """Return the marks of a moment."""
        step: FPGrowthStep = now.step
        counts = self.counts[now.index]
        present = counts > 0
        present[0] = True
        raised = self._drawn(step.nodes[: step.n_shared])
        new = self._drawn(step.nodes[step.n_shared :])
        opened = self._drawn(self._opened(step))
        return (
            self._links(step, counts),
            visible_where(present[1:], self.edges),
            self._paths(opened or [*raised, *new]),
            visible_where(present, self.circles),
            self._lit(raised, RAISED),
            self._lit(new, NEW),
            self._lit(opened, OPENED),
            self.words.at(self._words(counts)),
            self.header,
        )

    def _places(self, nodes: Iterable[int]) -> Floats:
        return np.array([self.place[node] for node in nodes], float).reshape(-1, 2)

    def _drawn(self, nodes: Iterable[int]) -> list[int]:
        return [node for node in nodes if node in self.place]

    def _opened(self, step: FPGrowthStep) -> list[int]:
        """Return the nodes whose prefix paths are the conditional pattern base."""
        pattern = step.items if step.phase == "condition" else step.suffix
        return self.replay.holding(pattern) if pattern else []

    def _edges(self, nodes: Sequence[int], width: float = 1.5) -> Segments:
        """Return the edges to nodes from those above them."""
        parents = self._places(self.tree.parent[node] for node in nodes)
        return segments_between(parents, self._places(nodes), panel="tree", width=width)

    def _paths(self, ends: Sequence[int]) -> Segments:
        """Return the paths from the root to nodes."""
        nodes = {above for node in ends for above in (*self.tree.above(node), node)}
        return self._edges(sorted(nodes), width=4.0)

    def _circles(self) -> Points:
        items = [self.tree.item[node] for node in self.nodes]
        labels = ["root"]
        for item, node in zip(items[1:], self.nodes[1:], strict=True):
            labels.append(f"{self.names[item]}: {self.tree.count[node]} baskets")
        return points_at(
            self._places(self.nodes),
            panel="tree",
            color=np.full(len(items), NO_CLASS, np.uint8),
            symbol=[0],
            size=[5.0],
            hollow=[1] + [0] * (len(items) - 1),
            labels=labels,
            numbers=[item + 1 for item in items],
            of="item",
        )

    def _lit(self, nodes: Sequence[int], color: int) -> Points:
        return points_at(
            self._places(nodes),
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
        return [self._word(node, count) for node, count in pairs if count]

    def _word(self, node: int, count: int) -> Word:
        x, y = self.place[node]
        room = self.layout.room[node] * LETTERS / self.width - 2
        text = node_text(self.names[self.tree.item[node]], count, room)
        return Word(x + BESIDE * self.width, y, text)

    def _all_words(self, counts: NDArray[np.intp]) -> list[Word]:
        """Return the words of all frames, node by node."""
        words = []
        for node, values in zip(self.nodes[1:], counts.T[1:], strict=True):
            words += [self._word(node, count) for count in np.unique(values[values > 0]).tolist()]
        return words

    def _entries(self) -> dict[int, Word]:
        """Return the header table: where each item stands with the number of its baskets."""
        step = self.replay.steps[0]
        order = step.items[:MAX_ITEMS]
        heights = (np.arange(len(order)) + 0.7) / max(len(order), 1) * (self.layout.height + 0.4)
        x, entries = self.left + 0.03 * self.width, {}
        for item, height in zip(order, heights.tolist(), strict=True):
            text = node_text(self.names[item], int(step.counts[item]), HEADER * LETTERS - 2)
            entries[item] = Word(x, -height, text)
        return entries

    def _header(self) -> Texts:
        entries = self.entries.values()
        return Texts(
            panel="tree",
            x=[entry.x for entry in entries],
            y=[entry.y for entry in entries],
            text=[entry.text for entry in entries],
            anchor="start",
            dy=4.0,
        )

    def _links(self, step: FPGrowthStep, counts: NDArray[np.intp]) -> Line:
        """Return the dashed links from the header table through the nodes of each item."""
        present = {node for node, n in zip(self.nodes, counts, strict=True) if n}
        about = (step.items if step.phase == "condition" else step.suffix)[-1:]
        is_small = len(self.nodes) - 1 <= MAX_LINKED
        vertices: list[tuple[float, float]] = []
        for item, entry in self.entries.items():
            start = (entry.x + (len(entry.text) + 1) / LETTERS * self.width, entry.y)
            nodes = [node for node in self.tree.links.get(item, ()) if node in present]
            if nodes and (is_small or item in about):
                vertices += [start, *(self.place[node] for node in nodes), (np.nan, np.nan)]
        return line_through(vertices, panel="tree", color="muted", width=1.0, dash=True)
