"""What the scenes of clusterings with centres share: their ledger tables, the arithmetic of the SSE, and wording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.problem import Problem
from dmlib.scene import Formula, LedgerTable

MOST_ROWS = 30  # lines of a ledger table
MOST_COLUMNS = 2  # features whose arithmetic is written out

Blocks = list[LedgerTable | Formula]
Floats = NDArray[np.float64]


def plane_note(problem: Problem) -> tuple[str, ...]:
    """Return a warning for views in which the nearest centre may not look nearest."""
    if problem.plane.exact:
        return ()
    n = len(problem.features)
    return (f"Distances count all {n} columns; in this view of them, the nearest centre may not look nearest.",)


def cell_sites(problem: Problem) -> bool:
    """Return whether Voronoi cells in the plane are those of the data: two features, both shown."""
    return problem.plane.exact and len(problem.features) == len(problem.plane.basis)


def cluster_table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], title: str, emphasis: Sequence[int] = ()
) -> LedgerTable:
    """Return a table with one line per cluster, cut where it would be too long."""
    if len(rows) > MOST_ROWS:
        title += f" (the first {MOST_ROWS} of {len(rows)})"
    return LedgerTable(head, rows[:MOST_ROWS], title, [i for i in emphasis if i < MOST_ROWS], classes=True)


def center_table(problem: Problem, centers: Floats, title: str) -> LedgerTable:
    """Return the coordinates of the centres."""
    shown = problem.features[: MOST_COLUMNS + 1]
    rows = [tuple(map(float, center[: len(shown)])) for center in centers]
    return cluster_table(shown, rows, title)


def parts_of_sse(problem: Problem, centers: Floats, labels: NDArray[Any]) -> Floats:
    """Return the share of each cluster in the SSE, shape (n_clusters,)."""
    squares = ((problem.X - centers[labels]) ** 2).sum(axis=1)
    return np.bincount(labels, squares, minlength=len(centers)).astype(np.float64)


def sum_of_parts(parts: Floats, total: float) -> Formula:
    """Return the SSE as the sum of the clusters' shares."""
    terms = " + ".join(f"{part:.5g}" for part in parts[:6]) + (" + …" if len(parts) > 6 else "")
    return Formula(f"SSE = {terms} = {total:.6g}")


def distances_to_centers(problem: Problem, centers: Floats, label: int, selected: int) -> Blocks:
    """Write out the squared distances of one sample to all centres, and to its own."""
    x = problem.X[selected]
    squares = (x - centers) ** 2
    total = squares.sum(axis=1)
    shown = problem.features[:MOST_COLUMNS]
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
        cluster_table(head, rows, title, [nearest]),
        Formula(f"to its centre {label + 1}: {terms}{' + …' if more else ''} = {total[label]:.6g}"),
    ]


def count(n: int, one: str, many: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "row", "rows"), count(2, "row", "rows")
    ('1 row', '2 rows')
    """
    return f"{n} {one if n == 1 else many}"


def num(value: float) -> str:
    """Return a number for a sentence or a formula, with six significant digits and a true minus sign.

    Examples
    --------
    >>> num(-48.8993), num(float("-inf"))
    ('−48.8993', '−∞')
    """
    return f"{value:.6g}".replace("inf", "∞").replace("-", "−")
