"""The panel beside the FP-tree: the baskets as they enter, then the conditional tree that is open, then the answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.tree import FPTree
from dmlib.association.fp_growth.tree_scene import LETTERS, OPENED, Drawing, largest, node_text, placed, words
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import xy
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting

PANEL = "data"
LINES = 10  # lines of text in the panel: as many as fit on a phone
BESIDE = 0.04  # distance of a label from its node
MOST_CONDITIONAL = 20  # nodes of a conditional tree that are drawn
TOP = 0.97
Said = tuple[float, float, str, int, int]


def work_panel() -> Panel:
    """Return the panel."""
    return Panel(PANEL, Axis("", 0.0, 1.0), Axis("", 0.0, 1.03), "Baskets, then conditional trees")


def work_marks(drawing: Drawing) -> list[Mark]:
    """Return the marks of the panel."""
    said: list[Said] = []
    bars: list[list[float]] = []
    for frame in range(len(drawing.shots)):
        step = drawing.step(frame)
        lines, now = _lines(drawing, step)
        heading = _heading(drawing, step)
        places = [(0.02, TOP), *((x, TOP - (k + 1) / LINES) for x in (0.02, 0.52) for k in range(LINES - 1))]
        said += [(*place, text, frame, frame) for place, text in zip(places, (heading, *lines), strict=False)]
        bars.append([TOP - (now + 1) / LINES] if now is not None else [])
    return [_bar(bars), words(PANEL, joined(said), len(drawing.shots)), *_conditional(drawing)]


def joined(said: Sequence[Said]) -> list[Said]:
    """Return texts, one for all frames in a row in which the same stands at the same place.

    Examples
    --------
    >>> joined([(0.0, 1.0, "a", 0, 0), (0.0, 1.0, "a", 1, 1), (0.0, 1.0, "b", 2, 2)])
    [(0.0, 1.0, 'a', 0, 1), (0.0, 1.0, 'b', 2, 2)]
    """
    found: dict[tuple[float, float, str], list[list[int]]] = {}
    for x, y, text, first, last in said:
        spans = found.setdefault((x, y, text), [])
        if spans and spans[-1][1] == first - 1:
            spans[-1][1] = last
        else:
            spans.append([first, last])
    return [(*place, *span) for place, spans in found.items() for span in spans]  # type: ignore[misc]


def _heading(drawing: Drawing, step: FPGrowthStep) -> str:
    if step.phase in {"count", "insert"}:
        return "Baskets, items in the order of the tree"
    if step.phase == "done":
        return "Frequent item sets, baskets"
    pattern = step.items if step.phase == "condition" else step.suffix
    if not pattern:
        return "The FP-tree is a single path"
    empty = ": empty" if step.phase == "condition" and not step.kept else ""
    return f"Conditional tree of {braces(drawing.names, pattern)}{empty}"


def braces(names: Sequence[str], items: Sequence[int]) -> str:
    """Return an item set.

    Examples
    --------
    >>> braces(("tea", "milk"), (1, 0))
    '{milk, tea}'
    """
    return "{" + ", ".join(names[j] for j in items) + "}"


def _lines(drawing: Drawing, step: FPGrowthStep) -> tuple[list[str], int | None]:
    """Return the lines below the heading, and which of them the step is about."""
    if step.phase == "done":
        return _answer(drawing), None
    if step.phase not in {"count", "insert"}:
        return [], None
    inserted = [each for each in drawing.replay.steps if each.phase == "insert"]
    now = next((k for k, each in enumerate(inserted) if each is step), 0)
    first = min(max(now - LINES // 2, 0), max(len(inserted) - LINES + 1, 0))
    shown = inserted[first : first + LINES - 1]
    lines = [_basket(drawing, each) for each in shown]
    return lines, now - first if step.phase == "insert" else None


def _answer(drawing: Drawing) -> list[str]:
    """Return the item sets that most baskets contain: in two columns, where they are short enough."""
    found = sorted((some for each in drawing.replay.steps for some in each.found), key=lambda one: (-one[1], one))
    sets = [f"{braces(drawing.names, items)}  {count}" for items, count in found]
    narrow = LETTERS // 2 - 2
    room = 2 * (LINES - 1) if max(map(len, sets[: 2 * LINES]), default=0) <= narrow else LINES - 1
    more = [f"and {len(sets) - room + 1} more"] if len(sets) > room else []
    return [fitting(text, LETTERS) for text in sets[: room - len(more)]] + more


def _basket(drawing: Drawing, step: FPGrowthStep) -> str:
    items = ", ".join(drawing.names[j] for j in step.items) or "no frequent item"
    return fitting(f"{step.basket + 1}:  {items}", LETTERS)


def _bar(heights: Sequence[Sequence[float]]) -> Rects:
    """Return a bar behind the line that the step is about."""
    y = [np.array(some) for some in heights]
    return Rects(
        panel=PANEL,
        x0=PerFrame([0.0 * some for some in y]),
        x1=PerFrame([0.0 * some + 1.0 for some in y]),
        y0=PerFrame([some - 0.45 / LINES for some in y]),
        y1=PerFrame([some + 0.45 / LINES for some in y]),
        color=[0],
        opacity=[0.15],
    )


# --- the conditional tree ---------------------------------------------------------------------------------------------


def _conditional(drawing: Drawing) -> list[Mark]:
    """Return the conditional tree that each frame opens."""
    starts, ends, chains, items = [], [], [], []
    said: list[Said] = []
    for frame in range(len(drawing.shots)):
        step = drawing.step(frame)
        pattern = step.items if step.phase == "condition" and step.kept else step.suffix
        tree = drawing.replay.opened(pattern) if pattern else FPTree()
        places, above, texts = _small(drawing, tree)
        starts.append(above)
        ends.append(places)
        items.append([tree.item[node] + 1 for node in largest(tree, MOST_CONDITIONAL)[1:]])
        chains.append(places if step.phase == "combine" else places[:0])
        said += [(x, y, text, frame, frame) for (x, y), text in texts]
    (x0, y0), (x1, y1), (x, y) = xy(starts), xy(ends), xy(chains)
    root_x, root_y = xy(some[:1] for some in starts)
    return [
        Segments(panel=PANEL, x0=x0, y0=y0, x1=x1, y1=y1),
        Points(panel=PANEL, x=root_x, y=root_y, color=[NO_CLASS], symbol=[0], size=[5.0], hollow=[1]),
        Points(panel=PANEL, x=x1, y=y1, color=[NO_CLASS], symbol=[0], size=[5.0], numbers=PerFrame(items), of="item"),
        Points(panel=PANEL, x=x, y=y, color=[OPENED], size=[7.0], emphasis=True),
        words(PANEL, joined(said), len(drawing.shots)),
    ]


def _small(drawing: Drawing, tree: FPTree) -> tuple[np.ndarray, np.ndarray, list[tuple[tuple[float, float], str]]]:
    """Return where the nodes of a conditional tree lie, where those above them do, and the words beside them."""
    nodes = largest(tree, MOST_CONDITIONAL)
    if len(nodes) == 1:
        return np.empty((0, 2)), np.empty((0, 2)), []
    layout = placed(tree, nodes)
    wide, high = max(layout.width, 2.0), layout.height + 0.5

    def place(node: int) -> tuple[float, float]:
        return 0.47 + (layout.x[node] - (layout.width - 1) / 2) / wide, 0.86 * (1 - layout.depth[node] / high)

    texts = []
    for node in nodes[1:]:
        x, y = place(node)
        room = layout.room[node] * LETTERS / wide - 2
        texts.append(((x + BESIDE, y), node_text(drawing.names[tree.item[node]], tree.count[node], room)))
    above = np.array([place(tree.parent[node]) for node in nodes[1:]])
    return np.array([place(node) for node in nodes[1:]]), above, texts
