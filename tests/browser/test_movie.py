"""A run as an animated GIF, by an installed browser."""

import io

import numpy as np
import pytest
from PIL import Image, ImageSequence

from dev import find_browser
from dmlib import play
from dmlib.clustering import KMeans
from dmlib.playback import movie
from tests.loops import in_a_loop

pytestmark = pytest.mark.browser
RUN = play(KMeans(2, random_state=0), [[0.0, 1.0], [1.0, 0.0], [9.0, 9.0], [10.0, 8.0]])


@pytest.fixture
def installed(monkeypatch):
    path = find_browser()
    assert path, "No Chromium or Chrome was found."
    monkeypatch.setenv(movie.BROWSER_NAME, path)


def test_a_gif_has_a_picture_for_each_frame(installed, tmp_path):
    content = RUN.to_gif(tmp_path / "run.gif", size=(600, 400), seconds=0.5)
    assert (tmp_path / "run.gif").read_bytes() == content
    with Image.open(io.BytesIO(content)) as picture:
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(picture)]
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(picture)]
    assert durations == [500] * (len(RUN.frames) - 1) + [2000]
    assert {frame.size for frame in frames} == {(600, 400)}
    assert len(frames) == len(RUN.frames)
    assert all(len(np.unique(np.asarray(frame).reshape(-1, 3), axis=0)) > 5 for frame in frames)


def test_frames_are_chosen_also_in_a_notebook(installed):
    async def cell():
        return RUN.to_gif(frames=[3, 1])

    with Image.open(io.BytesIO(in_a_loop(cell()))) as picture:
        assert picture.n_frames == 2
