"""A tree that grows and is pruned, replayed: which nodes are there from which frame to which, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_regions_scene import Box, Division, divide, upright, whole
from dmlib.pictures.marks import PerFrame
from dmlib.pictures.motion import during
from dmlib.pictures.regions import region_panel
from dmlib.problem import Problem
from dmlib.trees.splits import Split
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.tree import Tree

Border = tuple[float, float, float, float]
ROOT = 0
NOWHERE = -1  # the number of a node's rest: where a value was not seen there


@dataclass
class Standing:
    """A node while it stands as it is: as a leaf, or with one split."""

    # their numbers; -1 above the root. What is no node, but the rest of one, has the number -1 itself
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
    """Plays the steps of a tree again."""

    problem: Problem
    made: dict[int, DecisionTreeStep]  # the step that made each node
    tree: Tree  # the tree at the end
    n_frames: int  # what still stands at the end stands up to here
    all: list[Standing] = field(default_factory=list)  # all that has stood, or stands
    now: dict[int, Standing] = field(default_factory=dict)  # what stands, by its node
    # what stands for values that a node has not seen, by that node
    rests: dict[int, Standing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let the root stand."""
        self.final = {int(number): i for i, number in enumerate(self.tree.numbers)}
        boxes = whole(region_panel(self.problem)) if upright(self.problem.plane) else ()
        self._stand(ROOT, -1, boxes, 0)

    def play(self, step: DecisionTreeStep, frame: int) -> None:
        """Do what a step does."""
        if step.phase == "split" and step.chosen is not None:
            self._split(step.node, step.chosen.split, step.children, frame)
        elif step.phase == "prune":
            old = self._fall(step.node, frame)
            self._stand(step.node, old.parent, old.boxes, frame)
        elif step.phase == "raise":
            self._lift(step.node, step.children[0], frame)

    def _split(self, node: int, split: Split, children: Sequence[int], frame: int) -> None:
        old = self.now.pop(node)
        old.last = frame
        division = divide(old.boxes, split, self.problem.plane) if old.boxes else Division(((),) * len(children))
        self._stand(node, old.parent, old.boxes, frame, split, tuple(children), division.borders)
        for child, boxes in zip(children, division.branches, strict=True):
            self._stand(child, node, boxes, frame)
        if division.rest:
            above = self.now[node]
            rest = Standing(NOWHERE, node, above.shares, above.weight, division.rest, frame, self.n_frames)
            self.all.append(rest)
            self.rests[node] = rest

    def _fall(self, node: int, frame: int) -> Standing:
        """Take away a node and all below it."""
        old = self.now.pop(node)
        old.last = frame
        if node in self.rests:
            self.rests.pop(node).last = frame
        for child in old.children:
            self._fall(child, frame)
        return old

    def _lift(self, node: int, child: int, frame: int) -> None:
        """Let a child and all below it take the place of a node."""
        below = {number: standing for number, standing in self.now.items() if standing.split is not None}
        old = self._fall(node, frame)
        self._stand(node, old.parent, old.boxes, frame)
        waiting = [(node, below.get(child))]
        while waiting:
            here, pattern = waiting.pop()
            if pattern is not None and pattern.split is not None:
                self._split(here, pattern.split, pattern.children, frame)
                waiting += [(one, below.get(one)) for one in pattern.children]

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
        counts = self.made[node].counts
        weight = float(counts.sum())
        if node in self.final:  # after a subtree was raised, its nodes have other rows
            shares = self.tree.value[self.final[node], 0]
        elif weight > 0:
            shares = counts / weight
        else:
            shares = self.now[parent].shares
        standing = Standing(node, parent, shares, weight, boxes, frame, self.n_frames, split, children, borders)
        self.now[node] = standing
        self.all.append(standing)


def makers(steps: Sequence[DecisionTreeStep]) -> dict[int, DecisionTreeStep]:
    """Return the step that made each node."""
    made: dict[int, DecisionTreeStep] = {}
    for step in steps:
        made.setdefault(step.node, step)
    return made


def replay(
    problem: Problem, steps: Sequence[DecisionTreeStep], played: Sequence[tuple[DecisionTreeStep, int]], n_frames: int
) -> list[Standing]:
    """Return what stands when, while a tree grows and is pruned.

    Of all ``steps``, the last of which has the tree, those are ``played`` that are shown, each with its frame.
    """
    tree = steps[-1].tree
    assert tree is not None
    again = Replay(problem, makers(steps), tree, n_frames)
    for step, frame in played:
        again.play(step, frame)
    return [standing for standing in again.all if standing.first < standing.last]


def standing_so(values: Any, some: Sequence[Standing], n_frames: int, otherwise: float = np.nan) -> PerFrame:
    """Return values, one for each of some nodes, that are there as long as the nodes stand so."""
    first, last = np.array([(s.first, s.last) for s in some], int).reshape(-1, 2).T
    return during(values, first, last - 1, n_frames, otherwise)
