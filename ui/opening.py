"""What a page opens with is made once, for all visitors: a class opens the same page in the same minute.

Only that is shared: the first run of a session, if its link has no settings. What readers choose,
draw or send stays in their sessions, and what they take from page to page too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from dmlib.pictures.encode import encode
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from ui.compute import LAST, TRACES
from ui.data.kind import Chosen
from ui.links import as_opened
from ui.ranges import RANGES, OnData

FROM_FILES = frozenset({"upload", "prepared", "operator"})
"""Sources whose code does not say what the data are."""


@dataclass(frozen=True)
class First:
    """The run that a page opens with.

    Attributes
    ----------
    code : str
        Python that makes its data.
    key : str
        Of the run.
    scene : Scene
        Its picture.
    session : dict
        What a session knows after it, by its names there.
    """

    code: str
    key: str
    scene: Scene
    session: dict[str, Any]


class Opening:
    """What the visitors of a page share.

    Parameters
    ----------
    common : bool
        Whether they share anything; else nothing is kept.

    Attributes
    ----------
    first : First or None
        What is kept.

    Notes
    -----
    Sessions are threads: what belongs together is put in place at once.
    """

    def __init__(self, *, common: bool) -> None:
        self._common = common
        self.first: First | None = None
        self._packed: tuple[Scene, Mapping[str, Any], bytes] | None = None

    def lend(self, code: str) -> None:
        """Let the session know what is known of these data, as if it had run the page before."""
        first = self.first
        if first is not None and first.code == code:
            for name in (TRACES, RANGES):
                st.session_state.setdefault(name, {}).update(first.session[name])
            st.session_state[LAST] = first.session[LAST]

    def picture(self, code: str, key: str) -> Scene | None:
        """Return the picture of a run, if it is this one."""
        first = self.first
        return (
            first.scene
            if first is not None and (first.code, first.key) == (code, key) and as_opened()
            else None
        )

    def keep(self, code: str, key: str, run: Run, scene: Scene, on_data: OnData) -> None:
        """Keep a run and its picture, if this is what the page opens with."""
        known = self.first is not None and self.first.scene is scene
        if self._common and not known and run.trace.complete and as_opened():
            traces, ranges = {key.split(maxsplit=1)[0]: run.trace}, {on_data.key: on_data.ranges}
            self.first = First(code, key, scene, {TRACES: traces, RANGES: ranges, LAST: (key, run)})

    def packed(self, scene: Scene, beside: Mapping[str, Any]) -> bytes:
        """Return a picture as bytes, with what travels beside it; what the page opens with is packed once."""
        known = self._packed
        if known is not None and known[0] is scene and known[1] == beside:
            return known[2]
        data = encode(scene, **beside)
        if self.first is not None and self.first.scene is scene:
            self._packed = scene, beside, data
        return data


NOTHING = Opening(common=False)
"""Of all other runs."""


def opening_of(slug: str, chosen: Chosen) -> Opening:
    """Return what the visitors of a page share; nothing, if this is not its first run in the session."""
    first = f"{slug}.run" not in st.session_state and chosen.source not in FROM_FILES
    return shared(slug) if first else NOTHING


@lru_cache(
    maxsize=100
)  # of Python, not of Streamlit: where files are watched, it goes with the code that made it
def shared(slug: str) -> Opening:
    """Return what all visitors share of a page."""
    return Opening(common=True)
