"""Cohesion and separation as sums over the links of the proximity graph, complete or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.internal import ONE_CLUSTER, scatter_terms
from dmlib.clustering.cluster_validity.terms import Parts, Term, UndefinedMeasure, num
from dmlib.clustering.spectral.similarity_graph import joined_rows

Codes = NDArray[np.intp]

WITHIN, WEIGHTED, BETWEEN = "links_within", "links_within_by_size", "links_between"
LINKS = {WITHIN: "links within", WEIGHTED: "links within / n", BETWEEN: "links between"}
"""The measures, with their names; a link is as long as the squared distance of its two rows."""
NORMALIZED_CUT = "normalized_cut"
"""The measure of the links to nearest neighbours only."""
N_NEIGHBORS = 10
MAX_ADDED = 6  # terms of a formula


def link_sums(weights: Any, codes: Codes) -> Floats:
    """Return the summed links of each pair of clusters; on the diagonal those within a cluster.

    Parameters
    ----------
    weights : ndarray or sparse array of shape (n_samples, n_samples)
        The weights of the links, with a diagonal of zeros.
    codes : ndarray of shape (n_samples,)
        The cluster of each row, from 0.

    Returns
    -------
    ndarray of shape (n_clusters, n_clusters)
        Each link counts once.

    Examples
    --------
    >>> X = np.array([0.0, 1.0, 4.0])
    >>> link_sums((X[:, None] - X) ** 2, np.array([0, 0, 1])).tolist()
    [[1.0, 25.0], [25.0, 0.0]]
    """
    members = np.eye(codes.max() + 1)[codes]
    sums: Floats = members.T @ (weights @ members)
    np.fill_diagonal(sums, sums.diagonal() / 2)
    return sums


def links(name: str, X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return a sum of links, with what the same is by the centres of the clusters."""
    sums = link_sums(D**2, codes)
    sizes, errors, separations = np.array([t.values for t in scatter_terms(X, codes)]).T
    if name == BETWEEN:
        return _between(sums, sizes, errors, separations)
    within = sums.diagonal()
    weighted = within / sizes
    columns = np.stack([sizes, sizes * (sizes - 1) / 2, within, errors])
    terms = tuple(Term(j, -1, tuple(values)) for j, values in enumerate(columns.T.tolist()))
    heads = ("rows", "links", "Σ d²", "SSE")
    if name == WITHIN:
        value = float(within.sum())
        return Parts(heads, terms, value, f"Σ w Σ d², w = 1: {_added(within, value)}", sums)
    value = float(weighted.sum())
    fractions = [f"{num(a)} / {num(n)}" for a, n in zip(within, sizes, strict=True)]
    formula = f"Σ w Σ d², w = 1 / n: {_joined(fractions)} = {num(value)} = SSE"
    return Parts(heads, terms, value, formula, sums)


def _between(sums: Floats, sizes: Floats, errors: Floats, separations: Floats) -> Parts:
    """Return the sum of the links between clusters."""
    k, n = len(sizes), sizes.sum()
    if k == 1:
        raise UndefinedMeasure(ONE_CLUSTER.format("A sum of links between clusters"))
    outside = sums - np.diag(sums.diagonal())
    means = outside / np.outer(sizes, sizes) + np.diag(np.full(k, np.inf))
    columns = np.stack([sizes, sizes * (n - sizes), outside.sum(axis=1), separations])
    terms = tuple(
        Term(j, int(means[j].argmin()), tuple(values))
        for j, values in enumerate(columns.T.tolist())
    )
    value = float(outside.sum() / 2)
    cohesion = float(((n - sizes) * errors).sum())
    formula = (
        f"Σ d² between = n BSS + Σ (n − nᵢ) SSEᵢ = {num(n * separations.sum())} + {num(cohesion)}"
    )
    heads = ("rows", "links", "Σ d²", "n‖c − x̄‖²")
    return Parts(heads, terms, value, f"{formula} = {num(value)}", sums)


def normalized_cut(X: Floats, codes: Codes, D: Floats, *, n_neighbors: int = N_NEIGHBORS) -> Parts:
    r"""Return the normalised cut of the graph of nearest neighbours: separation over both.

    A link of two rows that are among the ``n_neighbors`` nearest of each other has the weight 1, of
    two where only one is, 1/2. Of each cluster the cut is the weight of its links to others, and
    its volume that cut and twice the weight within. The value is the mean of cut / volume.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [3.0], [4.0]])
    >>> parts = normalized_cut(X, np.array([0, 0, 1, 1]), X, n_neighbors=1)
    >>> parts.value, [term.values for term in parts.terms]
    (0.0, [(2.0, 1.0, 0.0, 0.0), (2.0, 1.0, 0.0, 0.0)])
    """
    k = codes.max() + 1
    if k == 1:
        raise UndefinedMeasure(ONE_CLUSTER.format("The normalised cut"))
    W = joined_rows(X, "knn", n_neighbors=min(n_neighbors + 1, len(X)), eps=0.0)
    W.setdiag(0.0)
    sums = link_sums(W, codes)
    within = sums.diagonal()
    outside = sums - np.diag(within)
    cuts = outside.sum(axis=1)
    volumes = 2 * within + cuts
    columns = np.stack([np.bincount(codes), within, cuts, cuts / volumes])
    terms = tuple(
        Term(j, int(outside[j].argmax()) if cuts[j] else -1, tuple(values))
        for j, values in enumerate(columns.T.tolist())
    )
    value = float((cuts / volumes).mean())
    fractions = [f"{num(cut)} / {num(volume)}" for cut, volume in zip(cuts, volumes, strict=True)]
    formula = f"mean of cut / volume: ({_joined(fractions)}) / {k} = {num(value)}"
    heads = ("rows", "links within", "cut", "cut / volume")
    linked = np.array(sparse.triu(W, 1).nonzero())
    return Parts(heads, terms, value, formula, sums, linked)


def _added(values: Floats, total: float) -> str:
    return f"{_joined([num(value) for value in values])} = {num(total)}"


def _joined(terms: list[str]) -> str:
    return " + ".join(terms[:MAX_ADDED]) + (" + …" if len(terms) > MAX_ADDED else "")
