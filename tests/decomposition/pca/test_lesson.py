"""The numbers of the lesson on principal components, computed again."""

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.retrieval import retrieval_data
from dmlib.decomposition.pca.figures.scree import scree_data
from dmlib.pictures.words import num4, percent
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset

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


def test_eigenfaces():
    text = section(text_of("pca"), "Eigenfaces")
    run, scene, look_for = open_preset("pca", "Eigenfaces")
    ledger = str(scene["frames"][-1]["ledger"])
    X, y = run.problem.X, run.problem.y
    (n, p), r = X.shape, 10
    stored, whole = n * r + r * p + p, n * p
    assert f"60 · 10 + 10 · 480 + 480 = **{stored}** numbers" in text
    assert f"60 · 480 = **{whole}**" in text
    assert f"60 · 10 + 10 · 480 + 480 = {stored} numbers; the rows: 60 · 480 = {whole}" in ledger
    assert f"{stored} numbers instead of {whole}" in look_for
    share = percent(_share(X, r))
    assert f"**{share}**" in text
    assert share in look_for
    assert share in scene["frames"][-1]["caption"]
    n_found = sum(y[_distances(X, i, r)[0].argmin()] == y[i] for i in range(n))
    assert f"**{n_found}** of the 60" in text


def test_whose_face():
    text = section(text_of("pca"), "Eigenfaces")
    run, _, look_for = open_preset("pca", "Whose face is it?")
    X, y, row = run.problem.X, run.problem.y, run.selected
    assert row == 29
    distances, away = _distances(X, row, 10)
    assert distances.argmin() == 24
    assert set(y[np.argsort(distances)[:4]]) == {y[row]} == {run.problem.classes.index("Eva")}
    upside_down = X[row].reshape(24, 20)[::-1].ravel()
    turned = _distances(np.vstack([np.delete(X, row, 0), upside_down]), len(X) - 1, 10)[1]
    for number in (distances.min(), away, turned):
        assert f"**{num4(number)}**" in text
        assert num4(number) in look_for
    assert f"at most **{num4(retrieval_data(run.model, run.problem, row).farthest)}**" in text


def _share(X, r):
    squares = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    return squares[:r].sum() / squares.sum()


def _distances(X, row, r):
    """Return the distances of a row's scores to all others, inf for itself, and what is left."""
    others = np.delete(X, row, axis=0)
    mean = others.mean(axis=0)
    axes = np.linalg.svd(others - mean, full_matrices=False)[2][:r]
    scores = (X - mean) @ axes.T
    distances = np.linalg.norm(scores - scores[row], axis=1)
    distances[row] = np.inf
    return distances, np.linalg.norm(X[row] - mean - scores[row] @ axes)
