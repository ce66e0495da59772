"""The chosen measure of the run's own clusters by scikit-learn's functions, or from its tables, and the code for it."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import numpy as np
from scipy.stats import entropy
from sklearn import metrics

from dmlib.clustering.cluster_validity.algorithm import EXTERNAL, HOPKINS
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

FUNCTIONS = {
    "silhouette": "silhouette_score",
    "calinski_harabasz": "calinski_harabasz_score",
    "davies_bouldin": "davies_bouldin_score",
    "nmi": "normalized_mutual_info_score",
    "v_measure": "v_measure_score",
    "rand": "rand_score",
    "adjusted_rand": "adjusted_rand_score",
    "fowlkes_mallows": "fowlkes_mallows_score",
}
TABLES = {
    "sse": "numpy",
    "correlation": "numpy.corrcoef",
    "dunn": "sklearn.metrics.pairwise_distances",
    "jaccard": "sklearn.metrics.cluster.pair_confusion_matrix",
    "purity": "sklearn.metrics.cluster.contingency_matrix",
    "entropy": "scipy.stats.entropy",
}
"""What has no function in scikit-learn, and what it is made from."""
PROBES = "the probes of Hopkins' statistic are random; its tests compute it probe by probe."


def from_tables(measure: str, X: Any, labels: Any, y: Any) -> Any:
    """Return a measure from distances of pairs, counts of pairs, or a contingency table."""
    inside = labels >= 0
    rows, codes = X[inside], labels[inside]
    if measure == "sse":
        return sum(
            ((rows[codes == j] - rows[codes == j].mean(axis=0)) ** 2).sum()
            for j in np.unique(codes)
        )
    if measure in ("correlation", "dunn"):
        D, same = metrics.pairwise_distances(rows), codes[:, None] == codes
        if measure == "dunn":
            return D[~same].min() / D[same].max() if D[same].any() else np.inf
        upper = np.triu_indices(len(D), 1)
        return -np.corrcoef(D[upper], same[upper])[0, 1]
    if measure == "jaccard":
        (_, fp), (fn, tp) = metrics.cluster.pair_confusion_matrix(y, labels)
        return tp / (tp + fp + fn) if tp + fp + fn else 1.0
    table = metrics.cluster.contingency_matrix(y, labels)
    if measure == "purity":
        return table.max(axis=0).sum() / table.sum()
    return (entropy(table, base=2) * table.sum(axis=0)).sum() / table.sum()


def validity_reference(run: Run) -> Any:
    """Return the chosen measure on the run's own clusters."""
    if reason := run.trace.steps[-1].reason:
        raise Incomparable(reason[0].lower() + reason[1:])
    measure, labels, X, y = run.model.measure, run.fitted.labels_, run.problem.X, run.problem.y
    if measure == HOPKINS:
        raise Incomparable(PROBES)
    if measure in TABLES:
        return Answers(TABLES[measure], {"value_": float(from_tables(measure, X, labels, y))})
    ask, inside = getattr(metrics, FUNCTIONS[measure]), labels >= 0
    value = ask(y, labels) if measure in EXTERNAL else ask(X[inside], labels[inside])
    return Answers(f"sklearn.metrics.{FUNCTIONS[measure]}", {"value_": float(value)})


def validity_code(run: Run) -> str:
    """Return code that asks scikit-learn the same as ``reference``, after ``model``."""
    measure = run.model.measure
    reason = run.trace.steps[-1].reason or (PROBES.capitalize() if measure == HOPKINS else "")
    if reason:
        return f"# {reason}\nreference = model\n"
    head = "# The same measure with scikit-learn\nfrom types import SimpleNamespace\n\n"
    if measure in FUNCTIONS:
        rows = "y, labels" if measure in EXTERNAL else "X[labels >= 0], labels[labels >= 0]"
        value, more = f"metrics.{FUNCTIONS[measure]}({rows})", "from sklearn import metrics\n"
    else:
        classes = "y" if measure in EXTERNAL else "None"
        value = f"from_tables({measure!r}, X, labels, {classes})"
        own = getsource(from_tables).replace(": Any", "").replace(" -> Any", "")
        more = (
            "import numpy as np\nfrom scipy.stats import entropy\nfrom sklearn import"
            f" metrics\n\n\n{own}\n"
        )
    return f"{head}{more}\nlabels = model.labels_\nreference = SimpleNamespace(value_={value})\n"
