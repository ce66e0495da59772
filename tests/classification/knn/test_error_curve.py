import numpy as np
import pytest

from dmlib.classification import KNeighborsClassifier
from dmlib.classification.knn.error_curve import error_curve_data, values_of_k
from dmlib.classification.knn.figures.error_curve import plot_error_curve
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
