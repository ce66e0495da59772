"""k-means by other distances in words and numbers."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import MAX_COLUMNS, center_table
from dmlib.clustering.kmeans.algorithm import KMeansStep
from dmlib.clustering.kmeans.kcentroids import KCentroids
from dmlib.clustering.kmeans.metric_partition import distances_between
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, class_table
from dmlib.pictures.words import changes, count, num, num4
from dmlib.problem import Problem

MAX_TERMS = 5
CENTERS = {
    "manhattan": "the median of its rows",
    "cosine": "the mean direction of its rows",
    "correlation": "the mean shape of its rows",
}
TITLES = {
    "manhattan": "Medians, and the means",
    "cosine": "Mean / ‖mean‖, and the mean",
    "correlation": "Mean / ‖mean‖, and the mean of (x − x̄) / ‖x − x̄‖",
}


def centroids_ledger(
    problem: Problem, model: KCentroids, step: KMeansStep, before: KMeansStep, selected: int | None
) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a step."""
    if step.labels is None:
        return _seed(problem, step)
    X = model.prepared(problem.X)
    distances = distances_between(X, step.centers, model.metric)
    own = distances[np.arange(len(X)), step.labels]
    parts = np.bincount(step.labels, own, minlength=len(step.centers))
    rows = [(int(n), float(part)) for n, part in zip(step.counts, parts, strict=True)]
    ledger: Blocks = [class_table(("rows", "Σ d(x, c)"), rows, "Clusters")]
    terms = abridged([num(part, 5) for part in parts], MAX_TERMS)
    ledger.append(Formula(f"sum of distances = {terms} = {num(step.inertia)}"))
    if selected is not None:
        ledger = [*_distance(problem, model, step, distances[selected], selected), *ledger]
    change = changes("the sum of distances", before.inertia, step.inertia)
    if step.phase == "update":
        caption = f"Update: every centre moves to {CENTERS[model.metric]}; {change}."
        return caption, [_centers(problem, model, X, step), *ledger]
    if step.phase == "done":
        iterations = count(step.iteration, "iteration", "iterations")
        centers = center_table(problem, step.centers, "Centres")
        return f"Done after {iterations}. {step.reason}", [*ledger, centers]
    if before.labels is None:
        change = f"the sum of distances is {num4(step.inertia)}"
        return f"Assign: every row joins its nearest centre; {change}.", ledger
    moved = count(step.n_changed, "row changes its", "rows change their")
    return f"Assign: {moved} cluster; {change}.", ledger


def _seed(problem: Problem, step: KMeansStep) -> tuple[str, Blocks]:
    j = int(np.isfinite(step.centers[:, 0]).sum())
    ledger: Blocks = [center_table(problem, step.centers[:j], "Centres so far")]
    if step.chosen is None:
        return f"Centre {j} starts where you put it, or at the mean of a random part.", ledger
    row = f"row {problem.rows[step.chosen] + 1}"
    if step.distances is None:
        return f"Centre {j} is drawn at random: {row}.", ledger
    distance, total = float(step.distances[step.chosen]), float(step.distances.sum())
    share = f"{num4(distance)} / {num4(total)} = {num4(distance / total)}"
    ledger.append(Formula(f"{row}: d / Σ d = {share}"))
    return f"Centre {j} is {row}, at the distance {num4(distance)} from the nearest centre.", ledger


def _centers(problem: Problem, model: KCentroids, X: Floats, step: KMeansStep) -> LedgerTable:
    """Return the new centres, and beside each the mean of its rows."""
    features = problem.features[:MAX_COLUMNS]
    n = len(features)
    rows = []
    for j, center in enumerate(step.centers):
        members = X[step.labels == j]
        mean = members.mean(axis=0) if len(members) else np.full(X.shape[1], np.nan)
        rows.append((*map(float, center[:n]), *map(float, mean[:n])))
    head = [*features, *(f"mean {feature}" for feature in features)]
    return class_table(head, rows, TITLES[model.metric])


def _distance(
    problem: Problem, model: KCentroids, step: KMeansStep, distances: Floats, selected: int
) -> Blocks:
    """Write out the distance of the selected row to its centre."""
    rows = [(float(distance),) for distance in distances]
    name = f"Row {problem.rows[selected] + 1}"
    nearest = int(distances.argmin())
    table = class_table(("d(x, c)",), rows, f"{name}: nearest is centre {nearest + 1}", [nearest])
    label = int(step.labels[selected]) if step.labels is not None else nearest
    x, center = problem.X[selected], step.centers[label]
    formulas: Blocks = []
    length = f"‖x‖ = {num4(np.linalg.norm(x))}"
    if model.metric == "correlation":
        total = abridged(list(map(num4, x)), MAX_TERMS, " + ")
        formulas.append(Formula(f"x̄ = ({total}) / {len(x)} = {num4(x.mean())}"))
        x = x - x.mean()
        length = f"‖x − x̄‖ = {num4(np.linalg.norm(x))}"
    pairs = list(zip(map(num4, x), map(num4, center), strict=True))
    if model.metric == "manhattan":
        text = abridged([f"|{a} − {c}|" for a, c in pairs], MAX_TERMS)
    else:
        products = abridged([f"{a} · {c}" for a, c in pairs], MAX_TERMS)
        formulas.append(Formula(length))
        text = f"1 − ({products}) / {num4(np.linalg.norm(x))}"
    result = f"to its centre {label + 1}: {text} = {num(distances[label])}"
    return [table, *formulas, Formula(result)]
