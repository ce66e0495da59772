"""Open a page of the app without a browser, and look at what it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, local_script_runner

import dashboard
import ui.page
from dashboard.catalogue import CATALOGUE
from dashboard.presets import Preset, link_of
from dmlib.pictures.encode import decode

ROOT = Path(__file__).parents[1]
TIMEOUT = 600  # seconds; it guards against hanging only

# A server asks once what is installed; AppTest asks for every page, which takes longer than to run
# it.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _with_its_list_of_pages(manager, *arguments, _begin=PagesManager.__init__, **named):
    """Begin as on a server that has shown a page: AppTest would begin each run twice."""
    _begin(manager, *arguments, **named)
    PagesManager.uses_pages_directory = False


PagesManager.__init__ = _with_its_list_of_pages


def _until_it_ends(runner, timeout):
    """Wait for the end of a run; AppTest would look for it every millisecond."""
    runner._script_thread.join(timeout)
    assert runner.script_stopped(), f"The page was not shown within {timeout} seconds."


local_script_runner.require_widgets_deltas = _until_it_ends


@cache
def technique(slug):
    """Return what a page declares."""
    return import_module(f"pages.{slug}").TECHNIQUE


def takes_tables(slug):
    """Return whether the data of a page are a table; others take baskets, a graph, ..."""
    return isinstance(technique(slug).data, dashboard.Table)


@cache
def one_of_each():
    """Return pages that together have every kind of data and every tool."""
    slugs, covered = [], set()
    for slug in CATALOGUE:
        page = technique(slug)
        parts = {type(page.data), getattr(page.data, "target", ""), *map(type, page.tools)}
        if parts - covered:
            slugs.append(slug)
            covered |= parts
    return slugs


def visit(slug="home", states=(), **link):
    """Open a page by its link, as a new visitor; values are texts, or lists of texts.

    ``states`` are those of popovers and tabs, as for ``open_part``, without a second run of
    the page.
    """
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
    page.switch_page(f"pages/{slug}.py")
    for name, value in link.items():
        page.query_params[name] = value
    for key, value in dict(states).items():
        page.session_state[key] = value
    return page.run()


@cache
def usual(slug):
    """Return the picture of a page at its defaults."""
    return picture(sound(visit(slug)))


def linked(slug, settings):
    """Write settings as texts under the names that they have in a link."""
    lists = {
        name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()
    }
    texts = link_of(slug, Preset("", "", lists))
    return {
        name: [{"True": "true", "False": "false"}.get(text, text) for text in options]
        for name, options in texts.items()
    }


def methods(slug):
    """Return the links that choose the methods of a page."""
    names = technique(slug).methods
    return {name: {f"{slug}.method": name} if len(names) > 1 else {} for name in names}


def ignored(page):
    """Return the names in the link of which the page says that it ignores them."""
    matches = (
        re.match(r"The link's ([\w.-]+?)(?:=.*)? is ignored", text) for text in warnings(page)
    )
    return {match[1] for match in matches if match}


def upload(slug, name, content, **link):
    """Open a page with an uploaded file."""
    page = visit(slug, source="upload", **link)
    if isinstance(content, str):
        content = content.encode("latin-1" if name == "binary.csv" else "utf-8")
    page.file_uploader[0].upload(name, content, "text/csv")
    return page.run()


def reopened(page):
    """Open the page's own link as a new visitor."""
    return visit(slug_of(page), **page.query_params)


def slug_of(page):
    return component(page).id.rsplit("-", 1)[1].removesuffix(".stage")


def component(page):
    """Return the page's stage, as it is sent."""
    (mounted,) = (
        each.proto
        for each in page.get("bidi_component")
        if each.proto.component_name == "dmlib.stage"
    )
    return mounted


def stage(page):
    """Return the scene on the page's stage."""
    return decode(component(page).bytes)


def picture(page):
    """Return the scene in a form that compares by value, without controls and player."""
    scene = {
        name: value
        for name, value in stage(page).items()
        if name not in ("controls", "heard", "frame")
    }
    return scene | {"arrays": [(array.dtype.str, array.tobytes()) for array in scene["arrays"]]}


def plain(text):
    """Take the escapes out of Markdown that shows a text literally."""
    return re.sub(r"\\([^A-Za-z0-9])", r"\1", text)


def warnings(page):
    return [plain(warning.value) for warning in page.warning]


def sentences_of(page):
    """Return the sentences about a run that was refused or stopped: warnings and caption."""
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
    for sentence in sentences_of(page):
        assert re.search(r"[.?!]$", sentence), sentence
        assert "\n" not in sentence
        # "or None": what a parameter without a limit takes, in a link too.
        assert not re.search(r"Traceback|Error\b|numpy|array\(|(?<!or )None\b", sentence), sentence
    return page


NUMBERS = count(1)


def say(page, **messages):
    """Let the stage send ``changed``, ``moved``, ``edited``, ``selected`` or ``frame``."""
    numbered = {name: {"number": next(NUMBERS), **message} for name, message in messages.items()}
    states = page._tree.get_widget_states()
    states.widgets.append(WidgetState(id=component(page).id, json_value=json.dumps(numbered)))
    return page._run(states)


def turn(page, name, value=None):
    """Change a control beside the picture, or press a button there."""
    return say(page, changed={"name": name, "value": value})


def panel(page):
    """Return the controls beside the picture by name."""
    return {control["name"]: control for control in stage(page)["controls"]}


def go_back(page, **link):
    """Go back, or forward, to a link of this page, as the browser's buttons do."""
    page.query_params.clear()
    for name, value in link.items():
        page.query_params[name] = value
    with mock.patch("ui.session.is_history_navigation", return_value=True):
        return page.run()


def open_part(page, **states):
    """Open popovers and tabs: what the browser would report of them."""
    for key, value in states.items():
        page.session_state[key] = value
    return page.run()


def session_of(page):
    """Return what the server knows of a visitor."""
    return page.session_state["session"]


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
    streamlit = {widget.key for kind in kinds for widget in page.get(kind) if widget.key}
    return streamlit | set(panel(page))


@contextmanager
def watched_runs() -> Iterator[list]:
    """Collect the runs that the pages show while this is open."""
    runs = []
    bar = ui.page.show_bar

    def watch(view, form):
        if view.run is not None:
            runs.append(view.run)
        bar(view, form)

    with mock.patch.object(ui.page, "show_bar", watch):
        yield runs


class OpenedPreset(NamedTuple):
    """Run, scene and the hint of a preset."""

    run: Any  # None if the page refuses it
    scene: dict
    look_for: str


@lru_cache(maxsize=16)  # what all pages are asked, and what one is: they follow each other
def _run_and_scene(slug, link):
    with watched_runs() as runs:
        page = sound(visit(slug, **dict(link)))
    assert warnings(page) == [], link
    scene = stage(page)
    # A page without a run says why it has none.
    assert scene["pseudocode"] is not None or sentences_of(page), link
    return runs[-1] if runs else None, scene


def open_settings(slug, **settings):
    """Open a page with some settings, without a warning; return the run and its scene."""
    return _run_and_scene(
        slug, tuple((name, tuple(texts)) for name, texts in linked(slug, settings).items())
    )


def open_preset(slug, title, **changed):
    """Open a preset by its link, with some of its settings changed."""
    (preset,) = (preset for preset in technique(slug).presets if preset.title == title)
    return OpenedPreset(*open_settings(slug, **{**preset.settings, **changed}), preset.look_for)
