"""The same question as OPTICS put to scikit-learn, and the code that puts it."""

from __future__ import annotations

import warnings
from typing import Any

from dmlib.clustering.optics.algorithm import OPTICS
from dmlib.clustering.optics.scene import shown_cut
from dmlib.pictures.run import Run


def optics_reference(run: Run) -> Any:
    """Return scikit-learn's OPTICS, fitted to ``X``."""
    model, X = run.model, run.problem.X
    from sklearn import cluster

    # Trees compare differences of coordinates; for few rows the library would multiply matrices,
    # which rounds more.
    reference = cluster.OPTICS(**{**model.get_params(), "algorithm": "kd_tree"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference.fit(X)
    reference.n_clusters_ = reference.labels_.max() + 1
    reference.n_noise_ = (reference.labels_ == -1).sum()
    return reference


def optics_code(run: Run) -> str:
    """Return code that fits scikit-learn's OPTICS as ``reference`` to ``X``, after ``model``, and cuts both."""
    model = run.model
    usual = OPTICS().get_params()
    changed = {name: value for name, value in model.get_params().items() if value != usual[name]}
    arguments = ", ".join(
        f"{name}={value!r}" for name, value in (changed | {"algorithm": "kd_tree"}).items()
    )
    eps = shown_cut(run)
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

# A horizontal cut instead of steep flanks
eps = {eps!r}
labels = model.cut(eps)
curve = {{name: getattr(reference, name + "_") for name in ("reachability", "core_distances", "ordering")}}
same = cluster.cluster_optics_dbscan(**curve, eps=eps)
print("Clusters below the cut:", labels.max() + 1, "by the library:", same.max() + 1)
"""
