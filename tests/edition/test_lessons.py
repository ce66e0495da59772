"""Lessons as HTML: formulas are MathML, and links lead to what is there."""

import re

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.lessons import lesson_text, parts
from edition.lessons import formula, html_of, without_answers

MATH = re.compile(r"<math.*?</math>", re.DOTALL)


def html(slug, address=lambda page: f"{page}.html"):
    """The whole lesson of a page."""
    headings, answers = without_answers(parts(lesson_text(slug)))
    return "".join(html_of(part, answers, slug, address) for part in headings)


@pytest.mark.parametrize("slug", CATALOGUE)
def test_no_formula_stays_as_it_was_typed(slug):
    text = html(slug)
    assert "$" not in MATH.sub("", text)
    assert not re.search(r">\\[a-z]+<", text)


def test_formulas_are_mathml():
    assert "<msup>" in formula("x^2")
    assert 'display="block"' in formula("x", {"display_mode": True})
    assert "\\" not in formula(r"\arg\max_j a_j")


def test_links_lead_to_presets_and_pages():
    text = html("dbscan")
    assert '<a href="#two-moons-two-clusters">' in text
    assert '<a href="optics.html">OPTICS</a>' in text


def test_a_link_to_a_page_that_is_not_there_is_plain_text():
    text = html("dbscan", lambda page: "")
    assert "optics.html" not in text
    assert "OPTICS" in text


def test_answers_stand_behind_their_questions():
    text = html("dbscan")
    assert text.count("<details>") == 5
    assert text.index("leave no noise?") < text.index("Every point counts itself")
