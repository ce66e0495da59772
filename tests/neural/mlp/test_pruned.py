"""Pruning: second derivatives by differences and by loops, what is removed, and what is left."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.neural import MLPClassifier, PrunedMLPClassifier
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.layers import forward, mean_loss
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.pruned import second_derivatives
from dmlib.neural.mlp.questions import questions
from dmlib.pictures.question import judge
from tests.visit import open_preset, open_settings

PRUNING = "Pruning"


@parametrize_with_checks([PrunedMLPClassifier((4,), n_removed=4, n_retrain=2)])
def test_it_is_a_classifier_of_scikit_learn(estimator, check):
    check(estimator)


def rows_and_weights(seed, sizes):
    """Return rows with one-hot classes, and a network of random weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, sizes[0]))
    Y = np.eye(max(2, sizes[-1]))[rng.integers(0, max(2, sizes[-1]), 7)][:, -sizes[-1] :]
    coefs = [rng.normal(size=pair) for pair in pairwise(sizes)]
    return X, Y, coefs, [rng.normal(size=n) for n in sizes[1:]]


# --- second derivatives ---------------------------------------------------------------------------


def by_differences(X, Y, coefs, intercepts, activation, loss, layer, step=1e-4):
    """Return the second derivatives of the mean loss by the weights of a layer."""
    W, result = coefs[layer], np.zeros_like(coefs[layer])

    def value():
        return mean_loss(forward(X, coefs, intercepts, activation, loss), Y, coefs, loss)

    for index in np.ndindex(W.shape):
        middle, weight = value(), W[index]
        W[index] = weight + step
        above = value()
        W[index] = weight - step
        below = value()
        W[index] = weight
        result[index] = (above - 2 * middle + below) / step**2
    return result


@pytest.mark.parametrize(("loss", "n_outputs"), [("binary_log_loss", 1), ("log_loss", 3)])
@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
def test_those_of_the_output_layer_are_exact(loss, n_outputs, activation):
    X, Y, coefs, intercepts = rows_and_weights(0, (3, 4, n_outputs))
    f, cost = ACTIVATIONS[activation], LOSSES[loss]
    ours = second_derivatives(forward(X, coefs, intercepts, f, cost), coefs, f)
    expected = by_differences(X, Y, coefs, intercepts, f, cost, layer=1)
    assert_allclose(ours[1], expected, atol=1e-6)


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_those_of_a_chain_of_linear_units_are_exact_in_all_layers(layer):
    X, Y, coefs, intercepts = rows_and_weights(1, (2, 1, 1, 1))
    f, cost = ACTIVATIONS["identity"], LOSSES["binary_log_loss"]
    ours = second_derivatives(forward(X, coefs, intercepts, f, cost), coefs, f)
    expected = by_differences(X, Y, coefs, intercepts, f, cost, layer)
    assert_allclose(ours[layer], expected, atol=1e-6)


@given(st.integers(0, 500), st.sampled_from(["tanh", "sigmoid", "relu", "softplus"]))
@settings(max_examples=25)
def test_they_are_le_cuns_sums_row_by_row(seed, activation):
    X, _, coefs, intercepts = rows_and_weights(seed, (2, 3, 2, 1))
    f, cost = ACTIVATIONS[activation], LOSSES["binary_log_loss"]
    ours = second_derivatives(forward(X, coefs, intercepts, f, cost), coefs, f)
    expected = [np.zeros_like(W) for W in coefs]
    for x in X:
        activations, slopes = [x], []
        for layer, (W, b) in enumerate(zip(coefs, intercepts, strict=True)):
            z = activations[-1] @ W + b
            a = 1 / (1 + np.exp(-z)) if layer == 2 else f.function(z)
            slopes.append((f.function(z + 1e-6) - f.function(z - 1e-6)) / 2e-6)
            activations.append(a)
        p = activations[-1][0]
        second = [p * (1 - p)]
        for layer in (2, 1, 0):
            for i, a in enumerate(activations[layer]):
                for j, h in enumerate(second):
                    expected[layer][i, j] += a**2 * h / len(X)
            if layer:
                second = [
                    slopes[layer - 1][i] ** 2
                    * sum(coefs[layer][i, j] ** 2 * h for j, h in enumerate(second))
                    for i in range(len(activations[layer]))
                ]
    for values, sums in zip(ours, expected, strict=True):
        assert_allclose(values, sums, rtol=1e-5, atol=1e-9)


# --- what is removed ------------------------------------------------------------------------------


def blobs(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(30) % 3
    return rng.normal(size=(30, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1]])[y], y


@pytest.mark.parametrize("criterion", ["magnitude", "saliency"])
@given(st.integers(0, 50))
@settings(max_examples=8)
def test_each_time_the_smallest_one_is_removed_and_stays_so(criterion, seed):
    X, y = blobs(seed)
    model = PrunedMLPClassifier(
        (3,), criterion=criterion, n_removed=9, n_retrain=2, max_iter=10, random_state=seed
    )
    steps = list(model.steps(X, y))
    for before, step in pairwise(steps):
        assert all((W[~mask] == 0).all() for W, mask in zip(step.coefs, step.masks, strict=True))
        if step.phase != "prune":
            continue
        f, cost = ACTIVATIONS["tanh"], LOSSES["log_loss"]
        h = second_derivatives(
            forward(X, before.coefs, before.intercepts, f, cost), before.coefs, f
        )
        smallest = min(
            (abs(W[i, j]) if criterion == "magnitude" else h[layer][i, j] * W[i, j] ** 2 / 2)
            for layer, (W, mask) in enumerate(zip(before.coefs, before.masks, strict=True))
            for i, j in np.argwhere(mask)
        )
        layer, i, j = step.removed
        assert step.scores[layer][i, j] == pytest.approx(smallest)
        assert before.masks[layer][i, j]
        assert not step.masks[layer][i, j]
        assert step.n_connections == before.n_connections - 1
    assert steps[-1].n_connections == 15 - 9


def test_the_saliency_is_by_how_much_the_loss_rises_without_a_weight_of_the_last_layer():
    """With one output weight the loss is its function alone: to second order near a minimum."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1))
    y = (rng.random(400) < 1 / (1 + np.exp(-0.15 * X[:, 0]))).astype(int)
    model = PrunedMLPClassifier((), n_removed=1, batch_size=400, max_iter=2000, learning_rate=1.0)
    linear = MLPClassifier((), batch_size=400, max_iter=2000, learning_rate=1.0, momentum=0.0)
    linear.fit(X, y)
    (scores,) = model.scores(X, linear.coefs_, linear.intercepts_, [np.ones((1, 1), bool)])
    f, cost = ACTIVATIONS["tanh"], LOSSES["binary_log_loss"]

    def value(coefs):
        passed = forward(X, coefs, linear.intercepts_, f, cost)
        return mean_loss(passed, y[:, None].astype(float), coefs, cost)

    rise = value([np.zeros((1, 1))]) - value(linear.coefs_)
    assert scores[0, 0] == pytest.approx(rise, rel=0.02)


def test_one_connection_is_left_and_none_is_removed_twice():
    X, y = blobs(1)
    model = PrunedMLPClassifier((2,), n_removed=1000, n_retrain=1, max_iter=3, random_state=0)
    steps = list(model.steps(X, y))
    removed = [step.removed for step in steps if step.phase == "prune"]
    assert len(set(removed)) == len(removed) == 2 * 2 + 2 * 3 - 1
    assert model.fit(X, y).n_connections_ == 1


def test_training_before_is_that_of_the_network_without_pruning():
    X, y = blobs(2)
    model = PrunedMLPClassifier((3,), max_iter=12, n_removed=1, random_state=4)
    network = MLPClassifier((3,), max_iter=12, random_state=4).fit(X, y)
    first = next(iter(model.steps(X, y)))
    for ours, theirs in zip(first.coefs, network.coefs_, strict=True):
        assert_allclose(ours, theirs)


def test_weights_without_bound_end_the_run():
    X, y = blobs(3)
    model = PrunedMLPClassifier((3,), learning_rate=1e4, activation="relu", random_state=0)
    with pytest.warns(UserWarning, match="Not converged"):
        model.fit(X * 100, y)
    assert not model.converged_


# --- the page -------------------------------------------------------------------------------------


def wrong(run, part):
    return int((run.fitted.predict(part.data) != part.y).sum())


def test_sixteen_connections_are_enough():
    run, scene, look_for = open_preset("mlp", "Sixteen connections are enough")
    training, testing = run.problem.training, run.problem.testing
    assert f"{wrong(run, training)} of 140 training rows" in look_for
    assert f"{wrong(run, testing)} of 60 test rows" in look_for
    assert run.fitted.n_connections_ == 16
    assert scene["frames"][-1]["caption"].startswith("Done with 16 connections left, 24 removed")


def test_small_weights_that_matter():
    run, _, look_for = open_preset("mlp", "Small weights that matter")
    assert f"{wrong(run, run.problem.training)} of 140 training rows" in look_for
    assert f"{wrong(run, run.problem.testing) / 60:.1%}".replace("%", " %") in look_for


def test_too_many_connections_are_removed():
    run, _, look_for = open_preset("mlp", "Too many connections are removed")
    assert f"{wrong(run, run.problem.training)} of 140 training rows" in look_for
    assert run.fitted.n_connections_ == 10


def test_the_ledger_writes_out_the_saliency_that_is_smallest():
    run, scene = open_settings("mlp", method=PRUNING, n_removed=3)
    step, frame = run.trace.steps[1], scene["frames"][1]
    layer, i, j = step.removed
    w = run.trace.steps[0].coefs[layer][i, j]
    text = next(block["text"] for block in frame["ledger"] if "text" in block)
    assert text.endswith(f"{step.scores[layer][i, j]:.4g}, the smallest".replace("e-", "e−"))
    candidates = next(block for block in frame["ledger"] if "head" in block)
    assert candidates["rows"][0][1] == pytest.approx(w, rel=1e-3)
    assert candidates["rows"][0][0] == f"{layer + 1}: {i + 1} → {j + 1}"
    values = [row[3] for row in candidates["rows"]]
    assert values == sorted(values)


def test_questions_ask_for_saliencies():
    run, _ = open_settings("mlp", method=PRUNING, n_removed=4)
    asked = list(questions(run))
    assert len(asked) == 4
    for question in asked:
        step = run.trace.steps[question.step]
        layer, i, j = step.removed
        assert judge(question, float(step.scores[layer][i, j])).is_right
