"""Nodes of an FP-tree at their places, and texts that change from step to step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats
from dmlib.association.fp_growth.tree import FPTree
from dmlib.pictures.marks import Segments, Texts
from dmlib.pictures.places import segments_between, visible_where
from dmlib.pictures.tree_layout import fitting, layout


class Word(NamedTuple):
    """A text that stands at a place."""

    x: float
    y: float
    text: str


class Words:
    """All texts that stand in a panel at any step; empty ones are left out.

    Parameters
    ----------
    panel : str
        The panel.
    words : iterable of Word
        The texts, each as often as it stands there.

    Examples
    --------
    >>> words = Words("tree", [Word(0.0, 1.0, "a:1"), Word(0.0, 1.0, "a:2"), Word(0.0, 1.0, "a:1")])
    >>> words.mark.text, words.at([Word(0.0, 1.0, "a:2")]).x.tolist()
    (['a:1', 'a:2'], [nan, 0.0])
    """

    def __init__(self, panel: str, words: Iterable[Word]) -> None:
        self.words = list(dict.fromkeys(word for word in words if word.text))
        self.mark = Texts(
            panel=panel,
            x=[word.x for word in self.words],
            y=[word.y for word in self.words],
            text=[word.text for word in self.words],
            anchor="start",
            halo=True,
        )

    def at(self, words: Iterable[Word]) -> Texts:
        """Return the texts of a step."""
        visible = set(words)
        return visible_where([word in visible for word in self.words], self.mark)


@dataclass(frozen=True)
class Rows:
    """Where the nodes of an FP-tree stand: nodes of one item in one row, in the order of the tree.

    Node links are then straight and level, and since a path takes its items in that order, an edge
    always leads down.
    """

    x: Mapping[int, float]  # the column of each node; leaves stand one unit apart
    row: Mapping[int, int]  # the root has row 0
    room: Mapping[int, float]  # how far to the right of each node nothing else is drawn
    width: float  # how many columns there are


@dataclass(frozen=True)
class PlacedTree:
    """A tree, or the largest of its nodes, at its places in a panel."""

    panel: str
    tree: FPTree
    names: Sequence[str]  # the items
    place: Mapping[int, tuple[float, float]]  # of each node that is drawn, the root first
    below: Mapping[int, float]  # the height of the row below each node
    letters: Mapping[int, float]  # characters beside each node
    gap: float  # the distance of a text from its node

    @property
    def nodes(self) -> list[int]:
        """The nodes without the root."""
        return list(self.place)[1:]

    def at(self, nodes: Iterable[int]) -> Floats:
        """Return the places of nodes, shape (n, 2)."""
        return np.array([self.place[node] for node in nodes], float).reshape(-1, 2)

    def edges(self, nodes: Sequence[int], width: float = 1.5) -> Segments:
        """Return the edges to nodes: from those above them to the next row, then straight down."""
        parents = [self.tree.parent[node] for node in nodes]
        pairs = zip(nodes, parents, strict=True)
        bends = np.array([(self.place[node][0], self.below[parent]) for node, parent in pairs])
        starts = np.vstack([self.at(parents), bends.reshape(-1, 2)])
        ends = np.vstack([bends.reshape(-1, 2), self.at(nodes)])
        return segments_between(starts, ends, panel=self.panel, width=width)

    def items(self, nodes: Iterable[int]) -> list[int]:
        """Return the numbers of the nodes' items, from 1; 0 for the root."""
        return [self.tree.item[node] + 1 for node in nodes]

    def word(self, node: int, count: int) -> Word:
        """Return the item of a node with a count, beside the node."""
        x, y = self.place[node]
        text = node_text(self.names[self.tree.item[node]], count, self.letters[node])
        return Word(x + self.gap, y, text)


def largest(tree: FPTree, max_nodes: int) -> list[int]:
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


def rows_of(tree: FPTree, nodes: Sequence[int], items: Sequence[int]) -> Rows:
    """Return where some nodes of a tree stand, the root first; ``items`` is the order of the rows.

    Examples
    --------
    >>> tree = FPTree()
    >>> _ = tree.insert([7, 8, 9]), tree.insert([9])
    >>> rows = rows_of(tree, range(5), [7, 8, 9])
    >>> rows.row[3], rows.row[4], rows.x[4] - rows.x[3]
    (3, 3, 1.0)
    >>> rows.room[2], rows.room[3]
    (1.0, 1.0)
    """
    children: dict[int, list[int]] = {}
    for node in nodes[1:]:
        children.setdefault(tree.parent[node], []).append(node)
    places = layout(children)
    number = {item: k for k, item in enumerate(items, start=1)}
    x, row = places.x, {0: 0} | {node: number[tree.item[node]] for node in nodes[1:]}

    def room(node: int) -> float:
        """Return the distance to the next node, or edge down to one, in the same row."""
        crossing = (each for each in nodes[1:] if row[tree.parent[each]] < row[node] <= row[each])
        right = [x[each] for each in crossing if x[each] > x[node]]
        return min(right, default=places.width) - x[node]

    return Rows(x, row, {node: room(node) for node in nodes}, places.width)


def node_text(name: str, count: int, room: float) -> str:
    """Return the text beside a node: its item and its count, as far as there is room.

    Examples
    --------
    >>> node_text("coffee", 12, 20), node_text("coffee", 12, 8), node_text("coffee", 12, 4)
    ('coffee:12', 'coff…:12', '12')
    >>> node_text("c", 13, 2)
    '13'
    """
    number = f":{count}"
    if len(name) + len(number) <= room:
        return name + number
    if room - len(number) >= 5:
        return fitting(name, room - len(number)) + number
    return str(count) if room >= len(str(count)) else ""
