import numpy as np
import pytest

from dmlib.clustering.density_scene import CROSS, cluster_sizes, labelled_points, reach_marks
from dmlib.pictures.marks import NO_CLASS
from dmlib.pictures.plane import data_panel
from tests.pictures.examples import PROBLEMS


def test_rows_look_as_they_are_labelled():
    problem = PROBLEMS["squares"]
    labels = np.array([0, 0, -1, -2, -2, 300, 1, -1])
    border = np.zeros(8, bool)
    border[1] = True
    mark = labelled_points(problem, labels, border)
    assert np.asarray(mark.x).tolist() == problem.points[:, 0].tolist()
    assert mark.color.tolist() == [0, 0, NO_CLASS, NO_CLASS, NO_CLASS, 300 % NO_CLASS, 1, NO_CLASS]
    assert mark.symbol.tolist() == [0, 0, CROSS, 0, 0, 300 % NO_CLASS, 1, CROSS]
    assert mark.hollow.tolist() == [False, True] + [False] * 6


@pytest.mark.parametrize(
    ("metric", "n_marks"), [("euclidean", 1), ("chebyshev", 1), ("cosine", 0), (np.dot, 0)]
)
def test_only_balls_whose_shape_is_known_are_drawn(metric, n_marks):
    problem = PROBLEMS["squares"]
    marks = reach_marks(problem, data_panel(problem), metric, np.array([0]), 1.0, 0)
    assert len(marks) == n_marks


def test_many_clusters_are_cut_off_with_a_word():
    (table,) = cluster_sizes(np.arange(99))
    assert len(table.rows) == 30
    assert table.title == "Clusters (the first 30 of 99)"
    assert cluster_sizes(np.array([-1, -2])) == []
