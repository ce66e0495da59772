import numpy as np
import pytest

from dmlib.pictures.encode import encode
from dmlib.pictures.marks import NO_CLASS
from dmlib.pictures.plane import data_panel, data_points, data_scene, empty_scene
from tests.pictures.examples import PROBLEMS, at, problem


@pytest.fixture(params=PROBLEMS, ids=str)
def data(request):
    return PROBLEMS[request.param]


def test_panel_holds_the_data_and_more(data):
    far = data.points.max(axis=0) + np.array([50.0, 0.0])
    panel = data_panel(data, far)
    points = np.vstack([data.points, far])
    assert panel.x.low <= points[:, 0].min() < points[:, 0].max() <= panel.x.high
    assert panel.y.low <= points[:, 1].min() <= points[:, 1].max() <= panel.y.high


def test_units_are_as_long_on_both_axes_unless_that_were_a_line():
    assert data_panel(problem([[0, 0], [1, 1]])).equal
    assert not data_panel(problem([[0, 0], [1000, 1]])).equal


def test_points_are_the_rows_in_order(data):
    points = data_points(data)
    np.testing.assert_array_equal(np.column_stack([points.x, points.y]), data.points)
    assert points.data
    assert len(points.labels) == len(data.X)
    assert at(points.color, 0).tolist() == [NO_CLASS]


def test_scenes_without_a_run_have_one_frame(data):
    for scene in (data_scene(data, "Nothing was run."), empty_scene("Nothing.")):
        assert len(scene.frames) == 1
        assert encode(scene)
