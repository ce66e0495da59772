"""Runs that play: in a notebook, as a page of their own, and as tables."""

from dmlib.playback.page import page, theme
from dmlib.playback.playback import Playback, play

__all__ = ["Playback", "page", "play", "theme"]
