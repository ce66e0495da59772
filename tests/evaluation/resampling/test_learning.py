"""The learning curve of a model on a table."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.model_selection import learning_curve as library_curve

from dmlib.evaluation.resampling.figures.learning import learning_data, plot_learning
from dmlib.evaluation.resampling.learning import LearningCurve, learning_curve
from tests.visit import open_preset

IRIS, SPECIES = load_iris(return_X_y=True)
DIABETES, PROGRESS = load_diabetes(return_X_y=True)


def test_the_errors_are_about_those_of_scikit_learn():
    curve = learning_curve(LinearRegression(), DIABETES, PROGRESS, numbers=True, n_repetitions=200)
    large = curve.sizes >= 32  # of few rows the error of eleven coefficients is wild
    _, training, test = library_curve(
        LinearRegression(),
        DIABETES,
        PROGRESS,
        train_sizes=curve.sizes[large],
        cv=ShuffleSplit(200, test_size=0.3, random_state=1),
        scoring="neg_mean_squared_error",
    )
    assert_allclose(curve.test[:, large].mean(axis=0), -test.mean(axis=1), rtol=0.05)
    assert_allclose(curve.training[:, large].mean(axis=0), -training.mean(axis=1), rtol=0.05)


def test_sizes_are_powers_and_each_class_is_in_the_smallest_training_set():
    curve = learning_curve("naive_bayes", IRIS, SPECIES, n_repetitions=8)
    assert curve.sizes.tolist() == [4, 8, 16, 32, 64, 105]
    assert curve.test.shape == curve.training.shape == (8, 6)
    # Three classes, one row each and one more: ZeroR would err on two thirds.
    assert curve.test[:, 0].mean() < 0.6


def test_sizes_that_the_model_refuses_are_left_out():
    curve = learning_curve("qda", IRIS, SPECIES, n_repetitions=4)
    assert set(curve.sizes) < {4, 8, 16, 32, 64, 105}
    assert np.isfinite(curve.test).all()


def test_zero_r_learns_nothing_from_more_rows():
    curve = learning_curve("zero_r", IRIS, SPECIES, n_repetitions=5)
    assert_allclose(curve.test, 2 / 3)
    assert curve.sufficient == curve.sizes[0]


def test_the_smallest_sufficient_size():
    rows = np.array([[0.5, 0.3, 0.21, 0.2], [0.5, 0.3, 0.19, 0.16]])
    curve = LearningCurve(np.array([4, 8, 16, 20]), rows, rows)
    # mean 0.18 and standard error 0.02 of all rows
    assert curve.sufficient == 16
    assert (
        "16 training rows are enough for a tree"
        in plot_learning(("a tree", curve)).layout.title.text
    )
    falling = LearningCurve(curve.sizes, rows - [[0, 0, -0.1, 0]], rows)
    assert "More rows would help" in plot_learning(("a tree", falling)).layout.title.text


def test_the_same_seed_gives_the_same_curve():
    curves = [
        learning_curve("decision_tree", IRIS, SPECIES, n_repetitions=3, random_state=seed)
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(curves[0].test, curves[1].test)
    assert not np.array_equal(curves[0].test, curves[2].test)


def test_too_few_rows():
    with pytest.raises(ValueError, match="at least 10 rows; there are 9"):
        learning_curve("knn", IRIS[:9], SPECIES[:9])


@pytest.mark.parametrize(
    ("title", "estimate", "ends"),
    [
        ("Enough rows for naive Bayes", 0.0467, {4: 0.504, 64: 0.0511, 105: 0.0478}),
        ("More penguins would help", 0.0436, {128: 0.0601, 240: 0.0476}),
    ],
)
def test_numbers_of_the_presets(title, estimate, ends):
    preset = open_preset("resampling", title)
    _, curve = learning_data(preset.run, lambda done: None)
    means = dict(zip(curve.sizes.tolist(), curve.test.mean(axis=0).tolist(), strict=True))
    assert {size: means[size] for size in ends} == pytest.approx(ends, rel=5e-3)
    assert preset.run.fitted.estimate_ == pytest.approx(estimate, abs=5e-5)
    is_enough = curve.sufficient < curve.sizes[-1]
    assert is_enough == title.startswith("Enough")
