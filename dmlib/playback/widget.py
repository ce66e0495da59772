"""A run as a widget of a notebook, which says what its reader does."""

from __future__ import annotations

import base64
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from dmlib.pictures.encode import encode
from dmlib.playback.page import DARK, FONT, LIGHT, asset, variables
from dmlib.playback.playback import Playback

STYLE = Template("""
.dm-widget { $light --st-font: $font; --st-base-radius: 0.375rem; padding: 0.5rem;
background: var(--st-background-color); color: var(--st-text-color); font-family: var(--st-font); }
@media (prefers-color-scheme: dark) { .dm-widget { $dark } }
[data-jp-theme-light="true"] .dm-widget { $light }
[data-jp-theme-light="false"] .dm-widget { $dark }
$style""")


def widget(playback: Playback) -> Any:
    """Return a run on the stage of a notebook, whose values come back to Python.

    Parameters
    ----------
    playback : Playback
        The run.

    Returns
    -------
    PlaybackWidget
        ``frame`` is the frame at which the reader has stopped; setting it goes there. ``selected``
        is the sample that the reader has clicked, or None; its arithmetic is then among the
        numbers. ``moved`` has the ``name`` of the handle that was dragged last, and its place ``x``
        and ``y``. Setting ``playback`` shows another run in its place.

    Raises
    ------
    ModuleNotFoundError
        If anywidget is not installed.

    Examples
    --------
    >>> from dmlib import play
    >>> from dmlib.clustering import KMeans
    >>> run = widget(play(KMeans(2, random_state=0), [[0.0], [1.0], [9.0], [10.0]]))
    >>> run.selected = 2
    >>> run.playback.run.selected
    2
    >>> run.playback = play(KMeans(3, random_state=0), [[0.0], [1.0], [9.0], [10.0]])
    >>> run.frame == len(run.playback.frames) - 1
    True
    """
    return _widget_class()(playback)


@cache
def _widget_class() -> Any:
    """Return the class of widgets: the package that it is made with need not be installed."""
    import anywidget
    import traitlets

    class PlaybackWidget(anywidget.AnyWidget):
        """A run on the stage of a notebook; see :func:`widget`."""

        scene = traitlets.Bytes().tag(sync=True)
        frame = traitlets.Int().tag(sync=True)
        selected = traitlets.Int(None, allow_none=True).tag(sync=True)
        moved = traitlets.Dict().tag(sync=True)

        _esm = Template(Path(__file__).with_suffix(".js").read_text("utf-8")).substitute(
            bundle=base64.b64encode(asset("stage.min.js")).decode()
        )
        _css = STYLE.substitute(
            light=variables(LIGHT),
            dark=variables(DARK),
            font=FONT,
            style=asset("stage.css").decode(),
        )

        def __init__(self, playback: Playback) -> None:
            self._playback = playback
            super().__init__(scene=_encoded(playback), frame=playback.frame)

        @property
        def playback(self) -> Playback:
            """The run; setting another one shows it in the same place."""
            return self._playback

        @playback.setter
        def playback(self, playback: Playback) -> None:
            self._playback = playback
            with self.hold_sync():
                self.selected = playback.run.selected
                self.scene = _encoded(playback)
                self.frame = playback.frame

        @traitlets.observe("selected")
        def _select(self, change: Any) -> None:
            """Show the arithmetic of the sample that was clicked."""
            run = self._playback.run
            if change.new != run.selected:
                self._playback = Playback(replace(run, selected=change.new), self._playback.draw)
                self.scene = _encoded(self._playback)

    return PlaybackWidget


def _encoded(playback: Playback) -> bytes:
    name = type(playback.run.model).__name__
    selected = playback.run.selected
    return encode(playback.scene, name=name.lower(), title=name, selectable=True, selected=selected)
