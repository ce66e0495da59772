"""The best subset of each size by branch and bound: a set never fits better than a larger one that contains it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.scores import SMALLEST, LeastSquaresScore, Subset
from dmlib.feature_selection.search import SearchStep, Walk
from dmlib.feature_selection.selector import mask_of
from dmlib.trace import look

MOST_COLUMNS = 20
TOLD = (
    6  # up to so many columns every node is a step; of more, those in which a better set is found
)
JITTER = 1e-11  # of the unit diagonal: it keeps matrices of collinear columns invertible


def best_subsets(score: LeastSquaresScore, k: int | None) -> Iterator[SearchStep]:
    """Yield the nodes of the tree of sets in which better sets are found.

    A node is a set from which columns are removed, some of which must stay. Its SSE bounds those of
    all its descendants from below, so that it is left out if the best sets of all their sizes are
    known to be as good.
    """
    p = score.n_features
    if p > MOST_COLUMNS:
        raise ValueError(
            f"Best subset takes at most {MOST_COLUMNS} columns; there are {p}. Choose fewer"
            " columns, or another search."
        )
    tree = _Tree(score)
    walk = Walk(score, tuple(range(p)))
    yield walk.step("start", best=tree.sets())
    yield from tree.branch(walk, *tree.root())
    sizes = tree.sets()
    chosen = (
        next(each for each in sizes if len(each) == k) if k is not None else walk.best_of(sizes)[0]
    )
    walk.subset, walk.value = chosen, score(chosen)
    reason = (
        "Of the best sets of each size, this has the best score."
        if k is None
        else f"No set of {k} fits better."
    )
    yield walk.step(
        "done", sizes, reason=reason, best=sizes, n_cut=tree.n_cut, support=mask_of(chosen, p)
    )


class _Tree:
    """The best sets so far, and the tree below a node."""

    def __init__(self, score: LeastSquaresScore) -> None:
        self.score, self.n_cut = score, 0
        p = score.n_features
        everything = tuple(range(p))
        self.best: list[tuple[float, Subset]] = [(np.inf, ())] * (p + 1)
        self.best[0], self.best[p] = (score.total, ()), (score.sse(everything), everything)

    def sets(self) -> tuple[Subset, ...]:
        """Return the best set so far of each size that has one."""
        return tuple(subset for sse, subset in self.best if np.isfinite(sse))

    def root(self) -> tuple[list[int], int, Floats, Floats, float]:
        """Return the node of all columns: none must stay; the inverse of their matrix, coefficients, and SSE."""
        R, p = self.score.triangle, self.score.n_features
        gram = R[:, :-1].T @ R[:, :-1]
        unit = np.sqrt(np.where(np.diag(gram) > 0, np.diag(gram), 1.0))
        inverse = np.linalg.inv(gram / np.outer(unit, unit) + JITTER * np.eye(p))
        coef = inverse @ (R[:, :-1].T @ R[:, -1] / unit)
        return list(range(p)), 0, inverse, coef, self.best[p][0]

    def branch(
        self, walk: Walk, columns: list[int], n_kept: int, inverse: Floats, coef: Floats, sse: float
    ) -> Iterator[SearchStep]:
        """Remove each column that may go, keep what is best of its size, and branch where that may still be beaten."""
        look()
        n = len(columns)
        if n - n_kept == 0 or n <= 1:
            return
        rise = coef**2 / np.diag(inverse)
        # What costs most to remove comes first: it then stays in the later, larger branches.
        free = n_kept + np.argsort(-rise[n_kept:], kind="stable")
        order = np.concatenate([np.arange(n_kept), free])
        columns, inverse, coef, rise = (
            [columns[i] for i in order],
            inverse[np.ix_(order, order)],
            coef[order],
            rise[order],
        )
        smaller = {t: tuple(sorted(columns[:t] + columns[t + 1 :])) for t in range(n_kept, n)}
        t = max(smaller)  # the cheapest to remove
        exact = self.score.sse(smaller[t])
        improved = exact < self.best[n - 1][0] - SMALLEST * self.score.total
        if improved:
            self.best[n - 1] = exact, self._first_of_equals(smaller[t])
        if improved or self.score.n_features <= TOLD:
            yield self._step(walk, "branch", tuple(sorted(columns)), list(smaller.values()))
        for t in reversed(range(n_kept, n)):
            bound = sse + float(rise[t])
            sizes = range(max(t, 1), n - 1)
            if not sizes:
                continue
            if all(self.best[size][0] <= bound * (1 + 1e-9) for size in sizes):
                self.n_cut += 2 ** (n - 1 - t) - 1 - (t == 0)
                if self.score.n_features <= TOLD:
                    yield self._step(walk, "cut", smaller[t], [], bound=bound)
                continue
            rest = np.delete(np.arange(n), t)
            column = inverse[rest, t] / inverse[t, t]
            yield from self.branch(
                walk,
                [columns[i] for i in rest],
                t,
                inverse[np.ix_(rest, rest)] - np.outer(column, inverse[t, rest]),
                coef[rest] - column * coef[t],
                bound,
            )

    def _first_of_equals(self, subset: Subset) -> Subset:
        """Exchange columns for earlier ones while the set fits as well."""
        enough = self.score.sse(subset) + SMALLEST * self.score.total
        for old in reversed(subset):
            for new in sorted(set(range(old)) - set(subset)):
                exchanged = tuple(sorted({*subset, new} - {old}))
                if self.score.sse(exchanged) <= enough:
                    return self._first_of_equals(exchanged)
        return subset

    def _step(
        self, walk: Walk, phase: str, node: Subset, candidates: list[Subset], **more: Any
    ) -> SearchStep:
        walk.subset, walk.value = node, self.score(node)
        return walk.step(phase, candidates, best=self.sets(), n_cut=self.n_cut, **more)
