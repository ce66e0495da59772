"""The same question as bisecting k-means and X-means put to scikit-learn, and the code that puts it."""

from __future__ import annotations

from itertools import islice
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.kmeans.reference import starting_centers
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeans
from dmlib.clustering.kmeans_variants.xmeans import XMeans
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def starting_rows(model: BisectingKMeans, X: ArrayLike) -> list[list[int]]:
    """Return the two rows from which each trial cut of bisecting k-means begins, counted within its cluster.

    Examples
    --------
    >>> starting_rows(BisectingKMeans(2, init="farthest", n_init=2, random_state=0), [[0.0], [5.0], [9.0]])
    [[0, 2], [1, 0]]
    """
    # The trials draw from one stream of random numbers; drawing them again in the same order
    # repeats them.
    rows, rng = np.asarray(X, float), check_random_state(model.random_state)
    starts = []
    for step in model.steps(rows):
        if step.phase == "trial":
            halves = KMeans(
                2, init=model.init, max_iter=model.max_iter, tol=model.tol, random_state=rng
            )
            seeds = islice(halves.steps(rows[step.labels == step.cluster]), 2)
            starts.append([int(cast(int, seed.chosen)) for seed in seeds])
    return starts


def bisecting_reference(run: Run) -> Any:
    """Return scikit-learn's BisectingKMeans, fitted to ``X`` from the same starting rows and numbered alike.

    Of two clusters that are equally due to be split, it may take the other one.
    """
    model, X = run.model, run.problem.X
    from sklearn.cluster import BisectingKMeans as Reference

    if _ties(model, X):
        raise Incomparable(
            "two clusters were equally due to be split, and scikit-learn may take the other one."
        )
    starts = iter(starting_rows(model, X))

    def start(rows: Any, n_clusters: int, random_state: Any) -> Any:
        reference.tol = model.tol * rows.var(axis=0).mean()
        return rows[next(starts)]

    reference = Reference(
        model.n_clusters,
        init=start,
        n_init=model.n_init,
        max_iter=model.max_iter,
        bisecting_strategy=model.bisecting_strategy,
    )
    reference.fit(X)
    labels = run.fitted.labels_
    first = [int(np.flatnonzero(labels == cluster)[0]) for cluster in range(model.n_clusters)]
    order = reference.labels_[first]
    if len(set(order)) == len(order):
        reference.cluster_centers_ = reference.cluster_centers_[order]
        reference.labels_ = np.argsort(order)[reference.labels_].astype(np.int32)
    return reference


def _ties(model: BisectingKMeans, X: ArrayLike) -> bool:
    """Return whether some cluster was cut that was not alone in having the most rows or the largest SSE."""
    by_inertia = model.bisecting_strategy == "biggest_inertia"
    for step in model.steps(X):
        if step.phase == "choose":
            scores = step.inertias if by_inertia else step.counts
            if (scores >= scores[step.cluster]).sum() > 1:
                return True
    return False


def bisecting_code(run: Run) -> str:
    """Return code that fits scikit-learn's BisectingKMeans as ``reference`` to ``X``, after ``model``."""
    model = run.model
    return f"""
# The same with scikit-learn, from the same starting rows
from sklearn import cluster

from dmlib.clustering.kmeans_variants.reference import starting_rows

starts = iter(starting_rows(model, X))


def start(rows, n_clusters, random_state):
    # Absolute there, relative to the cluster here
    reference.tol = {model.tol!r} * rows.var(axis=0).mean()
    return rows[next(starts)]


reference = cluster.BisectingKMeans(
    {model.n_clusters}, init=start, n_init={model.n_init}, max_iter={model.max_iter},
    bisecting_strategy={model.bisecting_strategy!r},
)
reference.fit(X)
"""


def round_start(model: XMeans, X: ArrayLike) -> NDArray[Any]:
    """Return the centres from which k-means began in the round that X-means keeps, shape (n_clusters_, n_features).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
    >>> round_start(XMeans(1, random_state=0), X).ravel().tolist()
    [1.0, 21.0]
    """
    *steps, done = model.steps(X)
    if done.round == 1:
        how: dict[str, Any] = {
            "init": model.init,
            "n_init": model.n_init,
            "max_iter": model.max_iter,
            "tol": model.tol,
        }
        return starting_centers(
            KMeans(model.min_clusters, random_state=model.random_state, **how), X
        )
    cuts: list[Any] = [
        step for step in steps if step.round == done.round - 1 and step.phase == "improve_structure"
    ]
    return np.vstack(
        [cut.child_centers if cut.accepted else cut.centers[[cut.cluster]] for cut in cuts]
    )


def xmeans_reference(run: Run) -> Any:
    """Return scikit-learn's KMeans, fitted to ``X`` from where the round that X-means keeps began.

    Its ``bic_`` is the log-likelihood from SciPy's normal density, less the price of the
    parameters.
    """
    model, X = run.model, run.problem.X
    from scipy.stats import norm
    from sklearn.cluster import KMeans as Reference

    start, rows = round_start(model, X), np.asarray(X, float)
    reference = Reference(
        len(start), init=start, n_init=1, max_iter=model.max_iter, tol=model.tol, algorithm="lloyd"
    ).fit(rows)
    reference.n_clusters_, (n, d), k = len(start), rows.shape, len(start)
    if n == k or reference.inertia_ == 0:
        reference.bic_ = -np.inf if n == k else np.inf
        return reference
    labels, deviation = reference.labels_, np.sqrt(reference.inertia_ / (d * (n - k)))
    densities = norm.logpdf(rows, reference.cluster_centers_[labels], deviation)
    shares = np.log(np.bincount(labels) / n)[labels]
    reference.bic_ = densities.sum() + shares.sum() - (k + k * d) / 2 * np.log(n)
    return reference


def xmeans_code(run: Run) -> str:
    """Return code that fits scikit-learn's KMeans as ``reference`` to ``X``, after ``model``, and the BIC by SciPy."""
    model = run.model
    return f"""
# Its last k-means with scikit-learn, from the same centres
from sklearn import cluster

from dmlib.clustering.kmeans_variants.reference import round_start

start = round_start(model, X)
reference = cluster.KMeans(
    len(start), init=start, n_init=1, max_iter={model.max_iter}, tol={model.tol!r}, algorithm="lloyd"
)
reference.fit(X)

# The BIC from SciPy's normal density
import numpy as np
from scipy.stats import norm

(n, d), k, labels = X.shape, len(start), reference.labels_
deviation = np.sqrt(reference.inertia_ / (d * (n - k)))
densities = norm.logpdf(X, reference.cluster_centers_[labels], deviation)
shares = np.log(np.bincount(labels) / n)[labels]
print("Clusters:", model.n_clusters_)
print("BIC:", model.bic_)
print("BIC, by the library:", densities.sum() + shares.sum() - (k + k * d) / 2 * np.log(n))
"""


def variant_reference(run: Run) -> Any:
    """Return what scikit-learn makes of the same question, for either variant of k-means."""
    return (
        bisecting_reference(run)
        if isinstance(run.model, BisectingKMeans)
        else xmeans_reference(run)
    )


def variant_code(run: Run) -> str:
    """Return the code of that, for either variant of k-means."""
    return bisecting_code(run) if isinstance(run.model, BisectingKMeans) else xmeans_code(run)
