"""Who may frame the app is the operator's to say, and every response says it."""

import pytest
from streamlit.logger import get_logger

from ui.headers import ORIGIN, frame_ancestors


@pytest.mark.parametrize(
    "origins",
    [
        "https://moodle.example.org",
        "https://*.school.example",
        "http://10.0.0.7:8080",
        "https://[2001:db8::1]:8443",
    ],
)
def test_an_origin_that_is_named_may_frame_the_app(origins):
    assert frame_ancestors(origins) == ["'self'", origins]


def test_without_a_name_nobody_else_may():
    assert frame_ancestors("") == ["'self'"]


def test_several_are_named_with_blanks_or_commas():
    assert frame_ancestors("https://a.example,  https://b.example") == [
        "'self'",
        "https://a.example",
        "https://b.example",
    ]


@pytest.mark.parametrize(
    "word",
    ["*", "example.org", "https://a.example/path", "https://a;script-src", "'none'", "data:"],
)
def test_what_is_no_origin_is_left_out_with_a_line_in_the_log(word, monkeypatch):
    lines = []
    monkeypatch.setattr(
        get_logger("ui.headers"), "warning", lambda text, *values: lines.append(text % values)
    )
    assert frame_ancestors(f"https://a.example {word}") == ["'self'", "https://a.example"]
    assert not ORIGIN.fullmatch(word)
    assert [line.count("is no origin") for line in lines] == [1]
