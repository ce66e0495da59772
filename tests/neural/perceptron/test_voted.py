"""The voted perceptron against the algorithm as it is printed, and against the average."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.neural import Perceptron, VotedPerceptron
from dmlib.neural.perceptron.voted import BLOCK, majority
from tests.neural.perceptron.test_algorithm import HAND, noise


def freund_and_schapire(X, y, epochs):
    """Figure 1 of the paper: the list of prediction vectors and their weights."""
    vectors, weights = [[0.0] * len(X[0])], [0]
    for _ in range(epochs):
        has_mistake = False
        for x, sign in zip(X, y, strict=True):
            total = sum(v * value for v, value in zip(vectors[-1], x, strict=True))
            if sign * total > 0:
                weights[-1] += 1
            else:
                has_mistake = True
                vectors.append([v + sign * value for v, value in zip(vectors[-1], x, strict=True)])
                weights.append(1)
        if not has_mistake:
            break
    return vectors, weights


def voted(vectors, weights, x):
    total = 0
    for vector, weight in zip(vectors, weights, strict=True):
        inner = sum(v * value for v, value in zip(vector, x, strict=True))
        total += weight if inner > 0 else -weight
    return total


row = st.tuples(st.integers(-3, 3), st.integers(-3, 3))


@given(st.lists(st.tuples(row, st.booleans()), min_size=2, max_size=8), st.integers(1, 6))
def test_it_is_the_algorithm_of_the_paper(rows, epochs):
    X = np.array([each for each, _ in rows], float)
    y = np.array([label for _, label in rows])
    if len(set(y)) < 2:
        return
    vectors, weights = freund_and_schapire(X.tolist(), np.where(y, 1, -1).tolist(), epochs)
    model = VotedPerceptron(fit_intercept=False, max_iter=epochs).fit(X, y)
    assert model.coefs_.tolist() == vectors
    assert model.votes_.tolist() == weights
    totals = [voted(vectors, weights, x) for x in X.tolist()]
    assert model.decision_function(X) == pytest.approx(np.array(totals) / sum(weights))
    assert model.predict(X).tolist() == [total > 0 for total in totals]


def test_three_rows_by_hand():
    model = VotedPerceptron().fit(*HAND)
    vectors = np.column_stack([model.intercepts_, model.coefs_])
    assert vectors.tolist() == [[0, 0, 0], [-1, -2, -4], [0, 0, -3], [1, 2, -2]]
    assert model.votes_.tolist() == [0, 1, 3, 5]
    assert model.decision_function([[2, 1]]).tolist() == [(5 - 4) / 9]


@given(st.integers(0, 20), st.booleans(), st.booleans())
def test_the_mean_of_the_vectors_is_the_average(seed, shuffle, fit_intercept):
    X, y = noise(seed, 15)
    how = {"max_iter": 4, "shuffle": shuffle, "fit_intercept": fit_intercept, "random_state": seed}
    model, average = VotedPerceptron(**how).fit(X, y), Perceptron("average", **how).fit(X, y)
    assert model.votes_.sum() == model.n_iter_ * len(X)
    assert len(model.votes_) == model.n_mistakes_ + 1
    mean = np.average(model.coefs_, axis=0, weights=model.votes_)
    assert mean == pytest.approx(average.coef_[0])
    assert np.average(model.intercepts_, weights=model.votes_) == pytest.approx(average.intercept_)


def test_each_step_has_the_votes_so_far():
    X, y = noise(1, 20)
    steps = list(VotedPerceptron(max_iter=3).steps(X, y))
    n_rows = 0
    for step in steps:
        n_rows += step.row is not None
        assert step.ballot.votes.sum() == n_rows
        assert step.ballot.vectors[-1].tolist() == step.weights.tolist()
        assert len(step.ballot.vectors) == step.n_mistakes + 1


def test_many_vectors_vote_block_by_block():
    rng = np.random.default_rng(0)
    vectors, votes = rng.normal(size=(3 * BLOCK + 1, 3)), rng.integers(0, 9, 3 * BLOCK + 1)
    Z = rng.normal(size=(5, 3))
    expected = (np.where(Z @ vectors.T > 0, 1, -1) * votes).sum(axis=1) / votes.sum()
    assert majority(Z, vectors, votes) == pytest.approx(expected)


def test_odd_data():
    with pytest.raises(ValueError, match="only one class"):
        VotedPerceptron().fit([[0.0], [1.0]], [1, 1])
    with pytest.raises(ValueError, match="max_iter must be a whole number"):
        VotedPerceptron(max_iter=0).fit(*HAND)
    zeros = VotedPerceptron(fit_intercept=False, max_iter=2).fit([[0.0], [0.0]], ["a", "b"])
    assert zeros.predict([[0.0], [5.0]]).tolist() == ["a", "a"]
    assert zeros.n_mistakes_ == 4
