"""How good a clustering is, without known classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import silhouette_score
from sklearn.utils import check_array, check_random_state

from dmlib import engine
from dmlib.clustering.kmeans.algorithm import KMeans


@dataclass(frozen=True)
class KSweep:
    """k-means for several numbers of clusters.

    Attributes
    ----------
    k : ndarray of shape (n_runs,)
        The numbers of clusters.
    inertia : ndarray of shape (n_runs,)
        The sum of squared errors (SSE).
    silhouette : ndarray of shape (n_runs,)
        The mean silhouette, from -1 to 1; NaN where it is not defined (k = 1, or k = the number of
        rows).
    notes : tuple of str
        What was left out or sampled, one sentence each.
    """

    k: NDArray[np.intp]
    inertia: NDArray[np.float64]
    silhouette: NDArray[np.float64]
    notes: tuple[str, ...]


def k_sweep(
    X: ArrayLike,
    k_range: Iterable[int],
    *,
    max_rows: int = 3000,
    random_state: Any = None,
    **kmeans: Any,
) -> KSweep:
    """Run k-means for each number of clusters, and measure SSE and silhouette.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    k_range : iterable of int
        The numbers of clusters. Those above the number of distinct rows are left out, with a note.
    max_rows : int, default=3000
        With more rows the silhouette, which costs O(n^2 d), is measured on a random sample of this
        size.
    random_state : int, RandomState or None
        The seed of k-means and of the sample.
    **kmeans
        Further parameters of ``KMeans``.

    Returns
    -------
    KSweep
        One entry for each k.

    References
    ----------
    P. J. Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
    cluster analysis.

    Examples
    --------
    >>> sweep = k_sweep([[0.0], [1.0], [10.0], [11.0]], range(1, 4), n_init=5, random_state=0)
    >>> sweep.inertia.tolist(), sweep.silhouette.round(3).tolist()
    ([101.0, 1.0, 0.5], [nan, 0.9, 0.447])
    """
    rows: NDArray[np.float64] = check_array(X, dtype=np.float64)
    ks = np.array(sorted(set(k_range)), np.intp)
    distinct = len(np.unique(rows, axis=0))
    notes = []
    if (ks > distinct).any():
        notes.append(f"Only {distinct} rows are distinct, so k ends there.")
        ks = ks[ks <= distinct]
    sample: Any = slice(None)
    if len(rows) > max_rows:
        notes.append(
            f"The silhouette is measured on a random sample of {max_rows} of the {len(rows)} rows."
        )
        sample = check_random_state(random_state).choice(len(rows), max_rows, replace=False)
    # What is no seed draws for one k after the other.
    workers = None if random_state is None or isinstance(random_state, int | np.integer) else 1
    measure = partial(_measures, rows, sample, kmeans | {"random_state": random_state})
    inertia, silhouettes = (
        np.array(list(engine.map(measure, ks.tolist(), workers=workers))).reshape(-1, 2).T
    )
    return KSweep(ks, inertia, silhouettes, tuple(notes))


def _measures(
    X: NDArray[np.float64], sample: Any, kmeans: dict[str, Any], k: int
) -> tuple[float, float]:
    """Return SSE and silhouette of k-means: a task."""
    model = KMeans(k, **kmeans).fit(X)
    return model.inertia_, _silhouette(X[sample], model.labels_[sample])


def _silhouette(X: NDArray[np.float64], labels: NDArray[np.int32]) -> float:
    return float(silhouette_score(X, labels)) if 1 < len(np.unique(labels)) < len(X) else np.nan
