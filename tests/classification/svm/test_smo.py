"""The solver against a general one, and its bookkeeping against recomputation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.active_set import climb
from dmlib.classification.svm.smo import SMO, FreeSolve, PairMove


def problem(seed, n=12, C=1.0, kernel=None, capacity=100):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < n // 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 0.7 * y[:, None]
    K = (kernel or Kernel("rbf", 0.5))(X, X)
    groups = [slice(0, n)]
    return (
        K,
        y,
        SMO(
            K.__getitem__,
            K.diagonal(),
            y,
            np.minimum(y, 0) * C,
            np.maximum(y, 0) * C,
            np.zeros(n),
            groups,
            capacity,
        ),
    )


def best(K, y, C):
    """The largest dual objective, by a solver that knows nothing of support vectors."""
    ends = np.column_stack([np.minimum(y, 0) * C, np.maximum(y, 0) * C])
    answer = minimize(
        lambda beta: beta @ K @ beta / 2 - y @ beta,
        np.zeros(len(y)),
        jac=lambda beta: K @ beta - y,
        bounds=ends,
        constraints=LinearConstraint(np.ones((1, len(y))), 0, 0),
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    return -answer.fun


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 1.0, 10.0]))
def test_the_objective_is_that_of_a_general_solver(seed, C):
    K, y, smo = problem(seed, C=C)
    list(smo.moves(1e-3, 10_000))
    assert smo.objective == pytest.approx(best(K, y, C), rel=1e-5)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.floats(0.01, 100),
    st.sampled_from(["rbf", "linear", "poly", "sigmoid"]),
)
def test_the_books_are_right_after_every_move(seed, C, name):
    K, y, smo = problem(seed, C=C, kernel=Kernel(name, 0.3, 2, 0.5))
    previous = 0.0
    for move in smo.moves(1e-4, 300):
        beta = smo.beta
        assert smo.objective == pytest.approx(y @ beta - beta @ K @ beta / 2, rel=1e-9, abs=1e-9)
        assert smo.objective >= previous - 1e-9 * max(abs(previous), 1)
        assert beta.sum() == pytest.approx(0, abs=1e-9 * C)
        assert (smo.lower <= beta).all()
        assert (beta <= smo.upper).all()
        np.testing.assert_allclose(smo.slope, y - K @ beta, rtol=1e-7, atol=1e-7 * max(C, 1))
        assert smo.n_free == len(smo.free)
        np.testing.assert_array_equal(np.isfinite(smo.rising), beta < smo.upper)
        np.testing.assert_array_equal(np.isfinite(smo.falling), beta > smo.lower)
        if isinstance(move, PairMove):
            curvature = K[move.i, move.i] + K[move.j, move.j] - 2 * K[move.i, move.j]
            assert move.eta == pytest.approx(max(curvature, 0), abs=1e-9)
            assert move.unclipped == pytest.approx((move.slopes[0] - move.slopes[1]) / move.eta)
            assert 0 <= move.step <= move.unclipped
            assert move.after == (beta[move.i], beta[move.j])
        previous = smo.objective


def test_the_first_pair_is_the_one_that_gains_most_with_the_steepest():
    K, y, smo = problem(3)
    i, j, gap = smo.pair()
    slope = y
    assert gap == slope.max() - slope.min() == 2
    assert i == int(slope.argmax())
    candidates = np.flatnonzero(y < 0)
    gains = (slope[i] - slope[candidates]) ** 2 / (
        K[i, i] + K.diagonal()[candidates] - 2 * K[i, candidates]
    )
    assert j == candidates[gains.argmax()]


def test_a_free_multiplier_has_no_slope_left_at_the_end():
    _, _, smo = problem(5, n=40)
    moves = list(smo.moves(1e-3, 10_000))
    assert isinstance(moves[-1], FreeSolve)
    level = smo.levels[0]
    np.testing.assert_allclose(smo.slope[smo.free], level, atol=1e-9)
    assert smo.n_violating(1e-3) == 0


def test_the_limit_of_moves_is_kept_and_told():
    _, _, smo = problem(1, n=40)
    assert len(list(smo.moves(1e-3, 3))) == 3
    assert smo.reason == "The limit of 3 moves was reached."


def test_without_room_for_the_rows_only_pairs_are_moved():
    _, _, smo = problem(2, n=40, capacity=2)
    moves = list(smo.moves(1e-3, 10_000))
    assert all(isinstance(move, PairMove) or len(move.free) == 2 for move in moves)
    assert smo.pair()[2] < 1e-3


def test_climbing_ends_at_the_top_of_the_free_variables():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 6))
    K, slope = A @ A.T, rng.normal(size=6)
    ones = np.ones(6)
    end, _ = climb(K, slope, 0 * ones, -1e9 * ones, 1e9 * ones, np.zeros(6, int))
    remaining_slope = slope - K @ end
    assert end.sum() == pytest.approx(0, abs=1e-9)
    assert np.ptp(remaining_slope) == pytest.approx(0, abs=1e-6)


def test_climbing_needs_a_top():
    ones = np.ones(2)
    end, n_systems = climb(
        -np.eye(2), np.array([1.0, 0.0]), 0.5 * ones, 0 * ones, ones, np.zeros(2, int)
    )
    assert (end == 0.5).all()
    assert n_systems == 0
