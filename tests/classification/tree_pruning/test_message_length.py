"""Pruning by minimum message length, against messages that are written out."""

from itertools import product
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.classification import DecisionTreeClassifier, prune
from dmlib.classification.tree_pruning.message_length import class_bits, structure_bits

VALUES = {"sky": "abc", "wind": "xy", "day": "pqrs"}


def grown_tree(seed):
    """A tree with branches for values, and cuts of a number, which fits nothing but chance."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({name: rng.choice(list(words), 24) for name, words in VALUES.items()})
    table["x"] = rng.integers(0, 6, 24).astype(float)
    y = np.where(rng.random(24) < 0.8, table["sky"], rng.choice(list("abc"), 24))
    return DecisionTreeClassifier(splitter="multiway", max_depth=2).fit(table, y)


def adaptive_bits(counts, rng):
    """The bits of the classes, row by row in any order."""
    labels = rng.permutation(np.repeat(np.arange(len(counts)), counts.astype(int)))
    before, bits = np.ones(len(counts)), 0.0
    for label in labels:
        bits -= log2(before[label] / before.sum())
        before[label] += 1
    return bits


def messages(tree, node=0, arity=0, columns=frozenset(range(4))):
    """Yield the number of leaves and the message length of each pruning of a subtree."""
    split_chance = 1 / arity if arity else 0.5
    yield 1, -log2(1 - split_chance) + adaptive_bits(tree.counts[node], np.random.default_rng(node))
    if tree.is_leaf[node]:
        return
    split, below = tree.splits.split(node), [child for child in tree.children[node] if child >= 0]
    test = log2(len(columns)) + (log2(tree.counts[node].sum() - 1) if split.thresholds else 0)
    free = columns if split.thresholds else columns - {split.column}
    parts = [list(messages(tree, child, len(below), free)) for child in below]
    for part in product(*parts):
        leaves, bits = zip(*part, strict=True)
        yield sum(leaves), -log2(split_chance) + test + sum(bits)


@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_the_shortest_message_of_all_prunings_is_found(seed):
    grown = grown_tree(seed)
    every = list(messages(grown.tree_))
    shortest = min(bits for _, bits in every)
    pruned = prune(grown, method="mdl", encoding="mml").tree.tree_
    fewest = min(leaves for leaves, bits in every if bits <= shortest + 1e-9)
    assert pruned.n_leaves == fewest


@pytest.mark.parametrize("counts", [[0, 0], [5, 0], [2, 3], [4, 1, 2]])
def test_the_order_of_the_rows_is_no_matter(counts):
    for seed in range(3):
        bits = adaptive_bits(np.array(counts), np.random.default_rng(seed))
        assert class_bits(np.array(counts, float)) == pytest.approx(bits)


@pytest.mark.parametrize("arity", [0, 2, 3, 7])
def test_leaf_or_split_is_certain(arity):
    assert sum(2**-bits for bits in structure_bits(arity)) == pytest.approx(1)
