"""Questions about sensors on a graph: what one adds, where the next one goes, what all cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.feature_selection.coverage import CoverageStep
from dmlib.feature_selection.search_questions import Rule
from dmlib.feature_selection.sensor_scene import spoken_names
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, upper_first

Covers = NDArray[np.bool_]
"""Which node covers which, shape (n_nodes, n_nodes)."""


class SensorRule(Misconception):
    """Wrong rules of greedy coverage of a graph."""

    OVERLAP = "A node that two sensors cover counts twice."
    NEIGHBOURS = "A sensor covers the neighbours of its node, but not the node itself."
    UNCOVERED = "The next sensor must stand on a node that is not covered yet."


def sensor_questions(
    run: Run[Any, Any], number: int, step: CoverageStep, before: CoverageStep
) -> Iterator[Question]:
    """Yield the questions that the place of the next sensor answers.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.feature_selection.SensorPlacement`.
    number : int
        The number of the step.
    step, before : CoverageStep
        The step, and the one that is shown while it is asked.
    """
    joined = run.model.neighbourhoods(run.problem.graph)
    names, chosen = spoken_names(run.problem), step.chosen[-1]
    sizes = joined.sum(axis=1)
    gain, size = int((joined[chosen] & ~before.covered).sum()), int(sizes[chosen])
    if len(step.chosen) % 2 == 0:  # its answer would give those of the others away
        yield _next_node(number, step, before, joined, names)
        return
    where = f"The next sensor goes on {names[chosen]}, which has"
    n_neighbours = count(size - 1, "neighbour", "neighbours")
    itself = int(not before.covered[chosen])
    yield Question(
        number,
        "gain of a node",
        f"{where} {n_neighbours}: how many nodes does it add to those that are covered?",
        Value(gain),
        f"With its node a sensor covers {size}, and {size - gain} of these are covered before:"
        f" {size} − {size - gain} = {gain}.",
        (Wrong(SensorRule.OVERLAP, size), Wrong(SensorRule.NEIGHBOURS, gain - itself)),
        "Count those that no sensor covers yet.",
        about=[chosen + 1],
        of="node",
    )
    total = int(before.covered.sum()) + gain
    yield Question(
        number,
        "nodes covered",
        f"{where} {n_neighbours}: how many nodes do all {len(step.chosen)} sensors cover then?",
        Value(total),
        f"{total - gain} are covered before, and {gain} more join them: {total}.",
        (
            Wrong(SensorRule.OVERLAP, int(sizes[list(step.chosen)].sum())),
            Wrong(SensorRule.NEIGHBOURS, _without_own_nodes(joined, step)),
        ),
        "The sensors cover a union of sets.",
        about=[chosen + 1],
        of="node",
    )


def _next_node(
    number: int, step: CoverageStep, before: CoverageStep, joined: Covers, names: Sequence[str]
) -> Question:
    gains, sizes = (joined & ~before.covered).sum(axis=1), joined.sum(axis=1)
    chosen = step.chosen[-1]
    gain = int(gains[chosen])
    right = [chosen, *(int(j) for j in np.flatnonzero(gains == gain) if j != chosen)]
    by_size = np.where(before.support, 0, sizes)
    by_gain = np.where(before.covered, 0, gains)
    return Question(
        number,
        "next node",
        "Which node gets the next sensor?",
        Pick("node", [[j + 1] for j in right]),
        f"{upper_first(names[chosen])} covers {gain} more, itself included, and no node covers more"
        " of those that are left.",
        (
            Wrong(Rule.ALONE, [int(by_size.argmax()) + 1]),
            Wrong(SensorRule.UNCOVERED, [int(by_gain.argmax()) + 1]),
        ),
        "Only nodes that are not covered yet count.",
        "Several nodes cover as many more." if len(right) > 1 else "",
    )


def _without_own_nodes(joined: Covers, step: CoverageStep) -> int:
    """Return how many nodes have a sensor on a neighbour."""
    open_joined = joined & ~np.eye(len(joined), dtype=bool)
    return int(open_joined[list(step.chosen)].any(axis=0).sum())
