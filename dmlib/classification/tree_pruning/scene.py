"""Pruning as a picture: the grown and the pruned tree, its regions, and error against size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_drawing_scene import TreeDrawing, tree_panel
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.ledger import Narrator
from dmlib.classification.tree_pruning.pruning import PruningStep
from dmlib.classification.tree_pruning.remains_scene import GrownTree
from dmlib.classification.tree_pruning.sizes import Sizes, sizes_of
from dmlib.classification.tree_regions_scene import upright
from dmlib.params import Choice
from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import path_until, visible_if
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.pictures.words import count
from dmlib.problem import Problem, Query
from dmlib.trees.tree import Tree

OPTIONS = {"large": Option(Choice(("trees", "regions")), "trees")}
"""The large panels: the grown and the pruned tree, or the regions and the pruned tree."""

MAX_FRAMES = 60
MANY = 90  # steps beyond which subtrees that stay have no frame
USUAL, SMALL = 4.5, 2.5  # radius of a row, and of one of the pruning set


def tree_pruning_scene(run: Run[Problem, PrunedTreeClassifier]) -> Scene:
    """Draw how a grown tree is pruned.

    There is a frame for the grown tree, one for each comparison, and one for the pruned tree with
    the query. The option ``large`` of the run chooses which two panels are large.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.PrunedTreeClassifier`.

    Returns
    -------
    Scene
        The grown tree, what is left of it, the plane, and error against size.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyxxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> model = PrunedTreeClassifier("pessimistic", validation_fraction=0.0)
    >>> scene = tree_pruning_scene(Run.of(problem, model))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'prune', 'done']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model, steps = run.problem, run.fitted, _steps_with_frames(run.trace.steps)
    codes = [int(code) for code in model.classes_]
    grown = GrownTree(model.grown_.tree_, problem, codes)
    trees = TreePair(grown, steps[-1].tree, run.query)
    sizes = run.once("sizes", lambda: sizes_of(problem, model, run.trace.steps))
    has_large_trees = chosen(run, OPTIONS)["large"] == "trees"
    rows = class_points(problem, size=_radii(problem, model))
    curves = _size_curves(sizes)
    path = np.array([sizes.of(step.tree) for step in steps])
    narrator = Narrator(problem, model, run.trace.steps, run.query, sizes)

    def draw(moment: Moment) -> Drawing:
        marks = (
            _regions(run, grown, moment),
            rows,
            *(trees.before(moment) if has_large_trees else ()),
            *trees.after(moment),
            *curves,
            *path_until(path, moment.index + 1, panel="size"),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), moment.step.phase)

    return story(
        run,
        draw,
        panels=_panels(problem, grown.tree, steps[-1], sizes, has_large_trees),
        steps=steps,
        legend=_legend(problem, model),
        handles=(query_handle(run.query),),
        notes=_notes(problem, sizes),
        max_frames=MAX_FRAMES,
    )


def _steps_with_frames(steps: Sequence[PruningStep]) -> Sequence[PruningStep]:
    """Return the steps that may have a frame: of a long run only those that change the tree."""
    return steps if len(steps) <= MANY else [step for step in steps if step.phase != "keep"]


def _panels(
    problem: Problem, grown: Tree, last: PruningStep, sizes: Sizes, has_large_trees: bool
) -> list[Panel]:
    plane = replace(region_panel(problem), side=has_large_trees, title="Regions of the pruned tree")
    n = grown.n_leaves
    before = tree_panel("before", f"Grown tree: {count(n, 'leaf', 'leaves')}")
    after = tree_panel("after", f"Pruned tree: {count(last.n_leaves, 'leaf', 'leaves')}")
    x = Axis("leaves", min(0.5, 1 - 0.03 * n), n + 0.03 * n + 0.5, integer=True)
    y = Axis("error", *bounds(sizes.heights, 0.12))
    size = Panel("size", x, y, "Error against size", side=True)
    return [plane, *([before] if has_large_trees else []), after, size]


def _notes(problem: Problem, sizes: Sizes) -> tuple[str, ...]:
    notes = list(held_note(problem))
    if not upright(problem.plane):
        slanted = "In this view splits are not axis-parallel"
        notes.append(f"{slanted}, so that regions are drawn for the pruned tree only.")
    cv = "" if sizes.cross_validated is None else ", dashed cross-validated"
    test = "" if sizes.test is None else ", black the test error"
    path = "Error against size: all trees of the cost-complexity path, grey the training error"
    series = ""
    if sizes.series is not None:
        series = "; dashed those of increasing critical values, by the pruning set"
    own = f"in colour the trees of this run, by their {sizes.judged} error."
    return (*notes, f"{path}{test}{cv}{series}; {own}")


def _legend(problem: Problem, model: PrunedTreeClassifier) -> tuple[Key, ...]:
    small = (Key("small: pruning set", symbol=0),) if len(model.validation_rows_) else ()
    return (*class_legend(problem), *small)


# --- the plane ----------------------------------------------------------------------------------


def _radii(problem: Problem, model: PrunedTreeClassifier) -> Floats:
    radii = np.full(len(problem.X), USUAL)
    radii[problem.trained[model.validation_rows_]] = SMALL
    return radii


def _regions(run: Run[Problem, PrunedTreeClassifier], grown: GrownTree, moment: Moment) -> Mark:
    """Return the regions of the tree of a step; where they are no boxes, at the end only."""
    if upright(run.problem.plane):
        return grown.regions(moment.step.tree)
    return visible_if(moment.is_last, run.surface)


# --- the trees ----------------------------------------------------------------------------------


class TreePair:
    """The grown tree and the pruned tree.

    Parameters
    ----------
    grown : GrownTree
        The grown tree.
    final : Tree
        The pruned tree.
    query : Query or None
        The place or sample that is asked about.
    """

    def __init__(self, grown: GrownTree, final: Tree, query: Query | None) -> None:
        self.grown, self.query = grown, query
        self._grown_drawing = TreeDrawing(grown.tree, grown.problem, grown.codes)
        self._final_drawing = TreeDrawing(final, grown.problem, grown.codes)
        self._hidden = self._final_drawing.marks("after", self._final_drawing.no_nodes)

    def before(self, moment: Moment) -> list[Mark]:
        """Return the grown tree, its pruned nodes grey."""
        drawing = self._grown_drawing
        is_cut = ~self.grown.subtree(moment.step.tree).present
        nodes = self._nodes(moment.step)
        return drawing.marks("before", drawing.all_nodes, grey=is_cut, current=nodes)

    def after(self, moment: Moment) -> list[Mark]:
        """Return the remaining nodes; at the end the pruned tree fills the panel."""
        grown, final = self._grown_drawing, self._final_drawing
        if moment.is_last:
            leaf = self._leaf(final.tree)
            final_marks = final.marks("after", final.all_nodes, current=leaf)
            return [*grown.marks("after", grown.no_nodes), *final_marks]
        subtree = self.grown.subtree(moment.step.tree)
        nodes = [node for node in self._nodes(moment.step) if subtree.present[node]]
        remaining_marks = grown.marks("after", subtree, current=nodes)
        return [*remaining_marks, *self._hidden]

    def _nodes(self, step: PruningStep) -> list[int]:
        """Return the node of a comparison; at the end the leaf of the query."""
        if step.comparison is not None:
            return [step.comparison.node]
        return self._leaf(self.grown.tree) if step.phase == "done" else []

    def _leaf(self, tree: Tree) -> list[int]:
        """Return the leaf of the query, if there is one."""
        return [] if self.query is None else [int(tree.apply(self.query.x[None])[0])]


# --- error against size -------------------------------------------------------------------------


def _size_curves(sizes: Sizes) -> list[Line]:
    """Return training, test and cross-validated error of the trees of the path.

    Where a critical value was chosen, also the errors of its series on the pruning set.
    """
    x = sizes.leaves
    curves = [Line(panel="size", x=x, y=sizes.training, color="muted", label="training")]
    if sizes.test is not None:
        curves.append(Line(panel="size", x=x, y=sizes.test, color="accent", label="test"))
    if sizes.cross_validated is not None:
        y = sizes.cross_validated
        label = "cross-validated"
        curves.append(Line(panel="size", x=x, y=y, width=1.5, dash=True, label=label))
    if sizes.series is not None:
        x, y = sizes.series
        curves.append(Line(panel="size", x=x, y=y, width=1.5, dash=True, label="pruning set"))
    return curves
