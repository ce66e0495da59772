"""Tests of two models against SciPy and statsmodels, leaks, and repeated estimates."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris

from dmlib.datasets import load, make
from dmlib.evaluation import ClassifierResampling, corrected_resampled_t, mcnemar, paired_t
from dmlib.evaluation.resampling.figures.comparisons import plot_two_models
from dmlib.evaluation.resampling.figures.repetitions import repetitions, source_of
from dmlib.evaluation.resampling.leakage import leakage, tuning
from dmlib.evaluation.resampling.ledger import Rivals, rivals_blocks
from dmlib.evaluation.resampling.table_leakage import table_leakage
from dmlib.pictures.ledger import Formula
from dmlib.problem import prepare


def test_paired_t_is_scipys():
    rng = np.random.default_rng(0)
    a, b = rng.random(10), rng.random(10)
    expected = stats.ttest_rel(a, b)
    test = paired_t(a, b)
    assert (test.statistic, test.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert test.df == 9


def test_corrected_t_by_hand():
    test = corrected_resampled_t([0.2, 0.3, 0.25, 0.3], [0.1, 0.25, 0.2, 0.2], 1 / 3)
    assert test.statistic == pytest.approx(3.402, abs=5e-4)
    assert test.p_value == pytest.approx(0.0424, abs=5e-5)


def test_no_difference_is_no_division_by_zero():
    assert np.isnan(paired_t([0.1, 0.2], [0.1, 0.2]).statistic)
    assert np.isnan(paired_t([0.1], [0.2]).p_value)
    assert mcnemar([0, 1], [0, 1]).p_value == 1.0


@pytest.mark.parametrize("difference", [0.0, 0.1, 1 / 3])
@pytest.mark.parametrize("k", [2, 5, 10])
def test_a_difference_that_is_the_same_on_all_splits_has_no_test(k, difference):
    second = np.random.default_rng(k).random(k)
    first = second + difference  # differences vary by rounding: 3.5e-32 was such a p
    for test in (paired_t(first, second), corrected_resampled_t(first, second, 1 / (k - 1))):
        assert np.isnan([test.statistic, test.p_value]).all()
        assert (test.difference, test.error) == (pytest.approx(difference), 0.0)
    first[0] += 1e-9  # that varies
    assert paired_t(first, second).p_value == pytest.approx(stats.ttest_rel(first, second).pvalue)


def test_the_page_says_that_a_difference_without_variation_has_no_test():
    same = paired_t([0.2, 0.3], [0.1, 0.2])
    comparison = Rivals("k-NN", (0.25, 0.15), same, same, None, 1.0)
    texts = [block.text for block in rivals_blocks(comparison, "knn") if isinstance(block, Formula)]
    assert sum("the same in all splits" in text for text in texts) == 2
    assert "the same in all splits" in plot_two_models(comparison, "tree").layout.title.text


def test_mcnemar_is_statsmodels():
    table = pytest.importorskip("statsmodels.stats.contingency_tables")
    rng = np.random.default_rng(1)
    a, b = rng.random(60) < 0.4, rng.random(60) < 0.2
    counts = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
    assert mcnemar(a, b).p_value == pytest.approx(table.mcnemar(counts, exact=True).pvalue)


def test_leaks_make_noise_look_learned():
    errors = leakage(12, random_state=0)
    leaking, honest = errors.leaking.mean(axis=1), errors.honest.mean(axis=1)
    assert abs(leaking[0] - honest[0]) < 0.1  # scaling: hardly any harm
    assert (leaking[1:] < 0.4).all()
    assert (np.abs(honest - 0.5) < 0.1).all()


def test_leaks_are_the_same_wherever_they_are_computed():
    np.testing.assert_array_equal(leakage(2).leaking, leakage(2).leaking)


@pytest.mark.parametrize("numbers", [False, True])
def test_leaks_of_a_table_hide_errors_where_nothing_can_be_learned(numbers):
    rng = np.random.default_rng(0)
    table, y = rng.normal(size=(50, 200)), rng.normal(size=50)
    model = "knn_regression" if numbers else "knn"
    errors = table_leakage(model, table, y if numbers else y > 0, numbers=numbers, n_repetitions=4)
    gaps = (errors.honest - errors.leaking).mean(axis=1) / errors.honest.mean()
    gap = dict(zip(errors.names, gaps, strict=True))
    assert abs(gap["scaling"]) < 0.1
    assert gap["selection of columns"] > 0.15
    assert gap["imputation by target"] > 0.2


def test_leaks_of_a_table_take_missing_values_and_leave_nominal_columns_out():
    frame = load("penguins").frame
    X, y = frame[frame.columns.drop("species")], frame["species"].to_numpy()
    errors = table_leakage("naive_bayes", X, y, n_repetitions=1)
    assert errors.leaking.shape == (3, 1)
    assert (errors.honest < 0.2).all()
    with pytest.raises(ValueError, match="need numeric columns"):
        table_leakage("naive_bayes", frame[["island"]], frame["species"])
    with pytest.raises(ValueError, match="at least 10 rows; there are 4"):
        table_leakage("knn", np.eye(4), [0, 1, 0, 1])


def test_the_best_of_many_is_the_luckiest():
    best = tuning(24, [1, 10, 100]).mean(axis=1)
    assert best[0] == pytest.approx(0.5, abs=0.02)
    assert best[2] < best[1] < best[0]


def test_repetitions_know_the_true_error():
    table = make("moons", n_samples=60, noise=0.4, random_state=0)
    problem = prepare(table.frame, ["x", "y"], target="class", labelled=True)
    code = "table = make('moons', n_samples=60, noise=0.4, random_state=0)"
    model = ClassifierResampling("naive_bayes", random_state=0)
    errors = repetitions(model, problem, code, 12)
    assert len(errors.estimates) == len(errors.true) == 12
    assert abs(errors.estimates.mean() - errors.true.mean()) < 0.05
    assert errors.estimates.std() > errors.true.std()
    same = repetitions(model, problem, "table = load('iris')", 3)
    assert not len(same.true)


def test_only_a_generator_is_a_source():
    assert source_of("table = load('iris')") is None
    assert (
        source_of("from dmlib.datasets import make\n\ntable = make('xor', n_samples=9)\n").name
        == "xor"
    )


def test_iris_is_better_than_guessing():
    X, y = load_iris(return_X_y=True)
    assert ClassifierResampling("knn", random_state=0).fit(X, y).estimate_ < 0.06
