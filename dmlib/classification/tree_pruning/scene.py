"""Pruning as a picture: the grown tree beside what is left of it, their regions, and error against size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.tree_drawing_scene import Drawing, Shot, tree_marks, tree_panel, whole
from dmlib.classification.tree_pruning.ledger import Teller
from dmlib.classification.tree_pruning.pruning import PruningStep
from dmlib.classification.tree_pruning.sizes import Sizes, sizes_of
from dmlib.classification.tree_regions_scene import Box, divide, leaf_boxes, upright
from dmlib.classification.tree_regions_scene import whole as whole_box
from dmlib.params import Choice
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, Rects
from dmlib.pictures.motion import path, per_frame, thin, thinned_note
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    last_surface,
    query_handle,
    region_panel,
    surest,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

OPTIONS = {"large": Option(Choice(("trees", "regions")), "trees")}
"""What is large: the tree before and after, or the regions and the tree after."""

MOST_FRAMES = 60
MANY = 90  # steps beyond which subtrees that stay have no frame
FAINT, STRONG = 0.10, 0.36  # opacity of a region whose classes are even, and of one with a single class
USUAL, SMALL = 4.5, 2.5  # radius of a row, and of one that was set apart


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # fitted
    shown: Sequence[PruningStep]  # the steps that are drawn

    @property
    def grown(self) -> Tree:
        """The grown tree."""
        tree: Tree = self.model.grown_.tree_
        return tree

    @cached_property
    def drawing(self) -> Drawing:
        """The grown tree as it is drawn."""
        return Drawing(self.grown, self.problem, self.codes)

    @cached_property
    def codes(self) -> list[int]:
        """The codes of the classes that the trees know."""
        return [int(code) for code in self.model.classes_]

    @cached_property
    def place(self) -> dict[int, int]:
        """The place in the grown tree of each node, by its number."""
        return {number: place for place, number in enumerate(self.grown.numbers.tolist())}

    def shot(self, tree: Tree) -> Shot:
        """Return which nodes of the grown tree's drawing a smaller tree has."""
        at = np.array([self.place[number] for number in tree.numbers.tolist()], np.intp)
        n = self.grown.node_count
        there, leaf, parents = np.zeros(n, bool), np.zeros(n, bool), np.full(n, -1, np.intp)
        there[at], leaf[at] = True, tree.is_leaf
        above = tree.parents
        parents[at] = np.where(above >= 0, at[above], -1)
        return Shot(self.drawing, there, parents, leaf)


def tree_pruning_scene(run: Run) -> Scene:
    """Draw how a grown tree is pruned.

    There is a frame for the grown tree, one for each comparison, and one for the pruned tree with the place that is
    asked about. The option ``large`` of the run chooses which two panels are large.

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
    >>> scene = tree_pruning_scene(Run.of(problem, PrunedTreeClassifier("pessimistic", validation_fraction=0.0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'prune', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    steps: Sequence[PruningStep] = trace.steps
    if len(steps) > MANY:
        steps = [step for step in steps if step.phase != "keep"]
    at = thin(len(steps), MOST_FRAMES)
    picture = Picture(problem, run.fitted, [steps[i] for i in at])
    sizes = run.once("sizes", lambda: sizes_of(problem, picture.model, trace.steps))
    teller = Teller(problem, picture.model, trace.steps, run.query, sizes)
    trees = chosen(run, OPTIONS)["large"] == "trees"
    panels = _panels(picture, sizes, trees)
    before = [_before(picture, teller)] if trees else []
    marks = [
        *_regions(picture, run),
        class_points(problem, size=_row_sizes(picture)),
        *(mark for some in before for mark in some),
        *_after(picture, teller),
        *_curves(picture, sizes, at),
    ]
    return Scene(
        panels, marks, Deferred(teller.frame, picture.shown), _notes(picture, sizes, at),
        (query_handle(run.query),), _legend(picture),
    )  # fmt: skip


def _panels(picture: Picture, sizes: Sizes, trees: bool) -> list[Panel]:
    plane = region_panel(picture.problem)
    plane = Panel("data", plane.x, plane.y, plane.title, side=trees, equal=plane.equal)
    n, left = picture.grown.n_leaves, picture.shown[-1].n_leaves
    before = [tree_panel("before", f"Grown tree: {count(n, 'leaf', 'leaves')}")] if trees else []
    after = tree_panel("after", f"Pruned tree: {count(left, 'leaf', 'leaves')}")
    x = Axis("leaves", min(0.5, 1 - 0.03 * n), n + 0.03 * n + 0.5, integer=True)
    return [
        plane,
        *before,
        after,
        Panel("size", x, Axis("error", *bounds(sizes.heights, 0.12)), "Error against size", side=True),
    ]


def _notes(picture: Picture, sizes: Sizes, at: NDArray[np.intp]) -> tuple[str, ...]:
    cv = "" if sizes.cross_validated is None else ", dashed cross-validated"
    test = "" if sizes.test is None else ", black the test error"
    curves = (
        f"Error against size: all trees of the cost-complexity path, grey the training error{test}{cv}; "
        f"in colour the trees of this run, by their {sizes.judged} error."
    )
    slanted = () if upright(picture.problem.plane) else (
        "In this view splits are not axis-parallel, so that regions are drawn for the pruned tree only.",
    )  # fmt: skip
    return (*picture.problem.notes, *held_note(picture.problem), *slanted, curves, *thinned_note(at))


def _legend(picture: Picture) -> tuple[Key, ...]:
    apart = (Key("small: pruning set", symbol=0),) if len(picture.model.validation_rows_) else ()
    return (*class_legend(picture.problem), *apart)


def _row_sizes(picture: Picture) -> Floats:
    sizes = np.full(len(picture.problem.X), USUAL)
    sizes[picture.problem.trained[picture.model.validation_rows_]] = SMALL
    return sizes


# --- the trees --------------------------------------------------------------------------------------------------------


def _before(picture: Picture, teller: Teller) -> list[Mark]:
    """Return the grown tree; what has been cut off is grey."""
    every = whole(picture.drawing)
    gone = [~picture.shot(step.tree).there for step in picture.shown]
    return tree_marks("before", [every] * len(gone), gone, [teller.about(step) for step in picture.shown])


def _after(picture: Picture, teller: Teller) -> list[Mark]:
    """Return what is left; at the end it is drawn as large as it can be."""
    *steps, last = picture.shown
    shots = [picture.shot(step.tree) for step in steps]
    final = Drawing(last.tree, picture.problem, picture.codes)
    there = [shot.there for shot in shots]
    current = [[node for node in teller.about(step) if mask[node]] for step, mask in zip(steps, there, strict=True)]
    ends = [*current, teller.reached]
    return tree_marks("after", [*shots, whole(final)], [None] * len(ends), ends)


# --- the plane --------------------------------------------------------------------------------------------------------


def _regions(picture: Picture, run: Run) -> list[Mark]:
    """Return the boxes of the leaves of each step's tree, the stronger the purer."""
    if not upright(picture.problem.plane):
        return [*last_surface(run.surface, len(picture.shown))]
    found: dict[tuple[Box, int, float], int] = {}
    frames: list[list[int]] = []
    boxes = _node_boxes(picture)
    for step in picture.shown:
        here = (
            boxes
            if not _raised(step, picture)
            else leaf_boxes(step.tree, region_panel(picture.problem), picture.problem.plane)[0]
        )
        frames.append(
            [found.setdefault(key, len(found)) for key in _keys(step.tree, here, picture, _raised(step, picture))]
        )
    corners = np.array([(b.x0, b.x1, b.y0, b.y1) for b, _, _ in found]).reshape(-1, 4).T
    there = np.zeros((len(frames), len(found)), bool)
    for i, some in enumerate(frames):
        there[i, some] = True
    return [
        Rects(
            x0=per_frame(np.where(there, corners[0], np.nan)), x1=corners[1], y0=corners[2], y1=corners[3],
            color=np.array([color for _, color, _ in found], np.uint8),
            opacity=[FAINT + (STRONG - FAINT) * sure for _, _, sure in found],
        )
    ]  # fmt: skip


def _raised(step: PruningStep, picture: Picture) -> bool:
    """Return whether a node of a step's tree has another split than it was grown with."""
    tree, grown = step.tree, picture.grown
    at = np.array([picture.place[number] for number in tree.numbers.tolist()], np.intp)
    inner = ~tree.is_leaf
    same = (tree.feature[inner] == grown.feature[at[inner]]) & (
        np.nan_to_num(tree.threshold[inner]) == np.nan_to_num(grown.threshold[at[inner]])
    )
    return not bool(same.all())


def _keys(tree: Tree, boxes: dict[int, tuple[Box, ...]], picture: Picture, own: bool) -> list[tuple[Box, int, float]]:
    """Return the boxes of the leaves of a tree with their class and how sure it is."""
    found, answers, sure = [], tree.answers, surest(tree.value[:, 0])[1].tolist()
    for node in np.flatnonzero(tree.is_leaf).tolist():
        place = node if own else picture.place[int(tree.numbers[node])]
        found += [(box, picture.codes[answers[node]], sure[node]) for box in boxes.get(place, ())]
    return found


def _node_boxes(picture: Picture) -> dict[int, tuple[Box, ...]]:
    """Return the boxes of all nodes of the grown tree, by their places."""
    tree, found = picture.grown, {0: whole_box(region_panel(picture.problem))}
    for node in range(tree.node_count):
        split = tree.splits.split(node)
        if split is not None and found[node]:
            branches = divide(found[node], split, picture.problem.plane).branches
        else:
            branches = ((),) * tree.children.shape[1]
        found |= {int(child): part for child, part in zip(tree.children[node], branches, strict=False) if child >= 0}
    return found


# --- error against size -----------------------------------------------------------------------------------------------


def _curves(picture: Picture, sizes: Sizes, at: NDArray[np.intp]) -> list[Mark]:
    """Return training, test and cross-validated error of the path, and the trees of this run up to each step."""
    marks: list[Mark] = [Line(panel="size", x=sizes.leaves, y=sizes.training, color="muted")]
    if sizes.test is not None:
        marks.append(Line(panel="size", x=sizes.leaves, y=sizes.test, color="ink", width=1.5))
    if sizes.cross_validated is not None:
        marks.append(Line(panel="size", x=sizes.leaves, y=sizes.cross_validated, color="ink", width=1.5, dash=True))
    places = np.array([sizes.of(step.tree) for step in picture.shown])
    return [*marks, *path(places, range(1, len(places) + 1), panel="size")]
