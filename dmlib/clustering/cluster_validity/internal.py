"""Measures of clusters by the rows alone: cohesion and separation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.terms import Parts, Term, UndefinedMeasure, num
from dmlib.squares import centred
from dmlib.trace import look

Codes = NDArray[np.intp]

ONE_CLUSTER = "{} compares clusters, and there is only one. Choose more clusters, or take the SSE."
ZEROS = "{} is 0 / 0: {}. Choose other columns, or fewer clusters."
EACH = "Every row is a cluster of its own, so {} is not defined. Choose fewer clusters."


def centroids(X: Floats, codes: Codes) -> Floats:
    """Return the means of the clusters, shape (n_clusters, n_features)."""
    return np.stack([centred(X[codes == j])[0] for j in range(codes.max() + 1)])


def scatter_terms(X: Floats, codes: Codes) -> tuple[Term, ...]:
    """Return size, sum of squares within, and sum of squares between for each cluster."""
    middle = centred(X)[0]
    terms = []
    for j, center in enumerate(centroids(X, codes)):
        look()
        members = X[codes == j]
        between = len(members) * ((center - middle) ** 2).sum()
        terms.append(
            Term(
                j, -1, (float(len(members)), float(((members - center) ** 2).sum()), float(between))
            )
        )
    return tuple(terms)


SCATTER = ("rows", "SSE", "n‖c − x̄‖²")


def sse(X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the sum of squared errors (cohesion); with the separation it is the total."""
    terms = scatter_terms(X, codes)
    within, between = (sum(term.values[i] for term in terms) for i in (1, 2))
    formula = f"SSE + BSS = {num(within)} + {num(between)} = {num(within + between)} = TSS"
    return Parts(SCATTER, terms, within, formula)


def calinski_harabasz(X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the variance ratio: BSS / (k - 1) over SSE / (n - k)."""
    _several(codes, "The Calinski-Harabasz index")
    terms = scatter_terms(X, codes)
    within, between = (sum(term.values[i] for term in terms) for i in (1, 2))
    n, k = len(X), len(terms)
    if n == k:
        raise UndefinedMeasure(EACH.format("the Calinski-Harabasz index"))
    if within == between == 0:
        raise UndefinedMeasure(ZEROS.format("The Calinski-Harabasz index", "all rows are equal"))
    value = between / (k - 1) / (within / (n - k)) if within > 0 else np.inf
    formula = (
        "CH = (BSS / (k − 1)) / (SSE / (n − k)) = "
        f"({num(between)} / {k - 1}) / ({num(within)} / {n - k})"
    )
    return Parts(SCATTER, terms, value, f"{formula} = {num(value)}")


def silhouettes(codes: Codes, D: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean distance a of each row within its cluster, b to the nearest other, and s."""
    members = np.eye(codes.max() + 1)[codes]
    sizes = members.sum(axis=0)
    sums = D @ members
    rows = np.arange(len(codes))
    own = sizes[codes]
    a = sums[rows, codes] / np.maximum(own - 1, 1)
    means = sums / sizes
    means[rows, codes] = np.inf
    b = means.min(axis=1)
    top = np.maximum(a, b)
    s = np.where((own > 1) & (top > 0), (b - a) / np.where(top > 0, top, 1.0), 0.0)
    return a, b, s


def silhouette(X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the mean of (b - a) / max(a, b) over the rows; a row that is alone has 0."""
    _several(codes, "The silhouette")
    if codes.max() + 1 == len(codes):
        raise UndefinedMeasure(EACH.format("the silhouette"))
    a, b, s = silhouettes(codes, D)
    terms = []
    for j in range(codes.max() + 1):
        is_own = codes == j
        means = (float(values[is_own].mean()) for values in (a, b, s))
        terms.append(Term(j, -1, (float(is_own.sum()), *means)))
    sums = " + ".join(f"{int(t.values[0])} × {num(round(t.values[3], 4))}" for t in terms[:6])
    ellipsis = " + …" if len(terms) > 6 else ""
    formula = f"mean s = ({sums}{ellipsis}) / {len(s)} = {num(float(s.mean()))}"
    return Parts(("rows", "mean a", "mean b", "mean s"), tuple(terms), float(s.mean()), formula, s)


def dunn(X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the least distance of rows of two clusters over the largest diameter of a cluster."""
    _several(codes, "The Dunn index")
    k = codes.max() + 1
    matrix, terms = np.zeros((k, k)), []
    groups = [np.flatnonzero(codes == j) for j in range(k)]
    for i, members in enumerate(groups):
        look()
        inside = D[np.ix_(members, members)]
        p, q = np.unravel_index(inside.argmax(), inside.shape)
        matrix[i, i] = inside[p, q]
        nearest = (np.inf, -1, -1, -1)
        for j, other_members in enumerate(groups):
            if j == i:
                continue
            across = D[np.ix_(members, other_members)]
            r, t = np.unravel_index(across.argmin(), across.shape)
            matrix[i, j] = across[r, t]
            nearest = min(nearest, (float(across[r, t]), j, int(members[r]), int(other_members[t])))
        values = (float(matrix[i, i]), nearest[0])
        terms.append(Term(i, nearest[1], values, (int(members[p]), int(members[q]), *nearest[2:])))
    separation, diameter = min(t.values[1] for t in terms), max(t.values[0] for t in terms)
    if separation == diameter == 0:
        why = "two clusters have equal rows, and no cluster has two different ones"
        raise UndefinedMeasure(ZEROS.format("The Dunn index", why))
    value = separation / diameter if diameter > 0 else np.inf
    formula = (
        f"Dunn = min separation / max diameter = {num(separation)} / {num(diameter)} = {num(value)}"
    )
    return Parts(("diameter", "separation"), tuple(terms), float(value), formula, matrix)


SEPARATIONS = {"separation_max": "D_max", "separation_min": "D_min"} | {
    "separation_mean": "D_avg",
    "separation_centroid": "D_centr",
}
"""The separations of clusters, with the distance of two clusters that each adds up."""


def separation(name: str, X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the sum over all pairs of clusters of their distance.

    That is the largest, smallest or mean distance of their rows, or that of their centroids.
    """
    _several(codes, "A sum of separations")
    k = codes.max() + 1
    if name == "separation_centroid":
        centers = centroids(X, codes)
        matrix = cdist(centers, centers)
    else:
        reduce = {"separation_max": np.max, "separation_min": np.min}.get(name, np.mean)
        groups = [np.flatnonzero(codes == j) for j in range(k)]
        matrix = np.array([[reduce(D[np.ix_(p, q)]) for q in groups] for p in groups])
        np.fill_diagonal(matrix, 0.0)
    beside = matrix + np.diag(np.full(k, np.inf))
    terms = tuple(
        Term(i, int(beside[i].argmin()), (float((codes == i).sum()), float(row.sum())))
        for i, row in enumerate(matrix)
    )
    pairs = matrix[np.triu_indices(k, 1)]
    added = " + ".join(map(num, pairs[:6])) + (" + …" if len(pairs) > 6 else "")
    value = float(pairs.sum())
    total = f"{added} = {num(value)}" if len(pairs) > 1 else num(value)
    formula = f"Σ {SEPARATIONS[name]} over all pairs of clusters = {total}"
    return Parts(("rows", "Σ to the others"), terms, value, formula, matrix)


def davies_bouldin(X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the mean of the largest (S_i + S_j) / M_ij, S the mean distance to the centre."""
    _several(codes, "The Davies-Bouldin index")
    centers = centroids(X, codes)
    k = len(centers)
    spread = np.array([np.linalg.norm(X[codes == j] - centers[j], axis=1).mean() for j in range(k)])
    separations = cdist(centers, centers)
    sums = spread[:, None] + spread
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sums / separations
    np.fill_diagonal(ratios, 0.0)
    if np.isnan(ratios).any():
        why = "two clusters have the same centre, and all their rows lie on it"
        raise UndefinedMeasure(ZEROS.format("The Davies-Bouldin index", why))
    worst = ratios.argmax(axis=1)
    terms = tuple(
        Term(
            i,
            int(j),
            (float(spread[i]), float(separations[i, j]), float(ratios[i, j]), float(spread[j])),
        )
        for i, j in enumerate(worst)
    )
    value = float(ratios.max(axis=1).mean())
    added = " + ".join(num(round(t.values[2], 4)) for t in terms[:6]) + (" + …" if k > 6 else "")
    formula = f"DB = mean of the largest R = ({added}) / {k} = {num(value)}"
    return Parts(("Sᵢ", "Mᵢⱼ", "R"), terms, value, formula, ratios)


def correlation(X: Floats, codes: Codes, D: Floats) -> Parts:
    """Return the correlation of the similarity of two rows with being in one cluster.

    The similarity is 1 - d / max d. With distances in its place the sign turns.
    """
    _several(codes, "The matrix correlation")
    if codes.max() + 1 == len(codes):
        raise UndefinedMeasure(EACH.format("the matrix correlation"))
    top = float(D.max())
    if top == 0:
        raise UndefinedMeasure(
            "All rows are equal, so their similarities do not vary. Choose other columns."
        )
    similar = 1 - D / top
    upper = np.triu_indices(len(codes), 1)
    same = (codes[:, None] == codes)[upper]
    values = similar[upper]
    terms = []
    for j in range(codes.max() + 1):
        look()
        is_own = codes == j
        n = int(is_own.sum())
        inside = (similar[np.ix_(is_own, is_own)].sum() - n) / max(n * (n - 1), 1)
        outside = similar[np.ix_(is_own, ~is_own)].mean()
        terms.append(Term(j, -1, (n * (n - 1) / 2, float(inside), float(outside))))
    if values.std() == 0:
        raise UndefinedMeasure(
            "All pairs of rows are equally similar, so nothing correlates. Choose other columns."
        )
    value = float(np.corrcoef(values, same)[0, 1])
    inside, outside = values[same].mean(), values[~same].mean()
    share = same.mean()
    formula = (
        "r = (s̄ within − s̄ between) √(p (1 − p)) / σ = "
        f"({num(round(float(inside), 4))} − {num(round(float(outside), 4))}) "
        f"√({share:.4g} × {1 - share:.4g}) / {values.std():.4g} = {num(value)}"
    )
    return Parts(
        ("pairs inside", "mean s inside", "mean s to others"), tuple(terms), value, formula, similar
    )


def _several(codes: Codes, name: str) -> None:
    if codes.max() == 0:
        raise UndefinedMeasure(ONE_CLUSTER.format(name))
