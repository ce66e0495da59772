"""The panel of the FP-tree: nodes that are counted up, the header table, and the links from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree import FPTree
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Segments, Texts
from dmlib.pictures.motion import during, xy
from dmlib.pictures.scene import Axis, Key, Panel
from dmlib.pictures.tree_layout import Layout, fitting, layout

RAISED, NEW, OPENED = 0, 1, 2
LEGEND = (
    Key("count raised", RAISED),
    Key("new node", NEW),
    Key("node of the opened item", OPENED),
    Key("other nodes", NO_CLASS, 0),
)
MOST_NODES, MOST_ITEMS = 40, 20
"""So many nodes of a tree, and so many items of its header table, are drawn."""

MOST_LINKED = 20  # nodes up to which the links of all items are drawn; of larger trees, those of the opened item
LETTERS = 48  # characters across the panel on a small laptop
MARGIN = 0.06  # share of the panel's width to the right of the last node
HEADER = 0.3  # share of the panel's width that the header table has
BESIDE = 0.028  # distance of a label from its node, as a share of the panel's width


def largest(tree: FPTree, most: int = MOST_NODES) -> list[int]:
    """Return the nodes that are drawn, the root first: those that most baskets go through, each with what is above it.

    Examples
    --------
    >>> tree = FPTree()
    >>> _ = tree.insert([1, 2]), tree.insert([3], 4)
    >>> largest(tree, 2)
    [0, 1, 3]
    """
    ranked = sorted(range(1, len(tree) + 1), key=lambda node: (-tree.count[node], node))
    return [0, *sorted(ranked[:most])]


def placed(tree: FPTree, nodes: Sequence[int]) -> Layout:
    """Return where some nodes of a tree are drawn."""
    children: dict[int, list[int]] = {}
    for node in nodes[1:]:
        children.setdefault(tree.parent[node], []).append(node)
    return layout(children)


@dataclass(frozen=True)
class Drawing:
    """What the panel of the FP-tree is drawn from."""

    names: Sequence[str]  # the items
    order: Sequence[int]  # the frequent items from the root down
    totals: NDArray[np.intp]  # in how many baskets each item is
    replay: Replay  # the trees of the run
    shots: Sequence[int]  # the step of each frame

    @cached_property
    def nodes(self) -> list[int]:
        """The nodes that are drawn, the root first."""
        return largest(self.replay.tree)

    @cached_property
    def layout(self) -> Layout:
        """Where they lie."""
        return placed(self.replay.tree, self.nodes)

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """Their counts in each frame, shape (n_frames, n_nodes); 0 where they are not there yet."""
        return self.replay.counts(self.shots)[:, self.nodes]

    @property
    def width(self) -> float:
        """The width of the panel, in leaves."""
        return max(self.layout.width, 2.0) / (1 - HEADER - MARGIN)

    @property
    def left(self) -> float:
        """The left end of the panel."""
        return max(self.layout.width, 2.0) - 0.5 + MARGIN * self.width - self.width

    def place(self, node: int) -> tuple[float, float]:
        """Return where a node is drawn."""
        return self.layout.x[node], -float(self.layout.depth[node])

    @property
    def places(self) -> Floats:
        """Where the nodes are drawn, shape (n_nodes, 2)."""
        return np.array([self.place(node) for node in self.nodes])

    @cached_property
    def header(self) -> dict[int, tuple[float, float]]:
        """Where the items of the header table stand."""
        items = self.order[:MOST_ITEMS]
        heights = -(np.arange(len(items)) + 0.7) / max(len(items), 1) * (self.layout.height + 0.4)
        return {item: (self.left + 0.03 * self.width, float(y)) for item, y in zip(items, heights, strict=True)}

    @cached_property
    def entries(self) -> dict[int, str]:
        """What stands there."""
        letters = HEADER * LETTERS - 2
        return {item: node_text(self.names[item], int(self.totals[item]), letters) for item in self.header}

    def step(self, frame: int) -> FPGrowthStep:
        """Return the step of a frame."""
        return self.replay.steps[self.shots[frame]]

    def each(self, of: Callable[[FPGrowthStep], list[int]]) -> list[list[int]]:
        """Return, for each frame, those of the nodes that ``of`` names that are drawn."""
        drawn = set(self.nodes)
        return [[node for node in of(self.replay.steps[i]) if node in drawn] for i in self.shots]


def tree_panel(drawing: Drawing) -> Panel:
    """Return the panel of the FP-tree: the root on top, the header table on the left."""
    x = Axis("", drawing.left, drawing.left + drawing.width)
    return Panel("tree", x, Axis("", -drawing.layout.height - 0.5, 0.45), "FP-tree with its header table")


def tree_note(drawing: Drawing) -> tuple[str, ...]:
    """Return what is left out."""
    n_drawn, n_nodes = len(drawing.nodes) - 1, len(drawing.replay.tree)
    if n_drawn == n_nodes:
        return ()
    return (f"The tree shows {n_drawn} of {n_nodes:,} nodes: those with the largest counts.",)


def tree_marks(drawing: Drawing) -> list[Mark]:
    """Return the marks of the panel."""
    raised = drawing.each(lambda step: list(step.nodes[: step.n_shared]))
    new = drawing.each(lambda step: list(step.nodes[step.n_shared :]))
    opened = drawing.each(lambda step: _opened(drawing, step))
    return [
        _links(drawing),
        _edges(drawing),
        _ways(drawing, [some or [*old, *fresh] for some, old, fresh in zip(opened, raised, new, strict=True)]),
        _circles(drawing),
        *(_lit(drawing, nodes, color) for nodes, color in ((raised, RAISED), (new, NEW), (opened, OPENED))),
        _counts(drawing),
        _header(drawing),
    ]


def _opened(drawing: Drawing, step: FPGrowthStep) -> list[int]:
    """Return the nodes whose prefix paths are the conditional pattern base, seen from the FP-tree."""
    pattern = step.items if step.phase == "condition" else step.suffix
    return drawing.replay.holding(pattern) if pattern else []


def _since(drawing: Drawing) -> NDArray[np.intp]:
    """Return the frame in which each node comes."""
    there = drawing.counts > 0
    return np.where(there.any(axis=0), there.argmax(axis=0), len(drawing.shots))


def _edges(drawing: Drawing) -> Segments:
    (x1, y1), parents = drawing.places[1:].T, [drawing.replay.tree.parent[node] for node in drawing.nodes[1:]]
    x0, y0 = np.array([drawing.place(node) for node in parents]).reshape(-1, 2).T
    frames = len(drawing.shots)
    return Segments(panel="tree", x0=during(x0, _since(drawing)[1:], frames, frames), y0=y0, x1=x1, y1=y1)


def _ways(drawing: Drawing, ends: Sequence[Sequence[int]]) -> Segments:
    """Return the paths from the root to the nodes that each frame is about."""
    tree = drawing.replay.tree
    starts, stops = [], []
    for nodes in ends:
        way = sorted({above for node in nodes for above in (*tree.above(node), node)})
        starts.append(np.array([drawing.place(tree.parent[node]) for node in way]).reshape(-1, 2))
        stops.append(np.array([drawing.place(node) for node in way]).reshape(-1, 2))
    (x0, y0), (x1, y1) = xy(starts), xy(stops)
    return Segments(panel="tree", x0=x0, y0=y0, x1=x1, y1=y1, width=4.0)


def _circles(drawing: Drawing) -> Points:
    x, y = drawing.places.T
    frames, items = len(drawing.shots), [drawing.replay.tree.item[node] for node in drawing.nodes]
    labels = [f"{drawing.names[item]}: {drawing.replay.tree.count[node]} baskets" if item >= 0 else "root"
              for item, node in zip(items, drawing.nodes, strict=True)]  # fmt: skip
    since = _since(drawing)
    since[0] = 0
    return Points(
        panel="tree",
        x=during(x, since, frames, frames),
        y=y,
        color=np.full(len(x), NO_CLASS, np.uint8),
        symbol=[0],
        size=[5.0],
        hollow=[1] + [0] * (len(x) - 1),
        labels=labels,
        numbers=[item + 1 for item in items],
        of="item",
    )


def _lit(drawing: Drawing, nodes: Sequence[Sequence[int]], color: int) -> Points:
    x, y = xy(np.array([drawing.place(node) for node in some]).reshape(-1, 2) for some in nodes)
    numbers = PerFrame(nodes)
    return Points(panel="tree", x=x, y=y, color=[color], size=[7.0], emphasis=True, numbers=numbers, of="node")


def _counts(drawing: Drawing) -> Texts:
    """Return each node's item and count, for as long as it is that."""
    tree, said = drawing.replay.tree, []
    for k, node in enumerate(drawing.nodes[1:], start=1):
        counts = drawing.counts[:, k]
        starts = np.flatnonzero(np.diff(counts, prepend=0))
        ends = [*(starts[1:] - 1), len(counts) - 1]
        x, y = drawing.place(node)
        room = drawing.layout.room[node] * LETTERS / drawing.width - 2
        for first, last in zip(starts, ends, strict=True):
            text = node_text(drawing.names[tree.item[node]], int(counts[first]), room)
            said.append((x + BESIDE * drawing.width, y, text, int(first), int(last)))
    return words("tree", said, len(drawing.shots))


def node_text(name: str, count: int, room: float) -> str:
    """Return what is written beside a node: its item and its count, as far as there is room.

    Examples
    --------
    >>> node_text("coffee", 12, 20), node_text("coffee", 12, 8), node_text("coffee", 12, 4), node_text("c", 3, 1)
    ('coffee:12', 'coff…:12', '12', '')
    """
    number = f":{count}"
    if len(name) + len(number) <= room:
        return name + number
    return fitting(name, room - len(number)) + number if room - len(number) >= 5 else str(count) * (room >= len(number))


def words(panel: str, said: Sequence[tuple[float, float, str, int, int]], n_frames: int) -> Texts:
    """Return texts at places, each from one frame to another; empty ones are left out."""
    x, y, text, first, last = zip(*[each for each in said if each[2]], strict=True) if said else ((),) * 5
    shown = during(np.array(x, float), np.array(first, int), np.array(last, int), n_frames)
    return Texts(panel=panel, x=shown, y=np.array(y, float), text=text, anchor="start", dy=4.0)


def _header(drawing: Drawing) -> Texts:
    """Return the header table: each item with the number of its baskets."""
    x, y = np.array(list(drawing.header.values())).reshape(-1, 2).T
    return Texts(panel="tree", x=x, y=y, text=list(drawing.entries.values()), anchor="start", dy=4.0)


def _links(drawing: Drawing) -> Line:
    """Return the dashed links from the header table through the nodes of each item that are there."""
    tree, drawn = drawing.replay.tree, dict(zip(drawing.nodes, drawing.counts.T, strict=True))
    whole = len(drawing.nodes) - 1 <= MOST_LINKED
    rows = []
    for frame in range(len(drawing.shots)):
        items = drawing.header if whole else [i for i in _about(drawing.step(frame)) if i in drawing.header]
        row = []
        for item in items:
            nodes = [node for node in tree.links.get(item, ()) if node in drawn and drawn[node][frame]]
            if nodes:
                x, y = drawing.header[item]
                end = x + (len(drawing.entries[item]) + 1) / LETTERS * drawing.width
                row += [(end, y), *map(drawing.place, nodes), (np.nan, np.nan)]
        rows.append(np.array(row).reshape(-1, 2))
    links_x, links_y = xy(rows)
    return Line(panel="tree", x=links_x, y=links_y, color="muted", width=1.0, dash=True)


def _about(step: FPGrowthStep) -> tuple[int, ...]:
    """Return the item whose nodes a step opens."""
    return (step.items if step.phase == "condition" else step.suffix)[-1:]
