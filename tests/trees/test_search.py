"""The search for splits among drawn columns, and without the cuts that cannot be the best."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.rules import Rules
from dmlib.trees.search import search


def level(seed, n=60, n_values=0, weights=None, spread=1000):
    """Return a table and a frontier of three nodes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, spread, (n, 4)).astype(float)
    if n_values:
        X[:, 1] %= n_values
    table = Table(X, rng.integers(0, 3, n), 3, (0, n_values, 0, 0))
    weights = rng.integers(1, 4, n).astype(float) if weights is None else weights(rng, n)
    rows = np.arange(n)
    return table, Frontier(rows, rng.integers(0, 3, n), np.ones(n), weights, table.y, 3, 3)


@given(
    st.integers(0, 10_000),
    st.sampled_from(["gini", "entropy"]),
    st.sampled_from([3, 12, 1000]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_the_best_cut_is_among_those_that_are_not_left_out(
    seed, criterion, spread, integer_weights
):
    table, frontier = level(
        seed, spread=spread, weights=None if integer_weights else lambda rng, n: rng.random(n) + 0.1
    )
    fast, slow = (
        search(table, frontier, Rules(criterion), all_candidates)
        for all_candidates in (False, True)
    )
    np.testing.assert_array_equal(fast.eligible, slow.eligible)
    np.testing.assert_allclose(fast.scores, slow.scores, atol=1e-12)
    best = fast.choose()
    np.testing.assert_array_equal(best, slow.choose())
    for node, column in enumerate(best):
        if column >= 0:
            assert fast.candidate(node, column).split == slow.candidate(node, column).split


@given(st.integers(0, 10_000), st.integers(1, 3), st.sampled_from([0, 3]))
@settings(max_examples=40, deadline=None)
def test_of_drawn_columns_each_node_finds_what_it_finds_of_all(seed, n_drawn, n_values):
    table, frontier = level(seed, n_values=n_values)
    order = np.random.default_rng(seed).random((3, 4)).argsort(axis=1)
    of_all, of_drawn = (
        search(table, frontier, Rules(max_features=n_drawn), False, o) for o in (None, order)
    )
    for node in range(3):
        drawn_columns, remaining = order[node, :n_drawn], order[node, n_drawn:]
        np.testing.assert_array_equal(
            of_drawn.scores[node, drawn_columns], of_all.scores[node, drawn_columns]
        )
        assert np.isinf(of_drawn.scores[node, remaining]).all()


def test_a_node_that_can_split_no_drawn_column_draws_more():
    table, frontier = level(0)
    table.X[:, 1:] = 5.0
    order = np.tile([3, 2, 1, 0], (3, 1))
    best_splits = search(table, frontier, Rules(max_features=1), False, order)
    assert best_splits.choose().tolist() == [0, 0, 0]
    table.X[:, 0] = 5.0
    del vars(table)["ranks"]
    assert search(table, frontier, Rules(max_features=1), False, order).choose().tolist() == [
        -1,
        -1,
        -1,
    ]


@pytest.mark.parametrize("spread", [5, 1000])
def test_multiples_of_rows_are_rows(spread):
    table, frontier = level(1, spread=spread)
    rows = np.repeat(frontier.rows, frontier.weights.astype(int))
    ones = np.ones(len(rows))
    repeated = Frontier(rows, frontier.nodes[rows], ones, ones, table.y[rows], 3, 3)
    weighted, repeated_rows = (search(table, each, Rules()) for each in (frontier, repeated))
    np.testing.assert_allclose(weighted.scores, repeated_rows.scores)
    np.testing.assert_array_equal(weighted.choose(), repeated_rows.choose())
