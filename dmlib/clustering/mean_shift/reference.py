"""Mean shift by scikit-learn."""

from __future__ import annotations

from typing import Any

from dmlib.arrays import Floats
from dmlib.clustering.mean_shift.algorithm import MeanShift
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_mean_shift(
    X: Floats,
    bandwidth: float,
    bin_seeding: bool,
    min_bin_freq: int,
    cluster_all: bool,
    max_iter: int,
) -> Any:
    """Fit scikit-learn's MeanShift."""
    import warnings

    from sklearn.cluster import MeanShift

    reference = MeanShift(
        bandwidth=bandwidth,
        bin_seeding=bin_seeding,
        min_bin_freq=min_bin_freq,
        cluster_all=cluster_all,
        max_iter=max_iter,
    )
    with warnings.catch_warnings():  # where each row has a bin of its own, as ours does
        warnings.simplefilter("ignore", UserWarning)
        reference.fit(X)
    reference.n_clusters_ = len(reference.cluster_centers_)
    reference.n_orphans_ = (reference.labels_ == -1).sum()
    return reference


def mean_shift_reference(run: Run[Problem, MeanShift]) -> Reference:
    """Return the same run by scikit-learn.

    Raises
    ------
    Incomparable
        If the kernel is another one than the library's.
    """
    model = run.model
    if model.kernel != "flat":
        raise Incomparable("scikit-learn's MeanShift has the flat kernel only.")
    return Reference(
        fit_mean_shift,
        "X",
        bandwidth=model.bandwidth,
        bin_seeding=model.bin_seeding,
        min_bin_freq=model.min_bin_freq,
        cluster_all=model.cluster_all,
        max_iter=model.max_iter,
    )
