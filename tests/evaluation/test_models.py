"""Trees that grow together say what each would say that is grown from its training rows alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from dmlib.evaluation import models
from dmlib.evaluation.resampling.base import FEW
from dmlib.evaluation.resampling.splitting import BOOTSTRAP, GROUPED, K_FOLD, STRATIFIED, splits


def assert_each_says_the_same(X, y, parts):
    together = list(models.predictions_each("decision_tree", 0, X, y, parts, 1))
    for part, said in zip(parts, together, strict=True):
        np.testing.assert_array_equal(
            said, models.predictions("decision_tree", 0, X, y, None, part)
        )


@pytest.mark.parametrize("scheme", [K_FOLD, STRATIFIED, GROUPED, BOOTSTRAP])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_of_folds_and_of_rows_that_are_drawn_again(load, scheme):
    X, y = load(return_X_y=True)
    shared = splits(
        scheme, y, folds=20, n_repeats=FEW, groups=np.arange(len(y)) // 4, random_state=0
    )
    assert_each_says_the_same(X, y, [(split.train, split.test) for split in shared])


@given(st.integers(0, 2**31 - 1), st.integers(4, 30), st.integers(1, 3), st.integers(2, 4))
def test_of_ties_and_of_classes_that_are_not_among_the_training_rows(
    seed, n_rows, n_columns, n_classes
):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n_rows, n_columns)).astype(float), rng.integers(0, n_classes, n_rows)
    drawn = [rng.integers(0, n_rows, n_rows) for _ in range(3)] + [
        rng.permutation(n_rows)[: n_rows // 2]
    ]
    assert_each_says_the_same(X, y, [(train, np.arange(n_rows)) for train in drawn])


def test_of_holes():
    X, y = load_iris(return_X_y=True)
    X[::7, 0] = np.nan
    assert_each_says_the_same(
        X, y, [(np.arange(10, 150), np.arange(10)), (np.arange(150)[::2], np.arange(150)[1::2])]
    )


def test_infinite_numbers_are_refused():
    X, y = load_iris(return_X_y=True)
    X[3, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        list(
            models.predictions_each(
                "decision_tree", 0, X, y, [(np.arange(100), np.arange(100, 150))], 1
            )
        )
