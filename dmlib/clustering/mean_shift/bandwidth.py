"""The bandwidth of mean shift, estimated from the distances of neighbours."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.neighbors import Neighbors

QUANTILE = 0.3  # of the rows: so many are within the bandwidth of a row, on average


def estimated_bandwidth(X: Floats, quantile: float = QUANTILE) -> float:
    """Return the mean distance within which a row has a share of all rows.

    As ``sklearn.cluster.estimate_bandwidth``: the row itself counts.

    Examples
    --------
    >>> estimated_bandwidth(np.array([[0.0], [1.0], [3.0], [4.0]]), 0.5)
    1.0
    """
    return float(np.mean(Neighbors(X).kth(max(1, int(len(X) * quantile)))))
