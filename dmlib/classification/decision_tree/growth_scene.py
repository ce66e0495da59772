"""A tree that grows and is pruned, replayed: which nodes stand from which frame to which, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.tree_regions_scene import Box, Division, divide, upright, whole
from dmlib.pictures.places import AnyMark, visible_where
from dmlib.pictures.regions import region_panel
from dmlib.problem import Problem
from dmlib.trees.splits import Split
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.tree import Tree

Border = tuple[float, float, float, float]
ROOT = 0
REST = -1  # the number of a node's rest: where a value was not seen there


@dataclass
class Standing:
    """A node while it stands as it is: as a leaf, or with one split."""

    # their numbers; -1 above the root. What is no node, but the rest of one, has the number -1
    # itself
    node: int
    parent: int
    shares: Floats  # (n_classes,): the share of each class, as the model's classes
    weight: float  # what its rows weigh
    boxes: tuple[Box, ...]  # where it is in the plane
    # the first frame in which it stands so, and the first in which it does not any more
    first: int
    last: int
    split: Split | None = None
    children: tuple[int, ...] = ()  # their numbers
    borders: tuple[Border, ...] = ()  # the lines that the split draws in the plane


@dataclass
class Replay:
    """The nodes of a tree while its steps are played."""

    problem: Problem
    makers: dict[int, DecisionTreeStep]  # the step that made each node
    tree: Tree  # the tree at the end
    n_frames: int  # what still stands at the end stands up to here
    history: list[Standing] = field(default_factory=list)  # all that has stood, or stands
    current: dict[int, Standing] = field(default_factory=dict)  # what stands, by its node
    # what stands for values that a node has not seen, by that node
    rests: dict[int, Standing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let the root stand."""
        self.final = {int(number): i for i, number in enumerate(self.tree.numbers)}
        boxes = whole(region_panel(self.problem)) if upright(self.problem.plane) else ()
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
        division = (
            divide(old.boxes, split, self.problem.plane)
            if old.boxes
            else Division(((),) * len(children))
        )
        self._stand(node, old.parent, old.boxes, frame, split, tuple(children), division.borders)
        for child, boxes in zip(children, division.branches, strict=True):
            self._stand(child, node, boxes, frame)
        if division.rest:
            above = self.current[node]
            rest = Standing(
                REST, node, above.shares, above.weight, division.rest, frame, self.n_frames
            )
            self.history.append(rest)
            self.rests[node] = rest

    def _fall(self, node: int, frame: int) -> Standing:
        """Take away a node and all below it."""
        old = self.current.pop(node)
        old.last = frame
        if node in self.rests:
            self.rests.pop(node).last = frame
        for child in old.children:
            self._fall(child, frame)
        return old

    def _lift(self, node: int, child: int, frame: int) -> None:
        """Let a child and all below it take the place of a node."""
        below = {
            number: standing
            for number, standing in self.current.items()
            if standing.split is not None
        }
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
        standing = Standing(
            node, parent, shares, weight, boxes, frame, self.n_frames, split, children, borders
        )
        self.current[node] = standing
        self.history.append(standing)


def makers(steps: Sequence[DecisionTreeStep]) -> dict[int, DecisionTreeStep]:
    """Return the step that made each node."""
    steps_by_node: dict[int, DecisionTreeStep] = {}
    for step in steps:
        steps_by_node.setdefault(step.node, step)
    return steps_by_node


def replay(
    problem: Problem,
    steps: Sequence[DecisionTreeStep],
    played: Sequence[tuple[DecisionTreeStep, int]],
    n_frames: int,
) -> list[Standing]:
    """Return what stands when, while a tree grows and is pruned.

    Of all ``steps``, the last of which has the tree, those are ``played`` that are shown, each with
    its frame.
    """
    tree = steps[-1].tree
    assert tree is not None
    replayed = Replay(problem, makers(steps), tree, n_frames)
    for step, frame in played:
        replayed.play(step, frame)
    return [standing for standing in replayed.history if standing.first < standing.last]


@dataclass(frozen=True)
class Growing(Generic[AnyMark]):
    """A mark whose parts, in the order of some nodes, are seen while their nodes stand.

    Attributes
    ----------
    mark : Mark
        With all parts.
    nodes : sequence of Standing
        The node of each part.
    """

    mark: AnyMark
    nodes: Sequence[Standing]

    def at(self, frame: int) -> AnyMark:
        """Return the mark in a frame."""
        return visible_where(self.stands(frame), self.mark)

    def stands(self, frame: int) -> NDArray[np.bool_]:
        """Return which parts are seen in a frame."""
        first, last = self._spans
        stands: NDArray[np.bool_] = (first <= frame) & (frame < last)
        return stands

    @cached_property
    def _spans(self) -> Ints:
        spans = [(standing.first, standing.last) for standing in self.nodes]
        return np.array(spans, np.intp).reshape(-1, 2).T
