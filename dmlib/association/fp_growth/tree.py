"""The FP-tree: baskets as paths from a root, equal beginnings shared, nodes of one item linked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Path = tuple[int, ...]
ROOT = 0


class FPTree:
    """Baskets as paths from a root, each with how many baskets go through it.

    Attributes
    ----------
    item, count, parent : list of int
        The item of each node, how many baskets go through it, and the node above it; node 0 is the
        root.
    links : dict of int to list of int
        The header table: the nodes of each item, in the order in which they came.

    References
    ----------
    J. Han, J. Pei and Y. Yin (2000), Mining frequent patterns without candidate generation, section
    2.

    Examples
    --------
    >>> tree = FPTree()
    >>> tree.insert([5, 7]), tree.insert([5, 8])
    (([1, 2], 0), ([1, 3], 1))
    >>> tree.count, tree.links[5]
    ([2, 2, 1, 1], [1])
    >>> len(tree)
    3
    """

    def __init__(self) -> None:
        self.item, self.count, self.parent = [-1], [0], [-1]
        self.links: dict[int, list[int]] = {}
        self._children: list[dict[int, int]] = [{}]

    def __len__(self) -> int:
        """Return the number of nodes without the root."""
        return len(self.item) - 1

    def insert(self, items: Iterable[int], count: int = 1) -> tuple[list[int], int]:
        """Add a basket, its items in the order of the tree.

        Parameters
        ----------
        items : iterable of int
            The frequent items of the basket.
        count : int
            How many such baskets there are.

        Returns
        -------
        path : list of int
            The nodes that it goes through, without the root.
        n_shared : int
            How many of them were there before.
        """
        node, path, n_before = ROOT, [], len(self.item)
        self.count[ROOT] += count
        for item in items:
            child = self._children[node].get(item)
            if child is None:
                child = self._grow(node, item)
            self.count[child] += count
            path.append(child)
            node = child
        return path, len(path) - len(self.item) + n_before

    def _grow(self, parent: int, item: int) -> int:
        """Add a node and link it to those of its item."""
        node = len(self.item)
        self.item.append(item)
        self.count.append(0)
        self.parent.append(parent)
        self._children.append({})
        self._children[parent][item] = node
        self.links.setdefault(item, []).append(node)
        return node

    def above(self, node: int) -> list[int]:
        """Return the nodes between the root and a node, from the top."""
        path = []
        while (node := self.parent[node]) > ROOT:
            path.append(node)
        return path[::-1]

    def base(self, item: int) -> list[tuple[Path, int]]:
        """Return the conditional pattern base of an item: what is above its nodes, and how often.

        Examples
        --------
        >>> tree = FPTree()
        >>> _ = tree.insert([1, 2, 3]), tree.insert([1, 3])
        >>> tree.base(3)
        [((1, 2), 1), ((1,), 1)]
        """
        parent, items, base = self.parent, self.item, []
        for node in self.links[item]:
            path, above = [], parent[node]
            while above:
                path.append(items[above])
                above = parent[above]
            base.append((tuple(path[::-1]), self.count[node]))
        return base

    @property
    def chain(self) -> list[int]:
        """The items from the root to the only leaf; empty if the tree branches or has no node."""
        is_path = self.parent[1:] == list(range(len(self)))
        return self.item[1:] if is_path else []


def sums(base: Sequence[tuple[Path, int]]) -> Counter[int]:
    """Return in how many baskets of a conditional pattern base each item is.

    Examples
    --------
    >>> dict(sums([((1, 2), 1), ((1,), 3)]))
    {1: 4, 2: 1}
    """
    total: Counter[int] = Counter()
    for path, count in base:
        for item in path:
            total[item] += count
    return total


def conditional(base: Sequence[tuple[Path, int]], frequent: set[int]) -> FPTree:
    """Return the tree of a conditional pattern base, of its frequent items only.

    Examples
    --------
    >>> conditional([((1, 2), 1), ((1,), 3)], {1}).count
    [4, 4]
    """
    tree = FPTree()
    for path, count in base:
        tree.insert([item for item in path if item in frequent], count)
    return tree
