"""Rounds of practice for the phones of a class."""

import gzip

import pytest
from starlette.requests import Request

from dashboard.presets import practice_rounds
from dashboard.rounds import round_number
from dashboard.settings import Settings
from dashboard.technique import technique_of
from dmlib.pictures.encode import decode
from tests.loops import in_a_loop
from ui.rounds import N_VARIANTS, packed_round, respond


@pytest.fixture(scope="module")
def scenes():
    return [decode(gzip.decompress(packed_round("kmeans", 0, number))) for number in (0, 1)]


def test_a_round_asks_in_the_browser_alone(scenes):
    for scene in scenes:
        assert scene["quiz"]["mode"] == "own"  # nothing is asked of a server
        assert len(scene["quiz"]["questions"]) >= 5


def test_neighbours_have_other_data(scenes):
    first, second = (scene["quiz"]["questions"] for scene in scenes)
    assert first != second


def test_a_method_has_a_round_of_its_own():
    technique, rounds = technique_of("decision_tree"), practice_rounds("decision_tree")
    number = next(i for i, each in enumerate(rounds) if each.of == {"criterion": "chaid"})
    scene = decode(gzip.decompress(packed_round("decision_tree", number, 0)))
    topics = {question["topic"] for question in scene["quiz"]["questions"]}
    assert topics & {"merge", "adjusted p"}
    settings = Settings.from_query({"decision_tree.criterion": ["chaid"]}, technique.opening_link)
    assert round_number(technique, settings) == number


@pytest.mark.parametrize(
    ("slug", "number", "variant"), [("kmeans", 0, N_VARIANTS), ("kmeans", 1, 0), ("nothing", 0, 0)]
)
def test_there_is_no_other_round(slug, number, variant):
    names = {"slug": slug, "round_number": number, "variant": variant}
    request = Request({"type": "http", "path_params": names})
    assert in_a_loop(respond(request)).status_code == 404
