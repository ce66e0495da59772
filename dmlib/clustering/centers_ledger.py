"""What the scenes of clusterings with centres share: their ledger tables, the arithmetic of the SSE, and wording."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table, few
from dmlib.pictures.plane import view_note
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
    shown = problem.features[: MAX_COLUMNS + 1]
    rows = [tuple(map(float, center[: len(shown)])) for center in centers]
    return class_table(shown, rows, title)


def parts_of_sse(problem: Problem, centers: Floats, labels: NDArray[Any]) -> Floats:
    """Return the share of each cluster in the SSE, shape (n_clusters,)."""
    squares = ((problem.X - centers[labels]) ** 2).sum(axis=1)
    return np.bincount(labels, squares, minlength=len(centers)).astype(np.float64)


def sum_of_parts(parts: Floats, total: float) -> Formula:
    """Return the SSE as the sum of the clusters' shares."""
    terms = few([f"{part:.5g}" for part in parts], 6)
    return Formula(f"SSE = {terms} = {total:.6g}")


def distances_to_centers(problem: Problem, centers: Floats, label: int, selected: int) -> Blocks:
    """Write out the squared distances of one sample to all centres, and to its own."""
    x = problem.X[selected]
    squares = (x - centers) ** 2
    total = squares.sum(axis=1)
    shown = problem.features[:MAX_COLUMNS]
    more = len(shown) < len(x)
    head = [*shown, *(["others"] if more else []), "‖x − c‖²"]
    rows = []
    for parts, sum_ in zip(squares, total, strict=True):
        rest = [float(parts[len(shown) :].sum())] if more else []
        rows.append((*map(float, parts[: len(shown)]), *rest, float(sum_)))
    nearest = int(total.argmin())
    terms = " + ".join(f"({a:.4g} − {c:.4g})²" for a, c in zip(x[: len(shown)], centers[label], strict=False))
    title = f"Row {problem.rows[selected] + 1}: (x − c)² by column; nearest is centre {nearest + 1}"
    return [
        class_table(head, rows, title, [nearest]),
        Formula(f"to its centre {label + 1}: {terms}{' + …' if more else ''} = {total[label]:.6g}"),
    ]
