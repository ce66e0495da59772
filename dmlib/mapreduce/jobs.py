"""Five jobs as map, combine and reduce functions of lines of text.

A value is a number or a tuple of numbers. Functions are of this module and jobs are records, so
that they can be sent to workers.
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
"""The number of a line, its text, and its class."""

WORD = re.compile(r"[^\W_](?:[\w=.'’+-]*[^\W_])?")
SENTENCE = re.compile(r"(?<![.!?])[.!?]++(?:\s|$)")  # linear in the length of runs of marks


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
        row = [float(cell) for cell in re.split(r"[\s,;]+", text.strip())]
    except ValueError:
        return None
    return row if all(map(math.isfinite, row)) else None


def point(text: str) -> tuple[float, ...]:
    """Return a line as a point: its numbers, or the letters a word and the words a sentence.

    Examples
    --------
    >>> point("1 2 3"), point("To be. Or not to be.")
    ((1.0, 2.0, 3.0), (2.1666666666666665, 3.0))
    """
    if (row := numbers(text)) is not None:
        return tuple(row)
    tokens = words(text) or [""]
    n_sentences = max(1, len(SENTENCE.findall(text)))
    return sum(map(len, tokens)) / len(tokens), len(tokens) / n_sentences


class Job(Protocol):
    """A job: its functions, and the job of the next round."""

    name: ClassVar[str]
    """The name of a round."""

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield the pairs of the lines of a split, each with the number of its line."""

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return the result of a key; None if it has none."""

    def following(self, result: Mapping[str, Value], n_rounds: int) -> Job | None:
        """Return the job of the next round after so many; None after the last."""


def add(values: Sequence[Value]) -> Value:
    """Add numbers, or tuples of numbers place by place: the combiner of all jobs.

    Examples
    --------
    >>> add([1, 2]), add([(1.0, 2.0), (3.0, 4.0)])
    (3, (4.0, 6.0))
    """
    tuples = [value for value in values if isinstance(value, tuple)]
    if tuples:
        return tuple(map(math.fsum, zip(*tuples, strict=True)))
    numbers = [value for value in values if not isinstance(value, tuple)]
    return sum(numbers) if all(isinstance(n, int) for n in numbers) else math.fsum(numbers)


@dataclass(frozen=True)
class Sums:
    """The base of jobs whose reducers add."""

    name: ClassVar[str] = "add"

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Add the values."""
        return add(values)

    def following(self, result: Mapping[str, Value], n_rounds: int) -> Job | None:
        """Return None: there is one round."""
        return None


class WordCount(Sums):
    """Count each word."""

    name: ClassVar[str] = "count words"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (word, 1) for each word."""
        for i, text, _ in lines:
            look()
            yield from ((i, word, 1) for word in words(text))


class MatrixVector(Sums):
    """Multiply a matrix, a row in each line, by a vector.

    The row of a line of numbers are these, and the vector is (1, 2, ...). The row of a text has the
    count of each word, and the vector the number of its letters.
    """

    name: ClassVar[str] = "multiply"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (row, element times the vector's element of its column) for each element."""
        for i, text, _ in lines:
            look()
            row = numbers(text)
            terms: list[float]
            if row is None:
                terms = [count * len(word) for word, count in Counter(words(text)).items()]
            else:
                terms = [value * j for j, value in enumerate(row, start=1)]
            yield from ((i, f"row{i + 1}", term) for term in terms)


class NaiveBayes(Sums):
    """Count the lines of each class, and each word in it: the counts of naive Bayes."""

    name: ClassVar[str] = "count words in classes"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (class, 1) for each line and (class|word, 1) for each of its words."""
        for i, text, kind in lines:
            look()
            yield i, kind, 1
            yield from ((i, f"{kind}|{word}", 1) for word in words(text))


@dataclass(frozen=True)
class KMeans:
    """Iterate k-means, once a round: mappers assign points, and reducers update centres."""

    centers: tuple[tuple[float, ...], ...]
    max_iter: int
    name: ClassVar[str] = "assign and update"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (nearest centre, coordinates and a 1 that counts) for each point."""
        for i, text, _ in lines:
            look()
            x = point(text)
            distances = [math.dist(x, center) for center in self.centers]
            nearest = distances.index(min(distances))
            yield i, f"cluster{nearest + 1}", (*x, 1)

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return the mean of the points: their sum over their number."""
        *total, n = add(values)  # type: ignore[misc]
        return tuple(part / n for part in total)

    def following(self, result: Mapping[str, Any], n_rounds: int) -> Job | None:
        """Return the next iteration, unless no centre has moved.

        A cluster without a point keeps its centre.
        """
        centers = tuple(
            result.get(f"cluster{c}", center) for c, center in enumerate(self.centers, start=1)
        )
        if n_rounds == self.max_iter or centers == self.centers:
            return None
        return replace(self, centers=centers)


@dataclass(frozen=True)
class FrequentCandidates:
    """Find candidates, the first of two rounds: item sets that are frequent in a split."""

    n_lines: int
    min_support: float
    max_length: int
    name: ClassVar[str] = "find candidates"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (item set, 1) for each that Apriori finds in the split."""
        from dmlib.association import apriori

        baskets = [set(words(text)) for _, text, _ in lines]
        if any(baskets):
            for items in apriori(baskets, self.min_support, self.max_length):
                yield lines[0][0], " ".join(items), 1

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return the number of splits in which the candidate is frequent."""
        return add(values)

    def following(self, result: Mapping[str, Value], n_rounds: int) -> Job | None:
        """Return the round that counts the candidates."""
        return FrequentCounts(self.n_lines, self.min_support, tuple(sorted(result)))


@dataclass(frozen=True)
class FrequentCounts(Sums):
    """Count candidates in all baskets, the second round."""

    n_lines: int
    min_support: float
    candidates: tuple[str, ...]
    name: ClassVar[str] = "count candidates"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (candidate, 1) for each that a basket contains."""
        names = {frozenset(name.split()): name for name in self.candidates}
        sizes = sorted(set(map(len, names)))
        candidate_items = frozenset().union(*names)
        for i, text, _ in lines:
            basket = sorted(candidate_items.intersection(words(text)))
            for size in sizes:
                look()
                subsets = map(frozenset, combinations(basket, size))
                yield from ((i, names[items], 1) for items in subsets if items in names)

    def reduce(self, key: str, values: Sequence[Value]) -> Value | None:
        """Return the number of baskets with the item set, if that is enough."""
        total = add(values)
        return total if total / self.n_lines >= self.min_support else None  # type: ignore[operator]
