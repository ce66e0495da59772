"""Priors of classes and of values, as the pages set them: by scikit-learn and by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.naive_bayes import GaussianNB

from dmlib.classification import NaiveBayes
from tests.visit import open_preset, open_settings, technique

PENGUINS = {"source": "library", "data": "penguins"}
METHODS = [("naive_bayes", {})] + [
    ("lda_classifier", {"method": method})
    for method in ("Linear", "Quadratic", "Regularised", "Diagonal")
]


@pytest.mark.parametrize(("slug", "method"), METHODS)
def test_equal_priors_are_those_of_the_library(slug, method):
    run, _ = open_settings(slug, **{**PENGUINS, "data": "iris"}, **method, priors_of="equal")
    n = len(run.problem.classes)
    assert_allclose(run.model.priors, [1 / n] * n)
    answer, X = technique(slug).check.answer(run), run.problem.training.data
    assert_allclose(answer.predict_proba(X), run.fitted.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize(("slug", "method"), METHODS[:2])
def test_a_prior_of_ones_own_leaves_the_ratio_of_the_others(slug, method):
    plain, _ = open_settings(slug, **PENGUINS, **method)
    name = plain.problem.classes[1]
    run, scene = open_settings(slug, **PENGUINS, **method, priors_of=name, priors=0.9)
    counts = np.bincount(run.problem.training.y)
    priors = run.model.priors
    assert priors[1] == 0.9
    assert priors[0] / priors[2] == pytest.approx(counts[0] / counts[2])
    ledger = str(scene["frames"][0]["ledger"])
    assert "0.9 as set" in ledger
    assert f"{counts[1]} / {counts.sum()}" in ledger
    assert (run.fitted.predict(run.problem.training.data) == 1).sum() >= (
        plain.fitted.predict(plain.problem.training.data) == 1
    ).sum()


def test_the_m_rows_are_divided_as_all_rows_are():
    sky = ["sun"] * 6 + ["rain"] * 2 + ["rain"] * 4
    y = ["yes"] * 8 + ["no"] * 4
    model = NaiveBayes(m_estimate=3, m_prior="shares").fit(pd.DataFrame({"sky": sky}), y)
    (table,) = model.tables_
    p = {"rain": 6 / 12, "sun": 6 / 12}
    expected = [(0 + 3 * p["sun"]) / (4 + 3), (6 + 3 * p["sun"]) / (8 + 3)]
    assert_allclose(table.probabilities[:, table.values.index("sun")], expected)


def test_shares_differ_from_equal_parts():
    frame = pd.DataFrame({"sky": ["a", "a", "a", "b"]})
    y = ["u", "u", "v", "v"]
    by_shares = NaiveBayes(m_estimate=4, m_prior="shares").fit(frame, y).tables_[0]
    uniform = NaiveBayes(m_estimate=4).fit(frame, y).tables_[0]
    assert_allclose(by_shares.probabilities[0], [(2 + 3) / 6, (0 + 1) / 6])
    assert_allclose(uniform.probabilities[0], [(2 + 2) / 6, (0 + 2) / 6])


def test_the_page_names_the_share_and_asks_about_it():
    from dmlib.classification.naive_bayes.questions import questions

    run, scene = open_settings(
        "naive_bayes", source="library", data="weather_nominal", m_estimate=3, m_prior="shares"
    )
    assert "3 · P(value)" in str(scene["frames"][1]["ledger"])
    asked = [question for question in questions(run) if question.topic == "estimate"]
    assert asked
    for question in asked:
        assert "to all values together" in question.prompt


def test_normal_columns_take_priors_as_the_library_does():
    X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([0, 2], [30, 10])[:, None]
    y = np.repeat([0, 1], [30, 10])
    ours = NaiveBayes(ddof=0, var_smoothing=1e-9, priors=[0.5, 0.5]).fit(X, y)
    theirs = GaussianNB(priors=[0.5, 0.5]).fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("numeric", ["gaussian", "multinomial"])
def test_a_prior_estimate_of_ones_own(numeric):
    """By definition: (n_v + m p) / (n + m), whatever p sums to over the values."""
    counts = pd.DataFrame({"a": [2, 0, 1, 3], "b": [1, 0, 4, 0]})
    words = pd.DataFrame({"status": ["single", "single", "married", "divorced"]})
    X = counts if numeric == "multinomial" else words
    model = NaiveBayes(m_estimate=3, m_prior=0.5, numeric=numeric).fit(X, [1, 1, 0, 0])
    for k, rows in enumerate((slice(2, 4), slice(0, 2))):
        if numeric == "multinomial":
            n = counts[rows].to_numpy().sum()
            expected = [(counts[rows][name].sum() + 1.5) / (n + 3) for name in counts]
            got = [table.probabilities[k, 0] for table in model.tables_]
        else:
            (table,) = model.tables_
            expected = [((words["status"][rows] == v).sum() + 1.5) / (2 + 3) for v in table.values]
            got = table.probabilities[k]
        assert_allclose(got, expected)


def test_one_over_v_of_ones_own_is_uniform_and_without_m_rows_it_changes_nothing():
    frame = pd.DataFrame({"sky": ["a", "a", "b", "b", "c"]})
    y = ["u", "u", "v", "v", "v"]

    def shares(**smoothing):
        return NaiveBayes(**smoothing).fit(frame, y).tables_[0].probabilities

    assert_allclose(shares(m_estimate=2, m_prior=1 / 3), shares(m_estimate=2))
    assert_allclose(shares(m_prior=0.9), shares())


def test_the_married_evader():
    from dmlib.classification.naive_bayes.questions import questions

    run, scene, look_for = open_preset("naive_bayes", "No evader is married")
    ledger = str(scene["frames"][1]["ledger"])
    assert "(0 + 1.5) / (3 + 3)" in ledger
    assert "(n(value) + 3 · 0.5) / (n + 3)" in ledger
    (table,) = run.fitted.tables_
    assert table.probabilities[1, table.values.index("married")] == 0.25
    assert "(0 + 1.5) / (3 + 3) = 0.25" in look_for
    asked = [question for question in questions(run) if question.topic == "estimate"]
    assert asked
    assert all("to the rows of the class" in question.prompt for question in asked)
