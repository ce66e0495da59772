"""Spectral clustering by SciPy's eigenvectors and scikit-learn's k-means."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.spectral.algorithm import SpectralClustering
from dmlib.clustering.spectral.graph_partitioning import SpectralGraphClustering
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem, Problem

# Eigenvalues that differ by less than this part of the largest: their eigenvectors are free to turn
CLOSE = 1e-8


def similarities(X: Any, affinity: str, **params: Any) -> Any:
    """Return the weights of the edges of the similarity graph by scikit-learn, or networkx.

    Examples
    --------
    >>> similarities(np.array([[0.0], [1.0], [5.0]]), "epsilon", radius=2.0).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    import networkx as nx
    from sklearn import metrics, neighbors

    if affinity == "graph":
        W = nx.to_numpy_array(X, **params)
        W = W + W.T if X.is_directed() else W
    elif affinity == "rbf":
        W = metrics.pairwise.rbf_kernel(X, **params)
    elif affinity == "epsilon":
        W = neighbors.radius_neighbors_graph(X, **params).toarray()
    else:
        graph = neighbors.kneighbors_graph(X, include_self=True, **params).toarray()
        W = (graph + graph.T) / 2
    np.fill_diagonal(W, 0)
    return W


def eigenpairs(W: Floats, laplacian: str) -> tuple[Floats, Floats]:
    """Return all eigenvalues and eigenvectors by LAPACK; for random walks those of L v = λ D v.

    Examples
    --------
    >>> eigenpairs(np.array([[0.0, 1.0], [1.0, 0.0]]), "unnormalised")[0].round(9).tolist()
    [0.0, 2.0]
    """
    from scipy import linalg, sparse

    L = sparse.csgraph.laplacian(W, normed=laplacian == "symmetric")
    degrees = np.where(W.any(axis=1), W.sum(axis=1), 1)
    values, vectors = linalg.eigh(L, np.diag(degrees) if laplacian == "random_walk" else None)
    return values, vectors


def fit_spectral(
    X: Any,
    model: Any,
    n_clusters: int,
    n_components: int,
    laplacian: str,
    affinity: str,
    scales_rows: bool,
    **params: Any,
) -> Any:
    """Fit scikit-learn's KMeans to the eigenvectors of SciPy, from the same starting rows."""
    from scipy import sparse
    from sklearn import cluster

    W = similarities(X, affinity, **params)
    values, vectors = eigenpairs(W, laplacian)
    E = vectors[:, :n_components] / np.linalg.norm(vectors[:, :n_components], axis=0)
    if scales_rows:
        E = E / np.linalg.norm(E, axis=1, keepdims=True)
    start = [step.kmeans.chosen for step in model.steps(X) if step.phase == "seed"]
    reference = cluster.KMeans(n_clusters, init=E[start], n_init=1).fit(E)
    reference.eigenvalues_ = values[: len(model.eigenvalues_)]
    is_edge = np.finfo(float).eps * W.max() < W
    reference.n_connected_components_, _ = sparse.csgraph.connected_components(is_edge)
    return reference


def spectral_reference(run: Run[Problem | GraphProblem, SpectralClustering]) -> Reference:
    """Return the same eigenvalues and clusters by SciPy and scikit-learn.

    Raises
    ------
    Incomparable
        If two eigenvalues are equal, which leaves their eigenvectors open.
    """
    model, n_components = run.model, run.fitted.embedding_.shape[1]
    affinity, params = _graph_of(model)
    W = similarities(run.problem.data, affinity, **params)
    values, _ = eigenpairs(W, model.laplacian)
    if (np.diff(values[: n_components + 1]) <= CLOSE * values.max(initial=0.0)).any():
        raise Incomparable(
            "two neighbouring eigenvalues are equal, so that their eigenvectors are arbitrary."
        )
    return Reference(
        fit_spectral,
        "X",
        "model",
        helpers=(similarities, eigenpairs),
        n_clusters=model.n_clusters,
        n_components=n_components,
        laplacian=model.laplacian,
        affinity=affinity,
        scales_rows=model.scales_rows,
        **params,
    )


def _graph_of(model: SpectralClustering) -> tuple[str, dict[str, Any]]:
    """Return the kind of similarity graph of a model, and its parameters in the libraries."""
    if isinstance(model, SpectralGraphClustering):
        return "graph", {"weight": "weight" if model.weighted else None}
    params: dict[str, dict[str, Any]] = {
        "rbf": {"gamma": model.gamma},
        "epsilon": {"radius": model.eps},
        "knn": {"n_neighbors": model.n_neighbors},
    }
    return model.affinity, params[model.affinity]
