"""A visitor's baskets, edges, series, texts or pixels reach no other page, cache or link."""

import gc
import io
import pickle
import weakref
from importlib import import_module

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from dashboard.data.container import Container
from tests.contract.test_isolation import pickled, shared_entries
from tests.visit import ROOT, TIMEOUT, sentences_of, session_of, sound, stage, visit

MARKS = ("walnut-7316", "quince-7316")
PAGES = {"apriori": "Baskets", "graph_clustering": "Graph", "strings": "Words"}
PANEL = """
import streamlit as st
from dashboard.data import {kind}
from ui.session import current_session
from ui.widgets import WidgetForm

form = WidgetForm(current_session().settings)
st.session_state["chosen"] = {kind}(start={{"source": "upload"}}).choose(None, "", form)
"""


def numbers(mark):
    return np.random.default_rng(len(mark) + ord(mark[0])).integers(0, 256, 64)


def image(mark):
    file = io.BytesIO()
    Image.fromarray(numbers(mark).astype(np.uint8).reshape(8, 8)).save(file, "PNG")
    return file.getvalue()


FILES = {
    "Bags": ("data.csv", lambda mark: f"{mark},milk,bread\nmilk,bread\n{mark},milk\n".encode()),
    "Baskets": ("data.csv", lambda mark: f"{mark},milk,bread\nmilk,bread\n{mark},milk\n".encode()),
    "TableBaskets": (
        "data.csv",
        lambda mark: f"{mark},milk,bread\nmilk,bread\n{mark},milk\n".encode(),
    ),
    "PointsGraph": ("data.csv", lambda mark: f"{mark},b,1\nb,c,2\nc,{mark},3\n".encode()),
    "Graph": ("data.csv", lambda mark: f"{mark},b,1\nb,c,2\nc,{mark},3\n".encode()),
    "LabelledGraph": (
        "data.csv",
        lambda mark: f"{mark},b,1\nb,c,2\nc,{mark},3\nx,y,1\ny,z,1\nz,x,1\n".encode(),
    ),
    "Series": ("data.csv", lambda mark: "\n".join(["value", *map(str, numbers(mark))]).encode()),
    "SeriesPair": (
        "data.csv",
        lambda mark: "\n".join(["value", *map(str, numbers(mark))]).encode(),
    ),
    "Sequences": ("data.csv", lambda mark: "\n".join(["value", *map(str, numbers(mark))]).encode()),
    "Network": (
        "data.bif",
        lambda mark: (
            f"variable {mark} {{ type discrete [ 2 ] {{ x, y }}; }}"
            f" probability ( {mark} ) {{ table 0.2, 0.8; }}"
        ).encode(),
    ),
    "Texts": ("data.txt", lambda mark: f"{mark} one\n{mark} two\nthree\n".encode()),
    "Words": ("data.txt", lambda mark: f"{mark} one\n{mark} two\nthree\n".encode()),
    "Lines": ("data.txt", lambda mark: f"{mark} one\n{mark} two\nthree\n".encode()),
    "Image": ("data.png", image),
    "Digits": ("data.png", image),
    "Patterns": ("data.csv", lambda mark: (",".join(map(str, numbers(mark))) + "\n").encode()),
}
"""Of each kind: a name, and what a file of one visitor holds; all visitors' files are called the
same."""


def track(kind, mark, data):
    """Return bytes that mark a visitor's data in anything that is pickled."""
    series = dict.fromkeys(("Series", "SeriesPair", "Sequences"), lambda: data.values[0])
    arrays = (
        series
        | dict.fromkeys(("Image", "Digits"), lambda: data.pixels)
        | {"Patterns": lambda: data.patterns}
    )
    return arrays[kind]().tobytes() if kind in arrays else mark.encode()


def give(page, kind, mark):
    name, content = FILES[kind]
    page.file_uploader[0].upload(name, content(mark), "application/octet-stream")
    return page.run()


def panel(kind):
    return AppTest.from_string(PANEL.format(kind=kind), default_timeout=TIMEOUT).run()


def data_of(page):
    return session_of(page).file.data


@pytest.mark.parametrize("kind", FILES)
def test_files_of_one_name_stay_apart(kind):
    first, second = (give(panel(kind), kind, mark) for mark in MARKS)
    first.run()  # once more, after the other has come
    tracks = [
        track(kind, mark, data_of(page)) for mark, page in zip(MARKS, (first, second), strict=True)
    ]
    contents = [
        pickle.dumps((data_of(page), page.session_state["chosen"].problem))
        for page in (first, second)
    ]
    assert [[each in content for each in tracks] for content in contents] == [
        [True, False],
        [False, True],
    ]
    assert not any(each in pickled(entry) for each in tracks for entry in shared_entries())
    assert not set(MARKS) & set(" ".join(map(str, first.query_params.values())).split())


@pytest.mark.parametrize("kind", FILES)
def test_a_file_goes_with_its_session(kind):
    page = give(panel(kind), kind, MARKS[0])
    references = [weakref.ref(data_of(page)), weakref.ref(page.session_state["chosen"].problem)]
    del page
    gc.collect()
    assert [ref() for ref in references] == [None, None]


def test_what_was_read_of_a_file_goes_when_it_is_taken_back():
    page = give(panel("Texts"), "Texts", MARKS[0])
    assert session_of(page).file is not None
    page.button(key="file.remove").click()
    assert session_of(page.run()).file is None
    assert session_of(page).sent is None


def test_every_kind_that_takes_files_is_here():
    modules = [
        import_module(f"dashboard.data.{path.stem}")
        for path in (ROOT / "dashboard" / "data").glob("*.py")
    ]
    kinds = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    assert {each.__name__ for each in kinds if issubclass(each, Container) and each.accepts} == set(
        FILES
    )


@pytest.mark.parametrize("slug", PAGES)
def test_no_page_shows_what_another_visitor_brought(slug):
    pages = [sound(give(visit(slug, source="upload"), PAGES[slug], mark)) for mark in MARKS]
    sound(pages[0].run())
    contents = [content(page) for page in pages]
    assert [[mark in text for mark in MARKS] for text in contents] == [[True, False], [False, True]]
    assert not any(mark.encode() in pickled(entry) for mark in MARKS for entry in shared_entries())


@pytest.mark.parametrize("slug", PAGES)
def test_a_link_to_a_file_does_not_hand_it_over(slug):
    first = sound(give(visit(slug, source="upload"), PAGES[slug], MARKS[0]))
    assert MARKS[0] not in str(first.query_params)
    second = sound(visit(slug, **first.query_params))
    assert "Choose a file" in " ".join(sentences_of(second))
    assert MARKS[0] not in content(second)


def content(page):
    """Return all that the server has sent to a page, and its stage in plain form."""
    return repr(page.main) + repr(page.sidebar) + repr(stage(page))
