"""The best subset of each size by branch and bound.

A set never fits better than a larger one that contains it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.scores import MIN_SSE, LeastSquaresScore, Subset
from dmlib.feature_selection.search import CurrentSet, Phase, SearchStep
from dmlib.feature_selection.selector import mask_of
from dmlib.trace import look

MAX_COLUMNS = 20
MAX_STEPPED = 6  # columns up to which every node is a step; of more, those that find a better set
JITTER = 1e-11  # of the unit diagonal: it keeps matrices of collinear columns invertible


def best_subsets(score: LeastSquaresScore, k: int | None) -> Iterator[SearchStep]:
    """Yield the nodes of the tree of sets in which better sets are found.

    A node is a set from which columns are removed, some of which must stay. Its SSE bounds those of
    all its descendants from below, so that it is left out if the best sets of all their sizes are
    known to be as good.
    """
    p = score.n_features
    if p > MAX_COLUMNS:
        raise ValueError(
            f"Best subset takes at most {MAX_COLUMNS} columns; there are {p}. Choose fewer"
            " columns, or another search."
        )
    tree = _Tree(score)
    current = CurrentSet(score, tuple(range(p)))
    yield current.step("start", best=tree.best_sets())
    yield from tree.branch(current, *tree.root())
    best = tree.best_sets()
    if k is None:
        chosen = current.best_of(best)[0]
        reason = "Of the best sets of each size, this has the best score."
    else:
        chosen = next(subset for subset in best if len(subset) == k)
        reason = f"No set of {k} fits better."
    current.subset, current.value = chosen, score(chosen)
    support = mask_of(chosen, p)
    yield current.step("done", best, reason=reason, best=best, n_cut=tree.n_cut, support=support)


class _Tree:
    """The best sets so far, and the tree below a node."""

    def __init__(self, score: LeastSquaresScore) -> None:
        self.score, self.n_cut = score, 0
        p = score.n_features
        everything = tuple(range(p))
        self.best: list[tuple[float, Subset]] = [(np.inf, ())] * (p + 1)
        self.best[0], self.best[p] = (score.total, ()), (score.sse(everything), everything)

    def best_sets(self) -> tuple[Subset, ...]:
        """Return the best set so far of each size that has one."""
        return tuple(subset for sse, subset in self.best if np.isfinite(sse))

    def root(self) -> tuple[list[int], int, Floats, Floats, float]:
        """Return the node of all columns, none of which must stay.

        It is the columns, how many must stay, the inverse of their matrix, coefficients, and SSE.
        """
        R, p = self.score.triangle, self.score.n_features
        gram = R[:, :-1].T @ R[:, :-1]
        unit = np.sqrt(np.where(np.diag(gram) > 0, np.diag(gram), 1.0))
        inverse = np.linalg.inv(gram / np.outer(unit, unit) + JITTER * np.eye(p))
        coef = inverse @ (R[:, :-1].T @ R[:, -1] / unit)
        return list(range(p)), 0, inverse, coef, self.best[p][0]

    def branch(
        self,
        current: CurrentSet,
        columns: list[int],
        n_kept: int,
        inverse: Floats,
        coef: Floats,
        sse: float,
    ) -> Iterator[SearchStep]:
        """Yield the steps of a node: remove each column that may go, and keep the best of its size.

        A set is branched where the best of a size below it may still be beaten.
        """
        look()
        n = len(columns)
        if n - n_kept == 0 or n <= 1:
            return
        rise = coef**2 / np.diag(inverse)
        # What costs most to remove comes first: it then stays in the later, larger branches.
        free = n_kept + np.argsort(-rise[n_kept:], kind="stable")
        order = np.concatenate([np.arange(n_kept), free])
        columns = [columns[i] for i in order]
        inverse, coef, rise = inverse[np.ix_(order, order)], coef[order], rise[order]
        smaller = {t: tuple(sorted(columns[:t] + columns[t + 1 :])) for t in range(n_kept, n)}
        t = max(smaller)  # the cheapest to remove
        exact = self.score.sse(smaller[t])
        improved = exact < self.best[n - 1][0] - MIN_SSE * self.score.total
        if improved:
            self.best[n - 1] = exact, self._first_of_equals(smaller[t])
        if improved or self.score.n_features <= MAX_STEPPED:
            yield self._step(current, "branch", tuple(sorted(columns)), list(smaller.values()))
        for t in reversed(range(n_kept, n)):
            bound = sse + float(rise[t])
            sizes = range(max(t, 1), n - 1)
            if not sizes:
                continue
            if all(self.best[size][0] <= bound * (1 + 1e-9) for size in sizes):
                self.n_cut += 2 ** (n - 1 - t) - 1 - (t == 0)
                if self.score.n_features <= MAX_STEPPED:
                    yield self._step(current, "cut", smaller[t], [], bound=bound)
                continue
            remaining = np.delete(np.arange(n), t)
            column = inverse[remaining, t] / inverse[t, t]
            yield from self.branch(
                current,
                [columns[i] for i in remaining],
                t,
                inverse[np.ix_(remaining, remaining)] - np.outer(column, inverse[t, remaining]),
                coef[remaining] - column * coef[t],
                bound,
            )

    def _first_of_equals(self, subset: Subset) -> Subset:
        """Exchange columns for earlier ones while the set fits as well."""
        max_sse = self.score.sse(subset) + MIN_SSE * self.score.total
        for old in reversed(subset):
            for new in sorted(set(range(old)) - set(subset)):
                exchanged = tuple(sorted({*subset, new} - {old}))
                if self.score.sse(exchanged) <= max_sse:
                    return self._first_of_equals(exchanged)
        return subset

    def _step(
        self,
        current: CurrentSet,
        phase: Phase,
        node: Subset,
        candidates: list[Subset],
        **fields: Any,
    ) -> SearchStep:
        current.subset, current.value = node, self.score(node)
        best = self.best_sets()
        return current.step(phase, candidates, best=best, n_cut=self.n_cut, **fields)
