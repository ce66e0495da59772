"""FP-growth as a picture: the tree grows by baskets, conditional trees are opened beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.ledger import Narrator
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree_scene import LEGEND, RAISED, TreePlot
from dmlib.association.fp_growth.work_scene import PANEL, WorkPlot
from dmlib.pictures.marks import NO_CLASS, Rects
from dmlib.pictures.motion import nth
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, frames_by_phase, needs_steps, story
from dmlib.pictures.words import num
from dmlib.problem import BasketsProblem

MAX_INSERTED, MAX_TREES = 40, 100
"""So many baskets that enter, and so many conditional trees, have a frame."""

MAX_BARS = 30  # items whose support is drawn


@needs_steps
def fp_growth_scene(run: Run[BasketsProblem, FPGrowth]) -> Scene:
    """Draw a run of FP-growth.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.FPGrowth` on baskets.

    Returns
    -------
    Scene
        One frame for the count, for each basket and conditional tree (of many, every few), and
        one for the end.

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
    numbers, notes = shown_steps(steps)
    replay = Replay(steps)
    tree = TreePlot(problem.items, replay, numbers)
    work = WorkPlot(problem.items, replay, numbers)
    supports = SupportBars(steps[0], len(problem.matrix), min_support)
    narrator = Narrator(problem, replay, min_support, tree.nodes)

    def draw(moment: Moment) -> Drawing:
        step: FPGrowthStep = moment.step
        marks = (*work.marks(moment.index), *tree.marks(moment), supports.bars)
        return Drawing(marks, *narrator.caption_and_ledger(step), step.phase)

    return story(
        run,
        draw,
        panels=(tree.panel(), PANEL, supports.panel),
        numbers=numbers,
        fold=Fold.count_of("insert"),
        legend=LEGEND,
        handles=(supports.handle,),
        notes=(*notes, *tree.note()),
    )


def shown_steps(steps: Sequence[FPGrowthStep]) -> tuple[list[int], list[str]]:
    """Return the numbers of the steps that have a frame, and the sentences that say which."""
    phases = ("condition", "combine")
    numbers, _ = frames_by_phase(steps, {("insert",): MAX_INSERTED, phases: MAX_TREES})
    trees = [i for i, step in enumerate(steps) if step.phase in phases]
    places_of = {
        "basket": [steps[i].basket for i in numbers if steps[i].phase == "insert"],
        "conditional tree": [k for k, i in enumerate(trees) if i in set(numbers)],
    }
    notes = []
    for kind, places in places_of.items():
        stride = places[1] - places[0] if len(places) > 2 else 1
        if stride > 1:
            notes.append(f"Long run: every {nth(stride)} {kind} is shown.")
    return numbers, notes


class SupportBars:
    """The supports of the items, and the line that sets the minimum support.

    Parameters
    ----------
    step : FPGrowthStep
        The step that counts the items.
    n_baskets : int
        The number of baskets.
    min_support : float
        The minimum support.
    """

    def __init__(self, step: FPGrowthStep, n_baskets: int, min_support: float) -> None:
        order = np.argsort(-step.counts, kind="stable")[:MAX_BARS]
        support = step.counts[order] / n_baskets
        x = np.arange(1.0, len(support) + 1)
        self.panel = Panel(
            "supports",
            Axis("items, by support", 0.4, len(support) + 0.6, integer=True),
            Axis("support", 0.0, min(1.05, 1.1 * max(float(support[0]), min_support))),
            title="Supports: drag the line",
            side=True,
        )
        self.bars = Rects(
            panel="supports",
            x0=x - 0.4,
            x1=x + 0.4,
            y0=np.zeros(len(x)),
            y1=support,
            color=np.where(support >= min_support, RAISED, NO_CLASS).astype(np.uint8),
            numbers=order + 1,
            of="item",
        )
        text = f"min_support = {num(min_support)}"
        self.handle = Handle("min_support", "supports", text, "y", None, min_support)
