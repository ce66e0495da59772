"""A regression tree as a picture: step function, tree, and error by the number of leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Segments
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.drawing_scene import PANEL, TreeDrawing
from dmlib.regression.knn_tree_regression.ledger import TreeNarrator
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.rows_scene import RowsPlot, also_shown
from dmlib.regression.knn_tree_regression.tree import Grown, TreeStep

LEGEND = (Key("left part", 0, 0), Key("right part", 1, 0))
MAX_KEYS = 6  # groups of values that the legend names


def tree_scene(run: Run[Problem, Any], max_frames: int) -> Scene:
    """Draw one split or one pruning step a frame."""
    problem, steps, query = run.problem, run.trace.steps, run.current_query
    tree_after = trees_of(steps)
    final = tree_after(len(steps) - 1)
    plot = RowsPlot.of(problem)
    tree = _tree_plot(run, tree_after)
    errors = _errors(steps)
    is_asked = problem.upright or run.selected is not None
    narrator = TreeNarrator(run, query.x if is_asked else None)

    def draw(moment: Moment) -> Drawing:
        step: TreeStep = moment.step
        grown = tree_after(moment.index)
        over_column = _step_function(plot, step, grown) if problem.upright else []
        parts = _parts(step, grown)
        marks = (
            plot.line,
            *over_column,
            plot.rows(grown.predict),
            plot.rings(*parts, grown.predict),
            *tree.marks(moment),
            *errors.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(step, grown), step.phase)

    return story(
        run,
        draw,
        panels=(plot.panel, tree.panel, errors.panel),
        also=also_shown(steps),
        notes=(plot.note,),
        handles=plot.handles(run, float(final.predict(query.x[None])[0])),
        legend=(*_keys(steps), *plot.legend),
        max_frames=max_frames,
    )


def _keys(steps: Sequence[TreeStep]) -> tuple[Key, ...]:
    """Return the keys of the parts of a split, or of the groups of values of the largest one."""
    if not any(isinstance(step.split, Merging) for step in steps):
        return LEGEND
    n = min(max(len(step.nodes) for step in steps), MAX_KEYS)
    return tuple(Key(f"group {i + 1}", i, 0) for i in range(max(n, 2)))


def trees_of(steps: Sequence[TreeStep]) -> Callable[[int], Grown]:
    """Return a function that returns the tree after the step of a number.

    Examples
    --------
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> tree_after = trees_of(list(DecisionTreeRegressor().steps([[0.0], [2.0]], [5.0, 7.0])))
    >>> tree_after(0).children, tree_after(1).children
    ({}, {0: (1, 2)})
    """

    @lru_cache(None)
    def tree_after(number: int) -> Grown:
        tree = Grown()
        for step in steps[: number + 1]:
            tree.add(step)
        return tree

    return tree_after


def _parts(step: TreeStep, tree: Grown) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the rows that a step is about, and the colours of their parts."""
    if step.phase == "split":
        parts = [node.rows for node in step.nodes]
        colors = (np.arange(len(parts)) % NO_CLASS).astype(np.uint8)
        return np.concatenate(parts), np.repeat(colors, [len(rows) for rows in parts])
    is_about = step.phase in ("stop", "keep", "prune")
    rows = tree.nodes[step.node].rows if is_about else np.empty(0, np.intp)
    return rows, np.full(len(rows), NO_CLASS, np.uint8)


# --- over one column ------------------------------------------------------------------------------


def step_function(
    tree: Grown, low: float, high: float, n_categories: int = 0
) -> tuple[Floats, Floats]:
    """Return the vertices of a tree's prediction over a single column, or over its categories.

    Examples
    --------
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> steps = list(DecisionTreeRegressor().steps([[0.0], [2.0]], [5.0, 7.0]))
    >>> x, y = step_function(trees_of(steps)(1), -1.0, 3.0)
    >>> x.tolist(), y.tolist()
    ([-1.0, 1.0, 1.0, 3.0], [5.0, 5.0, 7.0, 7.0])
    """
    cuts = sorted(cut for split in tree.splits.values() for cut in split.test.thresholds)
    cuts = [code - 0.5 for code in range(1, n_categories)] if n_categories else cuts
    ends = np.array([low, *(cut for cut in cuts if low < cut < high), high])
    # just inside each piece, so that a row at a threshold goes to the left
    inside = (ends[:-1] + ends[1:]) / 2
    x = np.repeat(ends, 2)[1:-1]
    middle = tree.predict(inside[:, None])
    if not tree.models:
        return x, np.repeat(middle, 2)
    arrays = tree.tree()
    leaves = arrays.numbers[arrays.apply(inside[:, None])]
    lines = np.repeat(np.array([tree.models[leaf] for leaf in leaves]), 2, axis=0)
    return x, lines[:, 0] + lines[:, 1] * x


def _step_function(plot: RowsPlot, step: TreeStep, tree: Grown) -> list[Mark]:
    """Return the step function, the stretch of the current node, and the new cut."""
    panel, n_categories = plot.panel, len(plot.problem.categories.get(0, ()))
    x, y = step_function(tree, panel.x.low, panel.x.high, n_categories)
    spans = np.empty((0, 2))
    if step.phase in ("split", "stop", "keep", "prune"):
        spans = _category_spans(step) if n_categories else np.array([_span(tree, step.node, panel)])
    is_cut = step.split is not None and step.phase == "split"
    thresholds = step.split.test.thresholds if step.split is not None and is_cut else ()
    cuts = np.array(thresholds, float)
    cuts = cuts[np.isfinite(cuts)]
    n_spans = len(spans)
    n_cuts = len(cuts)
    low, high = panel.y.low, panel.y.high
    stretch = Rects(
        x0=spans[:, 0],
        x1=spans[:, 1],
        y0=[low] * n_spans,
        y1=[high] * n_spans,
        color=np.full(n_spans, NO_CLASS, np.uint8),
        opacity=[0.1],
        of="",
    )
    cut = Segments(x0=cuts, x1=cuts, y0=[low] * n_cuts, y1=[high] * n_cuts, width=1.5, of="")
    curve = np.column_stack([x, np.clip(y, low, high)])
    return [line_through(curve, color="accent", width=2.5), stretch, cut]


def _category_spans(step: TreeStep) -> Floats:
    """Return the places of the categories that a split divides."""
    branches = () if step.split is None else step.split.test.branches
    codes = np.flatnonzero(np.array(branches, int) >= 0)
    return np.column_stack([codes - 0.5, codes + 0.5])


def _span(tree: Grown, number: int, panel: Panel) -> tuple[float, float]:
    """Return the interval of a node in a single column."""
    low, high = panel.x.low, panel.x.high
    node = tree.nodes[number]
    while node.parent >= 0:
        parent = node.parent
        cuts = tree.splits[parent].test.thresholds
        branch = tree.children[parent].index(node.number)
        if branch > len(cuts):  # missing values alone
            return np.nan, np.nan
        low = max(low, cuts[branch - 1]) if branch else low
        high = min(high, cuts[branch]) if branch < len(cuts) else high
        node = tree.nodes[parent]
    return low, high


# --- beside ---------------------------------------------------------------------------------------


def _tree_plot(run: Run[Problem, Any], tree_after: Callable[[int], Grown]) -> Plot:
    """Return the tree, laid out as the full one until it is pruned, then by itself."""
    steps = run.trace.steps
    n_grown = max(i for i, step in enumerate(steps) if step.phase in ("root", "split"))
    growing = TreeDrawing(run.problem, tree_after(n_grown))
    final = TreeDrawing(run.problem, tree_after(len(steps) - 1)) if _has_ended(steps[-1]) else None

    def marks(moment: Moment) -> list[Mark]:
        tree = tree_after(moment.index)
        is_final = _has_ended(moment.step)
        marks = growing.marks(moment.step, None if is_final else tree)
        if final is not None:
            marks += final.marks(moment.step, tree if is_final else None)
        return marks

    return Plot(PANEL, marks)


def _has_ended(step: TreeStep) -> bool:
    return step.phase in ("smooth", "done")


def _errors(steps: Sequence[TreeStep]) -> Plot:
    """Return the error of the training rows by the number of leaves."""
    trees = [step for step in steps if step.phase in ("root", "split", "prune")]
    sizes = np.array([(step.n_leaves, step.total) for step in trees], float)
    across = Axis("leaves", *bounds(sizes[:, 0], 0.04), integer=True)
    up = Axis("training error", *bounds([0.0, *sizes[:, 1]], 0.08))
    line = line_through(sizes, panel="errors", color="accent", width=1.5)

    def marks(moment: Moment) -> list[Mark]:
        place = [moment.step.n_leaves, moment.step.total]
        point = points_at(
            place, panel="errors", color=[NO_CLASS], symbol=[0], size=[5.0], emphasis=True, of=""
        )
        return [line, point]

    return Plot(Panel("errors", across, up, "Sum of errors", side=True), marks)
