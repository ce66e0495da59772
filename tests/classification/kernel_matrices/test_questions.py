"""Questions about kernels: inner products of monomials, which are written out here."""

import math

import numpy as np
import pytest

from dmlib.classification.kernel_matrices.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of


def squares(row):
    """Return the features of the homogeneous polynomial kernel of degree 2."""
    a, b = row
    return np.array([a * a, b * b, math.sqrt(2) * a * b])


def cubes(row):
    """Return those of degree 3, which is that kernel times the linear one."""
    a, b = row
    return np.array([a**3, b**3, math.sqrt(3) * a * a * b, math.sqrt(3) * a * b * b])


@pytest.mark.parametrize("seed", range(5))
def test_values_are_inner_products_of_features(seed):
    run, by_topic = round_by_topic("kernels", seed)
    X, names = run.problem.X, (run.problem.rows + 1).tolist()
    for question in by_topic["value"]:
        x, z = (X[names.index(name)] for name in question.about)
        assert judge(question, squares(x) @ squares(z)).is_right
        if judge(question, (x**2) @ (z**2)).rule is not None:
            assert judge(question, (x**2) @ (z**2)).rule is Rule.POWERS
    for question in by_topic["product"]:
        x, z = (X[names.index(name)] for name in question.about)
        assert judge(question, cubes(x) @ cubes(z)).is_right
    for question in by_topic["largest"]:
        i = step_of(run, question)[0].index
        values = [squares(row) @ squares(X[i]) for row in X[:i]]
        assert judge(question, [names[int(np.argmax(values))]]).is_right


@pytest.mark.parametrize("seed", range(5))
def test_eigenvalues(seed):
    run, by_topic = round_by_topic("kernels", seed)
    features = np.array([cubes(row) for row in run.problem.X])
    assert judge(by_topic["trace"][0], (features**2).sum()).is_right
    assert judge(by_topic["trace"][0], (features.sum(axis=0) ** 2).sum()).rule is Rule.ENTRIES
    assert judge(by_topic["rank"][0], int(np.linalg.matrix_rank(features))).is_right
    assert judge(by_topic["signs"][0], 0).is_right
