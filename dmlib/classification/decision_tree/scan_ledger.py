"""The sorted scan of a numeric column, and the estimated errors of a split, in numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable
from dmlib.problem import Problem
from dmlib.trees.estimated_error import estimated_errors
from dmlib.trees.impurity import impurity
from dmlib.trees.significance_ledger import digits, short
from dmlib.trees.splits import Candidate, Candidates

MAX_CUTS = 20  # of the table, which has all or is left out
MAX_CLASSES = 4
MAX_TERMS = 5


def sorted_scan(
    ranked: Candidates, chosen: Candidate, problem: Problem, codes: Sequence[int], measure: str
) -> Blocks:
    """Return the count matrix: the class counts on both sides of each threshold in ascending order.

    It is left out where there are many thresholds or classes, or the column has missing values.
    """
    column, cut = chosen.split.column, chosen.split.cut
    cuts = np.flatnonzero((ranked.columns == column) & np.isfinite(ranked.thresholds))
    has_gaps = chosen.missing > 0 or chosen.split.missing >= 0
    is_short = 1 < len(cuts) <= MAX_CUTS and len(codes) <= MAX_CLASSES
    if cut is None or chosen.test is not None or has_gaps or not is_short:
        return []
    cuts = cuts[np.argsort(ranked.thresholds[cuts])]
    rows: list[list[Cell]] = []
    for i in cuts.tolist():
        counts = ranked[i].counts
        sides = [f"{short(below)} | {short(above)}" for below, above in counts.T]
        sizes = counts.sum(axis=1)
        mean = sum(n * impurity(side, measure) for n, side in zip(sizes, counts, strict=True))
        rows.append([digits(ranked.thresholds[i]), *sides, digits(mean / sizes.sum())])
    names = [problem.classes[code] for code in codes]
    title = f"Sorted scan of {problem.features[column]}: rows up to a threshold | above it"
    emphasis = np.flatnonzero(ranked.thresholds[cuts] == cut).tolist()
    return [LedgerTable(("threshold", *names, f"mean {measure}"), rows, title, emphasis)]


def estimates(candidate: Candidate | None, penalty: float | None) -> Blocks:
    """Return the estimated errors of a node as a leaf, and with its best split; [] without any."""
    if penalty is None or candidate is None:
        return []
    branches, omega = candidate.counts, short(penalty)
    as_leaf, as_split = estimated_errors(branches, penalty)
    errors = [short(branch.sum() - branch.max()) for branch in branches]
    terms = " + ".join(errors[:MAX_TERMS] + ["…"] * (len(errors) > MAX_TERMS))
    leaf = f"{short(as_leaf - penalty)} + Ω = {short(as_leaf)}"
    split = f"{terms} + {len(errors)} Ω = {short(as_split)}"
    verdict = "lower" if as_split < as_leaf - 1e-12 else "not lower"
    return [
        Formula(f"estimated errors as a leaf, Ω = {omega}: {leaf}"),
        Formula(f"estimated errors with the split: {split}, {verdict}"),
    ]
