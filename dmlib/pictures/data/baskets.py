"""Market baskets as a matrix of ticks: baskets below each other, items side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.evenly import evenly
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import NO_CLASS, Points
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.problem import BagsProblem, BasketsProblem

MAX_ROWS, MAX_COLUMNS = 40, 30
"""So many baskets and items are drawn."""


def shown_items(problem: BasketsProblem) -> NDArray[np.intp]:
    """Return the items that are drawn, in their order: the most frequent of too many."""
    frequent = np.argsort(-problem.matrix.sum(axis=0), kind="stable")[:MAX_COLUMNS]
    return np.sort(frequent)


def shown_baskets(problem: BasketsProblem) -> NDArray[np.intp]:
    """Return the baskets that are drawn, in their order: evenly spaced ones of too many."""
    return evenly(len(problem.matrix), MAX_ROWS)


def baskets_panel(problem: BasketsProblem) -> Panel:
    """Return the panel of the matrix, the first basket on top."""
    items = [problem.items[j] for j in shown_items(problem)]
    rows = [str(row + 1) for row in problem.rows[shown_baskets(problem)]][::-1]
    x = Axis("item", -0.5, len(items) - 0.5, ticks=items)
    return Panel("data", x, Axis("basket", -0.5, len(rows) - 0.5, ticks=rows))


def baskets_points(problem: BasketsProblem) -> Points:
    """Return the mark of the ticks."""
    items, baskets = shown_items(problem), shown_baskets(problem)
    ticks = problem.matrix[np.ix_(baskets, items)]
    row, column = np.nonzero(ticks)
    numbers = problem.rows[baskets] + 1
    labels = [
        f"basket {numbers[i]}: {problem.items[items[j]]}" for i, j in zip(row, column, strict=True)
    ]
    neutral = np.array([NO_CLASS], np.uint8)
    return Points(x=column, y=len(ticks) - 1 - row, color=neutral, labels=labels)


def baskets_scene(problem: BasketsProblem) -> Scene:
    """Return the baskets alone, in one frame."""
    n_baskets, n_items = problem.matrix.shape
    size = f"{problem.matrix.sum(axis=1).mean():.4g} items in a basket on average"
    caption = f"{n_baskets} baskets of {n_items} different items, {size}."
    frame = Frame(caption, (support_table(problem),))
    return Scene(
        (baskets_panel(problem),), (baskets_points(problem),), (frame,), baskets_notes(problem)
    )


def bags_scene(problem: BagsProblem) -> Scene:
    """Return baskets or texts alone, in one frame."""
    scene = baskets_scene(problem)
    n, m = problem.counts.shape
    size = f"{problem.matrix.sum(axis=1).mean():.4g} in one on average"
    caption = f"{n} {problem.called}s of {m:,} different {problem.holds}s, {size}."
    return replace(scene, frames=(Frame(caption, scene.frames[0].ledger),))


def baskets_notes(problem: BasketsProblem) -> tuple[str, ...]:
    """Return what of the matrix is not drawn."""
    n_baskets, n_items = problem.matrix.shape
    rows = f"{MAX_ROWS} of {n_baskets} baskets are drawn, at equal distances."
    columns = f"The {MAX_COLUMNS} most frequent of {n_items} items are drawn."
    return (*[rows] * (n_baskets > MAX_ROWS), *[columns] * (n_items > MAX_COLUMNS))


def support_table(problem: BasketsProblem) -> LedgerTable:
    """Return how many baskets hold each item, the most frequent first."""
    counts = problem.matrix.sum(axis=0)
    order = np.argsort(-counts, kind="stable")[:MAX_COLUMNS]
    rows = [
        (problem.items[j], int(counts[j]), float(counts[j] / len(problem.matrix))) for j in order
    ]
    return LedgerTable(("item", "baskets", "support"), rows, "Support of the items")
