"""The bags of an ensemble: rows drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

from dmlib.arrays import Floats, Ints

LARGEST_SEED = np.iinfo(np.int32).max


def n_drawn(max_samples: Any, n_samples: int, weights: Floats | None, bootstrap: bool) -> int:
    """Return the number of rows in a bag.

    Parameters
    ----------
    max_samples : int or float
        A number, or a fraction of the rows; with weights, of their sum.
    n_samples : int
        The number of rows.
    weights : ndarray of shape (n_samples,) or None
        Their weights.
    bootstrap : bool
        Whether they are drawn with replacement.

    Raises
    ------
    ValueError
        If this is no number or fraction, or larger than the number of rows without replacement.

    Examples
    --------
    >>> n_drawn(0.5, 7, None, True), n_drawn(3, 7, None, True), n_drawn(1.0, 7, None, True)
    (3, 3, 7)
    """
    is_integer = isinstance(max_samples, int | np.integer) and not isinstance(max_samples, bool)
    is_share = isinstance(max_samples, float) and 0 < max_samples <= 1
    if not is_share and not (is_integer and max_samples >= 1):
        raise ValueError(
            "max_samples must be a whole number from 1 or a share above 0 up to 1; it was"
            f" {max_samples!r}."
        )
    total = n_samples if weights is None else weights.sum()
    n = int(max_samples) if is_integer else max(1, int(max_samples * total))
    if n > n_samples and not bootstrap:
        raise ValueError(
            f"Without replacement no more than the {n_samples} rows can be drawn, and max_samples"
            f" asks for {n}; lower it, or set bootstrap=True."
        )
    return n


def draw(rng: Any, n_samples: int, n: int, weights: Floats | None, bootstrap: bool) -> Ints:
    """Draw ``n`` of the rows, by their weights if there are any, as scikit-learn does.

    Examples
    --------
    >>> draw(np.random.RandomState(0), 5, 5, None, True).tolist()
    [4, 0, 3, 3, 3]
    """
    if weights is not None and not (n == n_samples and not bootstrap):
        rows: Ints = rng.choice(n_samples, n, replace=bootstrap, p=weights / weights.sum())
    elif bootstrap:
        rows = rng.randint(0, n_samples, n)
    else:
        rows = sample_without_replacement(n_samples, n, random_state=rng).astype(np.intp)
    return rows


def draws(
    rng: Any,
    n_estimators: int,
    shape: tuple[int, int],
    n: int,
    n_columns: int,
    weights: Floats | None,
    bootstrap: bool,
) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield a seed, a bag of ``n`` rows and ``n_columns`` columns for each estimator.

    Parameters
    ----------
    rng : RandomState
        From which scikit-learn's bagging would draw the same.
    n_estimators : int
        How many to draw.
    shape : (int, int)
        The rows and columns of the table.
    n, n_columns : int
        The sizes of a draw.
    weights : ndarray of shape (n_samples,) or None
        The weights of the rows.
    bootstrap : bool
        Whether rows are drawn with replacement.

    Examples
    --------
    >>> rng = np.random.RandomState(0)
    >>> [bag.tolist() for _, bag, _ in draws(rng, 2, (4, 1), 4, 1, None, True)]
    [[0, 3, 2, 0], [3, 1, 3, 0]]
    """
    for _ in range(n_estimators):
        seed = int(rng.randint(LARGEST_SEED))
        own_rng = check_random_state(seed)
        columns = sample_without_replacement(shape[1], n_columns, random_state=own_rng)
        bag = draw(own_rng, shape[0], n, weights, bootstrap)
        yield seed, bag, np.sort(columns).astype(np.intp)


def never_drawn(n_samples: int, n: int, bootstrap: bool = True) -> float:
    """Return the probability that a bag lacks a row.

    It is (1 - 1/N)^n with replacement, and 1 - n/N without.

    Examples
    --------
    >>> round(never_drawn(10, 10), 4), never_drawn(10, 6, bootstrap=False)
    (0.3487, 0.4)
    """
    return (1 - 1 / n_samples) ** n if bootstrap else 1 - n / n_samples
