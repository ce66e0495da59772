"""The frames of a tree: the root, each step, the finished tree, and the path of the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.decision_tree.walk_scene import Part, walk
from dmlib.pictures.motion import thin
from dmlib.trees.steps import DecisionTreeStep, Phase

ROOT = 0
MANY = 60  # steps beyond which leaves have no frame, and impurities are not written out
MAX_FRAMES = 80  # of steps; of more, several come at once
QUERY_PHASES = ("walk", "classify")

Played = list[tuple[DecisionTreeStep, int]]
"""Steps, each with its first frame."""


@dataclass(frozen=True)
class Event:
    """The subject of a frame.

    Attributes
    ----------
    phase : str
        "start"; the phase of a step of growing or pruning, or "choose" while the reader chooses its
        split; "done"; "walk" and "classify".
    nodes : tuple of int
        The numbers of its nodes.
    step : DecisionTreeStep or None
        The last step.
    earlier_steps : tuple of DecisionTreeStep
        The steps before a choice.
    parts : tuple of tuple of Part
        The places of a query before and after a level; at the end, its leaves.
    """

    phase: Phase | Literal["start", "choose", "walk", "classify"]
    nodes: tuple[int, ...] = ()
    step: DecisionTreeStep | None = None
    earlier_steps: tuple[DecisionTreeStep, ...] = ()
    parts: tuple[tuple[Part, ...], ...] = ()


def plan(
    steps: Sequence[DecisionTreeStep], query: Floats, draft: str | None
) -> tuple[list[Event], Played]:
    """Return the frames, and the steps that are played.

    Parameters
    ----------
    steps : sequence of DecisionTreeStep
        The run.
    query : ndarray of shape (n_features,)
        The row that goes down the finished tree.
    draft : str or None
        The path of the node whose split the reader is choosing: the frames end there.
    """
    shown_steps, played = _frames(steps[:-1] if draft is None else _until_choice(steps[:-1], draft))
    growth = [Event(step.phase, (step.node,), step) for step in shown_steps]
    events = [Event("start", (ROOT,)), *growth]
    if shown_steps and shown_steps[-1].path == draft:
        *earlier, chosen = shown_steps
        choice = Event("choose", (chosen.node,), chosen, tuple(earlier))
        return [*events[:-1], choice], played
    return [*events, *_end(steps[-1], query)], played


def _until_choice(steps: Sequence[DecisionTreeStep], draft: str) -> list[DecisionTreeStep]:
    """Return the steps of growing outside a node, and then its split."""
    below = f"{draft}."
    grown = [step for step in steps if step.phase in ("split", "leaf")]
    outside = [step for step in grown if not f"{step.path}.".startswith(below)]
    return [*outside, *(step for step in grown if step.path == draft and step.phase == "split")]


def _frames(steps: Sequence[DecisionTreeStep]) -> tuple[list[DecisionTreeStep], Played]:
    """Return the steps that have a frame, and all steps with their first frame."""
    numbers = np.arange(len(steps))
    if len(steps) > MANY:
        numbers = np.flatnonzero([step.phase not in ("leaf", "keep") for step in steps])
    # A story would thin the walk of the query too.
    numbers = numbers[thin(len(numbers), MAX_FRAMES)]
    frames = np.searchsorted(numbers, np.arange(len(steps))) + 1
    return [steps[i] for i in numbers.tolist()], list(zip(steps, frames.tolist(), strict=True))


def _end(last: DecisionTreeStep, query: Floats) -> list[Event]:
    """Return the finished tree, and the path of the query."""
    assert last.tree is not None
    numbers = last.tree.numbers.tolist()
    levels = walk(last.tree, query)
    nodes = [tuple(numbers[part.node] for part in parts) for parts in levels]
    pairs = zip(pairwise(levels), nodes[1:], strict=True)
    walking = [Event("walk", places, last, parts=pair) for pair, places in pairs]
    return [
        Event("done", (), last),
        *walking,
        Event("classify", nodes[-1], last, parts=(levels[-1],)),
    ]
