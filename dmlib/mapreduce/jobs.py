"""Five jobs as map, combine and reduce functions. They read lines of text, as MapReduce does.

A value is a number or a tuple of numbers. Functions are of this module and jobs are records, so
that they can travel.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Protocol

from dmlib.trace import look

Value = float | tuple[float, ...]
Pair = tuple[str, Value]
Line = tuple[int, str, str]
"""The number of a line, what it says, and its class."""

WORD = re.compile(r"[^\W_](?:[\w=.'’+-]*[^\W_])?")
SENTENCE = re.compile(r"(?<![.!?])[.!?]++(?:\s|$)")  # one look at each run of marks, however long


def words(text: str) -> list[str]:
    """Return the words of a line in small letters; numbers and "column=value" are words too.

    Examples
    --------
    >>> words("It's 5.1, so outlook=sunny.")
    ["it's", '5.1', 'so', 'outlook=sunny']
    """
    return WORD.findall(text.lower())


def numbers(text: str) -> list[float] | None:
    """Return the numbers of a line; None if it holds anything else.

    Examples
    --------
    >>> numbers("5.1 3.5"), numbers("5.1 cm")
    ([5.1, 3.5], None)
    """
    try:
        found = [float(cell) for cell in re.split(r"[\s,;]+", text.strip())]
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


def point(text: str) -> tuple[float, ...]:
    """Return a line as a point: its numbers, or of a text the letters a word and the words a sentence.

    Examples
    --------
    >>> point("1 2 3"), point("To be. Or not to be.")
    ((1.0, 2.0, 3.0), (2.1666666666666665, 3.0))
    """
    if (found := numbers(text)) is not None:
        return tuple(found)
    some = words(text) or [""]
    return sum(map(len, some)) / len(some), len(some) / max(1, len(SENTENCE.findall(text)))


class Job(Protocol):
    """A job: its functions, and the round that follows from what the last one found."""

    name: ClassVar[str]
    """What a round is called."""

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield the pairs that the lines of a split give, each with the number of its line."""

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return the result of a key; None if it has none."""

    def following(self, found: Mapping[str, Value], done: int) -> Job | None:
        """Return the job of the next round after so many; None after the last."""


def add(values: Sequence[Value]) -> Value:
    """Add numbers, or tuples of numbers place by place; what all jobs combine with, since sums can be added to sums.

    Examples
    --------
    >>> add([1, 2]), add([(1.0, 2.0), (3.0, 4.0)])
    (3, (4.0, 6.0))
    """
    if isinstance(values[0], tuple):
        return tuple(math.fsum(place) for place in zip(*values, strict=True))
    return sum(values) if all(isinstance(value, int) for value in values) else math.fsum(values)  # type: ignore


@dataclass(frozen=True)
class Sums:
    """What jobs have in common that only add."""

    name: ClassVar[str] = "add"

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Add the values."""
        return add(values)

    def following(self, found: Mapping[str, Value], done: int) -> Any:
        """Return that this was the last round."""
        return None


class WordCount(Sums):
    """How often each word occurs."""

    name: ClassVar[str] = "count words"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (word, 1) for each word."""
        for i, text, _ in lines:
            look()
            yield from ((i, word, 1) for word in words(text))


class MatrixVector(Sums):
    """A matrix times a vector, one row a line.

    The row of a line of numbers are these, and the vector is (1, 2, ...). The row of a text has the
    count of each word, and the vector its letters.
    """

    name: ClassVar[str] = "multiply"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (row, element times the vector's element of its column) for each element."""
        for i, text, _ in lines:
            look()
            row = numbers(text)
            terms = (
                [count * len(word) for word, count in Counter(words(text)).items()]
                if row is None
                else [value * j for j, value in enumerate(row, start=1)]
            )
            yield from ((i, f"row{i + 1}", term) for term in terms)


class NaiveBayes(Sums):
    """How often each word occurs in each class, and how many lines it has: what naive Bayes has to know."""

    name: ClassVar[str] = "count words in classes"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (class, 1) for each line and (class|word, 1) for each of its words."""
        for i, text, kind in lines:
            look()
            yield i, kind, 1
            yield from ((i, f"{kind}|{word}", 1) for word in words(text))


@dataclass(frozen=True)
class KMeans:
    """One iteration of k-means a round: rows are assigned by the mappers, centres are moved by the reducers."""

    centers: tuple[tuple[float, ...], ...]
    max_iter: int
    name: ClassVar[str] = "assign and update"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (nearest centre, coordinates and a 1 that counts) for each point."""
        for i, text, _ in lines:
            look()
            x = point(text)
            nearest = min(
                range(len(self.centers)), key=lambda c: (math.dist(x, self.centers[c]), c)
            )
            yield i, f"cluster{nearest + 1}", (*x, 1)

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return the mean of the points: their sum over their number."""
        *total, n = add(values)  # type: ignore[misc]
        return tuple(part / n for part in total)

    def following(self, found: Mapping[str, Value], done: int) -> Any:
        """Return the next iteration, unless no centre has moved; a cluster without a point keeps its centre."""
        names = [f"cluster{c + 1}" for c in range(len(self.centers))]
        moved: Any = tuple(
            found.get(name, old) for name, old in zip(names, self.centers, strict=True)
        )
        return (
            replace(self, centers=moved) if done < self.max_iter and moved != self.centers else None
        )


@dataclass(frozen=True)
class FrequentCandidates:
    """The first of two rounds: what is frequent in a split is a candidate."""

    n_lines: int
    min_support: float
    max_length: int
    name: ClassVar[str] = "find candidates"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (item set, 1) for each that is frequent in the split, as Apriori finds them there."""
        from dmlib.association import apriori

        baskets = [set(words(text)) for _, text, _ in lines]
        if any(baskets):
            for items in apriori(baskets, self.min_support, self.max_length):
                yield lines[0][0], " ".join(items), 1

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return in how many splits the candidate is frequent."""
        return add(values)

    def following(self, found: Mapping[str, Value], done: int) -> Any:
        """Return the round that counts the candidates."""
        return FrequentCounts(self.n_lines, self.min_support, tuple(sorted(found)))


@dataclass(frozen=True)
class FrequentCounts(Sums):
    """The second round: the candidates are counted in all baskets."""

    n_lines: int
    min_support: float
    candidates: tuple[str, ...]
    name: ClassVar[str] = "count candidates"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (candidate, 1) for each that a basket contains."""
        sizes = {len(items.split()) for items in self.candidates}
        known = {frozenset(items.split()): items for items in self.candidates}
        single = {item for items in known for item in items}
        for i, text, _ in lines:
            basket = sorted(single.intersection(words(text)))
            for size in sorted(sizes):
                look()
                yield from (
                    (i, known[s], 1)
                    for some in combinations(basket, size)
                    if (s := frozenset(some)) in known
                )

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return in how many baskets the item set is, if that is enough."""
        total = add(values)
        return total if total / self.n_lines >= self.min_support else None  # type: ignore[operator]
