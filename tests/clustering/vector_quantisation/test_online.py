"""The self-organising map and LVQ1 against their rules, written out in loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from dmlib.clustering import LVQ, SelfOrganizingMap
from dmlib.clustering.vector_quantisation.lvq import region_codes
from dmlib.clustering.vector_quantisation.som import grid_edges, topographic_error


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def naive_map(X, codes, rows, n_columns, rate, width):
    """Kohonen's rule, unit by unit."""
    codes = codes.copy()
    for t, row in enumerate(rows):
        remaining = 1 - t / len(rows)
        sigma = width * (0.5 / width) ** (t / len(rows))
        best = min(range(len(codes)), key=lambda i: sum((X[row] - codes[i]) ** 2))
        for i in range(len(codes)):
            d2 = (i // n_columns - best // n_columns) ** 2 + (i % n_columns - best % n_columns) ** 2
            codes[i] += rate * remaining * np.exp(-d2 / (2 * sigma**2)) * (X[row] - codes[i])
    return codes


@pytest.mark.parametrize("init", ["random", "mean", "pca"])
@pytest.mark.parametrize("grid", [(3, 4), (1, 5), (2, 2)])
def test_the_map_follows_kohonens_rule(iris, grid, init):
    X, _ = iris
    model = SelfOrganizingMap(
        *grid, init=init, max_iter=150, learning_rate=0.4, width=1.5, random_state=5
    )
    rng = np.random.RandomState(5)
    start = next(iter(model.steps(X))).codebook
    if init == "random":
        assert_array_equal(start, X[rng.randint(len(X), size=len(start))])
    elif init == "mean":
        rng.standard_normal(start.shape)
    rows = rng.randint(len(X), size=150)
    assert_allclose(
        model.fit(X).codebook_, naive_map(X, start, rows, grid[1], 0.4, 1.5), atol=1e-12
    )


def test_the_start_by_principal_components_lies_in_their_plane(iris):
    X, _ = iris
    start = next(iter(SelfOrganizingMap(3, 3, init="pca").steps(X))).codebook
    assert_allclose(start.mean(axis=0), X.mean(axis=0))
    _, values, axes = np.linalg.svd(X - X.mean(axis=0))
    assert_allclose((start - X.mean(axis=0)) @ axes[2:].T, 0, atol=1e-12)
    ends = (start[5] - start[3]) @ axes[0]
    assert abs(ends) == pytest.approx(3 * values[0] / np.sqrt(len(X)))


def test_the_map_keeps_neighbours_together():
    X = np.random.default_rng(0).random((400, 2))
    wide = SelfOrganizingMap(5, 5, random_state=0).fit(X)
    narrow = SelfOrganizingMap(5, 5, init="random", width=0.5, random_state=0).fit(X)
    assert wide.topographic_error_ < 0.1 < narrow.topographic_error_
    by_hand = 0
    for x in X:
        first, second = np.argsort(((wide.codebook_ - x) ** 2).sum(axis=1))[:2]
        by_hand += abs(first // 5 - second // 5) + abs(first % 5 - second % 5) > 1
    assert wide.topographic_error_ == by_hand / len(X)
    assert topographic_error(X, X[:1], 1) == 0.0


def test_a_single_row_of_units_finds_the_order_of_numbers():
    X = np.random.default_rng(0).random((300, 1))
    codes = SelfOrganizingMap(1, 6, random_state=0).fit(X).codebook_.ravel()
    assert (np.diff(codes) > 0).all() or (np.diff(codes) < 0).all()
    assert len(grid_edges(3, 4)) == 3 * 3 + 2 * 4


def test_lvq_follows_its_rule(iris):
    X, y = iris
    model = LVQ(2, max_iter=200, learning_rate=0.3, random_state=2)
    rng = np.random.RandomState(2)
    codes = np.vstack([X[rng.choice(np.flatnonzero(y == c), 2, replace=False)] for c in range(3)])
    classes = [0, 0, 1, 1, 2, 2]
    for t, row in enumerate(rng.randint(len(X), size=200)):
        best = min(range(6), key=lambda j: sum((X[row] - codes[j]) ** 2))
        sign = 1 if classes[best] == y[row] else -1
        codes[best] = codes[best] + sign * 0.3 * (1 - t / 200) * (X[row] - codes[best])
    fitted = model.fit(X, y)
    assert_allclose(fitted.codebook_, codes, atol=1e-12)
    assert_array_equal(fitted.prototype_classes_, classes)
    assert fitted.score(X, y) > 0.9


def test_phases_say_what_a_code_did(iris):
    X, y = iris
    for step in LVQ(2, max_iter=300, random_state=0).steps(X, y):
        if step.before is None:
            continue
        before, after = (
            np.linalg.norm(codes[step.code] - X[step.row]) for codes in (step.before, step.codebook)
        )
        assert (after <= before) == (step.phase == "attract") or before == 0
        unmoved = np.delete(np.arange(6), step.code)
        assert_array_equal(step.before[unmoved], step.codebook[unmoved])


def test_classes_of_an_image_are_its_regions():
    image = np.vstack([np.full((3, 8, 1), 0.9), np.full((3, 8, 1), 0.1)])
    model = LVQ(1, random_state=0).fit(image)
    assert model.classes_.tolist() == ["bottom", "top"]
    assert (model.predict(image) == np.repeat(["top", "bottom"], 24)).all()
    assert region_codes(4, 4, "middle and border").tolist() == [
        [1] * 4,
        [1, 0, 0, 1],
        [1, 0, 0, 1],
        [1] * 4,
    ]
    assert region_codes(1, 1, "middle and border").tolist() == [[0]]
    with pytest.raises(ValueError, match="need classes"):
        LVQ().fit(np.eye(3))


def test_an_image_of_one_pixel_and_of_one_colour():
    for image in (np.zeros((1, 1, 3)), np.full((5, 4, 1), 0.5)):
        for model in (LVQ(2, random_state=0), SelfOrganizingMap(2, 2, random_state=0)):
            assert model.fit(image).psnr_ == float("inf")
