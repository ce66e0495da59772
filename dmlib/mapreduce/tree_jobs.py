"""A decision tree by MapReduce: a level of its nodes in each round, and at last its leaves.

Rows are lines of "column=value", or texts that have a word or not. Only counts leave the mappers,
however many rows there are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from dmlib.mapreduce.jobs import Job, Line, Sums, Value, words
from dmlib.trace import look
from dmlib.trees.impurity import impurity

ROOT = "all"
DIGITS = 12  # of a gain: rounding must not decide between two columns
N_WORDS = 20  # columns of texts

Tables = Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]
"""The counts of the classes: node -> column -> value -> class -> rows."""


def vocabulary(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words that are the columns of texts: those in most lines; none of a table.

    A table has the same columns, as column=value, in every line.

    Examples
    --------
    >>> vocabulary(["to be or not", "to be"])[:2], vocabulary(["a=1 b=2", "a=3 b=1"])
    (('be', 'to'), ())
    """
    rows = [cells(text) for text in texts]
    if rows[0] and all(row.keys() == rows[0].keys() for row in rows):
        return ()
    n_lines = Counter(word for text in texts for word in set(words(text)))
    return tuple(sorted(n_lines, key=lambda word: (-n_lines[word], word))[:N_WORDS])


def cells(text: str, columns: Sequence[str] = ()) -> dict[str, str]:
    """Return the values of a line by their columns; of words, whether the line has them.

    Examples
    --------
    >>> cells("outlook=sunny windy=TRUE"), cells("to be", ("be", "or"))
    ({'outlook': 'sunny', 'windy': 'true'}, {'be': 'yes', 'or': 'no'})
    """
    if columns:
        present = {*words(text)}
        return {word: "yes" if word in present else "no" for word in columns}
    pairs = (word.partition("=") for word in words(text))
    return {column: value for column, sign, value in pairs if sign}


def child(node: str, column: str, value: str) -> str:
    """Return the name of a child: all tests on the way to it.

    Examples
    --------
    >>> child("all", "outlook", "sunny"), child("outlook=sunny", "windy", "true")
    ('outlook=sunny', 'outlook=sunny&windy=true')
    """
    test = f"{column}={value}"
    return test if node == ROOT else f"{node}&{test}"


def leaf(splits: Mapping[str, str], row: Mapping[str, str]) -> str:
    """Return the node in which a row ends, of a tree that maps its nodes to their columns.

    Examples
    --------
    >>> leaf({"all": "outlook"}, {"outlook": "sunny", "windy": "true"})
    'outlook=sunny'
    """
    node = ROOT
    while (column := splits.get(node)) is not None:
        node = child(node, column, row[column])
    return node


def tables(counts: Mapping[str, Value]) -> Tables:
    """Return the output of a round, with its keys "node|column=value|class", as tables.

    Examples
    --------
    >>> tables({"all|windy=true|no": 3})["all"]["windy"]["true"]
    {'no': 3}
    """
    nodes: dict[str, dict[str, dict[str, dict[str, int]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(dict))
    )
    for key, n in counts.items():
        node, test, kind = key.split("|", 2)
        column, _, value = test.rpartition("=")  # a word may hold a sign itself
        nodes[node][column][value][kind] = int(n)  # type: ignore[arg-type]
    return nodes


def gains(counts: Mapping[str, Value]) -> dict[str, dict[str, float]]:
    """Return the information gain of each column in each node, in bits, both in their order.

    Examples
    --------
    >>> gains({"all|a=x|no": 2, "all|a=y|yes": 2, "all|b=z|no": 2, "all|b=z|yes": 2})
    {'all': {'a': 1.0, 'b': 0.0}}
    """
    return {
        node: {column: _gain(columns[column]) for column in sorted(columns)}
        for node, columns in sorted(tables(counts).items())
    }


def _gain(values: Mapping[str, Mapping[str, int]]) -> float:
    """Return the entropy of the classes less its mean in the values of a column."""
    before: Counter[str] = Counter()
    for kinds in values.values():
        before.update(kinds)
    after = sum(sum(kinds.values()) * _bits(kinds) for kinds in values.values())
    return round(_bits(before) - after / before.total(), DIGITS)


def _bits(kinds: Mapping[str, int]) -> float:
    return float(impurity([*kinds.values()], "entropy"))


def best_columns(counts: Mapping[str, Value]) -> dict[str, str]:
    """Return the column of the largest gain of each node that gains; of equals the first by name.

    Examples
    --------
    >>> best_columns({"all|a=x|no": 2, "all|a=y|yes": 2, "all|b=z|no": 2, "all|b=z|yes": 2})
    {'all': 'a'}
    """
    best = {
        node: max(columns.items(), key=lambda item: item[1])
        for node, columns in gains(counts).items()
    }
    return {node: column for node, (column, gain) in best.items() if gain > 0}


@dataclass(frozen=True)
class LevelCounts(Sums):
    """Count the values of all columns in the nodes of a level, by class."""

    max_depth: int
    columns: tuple[str, ...] = ()
    nodes: tuple[str, ...] = (ROOT,)
    splits: Mapping[str, str] = field(default_factory=dict)
    name: ClassVar[str] = "count values in nodes"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (node|column=value|class, 1) for each column that its node has not tested."""
        for i, text, kind in lines:
            look()
            row = cells(text, self.columns)
            node = leaf(self.splits, row)
            if node in self.nodes:
                tested = {test.rpartition("=")[0] for test in node.split("&")}
                untested = ((column, row[column]) for column in row if column not in tested)
                yield from ((i, f"{node}|{column}={value}|{kind}", 1) for column, value in untested)

    def following(self, result: Mapping[str, Value], n_rounds: int) -> Job | None:
        """Return the round of the next level; after the last level, the round of the leaves."""
        chosen = best_columns(result)
        counts = tables(result)
        children = [
            child(node, column, value)
            for node, column in chosen.items()
            for value, kinds in counts[node][column].items()
            if len(kinds) > 1 and len(counts[node]) > 1
        ]
        splits = {**self.splits, **chosen}
        if not children or n_rounds == self.max_depth:
            return LeafCounts(splits, self.columns)
        return replace(self, nodes=tuple(sorted(children)), splits=splits)


@dataclass(frozen=True)
class LeafCounts(Sums):
    """Count the classes of the rows in each leaf of a tree, the last round."""

    splits: Mapping[str, str]
    columns: tuple[str, ...] = ()
    name: ClassVar[str] = "count classes in leaves"

    def map(self, lines: Sequence[Line]) -> Iterator[tuple[int, str, Value]]:
        """Yield (leaf|class, 1) for each row."""
        for i, text, kind in lines:
            look()
            yield i, f"{leaf(self.splits, cells(text, self.columns))}|{kind}", 1
