"""Market baskets with planted rules."""

from __future__ import annotations

import numpy as np

from dmlib.datasets.containers import Baskets
from dmlib.datasets.generators.points import LICENCE


def planted_baskets(*, n_samples: int = 200, noise: float = 0.05, random_state: int = 0) -> Baskets:
    """Draw market baskets in which three rules are planted.

    Bread, milk, coffee, apples, beer, eggs and candles are bought independently of each other.
    Butter goes with bread (in 7 of 10 baskets), sugar with coffee and milk together (8 of 10),
    crisps with beer (6 of 10).

    Parameters
    ----------
    n_samples : int
        Number of baskets.
    noise : float
        Probability with which an item that follows from nothing is bought nevertheless.
    random_state : int
        Seed: the same seed gives the same baskets.

    Returns
    -------
    Baskets
        Sets of at most ten items; no basket is empty.

    Examples
    --------
    >>> "butter" in planted_baskets().items
    True
    """
    rng = np.random.default_rng(random_state)
    chance = {
        "bread": 0.5,
        "milk": 0.45,
        "coffee": 0.35,
        "apples": 0.25,
        "beer": 0.25,
        "eggs": 0.2,
        "candles": 0.05,
    }
    rules = (
        ({"bread"}, "butter", 0.7),
        ({"coffee", "milk"}, "sugar", 0.8),
        ({"beer"}, "crisps", 0.6),
    )
    baskets: list[frozenset[str]] = []
    while len(baskets) < n_samples:
        basket = {item for item, p in chance.items() if rng.random() < p}
        basket |= {
            item for cause, item, p in rules if rng.random() < (p if cause <= basket else noise)
        }
        if basket:
            baskets.append(frozenset(basket))
    return Baskets(
        tuple(baskets),
        name="planted_baskets",
        source="The generator planted_baskets.",
        licence=LICENCE,
    )
