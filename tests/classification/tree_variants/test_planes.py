"""Planes between two groups of classes beside duality, discriminants and roots of densities."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, linprog
from scipy.stats import entropy, norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dmlib.classification import ObliqueTree
from dmlib.classification.tree_variants.planes import linear_programme, quest_plane, superclasses
from dmlib.trace import run


def noisy(seed, n=60, n_classes=3):
    """Return rows with ties, whose classes hang on two columns, and often do not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n, 3)).astype(float)
    y = np.where(rng.random(n) < 0.7, (X[:, 0] + X[:, 1]) * n_classes // 14, 0)
    return X, y.astype(int)


def bits(labels):
    return entropy(np.unique(labels, return_counts=True)[1], base=2)


def dual_optimum(X, is_second):
    """Return the optimum of the dual of the linear programme, by an interior-point method."""
    signs = np.where(is_second, -1.0, 1.0)
    largest = 1 / np.where(is_second, is_second.sum(), (~is_second).sum())
    answer = linprog(
        -np.ones(len(X)),
        A_eq=np.vstack([(signs[:, None] * X).T, signs]),
        b_eq=np.zeros(X.shape[1] + 1),
        bounds=np.column_stack([np.zeros(len(X)), largest]),
        method="highs-ipm",
    )
    return -answer.fun


@given(st.integers(0, 10_000), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_no_plane_has_smaller_slacks_by_duality(seed, n_columns):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, n_columns)), (rng.random(30) < 0.3).astype(int)
    y[:2] = 0, 1
    X[y == 1] += rng.uniform(0, 3)
    plane = linear_programme(X, np.eye(2)[y])
    assert plane.objective == pytest.approx(dual_optimum(X, y == 1), abs=1e-6)
    side = (X @ plane.weights - plane.threshold) / plane.margin
    slacks = np.maximum(1 + np.where(y == 1, -side, side), 0)
    np.testing.assert_allclose(plane.slacks, slacks, atol=1e-5)
    assert plane.totals == pytest.approx([slacks[y == c].sum() for c in (0, 1)], abs=1e-4)
    assert plane.sizes == ((y == 0).sum(), (y == 1).sum())


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_a_separable_set_has_no_slack_and_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(40, 3)), rng.normal(size=3)
    y = (X @ w > 0.2).astype(int)
    y[:2] = 0, 1
    X[0], X[1] = -w, w
    plane = linear_programme(X, np.eye(2)[y])
    assert plane.objective == 0
    assert plane.margin > 0
    np.testing.assert_array_equal(X @ plane.weights > plane.threshold, y == 1)
    rescaled = linear_programme(X * [1e-3, 1.0, 1e4] + [5.0, 0.0, -1e3], np.eye(2)[y])
    assert rescaled.objective == 0


def test_groups_with_the_same_mean_cannot_be_divided_for_less_than_2():
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    plane = linear_programme(corners, np.repeat(np.eye(2), 2, axis=0))
    assert plane.objective == pytest.approx(2.0)
    same = linear_programme(np.ones((4, 2)), np.eye(2)[[0, 0, 0, 1]])
    assert not same.is_found
    assert same.objective == pytest.approx(2.0)
    assert np.isinf(same.margin)
    steps = run(ObliqueTree("linear_programming"), np.ones((9, 2)), np.arange(9) % 2).steps
    assert [step.phase for step in steps] == ["start", "solve", "leaf", "done"]


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_quest_cuts_where_densities_times_rows_are_equal(seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(60) < 0.35).astype(int)
    X = rng.normal(size=(60, 2)) * np.where(y == 1, 1.6, 0.8)[:, None] + 3.0 * y[:, None]
    plane = quest_plane(X, np.eye(2)[y])
    fisher = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).coef_[0]
    assert abs(plane.weights @ fisher) / np.linalg.norm(fisher) == pytest.approx(1.0, abs=1e-4)
    z = X @ plane.weights
    sides = [z[y == c] for c in (0, 1)]
    lower, upper = sorted(sides, key=np.mean)

    def difference(place):
        return np.log(len(lower) / len(upper)) + (
            norm.logpdf(place, lower.mean(), lower.std(ddof=1))
            - norm.logpdf(place, upper.mean(), upper.std(ddof=1))
        )

    assert plane.threshold == pytest.approx(brentq(difference, lower.mean(), upper.mean()))


def test_several_classes_make_two_groups_by_their_means():
    rng = np.random.default_rng(3)
    places = np.array([[0.0, 0.0], [1.0, 0.5], [9.0, 8.0], [8.0, 9.0], [0.5, 1.0]])
    y = np.repeat(np.arange(5), 12)
    X = places[y] + rng.normal(0, 0.3, (60, 2))
    for plane in (linear_programme(X, np.eye(5)[y]), quest_plane(X, np.eye(5)[y])):
        assert sorted(plane.groups) == [(0, 1, 4), (2, 3)]
    rare = superclasses(np.ones((4, 2)), np.eye(3)[[0, 1, 1, 2]])
    assert rare.tolist() == [True, False, True]
    absent = superclasses(np.array([[0.0], [1.0]]), np.eye(3)[[0, 2]])
    assert absent.tolist() == [False, False, True]


@pytest.mark.parametrize("search", ["linear_programming", "quest"])
@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_a_node_is_split_by_its_plane_or_else_by_one_column(search, seed):
    X, y = noisy(seed, n_classes=3)
    steps = run(ObliqueTree(search), X, y).steps
    for before, step in pairwise(steps):
        if step.phase in ("solve", "project") and step.counts is not None:
            labels, first = y[step.rows], X[step.rows] @ step.weights <= step.threshold
            gain = bits(labels) - sum(
                bits(labels[s]) * s.mean() for s in (first, ~first) if s.any()
            )
            assert step.gain == pytest.approx(gain, abs=1e-9)
            assert step.counts.sum() == len(labels)
        if step.phase == "axis":  # the plane divides nothing, or too few rows
            assert before.counts is None or before.gain < 1e-9 or before.counts.sum(1).min() < 3
            assert (step.weights > 0).sum() == 1
        if step.phase == "split":
            assert step.weights is before.weights
            assert step.counts.sum(axis=1).min() >= 3
