"""Priors of classes and of values, as the pages set them: by scikit-learn and by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.naive_bayes import GaussianNB

from dmlib.classification import NaiveBayes
from tests.visit import open_settings, technique

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
