"""Searches that leave local optima: several changes at once, and simulated annealing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import comb, exp

import numpy as np

from dmlib.feature_selection.scores import Score, Subset, goodness
from dmlib.feature_selection.search import CurrentSet, SearchStep
from dmlib.feature_selection.selector import mask_of
from dmlib.trace import look

MAX_NEIGHBOURS = 1023  # of a set: all other sets of ten columns


def n_neighbours(n_features: int, n_changes: int) -> int:
    """Return how many sets differ from one in some columns, and in no more than ``n_changes``.

    Examples
    --------
    >>> n_neighbours(5, 1), n_neighbours(5, 2), n_neighbours(5, 5)
    (5, 15, 31)
    """
    return sum(comb(n_features, r) for r in range(1, min(n_changes, n_features) + 1))


def most_changes(n_features: int) -> int:
    """Return how many columns may change at once.

    Examples
    --------
    >>> most_changes(10), most_changes(30), most_changes(60)
    (10, 2, 1)
    """
    sizes = range(1, n_features + 1)
    return max((r for r in sizes if n_neighbours(n_features, r) <= MAX_NEIGHBOURS), default=1)


def local_search(
    score: Score, k: int | None, *, n_changes: int, start: str
) -> Iterator[SearchStep]:
    """Yield the steps to the best set in which up to ``n_changes`` columns differ.

    With ``k``, sets are compared whose size is as near to it as can be; of that size only better
    ones are taken.
    """
    p = score.n_features
    if n_neighbours(p, n_changes) > max(MAX_NEIGHBOURS, p):
        raise ValueError(
            f"Up to {n_changes} changes of {p} columns make {n_neighbours(p, n_changes):,} sets in"
            f" each step; at most {MAX_NEIGHBOURS:,} are compared. Choose at most"
            f" {most_changes(p)}, or fewer columns."
        )
    current = CurrentSet(score, tuple(range(p)) if start == "all" else ())
    yield current.step("start")
    while True:
        candidates = _neighbours(current.subset, p, n_changes, k)
        if not candidates:
            break
        best, good = current.best_of(candidates)
        must_move = k is not None and len(current.subset) != k
        if not must_move and not current.improves(good):
            break
        yield current.move_to(best, candidates, "change")
    at_once = "one column" if n_changes == 1 else f"up to {n_changes} columns"
    of_size = "" if k is None else f" of {k}"
    yield current.end(f"No set{of_size} is better that differs in {at_once}.", candidates)


def _neighbours(subset: Subset, p: int, n_changes: int, k: int | None) -> list[Subset]:
    """Return the sets that differ in few columns, fewest first; with ``k``, those nearest to it."""
    sets = [
        tuple(sorted({*subset} ^ {*changed}))
        for r in range(1, min(n_changes, p) + 1)
        for changed in itertools.combinations(range(p), r)
    ]
    if k is None:
        return sets
    missing = max(abs(len(subset) - k) - n_changes, 0)
    return [each for each in sets if abs(len(each) - k) == missing]


def annealing(
    score: Score,
    k: int | None,
    *,
    n_iter: int,
    temperature: float | None,
    cooling: float,
    rng: np.random.RandomState,
) -> Iterator[SearchStep]:
    """Yield the steps of simulated annealing from a set that is drawn.

    A set with another column, or with ``k`` one column exchanged, is proposed and, if it is worse
    by d, accepted with probability exp(-d / T). The best set that was seen is the answer.
    """
    p = score.n_features
    drawn = rng.permutation(p)[:k] if k is not None else np.flatnonzero(rng.randint(2, size=p))
    current = CurrentSet(score, tuple(sorted(drawn.tolist())))
    neighbours = [] if temperature else [*current.larger_sets(), *current.smaller_sets()]
    score.compare(neighbours)
    heat = temperature or _spread([score(each) for each in neighbours])
    best = current.subset
    yield current.step("start", neighbours, temperature=heat, incumbent=best)
    for _ in range(n_iter if k != p else 0):
        look()
        proposal, draw = _proposal(current.subset, p, k, rng), float(rng.uniform())
        gain = _gain(score, current.value, score(proposal))
        chance = 1.0 if gain >= 0 else exp(gain / heat) if heat else 0.0
        if current.is_better(proposal, best):
            best = proposal
        details = {"temperature": heat, "chance": chance, "draw": draw, "incumbent": best}
        if draw < chance:
            yield current.move_to(proposal, [proposal], "accept", **details)
        else:
            moved = tuple(sorted({*proposal} ^ {*current.subset}))
            yield current.step("reject", [proposal], moved=moved, **details)
        heat *= cooling
    current.subset, current.value = best, score(best)
    reason = "There is no other set of this size." if k == p else "The best set seen is the answer."
    yield current.step("done", incumbent=best, reason=reason, support=mask_of(best, p))


def _spread(values: list[float]) -> float:
    """Return the standard deviation of the scores that there are; 1 where they are all equal."""
    scores = np.array([value for value in values if np.isfinite(value)])
    return (float(scores.std()) if len(scores) else 0.0) or 1.0


def _proposal(subset: Subset, p: int, k: int | None, rng: np.random.RandomState) -> Subset:
    if k is None:
        return tuple(sorted({*subset} ^ {int(rng.randint(p))}))
    others = [j for j in range(p) if j not in subset]
    gone, new = subset[rng.randint(k)], others[rng.randint(p - k)]
    return tuple(sorted({*subset} - {gone} | {new}))


def _gain(score: Score, before: float, after: float) -> float:
    """Return by how much a set is better; a set without a score is as bad as another."""
    old, new = goodness(score, before), goodness(score, after)
    return 0.0 if old == new else new - old
