"""The check against scikit-learn repeats every run that it can, and its code does the same."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.comparison import Incomparable
from dmlib.neural import Adaline, Perceptron, VotedPerceptron
from dmlib.neural.perceptron.reference import perceptron_reference
from dmlib.pictures.run import Run
from tests.runs import run_of


def run(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    return Run.of(run_of(model, X, X[:, 0] + rng.normal(size=30) > 0).problem, model)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("model", [Perceptron(), Perceptron("average"), Adaline()], ids=repr)
def test_shuffled_rows_and_random_weights_too(model, intercept):
    model.set_params(max_iter=4, shuffle=True, init="random", random_state=3)
    shuffled = run(model.set_params(fit_intercept=intercept))
    X, y = shuffled.problem.training.arguments
    names = {"X": X, "y": y, "model": shuffled.fitted}
    exec(perceptron_reference(shuffled).code, names)
    for reference in (perceptron_reference(shuffled).answer(shuffled), names["reference"]):
        assert_allclose(shuffled.fitted.coef_, reference.coef_, rtol=1e-9)
        assert_allclose(shuffled.fitted.intercept_, reference.intercept_, rtol=1e-9)


def test_what_cannot_be_repeated_says_why():
    with pytest.raises(Incomparable, match="no pocket"):
        perceptron_reference(run(Perceptron("best")))
    with pytest.raises(Incomparable, match="diverged"):
        perceptron_reference(run(Adaline(learning_rate=10.0)))


@pytest.mark.parametrize("intercept", [True, False])
def test_the_weights_after_each_row_vote(intercept):
    model = VotedPerceptron(max_iter=4, shuffle=True, fit_intercept=intercept, random_state=3)
    voted = run(model)
    X, y = voted.problem.training.arguments
    names = {"X": X, "y": y, "model": voted.fitted}
    exec(perceptron_reference(voted).code, names)
    for reference in (perceptron_reference(voted).answer(voted), names["reference"]):
        assert_allclose(voted.fitted.decision_function(X), reference.decision_function(X))
