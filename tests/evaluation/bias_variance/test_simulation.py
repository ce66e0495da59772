"""Bias and variance against scikit-learn's models, sums of parts, and the curves of sweeps."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.interpolate import make_smoothing_spline
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from dmlib.datasets import make
from dmlib.evaluation import BiasVariance
from dmlib.evaluation.bias_variance.families import BASIS, FAMILIES
from dmlib.evaluation.bias_variance.figures.sweeps import (
    COLUMNS,
    N_ROWS,
    descent_data,
    learning_data,
)
from dmlib.evaluation.bias_variance.reference import fit_training_sets
from dmlib.evaluation.bias_variance.truths import TRUTHS, truth_of

CURVE = make("noisy_curve", random_state=0).frame
X, Y = CURVE[["x"]].to_numpy(), CURVE["y"].to_numpy()
PLACES = np.linspace(-1, 1, 23)


def training_set(seed, n=30):
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(-1, 1, n)), rng.normal(size=n)


def theirs(name, level):
    """Return scikit-learn's model of a complexity, and the function that makes its terms."""

    def powers(degree):
        return lambda at: np.polynomial.legendre.legvander(at, degree)[:, 1:]

    if name == "polynomial":
        return LinearRegression(), powers(int(level)) if level else lambda at: np.zeros(
            (len(at), 1)
        )
    if name == "ridge":
        return Ridge(10.0**level), powers(BASIS)
    if name == "knn":
        return KNeighborsRegressor(int(level)), lambda at: at[:, None]
    depth = int(level)
    tree = DecisionTreeRegressor(
        max_depth=depth or 1, min_samples_split=2 if depth else 10**6, random_state=0
    )
    return tree, lambda at: at[:, None]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_complexity_is_scikit_learns_model(name):
    x, y = training_set(1)
    fits = FAMILIES[name].fits(x, y, PLACES)
    assert fits.shape == (len(FAMILIES[name].levels), len(PLACES) + len(x))
    for level, heights in zip(FAMILIES[name].levels, fits, strict=True):
        model, terms = theirs(name, level)
        expected = model.fit(terms(x), y).predict(terms(np.concatenate([PLACES, x])))
        np.testing.assert_allclose(
            heights, expected, rtol=1e-6, atol=1e-6, err_msg=f"{name} {level}"
        )


@pytest.mark.parametrize("name", FAMILIES)
def test_the_simulation_is_that_of_scikit_learns_models(name):
    model = BiasVariance(name, n_sets=20, random_state=3).fit(X, Y)
    reference = fit_training_sets(model, X, Y)
    np.testing.assert_allclose(model.mean_curve_, reference.mean_curve_, rtol=1e-6)
    assert model.bias_ == pytest.approx(reference.bias_, rel=1e-6)
    assert model.variance_ == pytest.approx(reference.variance_, rel=1e-6)


@pytest.mark.parametrize("settings", [{"degree": 0}, {"model": "tree", "max_depth": 0}])
def test_the_simplest_model_is_the_mean(settings):
    model = BiasVariance(**settings, n_sets=20, random_state=3).fit(X, Y)
    np.testing.assert_allclose(model.mean_curve_, fit_training_sets(model, X, Y).mean_curve_)


@settings(max_examples=25)
@given(
    st.sampled_from(list(FAMILIES)), st.sampled_from(TRUTHS), st.floats(0, 2), st.integers(0, 99)
)
def test_the_parts_add_up_to_the_error(name, truth, noise, seed):
    model = BiasVariance(name, truth=truth, noise=noise, n_sets=8, random_state=seed).fit(X, Y)
    direct = ((model.curves_ - model.truth_) ** 2).mean() + model.noise_
    assert model.error_ == pytest.approx(direct, rel=1e-9, abs=1e-12)
    assert model.bias_ + model.variance_ + model.noise_ == pytest.approx(model.error_)
    assert (model.variances_ >= -1e-12).all()


@settings(max_examples=25)
@given(st.sampled_from(list(FAMILIES)), st.floats(0, 2), st.integers(0, 99))
@example("polynomial", 5e-324, 0)
def test_the_parts_of_the_zero_one_loss_add_up_to_wrong_rows(name, noise, seed):
    model = BiasVariance(name, loss="zero_one", noise=noise, n_sets=9, random_state=seed).fit(X, Y)
    p = model.truth_
    direct = np.where(model.curves_ > 0.5, 1 - p, p).mean()
    assert model.error_ == pytest.approx(direct, rel=1e-9, abs=1e-12)
    assert 0 <= model.noise_ <= 0.5


def test_a_place_by_hand():
    heights = np.array([1.0, 2.0, 3.0, 4.0])
    model = BiasVariance()
    bias, variance, noise, mean = model._parts(heights[None, :, None], np.array([2.0]), 1.0)
    assert (mean.item(), bias.item(), variance.item(), noise.item()) == (2.5, 0.25, 1.25, 1.0)
    classes = BiasVariance(loss="zero_one")
    for votes, error in ((3, 0.44), (2, 0.56)):
        heights = np.repeat([1.0, 0.0], [votes, 5 - votes])[None, :, None]
        parts = classes._parts(heights, np.array([0.8]), 0.0)[:3]
        assert sum(part.item() for part in parts) == pytest.approx(error)


def test_the_training_error_of_a_polynomial_falls_with_its_degree():
    model = BiasVariance(random_state=0).fit(X, Y)
    assert (np.diff(model.train_errors_) <= 1e-12).all()
    assert (model.train_errors_ < model.errors_).all()


def test_more_rows_take_away_variance():
    of_few, of_many = (BiasVariance(n_samples=n, random_state=0).fit(X, Y) for n in (20, 200))
    assert of_many.variance_ < of_few.variance_ / 5


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("y", [np.zeros(7), np.arange(7.0), np.full(7, 1e12), np.arange(7) * 1e-12])
def test_any_heights_have_a_truth(truth, y):
    for x in (np.zeros(7), np.arange(7.0), np.array([1.0] * 6 + [1 + 1e-9])):
        curve = truth_of(truth, x, y)
        assert curve.low < curve.high
        assert np.isfinite(curve(np.linspace(curve.low, curve.high, 9))).all()


def test_numbers_that_are_too_large_are_refused():
    with pytest.raises(ValueError, match=r"square|large"):
        BiasVariance().fit(X, Y * 1e200)


def test_a_learning_curve_closes_the_gap():
    problem = SimpleNamespace(training=SimpleNamespace(arguments=(X, Y)))
    run = SimpleNamespace(problem=problem, model=BiasVariance(n_sets=20), seed=0)
    data = learning_data(run, None)
    gaps = data.error - data.training
    assert gaps[-1] < gaps[0] / 3


def test_the_error_peaks_where_columns_are_as_many_as_rows():
    data = descent_data(SimpleNamespace(seed=0), None)
    peak = COLUMNS[int(np.argmax(data.error))]
    assert abs(peak - N_ROWS) <= 2
    assert data.error[-1] < data.error.max() / 10
    assert data.training[-1] < 1e-6


def test_the_column_that_is_x_is_chosen():
    two = np.column_stack([Y, X[:, 0]])
    chosen = BiasVariance(n_sets=5, column=2, random_state=0).fit(two, Y)
    np.testing.assert_array_equal(
        chosen.curves_, BiasVariance(n_sets=5, random_state=0).fit(X, Y).curves_
    )
    with pytest.raises(
        ValueError,
        match="column is 3, but it must be the number of one of the columns, from 1 to 2",
    ):
        BiasVariance(column=3).fit(two, Y)


@pytest.mark.parametrize("name", FAMILIES)
def test_many_training_sets_at_once_are_each_alone(name):
    sets = [training_set(seed) for seed in range(3)]
    x, y = (np.array(each) for each in zip(*sets, strict=True))
    family = FAMILIES[name]
    for x_and_y, fits in zip(sets, family.fits(x, y, PLACES), strict=True):
        expected = family.fits(*x_and_y, PLACES)
        np.testing.assert_allclose(fits, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_smoothness_of_the_truth_is_scipys(seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(size=30)).round(2 if seed else 6)
    y = np.sin(6 * x) + rng.normal(scale=0.3, size=30)
    places, of = np.unique((x - x.min()) / np.ptp(x), return_inverse=True)
    n = np.bincount(of)
    z = (y - y.mean()) / y.std()
    expected = make_smoothing_spline(places.round(6), np.bincount(of, z) / n, w=n.astype(float))
    at = np.linspace(0, 1, 9)
    heights = (truth_of("data", x, y)(x.min() + np.ptp(x) * at) - y.mean()) / y.std()
    np.testing.assert_allclose(heights, expected(at), rtol=1e-4, atol=1e-4)
