"""Every algorithm has its pseudocode: short, with a source, and it fits beside the ledger."""

import re

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.pseudocode import Line, current_lines, listings
from tests.visit import technique

WIDEST = 46  # characters that a line has room for beside the picture on a laptop


@pytest.mark.parametrize("slug", CATALOGUE)
def test_every_algorithm_has_a_short_listing_with_its_source(slug):
    assert set(listings(slug)) == {
        algorithm.__name__ for algorithm in technique(slug).methods.values()
    }
    for source, lines in listings(slug).values():
        assert re.search(r"\(\d{4}\)$", source)
        assert 5 <= len(lines) <= 15
        assert lines[-1].text
        for line in lines:
            assert 0 < len(line.text) <= WIDEST, line.text
            assert (len(line.text) - len(line.text.lstrip())) % 2 == 0, line.text
            assert "#" not in line.text


LOOP = [
    Line("prior", ("prior",)),
    Line("for each attribute", ()),
    Line("  count", ("count",)),
    Line("ask", ("prior",)),
]


@pytest.mark.parametrize(
    ("phases", "lines"),
    [
        (["prior", "count", "count"], [0, 2, 2]),
        (["prior", "count", "prior"], [0, 2, 3]),
        (["count", "prior", "prior", "count"], [2, 3, 3, 2]),
        (["count", "other", ""], [2, None, None]),
        ([], []),
    ],
)
def test_the_current_line_is_the_next_with_the_phase(phases, lines):
    assert current_lines(LOOP, phases) == lines
