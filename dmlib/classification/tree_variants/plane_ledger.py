"""Planes between two groups of classes in numbers: slacks of a programme, densities of QUEST."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_variants.planes import Discriminant, Plane, Programme
from dmlib.pictures.ledger import (
    Blocks,
    Cell,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.words import num4, short, signed
from dmlib.trees.significance_ledger import cut_reason

MAX_NAMES = 3  # classes of a group
MAX_ROWS, NEAREST = 8, 4  # rows with the largest slacks; without any, the nearest ones
MAX_TERMS = 12


class Names(NamedTuple):
    """The names of terms and classes, and the rows of a node."""

    terms: Sequence[str]
    classes: Sequence[str]
    rows: Ints  # the number of each row
    labels: Ints  # the class of each row, a place in the classes

    def groups(self, plane: Plane) -> tuple[str, str]:
        """Return both groups of classes as text."""
        left, right = (
            "{" + abridged([self.classes[code] for code in group], MAX_NAMES, ", ") + "}"
            for group in plane.groups
        )
        return left, right


def programme_words(programme: Programme, X: Floats, node: str, names: Names) -> tuple[str, Blocks]:
    """Return the beginning of a caption, and the arithmetic, of a linear programme.

    ``X`` are the terms of the rows of the node.
    """
    left, right = names.groups(programme)
    if not programme.is_found:
        caption = f"No plane divides {left} from {right} in {node}: w = 0 is optimal"
        return caption, [_objective(programme), _slacks(programme, X, names)]
    with_objective = f"with the objective {num4(programme.objective)}"
    caption = f"Linear programming divides {left} from {right} in {node} {with_objective}"
    w = programme.weights / programme.margin
    order = np.argsort(-np.abs(w), kind="stable")
    rows: list[list[Cell]] = [
        [names.terms[i], short(w[i]), short(programme.weights[i])] for i in order if w[i] != 0
    ]
    height = programme.threshold / programme.margin
    rows.append(["γ", short(height), short(programme.threshold)])
    return caption, [
        _objective(programme),
        _slacks(programme, X, names),
        Formula(f"{left}: y = max(0, 1 + w·x − γ); {right}: z = max(0, 1 − w·x + γ)"),
        short_table(("term", "w", "w / ‖w‖"), rows, "The plane w·x = γ", max_rows=MAX_TERMS),
        Formula(f"margins w·x = γ ± 1, at the distance 1 / ‖w‖ = {num4(programme.margin)}"),
    ]


def _objective(programme: Programme) -> Formula:
    fractions = [
        f"{num4(total)}/{size}"
        for total, size in zip(programme.totals, programme.sizes, strict=True)
    ]
    total = num4(programme.objective)
    return Formula(f"Σ y / m + Σ z / k = {' + '.join(fractions)} = {total}, the minimum")


def _slacks(programme: Programme, X: Floats, names: Names) -> LedgerTable:
    """Return the rows with the largest slacks; without any, those nearest to the plane."""
    places = np.full(len(X), -programme.threshold)
    if programme.is_found:
        places = (X @ programme.weights - programme.threshold) / programme.margin
    has_slack = programme.slacks > 0
    order = np.argsort(np.where(has_slack, -programme.slacks, np.abs(places)), kind="stable")
    order = order[has_slack[order]] if has_slack.any() else order[:NEAREST]
    rows: list[list[Cell]] = [
        [
            int(names.rows[i]),
            names.classes[names.labels[i]],
            short(places[i]),
            short(programme.slacks[i]),
        ]
        for i in order
    ]
    title = "Rows with slack" if has_slack.any() else "No row has slack; the nearest rows"
    return numbered_table(("row", "class", "w·x − γ", "slack"), rows, title, max_rows=MAX_ROWS)


def discriminant_words(plane: Discriminant, node: str, names: Names) -> tuple[str, Blocks]:
    """Return the beginning of a caption, and the arithmetic, of QUEST's plane."""
    left, right = names.groups(plane)
    if plane.cut is None:
        return f"No plane divides {left} from {right} in {node}: all rows are in one place", []
    cut = plane.cut
    rows: list[list[Cell]] = [
        [group, int(n), short(mean), short(variance)]
        for group, n, mean, variance in zip(
            (left, right), cut.weights, cut.means, cut.variances, strict=True
        )
    ]
    products = [
        f"{signed(weight, 4)} · {name}"
        for name, weight in zip(names.terms, plane.weights, strict=True)
        if weight != 0
    ]
    reason = cut_reason(cut)
    return f"QUEST divides {left} from {right} in {node} along their discriminant", [
        Formula(f"z = {abridged(products, MAX_TERMS)}"),
        LedgerTable(("group", "rows", "mean of z", "variance"), rows, "Groups on the discriminant"),
        Formula(reason.replace("N(x;", "N(z;")),
    ]
