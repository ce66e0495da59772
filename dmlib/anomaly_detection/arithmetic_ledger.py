"""The score of one row in numbers, for each detector."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from dmlib.anomaly_detection.detector import DetectorStep
from dmlib.anomaly_detection.fences import FENCE, FencesStep, excesses
from dmlib.anomaly_detection.isolation_forest import IsolationForestStep
from dmlib.anomaly_detection.isolation_tree import average_path_length
from dmlib.anomaly_detection.local_outlier_factor import LocalOutlierFactorStep
from dmlib.anomaly_detection.mahalanobis import MahalanobisStep
from dmlib.anomaly_detection.neighbor_distance import NeighborStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.words import count, num4, short, signed
from dmlib.problem import Problem

MAX_COLUMNS = 4  # whose arithmetic is written out
MAX_TERMS = 5  # of a sum
MAX_NEIGHBORS = 8  # lines of a table


def arithmetic(problem: Problem, step: DetectorStep, row: int) -> Blocks:
    """Return how a row gets its score at a step, as far as it is known."""
    if isinstance(step, FencesStep):
        return _excess(problem, step, row)
    if isinstance(step, MahalanobisStep):
        return _distance(problem, step, row)
    if isinstance(step, LocalOutlierFactorStep):
        return _factor(problem, step, row)
    if isinstance(step, NeighborStep):
        return _neighbors(problem, step, row)
    return _path(problem, step, row) if isinstance(step, IsolationForestStep) else []


def box(problem: Problem, step: FencesStep, column: int) -> Blocks:
    """Return the quartiles of a column and its fences."""
    low, high = step.quartiles[:, column].tolist()
    length = high - low
    name = problem.features[column]
    if length == 0:
        return [Formula(f"{name}: Q1 = Q3 = {num4(low)}, so it has no box and no fences")]
    return [
        Formula(f"{name}: Q1 = {num4(low)}, Q3 = {num4(high)}"),
        Formula(f"IQR = {num4(high)} − {signed(low, 4)} = {num4(length)}"),
        Formula(
            f"lower fence: {num4(low)} − {FENCE}·{num4(length)} = {num4(low - FENCE * length)}"
        ),
        Formula(
            f"upper fence: {num4(high)} + {FENCE}·{num4(length)} = {num4(high + FENCE * length)}"
        ),
    ]


def _excess(problem: Problem, step: FencesStep, row: int) -> Blocks:
    values, quartiles = problem.X[row], step.quartiles
    known = [j for j in range(len(values)) if not np.isnan(quartiles[0, j])]
    scores = excesses(values[None, known], quartiles[:, known])[0]
    order = np.argsort(-scores, kind="stable")[:MAX_COLUMNS]
    blocks: Blocks = []
    for place in order.tolist():
        column = known[place]
        name, value = problem.features[column], num4(values[column])
        low, high = quartiles[:, column].tolist()
        if scores[place] == 0:
            inside = f"{value} lies within {num4(low)} and {num4(high)}"
            blocks.append(Formula(f"{name}: {inside if high > low else 'no box'}: 0"))
            continue
        over = f"{value} − {signed(high, 4)}" if values[column] > high else ""
        difference = over or f"{num4(low)} − {signed(values[column], 4)}"
        fraction = f"({difference}) / {num4(high - low)}"
        blocks.append(Formula(f"{name}: {fraction} = {num4(scores[place])} IQRs outside"))
    return blocks


def _distance(problem: Problem, step: MahalanobisStep, row: int) -> Blocks:
    moved = problem.X[row] - step.location
    names = abridged([num4(each) for each in moved], MAX_COLUMNS, ", ")
    blocks: Blocks = [Formula(f"x − m = ({names})")]
    if np.isnan(step.covariance).any():
        return blocks
    if len(moved) == 2:
        inverse = np.linalg.pinv(step.covariance, hermitian=True)
        a, b, c = inverse[0, 0], inverse[0, 1], inverse[1, 1]
        x, y = (signed(each, 4) for each in moved)
        square = f"{num4(a)}·{x}² + 2·{signed(b, 4)}·{x}·{y} + {num4(c)}·{y}²"
        value = float(moved @ inverse @ moved)
        blocks.append(Formula(f"d² = {square} = {num4(value)}"))
    if not np.isnan(step.scores[row]):
        score = float(step.scores[row])
        blocks.append(Formula(f"d = √{num4(score**2)} = {num4(score)}"))
    return blocks


def covariance_table(problem: Problem, step: MahalanobisStep) -> LedgerTable:
    """Return the covariance matrix, of very many columns a part."""
    names = problem.features[:MAX_COLUMNS]
    rows: list[tuple[str | float, ...]] = [
        (name, *(short(value) for value in line[: len(names)]))
        for name, line in zip(names, step.covariance, strict=False)
    ]
    return LedgerTable(("S", *names), rows, "Covariance matrix")


def _neighbors(problem: Problem, step: NeighborStep, row: int) -> Blocks:
    rows = [
        (int(problem.rows[each]) + 1, short(distance))
        for each, distance in zip(step.neighbors[row], step.distances[row], strict=True)
    ]
    if not rows:
        return [Formula("there is no other row: 0")]
    k = step.n_neighbors
    title = f"Nearest rows of row {problem.rows[row] + 1}"
    last = f"distance to neighbour {k}, row {rows[-1][0]}: {num4(step.distances[row][-1])}"
    return [
        Formula(last),
        numbered_table(("row", "distance"), rows, title, (k - 1,), max_rows=MAX_NEIGHBORS),
    ]


def _factor(problem: Problem, step: LocalOutlierFactorStep, row: int) -> Blocks:
    neighbors = step.neighbors[row]
    if not len(neighbors):
        return [Formula("there is no other row: LOF = 1")]
    if np.isnan(step.densities).any():
        return _neighbors(problem, step, row)
    reach = np.maximum(step.distances[row], step.k_distances[neighbors])
    total = abridged([num4(each) for each in reach], MAX_TERMS)
    k = len(neighbors)
    name = problem.rows[row] + 1
    blocks: Blocks = [Formula(f"lrd({name}) = {k} / ({total}) = {num4(step.densities[row])}")]
    if not np.isnan(step.scores[row]):
        densities = abridged([num4(each) for each in step.densities[neighbors]], MAX_TERMS)
        mean = step.densities[neighbors].mean()
        blocks += [
            Formula(f"mean lrd of its neighbours = ({densities}) / {k} = {num4(mean)}"),
            Formula(
                f"LOF({name}) = {num4(mean)} / {num4(step.densities[row])} = "
                f"{num4(step.scores[row])}"
            ),
        ]
    lines = [
        (int(problem.rows[each]) + 1, *map(short, numbers))
        for each, *numbers in zip(
            neighbors,
            step.distances[row],
            step.k_distances[neighbors],
            reach,
            step.densities[neighbors],
            strict=True,
        )
    ]
    head = ("row", "d", "k-distance", "reach", "lrd")
    title = f"Neighbours of row {name}: reach is the larger of d and k-distance"
    return [*blocks, numbered_table(head, lines, title, max_rows=MAX_NEIGHBORS)]


def _path(problem: Problem, step: IsolationForestStep, row: int) -> Blocks:
    if not step.trees or np.isnan(step.path_lengths[row]):
        return []
    tree, x = step.trees[-1], problem.X[row]
    path = tree.path(x)
    lines: list[tuple[str | int | float, ...]] = []
    for node, child in pairwise(path):
        column = int(tree.features[node])
        sign = "≤" if child == 2 * node + 1 else ">"
        cut = f"{num4(x[column])} {sign} {num4(tree.thresholds[node])}"
        lines.append((problem.features[column], cut, int(tree.sizes[child])))
    size, cuts = int(tree.sizes[path[-1]]), len(path) - 1
    spared = float(average_path_length(size))
    mean, average = float(step.path_lengths[row]), float(average_path_length(step.n_drawn))
    exponent = f"{num4(mean)} / {num4(average)}"
    name = problem.rows[row] + 1
    trees = count(len(step.trees), "tree", "trees")
    title = f"Path of row {name} in tree {len(step.trees)}"
    return [
        LedgerTable(("column", "cut", "rows left"), lines, title),
        Formula(f"h = {cuts} + c({size}) = {cuts} + {num4(spared)} = {num4(cuts + spared)}"),
        Formula(f"E(h) over {trees} = {num4(mean)}"),
        Formula(f"score({name}) = 2^(−{exponent}) = {num4(step.scores[row])}"),
    ]
