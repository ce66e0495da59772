"""Measures of clusters against known classes: by contingency table, and by pairs of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.terms import Parts, Term, num

PAIRS = ("rand", "adjusted_rand", "jaccard", "fowlkes_mallows")
"""The measures that count pairs of rows."""


def contingency(codes: NDArray[np.intp], classes: NDArray[np.intp]) -> Floats:
    """Return how many rows each cluster and each class share, shape (n_clusters, n_classes).

    Examples
    --------
    >>> contingency(np.array([0, 0, 1]), np.array([1, 1, 0])).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    counts = np.zeros((codes.max() + 1, classes.max() + 1))
    np.add.at(counts, (codes, classes), 1)
    return counts


def entropy_of(counts: Floats) -> float:
    """Return the entropy of shares in bits.

    Examples
    --------
    >>> entropy_of(np.array([2.0, 2.0, 0.0]))
    1.0
    """
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def class_terms(counts: Floats) -> tuple[Term, ...]:
    """Return the size of each cluster, and precision, recall and entropy by its main class."""
    totals = counts.sum(axis=0)
    terms = []
    for i, row in enumerate(counts):
        j = int(row.argmax())
        n = row.sum()
        terms.append(
            Term(i, j, (float(n), float(row[j] / n), float(row[j] / totals[j]), entropy_of(row)))
        )
    return tuple(terms)


CLASSES = ("rows", "precision", "recall", "entropy")


def purity(counts: Floats) -> Parts:
    """Return the share of rows that are of the most frequent class of their cluster."""
    terms, n = class_terms(counts), counts.sum()
    value = float(counts.max(axis=1).sum() / n)
    added = _added([f"{row.max():g}" for row in counts])
    return Parts(CLASSES, terms, value, f"purity = ({added}) / {n:g} = {num(value)}", counts)


def entropy(counts: Floats) -> Parts:
    """Return the mean entropy of the classes in a cluster, weighted by size, in bits."""
    terms, n = class_terms(counts), counts.sum()
    value = float(sum(t.values[0] * t.values[3] for t in terms) / n)
    added = _added([f"{t.values[0]:g} × {t.values[3]:.4g}" for t in terms])
    return Parts(
        CLASSES,
        terms,
        value,
        f"entropy = Σ n H / n = ({added}) / {n:g} = {num(value)} bits",
        counts,
    )


def gini_of(counts: Floats) -> float:
    """Return the Gini impurity of shares.

    Examples
    --------
    >>> gini_of(np.array([2.0, 2.0, 0.0]))
    0.5
    """
    return float(1 - ((counts / counts.sum()) ** 2).sum())


def gini(counts: Floats) -> Parts:
    """Return the mean Gini impurity of the classes in a cluster, weighted by size."""
    values = [gini_of(row) for row in counts]
    terms = tuple(
        Term(t.index, t.compared, (*t.values[:3], value))
        for t, value in zip(class_terms(counts), values, strict=True)
    )
    n = counts.sum()
    value = float(counts.sum(axis=1) @ values / n)
    added = _added([f"{t.values[0]:g} × {t.values[3]:.4g}" for t in terms])
    formula = f"Gini = Σ n G / n = ({added}) / {n:g} = {num(value)}"
    return Parts((*CLASSES[:3], "Gini"), terms, value, formula, counts)


def information(counts: Floats) -> tuple[float, float, float]:
    """Return the entropies of classes and of clusters, and their mutual information, in bits."""
    classes, clusters = entropy_of(counts.sum(axis=0)), entropy_of(counts.sum(axis=1))
    return classes, clusters, max(0.0, classes + clusters - entropy_of(counts.ravel()))


def nmi(counts: Floats) -> Parts:
    """Return the mutual information over the mean of both entropies."""
    classes, clusters, mutual = information(counts)
    mean = (classes + clusters) / 2
    value = mutual / mean if mean > 0 else 1.0
    formula = (
        "NMI = I / ((H(classes) + H(clusters)) / 2) = "
        f"{num(round(mutual, 4))} / (({num(round(classes, 4))} + "
    )
    formula += f"{num(round(clusters, 4))}) / 2) = {num(value)}"
    return Parts(CLASSES, class_terms(counts), value, formula, counts)


def homogeneity_completeness(counts: Floats) -> tuple[float, float]:
    """Return 1 - H(classes | clusters) / H(classes), and the reverse; 1 where nothing varies."""
    classes, clusters, mutual = information(counts)
    return mutual / classes if classes > 0 else 1.0, mutual / clusters if clusters > 0 else 1.0


def v_measure(counts: Floats) -> Parts:
    """Return the harmonic mean of homogeneity and completeness."""
    h, c = homogeneity_completeness(counts)
    value = 2 * h * c / (h + c) if h + c > 0 else 0.0
    formula = f"V = 2 h c / (h + c) = 2 × {h:.4g} × {c:.4g} / ({h:.4g} + {c:.4g}) = {num(value)}"
    return Parts(CLASSES, class_terms(counts), value, formula, counts)


def pair_counts(counts: Floats) -> tuple[float, float, float, float]:
    """Return the pairs together in both partitions, only in clusters, only in classes, in none.

    Examples
    --------
    >>> pair_counts(np.array([[2.0, 1.0], [0.0, 2.0]]))
    (2.0, 2.0, 2.0, 4.0)
    """
    n_both = _pairs(counts).sum()
    clusters, classes = _pairs(counts.sum(axis=1)).sum(), _pairs(counts.sum(axis=0)).sum()
    total = _pairs(counts.sum())
    return (
        float(n_both),
        float(clusters - n_both),
        float(classes - n_both),
        float(total - clusters - classes + n_both),
    )


def pair_measure(name: str, counts: Floats) -> Parts:
    """Return a measure of pairs: rand, adjusted_rand, jaccard or fowlkes_mallows."""
    tp, fp, fn, tn = pair_counts(counts)
    total = tp + fp + fn + tn
    if total == 0:
        raise ValueError("One row has no pairs to count. Choose more rows.")
    terms = tuple(
        Term(
            i,
            int(row.argmax()),
            (float(row.sum()), float(_pairs(row.sum())), float(_pairs(row).sum())),
        )
        for i, row in enumerate(counts)
    )
    value, formula = _of_pairs(name, tp, fp, fn, tn)
    return Parts(
        ("rows", "pairs together", "of one class"),
        terms,
        value,
        f"{formula} = {num(value)}",
        counts,
    )


def _of_pairs(name: str, tp: float, fp: float, fn: float, tn: float) -> tuple[float, str]:
    total = tp + fp + fn + tn
    if name == "rand":
        return (tp + tn) / total, f"Rand = (TP + TN) / pairs = ({tp:g} + {tn:g}) / {total:g}"
    if name == "jaccard":
        union = tp + fp + fn
        return (
            tp / union if union else 1.0,
            f"Jaccard = TP / (TP + FP + FN) = {tp:g} / ({tp:g} + {fp:g} + {fn:g})",
        )
    clusters, classes = tp + fp, tp + fn
    if name == "fowlkes_mallows":
        value = tp / np.sqrt(clusters * classes) if tp else 0.0
        return (
            float(value),
            f"FM = TP / √((TP + FP)(TP + FN)) = {tp:g} / √({clusters:g} × {classes:g})",
        )
    expected, maximum = clusters * classes / total, (clusters + classes) / 2
    value = (tp - expected) / (maximum - expected) if maximum != expected else 1.0
    formula = "ARI = (TP − E) / ((TP + FP + TP + FN) / 2 − E), E = (TP + FP)(TP + FN) / pairs"
    chance = num(round(expected, 2))
    return value, f"{formula}: ({tp:g} − {chance}) / ({maximum:g} − {chance})"


def _pairs(n: Floats) -> Floats:
    return n * (n - 1) / 2


def _added(terms: list[str]) -> str:
    return " + ".join(terms[:6]) + (" + …" if len(terms) > 6 else "")
