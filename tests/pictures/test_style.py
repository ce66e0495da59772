import re

import plotly.graph_objects as go
import pytest

from dmlib.pictures.figures.style import CLEAR, LONGEST, finish, plain


@pytest.mark.parametrize(
    "name", ["<b>x</b>", "<a href='http://x.example'>y</a>", "a & b", "&lt;", "<br>"]
)
def test_names_are_shown_literally(name):
    label = plain(name)
    assert "<" not in label
    assert (
        label.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == name[:LONGEST]
        or "…" in label
    )


def test_long_names_are_cut_before_they_are_escaped():
    assert plain("<" * 100) == "&lt;" * (LONGEST - 1) + "…"
    assert plain("a\n\tb") == "a b"


def test_finish_keeps_every_word_and_draws_no_background():
    title, note = (
        "A title that is a good deal longer than a phone is wide, with numbers",
        "And a note.",
    )
    figure = finish(go.Figure(), title, note, 300)
    text = figure.layout.title.text
    assert re.sub("<[^>]*>", "", text.replace("<br>", " ")) == f"{title} {note}"
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == CLEAR
    assert figure.layout.height > 300
