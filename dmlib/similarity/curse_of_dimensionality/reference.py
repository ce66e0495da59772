"""The same distances by SciPy and scikit-learn, and the code that measures them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.stats import skew

from dmlib.comparison import Answers
from dmlib.pictures.run import Run

CALLED = "scipy.spatial.distance.pdist, scipy.stats.skew and sklearn.neighbors.NearestNeighbors"


def curse_reference(run: Run) -> Any:
    """Return what the libraries say of all columns together."""
    from sklearn.neighbors import NearestNeighbors

    columns = np.array(
        [step.values for step in run.trace.steps if step.phase in ("column", "noise")]
    ).T
    k = run.trace.steps[-1].neighbors.shape[1]
    pairs = pdist(columns)
    distances = squareform(pairs)
    np.fill_diagonal(distances, np.inf)
    near, far = distances.min(axis=1), squareform(pairs).max(axis=1)
    counts = NearestNeighbors(n_neighbors=k).fit(columns).kneighbors_graph().sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = {
            "nearest_": near.mean(),
            "farthest_": far.mean(),
            "contrast_": ((far - near) / near).mean(),
            "gamma_": np.log((pairs.max() - pairs.min()) / pairs.min()),
            "hubness_": skew(np.asarray(counts).ravel()) if np.ptp(counts) else 0.0,
        }
    return Answers(CALLED, values)


def curse_code(run: Run) -> str:
    """Return code that measures the same with SciPy as ``reference``, after ``model``."""
    k = run.trace.steps[-1].neighbors.shape[1]
    return f"""
# The same with SciPy and scikit-learn, in all columns together
import types

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.stats import skew
from sklearn.neighbors import NearestNeighbors

columns = np.array([step.values for step in model.steps(X) if step.phase in ("column", "noise")]).T
pairs = pdist(columns)
distances = squareform(pairs)
far = distances.max(axis=1)
np.fill_diagonal(distances, np.inf)
near = distances.min(axis=1)
hubs = NearestNeighbors(n_neighbors={k}).fit(columns).kneighbors_graph().sum(axis=0)
reference = types.SimpleNamespace(
    contrast_=((far - near) / near).mean(),
    gamma_=np.log((pairs.max() - pairs.min()) / pairs.min()),
    hubness_=skew(np.asarray(hubs).ravel()),
)
"""
