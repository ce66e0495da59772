"""A deep belief network: layers by loops, gradients by differences, and scikit-learn's network."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.neural_network import MLPClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from dashboard.presets import link_of
from dmlib.neural import DeepBeliefNetwork, RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.deep_belief_scene import PrincipalAxes
from dmlib.neural.boltzmann.figures.dreams import dreams_data
from dmlib.neural.boltzmann.figures.free_energies import free_energies_data
from dmlib.neural.boltzmann.questions import questions
from dmlib.neural.boltzmann.tuning import MOMENTUM, Tuning, hidden, outputs
from dmlib.neural.gradients import numerical_gradient
from dmlib.pictures.pair import DIFFERS
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_patterns
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset, open_settings, sound, stage, technique, visit

STACK = "Stack of machines"


def halves(seed, n_rows=40):
    """Return noisy patterns of eight cells whose left or right half is on, and their classes."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_rows) % 2)
    X = np.where(y[:, None] == np.repeat([0, 1], 4), 1.0, 0.0)
    return np.where(rng.random(X.shape) < 0.1, 1 - X, X), y


@parametrize_with_checks([DeepBeliefNetwork(8, 8, n_iter=10, max_iter=20)])
def test_it_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


# --- pre-training ---------------------------------------------------------------------------------


def test_the_first_machine_is_the_restricted_machine():
    X, y = halves(0)
    model = DeepBeliefNetwork(5, 3, n_iter=4, random_state=2).fit(X, y)
    machine = RestrictedBoltzmannMachine(5, n_iter=4, random_state=2).fit(X)
    assert_allclose(model.machines_[0].components, machine.components_)
    assert_allclose(model.machines_[0].visible, machine.intercept_visible_)


def test_the_second_machine_learns_what_the_first_one_makes():
    X, y = halves(1)
    rng = np.random.RandomState(7)
    first = RestrictedBoltzmannMachine(5, n_iter=4, random_state=rng).fit(X)
    second = RestrictedBoltzmannMachine(3, n_iter=4, random_state=rng).fit(first.transform(X))
    model = DeepBeliefNetwork(5, 3, n_iter=4, random_state=7).fit(X, y)
    assert_allclose(model.machines_[1].components, second.components_)
    last = [step for step in model.steps(X, y) if step.phase == "pretrain"][-1]
    assert last.reconstruction_error == pytest.approx(second.reconstruction_error_)


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_probabilities_are_those_of_units_one_by_one(seed):
    rng = np.random.default_rng(seed)
    sizes = (4, 3, 2, 3)
    coefs = [rng.normal(size=pair) for pair in pairwise(sizes)]
    intercepts = [rng.normal(size=n) for n in sizes[1:]]
    v = rng.random(4)
    h1 = [1 / (1 + np.exp(-(b + w @ v))) for w, b in zip(coefs[0].T, intercepts[0], strict=True)]
    h2 = [1 / (1 + np.exp(-(b + w @ h1))) for w, b in zip(coefs[1].T, intercepts[1], strict=True)]
    z = [d + u @ h2 for u, d in zip(coefs[2].T, intercepts[2], strict=True)]
    p = [np.exp(each) / sum(np.exp(z)) for each in z]
    for ours, expected in zip(outputs(v[None], coefs, intercepts), (h1, h2, p), strict=True):
        assert_allclose(ours[0], expected)
    assert_allclose(hidden(v, coefs[:2], intercepts[:2])[-1], h2)


# --- back-propagation -----------------------------------------------------------------------------


@pytest.mark.parametrize("n_fixed", [0, 2])
def test_a_step_goes_down_the_numerical_gradient(n_fixed):
    rng = np.random.default_rng(3)
    sizes, X, Y = (5, 4, 3, 2), rng.random((6, 5)), np.eye(2)[[0, 1, 0, 1, 1, 0]]
    coefs = [rng.normal(size=pair) for pair in pairwise(sizes)]
    intercepts = [rng.normal(size=n) for n in sizes[1:]]

    def loss():
        shares = outputs(X, coefs, intercepts)[-1]
        return float(-np.log((shares * Y).sum(axis=1)).mean())

    slopes = numerical_gradient(loss, [*coefs, *intercepts])
    tuning = Tuning(X, coefs, intercepts, n_fixed, 0.25, batch_size=6)
    tuning.epoch(Y, np.arange(6), np.random.RandomState(0))
    learned = [array for part in tuning.weights() for array in part]
    is_fixed = [layer < n_fixed for layer in (0, 1, 2)] * 2
    for before, after, slope, fixed in zip(
        [*coefs, *intercepts], learned, slopes, is_fixed, strict=True
    ):
        assert_allclose(after - before, 0.0 if fixed else -0.25 * slope, atol=1e-8)


def test_fine_tuning_is_that_of_scikit_learns_network():
    """In one batch the order of rows does not count; both begin with the same weights."""
    X, y = halves(4)
    model = DeepBeliefNetwork(5, 3, n_iter=3, max_iter=6, batch_size=40, random_state=0)
    y = np.where(np.arange(40) == 0, 2, y)  # three classes, for a softmax layer there too
    steps = list(model.steps(X, y))
    stack = next(step for step in steps if step.phase == "stack")
    for coefs, intercepts, learned in (
        (stack.coefs, stack.intercepts, steps[-1].coefs),
        (stack.random_coefs, stack.random_intercepts, steps[-1].random_coefs),
    ):
        reference = MLPClassifier(
            (5, 3),
            activation="logistic",
            solver="sgd",
            alpha=0.0,
            batch_size=40,
            learning_rate_init=0.1,
            momentum=MOMENTUM,
            nesterovs_momentum=False,
            shuffle=False,
        ).partial_fit(X, y, classes=[0, 1, 2])
        reference.coefs_[:] = [W.copy() for W in coefs]
        reference.intercepts_[:] = [b.copy() for b in intercepts]
        reference._optimizer.params = reference.coefs_ + reference.intercepts_
        for velocity in reference._optimizer.velocities:
            velocity[:] = 0.0
        for _ in range(6):
            reference.partial_fit(X, y)
        for ours, theirs in zip(learned, reference.coefs_, strict=True):
            assert_allclose(ours, theirs, atol=1e-10)


def test_without_fine_tuning_the_machines_stay_as_they_are():
    X, y = halves(5)
    model = DeepBeliefNetwork(5, 3, n_iter=4, fine_tuning=False, random_state=0).fit(X, y)
    for W, machine in zip(model.coefs_, model.machines_, strict=False):
        assert_allclose(W, machine.components.T)
    tuned = DeepBeliefNetwork(5, 3, n_iter=4, random_state=0).fit(X, y)
    assert not np.allclose(tuned.coefs_[0], tuned.machines_[0].components.T)


def test_both_networks_begin_with_the_same_softmax_layer():
    X, y = halves(6)
    steps = DeepBeliefNetwork(5, 3, n_iter=2, max_iter=1, random_state=0).steps(X, y)
    stack = next(step for step in steps if step.phase == "stack")
    assert_allclose(stack.coefs[2], stack.random_coefs[2])
    assert not np.allclose(stack.coefs[0], stack.random_coefs[0])


@given(st.integers(0, 100))
@settings(max_examples=10)
def test_probabilities_add_up_and_codes_are_probabilities(seed):
    X, y = halves(seed)
    model = DeepBeliefNetwork(4, 2, n_iter=2, max_iter=2, random_state=seed).fit(X, y)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert ((model.code(X) > 0) & (model.code(X) < 1)).all()
    assert np.isin(model.predict(X), y).all()


def test_one_class_is_refused_and_a_wild_rate_ends_in_numbers():
    X, y = halves(7)
    with pytest.raises(ValueError, match="only one class"):
        DeepBeliefNetwork().fit(X, y * 0)
    model = DeepBeliefNetwork(4, 2, tuning_rate=10.0, n_iter=2, random_state=0).fit(X * 50, y)
    assert np.isfinite(model.predict_proba(X)).all()


# --- patterns with classes ------------------------------------------------------------------------


def test_patterns_with_equal_names_are_a_class_of_which_some_are_held_out():
    patterns = np.zeros((6, 2, 2), bool)
    problem = prepare_patterns(patterns, list("abbaab"), labelled=True, test_size=0.34)
    assert problem.classes == ("a", "b")
    assert problem.y.tolist() == [0, 1, 1, 0, 0, 1]
    assert problem.testing.y.tolist() in ([0, 1], [1, 0])
    assert sorted(problem.training.y.tolist()) == [0, 0, 1, 1]
    assert len(problem.training.arguments) == 2
    assert len(prepare_patterns(patterns, list("abbaab")).arguments) == 1


def test_names_that_are_no_classes_are_refused():
    with pytest.raises(ValueError, match="1 different names; as classes there may be 2 to 30"):
        prepare_patterns(np.zeros((2, 2, 2)), ["a", "a"], labelled=True)
    with pytest.raises(ValueError, match="31 different names"):
        prepare_patterns(np.zeros((31, 2, 2)), labelled=True)


# --- the page -------------------------------------------------------------------------------------


def percent_of(share):
    return f"{share:.1%}".replace("%", " %")


def errors(run, step):
    """Return the fractions of misclassified test patterns of both networks."""
    X, y = run.problem.testing.arguments
    return [
        np.mean(outputs(X, coefs, intercepts)[-1].argmax(axis=1) != y)
        for coefs, intercepts in (
            (step.coefs, step.intercepts),
            (step.random_coefs, step.random_intercepts),
        )
    ]


def test_a_stack_of_two_machines():
    run, scene, look_for = open_preset("boltzmann", "A stack of two machines")
    first = next(step for step in run.trace.steps if step.phase == "tune")
    learned, random = errors(run, first)
    assert f"test error is {percent_of(learned)}, {random:.0%}".replace("0%", "0 %") in look_for
    learned, random = map(percent_of, errors(run, run.trace.steps[-1]))
    assert f"{learned} and {random}" in look_for
    end = f"test error {learned}, {random} from random weights."
    assert scene["frames"][-1]["caption"].endswith(end)
    assert [panel["name"] for panel in scene["panels"]] == ["data", "second", "code", "error"]
    run, _ = open_settings("boltzmann", method=STACK, max_iter=60)
    assert set(map(percent_of, errors(run, run.trace.steps[-1]))) == {"12.7 %"}
    assert "err equally, 12.7 %" in section(text_of("boltzmann"), "A stack of machines")


def test_pre_training_of_one_epoch():
    run, _, look_for = open_preset("boltzmann", "Pre-training of one epoch")
    learned, random = map(percent_of, errors(run, run.trace.steps[-1]))
    assert f"test error of {learned}: random weights lead to {random}" in look_for


def test_a_softmax_layer_on_fixed_features():
    run, _, look_for = open_preset("boltzmann", "A softmax layer on fixed features")
    learned, random = errors(run, run.trace.steps[-1])
    assert f"misclassifies {percent_of(learned)} of the test digits" in look_for
    assert random == 0.9


def test_units_are_not_ringed_as_rows_that_differ():
    preset = next(
        each
        for each in technique("boltzmann").presets
        if each.title == "A softmax layer on fixed features"
    )
    packed = stage(sound(visit("boltzmann", **link_of("boltzmann", preset))))
    assert "67 of 500 rows differ in the predicted class." in str(packed["pair"]["differences"])
    assert not any(key["text"] == DIFFERS.text for key in packed["legend"])


def test_the_unit_that_is_selected_is_written_out():
    for point, expected in ((3, "unit 3, layer 1"), (40, "unit 40, layer 2")):
        run, scene = open_settings("boltzmann", method=STACK, point=point)
        texts = [block["text"] for block in scene["frames"][-1]["ledger"] if "text" in block]
        assert texts[-1].startswith(expected)
    step = run.trace.steps[-1]
    sums = hidden(run.problem.data[0], step.coefs[:2], step.intercepts[:2])
    assert texts[-1].endswith(f" = {sums[2][40 - 33]:.4g}")


def test_questions_ask_for_probabilities_of_units_of_both_layers():
    run, _ = open_settings("boltzmann", method=STACK, n_iter=4, max_iter=1)
    asked = [question for question in questions(run) if question.topic == "probability"]
    assert {run.trace.steps[question.step].layer for question in asked} == {1, 2}
    for question in asked:
        step = run.trace.steps[question.step]
        unit = question.about[0] - 1 - (32 if step.layer == 2 else 0)
        p = hidden(run.problem.data[0], step.coefs, step.intercepts)[-1][unit]
        assert judge(question, float(p)).is_right


def test_figures_sample_the_stack_and_measure_its_first_machine():
    X, y = halves(8)
    problem = prepare_patterns(X.reshape(-1, 2, 4), y.astype(str), labelled=True)
    run = Run.of(problem, DeepBeliefNetwork(5, 3, n_iter=3, max_iter=1, random_state=0))
    samples = dreams_data(run).samples
    assert samples.shape[2:] == (2, 4)
    assert ((samples > 0) & (samples < 1)).all()
    first = run.fitted.machines_[0]
    assert_allclose(free_energies_data(run).values[0], first.free_energy(problem.data))


def test_principal_axes_are_those_of_the_covariances():
    codes = np.random.default_rng(0).random((30, 4))
    places = PrincipalAxes(codes).places(codes)
    largest = np.linalg.eigvalsh(np.cov(codes.T))[::-1][:2]
    assert_allclose(places.var(axis=0, ddof=1), largest)
    assert_allclose(PrincipalAxes(codes[:, :1]).places(codes[:, :1])[:, 1], 0.0)
