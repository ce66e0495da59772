"""Filters, probes, the zero-norm machine and coverage against libraries, brute force and theory."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, entropy, f_oneway, pearsonr
from sklearn.datasets import load_iris
from sklearn.feature_selection import SequentialFeatureSelector, f_classif
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mutual_info_score
from sklearn.svm import LinearSVC

from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    filter_scores,
    greedy_coverage,
)
from dmlib.feature_selection.filters import METHODS, UNSUPERVISED, quantile_bins
from dmlib.feature_selection.l0_svm import fit_machine
from dmlib.feature_selection.selector import standardised


@pytest.fixture
def numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)) * [1, 10, 0.1, 1, 1] + 3
    return X, X[:, 0] + 0.2 * X[:, 1] + rng.normal(size=60)


@pytest.fixture
def iris():
    return load_iris(return_X_y=True)


def test_correlation_is_scipys(numbers, iris):
    X, y = numbers
    np.testing.assert_allclose(filter_scores(X, y), [abs(pearsonr(x, y)[0]) for x in X.T])
    X, y = iris
    f = f_classif(X, y)[0]
    eta = np.sqrt(2 * f / (2 * f + len(y) - 3))
    np.testing.assert_allclose(filter_scores(X, y), eta)
    assert f[0] == pytest.approx(f_oneway(*(X[y == c, 0] for c in range(3)))[0])


def test_mutual_information_and_chi2_are_those_of_the_counts(iris):
    X, y = iris
    bins = [quantile_bins(x, 5) for x in X.T]
    expected = [mutual_info_score(y, b) / np.log(2) for b in bins]
    np.testing.assert_allclose(filter_scores(X, y, "mutual_information"), expected)
    counts = [np.histogram2d(b, y, (b.max() + 1, 3))[0] for b in bins]
    expected = [chi2_contingency(table, correction=False)[0] for table in counts]
    np.testing.assert_allclose(filter_scores(X, y, "chi2"), expected)


CODES = np.repeat([0, 1, 2, 3], [9, 2, 7, 6])


@pytest.mark.parametrize(
    "codes", [[0, 1, 2, 3], [3, 0, 2, 1], [10, -5, 0, 1000], [0.5, 0.25, 7.0, 1e12]]
)
@pytest.mark.parametrize("n_bins", [4, 5, 9])
def test_categories_are_scored_alike_whatever_their_codes(codes, n_bins):
    y = np.random.default_rng(0).integers(0, 3, len(CODES))
    X = np.asarray(codes, float)[CODES][:, None]
    table = np.histogram2d(CODES, y, (4, 3))[0]
    expected = {
        "mutual_information": mutual_info_score(CODES, y) / np.log(2),
        "chi2": chi2_contingency(table, correction=False)[0],
        "entropy": entropy(np.bincount(CODES), base=2),
    }
    for method, score in expected.items():
        assert filter_scores(X, y, method, n_bins=n_bins)[0] == pytest.approx(score)
    coded_target = np.asarray(codes, float)[CODES]  # numbers as the target, too
    assert filter_scores(y[:, None], coded_target, "chi2", n_bins=n_bins)[0] == pytest.approx(
        expected["chi2"]
    )


@pytest.mark.parametrize("method", METHODS)
def test_names_are_refused_in_a_sentence(method):
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": ["red", "blue", "red"]})
    y = [1.0, 2.0, 4.0]
    for score in (
        lambda: filter_scores(frame, y, method),
        lambda: FilterSelector(score_func=method).fit(frame, y),
    ):
        with pytest.raises(
            ValueError, match=r"The column 'colour' holds names such as 'red'.*of 0 and 1, or leave"
        ):
            score()
    texts = pd.DataFrame({"size": ["1", "2", "3"]})
    assert filter_scores(texts, y, "variance")[0] == 1.0


def test_hsic_is_the_trace_of_its_definition(numbers):
    X, y = numbers
    n = len(X)
    H = np.eye(n) - 1 / n
    kernel = [
        np.exp(-0.5 * np.subtract.outer(z, z) ** 2) for z in standardised(np.column_stack([X, y])).T
    ]
    expected = [np.trace(K @ H @ kernel[-1] @ H) / (n - 1) ** 2 for K in kernel[:-1]]
    np.testing.assert_allclose(filter_scores(X, y, "hsic"), expected)


def test_hsic_sees_what_correlation_does_not():
    x = np.linspace(-1, 1, 101)
    X = np.column_stack([x, np.random.default_rng(0).permutation(x)])
    assert filter_scores(X, x**2)[0] < 1e-9
    scores = filter_scores(X, x**2, "hsic")
    assert scores[0] > 10 * scores[1]


def test_unsupervised_filters(numbers):
    X, _ = numbers
    np.testing.assert_allclose(filter_scores(X, method="variance"), X.var(axis=0, ddof=1))
    expected = [entropy(np.histogram(x, 5)[0], base=2) for x in X.T]
    np.testing.assert_allclose(filter_scores(X, method="entropy"), expected)
    r = np.abs(np.corrcoef(X.T)) - np.eye(5)
    np.testing.assert_allclose(filter_scores(X, method="density"), r.sum(axis=0) / 4)
    wave, noise = np.sin(np.arange(400) / 10), np.random.default_rng(1).normal(size=400)
    smooth = filter_scores(np.column_stack([wave, noise]), method="smoothness")
    assert smooth[0] > 0.99
    assert abs(smooth[1]) < 0.2
    np.testing.assert_allclose(
        filter_scores(X, method="reliability", errors=X.std(axis=0) / 2), 0.75
    )  # a quarter of the variance is error


def naive_relief(X, y, k):
    """Return the weights by the textbook's loops for classes."""
    gap = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    shares, w = np.bincount(y) / len(y), np.zeros(X.shape[1])
    for i in range(len(X)):
        for c in range(len(shares)):
            members = [r for r in range(len(X)) if y[r] == c and r != i]
            nearest = sorted(members, key=lambda r: gap[i, r].sum())[:k]
            mean = np.mean([gap[i, r] for r in nearest], axis=0)
            w += -mean if c == y[i] else shares[c] / (1 - shares[y[i]]) * mean
    return w / len(X)


def naive_rrelief(X, y, k):
    gap, dy = (
        np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0),
        np.abs(np.subtract.outer(y, y)) / np.ptp(y),
    )
    n_c, n_a, n_ca, m = 0.0, np.zeros(X.shape[1]), np.zeros(X.shape[1]), len(X)
    for i in range(m):
        for r in sorted((r for r in range(m) if r != i), key=lambda r: gap[i, r].sum())[:k]:
            n_c, n_a, n_ca = (
                n_c + dy[i, r] / k,
                n_a + gap[i, r] / k,
                n_ca + dy[i, r] * gap[i, r] / k,
            )
    return n_ca / n_c - (n_a - n_ca) / (m - n_c)


def test_relief_is_the_textbooks(iris, numbers):
    rng = np.random.default_rng(0)
    X, y = iris
    X = X[::3] + rng.normal(scale=1e-6, size=(50, 4))
    np.testing.assert_allclose(
        filter_scores(X, y[::3], "relieff", n_neighbors=4), naive_relief(X, y[::3], 4)
    )
    X, y = numbers
    np.testing.assert_allclose(
        filter_scores(X, y, "relieff", n_neighbors=7), naive_rrelief(X, y, 7)
    )


def test_relief_sees_two_columns_that_are_useful_together():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(300, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    weights = filter_scores(X, y, "relieff")
    assert min(weights[:2]) > max(weights[2:]) + 0.05
    assert filter_scores(X, y)[:2].max() < 0.2


@pytest.mark.parametrize("method", METHODS)
def test_any_filter_takes_constant_columns_and_two_rows(method):
    X = np.array([[1.0, 5.0], [2.0, 5.0]])
    scores = filter_scores(X, [1.0, 2.0], method)
    assert np.isfinite(scores).all()
    assert method in UNSUPERVISED or scores[1] <= scores[0]
    with pytest.raises(ValueError, match="method must be one of"):
        filter_scores(X, method="nonsense")
    if method not in UNSUPERVISED:
        with pytest.raises(ValueError, match="scores columns by a target"):
            filter_scores(X, method=method)
        with pytest.raises(ValueError, match="requires y"):
            FilterSelector(score_func=method).fit(X)


def test_the_filter_keeps_the_best(numbers):
    X, y = numbers
    model = FilterSelector(k=2).fit(X, y)
    assert set(model.get_support(indices=True)) == set(np.argsort(-model.scores_)[:2])
    assert sorted(model.ranking_) == [1, 2, 3, 4, 5]
    assert FilterSelector(k=50).fit(X, y).support_.all()


# --- probes ---------------------------------------------------------------------------------------


def test_columns_come_in_the_order_of_forward_selection(numbers):
    X, y = numbers
    model = ProbeSelector(n_probes=8, max_share=0.5, random_state=0)
    *_, last = model.steps(X, y)
    table = np.column_stack([X, model.probe_columns(X)])
    folds = [(np.arange(len(y)), np.arange(len(y)))]
    for k in range(1, len(last.added)):
        theirs = SequentialFeatureSelector(
            LinearRegression(), n_features_to_select=k, scoring="r2", cv=folds
        )
        assert set(theirs.fit(table, y).get_support(indices=True)) == set(last.added[:k])
    columns = table[:, last.added]
    expected = LinearRegression().fit(columns, y).score(columns, y)
    assert last.explained == pytest.approx(expected)


@pytest.mark.parametrize(("probes", "share"), [("shuffled", 0.0), ("normal", 0.0), ("normal", 0.4)])
def test_it_ends_when_probes_come(numbers, probes, share):
    X, y = numbers
    *_, last = ProbeSelector(probes=probes, max_share=share, random_state=3).steps(X, y)
    n_probes = sum(j >= 5 for j in last.added)
    assert n_probes <= share * max(len(last.added), 1)
    assert last.moved is None or last.moved >= 5


def test_of_pure_chance_hardly_anything_is_taken():
    rng = np.random.default_rng(0)
    n_selected = [
        ProbeSelector(n_probes=20, random_state=i)
        .fit(rng.normal(size=(40, 5)), rng.normal(size=40))
        .support_.sum()
        for i in range(400)
    ]
    assert np.mean(np.array(n_selected) > 0) == pytest.approx(5 / 25, abs=0.06)


# --- the zero-norm machine ------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_a_machine_is_liblinears(C):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    sign = np.where(X[:, 0] + rng.normal(size=60) > 0.3, 1.0, -1.0)
    theirs = LinearSVC(C=C, dual=False, tol=1e-10, max_iter=100_000).fit(X, sign)
    np.testing.assert_allclose(
        fit_machine(X, sign, C), [*theirs.coef_[0], theirs.intercept_[0]], atol=1e-6
    )


def test_the_loop_is_that_of_weston_et_al(iris):
    X, y = iris
    model = L0SVM(max_iter=5, tol=0.0).fit(X, y)
    Z, scale = standardised(X), np.ones(4)
    for _ in range(5):
        theirs = LinearSVC(dual=False, tol=1e-10, max_iter=100_000).fit(Z * scale, y)
        scale = scale * np.sqrt((theirs.coef_**2).mean(axis=0))
        scale[scale <= 1e-4 * scale.max()] = 0
    np.testing.assert_allclose(model.scale_, scale, atol=1e-5)
    assert model.score(X, y) > 0.9


def test_noise_columns_vanish():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 30))
    y = np.where(X[:, 3] - X[:, 7] > 0, "yes", "no")
    model = L0SVM().fit(X, y)
    assert {3, 7} <= set(model.get_support(indices=True))
    assert model.support_.sum() <= 4
    assert model.score(X, y) > 0.95
    np.testing.assert_array_equal(
        np.sign(model.decision_function(X)) > 0, model.predict(X) == "yes"
    )


# --- coverage -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_greedy_covers_63_percent_of_the_best(seed, k):
    rng = np.random.default_rng(seed)
    covers = rng.random((7, 12)) < 0.3
    chosen = greedy_coverage(covers, k)
    best = max(covers[list(sets)].any(axis=0).sum() for sets in itertools.combinations(range(7), k))
    assert covers[chosen].any(axis=0).sum() >= (1 - 1 / np.e) * best - 1e-9


def test_all_columns_are_covered(numbers):
    X = np.column_stack([numbers[0], numbers[0][:, 0] * -2, numbers[0][:, 1] + 1])
    model = CoverageSelector(threshold=0.9).fit(X)
    assert model.covered_.all()
    assert model.support_.sum() == 5
    with pytest.raises(ValueError, match="table of sets by elements"):
        greedy_coverage([True, False])
