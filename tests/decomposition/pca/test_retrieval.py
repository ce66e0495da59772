import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import decomposition

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.retrieval import plot_retrieval, retrieval_data
from dmlib.problem import prepare

DIGITS = load("digits").frame.iloc[:80]
PIXELS = [f"pixel_{i}_{j}" for i in range(8) for j in range(8)]


@pytest.fixture(params=["none", "min-max"])
def digits(request):
    return prepare(DIGITS, PIXELS, scaling=request.param, target="digit")


def test_the_row_is_not_learned_from(digits):
    data = retrieval_data(PCA(6), digits, 5)
    others = np.delete(digits.X, 5, axis=0)
    theirs = decomposition.PCA(6).fit(others)
    own, scores = theirs.transform(digits.X[5:6]), theirs.transform(others)
    distances = np.linalg.norm(scores - own, axis=1)
    answer = data.answers["as it is"]
    assert 5 not in answer.nearest
    assert_allclose(answer.distances, np.sort(distances)[:4])
    residual = digits.X[5] - theirs.inverse_transform(own)[0]
    assert answer.away == pytest.approx(np.linalg.norm(residual))
    residual = np.linalg.norm(others - theirs.inverse_transform(scores), axis=1)
    assert data.farthest == pytest.approx(residual.max())


def test_a_picture_is_asked_about_upside_down_too(digits):
    data = retrieval_data(PCA(6), digits, 7)
    raw = DIGITS[PIXELS].to_numpy(float)[7].reshape(8, 8)
    assert_allclose(data.answers["as it is"].query.reshape(8, 8), raw)
    assert_allclose(data.answers["upside down"].query.reshape(8, 8), raw[::-1])


def test_what_the_components_hold_is_not_away():
    rows = load("us_arrests").frame
    problem = prepare(rows, ["murder", "assault", "rape"], scaling="z-score")
    data = retrieval_data(PCA(), problem, 0)
    assert list(data.answers) == ["as it is"]
    assert data.answers["as it is"].away == data.farthest == 0.0
    distances = np.linalg.norm(problem.X - problem.X[0], axis=1)
    assert_allclose(data.answers["as it is"].distances, np.sort(distances)[1:5])


def test_more_components_than_other_rows():
    problem = prepare(load("us_arrests").frame.iloc[:3], ["murder", "assault", "rape"])
    assert retrieval_data(PCA(3), problem, 0).n_components == 2
    with pytest.raises(ValueError, match="One row is left out"):
        retrieval_data(PCA(1), prepare(load("us_arrests").frame.iloc[:2], ["murder", "rape"]), 0)


def test_each_picture_has_its_distance_below(digits):
    data = retrieval_data(PCA(6), digits, 5)
    figure = plot_retrieval(data)
    for axis, answer in zip(
        (figure.layout.xaxis, figure.layout.xaxis2), data.answers.values(), strict=True
    ):
        numbers = [float(text.split("<br>")[-1]) for text in axis.ticktext[1:]]
        assert_allclose(numbers, [answer.away, *answer.distances], rtol=1e-3)
    assert_allclose(figure.data[0].z[:, :8], data.rows[5].reshape(8, 8) / data.rows.max())
