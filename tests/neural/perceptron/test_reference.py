"""The check against scikit-learn repeats every run that it can, and its code does the same."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.comparison import Incomparable
from dmlib.neural import Adaline, Perceptron
from dmlib.neural.perceptron.reference import perceptron_code, perceptron_reference
from dmlib.pictures.run import Run
from tests.runs import run_of


def run(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    return Run.of(run_of(model, X, X[:, 0] + rng.normal(size=30) > 0).problem, model)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    "kind", [Perceptron, Adaline, lambda **more: Perceptron("average", **more)]
)
def test_shuffled_rows_and_random_weights_too(kind, intercept):
    this = run(
        kind(max_iter=4, shuffle=True, init="random", random_state=3, fit_intercept=intercept)
    )
    X, y = this.problem.training.arguments
    space = {"X": X, "y": y, "model": this.fitted}
    exec(perceptron_code(this), space)
    for reference in (perceptron_reference(this), space["reference"]):
        assert_allclose(this.fitted.coef_, reference.coef_, rtol=1e-9)
        assert_allclose(this.fitted.intercept_, reference.intercept_, rtol=1e-9)


def test_what_cannot_be_repeated_says_why():
    with pytest.raises(Incomparable, match="no pocket"):
        perceptron_reference(run(Perceptron("best")))
    with pytest.raises(Incomparable, match="diverged"):
        perceptron_reference(run(Adaline(learning_rate=10.0)))
