"""The kernel perceptron: the perceptron itself with the linear kernel, and in explicit features."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.datasets import make
from dmlib.neural import KernelPerceptron, Perceptron
from dmlib.neural.perceptron.questions import Rule, questions
from dmlib.neural.perceptron.reference import perceptron_reference
from dmlib.neural.perceptron.scene import perceptron_scene
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.rounds import step_of
from tests.visit import open_preset

CORNERS = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])


def whole_numbers(seed, n=25):
    """Rows of whole numbers, whose sums are exact, in two classes that overlap."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, size=(n, 2)).astype(float)
    return X, (X[:, 0] + rng.integers(-2, 3, size=n) > 0).astype(int)


def table(n=40):
    frame = make("moons", n_samples=n).frame
    return prepare(frame, ["x", "y"], target=frame.columns[-1], labelled=True)


@parametrize_with_checks([KernelPerceptron("linear"), KernelPerceptron()])
def test_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@given(
    seed=st.integers(0, 200),
    fit_intercept=st.booleans(),
    shuffle=st.booleans(),
    keep=st.sampled_from(["last", "average"]),
)
def test_with_the_linear_kernel_every_step_is_that_of_the_perceptron(
    seed, fit_intercept, shuffle, keep
):
    X, y = whole_numbers(seed)
    params = {
        "fit_intercept": fit_intercept,
        "shuffle": shuffle,
        "keep": keep,
        "max_iter": 8,
        "random_state": 3,
    }
    dual = list(KernelPerceptron("linear", **params).steps(X, y))
    primal = list(Perceptron(**params).steps(X, y))
    signs = np.where(y > 0, 1.0, -1.0)
    Z = np.hstack([np.ones((len(X), 1)), X]) if fit_intercept else X
    assert [step.phase for step in dual] == [step.phase for step in primal]
    for ours, theirs in zip(dual, primal, strict=True):
        assert (ours.row, ours.score, ours.n_mistakes) == (
            theirs.row,
            theirs.score,
            theirs.n_mistakes,
        )
        np.testing.assert_array_equal((ours.counts * signs) @ Z, theirs.weights)
        np.testing.assert_allclose((ours.alpha * signs) @ Z, theirs.decision_weights, atol=1e-9)


@given(seed=st.integers(0, 100))
def test_with_a_polynomial_kernel_it_is_the_perceptron_of_the_products(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 2))
    y = (X[:, 0] * X[:, 1] + rng.normal(scale=0.3, size=25) > 0).astype(int)
    a, b = X.T
    products = np.column_stack([a**2, b**2, np.sqrt(2) * a * b])
    kernel = KernelPerceptron("poly", degree=2, gamma=1.0, max_iter=6).fit(X, y)
    explicit = Perceptron(max_iter=6).fit(products, y)
    assert kernel.n_mistakes_ == explicit.n_mistakes_
    np.testing.assert_allclose(
        kernel.decision_function(X), explicit.decision_function(products), atol=1e-6
    )


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("keep", ["last", "average"])
def test_scikit_learn_has_the_same_sums_in_features_of_the_kernel(kernel, keep):
    run = Run.of(table(), KernelPerceptron(kernel, keep=keep, max_iter=4))
    theirs = perceptron_reference(run).answer(run)
    X = run.problem.X
    np.testing.assert_allclose(
        run.fitted.decision_function(X), theirs.decision_function(X), rtol=1e-5, atol=1e-6
    )


def test_the_rbf_kernel_separates_whatever_differs():
    X, y = whole_numbers(1)
    X, places = np.unique(X, axis=0, return_index=True)
    model = KernelPerceptron(gamma=5.0, max_iter=500).fit(X, y[places])
    assert model.converged_
    assert model.score(X, y[places]) == 1
    assert set(model.support_) == set(np.flatnonzero(model.counts_))
    assert model.n_mistakes_ == model.counts_.sum()


def test_xor_by_hand():
    steps = list(
        KernelPerceptron("poly", degree=2, gamma=1.0).steps(CORNERS * np.sqrt(0.75), [0, 0, 1, 1])
    )
    assert [step.score for step in steps if step.row is not None] == pytest.approx(
        [0, -3.25, -1, 2.25, -2.25, -2.25, 2.25, 2.25]
    )
    opened = open_preset("perceptron", "XOR in two mistakes")
    assert opened.run.fitted.counts_.tolist() == [1, 0, 1, 0]
    asked = list(questions(opened.run))
    assert len(asked) == 8
    for question in asked:
        step, _ = step_of(opened.run, question)
        assert judge(question, int(step.phase == "update")).is_right
    assert judge(asked[0], 0).rule is Rule.LINE
    assert judge(asked[1], 1).rule is Rule.ALWAYS


def test_numbers_of_the_presets():
    moons = open_preset("perceptron", "Moons by counting mistakes").run.fitted
    assert (moons.n_iter_, moons.n_mistakes_, len(moons.support_)) == (41, 99, 15)
    for keep, error in (("last", 0.267), ("average", 0.217)):
        run = open_preset("perceptron", "Last and average counts", keep=keep).run
        testing = run.problem.testing
        wrong = (run.fitted.predict(testing.X) != testing.y).mean()
        assert wrong == pytest.approx(error, abs=5e-4)


def test_the_ledger_adds_up_the_sum_of_a_row():
    run = Run.of(table(12), KernelPerceptron(max_iter=2))
    for step, frame in zip(run.trace.steps, perceptron_scene(run).frames, strict=True):
        texts = [block.text for block in frame.ledger if hasattr(block, "text")]
        if step.row is not None and step.score:
            (line,) = (text for text in texts if text.startswith("s = Σ"))
            assert line.endswith(f"= {step.score:.4g}".replace("-", "−"))
        assert f"Σ α = {step.n_mistakes}" in " ".join(texts)
