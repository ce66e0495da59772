"""Pages lead to others, and say with which they are confused: assets/relations.toml."""

import tomllib
from collections import Counter
from graphlib import TopologicalSorter

import pytest

from dashboard.catalogue import ASSETS, CATALOGUE
from dashboard.relations import lookalikes, prerequisites, successors

RELATIONS = tomllib.loads((ASSETS / "relations.toml").read_text("utf-8"))
EDGES = {
    kind: [(page, target) for page, reasons in pages.items() for target in reasons]
    for kind, pages in RELATIONS.items()
}
SENTENCES = [
    sentence
    for pages in RELATIONS.values()
    for reasons in pages.values()
    for sentence in reasons.values()
]
MAX_LETTERS = 110
FIRST = "data_overview"
"""The page that needs no other."""


def test_relations_are_between_different_pages_of_the_catalogue():
    assert set(RELATIONS) == {"leads", "confused"}
    for edges in EDGES.values():
        assert {page for edge in edges for page in edge} <= set(CATALOGUE)
        assert [edge for edge in edges if edge[0] == edge[1]] == []


@pytest.mark.parametrize("kind", EDGES)
def test_each_pair_is_there_once(kind):
    assert max(Counter(map(frozenset, EDGES[kind])).values()) == 1


def test_sentences_are_short_and_say_something_of_their_own():
    for sentence in SENTENCES:
        assert len(sentence) <= MAX_LETTERS, sentence
        assert sentence.endswith("."), sentence
    assert max(Counter(SENTENCES).values()) == 1


def test_no_page_needs_what_it_leads_to():
    TopologicalSorter({slug: prerequisites(slug) for slug in CATALOGUE}).prepare()


def test_every_page_but_the_first_needs_another():
    assert [slug for slug in CATALOGUE if not prerequisites(slug)] == [FIRST]


def test_every_page_is_confused_with_another():
    assert [slug for slug in CATALOGUE if not lookalikes(slug)] == []


def test_needs_are_what_leads_reversed_and_confusion_is_mutual():
    for slug in CATALOGUE:
        for target, reason in successors(slug).items():
            assert prerequisites(target)[slug] == reason
        for target, reason in lookalikes(slug).items():
            assert lookalikes(target)[slug] == reason
