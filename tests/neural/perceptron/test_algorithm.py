"""The perceptron and Adaline against scikit-learn, a textbook, Novikoff's theorem, and odd data."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier

from dmlib.neural import Adaline, Perceptron
from dmlib.neural.perceptron.margin import margin_of

XOR = json.loads((Path(__file__).parents[2] / "golden/xor.json").read_text("utf-8"))
HAND = np.array([(2.0, 4.0), (2.0, 1.0), (1.0, 2.0)]), np.array([0, 1, 0])


def noise(seed, n=40, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + 0.5 * rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    ("model", "loss", "average"),
    [
        (Perceptron(learning_rate=0.3), "perceptron", False),
        (Perceptron("average"), "perceptron", True),
        (Adaline(learning_rate=0.05), "squared_error", False),
    ],
)
def test_the_same_rows_give_scikit_learns_weights(model, loss, average, intercept):
    X, y = noise(0)
    model.set_params(fit_intercept=intercept, max_iter=7).fit(X, y)
    reference = SGDClassifier(
        loss=loss,
        penalty=None,
        learning_rate="constant",
        eta0=model.learning_rate,
        shuffle=False,
        tol=None,
        max_iter=model.n_iter_,
        average=average,
        fit_intercept=intercept,
    ).fit(X, y)
    assert_allclose(model.coef_, reference.coef_, rtol=1e-9)
    assert_allclose(model.intercept_, reference.intercept_, rtol=1e-9)


def test_three_rows_by_hand():
    steps = list(Perceptron().steps(*HAND))
    updates = [step for step in steps if step.phase == "update"]
    assert [step.weights.tolist() for step in updates] == [[-1, -2, -4], [0, 0, -3], [1, 2, -2]]
    scores = [step.score for step in steps if step.row is not None]
    assert scores == [0, -9, -6, -12, -3, -1, -3, 3, -1]
    assert (steps[-1].n_mistakes, steps[-1].epoch, steps[-1].converged) == (3, 3, True)


def test_xor_never_ends():
    rows = np.array(XOR["input"]["rows"])
    orders = [rows[list(order)] for order in permutations(range(4))]
    fits = [Perceptron("best").fit(order[:, :2], order[:, 2]) for order in orders]
    assert {model.converged_ for model in fits} == {XOR["expected"]["perceptron_converges"]}
    scores = [model.score(rows[:, :2], rows[:, 2]) for model in fits]
    assert max(scores) == XOR["expected"]["best_linear_accuracy"]
    assert all(list(Perceptron().steps(order[:, :2], order[:, 2]))[-1].cycle for order in orders)


@given(seed=st.integers(0, 10_000), shuffle=st.booleans(), rate=st.sampled_from([0.01, 1.0, 30.0]))
def test_mistakes_keep_within_novikoffs_bound(seed, shuffle, rate):
    X = np.random.default_rng(seed).normal(size=(15, 2))
    X += np.sign(X)  # so that there is a margin
    y = (X[:, 0] > 0).astype(int)
    model = Perceptron(learning_rate=rate, shuffle=shuffle, max_iter=10_000, random_state=seed).fit(
        X, y
    )
    assert model.converged_
    assert model.score(X, y) == 1
    assert model.n_mistakes_ <= margin_of(model, X, y, True).bound * (1 + 1e-6)


def test_the_margin_is_that_of_the_best_of_all_directions():
    X, y = HAND
    angles = np.linspace(0, np.pi, 721)
    polar, around = (grid.ravel() for grid in np.meshgrid(angles, 2 * angles))
    directions = np.column_stack(
        [np.cos(polar), np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)]
    )
    widths = ((2 * y - 1) * (directions @ Perceptron().terms(X).T)).min(axis=1)
    margin = margin_of(Perceptron(), X, y, True)
    assert margin.width == pytest.approx(widths.max(), rel=1e-3)
    assert margin.bound == pytest.approx(42)


def test_classes_that_overlap_have_no_margin():
    X, y = noise(1)
    margin = margin_of(Perceptron(), X, y, False)
    assert not margin.separable
    assert np.isnan(margin.bound)


@given(st.integers(0, 1000))
def test_the_pocket_is_never_worse_than_any_weights_before(seed):
    X, y = noise(seed, 20, 2)
    steps = list(Perceptron("best", max_iter=5).steps(X, y))
    Z = Perceptron().terms(X)
    errors = [int(((Z @ step.weights > 0) != (y == 1)).sum()) for step in steps]
    assert int(((Z @ steps[-1].decision_weights > 0) != (y == 1)).sum()) == min(errors)


def test_the_average_counts_each_row():
    X, y = noise(3, 12)
    steps = [step for step in Perceptron("average", max_iter=4).steps(X, y) if step.row is not None]
    mean = np.mean([step.weights for step in steps], axis=0)
    assert_allclose(steps[-1].decision_weights, mean)


def test_after_many_rows_each_epoch_is_a_step():
    X, y = noise(4, 100)
    phases = [step.phase for step in Perceptron(max_iter=5).steps(X, y)]
    assert sum(phase in {"right", "update"} for phase in phases) == 140
    assert phases[-5:] == ["epoch"] * 4 + ["done"]


def test_the_learning_rate_scales_the_weights_only():
    X, y = noise(5)
    slow, fast = (Perceptron(learning_rate=rate).fit(X, y) for rate in (1.0, 2.0))
    assert_allclose(fast.coef_, 2 * slow.coef_)


def test_start_weights_are_given_or_drawn():
    X, y = HAND
    start = next(iter(Perceptron(init=[1.0, 2.0, 3.0]).steps(X, y)))
    assert start.weights.tolist() == [1, 2, 3]

    def random_weights(seed):
        return next(iter(Adaline(init="random", random_state=seed).steps(X, y))).weights

    assert (random_weights(0) == random_weights(0)).all()
    assert (random_weights(0) != random_weights(1)).all()
    with pytest.raises(ValueError, match="3 finite initial weights"):
        Perceptron(init=[1.0]).fit(X, y)


def test_adaline_comes_near_least_squares():
    X, y = noise(6, 60)
    model = Adaline(learning_rate=0.001, max_iter=500).fit(X, y)
    best = np.linalg.lstsq(model.terms(X), 2.0 * y - 1, rcond=None)[0]
    assert_allclose(np.append(model.intercept_, model.coef_), best, atol=0.01)


def test_a_learning_rate_that_is_too_large_is_reported_with_its_epoch():
    X, y = noise(7)
    with pytest.warns(
        ConvergenceWarning,
        match=r"grow without bound in epoch \d+: the learning rate 5 is too large",
    ):
        model = Adaline(learning_rate=5.0).fit(X, y)
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("model", [Perceptron(), Adaline(learning_rate=1e-3)])
def test_odd_data(model):
    X, y = noise(8)
    constant = model.fit(np.column_stack([X, np.ones(len(X))]), y)
    assert constant.coef_[0, -1] == pytest.approx(constant.intercept_[0])
    with pytest.raises(ValueError, match="only one class"):
        model.fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="rescale its columns"):
        model.fit(X * 1e150, y)


def test_huge_values_have_finite_weights():
    X, y = noise(9)
    model = Perceptron(learning_rate=1e6).fit(X * 1e99, y)
    assert np.isfinite(model.decision_function(X * 1e99)).all()
