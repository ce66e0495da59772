"""OPTICS by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.arrays import Floats
from dmlib.clustering.optics.algorithm import OPTICS
from dmlib.clustering.optics.scene import shown_cut
from dmlib.params import defaults
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_optics(X: Floats, cut: float, **params: Any) -> Any:
    """Fit scikit-learn's OPTICS, and cut its reachability plot."""
    import warnings

    from sklearn.cluster import OPTICS, cluster_optics_dbscan

    # Trees compare differences of coordinates; for few rows the library would multiply matrices,
    # which rounds more.
    reference = OPTICS(**params, algorithm="kd_tree")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equal rows make flanks that are infinitely steep
        reference.fit(X)
    reference.n_clusters_ = reference.labels_.max() + 1
    reference.n_noise_ = (reference.labels_ == -1).sum()
    reference.labels_below_cut_ = cluster_optics_dbscan(
        reachability=reference.reachability_,
        core_distances=reference.core_distances_,
        ordering=reference.ordering_,
        eps=cut,
    )
    return reference


def optics_reference(run: Run[Problem, OPTICS]) -> Reference:
    """Return the same run by scikit-learn."""
    model = run.model
    default = defaults(type(model))
    changed = {
        name: value
        for name, value in model.get_params().items()
        if name != "algorithm" and value != default[name]
    }
    return Reference(fit_optics, "X", cut=shown_cut(run), **changed)
