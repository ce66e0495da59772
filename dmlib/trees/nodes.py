"""Values that follow from the children of the nodes of a tree, whatever it predicts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Ints
from dmlib.cached import cached_property


class Nodes:
    """Nodes of a finished tree, each numbered after its parent.

    Attributes
    ----------
    children : ndarray of shape (node_count, n_branches)
        The children of each node; -1 where there is none.

    Examples
    --------
    >>> tree = Nodes()
    >>> tree.children = np.array([[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]])
    >>> tree.n_leaves, tree.parents.tolist(), tree.depths.tolist()
    (3, [-1, 0, 0, 2, 2], [0, 1, 1, 2, 2])
    """

    children: Ints

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.children)

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        ends: NDArray[np.bool_] = np.all(self.children < 0, axis=1)
        return ends

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return int(self.is_leaf.sum())

    @property
    def parents(self) -> Ints:
        """The parent of each node; -1 for the root."""
        parents = np.full(self.node_count, -1, np.intp)
        nodes, branches = np.nonzero(self.children >= 0)
        parents[self.children[nodes, branches]] = nodes
        return parents

    @cached_property
    def depths(self) -> Ints:
        """The distance of each node from the root."""
        depths = np.zeros(self.node_count, np.intp)
        for node, parent in enumerate(self.parents.tolist()[1:], start=1):
            depths[node] = depths[parent] + 1
        return depths

    @property
    def max_depth(self) -> int:
        """The depth of the deepest leaf."""
        return int(self.depths.max())
