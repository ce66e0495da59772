"""Cohesion and separation as sums over the links of the proximity graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.internal import ONE_CLUSTER, scatter_terms
from dmlib.clustering.cluster_validity.terms import Parts, Term, UndefinedMeasure, num

Codes = NDArray[np.intp]

WITHIN, WEIGHTED, BETWEEN = "links_within", "links_within_by_size", "links_between"
LINKS = {WITHIN: "links within", WEIGHTED: "links within / n", BETWEEN: "links between"}
"""The measures, with their names; a link is as long as the squared distance of its two rows."""
MAX_ADDED = 6  # terms of a formula


def link_sums(squares: Floats, codes: Codes) -> Floats:
    """Return the summed links of each pair of clusters; on the diagonal those within a cluster.

    Parameters
    ----------
    squares : ndarray of shape (n_samples, n_samples)
        The squared distances.
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
    sums: Floats = members.T @ squares @ members
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


def _added(values: Floats, total: float) -> str:
    return f"{_joined([num(value) for value in values])} = {num(total)}"


def _joined(terms: list[str]) -> str:
    return " + ".join(terms[:MAX_ADDED]) + (" + …" if len(terms) > MAX_ADDED else "")
