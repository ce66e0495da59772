"""A genetic search: sets of columns that are selected, crossed and mutated, over generations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.random import RandomState

from dmlib.feature_selection.scores import Score, Subset, goodness
from dmlib.feature_selection.search import Child, CurrentSet, SearchStep
from dmlib.trace import look


def genetic_search(
    score: Score,
    k: int | None,
    *,
    population_size: int,
    n_generations: int,
    mutation: float | None,
    rng: RandomState,
) -> Iterator[SearchStep]:
    """Yield a step for each generation, from a population that is drawn.

    The best set stays; each of the others is a child of two parents. A parent is the better of two
    sets that are drawn. A child has the columns before a cut from one and the others from the
    other; then each column changes with the probability ``mutation``, by default 1 / p. With ``k``
    columns join or leave at random until there are as many.
    """
    p = score.n_features
    rate = 1 / p if mutation is None else mutation
    population = [_random_set(p, k, rng) for _ in range(population_size)]
    current = CurrentSet(score, population[0])
    first, _ = current.best_of(population)
    current.subset, current.value = first, score(first)
    yield current.step("start", population)
    for _ in range(0 if k == p else n_generations):
        look()
        values = np.array([goodness(score, score(each)) for each in population])
        children = [_child(population, values, k, p, rate, rng) for _ in population[1:]]
        population = [current.subset, *(child.subset for child in children)]
        best, good = current.best_of(population)
        if not current.improves(good):
            best = current.subset
        yield current.move_to(best, population, "generation", children=tuple(children))
    if k == p:
        yield current.end("There is no other set of this size.")
        return
    reason = "The best set stayed in each generation, so the last has the answer."
    yield current.end(reason, population, children=tuple(children))


def _random_set(p: int, k: int | None, rng: RandomState) -> Subset:
    """Return a random set: each column with probability 1/2, or ``k`` of them."""
    drawn = np.flatnonzero(rng.randint(2, size=p)) if k is None else rng.permutation(p)[:k]
    return tuple(sorted(drawn.tolist()))


def _child(
    population: list[Subset],
    values: np.ndarray,
    k: int | None,
    p: int,
    rate: float,
    rng: RandomState,
) -> Child:
    """Return a child of two parents, each the better of two sets that are drawn."""
    drawn = rng.randint(len(population), size=(2, 2))
    winners = np.where(values[drawn[:, 0]] >= values[drawn[:, 1]], drawn[:, 0], drawn[:, 1])
    first, second = (population[i] for i in winners)
    cut = int(rng.randint(1, p)) if p > 1 else 1
    flipped = {*np.flatnonzero(rng.uniform(size=p) < rate).tolist()}
    columns = {*crossed(first, second, cut)} ^ flipped
    repaired = {*_repairs(columns, k, p, rng)}
    return Child(
        (first, second),
        cut,
        tuple(sorted(flipped)),
        tuple(sorted(repaired)),
        tuple(sorted(columns ^ repaired)),
    )


def crossed(first: Subset, second: Subset, cut: int) -> Subset:
    """Return the columns before a cut from one set, and the others from another.

    Examples
    --------
    >>> crossed((0, 1, 2), (0, 3), 2)
    (0, 1, 3)
    """
    return (*(j for j in first if j < cut), *(j for j in second if j >= cut))


def _repairs(columns: set[int], k: int | None, p: int, rng: RandomState) -> list[int]:
    """Return columns that leave a set, or join it, so that it has ``k``."""
    if k is None or len(columns) == k:
        return []
    pool = sorted(columns) if len(columns) > k else sorted({*range(p)} - columns)
    return [pool[i] for i in rng.permutation(len(pool))[: abs(len(columns) - k)]]
