"""Cascade correlation: gradients by differences, S by loops, outputs alone, XOR and spirals."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.comparison import Incomparable, compare
from dmlib.datasets import load, make
from dmlib.neural import CascadeCorrelationClassifier, MLPClassifier
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.mlp.candidates import Candidates
from dmlib.neural.mlp.cascade_diagram_scene import MAX_HIDDEN, cascade_diagram
from dmlib.neural.mlp.cascade_questions import CascadeRule
from dmlib.neural.mlp.figures.settings_sweep import sweep_data
from dmlib.neural.mlp.questions import questions
from dmlib.neural.mlp.reference import mlp_reference
from dmlib.neural.mlp.scene import mlp_scene
from dmlib.pictures.marks import Line, Raster, Rects
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, marks, tables
from tests.visit import open_preset, open_settings, technique

XOR = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])


def table_of(name, **params):
    table = make(name, **params) if name != "iris" else load("iris")
    names = [name for name in table.frame if name != table.target][:2]
    return prepare(table.frame, names, target=table.target, labelled=True, scaling="z-score")


@parametrize_with_checks([CascadeCorrelationClassifier(2, n_candidates=3, max_iter=20)])
def test_it_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


# --- the correlation of candidates ----------------------------------------------------------------


def pool_of(seed, n_outputs, n_candidates=4):
    rng = np.random.default_rng(seed)
    inputs, errors = rng.normal(size=(9, 3)), rng.normal(size=(9, n_outputs))
    pool = Candidates(rng.normal(size=(3, n_candidates)), rng.normal(size=n_candidates))
    return inputs, errors - errors.mean(axis=0), pool


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_of_s_is_that_of_differences(seed, activation, n_outputs):
    inputs, errors, pool = pool_of(seed, n_outputs)
    hidden, step = ACTIVATIONS[activation], 1e-6
    gradient = pool.gradient(inputs, errors, hidden)
    weights = np.vstack([pool.coefs, pool.intercepts])

    def value(changed):
        return Candidates(changed[:-1], changed[-1]).correlations(inputs, errors, hidden)

    for row in range(len(weights)):
        change = np.zeros_like(weights)
        change[row] = step
        slopes = (value(weights + change) - value(weights - change)) / (2 * step)
        assert_allclose(gradient[row], slopes, atol=1e-6)


@given(st.integers(0, 10_000), st.integers(1, 3))
@settings(deadline=None)
def test_s_is_that_of_the_paper(seed, n_outputs):
    """Also with the mean of V, which errors that sum to 0 make needless."""
    inputs, errors, pool = pool_of(seed, n_outputs)
    S = pool.correlations(inputs, errors, ACTIVATIONS["tanh"])
    for k, found in enumerate(S):
        V = [np.tanh(row @ pool.coefs[:, k] + pool.intercepts[k]) for row in inputs]
        mean, total = sum(V) / len(V), 0.0
        for o in range(n_outputs):
            total += abs(sum((v - mean) * e for v, e in zip(V, errors[:, o], strict=True)))
        assert found == pytest.approx(total)


# --- the outputs alone ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["iris", "xor"])
def test_without_units_it_is_a_network_without_a_hidden_layer(name):
    data = table_of(name)
    X, y = data.arguments
    how = {"learning_rate": 0.05, "max_iter": 40}
    ours = CascadeCorrelationClassifier(0, **how).fit(X, y)
    network = MLPClassifier((), solver="adam", batch_size=len(X), init="zero", **how).fit(X, y)
    assert_allclose(ours.coefs_[0], network.coefs_[0])
    assert_allclose(ours.intercepts_[0], network.intercepts_[0])
    assert_allclose(ours.loss_curve_, network.loss_curve_)
    assert_allclose(ours.predict_proba(X), network.predict_proba(X))


def test_without_units_it_is_logistic_regression():
    data = table_of("moons", noise=0.4)
    X, y = data.arguments
    ours = CascadeCorrelationClassifier(0, max_iter=3000).fit(X, y)
    theirs = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X, y)
    assert_allclose(ours.coefs_[0].ravel(), theirs.coef_[0], rtol=1e-4)
    assert_allclose(ours.intercepts_[0], theirs.intercept_, rtol=1e-3, atol=1e-5)


# --- growth ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_one_unit_solves_xor(seed):
    steps = list(CascadeCorrelationClassifier(random_state=seed).steps(*XOR))
    assert steps[-1].n_units == 1
    assert steps[-1].n_wrong == 0
    (install,) = [step for step in steps if step.phase == "install"]
    assert install.correlations.max() == pytest.approx(1, abs=0.02)
    assert steps[0].loss == pytest.approx(np.log(2))


@pytest.mark.parametrize("seed", range(3))
def test_two_spirals_are_solved(seed):
    X, y = table_of("spirals").arguments
    model = CascadeCorrelationClassifier(12, random_state=seed).fit(X, y)
    assert model.score(X, y) == 1
    assert 2 <= model.n_units_ <= 8


@pytest.mark.parametrize("name", ["spirals", "iris"])
@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_units_are_the_best_candidates_and_stay_frozen(name, activation):
    data = table_of(name)
    model = CascadeCorrelationClassifier(4, activation=activation, max_iter=30, random_state=2)
    steps = list(model.steps(*data.arguments))
    frozen = []
    for before, step in pairwise(steps):
        for W, unit in zip(step.coefs[: len(frozen)], frozen, strict=True):
            assert (unit == W).all()
        if step.phase == "install":
            best = int(before.correlations.argmax())
            assert step.best == best
            assert (step.coefs[-2][:, 0] == before.candidates[0][:, best]).all()
            assert step.intercepts[-2] == before.candidates[1][best]
            assert step.loss == pytest.approx(before.loss)  # its output weights are 0
            frozen.append(step.coefs[-2])
    assert len(frozen) == steps[-1].n_units > 0
    assert steps[-1].loss < steps[0].loss


def test_outputs_are_those_of_loops():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 2))
    coefs = [rng.normal(size=shape) for shape in ((2, 1), (3, 1), (4, 1))]
    intercepts = [rng.normal(size=1) for _ in coefs]
    *_, output = CascadeCorrelationClassifier().outputs(X, coefs, intercepts)
    for row, p in zip(X, output[:, 0], strict=True):
        inputs = list(row)
        for W, b in zip(coefs[:-1], intercepts[:-1], strict=True):
            inputs.append(np.tanh(sum(x * w for x, w in zip(inputs, W[:, 0], strict=True)) + b[0]))
        total = sum(x * w for x, w in zip(inputs, coefs[-1][:, 0], strict=True)) + intercepts[-1][0]
        assert p == pytest.approx(1 / (1 + np.exp(-total)))


def test_growth_ends_at_the_error_or_with_all_units():
    X, y = table_of("spirals").arguments
    tolerant = CascadeCorrelationClassifier(12, tol=0.2, random_state=0).fit(X, y)
    assert 1 - tolerant.score(X, y) <= 0.2
    assert tolerant.n_units_ < CascadeCorrelationClassifier(12, random_state=0).fit(X, y).n_units_
    few = list(CascadeCorrelationClassifier(1, random_state=0).steps(X, y))[-1]
    assert (few.n_units, few.reason) == (1, "All units that are allowed are there.")
    separable = CascadeCorrelationClassifier().fit([[0.0], [1.0], [2.0]], [0, 0, 1])
    assert separable.n_units_ == 0


def test_the_learning_curve_has_each_epoch_of_the_outputs():
    X, y = table_of("spirals").arguments
    model = CascadeCorrelationClassifier(3, max_iter=7, random_state=0)
    steps = list(model.steps(X, y))
    fitted = model.fit(X, y)
    assert len(fitted.loss_curve_) == 7 * (fitted.n_units_ + 1)
    assert fitted.n_iter_ == steps[-1].epoch == 7 * (2 * fitted.n_units_ + 1)


def test_no_warning_whatever_the_rate():
    X, y = table_of("spirals").arguments
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for rate in (1e-8, 1e4):
            list(CascadeCorrelationClassifier(2, learning_rate=rate, random_state=0).steps(X, y))


# --- picture, words, page -------------------------------------------------------------------------


def test_the_diagram_has_an_edge_from_every_input_and_earlier_unit():
    coefs = [np.full((2 + k, 1), k + 1.0) for k in range(3)] + [np.ones((5, 2))]
    diagram = cascade_diagram(coefs)
    assert len(diagram.edges) == 2 + 3 + 4 + 2 * 5
    assert diagram.values(coefs).sum() == 2 * 1 + 3 * 2 + 4 * 3 + 10
    assert [W.shape for W in diagram.padded([np.ones((2, 1)), np.ones((3, 2))])] == [
        W.shape for W in coefs
    ]
    many = [np.ones((2 + k, 1)) for k in range(20)] + [np.ones((22, 1))]
    wide = cascade_diagram(many)
    assert wide.n_hidden == MAX_HIDDEN
    assert len(wide.values(wide.padded(many))) == len(wide.edges)


def test_the_network_grows_in_the_picture():
    data = table_of("spirals")
    run = Run.of(data, CascadeCorrelationClassifier(3, max_iter=20, random_state=0))
    scene = mlp_scene(run)
    maps = marks(scene, Raster, panel="network")
    assert len(maps) == 2 + 3 + 1
    for number, frame in enumerate(scene.frames):
        n_there = sum(len(at(mark.pixels, number)) > 0 for mark in maps)
        step = frame.step
        assert n_there == 3 + step.n_units + (step.phase == "candidates")
    (bars,) = marks(scene, Rects, panel="candidates")
    first = next(i for i, frame in enumerate(scene.frames) if frame.phase == "candidates")
    assert_allclose(at(bars.y1, first), scene.frames[first].step.correlations, rtol=1e-6)
    dashed = marks(scene, Line, panel="loss")[0]
    assert np.isfinite(at(dashed.x, len(scene.frames) - 1)).sum() == 2 * 3


def test_s_is_written_out():
    data = table_of("iris")
    run = Run.of(data, CascadeCorrelationClassifier(2, max_iter=10, random_state=0))
    frame = next(frame for frame in mlp_scene(run).frames if frame.phase == "install")
    formulas = [block.text for block in frame.ledger if hasattr(block, "text")]
    step = frame.step
    assert formulas[-1].endswith(f"= {step.correlations.max():.4g}")
    assert formulas[-1].count("|") == 6
    candidates = tables(frame)["Candidates, the best first"].rows
    assert candidates[0][0] == step.best + 1


@pytest.mark.parametrize("name", ["spirals", "iris"])
def test_questions_have_the_answers_of_the_steps(name):
    run = Run.of(table_of(name), CascadeCorrelationClassifier(4, max_iter=30, random_state=0))
    n_asked = 0
    for question in questions(run):
        step = run.trace.steps[question.step]
        if question.topic == "candidate":
            options = question.answer.options
            assert options[question.answer.right[0]] == f"Candidate {step.best + 1}"
        elif question.topic == "inputs":
            units = run.problem.X.shape[1] + step.n_units
            assert judge(question, units).is_right
            assert judge(question, run.problem.X.shape[1]).rule is CascadeRule.LAYER
        elif question.topic == "trained weights":
            assert question.answer.right == [0]
        else:
            number = int(question.prompt.split()[2].rstrip(",")) - 1
            assert judge(question, float(step.correlations[number])).is_right
        n_asked += 1
    assert n_asked


@pytest.mark.parametrize("name", ["xor", "iris"])
def test_scikit_learn_trains_the_outputs_to_the_same(name):
    data = table_of(name)
    run = Run.of(data, CascadeCorrelationClassifier(3, max_iter=40, random_state=0))
    assert run.fitted.n_units_ > 0
    answer = mlp_reference(run).answer(run)
    rows = compare(run.fitted, answer, ("predict", "loss_curve_"), data.data)
    assert all(row.difference < 1e-8 for row in rows)


def test_too_many_epochs_are_not_compared_and_no_layers_are_swept():
    data = table_of("xor")
    run = Run.of(data, CascadeCorrelationClassifier(2, max_iter=9000, random_state=0))
    with pytest.raises(Incomparable, match="too long"):
        mlp_reference(run)
    with pytest.raises(ValueError, match="layers are given"):
        sweep_data(run, lambda share: None)


def test_the_page_has_its_controls_and_no_layers():
    run, scene = open_settings("mlp", method="Growing", max_units=2)
    names = {control["name"] for control in scene["controls"]}
    assert {"mlp.max_units", "mlp.n_candidates", "mlp.tol"} <= names
    assert not any("layers" in name for name in names)
    assert run.fitted.n_units_ <= 2


def test_xor_by_one_added_unit():
    run, _, look_for = open_preset("mlp", "XOR by one added unit")
    model = run.fitted
    assert (model.n_units_, model.score(*run.problem.arguments)) == (1, 1)
    outputs = [step for step in run.trace.steps if step.phase == "outputs" and not step.n_units]
    assert f"stays {outputs[-1].loss:.4g}" in look_for
    V, E = np.array([1.5, -0.5, -0.5, -0.5]), np.array([0.5, 0.5, -0.5, -0.5])
    assert V @ E == 1
    assert "1.5 \\cdot 0.5 - 0.5 \\cdot 0.5 + 0.5 \\cdot 0.5 + 0.5 \\cdot 0.5 = 1" in section(
        text_of("mlp"), "Growing"
    )


def test_two_spirals_unit_by_unit():
    run, _, look_for = open_preset("mlp", "Two spirals, unit by unit")
    ends = {step.n_units: step.n_wrong for step in run.trace.steps if step.phase == "outputs"}
    assert ends == {0: 61, 1: 42, 2: 11, 3: 11, 4: 0}
    assert "61 of 210" in look_for
    assert run.fitted.score(run.problem.testing.X, run.problem.testing.y) == 1
    assert technique("mlp").methods["Growing"] is CascadeCorrelationClassifier
