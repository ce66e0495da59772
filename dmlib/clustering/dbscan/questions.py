"""Questions about DBSCAN: what a row is, which rows it brings in, and what the order decides."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.dbscan.algorithm import DBSCAN, DBSCANStep
from dmlib.clustering.dbscan.kernel_questions import KernelRule, kernel_questions
from dmlib.clustering.kernel_distance import METRICS
from dmlib.clustering.neighbors import Neighbors
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.ledger import abridged
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num, num4
from dmlib.problem import Problem

MAX_STEPS = 60  # that are asked about
N_NEAREST = 6  # distances that are told
MAX_ROWS = 2000  # in the picture: among more, nobody finds a row
CLEAR = 0.02  # a distance that differs less from eps, relatively, cannot be seen


class Rule(Misconception):
    """Wrong rules of DBSCAN."""

    OTHERS = "The row itself does not count in its neighbourhood."
    BORDER = "A border point extends its cluster as a core point does."
    NOISE_STAYS = "A row that was noise once stays noise."
    CORES_ONLY = "Only core points belong to a cluster."
    ORDER = "The cluster of every border point depends on the visiting order."


RULES = (*Rule, *KernelRule)
"""Those of all methods."""


def questions(run: Run[Problem, DBSCAN]) -> Iterator[Question]:
    """Yield the questions that the steps of DBSCAN answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.DBSCAN`.

    Yields
    ------
    Question
        Before each visit and expansion, and before the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import DBSCAN
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> asked = questions(Run.of(prepare(frame, ["a", "b"]), DBSCAN(1.5, min_samples=3)))
    >>> [question.topic for question in asked]
    ['expansion', 'expansion', 'expansion', 'border']
    """
    steps = run.trace.steps
    if not 1 < len(run.problem.X) <= MAX_ROWS:
        return
    neighbors = Neighbors(run.problem.X, metric=run.model.distance(run.problem.X))
    for number in range(1, min(len(steps), MAX_STEPS)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "done":
            yield from _order(run, number, step, neighbors)
        elif number % 2 and run.model.metric in METRICS:
            yield from kernel_questions(run, number, _row(step))
        elif step.phase == "expand" or step.core == (number % 3 > 0):
            yield from _expansion(run, number, before, neighbors)
        elif number % 2:
            yield from _visit(run, number, neighbors)
        else:
            yield from _neighborhood(run, number, neighbors)
    if len(steps) > MAX_STEPS:
        yield from _order(run, len(steps) - 1, steps[-1], neighbors)


def _visit(run: Run[Problem, DBSCAN], number: int, neighbors: Neighbors) -> Iterator[Question]:
    step: DBSCANStep = run.trace.steps[number]
    name, least = _name(run, step.row), run.model.min_samples
    is_core = [len(step.neighbors) >= least, len(step.neighbors) - 1 >= least]
    answers = [2 if core else 1 for core in is_core]
    yield Question(
        number,
        "kind of point",
        f"Row {name} is visited. The nearest other rows are at {_nearest(step, neighbors)}. With "
        f"ε = {num(run.model.eps)} and {least} minimum points, what is it after this visit?",
        Option(["a border point", "noise, for now", "a core point of a new cluster"], answers[:1]),
        _sizes(run, step),
        (Wrong(Rule.OTHERS, answers[1]),),
        "Count the rows within ε, and compare with the minimum points.",
        about=[name],
    )


def _neighborhood(
    run: Run[Problem, DBSCAN], number: int, neighbors: Neighbors
) -> Iterator[Question]:
    step: DBSCANStep = run.trace.steps[number]
    name, n = _name(run, step.row), len(step.neighbors)
    if n > N_NEAREST:
        return
    yield Question(
        number,
        "neighbourhood",
        f"Row {name} is visited. The nearest other rows are at {_nearest(step, neighbors)}. How "
        f"many rows count as its neighbourhood with ε = {num(run.model.eps)}?",
        Value(n),
        _sizes(run, step),
        (Wrong(Rule.OTHERS, n - 1),),
        "A core point needs so many rows in the disc that is drawn around it.",
        about=[name],
    )


def _expansion(
    run: Run[Problem, DBSCAN], number: int, before: DBSCANStep, neighbors: Neighbors
) -> Iterator[Question]:
    step: DBSCANStep = run.trace.steps[number]
    distances = neighbors.distances(_row(step))
    eps, least = run.model.eps, run.model.min_samples
    if (np.abs(distances / eps - 1) < CLEAR).any() if eps > 0 else True:
        return
    unassigned = step.neighbors[before.labels[step.neighbors] < 0]
    name, n = _name(run, step.row), len(step.neighbors)
    cores = [row for row in step.joined if (neighbors.distances(row) <= eps).sum() >= least]
    stays = np.setdiff1d(step.joined, step.rescued)
    start = f"Row {name} is {'visited' if step.phase == 'visit' else 'next on the seed list'}"
    proof = _sizes(run, step)
    if step.core:
        proof += f" Of them, {_listed(run, step.joined)} in no cluster until now."
    yield Question(
        number,
        "expansion",
        f"{start} (ε = {num(eps)}, {least} minimum points). Which rows, in no cluster so far, "
        "are in one after this step?",
        Pick("row", [_names(run, step.joined)], several=True),
        proof,
        (
            *([Wrong(Rule.BORDER, _names(run, unassigned))] * (step.phase == "expand")),
            Wrong(
                Rule.NOISE_STAYS,
                _names(run, stays),
                "Noise that a core point reaches becomes a border point.",
            ),
            Wrong(
                Rule.CORES_ONLY,
                _names(run, np.array(cores, np.intp)),
                "Rows in reach of a core point join its cluster, as border points.",
            ),
            Wrong(Rule.OTHERS, _names(run, step.joined if n - 1 >= least else step.joined[:0])),
        ),
        f"Move the disc to row {name}: are there enough rows inside, and which are in no cluster?",
        about=[name],
    )


def _order(
    run: Run[Problem, DBSCAN], number: int, step: DBSCANStep, neighbors: Neighbors
) -> Iterator[Question]:
    eps, least = run.model.eps, run.model.min_samples
    in_clusters = np.flatnonzero(step.labels >= 0)[: 5 * MAX_STEPS]
    border = [row for row in in_clusters if (neighbors.distances(row) <= eps).sum() < least]
    if not border:
        return
    contested = [row for row, _ in step.contested]
    proof = "Every border point has core points of only one cluster within ε."
    if contested:
        row, clusters = step.contested[0]
        numbers = " and ".join(str(cluster + 1) for cluster in clusters)
        proof = f"Row {_name(run, row)} has core points of clusters {numbers} within ε."
    yield Question(
        number,
        "border",
        "The clusters are complete. Which rows could be in another cluster if the rows were "
        "visited in another order?",
        Pick("row", [_names(run, np.array(contested, np.intp))], several=True),
        proof,
        (Wrong(Rule.ORDER, _names(run, np.array(border, np.intp))),),
        "A border point joins the first cluster that has a core point within ε of it.",
    )


def _row(step: DBSCANStep) -> int:
    return 0 if step.row is None else step.row


def _name(run: Run[Problem, DBSCAN], row: int | None) -> int:
    return int(run.problem.rows[row or 0]) + 1


def _names(run: Run[Problem, DBSCAN], rows: NDArray[np.intp]) -> list[int]:
    names: list[int] = (run.problem.rows[rows] + 1).tolist()
    return names


def _nearest(step: DBSCANStep, neighbors: Neighbors) -> str:
    """Return the distances of the nearest other rows, ascending."""
    others = np.sort(np.delete(neighbors.distances(_row(step)), _row(step)))
    return ", ".join(num4(distance) for distance in others[:N_NEAREST])


def _listed(run: Run[Problem, DBSCAN], rows: NDArray[np.intp]) -> str:
    names = abridged([str(name) for name in _names(run, rows)], N_NEAREST, ", ")
    if not names:
        return "no row was"
    return f"row {names} was" if len(rows) == 1 else f"rows {names} were"


def _sizes(run: Run[Problem, DBSCAN], step: DBSCANStep) -> str:
    n, least = len(step.neighbors), run.model.min_samples
    names = abridged([str(name) for name in _names(run, step.neighbors)], N_NEAREST, ", ")
    kind = "≥ {}: a core point" if step.core else "< {}: no core point, which brings in nothing"
    rows = count(n, "row", "rows")
    return f"Within ε: {rows} ({names}), itself included; {n} {kind.format(least)}."
