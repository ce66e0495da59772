"""Open a page of the app without a browser, and look at what it shows."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest import mock

from streamlit.testing.v1 import AppTest

import ui
import ui.page
from dmlib.scene import decode

ROOT = Path(__file__).parents[2]
TIMEOUT = 60


@cache
def technique(slug):
    """Return what a page declares."""
    with mock.patch.object(ui, "show") as show:
        runpy.run_path(str(ROOT / "pages" / f"{slug}.py"))
    return show.call_args.args[0]


def visit(slug="home", **link):
    """Open a page by its link, as a new visitor; the values are texts, or lists of texts for names that repeat."""
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
    page.switch_page(f"pages/{slug}.py")
    for name, value in link.items():
        page.query_params[name] = value
    return page.run()


def again(page):
    """Open the page's own link as a new visitor."""
    return visit(slug_of(page), **page.query_params)


def slug_of(page):
    return next(iter(page.get("bidi_component"))).proto.id.rsplit("-", 1)[1].removesuffix(".stage")


def stage(page):
    """Return the scene on the page's stage, without the order to go to a frame."""
    (component,) = page.get("bidi_component")
    scene = decode(component.proto.bytes)
    scene.pop("frame", None)
    return scene


def picture(page):
    """Return the scene in a form that compares by value."""
    scene = stage(page)
    return scene | {"arrays": [(array.dtype.str, array.tobytes()) for array in scene["arrays"]]}


def plain(text):
    """Take the escapes out of Markdown that shows a text literally."""
    return re.sub(r"\\([^A-Za-z0-9])", r"\1", text)


def warnings(page):
    return [plain(warning.value) for warning in page.warning]


def told(page):
    """Return what the page tells about a run that it refused or stopped: warnings, and the caption of the mere data."""
    frames = stage(page)["frames"]
    captions = [frames[0]["caption"]] if len(frames) == 1 else []
    return list(dict.fromkeys([*warnings(page), *captions]))


def sound(page):
    """Assert what holds whatever happens: no exception, and a picture with a sentence."""
    assert [error.message for error in page.exception] == []
    assert [error.value for error in page.error] == []
    frames = stage(page)["frames"]
    assert frames
    assert all(frame["caption"] for frame in frames)
    for sentence in told(page):
        assert re.search(r"[.?!]$", sentence), sentence
        assert "\n" not in sentence
        # "or None": what a parameter without a limit takes, in a link too.
        assert not re.search(r"Traceback|Error\b|numpy|array\(|(?<!or )None\b", sentence), sentence
    return page


def open_part(page, **states):
    """Open popovers and tabs: what the browser would report of them."""
    for key, value in states.items():
        page.session_state[key] = value
    return page.run()


def widgets(page):
    """Return the keys of all controls on the page."""
    kinds = (
        "slider",
        "select_slider",
        "menu_button",
        "selectbox",
        "button_group",
        "multiselect",
        "toggle",
        "number_input",
        "text_input",
        "button",
    )
    return {widget.key for kind in kinds for widget in page.get(kind) if widget.key}


@contextmanager
def watched_runs() -> Iterator[list]:
    """Collect the runs that the pages show while this is open."""
    seen = []
    bar = ui.page.bar

    def watch(*parts):
        seen.extend(part for part in parts if isinstance(part, ui.Run))
        bar(*parts)

    with mock.patch.object(ui.page, "bar", watch):
        yield seen
