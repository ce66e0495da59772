"""Curves over one column against NumPy, scikit-learn, SciPy and statsmodels, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler
from statsmodels.nonparametric.smoothers_lowess import lowess

from dmlib.datasets import load
from dmlib.regression import LinearRegression, LocalRegression, NaturalSpline, PolynomialRegression
from dmlib.regression.polynomial_regression.algorithm import MAX_DEGREE, condition
from dmlib.regression.polynomial_regression.local_regression import SPANS


def rows(seed=0, n=40):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 12, n)
    return x[:, None], np.sin(x) + 0.3 * rng.normal(size=n)


def test_a_parabola_by_hand():
    X, y = [[-1.0], [0.0], [1.0], [2.0]], [1.0, 0.0, 1.0, 4.0]
    constant, line, parabola, done = PolynomialRegression(2).steps(X, y)
    assert [step.sse for step in (constant, line, parabola)] == pytest.approx([9, 4, 0], abs=1e-12)
    assert (line.added, parabola.added) == pytest.approx((5**0.5, 2))
    assert done.phase == "done"
    assert PolynomialRegression(2).fit(X, y).predict([[10.0]]) == pytest.approx([100])


@given(st.integers(0, 40), st.integers(1, 12))
def test_numpy_gives_the_same_polynomial(seed, degree):
    X, y = rows(seed)
    theirs = np.polynomial.Polynomial.fit(X[:, 0], y, degree)
    ours = PolynomialRegression(degree).fit(X, y)
    at = np.linspace(-4, 13, 30)
    np.testing.assert_allclose(ours.predict(at[:, None]), theirs(at), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(ours.powers_, theirs.coef, rtol=1e-6, atol=1e-6)


@given(st.integers(0, 20), st.integers(1, MAX_DEGREE), st.sampled_from([1e-4, 0.3, 50.0]))
def test_scikit_learn_gives_the_same_ridge(seed, degree, alpha):
    X, y = rows(seed)
    parts = MinMaxScaler((-1, 1)), PolynomialFeatures(degree, include_bias=False), StandardScaler()
    theirs = make_pipeline(*parts, Ridge(alpha, solver="svd")).fit(X, y)
    ours = PolynomialRegression(degree, alpha=alpha).fit(X, y)
    np.testing.assert_allclose(ours.fitted_, theirs.predict(X), atol=1e-7)


@given(st.integers(0, 20), st.integers(3, 20))
def test_scipy_spans_the_same_splines(seed, n_knots):
    X, y = rows(seed)
    ours = NaturalSpline(n_knots).fit(X, y)
    columns = CubicSpline(ours.knots_, np.eye(n_knots), bc_type="natural")
    coef = np.linalg.lstsq(columns(X[:, 0]), y)[0]
    inside = np.linspace(X.min(), X.max(), 50)
    np.testing.assert_allclose(ours.predict(inside[:, None]), columns(inside) @ coef, atol=1e-8)
    before, end, beyond = ours.predict([[X.max()], [X.max() + 1], [X.max() + 2]])
    assert beyond - end == pytest.approx(end - before, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("place", [-1e200, -1e9, 11.0, 1e5, 1e9, 1e15, 1e200])
def test_far_from_the_rows_a_spline_is_the_line_of_its_end(place):
    x = np.arange(11.0)
    ours = NaturalSpline(5).fit(x[:, None], np.sin(x))
    columns = CubicSpline(ours.knots_, np.eye(5), bc_type="natural")
    coef = np.linalg.lstsq(columns(x), np.sin(x))[0]
    end = 10.0 if place > 0 else 0.0
    expected = (columns(end) + (place - end) * columns(end, 1)) @ coef
    assert ours.predict([[place]])[0] == pytest.approx(expected, rel=1e-9)
    if place == 1e9:
        assert expected == pytest.approx(-1_136_115_579, abs=1)


@pytest.mark.parametrize("origin", [1e6, 1e9, 1e12])
def test_a_spline_of_a_column_far_from_zero_is_that_of_a_near_one(origin):
    x = np.arange(11.0)
    usual, far = (NaturalSpline(5).fit(places[:, None], np.sin(x)) for places in (x, x + origin))
    np.testing.assert_allclose(
        far.predict((x + origin + 5)[:, None]), usual.predict((x + 5)[:, None]), rtol=1e-9
    )


@pytest.mark.parametrize("n_iter", [0, 1, 3])
@given(seed=st.integers(0, 20), span=st.floats(0.15, 1.0))
def test_statsmodels_gives_the_same_local_lines(n_iter, seed, span):
    X, y = rows(seed)
    ours = LocalRegression(span, n_iter=n_iter).fit(X, y)
    theirs = lowess(y, X[:, 0], frac=span, it=n_iter, return_sorted=False)
    np.testing.assert_allclose(ours.fitted_, theirs, atol=1e-8)


@pytest.mark.parametrize("degree", [0, 2])
def test_local_constants_and_parabolas_are_weighted_least_squares(degree):
    X, y = rows(3)
    x, place = X[:, 0], 4.0
    ours = LocalRegression(0.4, degree=degree).fit(X, y)
    radius = np.sort(np.abs(x - place))[int(0.4 * len(x)) - 1]
    weights = np.clip(1 - np.abs((x - place) / radius) ** 3, 0, 1) ** 3
    theirs = np.polyfit(x - place, y, degree, w=np.sqrt(weights))[-1]
    assert ours.predict([[place]]) == pytest.approx(theirs)


def one_by_one(model, X, y):
    """Return the leave-one-out error by fitting the model anew without each row."""
    residuals = []
    for i in range(len(y)):
        model.fit(np.delete(X, i, axis=0), np.delete(y, i))
        residuals.append(y[i] - model.predict(X[i : i + 1])[0])
    return np.sqrt(np.mean(np.square(residuals)))


@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_polynomials_miss_rows_that_are_left_out_as_counted(alpha):
    X, y = rows(5)
    X_test, y_test = rows(6)
    model = PolynomialRegression(3, alpha=alpha).fit(X, y)
    errors = model.errors(X[:, 0], y, X_test[:, 0], y_test)
    for degree in (1, 4, 9):
        model = PolynomialRegression(degree, alpha=alpha).fit(X, y)
        assert errors.train[degree] == pytest.approx(model.rmse_)
        assert errors.test[degree] == pytest.approx(
            np.sqrt(np.mean((y_test - model.predict(X_test)) ** 2))
        )
        if not alpha:  # a penalty on standardised powers changes with the rows
            assert errors.left_out[degree] == pytest.approx(
                one_by_one(PolynomialRegression(degree), X, y)
            )
    assert (np.diff(errors.train) <= 1e-9).all() or alpha


def test_splines_and_neighbourhoods_have_the_errors_of_their_fits():
    X, y = rows(5)
    X_test, y_test = rows(6)
    spline = NaturalSpline(5).fit(X, y)
    errors = spline.errors(X[:, 0], y, X_test[:, 0], y_test)
    at = errors.levels.tolist().index(5.0)
    assert errors.train[at] == pytest.approx(spline.rmse_)
    assert errors.test[at] == pytest.approx(
        np.sqrt(np.mean((y_test - spline.predict(X_test)) ** 2))
    )
    local = LocalRegression(SPANS[8]).fit(X, y)
    errors = local.errors(X[:, 0], y, X_test[:, 0], y_test)
    assert errors.train[8] == pytest.approx(local.rmse_)
    assert errors.test[8] == pytest.approx(np.sqrt(np.mean((y_test - local.predict(X_test)) ** 2)))


def test_a_row_weighs_in_its_own_height_as_counted():
    X, y = rows(5)
    model = LocalRegression(0.5).fit(X, y)
    _, _, own = model.local(X[:, 0], y, X[:, 0], model.trust_)
    moved = y.copy()
    moved[7] += 1
    assert LocalRegression(0.5).fit(X, moved).fitted_[7] - model.fitted_[7] == pytest.approx(own[7])


@given(st.integers(0, 30))
def test_the_sse_never_rises_with_the_degree(seed):
    X, y = rows(seed, n=30)
    sse = [step.sse for step in PolynomialRegression(MAX_DEGREE).steps(X, y)]
    assert (np.diff(sse) <= 1e-9).all()


def test_degree_one_and_two_knots_are_the_line_of_least_squares():
    X, y = rows(2)
    line = LinearRegression().fit(X, y).predict(X)
    np.testing.assert_allclose(PolynomialRegression(1).fit(X, y).fitted_, line)
    np.testing.assert_allclose(NaturalSpline(2).fit(X, y).fitted_, line)


@pytest.mark.parametrize(
    "model", [PolynomialRegression(25), NaturalSpline(20), LocalRegression(0.1, degree=2)]
)
def test_few_places_allow_few_levels(model):
    fitted = model.fit([[0.0], [0.0], [1.0], [1.0]], [0.0, 2.0, 4.0, 6.0])
    assert fitted.fitted_ == pytest.approx([1, 1, 5, 5])
    flat = model.fit([[3.0]] * 4, [0.0, 2.0, 4.0, 6.0])
    assert flat.predict([[3.0], [9.0]]) == pytest.approx([3, 3])


def test_the_condition_number_is_that_of_the_powers():
    x = load("mtcars").frame["hp"].to_numpy(float)
    raw, scaled = condition(x, 4)
    assert raw == pytest.approx(np.linalg.cond(np.vander(x, 5)))
    assert scaled < 100
    assert raw > 1e9
    assert condition(np.array([0.0, 1e200, 3e200]), 2)[0] == np.inf


def test_what_is_too_large_is_refused():
    with pytest.raises(ValueError, match="too large"):
        PolynomialRegression().fit([[1e200], [-1e200], [0.0]], [0.0, 1.0, 2.0])
