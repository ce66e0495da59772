"""Pruning by the bits of names alone."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.classification import prune
from dmlib.classification.tree_pruning.estimates import code_length
from tests.classification.tree_pruning.test_algorithm import small


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_names_alone_take_the_fewest_bits_of_all_prunings(seed):
    grown, _, _ = small(seed)
    tree, m = grown.tree_, grown.n_features_in_
    of_error = int(np.ceil(np.log2(tree.counts[0].sum())))

    def lengths(node):
        """Yield the bits of each pruning of a subtree."""
        counts = tree.counts[node]
        of_class = int(np.ceil(np.log2(len(counts))))
        yield of_class + (counts.sum() - counts.max()) * of_error
        if not tree.is_leaf[node]:
            for each in product(*(list(lengths(child)) for child in tree.children[node])):
                yield int(np.ceil(np.log2(m))) + sum(each)

    pruned = prune(grown, method="mdl", encoding="names").tree
    assert code_length(pruned.tree_, m) == pytest.approx(min(lengths(0)))
    assert code_length(tree, m) >= min(lengths(0))
