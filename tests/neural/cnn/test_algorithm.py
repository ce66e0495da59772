"""The network against numerical derivatives, SciPy, scikit-learn, and its own definition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

from dmlib.neural import ConvNet
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.cnn.network import Network, mean_loss
from dmlib.neural.cnn.occlusion import occlusion_map
from dmlib.neural.cnn.reference import correlate_images
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
    arrays = tuple(rng.normal(size=size) * 0.5 for pair in sizes for size in (pair, pair[1:]))
    return Network(arrays, size, p, ACTIVATIONS[name])


@pytest.mark.parametrize("name", ["relu", "tanh", "sigmoid"])
@pytest.mark.parametrize(
    ("shape", "size", "p"), [((5, 5), 3, 2), ((4, 6), 2, 2), ((3, 3), 1, 1), ((7, 4), 3, 3)]
)
def test_the_gradient_is_the_numerical_one(name, shape, size, p):
    rng = np.random.default_rng(size + p)
    net = network(rng, shape, 2, size, p, name)
    X, Y = rng.normal(size=(4, *shape, 1)), np.eye(3)[[0, 1, 2, 1]]
    gradients = net.backward(net.forward(X), Y)
    numerical = numerical_gradient(lambda: mean_loss(net.forward(X).output, Y), net.arrays)
    for gradient, expected in zip(gradients, numerical, strict=True):
        assert_allclose(gradient, expected, atol=1e-8)


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid"])
@pytest.mark.parametrize(("size", "p"), [(3, 2), (2, 3)])
def test_maps_are_scipys(digits, activation, size, p):
    X, y = digits
    model = ConvNet(3, kernel_size=size, pool_size=p, activation=activation, max_iter=2)
    reference = correlate_images(X, y, model.set_params(random_state=4).fit(X, y))
    assert model.loss_ == pytest.approx(reference.loss_)
    assert model.validation_score_ == reference.validation_score_
    assert model.n_parameters_ == reference.n_parameters_


def test_parameters_are_counted():
    X, y = np.random.default_rng(0).random((30, 8, 8)), np.arange(30) % 10
    model = ConvNet(6, max_iter=1, random_state=0).fit(X, y)
    assert model.n_parameters_ == (9 + 1) * 6 + (9 * 6 + 1) * 12 + (2 * 2 * 12 + 1) * 10 == 1210
    assert [coef.shape for coef in model.coefs_] == [(3, 3, 1, 6), (3, 3, 6, 12), (48, 10)]


def test_a_filter_of_one_pixel_without_pooling_is_a_perceptron_on_pixels(digits):
    """With filters that pass each pixel on, the dense layer is logistic regression of pixels."""
    X, _ = digits
    first = np.ones((1, 1)), np.zeros(1)
    second = np.array([[1.0, -1.0]]), np.zeros(2)
    dense = np.zeros((128, 10)), np.zeros(10)
    net = Network((*first, *second, *dense), 1, 1, ACTIVATIONS["identity"])
    signals = net.forward(X[..., None])
    assert_allclose(signals.flat[:, ::2], X.reshape(len(X), -1))
    assert_allclose(signals.flat[:, 1::2], -X.reshape(len(X), -1))
    assert_allclose(signals.output, 0.1)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_digits_are_learned_as_well_as_by_a_perceptron(digits):
    X, y = load_digits().images / 16, load_digits().target
    rows = X.reshape(len(X), -1)
    model = ConvNet(8, max_iter=15, random_state=0).fit(X[:800], y[:800])
    perceptron = MLPClassifier((32,), max_iter=60, random_state=0).fit(rows[:800], y[:800])
    score = model.score(X[800:], y[800:])
    assert score > 0.9
    assert score > perceptron.score(rows[800:], y[800:]) - 0.02
    assert model.loss_curve_[-1] < 0.1 * model.loss_curve_[0]


def test_rows_are_squares_or_lines(digits):
    X, y = digits
    rows = X.reshape(200, -1)
    model = ConvNet(2, max_iter=1, random_state=0)
    shares = model.fit(X, y).predict_proba(X)
    assert_array_equal(shares, model.fit(rows, y).predict_proba(rows))
    lines = rows[:, :7]
    assert model.fit(lines, y).signals(lines).images.shape == (200, 1, 7, 1)
    with pytest.raises(ValueError, match="takes 64 pixels"):
        model.fit(X, y).predict(X[:, :5])


def test_images_that_cannot_be_learned_are_refused(digits):
    with pytest.raises(ValueError, match="need classes"):
        ConvNet().fit(digits[0], None)
    with pytest.raises(ValueError, match="too large"):
        ConvNet().fit(1e200 * digits[0], digits[1])
    wild = ConvNet(2, learning_rate=10.0, max_iter=3, random_state=0).fit(*digits)
    assert np.isfinite(wild.loss_curve_).all()


def test_weight_decay_makes_weights_small(digits):
    plain, decayed = (
        ConvNet(2, alpha=alpha, max_iter=5, random_state=0).fit(*digits) for alpha in (0.0, 0.1)
    )
    assert np.linalg.norm(decayed.coefs_[2]) < np.linalg.norm(plain.coefs_[2])


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
            full, partial = model.predict_proba(np.stack([image, covered]))[:, code]
            assert drops[row, column] == pytest.approx(full - partial, abs=1e-12)
    blank = occlusion_map(model.network_, np.zeros((8, 8)), 2)
    assert not blank.any()
