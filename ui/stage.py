"""Mount the stage: the one component that draws and plays scenes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ui.switches import is_on

PACKAGE = "dmlib"
NAME, DROP, PROGRESS, CLASS = (
    f"{PACKAGE}.{part}" for part in ("stage", "drop", "progress", "class")
)
ASSETS = Path(__file__).parent.parent / "assets"
SCRIPT, STYLE = "stage.min.js", "stage.css"
"""The component's files; the first is made of the modules in assets/stage (docs/decisions/0034)."""
WAIT_UNTIL_DRAWN = """export default ({ setTriggerValue }) => {
  let frames = 600;  // where nothing is drawn in ten seconds, nothing will be
  let drawn = 0;
  const wait = () => {
    frames -= 1;
    if (document.querySelector('[data-testid=stage][data-rev]')) drawn += 1;
    if (!frames || drawn > 3) setTriggerValue('drawn', true);  // then it is on the screen as well
    else requestAnimationFrame(wait);
  };
  wait();
}"""
# Bytes at the end of the component's data, as in assets/stage/component.js: a scene that is saved
# has none
TOKEN = 22


@dataclass(frozen=True)
class StageState:
    """Messages of the stage.

    ``changed`` has the name and the value of a control, and a number; ``frame`` and ``selected``
    the frame that rests and the selected row, as ``value`` with a ``number`` that makes each
    message a new one; ``edited`` drawn points; ``moved`` a dragged handle; ``rest`` comes when
    nothing has moved for a moment and the picture is only a draft.
    """

    changed: dict[str, Any] | None
    frame: dict[str, Any] | None
    selected: dict[str, Any] | None
    edited: dict[str, Any] | None
    moved: dict[str, Any] | None
    rest: dict[str, Any] | None


@st.cache_resource(max_entries=1, show_spinner=False)
def _component() -> Callable[..., Any]:
    html = '<div class="dm-stage" data-testid="stage"></div>'
    css, js = STYLE, SCRIPT
    if not is_on("component"):
        css, js = ((ASSETS / name).read_text("utf-8") for name in (STYLE, SCRIPT))
    return st.components.v2.component(NAME, html=html, css=css, js=js, isolate_styles=False)


@st.cache_resource(max_entries=3, show_spinner=False)
def _script(name: str) -> Callable[..., Any]:
    """Return the component of a file of our own, by its name."""
    file = f"{name.partition('.')[2]}.js"
    js = file if is_on("component") else (ASSETS / file).read_text("utf-8")
    return st.components.v2.component(name, js=js, isolate_styles=False)


def drop_component(**arguments: Any) -> None:
    """Mount what listens for files that are dropped on the page (assets/drop.js)."""
    _serve_assets()
    _script(DROP)(**arguments)


def progress_component(titles: Mapping[str, str]) -> None:
    """Show what this browser remembers of practice (assets/progress.js), pages by their titles."""
    _serve_assets()
    _script(PROGRESS)(data={"titles": dict(titles)}, key=PROGRESS)


def class_component(n_calls: int) -> None:
    """Mount what opens a room for a class (assets/class.js), each time that it is called for."""
    _serve_assets()
    _script(CLASS)(data={"calls": n_calls}, key=CLASS, width="content")


def _mount(data: bytes, token: str, **settings: Any) -> Any:
    """Show the component."""
    _serve_assets()
    return _component()(data=data + token.encode().ljust(TOKEN), **settings)


def _serve_assets() -> None:
    """Tell Streamlit where the files of the components are; it may have forgotten them."""
    if is_on("component"):
        from ui.streamlit_private.component import serve_assets

        serve_assets((NAME, DROP, PROGRESS, CLASS), ASSETS.parent)


def exhibit(data: bytes, *, key: str) -> None:
    """Show an encoded scene that plays by itself, without messages to the server.

    Another theme makes the page run again, so that its pictures follow.
    """
    _mount(data, "", key=key, on_themed_change=lambda: None)


def stage(data: bytes, *, key: str, token: str = "", **callbacks: Callable[[], None]) -> StageState:
    """Show an encoded scene and return what the reader did with it.

    Parameters
    ----------
    data : bytes
        From :func:`dmlib.pictures.encode.encode`. Equal bytes cost nothing: they are not sent
        again.
    key : str
        Identity of the stage across reruns.
    token : str
        With which it may ask :mod:`ui.live`.
    **callbacks : callable
        ``on_changed``, ``on_frame`` and so on, by the names in :class:`StageState`: called before
        the rerun that the message makes.
    """
    changes = {f"{name}_change": callback for name, callback in callbacks.items()}
    result = _mount(data, token, key=key, **changes)
    return StageState(
        result.changed, result.frame, result.selected, result.edited, result.moved, result.rest
    )


def after_the_stage(key: str) -> bool:
    """Return whether the stage has been drawn; if not, the calling fragment runs again then.

    What is long and below the screen would keep the browser from drawing the stage.
    """
    if not st.session_state.get(key):
        st.components.v2.component("dmlib.drawn", js=WAIT_UNTIL_DRAWN)(
            key=f"{key}.waiting", on_drawn_change=lambda: st.session_state.update({key: True})
        )
    return bool(st.session_state.get(key))
