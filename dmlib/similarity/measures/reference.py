"""The same distances by SciPy, and the code for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.similarity.measures.algorithm import BITS

THEIRS = {
    "euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev", "minkowski": "minkowski",
    "mahalanobis": "mahalanobis", "canberra": "canberra", "cosine": "cosine", "pearson": "correlation",
    "smc": "hamming", "jaccard": "jaccard", "dice": "dice",
}  # fmt: skip


def _reason(run: Run) -> str:
    model, X = run.model, run.problem.X
    if model.metric not in THEIRS:
        return "SciPy has no such measure."
    if model.metric == "mahalanobis" and (np.linalg.matrix_rank(np.atleast_2d(np.cov(X.T))) < X.shape[1] or len(X) < 2):
        return "the covariance of these columns has no inverse."
    rows = np.vstack([*model.points(X), X])
    if model.metric == "cosine" and (np.abs(rows).max(axis=1) == 0).any():
        return "a row is all zeros and has no angle."
    if model.metric == "pearson" and (np.ptp(rows, axis=1) == 0).any():
        return "a row with equal values has no correlation."
    bits = rows > X.mean(axis=0)
    if model.metric in ("jaccard", "dice") and not bits.any(axis=1).all():
        return "SciPy has no answer for two rows without ones."
    return ""


def similarity_reference(run: Run) -> Any:
    """Return SciPy's distances of both points, and of the first to all rows.

    Raises
    ------
    Incomparable
        If it has no such measure, or none for these rows.
    """
    from scipy.spatial.distance import cdist

    if reason := _reason(run):
        raise Incomparable(reason)
    model, X = run.model, run.problem.X
    a, b = model.points(X)
    rows = np.vstack([b, X])
    more: dict[str, Any] = {}
    if model.metric == "minkowski":
        more["p"] = model.p
    if model.metric == "mahalanobis":
        more["VI"] = np.linalg.inv(np.atleast_2d(np.cov(X.T)))
    if model.metric in BITS:
        a, rows = a > X.mean(axis=0), rows > X.mean(axis=0)
    told = cdist(a[None], rows, THEIRS[model.metric], **more)[0]
    return Answers("scipy.spatial.distance.cdist", {"distance_": float(told[0]), "to_rows_": told[1:]})


def similarity_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X``, after ``model``."""
    if reason := _reason(run):
        return f"\n# No library to compare with: {reason}\nreference = model\n"
    metric = run.model.metric
    more = {"minkowski": f", p={run.model.p}", "mahalanobis": ", VI=np.linalg.inv(np.atleast_2d(np.cov(X.T)))"}
    bits = "a, rows = a > X.mean(axis=0), rows > X.mean(axis=0)\n" if metric in BITS else ""
    return (
        "\n# The same with SciPy\nfrom types import SimpleNamespace\n\nimport numpy as np\n"
        "from scipy.spatial.distance import cdist\n\nX = np.asarray(X, float)\na, b = model.points(X)\n"
        f"rows = np.vstack([b, X])\n{bits}told = cdist(a[None], rows, {THEIRS[metric]!r}{more.get(metric, '')})[0]\n"
        "reference = SimpleNamespace(distance_=told[0], to_rows_=told[1:], violations_=model.violations_)\n"
    )
