"""The same question as spectral clustering put to SciPy and scikit-learn, and the code that puts it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg, sparse

from dmlib.clustering.spectral.algorithm import SpectralClustering
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

# Eigenvalues that differ by less than this part of the largest: their eigenvectors are free to turn
CLOSE = 1e-8


def starting_rows(model: SpectralClustering, X: ArrayLike) -> list[int | None]:
    """Return the rows whose points were the starting centres of the restart of k-means that ``model`` keeps.

    Examples
    --------
    >>> starting_rows(SpectralClustering(1, random_state=0), [[0.0], [1.0]])
    [0]
    """
    return [
        step.kmeans.chosen
        for step in model.steps(X)
        if step.phase == "seed" and step.kmeans is not None
    ]


def spectral_reference(run: Run) -> Any:
    """Return scikit-learn's KMeans, fitted to the eigenvectors that LAPACK finds, from the same starting rows.

    It also has ``eigenvalues_``. Equal eigenvalues leave the eigenvectors open.
    """
    model, X = run.model, run.problem.X
    from sklearn.cluster import KMeans

    ours = run.fitted
    values, vectors = _all_eigenpairs(ours.affinity_matrix_, model.laplacian)
    k = ours.embedding_.shape[1]
    if (np.diff(values[: k + 1]) <= CLOSE * values.max(initial=0.0)).any():
        raise Incomparable(
            "two neighbouring eigenvalues are equal, so that their eigenvectors are arbitrary."
        )
    E = vectors[:, :k] / np.linalg.norm(vectors[:, :k], axis=0)
    if model.laplacian == "symmetric":
        E = E / np.linalg.norm(E, axis=1, keepdims=True)
    reference = KMeans(model.n_clusters, init=E[starting_rows(model, X)], n_init=1).fit(E)
    reference.eigenvalues_ = values[: len(ours.eigenvalues_)]
    return reference


def _all_eigenpairs(
    weights: Any, laplacian: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return all eigenvalues and eigenvectors, by LAPACK; of D⁻¹L as L v = λ D v."""
    W = weights.toarray() if sparse.issparse(weights) else np.array(weights)
    np.fill_diagonal(W, 0)
    L = sparse.csgraph.laplacian(W, normed=laplacian == "symmetric")
    degrees = W.sum(axis=1)
    D = np.diag(np.where(degrees > 0, degrees, 1)) if laplacian == "random_walk" else None
    values, vectors = linalg.eigh(L, D)
    return values, vectors


def spectral_code(run: Run) -> str:
    """Return code that asks SciPy and scikit-learn the same as ``reference`` for ``X``, after ``model``."""
    model = run.model
    eigenvalues = {
        "unnormalised": "values = linalg.eigvalsh(csgraph.laplacian(W))",
        "symmetric": "values = linalg.eigvalsh(csgraph.laplacian(W, normed=True))",
        "random_walk": (
            "degrees = np.where(W.any(axis=1), W.sum(axis=1), 1)\n"
            "values = linalg.eigvalsh(csgraph.laplacian(W), np.diag(degrees))  # those of D^-1 L"
        ),
    }[model.laplacian]
    graph = {
        "rbf": f"W = metrics.pairwise.rbf_kernel(X, gamma={model.gamma!r})",
        "epsilon": f"W = neighbors.radius_neighbors_graph(X, {model.eps!r}).toarray()",
        "knn": (
            f"near = neighbors.kneighbors_graph(X, {model.n_neighbors},"
            " include_self=True).toarray()\nW = (near + near.T) / 2"
        ),
    }[model.affinity]
    note = "" if model.laplacian == "random_walk" else ", which has the random-walk Laplacian only"
    return f"""
# The same graph and eigenvalues with scikit-learn and SciPy
import numpy as np
from scipy import linalg
from scipy.sparse import csgraph
from sklearn import cluster, metrics, neighbors

{graph}
np.fill_diagonal(W, 0)
{eigenvalues}
print("Largest difference of the eigenvalues:", abs(values[: len(model.eigenvalues_)] - model.eigenvalues_).max())

# The clusters of scikit-learn{note}
reference = cluster.SpectralClustering({model.n_clusters}, affinity="precomputed", random_state=0)
reference.n_connected_components_, _ = csgraph.connected_components(W > np.finfo(float).eps * W.max())
if reference.n_connected_components_ == 1:
    reference.fit(W)
    print("Adjusted Rand index of the two:", metrics.adjusted_rand_score(model.labels_, reference.labels_))
"""
