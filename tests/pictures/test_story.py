"""A story: when it draws, and which drawings fit together."""

import numpy as np
import pytest

from dmlib.clustering import KMeans
from dmlib.pictures.motion import still
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.plane import data_panel
from dmlib.pictures.run import Run
from dmlib.pictures.story import Drawing, story
from tests.pictures.examples import PROBLEMS, at


def test_a_still_draws_one_step_and_looks_like_its_frame():
    run, indices = Run.of(PROBLEMS["squares"], KMeans(2, random_state=0)), []

    def draw(moment):
        indices.append(moment.index)
        return Drawing(
            [points_at(moment.step.centers[:, :2], size=[moment.index])], f"Step {moment.index}."
        )

    def scene():
        return story(run, draw, panels=[data_panel(run.problem)])

    single = still(scene(), 3)
    assert indices == [3]
    assert single.frames[0].caption == "Step 3."
    film = scene()
    assert len(film.marks) == 1
    for name in ("x", "y", "size"):
        np.testing.assert_array_equal(
            getattr(single.marks[0], name), at(getattr(film.marks[0], name), 3)
        )


@pytest.mark.parametrize("first", [True, False])
def test_a_channel_of_some_drawings_only_is_refused(first):
    """A colour that the last drawing lacks would else be lost without a word."""
    run = Run.of(PROBLEMS["squares"], KMeans(2, random_state=0))

    def draw(moment):
        color = [0] if (moment.index == 0) == first else None
        return Drawing([points_at([[0.0, 0.0]], color=color)], "A step.")

    scene = story(run, draw, panels=[data_panel(run.problem)])
    with pytest.raises(ValueError, match="Points has color in some drawings only"):
        list(scene.marks)


def test_a_mark_of_another_type_is_refused():
    run = Run.of(PROBLEMS["squares"], KMeans(2, random_state=0))

    def draw(moment):
        mark = points_at if moment.index else line_through
        return Drawing([mark([[0.0, 0.0], [1.0, 1.0]])], "A step.")

    with pytest.raises(ValueError, match="in some drawings only"):
        list(story(run, draw, panels=[data_panel(run.problem)]).marks)
