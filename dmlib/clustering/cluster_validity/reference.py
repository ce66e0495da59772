"""All measures that scikit-learn has, of the run's own clusters, and the code that asks it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.clustering.cluster_validity.algorithm import EXTERNAL, HOPKINS
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

MISSING = ("dunn", "correlation", "purity", "entropy", "jaccard", HOPKINS)
"""What scikit-learn has no function for, or only in other words."""
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


def validity_reference(run: Run) -> Any:
    """Return the chosen measure by scikit-learn, on the run's own clusters."""
    from sklearn import metrics

    if reason := run.trace.steps[-1].reason:
        raise Incomparable(reason[0].lower() + reason[1:])
    measure, labels, X, y = run.model.measure, run.fitted.labels_, run.problem.X, run.problem.y
    inside = labels >= 0
    if measure == "sse":
        from sklearn.cluster import KMeans

        codes = np.unique(labels[inside], return_inverse=True)[1]
        centers = np.stack([X[inside][codes == j].mean(axis=0) for j in range(codes.max() + 1)])
        model = KMeans(len(centers), init=centers, n_init=1).fit(centers)
        squares = model.transform(X[inside])[np.arange(len(codes)), model.predict(centers)[codes]] ** 2
        return Answers("sklearn.cluster.KMeans.transform", {"value_": float(squares.sum())})
    if measure == "correlation":
        D = metrics.pairwise_distances(X[inside])
        upper = np.triu_indices(len(D), 1)
        same = (labels[inside][:, None] == labels[inside])[upper]
        return Answers("numpy.corrcoef", {"value_": -float(np.corrcoef(D[upper], same)[0, 1])})
    if measure not in FUNCTIONS:
        raise Incomparable(_REASON.format(measure.replace("_", " ")))
    ask = getattr(metrics, FUNCTIONS[measure])
    value = ask(y, labels) if measure in EXTERNAL else ask(X[inside], labels[inside])
    return Answers(f"sklearn.metrics.{FUNCTIONS[measure]}", {"value_": float(value)})


_REASON = "no installed library has a function for {}; its tests compute it pair by pair or cell by cell."


def validity_code(run: Run) -> str:
    """Return code that asks scikit-learn the same as ``reference``, after ``model``."""
    measure = run.model.measure
    if reason := run.trace.steps[-1].reason:
        return f"# {reason}\nreference = model\n"
    head = "import numpy as np\nfrom types import SimpleNamespace\n\nfrom sklearn import metrics\n\n"
    head += "labels = model.labels_\n"
    if measure in FUNCTIONS:
        ask = f"metrics.{FUNCTIONS[measure]}"
        value = f"{ask}(y, labels)" if measure in EXTERNAL else f"{ask}(X[labels >= 0], labels[labels >= 0])"
        note = "# The same measure with scikit-learn\n"
    elif measure == "sse":
        value = "sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum() for j in set(labels[labels >= 0]))"
        note = "# The sum of squares with NumPy\n"
    elif measure == "correlation":
        head += "inside = labels >= 0\nD = metrics.pairwise_distances(X[inside])\nupper = np.triu_indices(len(D), 1)\n"
        head += "same = (labels[inside][:, None] == labels[inside])[upper]\n"
        value, note = "-np.corrcoef(D[upper], same)[0, 1]", "# The correlation with NumPy\n"
    else:
        return f"# {_REASON.format(measure.replace('_', ' ')).capitalize()}\nreference = model\n"
    return f"{note}{head}reference = SimpleNamespace(value_={value})\n"
