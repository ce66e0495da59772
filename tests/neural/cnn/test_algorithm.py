"""The network against numerical derivatives, SciPy, scikit-learn's perceptron, and its own definition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

from dmlib.neural import ConvNet
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.cnn.network import Network, mean_loss
from dmlib.neural.cnn.occlusion import occlusion_map
from dmlib.neural.cnn.reference import correlated
from dmlib.neural.gradients import numerical_gradient


@pytest.fixture(scope="module")
def digits():
    bunch = load_digits()
    return bunch.images[:200] / 16, bunch.target[:200]


def network(rng, shape, f, size, p, name, classes=3):
    height, width = shape
    for _ in range(2):
        height, width = -(-height // p), -(-width // p)
    sizes = ((size * size, f), (size * size * f, 2 * f), (height * width * 2 * f, classes))
    arrays = tuple(rng.normal(size=each) * 0.5 for pair in sizes for each in (pair, pair[1:]))
    return Network(arrays, size, p, ACTIVATIONS[name])


@pytest.mark.parametrize("name", ["relu", "tanh", "sigmoid"])
@pytest.mark.parametrize(
    ("shape", "size", "p"), [((5, 5), 3, 2), ((4, 6), 2, 2), ((3, 3), 1, 1), ((7, 4), 3, 3)]
)
def test_the_gradient_is_the_numerical_one(name, shape, size, p):
    rng = np.random.default_rng(size + p)
    net = network(rng, shape, 2, size, p, name)
    X, Y = rng.normal(size=(4, *shape, 1)), np.eye(3)[[0, 1, 2, 1]]
    found = net.backward(net.forward(X), Y)
    numbers = numerical_gradient(lambda: mean_loss(net.forward(X).output, Y), net.arrays)
    for ours, theirs in zip(found, numbers, strict=True):
        assert_allclose(ours, theirs, atol=1e-8)


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid"])
@pytest.mark.parametrize(("size", "p"), [(3, 2), (2, 3)])
def test_maps_are_scipys(digits, activation, size, p):
    X, y = digits
    model = ConvNet(
        3, kernel_size=size, pool_size=p, activation=activation, max_iter=2, random_state=4
    ).fit(X, y)
    theirs = correlated(model, X, y)
    assert model.loss_ == pytest.approx(theirs["loss_"])
    assert model.validation_score_ == theirs["validation_score_"]
    assert model.n_parameters_ == theirs["n_parameters_"]


def test_parameters_are_counted():
    X, y = np.random.default_rng(0).random((30, 8, 8)), np.arange(30) % 10
    model = ConvNet(6, max_iter=1, random_state=0).fit(X, y)
    assert model.n_parameters_ == (9 + 1) * 6 + (9 * 6 + 1) * 12 + (2 * 2 * 12 + 1) * 10 == 1210
    assert [coef.shape for coef in model.coefs_] == [(3, 3, 1, 6), (3, 3, 6, 12), (48, 10)]


def test_a_filter_of_one_pixel_without_pooling_is_a_perceptron_on_pixels(digits):
    """With filters of one pixel that pass everything on, the dense layer is logistic regression, as scikit-learn's."""
    X, _ = digits
    arrays = [
        np.ones((1, 1)),
        np.zeros(1),
        np.array([[1.0, -1.0]]),
        np.zeros(2),
        np.zeros((128, 10)),
        np.zeros(10),
    ]
    net = Network(tuple(arrays), 1, 1, ACTIVATIONS["identity"])
    seen = net.forward(X[..., None])
    assert_allclose(seen.flat[:, ::2], X.reshape(len(X), -1))
    assert_allclose(seen.flat[:, 1::2], -X.reshape(len(X), -1))
    assert_allclose(seen.output, 0.1)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_digits_are_learned_as_well_as_by_a_perceptron(digits):
    X, y = load_digits().images / 16, load_digits().target
    model = ConvNet(8, max_iter=15, random_state=0).fit(X[:800], y[:800])
    theirs = MLPClassifier((32,), max_iter=60, random_state=0).fit(
        X[:800].reshape(800, -1), y[:800]
    )
    ours, score = (
        model.score(X[800:], y[800:]),
        theirs.score(X[800:].reshape(len(X) - 800, -1), y[800:]),
    )
    assert ours > 0.9
    assert ours > score - 0.02
    assert model.loss_curve_[-1] < 0.1 * model.loss_curve_[0]


def test_rows_are_squares_or_lines(digits):
    X, y = digits
    model = ConvNet(2, max_iter=1, random_state=0)
    one, other = (
        model.fit(X, y).predict_proba(X),
        model.fit(X.reshape(200, -1), y).predict_proba(X.reshape(200, -1)),
    )
    assert_array_equal(one, other)
    assert ConvNet(2, max_iter=1).fit(X.reshape(200, -1)[:, :7], y).signals(
        X.reshape(200, -1)[:, :7]
    ).images.shape == (200, 1, 7, 1)
    with pytest.raises(ValueError, match="takes 64 pixels"):
        model.fit(X, y).predict(X[:, :5])


def test_what_cannot_be_learned_is_said(digits):
    with pytest.raises(ValueError, match="need classes"):
        ConvNet().fit(digits[0], None)
    with pytest.raises(ValueError, match="too large"):
        ConvNet().fit(1e200 * digits[0], digits[1])
    wild = ConvNet(2, learning_rate=10.0, max_iter=3, random_state=0).fit(*digits)
    assert np.isfinite(wild.loss_curve_).all()  # no number of a wild run is none


def test_weight_decay_makes_weights_small(digits):
    sizes = [
        np.linalg.norm(ConvNet(2, alpha=alpha, max_iter=5, random_state=0).fit(*digits).coefs_[2])
        for alpha in (0.0, 0.1)
    ]
    assert sizes[1] < sizes[0]


def test_occlusion_is_the_difference_of_two_predictions(digits):
    X, y = digits
    model = ConvNet(3, max_iter=4, random_state=0).fit(X, y)
    image = X[3]
    code = int(model.predict_proba(image[None])[0].argmax())
    for size in (1, 2, 3):
        drops = occlusion_map(model.network_, image, size)
        for row, column in ((0, 0), (3, 4), (7, 7)):
            covered = image.copy()
            top, left = max(row - (size - 1) // 2, 0), max(column - (size - 1) // 2, 0)
            covered[top : row - (size - 1) // 2 + size, left : column - (size - 1) // 2 + size] = 0
            both = model.predict_proba(np.stack([image, covered]))[:, code]
            assert drops[row, column] == pytest.approx(both[0] - both[1], abs=1e-12)
    blank = occlusion_map(model.network_, np.zeros((8, 8)), 2)
    assert not blank.any()
