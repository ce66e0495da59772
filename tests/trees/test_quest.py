"""QUEST against SciPy's tests and scikit-learn's discriminant analysis."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency, f_oneway, levene, norm
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from dmlib.classification import QUEST, DecisionTreeClassifier
from dmlib.datasets import load
from dmlib.trees.quest import analysis_of_variance, discriminant_coordinates, divide_normals
from dmlib.trees.significance import p_value
from tests.classification.decision_tree.data import params_of


def root(X, y, **params):
    return next(iter(DecisionTreeClassifier(**params_of(QUEST) | params).steps(X, y)))


def test_columns_compete_by_f():
    X, y = load_iris(return_X_y=True)
    step = root(X, y)
    for candidate in step.candidates:
        expected = f_oneway(*(X[y == k, candidate.split.column] for k in range(3)))
        assert candidate.test.kind == "F"
        assert_allclose(candidate.test.statistic, expected.statistic, rtol=1e-9)
        assert_allclose(p_value(candidate.score), min(1, 4 * expected.pvalue), rtol=1e-6)
    assert step.chosen.split.column == 2
    assert step.chosen.test.cut.first == (0,)
    assert step.chosen.counts.tolist() == [[50, 0, 0], [0, 50, 50]]


def test_nominal_columns_compete_by_chi_squared():
    frame = load("heart_disease").frame.dropna()
    X, y = frame[["age", "chest_pain", "thal"]], frame["narrowing"]
    step = root(X, y)
    tests = {X.columns[candidate.split.column]: candidate for candidate in step.candidates}
    for name in ("chest_pain", "thal"):
        expected = chi2_contingency(pd.crosstab(X[name], y), correction=False)
        assert_allclose(tests[name].test.statistic, expected.statistic)
        assert_allclose(p_value(tests[name].score), 3 * expected.pvalue, rtol=1e-9)
    expected = f_oneway(*(part["age"] for _, part in X.groupby(y)))
    assert_allclose(p_value(tests["age"].score), 3 * expected.pvalue, rtol=1e-9)
    assert X.columns[step.chosen.split.column] == "thal"


def test_spreads_are_compared_where_means_are_alike():
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(0, 1, 80), rng.normal(0, 6, 80)])
    X, y = np.column_stack([rng.normal(size=160), x]), np.repeat([0, 1], 80)
    assert f_oneway(x[:80], x[80:]).pvalue > 0.05
    step = root(X, y)
    assert (step.chosen.split.column, step.chosen.test.kind) == (1, "Levene")
    expected = levene(x[:80], x[80:], center="mean")
    assert_allclose(step.chosen.test.statistic, expected.statistic, rtol=1e-9)
    assert_allclose(p_value(step.chosen.score), min(1, 4 * expected.pvalue), rtol=1e-6)


def test_noise_is_not_split():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 4)), rng.integers(0, 2, 120)
    assert root(X, y, alpha_split=0.001).phase == "leaf"
    assert root(X, y, alpha_split=1.0).phase == "split"


@pytest.mark.parametrize("seed", range(6))
def test_the_cut_is_where_the_quadratic_discriminant_changes_its_mind(seed):
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(0, 1, 60), rng.normal(3, rng.uniform(0.5, 3), 40)])
    y = np.repeat([0, 1], [60, 40])
    cut = divide_normals(x, y, np.ones(100))
    densities = [0.6 * norm.pdf(cut.place, x[:60].mean(), x[:60].std(ddof=1))]
    densities.append(0.4 * norm.pdf(cut.place, x[60:].mean(), x[60:].std(ddof=1)))
    assert x.min() <= cut.place < x.max()
    assert_allclose(densities[0], densities[1], rtol=1e-9)
    answers = (
        QuadraticDiscriminantAnalysis()
        .fit(x[:, None], y)
        .predict([[cut.place - 0.1], [cut.place + 0.1]])
    )
    assert answers.tolist() == [0, 1]


def test_equal_spreads_give_the_linear_discriminant():
    x = np.array([0.0, 1, 2, 5, 6, 7, 5, 6, 7])
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1, 1])
    cut = divide_normals(np.append(x[:3], x[3:6]), y[:6], np.ones(6))
    assert cut.place == pytest.approx(3.5)
    weighted = divide_normals(x[:6], y[:6], np.array([1.0, 1, 1, 3, 3, 3]))
    assert weighted.place < 3.5  # the larger group gets more room
    spread = np.tile([-1.0, 1.0], 4)
    x, y = np.append(spread[:4], 4 + spread), np.repeat([0, 1], [4, 8])
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(x[:, None], y)
    place = divide_normals(x, y, np.ones(12)).place
    assert place < 2
    # The variances differ a little, by n - 1.
    assert abs(model.decision_function([[place]])[0]) < 0.5


def test_a_single_value_is_cut_off():
    x, y = np.array([1.0, 1, 1, 1, 2, 3, 4]), np.array([0, 0, 0, 0, 1, 1, 1])
    assert divide_normals(x, y, np.ones(7)).place == pytest.approx(1.5)
    assert divide_normals(-x, y, np.ones(7)).place == pytest.approx(-1.5)
    assert divide_normals(np.ones(4), np.array([0, 1, 0, 1]), np.ones(4)) is None
    assert divide_normals(x, np.zeros(7, int), np.ones(7)) is None


def test_many_classes_make_two_groups_by_their_means():
    x = np.array([0.0, 1, 0.5, 1.5, 9, 10, 11, 12])
    cut = divide_normals(x, np.repeat([3, 0, 1, 2], 2), np.ones(8))
    assert (cut.first, cut.second) == ((0, 3), (1, 2))
    assert 1.5 < cut.place < 9


def test_coordinates_separate_the_classes_most():
    """They are those of a linear discriminant analysis of the indicators."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 5, 400)
    y = (rng.random(400) < np.array([0.1, 0.8, 0.3, 0.5, 0.9])[codes]).astype(int) + (codes == 3)
    counts = np.array([np.bincount(y[codes == v], minlength=3) for v in range(5)], float)
    places = discriminant_coordinates(counts)
    indicators = np.eye(5)[codes][:, 1:]
    model = LinearDiscriminantAnalysis(solver="eigen", n_components=1).fit(indicators, y)
    expected = np.array([model.transform(np.eye(5)[[v]][:, 1:])[0, 0] for v in range(5)])
    assert abs(np.corrcoef(places, expected)[0, 1]) == pytest.approx(1, abs=1e-6)
    shares = analysis_of_variance(places[codes], y, np.ones(400))[0]
    for _ in range(50):
        assert analysis_of_variance(rng.normal(size=5)[codes], y, np.ones(400))[0] <= shares * (
            1 + 1e-9
        )
    assert np.isnan(discriminant_coordinates(np.array([[3.0, 1], [0, 0], [1, 2]]))[1])


def test_weights_are_numbers_of_rows():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    X[:, 0] += y
    weights = rng.integers(1, 4, 60)
    weighted = QUEST().fit(X, y, sample_weight=weights).tree_
    repeated = QUEST().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).tree_
    assert_allclose(weighted.threshold, repeated.threshold, rtol=1e-9)


def test_missing_values_go_to_the_better_side():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 200)
    x = np.where((rng.random(200) < 0.4) & (y == 1), np.nan, rng.normal(size=200) + 4 * y)
    split = root(x[:, None], y, missing="category").chosen.split
    assert split.missing == 1
    sky = pd.DataFrame({"sky": np.where(y == 1, None, "blue")})
    model = DecisionTreeClassifier(**params_of(QUEST) | {"missing": "category"}).fit(sky, y)
    assert model.score(sky, y) == 1
