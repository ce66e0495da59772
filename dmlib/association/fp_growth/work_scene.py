"""The panel beside the FP-tree: the baskets as they enter, conditional trees, then the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.nodes_scene import PlacedTree, Word, Words, largest, rows_of
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree import FPTree
from dmlib.association.fp_growth.tree_scene import CONDITIONAL
from dmlib.association.itemsets import braces
from dmlib.pictures.marks import NO_CLASS, Mark, Rects
from dmlib.pictures.places import points_at, visible_if
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting

NAME = "data"
TITLE = "Baskets, then conditional trees"
PANEL = Panel(NAME, Axis("", 0.0, 1.0), Axis("", 0.0, 1.03), TITLE, side=True)
LINES = 8  # lines of text in the panel
LETTERS = 40  # characters across it
TEXT_GAP = 0.06  # distance of a label from its node
MAX_CONDITIONAL = 20  # nodes of a conditional tree that are drawn
TOP = 0.95
ROOT = 0.72  # height of the root of a conditional tree, clear of the heading
SLOTS = [(x, TOP - (k + 1) / LINES) for x in (0.02, 0.52) for k in range(LINES - 1)]


@dataclass(frozen=True)
class Page:
    """The panel at a step: lines of text, one of them lit, or a conditional tree."""

    words: list[Word]
    bar: float | None  # the height of the line that is lit
    tree: PlacedTree

    @property
    def node_words(self) -> list[Word]:
        """The items and counts beside the nodes of the tree."""
        return [self.tree.word(node, self.tree.tree.count[node]) for node in self.tree.nodes]


class WorkPlot:
    """The panel of a run, step by step.

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
        self.names, self.replay = names, replay
        inserts = [i for i, step in enumerate(replay.steps) if step.phase == "insert"]
        self.inserts = [replay.steps[i] for i in inserts]
        self.place = {number: k for k, number in enumerate(inserts)}
        self.pages = {number: self._page(number) for number in numbers}
        pages = self.pages.values()
        self.lines = Words(NAME, [word for page in pages for word in page.words])
        self.node_words = Words(NAME, [word for page in pages for word in page.node_words])

    def marks(self, number: int) -> tuple[Mark, ...]:
        """Return the marks of a step."""
        page = self.pages[number]
        tree, nodes = page.tree, page.tree.nodes
        dot = {"panel": NAME, "color": [NO_CLASS], "symbol": [0], "size": [5.0]}
        path = nodes if self.replay.steps[number].phase == "combine" else []
        return (
            visible_if(page.bar is not None, _bar(page.bar or 0.0)),
            self.lines.at(page.words),
            tree.edges(nodes),
            points_at(tree.at(list(tree.place)[:1]), hollow=[1], **dot),
            points_at(tree.at(nodes), numbers=tree.items(nodes), of="item", **dot),
            points_at(tree.at(path), panel=NAME, color=[CONDITIONAL], size=[7.0], emphasis=True),
            self.node_words.at(page.node_words),
        )

    def _page(self, number: int) -> Page:
        step = self.replay.steps[number]
        bar = None
        if step.phase == "insert":
            bar = TOP - (self.place[number] - self._first_line(number) + 1) / LINES
        lines = zip(SLOTS, self._lines(number), strict=False)
        words = [Word(*place, text) for place, text in lines]
        heading = Word(0.02, TOP, self._heading(step))
        return Page([heading, *words], bar, self._conditional(step))

    def _heading(self, step: FPGrowthStep) -> str:
        if step.phase in {"count", "insert"}:
            return "Baskets, items in the order of the tree"
        if step.phase == "done":
            return "Frequent item sets, baskets"
        if not step.pattern:
            return "The FP-tree is a single path"
        empty = ": empty" if step.phase == "condition" and not step.tree_items else ""
        return f"Conditional tree of {braces(self.names, step.pattern)}{empty}"

    def _lines(self, number: int) -> list[str]:
        """Return the lines below the heading."""
        phase = self.replay.steps[number].phase
        if phase == "done":
            return self._answer()
        if phase not in {"count", "insert"}:
            return []
        first = self._first_line(number)
        return [self._basket(step) for step in self.inserts[first : first + LINES - 1]]

    def _first_line(self, number: int) -> int:
        """Return the basket on top, so that the one that enters is in the middle."""
        last = max(len(self.inserts) - LINES + 1, 0)
        return min(max(self.place.get(number, 0) - LINES // 2, 0), last)

    def _basket(self, step: FPGrowthStep) -> str:
        items = ", ".join(self.names[j] for j in step.items) or "no frequent item"
        return fitting(f"{step.basket + 1}:  {items}", LETTERS)

    def _answer(self) -> list[str]:
        """Return the item sets in most baskets: in two columns, where they are short enough."""
        texts = [f"{braces(self.names, items)}  {n}" for items, n in self.replay.itemsets]
        longest = max(map(len, texts[: 2 * LINES]), default=0)
        room = LINES - 1 if longest > LETTERS // 2 - 2 else 2 * (LINES - 1)
        if len(texts) > room:
            texts[room - 1 :] = [f"and {len(texts) - room + 1} more"]
        return [fitting(text, LETTERS) for text in texts]

    def _conditional(self, step: FPGrowthStep) -> PlacedTree:
        """Return the conditional tree that a step opens, if it has a node."""
        tree = self.replay.conditional_tree(step.pattern) if step.pattern else FPTree()
        nodes = largest(tree, MAX_CONDITIONAL) if len(tree) else []
        items = {tree.item[node] for node in nodes[1:]}
        rows = rows_of(tree, nodes, [j for j in self.replay.steps[0].items if j in items])
        width, height = max(rows.width, 2.0), len(items) + 0.5
        left = 0.47 - (rows.width - 1) / 2 / width
        y = {node: ROOT * (1 - row / height) for node, row in rows.row.items()}
        return PlacedTree(
            NAME,
            tree,
            self.names,
            {node: (left + rows.x[node] / width, y[node]) for node in nodes},
            {node: y[node] - ROOT / height for node in nodes},
            {node: room * LETTERS / width - 2 for node, room in rows.room.items()},
            TEXT_GAP,
        )


def _bar(height: float) -> Rects:
    """Return a bar behind a line of text."""
    half = 0.45 / LINES
    return Rects(
        panel=NAME,
        x0=[0.0],
        x1=[1.0],
        y0=[height - half],
        y1=[height + half],
        color=[0],
        opacity=[0.15],
    )
