"""Whether there is anything to cluster: Hopkins' statistic."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree
from sklearn.utils import check_array, check_random_state

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.terms import Parts, Term, num


def hopkins_parts(X: Floats, n_probes: int, random_state: Any) -> tuple[Parts, Floats]:
    """Return the parts of Hopkins' statistic, one per probe, and the random places."""
    low, high = X.min(axis=0), X.max(axis=0)
    if not (high > low).any():
        raise ValueError(
            "All rows are equal, so there is no space to compare with. Choose other columns."
        )
    rng = check_random_state(random_state)
    m, d = min(n_probes, len(X)), X.shape[1]
    rows = rng.choice(len(X), m, replace=False)
    places = low + (high - low) * rng.uniform(size=(m, d))
    tree = cKDTree(X)
    from_places = tree.query(places)[0]
    from_rows = tree.query(X[rows], k=min(2, len(X)))[0].reshape(m, -1)[:, -1]
    # Powers of large numbers would overflow.
    scale = max(float(from_places.max()), float(from_rows.max())) or 1.0
    u, w = (from_places / scale) ** d, (from_rows / scale) ** d
    terms = tuple(
        Term(i, int(row), (float(from_places[i]), float(from_rows[i])))
        for i, row in enumerate(rows)
    )
    total = float(u.sum() + w.sum())
    value = float(u.sum()) / total if total > 0 else 0.5
    power = "" if d == 1 else f"^{d}"
    formula = f"H = Σ u{power} / (Σ u{power} + Σ w{power}) = {num(round(float(u.sum()), 4))} / "
    formula += f"({num(round(float(u.sum()), 4))} + {num(round(float(w.sum()), 4))}) = {num(value)}"
    formula += f", distances in units of {num(round(scale, 4))}"
    return Parts(("u, from a random place", "w, from a row"), terms, value, formula), places


def hopkins(X: ArrayLike, n_probes: int = 50, random_state: Any = None) -> float:
    r"""Return Hopkins' statistic: about 0.5 for random rows, near 1 for clustered ones.

    Probes at random places in the box of the rows have the distance u to the nearest row; as many
    rows, drawn at random, have the distance w to the nearest other row. :math:`H = \sum u^d / (\sum
    u^d + \sum w^d)` in d columns.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    n_probes : int, default=50
        The number of probes, at most that of the rows.
    random_state : int, RandomState or None
        The seed.

    Returns
    -------
    float
        The statistic.

    Raises
    ------
    ValueError
        If all rows are equal.

    References
    ----------
    B. Hopkins and J. G. Skellam (1954), A new method for determining the type of distribution of
    plant individuals. K. Wright (2022), Will the real Hopkins statistic please stand up?

    Examples
    --------
    >>> groups = [[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]]
    >>> hopkins(groups, random_state=0) > 0.8
    True
    """
    return hopkins_parts(check_array(X, dtype=np.float64), n_probes, random_state)[0].value
