"""The first run of a page, made once for all visitors: a class opens it in the same minute.

Only that is shared: the first run of a session, if its link has no settings. What readers choose,
draw or send stays in their sessions, and what they take from page to page too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dashboard.ranges import OnData
from dashboard.runs import Memory
from dmlib.pictures.encode import encode
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Scene

FROM_FILES = frozenset({"upload", "prepared", "operator"})
"""Sources whose code does not say what the data are."""


@dataclass(frozen=True)
class FirstRun:
    """The run that a page opens with.

    Attributes
    ----------
    code : str
        Python that makes its data.
    key : str
        Of the run.
    scene : Scene
        Its picture.
    memory : Memory
        What a session remembers after it.
    """

    code: str
    key: str
    scene: Scene
    memory: Memory


class Opening:
    """The run that the visitors of a page share.

    Attributes
    ----------
    first : FirstRun or None
        The run that the page opens with, once somebody has opened it.

    Notes
    -----
    Sessions are threads: what belongs together is put in place at once.
    """

    def __init__(self) -> None:
        self.first: FirstRun | None = None
        self._packed: tuple[Scene, Mapping[str, Any], bytes] | None = None

    def lend(self, code: str, memory: Memory) -> None:
        """Let a session know what is known of these data, as if it had run the page before."""
        first = self.first
        if first is not None and first.code == code:
            memory.traces.update(first.memory.traces)
            memory.ranges.update(first.memory.ranges)
            memory.last = first.memory.last

    def picture(self, code: str, key: str) -> Scene | None:
        """Return the picture of a run, if it is this one."""
        first = self.first
        is_this = first is not None and (first.code, first.key) == (code, key)
        return first.scene if first is not None and is_this else None

    def keep(self, code: str, key: str, run: AnyRun, scene: Scene, on_data: OnData) -> None:
        """Keep the run that the page opens with, and its picture."""
        is_known = self.first is not None and self.first.scene is scene
        if not is_known and run.trace.complete:
            memory = Memory(ranges={on_data.key: on_data.ranges}, last=(key, run))
            memory.keep(key.split(maxsplit=1)[0], run.trace)
            self.first = FirstRun(code, key, scene, memory)

    def packed(self, scene: Scene, details: Mapping[str, Any]) -> bytes:
        """Return a picture as bytes with what travels beside it; the first one is packed once."""
        packed = self._packed
        if packed is not None and packed[0] is scene and packed[1] == details:
            return packed[2]
        data = encode(scene, **details)
        if self.first is not None and self.first.scene is scene:
            self._packed = scene, details, data
        return data


# Of Python, not of Streamlit: where files are watched, it goes with the code that made it
@lru_cache(maxsize=100)
def opening_of(slug: str) -> Opening:
    """Return what all visitors share of a page."""
    return Opening()
