"""Ranges of one's own, and simple functions of columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import preprocessing

from dmlib.preprocessing import Rescaler
from dmlib.preprocessing.transformation.ledger import formula
from tests.visit import open_preset


def random_table(seed):
    return np.random.default_rng(seed).gamma(2.0, 3.0, (40, 3)) + 0.5


@given(
    st.integers(0, 30), st.floats(-5, 5), st.floats(0.5, 100), st.floats(-3, 0), st.floats(0.5, 3)
)
def test_a_range_of_its_own_is_that_of_scikit_learn(seed, low, width, lower, width_of_limits):
    X = random_table(seed)
    ours = Rescaler("range", new_min=low, new_max=low + width).fit(X)
    theirs = preprocessing.MinMaxScaler((low, low + width)).fit(X)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-8)
    np.testing.assert_allclose(ours.inverse_transform(ours.prepared_), X, rtol=1e-6)
    upper = lower + width_of_limits
    own = Rescaler("range", new_min=low, new_max=low + width, lower=lower, upper=upper).fit(X)
    ends = own.transform([[lower] * X.shape[1], [upper] * X.shape[1]])
    np.testing.assert_allclose(ends.T, [[low, low + width]] * X.shape[1], atol=1e-9)


@pytest.mark.parametrize("p", [-2.0, -1.0, 0.5, 1.5, 3.0])
def test_powers_are_numpys_and_can_be_undone(p):
    X = random_table(3)
    ours = Rescaler("exponent", exponent=p).fit(X)
    np.testing.assert_allclose(ours.prepared_, X**p)
    np.testing.assert_allclose(ours.inverse_transform(ours.prepared_), X)
    odd = Rescaler("exponent", exponent=3.0).fit([[-2.0], [1.0]])
    assert odd.inverse_transform(odd.prepared_).tolist() == [[-2.0], [1.0]]


@pytest.mark.parametrize(
    ("scale", "settings", "values", "sentence"),
    [
        ("sqrt", {}, [-1.0, 4.0], "square root needs numbers from 0, not -1"),
        ("exponent", {"exponent": 0.5}, [-1.0, 4.0], "needs numbers from 0, not -1"),
        ("exponent", {"exponent": -1.0}, [0.0, 4.0], "needs numbers other than 0"),
        ("reciprocal", {}, [0.0, 4.0], "needs numbers other than 0"),
        ("exp", {}, [0.0, 1000.0], "too large for a computer number at 1000"),
        ("range", {"new_min": 2.0}, [0.0, 4.0], "must be below the new maximum"),
        ("range", {"lower": 5.0}, [0.0, 4.0], "must be below the upper one"),
    ],
)
def test_numbers_that_a_function_does_not_take_are_refused(scale, settings, values, sentence):
    with pytest.raises(ValueError, match=sentence):
        Rescaler(scale, **settings).fit(np.array(values)[:, None])


def test_a_sine_cannot_be_undone():
    ours = Rescaler("sin").fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match="cannot be undone"):
        ours.inverse_transform(ours.prepared_)


def test_the_formula_has_the_limits_and_the_new_range():
    model = Rescaler("range", new_min=1.0, new_max=10.0)
    step = list(model.steps([[1.0], [2.0], [3.0], [6.0]]))[1]
    # (3 - 1) / (6 - 1) * (10 - 1) + 1 = 4.6
    assert formula("range", step, 3.0, 4.6).endswith("(3 − 1) / (6 − 1) · (10 − 1) + 1 = 4.6")


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Squares by hand", [1.0, 4.0, 9.0, 36.0]),
        ("A sine loses the order", [0.8415, 0.9093, 0.1411, -0.2794]),
    ],
)
def test_numbers_of_the_presets(title, expected):
    run = open_preset("transformation", title).run
    scaled = run.fitted.transform(run.problem.X)
    assert scaled[:, 0].tolist() == pytest.approx(expected, abs=5e-5)
