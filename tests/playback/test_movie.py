"""A run as an animated GIF where it cannot be drawn."""

import pytest

from dmlib import play
from dmlib.clustering import KMeans
from dmlib.playback import movie

RUN = play(KMeans(2, random_state=0), [[0.0], [1.0], [9.0], [10.0]])


def test_without_a_browser_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(movie, "_browser", lambda: "/nowhere/chromium")
    with pytest.raises(RuntimeError, match=r"install dmlib\[gif\], and Chromium"):
        RUN.to_gif()
