"""Ledgers of clusterings with centres: coordinates, distances, and the SSE by cluster."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, class_table
from dmlib.pictures.plane import view_note
from dmlib.pictures.words import upper_first
from dmlib.problem import Problem

MAX_COLUMNS = 2  # features whose arithmetic is written out


def plane_note(problem: Problem) -> tuple[str, ...]:
    """Return a warning for views in which the nearest centre may not look nearest."""
    return view_note(problem, "the nearest centre may not look nearest")


def cell_sites(problem: Problem) -> bool:
    """Return whether Voronoi cells in the plane are those of the data: two features, both shown."""
    return problem.plane.exact and len(problem.features) == len(problem.plane.basis)


def center_table(problem: Problem, centers: Floats, title: str) -> LedgerTable:
    """Return the coordinates of the centres."""
    features = problem.features[: MAX_COLUMNS + 1]
    rows = [tuple(map(float, center[: len(features)])) for center in centers]
    return class_table(features, rows, title)


def parts_of_sse(problem: Problem, centers: Floats, labels: NDArray[Any]) -> Floats:
    """Return the share of each cluster in the SSE, shape (n_clusters,)."""
    squares = ((problem.X - centers[labels]) ** 2).sum(axis=1)
    return np.bincount(labels, squares, minlength=len(centers)).astype(np.float64)


def sum_of_parts(parts: Floats, total: float) -> Formula:
    """Return the SSE as the sum of the clusters' shares."""
    terms = abridged([f"{part:.5g}" for part in parts], 6)
    return Formula(f"SSE = {terms} = {total:.6g}")


def quotients(
    sums: Floats, sizes: Iterable[str], means: Floats, form: str = ".5g"
) -> list[tuple[str, ...]]:
    """Write out means as sums over sizes, a row for each cluster.

    Examples
    --------
    >>> quotients(np.array([[3.0, 4.0]]), ["2"], np.array([[1.5, 2.0]]))
    [('3 / 2 = 1.5', '4 / 2 = 2')]
    """
    return [
        tuple(f"{total:.5g} / {size} = {mean:{form}}" for total, mean in zip(*pair, strict=True))
        for *pair, size in zip(sums.tolist(), means.tolist(), sizes, strict=True)
    ]


def distances_to_centers(
    problem: Problem, centers: Floats, label: int, selected: int, name: str = ""
) -> Blocks:
    """Write out the squared distances of one sample to all centres, and to its own."""
    x, features = problem.X[selected], problem.features[:MAX_COLUMNS]
    n = len(features)
    squares = (x - centers) ** 2
    totals = squares.sum(axis=1)
    columns, head = [*squares[:, :n].T.tolist()], [*features]
    if n < len(x):
        columns.append(squares[:, n:].sum(axis=1).tolist())
        head.append("others")
    rows = list(zip(*columns, totals.tolist(), strict=True))
    nearest = int(totals.argmin())
    name = upper_first(name or f"row {problem.rows[selected] + 1}")
    title = f"{name}: (x − c)² by column; nearest is centre {nearest + 1}"
    terms = [f"({a:.4g} − {c:.4g})²" for a, c in zip(x, centers[label], strict=True)]
    distance = f"{abridged(terms, n)} = {totals[label]:.6g}"
    return [
        class_table([*head, "‖x − c‖²"], rows, title, [nearest]),
        Formula(f"to its centre {label + 1}: {distance}"),
    ]
