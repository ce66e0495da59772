"""Streamlit's insides stay in one package: each use has a file, a test and a switch."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType as Module

import pytest
import streamlit as st

from ui.streamlit_private import PATCHES
from ui.switches import LATENCY, PRIVATE, VARIABLE, is_on, left_out

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "ui" / "streamlit_private"
DOCUMENTED = {
    "streamlit",
    "streamlit.column_config",
    "streamlit.components",
    "streamlit.components.v2",
    "streamlit.testing.v1",
}
"""Modules that Streamlit's reference of its interface names."""
FILES = [
    ROOT / "app.py",
    ROOT / "server.py",
    *(
        path
        for folder in ("ui", "dashboard", "edition", "pages")
        for path in (ROOT / folder).rglob("*.py")
    ),
]
OUTSIDE = [path for path in FILES if path.parent != ROOM]
INSIDE = [ROOM / f"{name}.py" for name in sorted(PRIVATE)]
each_inside = pytest.mark.parametrize("path", INSIDE, ids=sorted(PRIVATE))


def is_private(module):
    """Return whether a module is one of Streamlit's, or of its server's, without a reference."""
    return module.split(".")[0] in {"streamlit", "uvicorn"} and module not in DOCUMENTED


def private_modules_of(package, names):
    """Return the names that stand for modules of Streamlit that it does not document."""
    modules = [f"{package}.{name}" for name in names if isinstance(getattr(st, name, None), Module)]
    return filter(is_private, modules if package == "streamlit" else [package])


def private_names(node):
    """Yield the names of a node that Streamlit does not document, and those of others' insides."""
    match node:
        case ast.Import(names):
            yield from filter(is_private, [alias.name for alias in names])
        case ast.ImportFrom(module, names, 0):
            yield from private_modules_of(module, [alias.name for alias in names])
            yield from (alias.name for alias in names if alias.name.startswith("_"))
        case ast.Attribute(ast.Name("st"), name):
            yield from private_modules_of("streamlit", [name])
        case ast.Attribute(ast.Name("self" | "cls")):
            pass
        case ast.Attribute(owner, name) if name.startswith("_") and not name.endswith("__"):
            yield f"{ast.unparse(owner)}.{name}"


def names_in(source):
    """Return all that a source uses of Streamlit without its being documented."""
    return {name for node in ast.walk(ast.parse(source)) for name in private_names(node)}


def test_nothing_else_uses_what_streamlit_does_not_document():
    faults = {
        path.relative_to(ROOT).as_posix(): names
        for path in OUTSIDE
        if (names := names_in(path.read_text("utf-8")))
    }
    assert faults == {}, "give each a file in ui/streamlit_private"


@each_inside
def test_a_file_says_why_it_is_there_and_what_is_without_it(path):
    words = " ".join(ast.get_docstring(ast.parse(path.read_text("utf-8"))).split())
    assert "Written against Streamlit 1." in words
    assert "Without it " in words


@each_inside
def test_a_file_has_a_test_that_says_what_to_do_when_it_fails(path):
    test = ROOT / "tests" / "ui" / "streamlit_private" / f"test_{path.stem}.py"
    docstring = ast.get_docstring(ast.parse(test.read_text("utf-8")))
    assert "If a newer Streamlit fails this: " in " ".join(docstring.split())


def test_the_list_in_the_docs_names_all_parts():
    text = (ROOT / "docs" / "streamlit_private.md").read_text("utf-8")
    rows = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert rows == PRIVATE | LATENCY


@pytest.fixture
def without(monkeypatch):
    """Return a function that leaves parts out."""

    def leave(names):
        monkeypatch.setenv(VARIABLE, names)
        left_out.cache_clear()

    yield leave
    left_out.cache_clear()


def test_parts_are_left_out_by_their_names(without):
    without("prefetch, turns")
    assert not is_on("prefetch")
    assert not is_on("turns")
    assert is_on("live")


def test_a_name_that_is_no_part_is_an_error(without):
    without("prefetch,turn")
    with pytest.raises(ValueError, match="names 'turn', which is no part"):
        is_on("prefetch")


def test_what_is_left_out_is_not_even_imported():
    """Else the switch would not help where a newer Streamlit has no such module."""
    code = (
        "import sys, server; server.warm_up(); import ui.home, ui.live, ui.memory;"
        " from ui.streamlit_private import patch; patch(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {VARIABLE: ",".join(PRIVATE | LATENCY)},
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = {
        name.rpartition(".")[2] for name in done.stdout.split() if "streamlit_private." in name
    }
    assert loaded.isdisjoint(PATCHES)
    for name in loaded:
        body = ast.parse((ROOM / f"{name}.py").read_text("utf-8")).body
        assert not any(name for node in body for name in private_names(node)), name


def test_private_names_are_seen():
    source = """
import uvicorn
from streamlit import config, net_util
from streamlit.runtime import get_instance
from starlette.websockets import _secret
import streamlit as st
from streamlit.components.v2 import component
st.runtime.get_instance()
session._state
self._state
st.components.v2.component("a")
st.column_config.NumberColumn()
"""
    assert names_in(source) == {
        "uvicorn",
        "streamlit.config",
        "streamlit.net_util",
        "streamlit.runtime",
        "_secret",
        "session._state",
    }
