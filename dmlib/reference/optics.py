"""The same question as OPTICS put to scikit-learn, and the code that puts it."""

from __future__ import annotations

import warnings
from typing import Any

from numpy.typing import ArrayLike

from dmlib.clustering.optics import OPTICS


def optics_reference(model: OPTICS, X: ArrayLike) -> Any:
    """Return scikit-learn's OPTICS, fitted to ``X``."""
    from sklearn import cluster

    # Trees compare differences of coordinates; for few rows the library would multiply matrices, which rounds more.
    reference = cluster.OPTICS(**{**model.get_params(), "algorithm": "kd_tree"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference.fit(X)
    reference.n_clusters_ = reference.labels_.max() + 1
    reference.n_noise_ = (reference.labels_ == -1).sum()
    return reference


def optics_code(model: OPTICS) -> str:
    """Return code that fits scikit-learn's OPTICS as ``reference`` to ``X``, after ``model``."""
    usual = OPTICS().get_params()
    changed = {name: value for name, value in model.get_params().items() if value != usual[name]}
    changed["algorithm"] = "kd_tree"
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"""
# The same with scikit-learn
import warnings

from sklearn import cluster

reference = cluster.OPTICS({arguments})
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # equal rows make flanks that are infinitely steep
    reference.fit(X)
reference.n_clusters_ = reference.labels_.max() + 1
reference.n_noise_ = (reference.labels_ == -1).sum()
"""
