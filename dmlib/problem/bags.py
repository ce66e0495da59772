"""Sets, baskets and texts made ready to be compared: how often each item is in each bag."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dmlib.problem.baskets import BasketsProblem
from dmlib.trace import look

MAX_BAGS = 1_000
"""Of more bags than this, the first ones are used."""

MAX_CELLS = 2_000_000
"""Of more items than this leaves for each bag, the most frequent ones are used."""

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
MAX_NAMED = 6  # items of a bag that its tooltip names


@dataclass(frozen=True, eq=False)
class BagsProblem(BasketsProblem):
    """Bags made ready for an algorithm.

    Attributes
    ----------
    counts : ndarray of shape (n_bags, n_items)
        How often each item is in each bag; perhaps weighted.
    names : tuple of str
        What the bags are called.
    called : str
        What one of them is: "basket" or "text".
    groups : tuple of str
        The class of each, which is only compared with; empty where there are none.
    """

    counts: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    names: tuple[str, ...] = ()
    called: str = "basket"
    groups: tuple[str, ...] = ()
    y: ClassVar[None] = None
    classes: ClassVar[tuple[str, ...]] = ()

    @property
    def X(self) -> NDArray[np.float64]:  # noqa: N802
        """The counts, as a table has its numbers."""
        return self.counts

    @property
    def features(self) -> tuple[str, ...]:
        """The items, as a table has its columns."""
        return self.items

    @property
    def holds(self) -> str:
        """The noun for the contents of a bag: "item" or "word"."""
        return "word" if self.called == "text" else "item"

    @property
    def data(self) -> NDArray[np.float64]:
        """The counts, as an algorithm gets them."""
        return self.counts

    @property
    def arguments(self) -> tuple[NDArray[np.float64]]:
        """Arguments of ``fit`` and ``steps``."""
        return (self.counts,)

    @property
    def labels(self) -> list[str]:
        """The tooltip of each bag."""
        bags = zip(self.names, self.counts, strict=True)
        return [f"{name}: {self._frequent_items(bag)}" for name, bag in bags]

    def _frequent_items(self, bag: NDArray[np.float64]) -> str:
        order = np.argsort(-bag, kind="stable")[: int((bag > 0).sum())]
        ending = f" and {len(order) - MAX_NAMED} more" if len(order) > MAX_NAMED else ""
        return (", ".join(self.items[j] for j in order[:MAX_NAMED]) or "empty") + ending


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, in their order.

    Examples
    --------
    >>> words_of("To be, or not to be: 42!")
    ['to', 'be', 'or', 'not', 'to', 'be']
    """
    return WORD.findall(text.lower())


def prepare_bags(
    bags: Sequence[Iterable[str]],
    *,
    names: Sequence[str] = (),
    called: str = "basket",
    groups: Sequence[str] = (),
    tf_idf: bool = False,
    max_bags: int = MAX_BAGS,
    max_cells: int = MAX_CELLS,
) -> BagsProblem:
    """Count the items of bags.

    Parameters
    ----------
    bags : sequence of iterables of str
        The items of each bag; one that comes again counts again.
    names : sequence of str
        What they are called; by default by their numbers.
    called : str
        What one of them is called.
    groups : sequence of str
        The class of each, which is only compared with.
    tf_idf : bool
        Whether counts are multiplied by the logarithm of all bags by those that have the item: what
        all have, counts nothing.
    max_bags : int
        At most so many bags are used, the first ones.
    max_cells : int
        At most so many counts are kept: of more items the most frequent ones.

    Returns
    -------
    BagsProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there are fewer than two bags, or none holds an item.

    Examples
    --------
    >>> problem = prepare_bags([["to", "be", "to"], ["be"]])
    >>> problem.items, problem.counts.tolist(), problem.names
    (('be', 'to'), [[1.0, 2.0], [1.0, 0.0]], ('basket 1', 'basket 2'))
    """
    if len(bags) < 2:
        raise ValueError(
            f"At least two are needed to be compared, and there is {len(bags)}. Choose other data."
        )
    used, notes = bags[:max_bags], []
    if len(used) < len(bags):
        notes.append(f"The first {len(used):,} of {len(bags):,} are used.")
    counted = []
    for bag in used:
        look()
        counted.append(Counter(bag))
    n_bags_with = Counter(item for bag in counted for item in bag)
    if not n_bags_with:
        raise ValueError("None of them holds an item or a word. Choose other data.")
    by_frequency = sorted(n_bags_with, key=lambda item: (-n_bags_with[item], item))
    items = sorted(by_frequency[: max(1, max_cells // len(used))])
    if len(items) < len(n_bags_with):
        notes.append(f"The {len(items):,} of {len(n_bags_with):,} items that are in most are used.")
    place = {item: j for j, item in enumerate(items)}
    counts = np.zeros((len(used), len(items)))
    for i, bag in enumerate(counted):
        look()
        for item in bag.keys() & place.keys():
            counts[i, place[item]] = bag[item]
    if tf_idf:
        counts *= np.log(len(used) / (counts > 0).sum(axis=0))
        notes.append(
            f"Counts are weighted by log(n / n with it), tf-idf: what is in every {called} counts"
            " nothing."
        )
    bag_names = tuple(names[: len(used)]) or tuple(f"{called} {i + 1}" for i in range(len(used)))
    kinds = tuple(groups[: len(used)])
    rows = np.arange(len(used))
    return BagsProblem(
        tuple(items), counts > 0, rows, tuple(notes), counts, bag_names, called, kinds
    )
