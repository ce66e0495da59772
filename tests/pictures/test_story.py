"""What a story draws, and when."""

import numpy as np

from dmlib.clustering import KMeans
from dmlib.pictures.motion import still
from dmlib.pictures.places import points_at
from dmlib.pictures.plane import data_panel
from dmlib.pictures.run import Run
from dmlib.pictures.story import Drawing, story
from tests.pictures.examples import PROBLEMS, at


def test_a_still_draws_one_step_and_looks_like_its_frame():
    run, drawn = Run.of(PROBLEMS["squares"], KMeans(2, random_state=0)), []

    def draw(now):
        drawn.append(now.index)
        return Drawing([points_at(now.step.centers[:, :2], size=[now.index])], f"Step {now.index}.")

    def scene():
        return story(run, draw, panels=[data_panel(run.problem)])

    one = still(scene(), 3)
    assert drawn == [3]
    assert one.frames[0].caption == "Step 3."
    film = scene()
    assert len(film.marks) == 1
    for name in ("x", "y", "size"):
        np.testing.assert_array_equal(
            getattr(one.marks[0], name), at(getattr(film.marks[0], name), 3)
        )
