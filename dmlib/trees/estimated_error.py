"""The estimated errors of a node, by which a tree stops early: training errors and a penalty."""

from __future__ import annotations

from dmlib.arrays import Floats


def estimated_errors(branches: Floats, penalty: float) -> tuple[float, float]:
    r"""Return the estimated errors of a node as a leaf, and those of its split.

    The pessimistic estimate of a tree with :math:`k` leaves is its training errors plus
    :math:`k \Omega`, since a larger tree makes fewer errors on its own rows only.

    Parameters
    ----------
    branches : ndarray of shape (n_branches, n_classes)
        The weight of each class in each branch.
    penalty : float
        The errors :math:`\Omega` that each leaf adds; 0 for the optimistic estimate.

    Notes
    -----
    O(bk) for b branches and k classes. Rows without a value are left out of both sums.

    References
    ----------
    P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to data mining, section 4.4.

    Examples
    --------
    Six and four rows are divided so that one branch is pure:

    >>> import numpy as np
    >>> estimated_errors(np.array([[5.0, 0.0], [1.0, 4.0]]), 0.5)
    (4.5, 2.0)
    """
    node = branches.sum(axis=0)
    errors = branches.sum(axis=1) - branches.max(axis=1)
    as_leaf = float(node.sum() - node.max()) + penalty
    return as_leaf, float(errors.sum()) + penalty * len(branches)
