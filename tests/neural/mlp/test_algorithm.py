"""Networks against scikit-learn, against pen and paper, and where learning cannot succeed."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.linear_model import LinearRegression
from sklearn.neural_network import MLPClassifier as TheirClassifier
from sklearn.neural_network import MLPRegressor as TheirRegressor

from dmlib.neural import MLPClassifier, MLPRegressor

GOLDEN = Path(__file__).parents[2] / "golden"
MOONS = make_moons(200, noise=0.2, random_state=0)
IRIS = load_iris(return_X_y=True)


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def theirs(cls, model):
    names = {"sigmoid": "logistic"}
    return cls(
        hidden_layer_sizes=model.layer_sizes,
        activation=names.get(model.activation, model.activation),
        solver=model.solver,
        alpha=model.alpha,
        batch_size=model.batch_size,
        learning_rate_init=model.learning_rate,
        max_iter=model.max_iter,
        momentum=model.momentum,
        nesterovs_momentum=False,
        n_iter_no_change=model.max_iter,
        tol=0.0,
        shuffle=model.shuffle,
        random_state=model.random_state,
    )


def assert_same_weights(model, reference, n_targets=1):
    weights = model.coefs_ + model.intercepts_
    expected = reference.coefs_ + reference.intercepts_
    for array, expected_array in zip(weights, expected, strict=True):
        np.testing.assert_allclose(array, expected_array, rtol=1e-9, atol=1e-12)
    losses = n_targets * np.array(reference.loss_curve_)
    np.testing.assert_allclose(model.loss_curve_, losses, rtol=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("data", [MOONS, IRIS], ids=["two classes", "three classes"])
@pytest.mark.parametrize("solver", ["sgd", "adam"])
@pytest.mark.parametrize("activation", ["sigmoid", "tanh", "relu", "identity"])
def test_weights_are_those_of_scikit_learn(activation, solver, data):
    model = MLPClassifier(
        (7, 5),
        activation,
        solver=solver,
        alpha=0.02,
        learning_rate=0.01,
        max_iter=15,
        random_state=4,
    )
    model.fit(*data)
    reference = theirs(TheirClassifier, model).fit(*data)
    X = data[0]
    assert_same_weights(model, reference)
    np.testing.assert_allclose(model.predict_proba(X), reference.predict_proba(X), atol=1e-12)
    assert (model.predict(X) == reference.predict(X)).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "how",
    [
        {"batch_size": 1, "max_iter": 3},
        {"batch_size": 150},
        {"shuffle": False},
        {"hidden_layer_sizes": ()},
    ],
    ids=repr,
)
def test_batches_are_those_of_scikit_learn(how):
    model = MLPClassifier(**{"learning_rate": 0.02, "max_iter": 12, "random_state": 1, **how}).fit(
        *IRIS
    )
    assert_same_weights(model, theirs(TheirClassifier, model).fit(*IRIS))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_regressor_is_that_of_scikit_learn_on_the_standardised_target():
    X, y = load_diabetes(return_X_y=True)
    model = MLPRegressor((6, 3), learning_rate=0.02, max_iter=20, alpha=0.1, random_state=2).fit(
        X, y
    )
    reference = theirs(TheirRegressor, model).fit(X, (y - y.mean()) / y.std())
    predicted = reference.predict(X) * y.std() + y.mean()
    np.testing.assert_allclose(model.predict(X), predicted, rtol=1e-9)
    np.testing.assert_allclose(model.loss_curve_, reference.loss_curve_, rtol=1e-9)
    plain = MLPRegressor(
        (6,), learning_rate=1e-5, max_iter=5, scale_target=False, random_state=2
    ).fit(X, y)
    assert_same_weights(plain, theirs(TheirRegressor, plain).fit(X, y))


def test_iris_by_back_propagation_of_single_cases():
    """150 cases, 25 logistic units, one case at a time, 400 epochs: the text reports 2 errors."""
    golden = json.loads((GOLDEN / "iris_backprop.json").read_text(encoding="utf-8"))
    X, y = standardised(IRIS[0]), IRIS[1]
    how = {
        "loss": "squared_error",
        "batch_size": 1,
        "learning_rate": 0.1,
        "momentum": 0.5,
        "random_state": 1,
    }
    model = MLPClassifier(
        (golden["input"]["hidden"],), "sigmoid", max_iter=golden["input"]["epochs"], **how
    ).fit(X, y)
    assert (model.predict(X) != y).sum() == golden["expected"]["training_errors"]
    assert [W.shape for W in model.coefs_] == [(4, 25), (25, 3)]
    first = MLPClassifier((25,), "sigmoid", max_iter=1, **how).fit(X, y)
    assert (first.predict(X) != y).mean() > 10 * (model.predict(X) != y).mean()


def hand(max_iter):
    """A small network; its row of the second class comes first, and the other is unused."""
    init = ([[[1.0, -1.0], [0.5, 1.0]], [[0.5], [-1.0]]], [[0.0, 0.5], [0.5]])
    return MLPClassifier(
        (2,),
        "relu",
        init=init,
        learning_rate=0.1,
        momentum=0.0,
        batch_size=1,
        max_iter=max_iter,
        shuffle=False,
    )


def test_a_pass_by_hand():
    from dmlib.neural.activations import ACTIVATIONS
    from dmlib.neural.layers import backward, forward
    from dmlib.neural.losses import LOSSES

    model = hand(1)
    coefs, intercepts = ([np.array(part) for part in parts] for parts in model.init)
    f, loss = ACTIVATIONS["relu"], LOSSES["binary_log_loss"]
    x, y = np.array([[1.0, 2.0]]), np.array([[1.0]])
    passed = forward(x, coefs, intercepts, f, loss)
    assert passed.sums[0].tolist() == [[2.0, 1.5]]
    assert passed.output.item() == 0.5
    assert loss.loss(passed.output, y).item() == pytest.approx(0.6931, abs=5e-5)
    by_coefs, by_intercepts, deltas = backward(passed, y, coefs, f, loss)
    assert by_coefs[1].ravel().tolist() == [-1.0, -0.75]
    assert by_intercepts[1].tolist() == [-0.5]
    assert deltas[0].tolist() == [[-0.25, 0.5]]
    assert by_coefs[0].T.tolist() == [[-0.25, -0.5], [0.5, 1.0]]
    new = [W - 0.1 * g for W, g in zip(coefs, by_coefs, strict=True)]
    constants = [b - 0.1 * g for b, g in zip(intercepts, by_intercepts, strict=True)]
    assert new[1].ravel().tolist() == pytest.approx([0.6, -0.925])
    after = forward(x, new, constants, f, loss)
    assert after.output.item() == pytest.approx(0.6748, abs=5e-5)
    assert loss.loss(after.output, y).item() == pytest.approx(0.3933, abs=5e-5)
    twice = model.steps([[1.0, 2.0], [1.0, 2.0]], [1, 0])  # the other row comes after it
    assert next(twice).coefs[1].ravel().tolist() == [0.5, -1.0]


def test_given_weights_continue_a_run():
    X, y = MOONS
    how = {"learning_rate": 0.1, "momentum": 0.0, "shuffle": False}
    full = MLPClassifier((5,), max_iter=20, random_state=0, **how).fit(X, y)
    half = MLPClassifier((5,), max_iter=10, random_state=0, **how).fit(X, y)
    init = half.coefs_, half.intercepts_
    continued = MLPClassifier((5,), max_iter=10, init=init, **how).fit(X, y)
    np.testing.assert_allclose(continued.coefs_[0], full.coefs_[0], rtol=1e-12)
    target = X[:, 0] * 100 + 50
    regressor = MLPRegressor((5,), max_iter=3, random_state=0, **how).fit(X, target)
    init = regressor.coefs_, regressor.intercepts_
    start = next(MLPRegressor((5,), init=init).steps(X, target))
    np.testing.assert_allclose(start.coefs[-1], regressor.coefs_[-1])


@pytest.mark.parametrize(
    "init", [([[1.0]], [[0.0]]), "nonsense", (1, 2), ([np.nan], [0.0])], ids=repr
)
def test_start_weights_of_other_shapes_are_refused(init):
    with pytest.raises(ValueError, match="init must be"):
        MLPClassifier((5,), init=init).fit(*MOONS)


@pytest.mark.parametrize("sizes", [(0,), (3, -1), (2.5,), (True,), None, (5,) * 30], ids=repr)
def test_impossible_layers_are_refused(sizes):
    with pytest.raises(ValueError, match="hidden_layer_sizes must be"):
        MLPClassifier(sizes).fit(*MOONS)


def test_a_run_that_diverges_says_when_and_keeps_finite_weights():
    X, y = load_diabetes(return_X_y=True)
    with pytest.warns(
        ConvergenceWarning,
        match=r"grow without bound in epoch \d+: the learning rate 50 is too large",
    ):
        model = MLPRegressor((4,), "identity", learning_rate=50.0, random_state=0).fit(X * 20, y)
    assert not model.converged_
    assert all(np.isfinite(W).all() for W in model.coefs_)
    assert np.isfinite(model.loss_curve_).all()


def test_large_columns_are_named_where_a_run_diverges():
    X, y = IRIS
    with pytest.warns(ConvergenceWarning, match="numbers up to 7.9e\\+03: scale them"):
        MLPClassifier((4,), "relu", learning_rate=1000.0, random_state=0).fit(X * 1000, y)


def test_zero_weights_stay_alike():
    model = MLPClassifier((5,), init="zero", random_state=0).fit(*MOONS)
    assert not model.coefs_[0].any()
    assert not model.coefs_[1].any()
    sigmoid = MLPClassifier((5,), "sigmoid", init="zero", random_state=0).fit(*MOONS)
    assert np.ptp(sigmoid.coefs_[0], axis=1).max() == pytest.approx(0, abs=1e-12)


def test_without_hidden_layers_it_is_least_squares():
    X, y = load_diabetes(return_X_y=True)
    X = standardised(X)
    model = MLPRegressor((), batch_size=442, learning_rate=0.2, momentum=0.9, max_iter=6000).fit(
        X, y
    )
    np.testing.assert_allclose(model.predict(X), LinearRegression().fit(X, y).predict(X), rtol=1e-3)


@pytest.mark.parametrize("loss", ["log_loss", "squared_error", "hinge"])
@pytest.mark.parametrize("solver", ["sgd", "adagrad", "rmsprop", "adam"])
def test_every_loss_and_solver_learns_moons_and_iris(loss, solver):
    rate = {"sgd": 0.1, "adagrad": 0.1, "rmsprop": 0.01, "adam": 0.01}[solver]
    for X, y in (MOONS, IRIS):
        model = MLPClassifier(
            (8,), loss=loss, solver=solver, learning_rate=rate, max_iter=200, random_state=0
        )
        assert model.fit(standardised(X), y).score(standardised(X), y) > 0.93
        predicted, confidence = model.certainty(standardised(X))
        assert (predicted == model.predict(standardised(X))).all()
        assert confidence.min() >= 0
        assert confidence.max() <= 1


def test_shares_add_up_to_one_and_hinge_has_none():
    for loss in ("log_loss", "squared_error"):
        model = MLPClassifier(loss=loss, max_iter=5, random_state=0).fit(*IRIS)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(IRIS[0])).sum(axis=1), 1)
        np.testing.assert_allclose(model.predict_proba(IRIS[0]).sum(axis=1), 1)
    assert not hasattr(MLPClassifier(loss="hinge"), "predict_proba")
    assert not hasattr(MLPClassifier(loss="hinge"), "predict_log_proba")


def test_early_stopping_keeps_the_epoch_with_the_smallest_validation_loss():
    X, y = make_moons(150, noise=0.4, random_state=1)
    model = MLPClassifier(
        (16, 16),
        solver="adam",
        learning_rate=0.03,
        max_iter=300,
        early_stopping=True,
        random_state=0,
    )
    steps = list(model.steps(X, y))
    curve = [step.validation_loss for step in steps[:-1]]
    last = steps[-1]
    assert last.best_epoch == int(np.argmin(curve))
    assert last.epoch == last.best_epoch + model.n_iter_no_change
    np.testing.assert_array_equal(last.coefs[0], steps[last.best_epoch].coefs[0])
    watched = last.watched
    assert len(watched) == 30
    assert abs(y[watched].mean() - y.mean()) < 0.02  # stratified
    changed = X.copy()
    changed[watched] += 1e-9  # no weight learns from them
    repeated = list(model.steps(changed, y))
    np.testing.assert_array_equal(repeated[1].coefs[0], steps[1].coefs[0])


def test_weight_decay_shrinks_and_dropout_disturbs():
    X, y = MOONS
    plain, decayed = (
        MLPClassifier((8,), alpha=alpha, random_state=0).fit(X, y) for alpha in (0.0, 5.0)
    )
    assert np.linalg.norm(decayed.coefs_[0]) < np.linalg.norm(plain.coefs_[0])
    dropped = MLPClassifier((8,), dropout=0.5, random_state=0).fit(X, y)
    assert dropped.loss_ > plain.loss_
    # No unit is dropped to predict:
    assert (dropped.predict_proba(X) == dropped.predict_proba(X)).all()


def test_the_learning_rate_decays():
    rates = [
        step.rate for step in MLPClassifier(decay=0.5, learning_rate=0.3, max_iter=3).steps(*MOONS)
    ]
    assert rates[1:4] == pytest.approx([0.3, 0.2, 0.15])


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="y has only one class, 1; a classifier needs two"):
        MLPClassifier().fit([[0.0], [1.0]], [1, 1])


def test_too_few_rows_for_validation_are_refused():
    with pytest.raises(ValueError, match="Of 2 rows, 0 would be for validation"):
        MLPClassifier(early_stopping=True).fit([[0.0], [1.0]], [0, 1])


def test_from_steps_is_fit():
    model = MLPClassifier((4,), early_stopping=True, max_iter=30, random_state=3)
    fitted = MLPClassifier((4,), early_stopping=True, max_iter=30, random_state=3).fit(*MOONS)
    from_steps = model.fit_from(tuple(model.steps(*MOONS)), *MOONS)
    assert vars(from_steps).keys() == vars(fitted).keys()
    assert_same_weights(from_steps, fitted)
    assert from_steps.validation_loss_curve_ == fitted.validation_loss_curve_


def test_a_constant_target_is_predicted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = MLPRegressor(max_iter=50, random_state=0).fit(IRIS[0], np.full(150, 7.0))
    np.testing.assert_allclose(model.predict(IRIS[0]), 7.0, atol=0.3)


def several_targets(n=90):
    X = np.random.RandomState(3).normal(size=(n, 3))
    return X, np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2], X[:, 0]])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("solver", ["sgd", "adam"])
def test_several_numbers_are_learned_as_by_scikit_learn(solver):
    X, Y = several_targets()
    plain = MLPRegressor(
        (7, 5), solver=solver, learning_rate=0.01, max_iter=20, scale_target=False, random_state=1
    )
    reference = theirs(TheirRegressor, plain.fit(X, Y)).fit(X, Y)
    assert_same_weights(plain, reference, n_targets=3)
    assert plain.predict(X).shape == Y.shape
    assert plain.r2_ == pytest.approx(reference.score(X, Y))


def test_several_numbers_of_any_size_share_their_units_and_start_again_where_they_ended():
    X, Y = several_targets()
    Y = Y * [1.0, 1e6, 1e-6] + [0.0, 5e6, 3.0]
    model = MLPRegressor((8,), max_iter=300, random_state=0).fit(X, Y)
    residuals, deviations = Y - model.predict(X), Y - Y.mean(axis=0)
    assert (1 - (residuals**2).sum(axis=0) / (deviations**2).sum(axis=0)).min() > 0.9
    start = next(MLPRegressor((8,), init=(model.coefs_, model.intercepts_)).steps(X, Y))
    weights = [*start.coefs, *start.intercepts]
    for array, expected in zip(weights, model.coefs_ + model.intercepts_, strict=True):
        np.testing.assert_allclose(array, expected, rtol=1e-9, atol=1e-12)


def test_one_target_in_a_column_is_a_target():
    X, Y = several_targets()
    plain = MLPRegressor((4,), max_iter=3, random_state=0).fit(X, Y[:, 0])
    with pytest.warns(DataConversionWarning):
        column = MLPRegressor((4,), max_iter=3, random_state=0).fit(X, Y[:, :1])
    assert column.predict(X).shape == (90,)
    np.testing.assert_allclose(column.predict(X), plain.predict(X))
