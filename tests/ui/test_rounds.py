"""Rounds of practice for the phones of a class."""

import gzip

import pytest
from starlette.requests import Request

from dmlib.pictures.encode import decode
from tests.loops import in_a_loop
from ui.rounds import N_VARIANTS, packed_round, respond


@pytest.fixture(scope="module")
def scenes():
    return [decode(gzip.decompress(packed_round("kmeans", number))) for number in (0, 1)]


def test_a_round_asks_in_the_browser_alone(scenes):
    for scene in scenes:
        assert scene["quiz"]["mode"] == "own"  # nothing is asked of a server
        assert len(scene["quiz"]["questions"]) >= 5


def test_neighbours_have_other_data(scenes):
    first, second = (scene["quiz"]["questions"] for scene in scenes)
    assert first != second


@pytest.mark.parametrize(("slug", "number"), [("kmeans", N_VARIANTS), ("nothing", 0)])
def test_there_is_no_other_round(slug, number):
    request = Request({"type": "http", "path_params": {"slug": slug, "number": number}})
    assert in_a_loop(respond(request)).status_code == 404
