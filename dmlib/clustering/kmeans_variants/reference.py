"""Bisecting k-means and X-means by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.reference import starting_centers
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeans
from dmlib.clustering.kmeans_variants.xmeans import XMeans
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def starting_rows(model: Any, X: Floats) -> list[Any]:
    """Return the two rows from which each trial cut begins, counted within its cluster.

    Examples
    --------
    >>> X = np.array([[0.0], [5.0], [9.0]])
    >>> starting_rows(BisectingKMeans(2, init="farthest", n_init=2, random_state=0), X)
    [[0, 2], [1, 0]]
    """
    from sklearn.utils import check_random_state

    from dmlib.clustering import KMeans

    # The trials draw from one stream of random numbers: drawing in the same order repeats them.
    random_state = check_random_state(model.random_state)
    settings: dict[str, Any] = {"init": model.init, "max_iter": model.max_iter, "tol": model.tol}
    starts = []
    for step in model.steps(X):
        if step.phase == "trial":
            halves = KMeans(2, random_state=random_state, **settings)
            seeds = halves.steps(X[step.labels == step.cluster])
            starts.append([seed.chosen for seed in seeds if seed.phase == "seed"])
    return starts


def fit_bisecting_kmeans(
    X: Floats, model: BisectingKMeans, n_clusters: int, bisecting_strategy: str
) -> Any:
    """Fit scikit-learn's BisectingKMeans from the same starting rows, then perhaps its KMeans."""
    from sklearn import cluster

    starts = iter(starting_rows(model, X))

    def start(rows: Floats, n_clusters: int, random_state: Any) -> Any:
        # The tolerance is absolute there, and relative to the variance of the cluster here.
        reference.tol = model.tol * rows.var(axis=0).mean()
        return rows[next(starts)]

    reference = cluster.BisectingKMeans(
        n_clusters,
        init=start,
        n_init=model.n_init,
        max_iter=model.max_iter,
        bisecting_strategy=bisecting_strategy,
    )
    reference.fit(X)
    first_rows = np.unique(model.labels_, return_index=True)[1]
    order = reference.labels_[first_rows]
    if len(set(order)) == n_clusters:  # the same clusters, perhaps with other numbers
        reference.cluster_centers_ = reference.cluster_centers_[order]
        reference.labels_ = np.argsort(order)[reference.labels_]
    if model.refine and n_clusters > 1:
        settings = {"n_init": 1, "max_iter": model.max_iter, "tol": model.tol}
        return cluster.KMeans(n_clusters, init=reference.cluster_centers_, **settings).fit(X)
    return reference


def _ties(model: BisectingKMeans, X: Floats) -> bool:
    """Return whether a cluster was split while another had as many rows, or the same SSE."""
    by_inertia = model.bisecting_strategy == "biggest_inertia"
    for step in model.steps(X):
        if step.phase == "choose":
            scores = step.inertias if by_inertia else step.counts
            if (scores >= scores[step.cluster]).sum() > 1:
                return True
    return False


def bisecting_reference(run: Run[Problem, BisectingKMeans]) -> Reference:
    """Return the same bisecting k-means by scikit-learn.

    Raises
    ------
    Incomparable
        If two clusters were equally due to be split.
    """
    model = run.model
    if _ties(model, run.problem.X):
        raise Incomparable(
            "two clusters were equally due to be split, and scikit-learn may take the other one."
        )
    return Reference(
        fit_bisecting_kmeans,
        "X",
        "model",
        helpers=(starting_rows,),
        n_clusters=len(run.fitted.cluster_centers_),
        bisecting_strategy=model.bisecting_strategy,
    )


def round_start(model: Any, X: Floats) -> NDArray[Any]:
    """Return the centres from which the k-means of the best round began.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]])
    >>> round_start(XMeans(1, random_state=0), X).ravel().tolist()
    [1.0, 21.0]
    """
    from dmlib.clustering import KMeans

    *steps, done = model.steps(X)
    if done.round == 1:
        names = ("init", "n_init", "max_iter", "tol", "random_state")
        settings = {name: getattr(model, name) for name in names}
        return starting_centers(KMeans(model.min_clusters, **settings), X)
    cuts = [
        step for step in steps if step.round == done.round - 1 and step.phase == "improve_structure"
    ]
    return np.vstack(
        [cut.child_centers if cut.accepted else cut.centers[[cut.cluster]] for cut in cuts]
    )


def fit_last_kmeans(X: Floats, model: XMeans, max_iter: int, tol: float) -> Any:
    """Fit scikit-learn's KMeans from the centres of the best round, with the BIC by SciPy."""
    from scipy.stats import norm
    from sklearn import cluster

    start = round_start(model, X)
    reference = cluster.KMeans(len(start), init=start, n_init=1, max_iter=max_iter, tol=tol).fit(X)
    n, d = X.shape
    k, labels = len(start), reference.labels_
    reference.n_clusters_ = k
    if n == k or reference.inertia_ == 0:
        reference.bic_ = -np.inf if n == k else np.inf
        return reference
    deviation = np.sqrt(reference.inertia_ / (d * (n - k)))
    densities = norm.logpdf(X, reference.cluster_centers_[labels], deviation)
    shares = np.log(np.bincount(labels) / n)[labels]
    reference.bic_ = densities.sum() + shares.sum() - (k + k * d) / 2 * np.log(n)
    return reference


def xmeans_reference(run: Run[Problem, XMeans]) -> Reference:
    """Return the last k-means of X-means by scikit-learn."""
    model = run.model
    return Reference(
        fit_last_kmeans,
        "X",
        "model",
        helpers=(starting_centers, round_start),
        max_iter=model.max_iter,
        tol=model.tol,
    )


def variant_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same run by scikit-learn, for either variant of k-means."""
    is_bisecting = isinstance(run.model, BisectingKMeans)
    return bisecting_reference(run) if is_bisecting else xmeans_reference(run)
