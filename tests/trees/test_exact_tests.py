"""Probabilities of tables and p-values against SciPy, and against the definition."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from dmlib.trees.exact_tests import (
    PERMUTATIONS,
    fisher_p_value,
    log_probability,
    permutation_p_values,
)
from dmlib.trees.impurity import CRITERIA

TABLES = [
    [[2, 3], [4, 0], [3, 2]],
    [[3, 4], [6, 1]],
    [[5, 0, 1], [0, 4, 2]],
    [[2, 1, 0], [1, 1, 3], [0, 2, 2]],
    [[3, 0], [0, 0], [1, 2]],
]


def tables_like(table):
    """Every table with the same margins."""
    table = np.asarray(table)
    cells = [range(int(size) + 1) for size in np.repeat(table.sum(axis=1), table.shape[1])]
    for values in product(*cells):
        other = np.array(values).reshape(table.shape)
        margins = other.sum(axis=0), other.sum(axis=1)
        if all(map(np.array_equal, margins, (table.sum(axis=0), table.sum(axis=1)))):
            yield other


def probability(table):
    table = np.asarray(table)
    sums = [*table.sum(axis=0).tolist(), *table.sum(axis=1).tolist()]
    cells = [int(table.sum()), *table.ravel().tolist()]
    return prod(map(factorial, sums)) / prod(map(factorial, cells))


def exact_p_value(table):
    own = probability(table)
    others = [probability(other) for other in tables_like(table)]
    assert sum(others) == pytest.approx(1)
    return sum(other for other in others if other <= own * (1 + 1e-9))


@pytest.mark.parametrize("table", TABLES)
def test_probability_is_that_of_the_factorials_and_of_scipy(table):
    own = np.exp(log_probability(table))
    assert own == pytest.approx(probability(table))
    if np.asarray(table).sum(axis=1).all():
        distribution = stats.random_table(np.sum(table, axis=1), np.sum(table, axis=0))
        assert own == pytest.approx(distribution.pmf(table))


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_fishers_exact_test(cells):
    table = np.reshape(cells, (2, 2))
    assert fisher_p_value(table) == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-6)
    (a, b), (c, d) = table.tolist()
    pmf = stats.hypergeom.pmf(a, a + b + c + d, a + b, a + c) if any(cells) else 1
    assert np.exp(log_probability(table)) == pytest.approx(pmf)


@pytest.mark.parametrize("table", TABLES)
def test_permutations_estimate_the_exact_p_value(table):
    exact = exact_p_value(table)
    p = float(permutation_p_values(table))
    deviation = np.sqrt(exact * (1 - exact) / PERMUTATIONS)
    assert abs(p - exact) <= 4 * deviation + 1 / (PERMUTATIONS + 1)


def test_permutations_are_those_of_the_definition():
    table = np.array([[4, 2, 1], [1, 3, 2]])
    classes, branches = np.repeat([0, 1, 2] * 2, table.ravel()), np.repeat([0, 1], [7, 6])
    rng, n_extreme = np.random.default_rng(5), 0
    for _ in range(2000):
        shuffled = stats.contingency.crosstab(branches, rng.permutation(classes)).count
        n_extreme += probability(shuffled) <= probability(table) * (1 + 1e-9)
    assert float(permutation_p_values(table)) == pytest.approx(n_extreme / 2000, abs=0.08)


def test_each_table_has_its_own_p_value_whatever_stands_beside_it():
    rng = np.random.default_rng(3)
    tables = rng.integers(0, 6, size=(2, 3, 5, 4)).astype(float)
    together = permutation_p_values(tables)
    assert together.shape == (5, 4)
    alone = [float(permutation_p_values(tables[:, :, i, j])) for i in range(5) for j in range(4)]
    assert_allclose(together.ravel(), alone)


def test_degenerate_tables_are_certain():
    tables = np.array([[[0, 7, 3], [0, 0, 0]], [[0, 2, 0], [0, 0, 0]]], float)
    assert_allclose(log_probability(tables), 0, atol=1e-12)
    assert_allclose(permutation_p_values(tables), 1)
    assert permutation_p_values(np.zeros((2, 2, 0))).shape == (0,)


def test_probabilities_that_underflow_still_rank():
    branches = np.array([[[4000, 3000], [0, 1000]], [[0, 1000], [4000, 3000]]], float)
    better, worse = CRITERIA["hypergeometric"].score(branches, 0.0)
    assert np.exp(-better * np.log(10)) == 0
    assert better > worse > 300
    by_permutations = CRITERIA["permutation"].score(branches, 0.0)
    assert_allclose(by_permutations, -np.log10(1 / (PERMUTATIONS + 1)), rtol=1e-3)
    assert by_permutations[0] > by_permutations[1]


def test_with_many_rows_the_score_is_near_half_of_g2():
    branches = 1000 * np.array([[[3.0], [1.0]], [[1.0], [3.0]]])
    score = CRITERIA["hypergeometric"].score(branches, 0.0) * np.log(10)
    assert_allclose(score, CRITERIA["g2"].score(branches, 0.0) / 2, rtol=0.01)


def test_a_name_for_each_row_is_most_improbable_and_means_nothing():
    names = np.repeat(np.eye(2), [9, 5], axis=0)[:, :, None]
    perfect = np.diag([9.0, 5.0])[:, :, None]
    for criterion, is_fooled in (("hypergeometric", True), ("permutation", False)):
        of_names, of_perfect = (
            float(CRITERIA[criterion].score(table, 0.0)[0]) for table in (names, perfect)
        )
        assert (abs(of_names - of_perfect) < 1e-9) == is_fooled
    assert permutation_p_values(names) == 1


def test_the_order_of_the_classes_is_no_matter():
    tables = np.random.default_rng(4).integers(0, 6, size=(3, 3, 8))
    assert_allclose(permutation_p_values(tables), permutation_p_values(tables[:, [2, 0, 1]]))
