"""The nodes of a tree while it grows and is pruned, each with the frames that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.tree_regions_scene import Box, Division, divide, upright, whole_panel
from dmlib.pictures.places import AnyMark, visible_where
from dmlib.pictures.regions import region_panel
from dmlib.problem import Problem
from dmlib.trees.splits import Split
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.tree import Tree

Border = tuple[float, float, float, float]
ROOT = 0
NO_BRANCH = -1  # the number of the part of a node whose value does not occur in it


@dataclass
class NodeSpan:
    """A node during the frames in which it is a leaf, or has one split.

    Attributes
    ----------
    node, parent : int
        Their numbers; -1 above the root, and ``NO_BRANCH`` for a part of a node that is none.
    shares : ndarray of shape (n_classes,)
        The class frequencies, in the order of the model's classes.
    winner : int
        The place of the predicted class among these.
    weight : float
        The weight of its rows.
    boxes : tuple of Box
        Its region in the plane.
    first, last : int
        The first frame, and the one after the last.
    split : Split or None
        Its split; None for a leaf.
    children : tuple of int
        Their numbers.
    borders : tuple of Border
        The lines of the split in the plane.
    """

    node: int
    parent: int
    shares: Floats
    winner: int
    weight: float
    boxes: tuple[Box, ...]
    first: int
    last: int
    split: Split | None = None
    children: tuple[int, ...] = ()
    borders: tuple[Border, ...] = ()


@dataclass
class Replay:
    """The nodes of a tree while its steps are played."""

    problem: Problem
    makers: dict[int, DecisionTreeStep]  # the step that made each node
    tree: Tree  # the finished tree
    n_frames: int
    history: list[NodeSpan] = field(default_factory=list)  # all spans
    current: dict[int, NodeSpan] = field(default_factory=dict)  # those that have not ended, by node
    # those of values that do not occur in a node, by that node
    remainders: dict[int, NodeSpan] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start with the root."""
        self.final = {int(number): i for i, number in enumerate(self.tree.numbers)}
        boxes = whole_panel(region_panel(self.problem)) if upright(self.problem.plane) else ()
        self._stand(ROOT, -1, boxes, 0)

    def play(self, step: DecisionTreeStep, frame: int) -> None:
        """Play a step, which is seen from a frame on."""
        if step.phase == "split" and step.chosen is not None:
            self._split(step.node, step.chosen.split, step.children, frame)
        elif step.phase == "prune":
            old = self._fall(step.node, frame)
            self._stand(step.node, old.parent, old.boxes, frame)
        elif step.phase == "raise":
            self._lift(step.node, step.children[0], frame)

    def _split(self, node: int, split: Split, children: Sequence[int], frame: int) -> None:
        old = self.current.pop(node)
        old.last = frame
        division = Division(((),) * len(children))
        if old.boxes:
            division = divide(old.boxes, split, self.problem.plane)
        self._stand(node, old.parent, old.boxes, frame, split, tuple(children), division.borders)
        for child, boxes in zip(children, division.branches, strict=True):
            self._stand(child, node, boxes, frame)
        if division.no_branch:
            above = self.current[node]
            remainder = NodeSpan(
                NO_BRANCH,
                node,
                above.shares,
                above.winner,
                above.weight,
                division.no_branch,
                frame,
                self.n_frames,
            )
            self.history.append(remainder)
            self.remainders[node] = remainder

    def _fall(self, node: int, frame: int) -> NodeSpan:
        """Remove a node and its subtree."""
        old = self.current.pop(node)
        old.last = frame
        if node in self.remainders:
            self.remainders.pop(node).last = frame
        for child in old.children:
            self._fall(child, frame)
        return old

    def _lift(self, node: int, child: int, frame: int) -> None:
        """Replace a node by the subtree of a child."""
        below = {number: span for number, span in self.current.items() if span.split is not None}
        old = self._fall(node, frame)
        self._stand(node, old.parent, old.boxes, frame)
        waiting = [(node, below.get(child))]
        while waiting:
            number, pattern = waiting.pop()
            if pattern is not None and pattern.split is not None:
                self._split(number, pattern.split, pattern.children, frame)
                waiting += [(grandchild, below.get(grandchild)) for grandchild in pattern.children]

    def _stand(
        self,
        node: int,
        parent: int,
        boxes: tuple[Box, ...],
        frame: int,
        split: Split | None = None,
        children: tuple[int, ...] = (),
        borders: tuple[Border, ...] = (),
    ) -> None:
        counts = self.makers[node].counts
        weight = float(counts.sum())
        if node in self.final:  # after a subtree was raised, its nodes have other rows
            shares = self.tree.value[self.final[node], 0]
        elif weight > 0:
            shares = counts / weight
        else:
            shares = self.current[parent].shares
        winner = int(self.tree.decide(shares))
        region = weight, boxes, frame, self.n_frames
        span = NodeSpan(node, parent, shares, winner, *region, split, children, borders)
        self.current[node] = span
        self.history.append(span)


def makers(steps: Sequence[DecisionTreeStep]) -> dict[int, DecisionTreeStep]:
    """Return the first step of each node, which made it."""
    steps_by_node: dict[int, DecisionTreeStep] = {}
    for step in steps:
        steps_by_node.setdefault(step.node, step)
    return steps_by_node


def replay(
    problem: Problem,
    steps: Sequence[DecisionTreeStep],
    played: Sequence[tuple[DecisionTreeStep, int]],
    n_frames: int,
) -> list[NodeSpan]:
    """Return the spans of all nodes while a tree grows and is pruned.

    ``played`` are the visible ones of all ``steps``, each with its frame; the last of ``steps`` has
    the tree.
    """
    tree = steps[-1].tree
    assert tree is not None
    replayed = Replay(problem, makers(steps), tree, n_frames)
    for step, frame in played:
        replayed.play(step, frame)
    return [span for span in replayed.history if span.first < span.last]


@dataclass(frozen=True)
class TimedMark(Generic[AnyMark]):
    """A mark whose parts are visible during the spans of their nodes.

    Attributes
    ----------
    mark : Mark
        With all parts.
    nodes : sequence of NodeSpan
        The node of each part.
    """

    mark: AnyMark
    nodes: Sequence[NodeSpan]

    def at(self, frame: int) -> AnyMark:
        """Return the mark in a frame."""
        return visible_where(self.is_visible(frame), self.mark)

    def is_visible(self, frame: int) -> NDArray[np.bool_]:
        """Return which parts are visible in a frame."""
        first, last = self._spans
        is_visible: NDArray[np.bool_] = (first <= frame) & (frame < last)
        return is_visible

    @cached_property
    def _spans(self) -> Ints:
        spans = [(span.first, span.last) for span in self.nodes]
        return np.array(spans, np.intp).reshape(-1, 2).T
