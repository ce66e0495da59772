"""The numbers of the lesson on principal components, computed again."""

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.scree import scree_data
from dmlib.pictures.words import percent
from tests.contract.test_lessons import section, text_of

POINTS = np.array([(9, 7), (1, 1), (3.5, 6), (6.5, 2), (5, 4)])


@pytest.fixture
def by_hand():
    return section(text_of("pca"), "By hand")


def test_eigenvalues_and_components(by_hand):
    S = np.cov(POINTS.T)
    np.testing.assert_allclose(S, [[9.125, 4.5], [4.5, 6.5]])
    assert (np.trace(S), np.linalg.det(S)) == pytest.approx((15.625, 39.0625))
    model = PCA().fit(POINTS)
    np.testing.assert_allclose(model.explained_variance_, [12.5, 3.125])
    np.testing.assert_allclose(model.explained_variance_ratio_, [0.8, 0.2])
    np.testing.assert_allclose(model.components_, [[0.8, 0.6], [-0.6, 0.8]])
    np.testing.assert_allclose(S @ [0.8, 0.6], [10, 7.5])
    for phrase in ("**12.5** and **3.125**", "**80 %** and **20 %** of 15.625", "**(0.8, 0.6)**"):
        assert phrase in by_hand


def test_power_iteration(by_hand):
    S, w = np.cov(POINTS.T), np.array([0.975224, 0.22122])
    variances = []
    for turn in range(2):
        image = S @ w
        w = image / np.linalg.norm(image)
        variances.append(w @ S @ w)
        if turn == 0:
            assert f"has length {np.linalg.norm(image):.3f}" in by_hand
            assert f"**({w[0]:.3f}, {w[1]:.3f})**" in by_hand
    assert (
        f"**{variances[0]:.3f}**, and after a second iteration to **{variances[1]:.3f}**" in by_hand
    )


def test_scores_and_what_they_give_back(by_hand):
    model = PCA(1).fit(POINTS)
    scores = model.transform(POINTS)
    np.testing.assert_allclose(scores.ravel(), [5, -5, 0, 0, 0], atol=1e-12)
    lost = np.linalg.norm(POINTS - model.inverse_transform(scores), axis=1)
    assert lost[2] == pytest.approx(2.5)
    assert (lost**2).sum() == pytest.approx(12.5)
    r = np.corrcoef(POINTS.T)[0, 1]
    assert f"correlation is **{r:.3f}**" in by_hand
    assert f"= **{1 + r:.3f}** and **{1 - r:.3f}**" in by_hand


def test_rules_on_the_arrests():
    X = load("us_arrests").frame.iloc[:, 1:].to_numpy(float)
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    data = scree_data(PCA().fit(X), X)
    text = section(text_of("pca"), "How many components?")
    assert "**2.48**, **0.99**, **0.357** and **0.173**" in text
    np.testing.assert_allclose(data.variances, [2.48, 0.99, 0.357, 0.173], atol=0.005)
    assert data.reaching == (2, 3)
    assert f"2 ({percent(data.cumulative[1])}), or 3 ({percent(data.cumulative[2])})" in text
    assert [data.above_mean, data.above_stick, data.elbow] == [1, 1, 1]


def test_answers():
    S = np.cov(POINTS.T)
    text = section(text_of("pca"), "Answers")
    assert (
        f"9.125 of 12.5 is {percent(S[0, 0] / 12.5)}, so {percent(1 - S[0, 0] / 12.5)} is lost"
        in text
    )
    assert "3 · 200 + 3 · 10 + 10 = 640" in text
