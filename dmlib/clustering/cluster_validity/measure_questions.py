"""Questions about other measures than the silhouette: how their parts are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import MEASURE_NAMES, ClusterValidity, ValidityStep
from dmlib.clustering.cluster_validity.external import pair_counts
from dmlib.clustering.cluster_validity.links import BETWEEN, NORMALIZED_CUT, WEIGHTED
from dmlib.pictures.answers import Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_CLUSTERS = 6  # whose parts are told

PromptParts = tuple[str, list[Wrong], str]
"""What a prompt tells, the answers of wrong rules, and a hint."""


class MeasureRule(Misconception):
    """Wrong rules of the other measures."""

    DEGREES = "The Calinski-Harabasz index is the separation over the cohesion, BSS / SSE."
    AVERAGE = "The Dunn index takes mean distances and mean diameters."
    TRUE_NEGATIVES = "The Jaccard index counts pairs that are apart in both as agreement."
    WORST = "The Davies-Bouldin index is the largest R of all pairs."
    CHANCE = "The adjusted Rand index is the share of pairs on which both agree."
    ARITHMETIC = "The Fowlkes-Mallows index divides by the arithmetic mean of two counts."
    UNWEIGHTED = "The links of a cluster count without a weight, whatever its size."
    BOTH_ENDS = "Each link within a cluster counts from both of its ends."
    ONE_END = "The volume of a cluster counts each link within it once."
    TOGETHER = "The Rand index counts only pairs that are together as agreement."


def of_other_measures(
    run: Run[Problem, ClusterValidity], equal_clusters: Misconception
) -> Iterator[Question]:
    """Yield the question on the parts of a measure.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.ClusterValidity`.
    equal_clusters : Misconception
        The wrong rule that every cluster counts the same.

    Yields
    ------
    Question
        Before the parts are put together.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import ClusterValidity
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 3.0, 10.0, 11.0]}), ["a"])
    >>> run = Run.of(problem, ClusterValidity("kmeans", 2, measure="dunn", random_state=0))
    >>> next(of_other_measures(run, MeasureRule.AVERAGE)).topic
    'Dunn index'
    """
    builds: dict[str, Callable[[ValidityStep], PromptParts]] = {
        "calinski_harabasz": _calinski_harabasz,
        "dunn": _dunn,
        "davies_bouldin": _davies_bouldin,
        WEIGHTED: _links_by_size,
        BETWEEN: _links_between,
        NORMALIZED_CUT: _cut,
        "rand": _pairs,
        "jaccard": _pairs,
        "adjusted_rand": _pairs,
        "fowlkes_mallows": _pairs,
    }
    for number, step in enumerate(run.trace.steps):
        if step.phase != "combine" or not np.isfinite(step.value):
            continue
        if len(step.parts.terms) > MAX_CLUSTERS:
            continue
        if step.measure in builds:
            told, wrong, hint = builds[step.measure](step)
        elif step.measure in ("purity", "entropy", "gini"):
            told, wrong, hint = _weighted(step, equal_clusters)
        else:
            continue
        name = MEASURE_NAMES[step.measure]
        yield Question(
            number,
            name,
            f"{told}. What is the {name}?",
            Value(step.value, 0.01 * abs(step.value)),
            f"{step.parts.formula}.",
            wrong,
            hint,
            hides=("Rects", "Texts"),
        )


def _calinski_harabasz(step: ValidityStep) -> PromptParts:
    sizes, within, between = _columns(step)
    told = f"{sizes.sum():.0f} rows are in {len(sizes)} clusters, with the SSE "
    told += f"{num4(within.sum())} and the separation BSS {num4(between.sum())}"
    wrong = []
    if within.sum() > 0:
        wrong = [Wrong(MeasureRule.DEGREES, float(between.sum() / within.sum()))]
    return told, wrong, "Each sum of squares is divided by its degrees of freedom."


def _dunn(step: ValidityStep) -> PromptParts:
    diameters, separations = _columns(step)[:2]
    told = f"The clusters have the diameters {_listing(diameters)}, and their nearest rows of "
    told += f"other clusters are {_listing(separations)} away"
    wrong = []
    if diameters.sum() > 0:
        wrong = [Wrong(MeasureRule.AVERAGE, float(separations.mean() / diameters.mean()))]
    return told, wrong, "It is about the worst case: the widest cluster, and the narrowest gap."


def _davies_bouldin(step: ValidityStep) -> PromptParts:
    ratios = _columns(step)[2]
    told = f"The largest R of clusters 1 to {len(ratios)}, each with its most similar one, is "
    told += _listing(ratios)
    wrong = [Wrong(MeasureRule.WORST, float(ratios.max()))]
    return told, wrong, "Every cluster counts, by the other one that is most similar to it."


def _links_by_size(step: ValidityStep) -> PromptParts:
    sizes, _, within, _ = _columns(step)
    told = f"The clusters have {_listing(sizes)} rows, and the squared lengths of the links within "
    told += f"them add up to {_listing(within)}; the weight of a cluster is 1 / n"
    wrong = [Wrong(MeasureRule.UNWEIGHTED, float(within.sum()))]
    return told, wrong, "The sum of each cluster is divided by its number of rows."


def _links_between(step: ValidityStep) -> PromptParts:
    sums = np.asarray(step.parts.matrix)
    within = sums.diagonal()
    total = float(np.triu(sums).sum())
    told = f"The squared lengths of all links add up to {num4(total)}, those of the links within "
    told += f"the clusters to {_listing(within)}"
    wrong = [Wrong(MeasureRule.BOTH_ENDS, float(total - 2 * within.sum()))]
    return told, wrong, "Every link is either within a cluster or between two."


def _cut(step: ValidityStep) -> PromptParts:
    _, within, cuts, _ = _columns(step)
    told = f"The links within the clusters have the weights {_listing(within)}, their links to "
    told += f"other clusters {_listing(cuts)}"
    wrong = [Wrong(MeasureRule.ONE_END, float((cuts / (within + cuts)).mean()))]
    return told, wrong, "The volume is the sum of the degrees: a link within has both ends there."


def _pairs(step: ValidityStep) -> PromptParts:
    tp, fp, fn, tn = pair_counts(np.asarray(step.parts.matrix))
    told = f"Of all pairs of rows, {tp:.0f} are together in a cluster and in a class, {fp:.0f} "
    told += f"only in a cluster, {fn:.0f} only in a class, and {tn:.0f} in neither"
    total = tp + fp + fn + tn
    if step.measure == "rand":
        wrong = [Wrong(MeasureRule.TOGETHER, tp / total)]
        return told, wrong, "Cluster and class agree on a pair that is apart in both, too."
    if step.measure == "adjusted_rand":
        wrong = [Wrong(MeasureRule.CHANCE, (tp + tn) / total)]
        return told, wrong, "What random labels with these sizes would reach is taken off."
    if step.measure == "fowlkes_mallows":
        wrong = [Wrong(MeasureRule.ARITHMETIC, 2 * tp / max(2 * tp + fp + fn, 1.0))]
        return told, wrong, "It is a geometric mean of precision and recall of the pairs."
    wrong = [Wrong(MeasureRule.TRUE_NEGATIVES, (tp + tn) / total)]
    return told, wrong, "Pairs that are in neither are left out."


def _weighted(step: ValidityStep, equal_clusters: Misconception) -> PromptParts:
    columns = _columns(step)
    sizes, values = columns[0], columns[1 if step.measure == "purity" else 3]
    noun = {"purity": "precisions", "entropy": "entropies"}.get(step.measure, "Gini impurities")
    told = f"The clusters have {_listing(sizes)} rows, with the {noun} {_listing(values)}"
    wrong = [Wrong(equal_clusters, float(values.mean()))]
    return told, wrong, "Every row counts the same."


def _columns(step: ValidityStep) -> Floats:
    """Return the values of the parts, one row for each head."""
    return np.array([term.values for term in step.parts.terms]).T


def _listing(values: Floats) -> str:
    *first, last = (num4(value) for value in values)
    return f"{', '.join(first)} and {last}" if first else last
