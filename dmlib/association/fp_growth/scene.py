"""FP-growth as a picture: the tree grows basket by basket, then conditional trees are opened beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.ledger import Ledger
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree_scene import LEGEND, RAISED, Drawing, tree_marks, tree_note, tree_panel
from dmlib.association.fp_growth.work_scene import work_marks, work_panel
from dmlib.pictures.data.baskets import baskets_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Rects
from dmlib.pictures.motion import nth, path, thin
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Panel, Scene
from dmlib.pictures.words import num

MOST_INSERTED, MOST_OPENED = 40, 100
"""So many baskets that enter, and so many conditional trees, have a frame."""

MOST_BARS = 30  # items whose support is drawn


def fp_growth_scene(run: Run) -> Scene:
    """Draw a run of FP-growth.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.FPGrowth` on baskets.

    Returns
    -------
    Scene
        One frame for the count, for each basket and conditional tree (of many, every few), and one for the end.

    Examples
    --------
    >>> from dmlib.association import FPGrowth
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea"}])
    >>> scene = fp_growth_scene(Run.of(problem, FPGrowth(0.5)))
    >>> [frame.phase for frame in scene.frames]
    ['count', 'insert', 'insert', 'combine', 'done']
    """
    problem, steps, min_support = run.problem, run.trace.steps, run.model.min_support
    if not steps:
        alone = baskets_scene(problem)
        return Scene(alone.panels, alone.marks, (Frame(run.trace.reason),), alone.notes)
    shots, notes = frames_of(steps)
    replay = Replay(steps)
    drawing = Drawing(problem.items, steps[0].items, steps[0].counts, replay, shots)
    supports, bars, line = _supports(drawing, len(problem.matrix), min_support)
    sizes, growth = _sizes(drawing)
    ledger = Ledger(problem, replay, min_support)
    frames = [Frame(*ledger.told(i), phase=steps[i].phase) for i in shots]
    panels = (work_panel(), tree_panel(drawing), supports, sizes)
    marks = (*work_marks(drawing), *tree_marks(drawing), bars, *growth)
    return Scene(panels, marks, frames, (*problem.notes, *notes, *tree_note(drawing)), (line,), LEGEND)


def frames_of(steps: Sequence[FPGrowthStep]) -> tuple[list[int], tuple[str, ...]]:
    """Return the steps that have a frame, and the sentences that say which."""
    inserted = [i for i, step in enumerate(steps) if step.phase == "insert"]
    opened = [i for i, step in enumerate(steps) if step.phase in {"condition", "combine"}]
    shots = {0, len(steps) - 1}
    notes = []
    for some, most, what in ((inserted, MOST_INSERTED, "basket"), (opened, MOST_OPENED, "conditional tree")):
        kept = thin(len(some), most)
        shots.update(some[k] for k in kept)
        stride = int(kept[1] - kept[0]) if len(kept) > 2 else 1
        if what == "basket" and len(kept) > 2:  # of many baskets, not each has a step
            stride *= steps[some[1]].basket - steps[some[0]].basket
        notes += [f"Long run: every {nth(stride)} {what} is shown."] if stride > 1 else []
    return sorted(shots), tuple(notes)


# --- beside the trees -------------------------------------------------------------------------------------------------


def _supports(drawing: Drawing, n_baskets: int, min_support: float) -> tuple[Panel, Rects, Handle]:
    """Return the panel of the items' supports, its bars, and the line in it that sets the minimum support."""
    order = np.argsort(-drawing.totals, kind="stable")[:MOST_BARS]
    support = drawing.totals[order] / n_baskets
    x = np.arange(1.0, len(support) + 1)
    high = min(1.05, 1.1 * max(float(support[0]), min_support))
    panel = Panel(
        "supports", Axis("items, by support", 0.4, len(support) + 0.6, integer=True), Axis("support", 0.0, high),
        title="Supports: drag the line", side=True,
    )  # fmt: skip
    color = np.where(support >= min_support, RAISED, NO_CLASS).astype(np.uint8)
    bars = Rects(
        panel="supports", x0=x - 0.4, x1=x + 0.4, y0=0 * x, y1=support, color=color, numbers=order + 1, of="item"
    )
    return panel, bars, Handle("min_support", "supports", f"min_support = {num(min_support)}", "y", None, min_support)


def _sizes(drawing: Drawing) -> tuple[Panel, list[Mark]]:
    """Return the panel of the nodes for the items that have entered, and its lines."""
    inserted = [step for step in drawing.replay.steps if step.phase == "insert"]
    nodes = np.array([0, *(step.n_nodes for step in inserted)])
    items = np.array([0, *(step.n_items for step in inserted)])
    entered = np.array([0, *(step.basket + 1 for step in inserted)])
    x = Axis("baskets inserted", 0.0, max(int(entered[-1]), 1) * 1.02, integer=True)
    y = Axis("number", 0.0, 1.1 * max(int(items[-1]), 1), integer=True)
    panel = Panel("sizes", x, y, title="Items (grey), nodes of the tree", side=True)
    shown = thin(len(nodes), 200)
    so_far = np.cumsum([step.phase == "insert" for step in drawing.replay.steps])
    reached = np.searchsorted(shown, so_far[drawing.shots], side="right").tolist()
    line, end = path(np.stack([entered[shown], nodes[shown]], axis=1), reached, panel="sizes")
    return panel, [Line(panel="sizes", x=entered[shown], y=items[shown], color="muted", width=1.5), line, end]
