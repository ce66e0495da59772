"""The same distances by SciPy, and the code for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.similarity.measures.algorithm import BITS, Space
from dmlib.similarity.measures.bags import BagSpace
from dmlib.similarity.measures.mixed import ASYMMETRIC, MixedSpace

THEIRS = {
    "euclidean": "euclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "minkowski": "minkowski",
    "mahalanobis": "mahalanobis",
    "canberra": "canberra",
    "cosine": "cosine",
    "pearson": "correlation",
    "smc": "hamming",
    "jaccard": "jaccard",
    "dice": "dice",
}


def _reason(run: Run) -> str:
    model = run.model
    space: Space = model.space(run.problem.data)
    a, b = model.points(space.X)
    if isinstance(space, MixedSpace):
        return (
            "SciPy leaves out no column that both have not." if ASYMMETRIC in space.scales else ""
        )
    rows = np.vstack([a, b, space.X])
    told = {
        "SciPy has no such measure.": space.metric not in THEIRS,
        "the covariance of these columns has no inverse.": (
            space.metric == "mahalanobis" and _flat(space.X)
        ),
        "a row is all zeros and has no angle.": (
            space.metric == "cosine" and bool((~rows.any(axis=1)).any())
        ),
        "a row with equal values has no correlation.": (
            space.metric == "pearson" and bool((np.ptp(rows, axis=1) == 0).any())
        ),
        "SciPy has no answer for two rows without ones.": (
            space.metric in ("jaccard", "dice") and not space.seen(rows).any(axis=1).all()
        ),
    }
    return next((reason for reason, holds in told.items() if holds), "")


def _flat(X: Any) -> bool:
    return len(X) < 2 or bool(np.linalg.matrix_rank(np.atleast_2d(np.cov(X.T))) < X.shape[1])


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
    model = run.model
    space: Space = model.space(run.problem.data)
    a, b = model.points(space.X)
    rows = np.vstack([b, space.X])
    if isinstance(space, MixedSpace):
        each = [
            cdist(a[None, j : j + 1], rows[:, j : j + 1])[0] / size
            for j, size in enumerate(space.ranges)
        ]
        apart = np.array(
            [
                np.where(d > 0, 1.0, d) if name else d
                for d, name in zip(each, space.names, strict=True)
            ]
        )
        known = ~np.isnan(apart)
        return _answers(
            np.where(
                known.any(axis=0), np.nansum(apart, axis=0) / np.maximum(known.sum(axis=0), 1), 1.0
            )
        )
    more: dict[str, Any] = {}
    if space.metric == "minkowski":
        more["p"] = space.p
    if space.metric == "mahalanobis":
        more["VI"] = np.linalg.inv(np.atleast_2d(np.cov(space.X.T)))
    if space.metric in BITS:
        a, rows = space.seen(a) > 0, space.seen(rows) > 0
    return _answers(cdist(a[None], rows, THEIRS[space.metric], **more)[0])


def _answers(told: Any) -> Answers:
    return Answers(
        "scipy.spatial.distance.cdist", {"distance_": float(told[0]), "to_rows_": told[1:]}
    )


def similarity_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X``, after ``model``."""
    if reason := _reason(run):
        return f"\n# No library to compare with: {reason}\nreference = model\n"
    space: Space = run.model.space(run.problem.data)
    head = (
        "\n# The same with SciPy\nfrom types import SimpleNamespace\n\nimport numpy as np\n"
        "from scipy.spatial.distance import cdist\n\n"
    )
    end = (
        "reference = SimpleNamespace(distance_=told[0], to_rows_=told[1:],"
        " violations_=model.violations_)\n"
    )
    if isinstance(space, MixedSpace):
        return (
            f"{head}space = model.space(X)\na, b = model.points(space.X)\nrows = np.vstack([b,"
            " space.X])\neach = [cdist(a[None, j:j + 1], rows[:, j:j + 1])[0] / size for j, size"
            " in enumerate(space.ranges)]\napart = np.array([np.where(d > 0, 1.0, d) if name else"
            " d for d, name in zip(each, space.names)])\nknown = ~np.isnan(apart)\ntold ="
            f" np.nansum(apart, axis=0) / known.sum(axis=0)\n{end}"
        )
    metric = space.metric
    more = {
        "minkowski": f", p={space.p}",
        "mahalanobis": ", VI=np.linalg.inv(np.atleast_2d(np.cov(X.T)))",
    }
    above = "0" if isinstance(space, BagSpace) else "X.mean(axis=0)"
    bits = f"a, rows = a > {above}, rows > {above}\n" if metric in BITS else ""
    return (
        f"{head}X = np.asarray(X, float)\na, b = model.points(X)\nrows = np.vstack([b, X])\n{bits}"
        f"told = cdist(a[None], rows, {THEIRS[metric]!r}{more.get(metric, '')})[0]\n{end}"
    )
