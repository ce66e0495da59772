"""A link with ``embed=1`` is known as such, though Streamlit keeps the name to itself.

If a newer Streamlit fails this: look how ``st.query_params`` and ``st.context.is_embedded`` treat
``embed`` by now; delete the file if they tell ``embed=1``.
"""

import pytest
import streamlit as st

from tests.visit import sound, visit
from ui.streamlit_private import embedding
from ui.streamlit_private.embedding import is_embedded

CONTEXT = "streamlit.runtime.scriptrunner.get_script_run_ctx"


class Run:
    def __init__(self, query_string):
        self.query_string = query_string


@pytest.mark.parametrize(
    ("query", "embeds"),
    [
        ("embed=1", True),
        ("seed=4&embed=true", True),
        ("embed=0", False),
        ("embed=", False),
        ("seed=4", False),
        ("", False),
    ],
)
def test_a_run_knows_what_its_link_says(query, embeds, monkeypatch):
    monkeypatch.setattr(CONTEXT, lambda **_: Run(query))
    assert is_embedded() is embeds


def test_without_a_run_nothing_is_embedded():
    assert not is_embedded()


def test_streamlit_does_not_tell_the_name():
    """Else the link can be read as it is."""
    page = visit("kmeans", embed="1", seed="4")
    assert "embed" not in st.query_params
    assert sound(page).query_params["embed"] == "1"


def test_without_it_the_page_is_shown_as_it_is(monkeypatch):
    monkeypatch.setattr(embedding, "is_on", lambda _: False)
    assert [title.value for title in sound(visit("kmeans", embed="1")).title] == ["k-means"]
