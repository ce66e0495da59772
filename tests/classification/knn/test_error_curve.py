import re

import numpy as np
import pandas as pd
import pytest
from sklearn import neighbors
from sklearn.datasets import make_blobs

from dmlib.classification import KNeighborsClassifier
from dmlib.classification.knn.error_curve import error_curve_data, values_of_k
from dmlib.classification.knn.figures.error_curve import plot_error_curve
from dmlib.classification.knn.split_errors import split_errors
from dmlib.datasets import load
from dmlib.problem import prepare


def iris(**how):
    frame = load("iris").frame
    return prepare(frame, ["petal_length", "petal_width"], target="species", labelled=True, **how)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_errors_are_those_of_the_classifier(weights):
    problem = iris(test_size=0.3)
    curve = error_curve_data(problem, KNeighborsClassifier(5, weights=weights)).curve
    for k in (1, 5, 20, 70):
        (i,) = np.flatnonzero(curve.n_neighbors == k)
        model = KNeighborsClassifier(k, weights=weights).fit(problem.training.X, problem.training.y)
        assert curve.train[i] == pytest.approx(
            (model.predict(problem.training.X) != problem.training.y).mean()
        )
        assert curve.leave_one_out[i] == pytest.approx(
            (model.predict(None) != problem.training.y).mean()
        )
        assert curve.test[i] == pytest.approx(
            (model.predict(problem.testing.X) != problem.testing.y).mean()
        )


def test_the_k_in_use_is_always_among_them():
    assert 150 in values_of_k(1000, 150)
    assert values_of_k(7, 5).tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert values_of_k(7, 90).max() == 7
    assert len(values_of_k(100_000, 5)) <= 45


def test_best_k_is_the_smoothest_of_the_best():
    data = error_curve_data(iris(), KNeighborsClassifier(5))
    leave_one_out = data.curve.leave_one_out
    best = data.curve.n_neighbors[np.flatnonzero(leave_one_out == np.nanmin(leave_one_out))]
    assert data.best == best.max()


def test_figure_has_a_line_for_each_curve_and_one_at_k():
    figure = plot_error_curve(error_curve_data(iris(test_size=0.3), KNeighborsClassifier(9)))
    assert [trace.name for trace in figure.data] == ["training", "leave-one-out", "test"]
    assert figure.layout.shapes[0].x0 == 9
    assert "smallest at k =" in figure.layout.title.text
    without = plot_error_curve(error_curve_data(iris(), KNeighborsClassifier(9)))
    assert [trace.name for trace in without.data] == ["training", "leave-one-out"]


def test_two_rows_are_enough():
    problem = iris().only(np.isin(np.arange(150), [0, 100]))
    data = error_curve_data(problem, KNeighborsClassifier(1))
    assert data.curve.n_neighbors.tolist() == [1, 2]
    assert np.isnan(data.curve.leave_one_out[1])
    plot_error_curve(data)


def test_names_stay_apart_where_the_curves_end_together():
    figure = plot_error_curve(error_curve_data(iris(test_size=0.3), KNeighborsClassifier(5)))
    heights = sorted(
        note.y
        for note in figure.layout.annotations
        if note.text in {"training", "leave-one-out", "test"}
    )
    top = max(max(trace.y) for trace in figure.data)
    assert len(heights) == 3
    assert np.diff(heights).min() >= 0.069 * top


def test_errors_of_random_splits_by_definition():
    """Each split again by scikit-learn's neighbours, with the same rows held out."""
    X, y = make_blobs(50, 2, centers=3, cluster_std=4.0, random_state=1)
    ks = [1, 4, 9, 35, 40]
    splits = split_errors(KNeighborsClassifier(), X, y, ks, n_splits=6, random_state=3)
    rng, errors = np.random.default_rng(3), []
    for _ in range(6):
        order = rng.permutation(50)
        out, stored = order[:15], order[15:]
        errors.append(
            [
                1
                - neighbors.KNeighborsClassifier(k).fit(X[stored], y[stored]).score(X[out], y[out])
                for k in ks[:-1]
            ]
        )
    assert splits.mean[:-1] == pytest.approx(np.mean(errors, axis=0))
    assert splits.deviation[:-1] == pytest.approx(np.std(errors, axis=0, ddof=1))
    assert np.isnan(splits.mean[-1])  # 35 rows are stored


def test_random_splits_of_words_and_of_two_rows():
    words = pd.DataFrame({"sky": pd.Categorical(["sun", "rain"] * 10)})
    splits = split_errors(KNeighborsClassifier(1), words, ["yes", "no"] * 10, [1])
    assert splits.mean.tolist() == [0.0]
    two = split_errors(KNeighborsClassifier(1), [[0.0], [1.0]], [0, 1], [1])
    assert (two.mean.tolist(), two.deviation.tolist()) == ([1.0], [0.0])


def test_the_band_is_a_standard_deviation_on_either_side():
    data = error_curve_data(iris(), KNeighborsClassifier(5))
    ks = data.curve.n_neighbors.tolist()
    problem = iris()
    splits = split_errors(KNeighborsClassifier(5), problem.training.data, problem.training.y, ks)
    figure = plot_error_curve(data, splits)
    traces = {trace.name: trace for trace in figure.data}
    band, mean = np.asarray(traces["spread"].y), np.asarray(traces["random splits"].y)
    n = len(band) // 2
    low, high = band[:n], band[n:][::-1]
    assert high == pytest.approx((splits.mean + splits.deviation)[:n])
    assert low == pytest.approx(np.maximum(splits.mean - splits.deviation, 0)[:n])
    assert mean == pytest.approx(splits.mean, nan_ok=True)
    title = " ".join(re.sub("<[^>]*>", " ", figure.layout.title.text).split())
    assert "over 20 random splits of the training rows, 30% held out" in title
