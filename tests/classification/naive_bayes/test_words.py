"""Naive Bayes of words: Bernoulli and multinomial, as in scikit-learn and in the textbook."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from dmlib.classification import NaiveBayes
from dmlib.classification.naive_bayes.reference import naive_bayes_reference
from dmlib.comparison import Incomparable
from dmlib.datasets import load
from tests.visit import open_preset

LIBRARY = {"bernoulli": BernoulliNB, "multinomial": MultinomialNB}
FRAME = load("china_words").frame
WORDS = FRAME.drop(columns="china").to_numpy(float)
TEXTS, CHINA = WORDS[:4], FRAME["china"][:4].astype(str).to_numpy()
LESSON = (Path(__file__).parents[3] / "assets" / "pages" / "naive_bayes" / "lesson.md").read_text(
    "utf-8"
)


@pytest.mark.parametrize("model", LIBRARY)
@given(st.integers(0, 1000), st.sampled_from([0.01, 0.5, 1.0, 3.0]), st.integers(2, 4))
def test_log_probabilities_are_those_of_scikit_learn(model, seed, alpha, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.uniform(0, 2, 6), (30, 6)).astype(float)
    y = np.append(rng.integers(0, n_classes, 30 - n_classes), np.arange(n_classes))
    weights = rng.uniform(0.1, 2, 30)
    ours = NaiveBayes(alpha, numeric=model).fit(X, y, weights)
    theirs = LIBRARY[model](alpha=alpha).fit(X, y, weights)
    # scikit-learn's priors are weighted too.
    assert_allclose(
        ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-12, atol=1e-12
    )
    assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("model", "products"),
    # Manning, Raghavan and Schuetze (2008), examples 13.1 and 13.2: 0.0001, 0.0003; 0.022, 0.005.
    [
        ("multinomial", (1 / 4 * (2 / 9) ** 5, 3 / 4 * (3 / 7) ** 3 / 14**2)),
        ("bernoulli", (1 / 4 * (2 / 3) ** 6, 3 / 4 * 4 / 5 * (1 / 5) ** 2 * (3 / 5) ** 3)),
    ],
)
def test_the_text_of_the_textbook(model, products):
    fitted = NaiveBayes(1, numeric=model).fit(TEXTS, CHINA)
    assert_allclose(np.exp(fitted.predict_joint_log_proba(WORDS[4:]))[0], products)
    assert all(f"**{product:.4g}**" in LESSON for product in products)
    *_, last = fitted.explain_steps(WORDS[4])
    assert_allclose(last.posterior, np.array(products) / sum(products))


def test_a_count_of_zero_changes_nothing_though_the_share_is_zero():
    fitted = NaiveBayes(numeric="multinomial").fit(TEXTS, CHINA)
    assert fitted.predict_proba([[1, 0, 0, 0, 0, 0]]).tolist() == pytest.approx(
        np.array([[1 / 4 * 1 / 3, 3 / 4 * 5 / 8]]) / (1 / 12 + 15 / 32)
    )
    assert fitted.predict_proba([[1, 1, 0, 0, 0, 0]]).tolist() == [[0.0, 1.0]]


def test_names_are_counted_beside_words():
    table = pd.DataFrame({"sender": list("aabb"), "offer": [3.0, 1.0, 0.0, 0.0]})
    fitted = NaiveBayes(1, numeric="multinomial").fit(table, ["spam", "spam", "mail", "mail"])
    assert [type(each).__name__ for each in fitted.tables_] == ["NominalTable", "MultinomialTable"]
    assert_allclose(fitted.predict_proba(table).sum(axis=1), 1)


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="The multinomial model needs counts"):
        NaiveBayes(numeric="multinomial").fit([[1.0], [-1.0]], [0, 1])


@pytest.mark.parametrize("model", LIBRARY)
def test_the_check_is_scikit_learns(model):
    run = open_preset("naive_bayes", "A text by its words", numeric=model).run
    reference = naive_bayes_reference(run).answer(run)
    assert type(reference) is LIBRARY[model]
    assert_allclose(
        reference.predict_proba(run.problem.training.data),
        run.fitted.predict_proba(run.problem.training.data),
        rtol=1e-12,
    )
    without = open_preset("naive_bayes", "A text by its words", numeric=model, laplace=0).run
    with pytest.raises(Incomparable):
        naive_bayes_reference(without)


def test_the_presets_show_their_numbers():
    opened = open_preset("naive_bayes", "A text by its words")
    assert opened.run.problem.test.tolist() == [False] * 4 + [True]
    last = opened.scene["frames"][-1]
    (share,) = [row for block in last["ledger"] for row in block.get("rows", []) if "share" in row]
    assert "predicted yes" in last["caption"]
    assert "0.6898" in last["caption"]
    assert share[1:] == [pytest.approx(0.3102, abs=1e-4), pytest.approx(0.6898, abs=1e-4)]
    pair = {
        model: open_preset("naive_bayes", "Bernoulli and multinomial", numeric=model).run
        for model in LIBRARY
    }
    row = WORDS[4:, [0, 4, 5]]
    assert pair["bernoulli"].fitted.predict_proba(row)[0, 0] == pytest.approx(0.7553, abs=5e-5)
    assert pair["multinomial"].fitted.predict_proba(row)[0, 1] == pytest.approx(0.8277, abs=5e-5)
