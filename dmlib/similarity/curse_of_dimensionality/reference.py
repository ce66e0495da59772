"""The distances in all columns by SciPy, and neighbours by scikit-learn."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Answers
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.similarity.curse_of_dimensionality.algorithm import DistanceConcentration


def measure_distances(X: Floats, model: DistanceConcentration, n_neighbors: int) -> Answers:
    """Compute distances in all columns with SciPy, and neighbours with scikit-learn."""
    from scipy.spatial.distance import pdist, squareform
    from scipy.stats import skew
    from sklearn.neighbors import NearestNeighbors

    from dmlib.comparison import Answers

    steps = [step for step in model.steps(X) if step.phase in ("column", "noise")]
    columns = np.array([step.values for step in steps]).T
    pairs = pdist(columns)
    distances = squareform(pairs)
    farthest = distances.max(axis=1)
    np.fill_diagonal(distances, np.inf)
    nearest = distances.min(axis=1)
    neighbors = NearestNeighbors(n_neighbors=n_neighbors).fit(columns)
    counts = np.asarray(neighbors.kneighbors_graph().sum(axis=0)).ravel()
    with np.errstate(divide="ignore", invalid="ignore"):
        values = {
            "nearest_": nearest.mean(),
            "farthest_": farthest.mean(),
            "contrast_": ((farthest - nearest) / nearest).mean(),
            "gamma_": np.log((pairs.max() - pairs.min()) / pairs.min()),
            "hubness_": skew(counts) if np.ptp(counts) else 0.0,
        }
    functions = "scipy.spatial.distance.pdist, scipy.stats.skew"
    return Answers(f"{functions} and sklearn.neighbors.NearestNeighbors", values)


def curse_reference(run: Run[Problem, DistanceConcentration]) -> Reference:
    """Return the libraries' answers for all columns together."""
    n_neighbors = run.trace.steps[-1].neighbors.shape[1]
    return Reference(measure_distances, "X", "model", n_neighbors=n_neighbors)
