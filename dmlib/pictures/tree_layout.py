"""A tree as a drawing: where its nodes lie, and which words fit beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Layout:
    """Where the nodes of a tree are drawn."""

    # the place of each node from left to right: leaves stand one unit apart, a node in the middle
    # of its children
    x: Mapping[int, float]
    depth: Mapping[int, int]  # the distance of each from the root; it is drawn so far down
    room: Mapping[int, float]  # how wide a text in the middle above each node can be, in units
    width: float  # how many leaves there are

    @property
    def height(self) -> int:
        """The largest depth."""
        return max(self.depth.values())


def layout(children: Mapping[int, Sequence[int]]) -> Layout:
    """Place the nodes of a tree, root 0 on top, by the children of each node that has some.

    Examples
    --------
    >>> places = layout({0: (1, 2), 2: (3, 4)})
    >>> places.x[1], places.x[2], places.x[0], places.depth[4]
    (0.0, 1.5, 0.75, 2)
    """
    order, depth, waiting = [], {0: 0}, [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        for child in reversed(children.get(node, ())):
            depth[child] = depth[node] + 1
            waiting.append(child)
    x: dict[int, float] = {}
    width = 0
    for node in order:
        if not children.get(node):
            x[node] = float(width)
            width += 1
    for node in reversed(order):
        if children.get(node):
            x[node] = float(np.mean([x[children[node][0]], x[children[node][-1]]]))
    return Layout(x, depth, _room(x, depth, width), float(width))


def _room(x: Mapping[int, float], depth: Mapping[int, int], width: int) -> dict[int, float]:
    """Return the width for a text at each node, up to the middle to its neighbours."""
    levels: dict[int, list[int]] = {}
    for node in sorted(x, key=lambda node: x[node]):
        levels.setdefault(depth[node], []).append(node)
    room = {}
    for level in levels.values():
        for i, node in enumerate(level):
            before = (x[node] - x[level[i - 1]]) / 2 if i else x[node] + 0.7
            after = (x[level[i + 1]] - x[node]) / 2 if i + 1 < len(level) else width - 0.3 - x[node]
            room[node] = 2 * min(before, after)
    return room


def fitting(text: str, room: float) -> str:
    """Return a text cut to a length; nothing where fewer than five letters fit.

    Examples
    --------
    >>> fitting("petal length", 8), fitting("petal length", 20), fitting("petal length", 4.9)
    ('petal l…', 'petal length', '')
    """
    if len(text) <= room:
        return text
    return text[: int(room) - 1] + "…" if room >= 5 else ""
